// SPDX-License-Identifier: Apache-2.0
#pragma once
// Convolutions by oneDNN, which has kernels for each shape and processor. It chooses the layouts that they work on: a
// kernel is copied to its layout once for each block, images and features by the tile that reads or writes them.

#include <tessera/engine/exec/product/convolution_work.hpp>
#include <tessera/engine/exec/product/gemm_host.hpp>
#include <tessera/engine/exec/product/onednn.hpp>
#include <tessera/exec/memory/buffer.hpp>

#include <memory>
#include <string>

namespace tessera::detail {

#if defined(TESSERA_ONEDNN)

// One part of a convolution, of some images and features.
class onednn_part {
public:
  // `kernel_layout`: that of the kernel if another part has chosen it, or null.
  TESSERA_COLD onednn_part(convolution_work const& w, std::int64_t images, const_dnnl_memory_desc_t kernel_layout) {
    bool const grouped = w.groups > 1, cut_channels = w.kind == convolution_kind::by_images;
    std::int64_t const channels = cut_channels ? w.part_features : w.channels;
    std::int64_t const features = cut_channels ? w.features : w.part_features;
    if (grouped && w.output.group != features * w.output.channel) return;
    dnnl_dims_t x{}, k{}, y{}, x_steps{}, k_steps{}, y_steps{}, strides{}, dilations{}, low{}, high{};
    int const first = grouped ? 3 : 2;
    x[0] = y[0] = images;
    x[1] = w.groups * channels, y[1] = w.groups * features;
    x_steps[0] = w.images.n, x_steps[1] = w.images.channel;
    y_steps[0] = w.output.n, y_steps[1] = w.output.channel;
    if (grouped) k[0] = w.groups, k_steps[0] = w.kernel.group;
    k[first - 2] = features, k_steps[first - 2] = w.kernel.channel;
    k[first - 1] = channels, k_steps[first - 1] = w.kernel.along[0] * w.window;
    std::int64_t step = w.kernel.along[0];
    for (int i = w.rank - 1; i >= 0; step *= w.size[i], --i) k[first + i] = w.size[i], k_steps[first + i] = step;
    for (int i = 0; i < w.rank; ++i) {
      x[2 + i] = w.extent[i], x_steps[2 + i] = w.images.along[i];
      y[2 + i] = w.places[i], y_steps[2 + i] = w.output.along[i];
      strides[i] = w.windows.at[ops::window_dims::stride][i];
      dilations[i] = w.windows.at[ops::window_dims::dilation][i] - 1;
      low[i] = w.windows.at[ops::window_dims::low][i];
      high[i] = w.windows.at[ops::window_dims::high][i];
      if (low[i] < 0 || high[i] < 0) return;
    }
    auto const plain = [&](dnnl_dims_t const& dims, int count, dnnl_dims_t const& steps) {
      dnnl_memory_desc_t made = nullptr;
      dnnl_memory_desc_create_with_strides(&made, count, dims, dnnl_f32, steps);
      return onednn::memory_desc(made);
    };
    auto const free = [&](dnnl_dims_t const& dims, int count) {
      dnnl_memory_desc_t made = nullptr;
      dnnl_memory_desc_create_with_tag(&made, count, dims, dnnl_f32, dnnl_format_tag_any);
      return onednn::memory_desc(made);
    };
    // The library's layouts have 16 channels together. A gradient by fewer than 5 is faster in the program's layout.
    bool const stays = cut_channels && w.groups == 1 && channels < 5;
    int const rank = w.rank + 2, k_rank = w.rank + first;
    auto const own_x = plain(x, rank, x_steps), own_k = plain(k, k_rank, k_steps), own_y = plain(y, rank, y_steps);
    auto const any_x = stays ? plain(x, rank, x_steps) : free(x, rank);
    auto const any_y = stays ? plain(y, rank, y_steps) : free(y, rank);
    auto const any_k = kernel_layout ? onednn::copy_of(kernel_layout)
                       : stays       ? plain(k, k_rank, k_steps)
                                     : free(k, k_rank);
    if (!own_x || !own_k || !own_y || !any_x || !any_y || !any_k) return;

    auto const scratch = onednn::scratch_is_given();
    dnnl_primitive_desc_t made = nullptr;
    auto status = dnnl_convolution_forward_primitive_desc_create(
        &made, onednn::engine(), dnnl_forward_training, dnnl_convolution_direct, any_x.get(), any_k.get(), nullptr,
        any_y.get(), strides, dilations, low, high, scratch.get());
    if (status != dnnl_success) return;
    onednn::primitive_desc what(made);
    onednn::primitive_desc const forward = w.kind == convolution_kind::result ? nullptr : std::move(what);
    if (w.kind == convolution_kind::by_images)
      status = dnnl_convolution_backward_data_primitive_desc_create(&made, onednn::engine(), dnnl_convolution_direct,
                                                                    any_x.get(), any_k.get(), any_y.get(), strides,
                                                                    dilations, low, high, forward.get(), scratch.get());
    if (w.kind == convolution_kind::by_kernel)
      status = dnnl_convolution_backward_weights_primitive_desc_create(
          &made, onednn::engine(), dnnl_convolution_direct, any_x.get(), any_k.get(), nullptr, any_y.get(), strides,
          dilations, low, high, forward.get(), scratch.get());
    if (status != dnnl_success) return;
    if (w.kind != convolution_kind::result) what.reset(made);

    auto const layout = [&](dnnl_query_t which) { return dnnl_primitive_desc_query_md(what.get(), which, 0); };
    using role = onednn::callable::argument;
    bool const adds = w.kind == convolution_kind::by_kernel;
    role const of_images = cut_channels ? role{DNNL_ARG_DIFF_SRC, layout(dnnl_query_diff_src_md)}
                                        : role{DNNL_ARG_SRC, layout(dnnl_query_src_md)};
    role const of_kernel = adds ? role{DNNL_ARG_DIFF_WEIGHTS, layout(dnnl_query_diff_weights_md)}
                                : role{DNNL_ARG_WEIGHTS, layout(dnnl_query_weights_md)};
    role const of_features = w.kind == convolution_kind::result
                                 ? role{DNNL_ARG_DST, layout(dnnl_query_dst_md)}
                                 : role{DNNL_ARG_DIFF_DST, layout(dnnl_query_diff_dst_md)};
    role const &in = cut_channels ? of_features : of_images, &out = cut_channels ? of_images : of_features;
    auto const &own_in = cut_channels ? own_y : own_x, &own_out = cut_channels ? own_x : own_y;
    first_ = onednn::relayout(own_in.get(), in.layout);
    kernel_ = adds ? onednn::relayout(of_kernel.layout, own_k.get()) : onednn::relayout(own_k.get(), of_kernel.layout);
    last_ = adds ? onednn::relayout(own_out.get(), out.layout) : onednn::relayout(out.layout, own_out.get());
    auto const* const scratch_layout = layout(dnnl_query_scratchpad_md);
    scratch_bytes_ = onednn::bytes_of(scratch_layout);
    run_ = onednn::callable(what, {in, of_kernel, out, {DNNL_ARG_SCRATCHPAD, scratch_layout}});
    possible_ = run_ && first_.possible() && kernel_.possible() && last_.possible();
  }

  bool possible() const { return possible_; }
  onednn::relayout const& kernel() const { return kernel_; }
  // The kernel as the library has it.
  const_dnnl_memory_desc_t kernel_layout(convolution_kind kind) const {
    return kind == convolution_kind::by_kernel ? kernel_.from() : kernel_.to();
  }
  std::size_t kernel_bytes(convolution_kind kind) const { return onednn::bytes_of(kernel_layout(kind)); }

  // From arrays of the program, and the kernel in the library's layout.
  void run(convolution_kind kind, std::byte* images, std::byte* kernel, std::byte* features) const {
    bool const adds = kind == convolution_kind::by_kernel;
    std::size_t const first = first_.copies() ? lines(onednn::bytes_of(first_.to())) : 0;
    std::size_t const last = last_.copies() ? lines(onednn::bytes_of(adds ? last_.to() : last_.from())) : 0;
    std::size_t const own = lines(std::max({scratch_bytes_, first_.scratch_bytes(), last_.scratch_bytes()}));
    buffer const memory(first + last + own, memory_kind::host);
    std::byte* const scratch = memory.data() + first + last;
    bool const by_images = kind == convolution_kind::by_images;
    std::byte *const x = by_images ? features : images, *const y = by_images ? images : features;
    std::byte* const in = first_.copies() ? memory.data() : x;
    std::byte* const out = last_.copies() ? memory.data() + first : y;
    if (first_.copies()) first_.run(x, in, scratch);
    if (adds && last_.copies()) last_.run(y, out, scratch);
    run_.run({in, kernel, out, scratch});
    if (!adds && last_.copies()) last_.run(out, y, scratch);
  }
  // Copies the kernel between the program's layout and the library's.
  void move_kernel(std::byte* from, std::byte* to) const {
    buffer const scratch(lines(kernel_.scratch_bytes()), memory_kind::host);
    kernel_.run(from, to, scratch.data());
  }
  static std::size_t lines(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

private:
  bool possible_ = false;
  onednn::relayout first_, kernel_, last_;  // read, the kernel, written (gradient by the kernel: read)
  std::size_t scratch_bytes_ = 0;
  onednn::callable run_;
};

class convolution_by_onednn {
public:
  convolution_by_onednn() = default;
  TESSERA_COLD explicit convolution_by_onednn(convolution_work const& w) {
    if (w.element != dtype::float32 || !onednn::engine()) return;
    onednn::one_thread const alone;
    auto made = std::make_shared<parts>(parts{{w, std::min(w.rows, w.n), nullptr}, nullptr});
    if (!made->most.possible()) return;
    if (auto const rest = w.n % w.rows) {
      made->last = std::make_unique<onednn_part>(w, rest, made->most.kernel_layout(w.kind));
      if (!made->last->possible()) return;
    }
    parts_ = std::move(made);
    kernels_ = w.blocks;
    for (int d = w.blocks.size() - 1; d >= 0; --d) {
      bool const own = w.blocks[d].b != 0;
      kernels_[d].a = own ? kernel_count_ : 0;
      if (own) kernel_count_ *= w.blocks[d].extent;
    }
  }

  bool possible() const { return parts_ != nullptr; }

  void run(std::string const& label, convolution_work const& w, std::byte* const* frame) const {
    bool const adds = w.kind == convolution_kind::by_kernel;
    std::int64_t const each = onednn_part::lines(parts_->most.kernel_bytes(w.kind));
    bool const moves = parts_->most.kernel().copies() || (adds && w.image_parts > 1);
    std::int64_t const count = adds ? w.block_count * w.parts() : kernel_count_ * w.feature_parts;
    buffer const kernels(moves ? count * each : 0, memory_kind::host);
    call const own{*this, w, moves ? kernels.data() : nullptr, each};
    std::int64_t const moved = count * each;
    if (moves && !adds) launch_tiles(label, {&load_tile, &own, frame}, count, moved);
    launch_tiles(label, {&part_tile, &own, frame}, w.block_count * w.parts(), w.effort());
    if (moves && adds) launch_tiles(label, {&store_tile, &own, frame}, w.block_count * w.feature_parts, moved);
  }

private:
  struct parts {
    onednn_part most;
    std::unique_ptr<onednn_part> last;  // of the last images, if they are fewer
  };
  struct call {
    convolution_by_onednn const& self;
    convolution_work const& w;
    std::byte* kernels;  // in the library's layout, or null
    std::int64_t each;
  };

  static std::byte* start(convolved_array const& a, std::byte* const* frame, std::int64_t further) {
    return frame[a.slot] + (a.offset + further) * static_cast<std::int64_t>(sizeof(float));
  }
  // The offset of the kernel of a part of features, or of channels.
  static std::int64_t kernel_part(convolution_work const& w, std::int64_t part) {
    bool const cuts_channels = w.kind == convolution_kind::by_images;
    return part * w.part_features * (cuts_channels ? w.kernel.along[0] * w.window : w.kernel.channel);
  }
  std::int64_t kernel_of(std::int64_t block) const { return locate(kernels_, block).a; }

  // Tiles of (kernel, part of its features).
  static void load_tile(void const* work, std::byte* const* frame, std::int64_t tile) {
    onednn::one_thread const alone;
    auto const& [self, w, kernels, each] = *static_cast<call const*>(work);
    std::int64_t const part = tile % w.feature_parts, kernel = tile / w.feature_parts;
    std::int64_t block = 0;
    while (self.kernel_of(block) != kernel) ++block;
    self.parts_->most.move_kernel(start(w.kernel, frame, locate(w.blocks, block).b + kernel_part(w, part)),
                                  kernels + tile * each);
  }
  // Tiles of (block, part of features, part of images).
  static void part_tile(void const* work, std::byte* const* frame, std::int64_t tile) {
    onednn::one_thread const alone;
    auto const& [self, w, kernels, each] = *static_cast<call const*>(work);
    std::int64_t const images = tile % w.image_parts, part = tile / w.image_parts % w.feature_parts;
    std::int64_t const block = tile / w.parts(), first = images * w.rows;
    product_offsets const at = locate(w.blocks, block);
    bool const cuts_channels = w.kind == convolution_kind::by_images, adds = w.kind == convolution_kind::by_kernel;
    std::int64_t const further = part * w.part_features;
    std::byte* const x =
        start(w.images, frame, at.a + first * w.images.n + (cuts_channels ? further * w.images.channel : 0));
    std::byte* const y =
        start(w.output, frame, at.c + first * w.output.n + (cuts_channels ? 0 : further * w.output.channel));
    std::int64_t const kept = adds ? tile : self.kernel_of(block) * w.feature_parts + part;
    std::byte* const k = kernels ? kernels + kept * each : start(w.kernel, frame, at.b + kernel_part(w, part));
    bool const is_last = self.parts_->last && images == w.image_parts - 1;
    (is_last ? *self.parts_->last : self.parts_->most).run(w.kind, x, k, y);
  }
  // Tiles of (block, part of features): adds up the parts of images.
  static void store_tile(void const* work, std::byte* const* frame, std::int64_t tile) {
    onednn::one_thread const alone;
    auto const& [self, w, kernels, each] = *static_cast<call const*>(work);
    auto* const sums = reinterpret_cast<float*>(kernels + tile * w.image_parts * each);
    std::int64_t const count = each / static_cast<std::int64_t>(sizeof(float));
    add_up_parts(sums, count, w.image_parts);
    std::int64_t const block = tile / w.feature_parts, part = tile % w.feature_parts;
    std::byte* const to = start(w.kernel, frame, locate(w.blocks, block).b + kernel_part(w, part));
    auto const& most = self.parts_->most;
    if (most.kernel().copies())
      most.move_kernel(reinterpret_cast<std::byte*>(sums), to);
    else
      std::memcpy(to, sums, most.kernel_bytes(w.kind));
  }

  std::shared_ptr<parts const> parts_;
  product::dims kernels_{};  // of devices: in a, which kernel a block has
  std::int64_t kernel_count_ = 1;
};

#else

class convolution_by_onednn {
public:
  convolution_by_onednn() = default;
  explicit convolution_by_onednn(convolution_work const&) {}
  bool possible() const { return false; }
  void run(std::string const&, convolution_work const&, std::byte* const*) const {}
};

#endif

}  // namespace tessera::detail
