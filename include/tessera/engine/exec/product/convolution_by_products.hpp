// SPDX-License-Identifier: Apache-2.0
#pragma once
// Convolutions by products: of float64, and where there is no library of convolutions. Each tile copies the windows of
// some places to memory that stays in a cache, and multiplies them there by the BLAS of all products.

#include <tessera/engine/exec/product/cblas.hpp>
#include <tessera/engine/exec/product/convolution_work.hpp>
#include <tessera/engine/exec/product/gemm_host.hpp>
#include <tessera/exec/memory/buffer.hpp>
#include <tessera/op/window/windows.hpp>

namespace tessera::detail {

// Row-major products of matrices without gaps: c = op(a) op(b) + beta c.
template <class T>
void multiply_matrices(bool trans_a, bool trans_b, std::int64_t m, std::int64_t n, std::int64_t k, T const* a,
                       T const* b, T beta, T* c, std::int64_t ldc) {
  if constexpr (has_cblas) {
    blas_product(trans_a, trans_b, static_cast<int>(m), static_cast<int>(n), static_cast<int>(k), T(1), a,
                 static_cast<int>(trans_a ? m : k), b, static_cast<int>(trans_b ? k : n), beta, c,
                 static_cast<int>(ldc));
  } else {
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t j = 0; j < n; ++j) {
        T sum = beta == T(0) ? T(0) : beta * c[i * ldc + j];
        for (std::int64_t p = 0; p < k; ++p)
          sum += (trans_a ? a[p * m + i] : a[i * k + p]) * (trans_b ? b[j * k + p] : b[p * n + j]);
        c[i * ldc + j] = sum;
      }
  }
}

template <class T>
class convolution_tile {
public:
  convolution_tile(convolution_work const& w, std::byte* const* frame, std::int64_t block, std::int64_t group) : w_(w) {
    product_offsets const at = locate(w.blocks, block);
    images_ = start(w.images, frame) + at.a + group * w.images.group;
    kernel_ = start(w.kernel, frame) + at.b + group * w.kernel.group;
    output_ = start(w.output, frame) + at.c + group * w.output.group;
    // Half a MiB of windows, but at least 256 columns: each tile packs the other operand again.
    constexpr std::int64_t cache_bytes = 512 * 1024, fewest = 256;
    row_ = w.place_count / w.places[0];
    std::int64_t step = 1;
    for (int i = w.rank - 1; i >= 0; step *= w.places[i], --i)
      in_order_ = in_order_ && (w.places[i] == 1 || w.output.along[i] == step);
    in_order_ = in_order_ && w.output.channel >= w.place_count;
    std::int64_t const deep = w.channels * w.window;
    std::int64_t const columns = std::max<std::int64_t>(fewest, cache_bytes / (deep * sizeof(T)));
    most_rows_ = std::clamp<std::int64_t>(pieces(columns, row_), 1, w.places[0]);
    memory_ = buffer((deep * (w.features + most_rows_ * row_) + w.features * most_rows_ * row_) * sizeof(T),
                     memory_kind::host);
    filter_ = reinterpret_cast<T*>(memory_.data());
    patches_ = filter_ + deep * w.features;
    features_ = patches_ + deep * most_rows_ * row_;
  }

  void load_filter() {
    for (std::int64_t m = 0; m < w_.features; ++m)
      for (std::int64_t i = 0; i < deep(); ++i)
        filter_[m * deep() + i] = kernel_[m * w_.kernel.channel + i * w_.kernel.along[0]];
  }
  // The filter is loaded before these two.
  void result(std::int64_t image) {
    each_part([&](std::int64_t first, std::int64_t columns) {
      cut(image, first, columns);
      if (in_order_) {
        multiply_matrices(false, false, w_.features, columns, deep(), filter_, patches_, T(0),
                          output_ + image * w_.output.n + first * row_, w_.output.channel);
        return;
      }
      multiply_matrices(false, false, w_.features, columns, deep(), filter_, patches_, T(0), features_, columns);
      each_feature(image, first, columns, [](T& there, T& here) { there = here; });
    });
  }
  void by_images(std::int64_t image) {
    for (std::int64_t c = 0; c < w_.channels; ++c) {
      dense_view<T> const one = shown(image, c);
      for (std::int64_t i = 0, count = one.size(); i < count; ++i) one.at(i) = T{};
    }
    each_part([&](std::int64_t first, std::int64_t columns) {
      each_feature(image, first, columns, [](T& there, T& here) { here = there; });
      multiply_matrices(true, false, deep(), columns, w_.features, filter_, features_, T(0), patches_, columns);
      each_channel(image, first, columns, [](auto const& w, dense_view<T> x_, dense_view<T> y) {
        ops::each_window_run(w, x_, y, ops::add_window_run<T>{});
      });
    });
  }
  // Adds the gradient of one image to `sums` (features, window), or sets it.
  void by_kernel(std::int64_t image, T* sums, bool adds) {
    each_part([&](std::int64_t first, std::int64_t columns) {
      cut(image, first, columns);
      each_feature(image, first, columns, [](T& there, T& here) { here = there; });
      multiply_matrices(false, true, w_.features, deep(), columns, features_, patches_, adds ? T(1) : T(0), sums,
                        deep());
      adds = true;
    });
  }
  // Writes sums over images to the kernel's gradient.
  void store(T const* sums) {
    for (std::int64_t m = 0; m < w_.features; ++m)
      for (std::int64_t i = 0; i < deep(); ++i)
        kernel_[m * w_.kernel.channel + i * w_.kernel.along[0]] = sums[m * deep() + i];
  }

private:
  static T* start(convolved_array const& a, std::byte* const* frame) {
    return reinterpret_cast<T*>(frame[a.slot]) + a.offset;
  }
  std::int64_t deep() const { return w_.channels * w_.window; }
  dense_view<T> shown(std::int64_t image, std::int64_t channel) const {
    return {images_ + image * w_.images.n + channel * w_.images.channel, w_.extent, w_.images.along, w_.rank};
  }
  // f(first row of places, number of places)
  template <class F>
  void each_part(F const& f) const {
    for (std::int64_t first = 0; first < w_.places[0]; first += most_rows_)
      f(first, std::min(most_rows_, w_.places[0] - first) * row_);
  }
  void cut(std::int64_t image, std::int64_t first, std::int64_t columns) {
    each_channel(image, first, columns, [](auto const& w, dense_view<T> x, dense_view<T> y) {
      ops::each_window_run(w, dense_view<T const>{x.elements, x.extents, x.steps, x.dims}, y,
                           ops::copy_window_run<T>{T{}});
    });
  }
  // f(windows, channel of the image, its windows in the patches), for places from row `first` on.
  template <class F>
  void each_channel(std::int64_t image, std::int64_t first, std::int64_t columns, F const& f) const {
    ops::window_dims windows = w_.windows;
    windows.at[ops::window_dims::low][0] -= first * windows.at[ops::window_dims::stride][0];
    std::int64_t extents[6], steps[6], step = 1;
    for (int i = 0; i < w_.rank; ++i) {
      extents[i] = w_.size[i];
      extents[w_.rank + i] = i == 0 ? columns / row_ : w_.places[i];
    }
    for (int i = 2 * w_.rank - 1; i >= 0; step *= extents[i], --i) steps[i] = step;
    for (std::int64_t c = 0; c < w_.channels; ++c)
      f(windows, shown(image, c), dense_view<T>{patches_ + c * w_.window * columns, extents, steps, 2 * w_.rank});
  }
  // f(element of the array, element of the tile), for all features at places from row `first` on.
  template <class F>
  void each_feature(std::int64_t image, std::int64_t first, std::int64_t columns, F const& f) const {
    std::int64_t const middle = w_.rank == 3 ? w_.places[1] : 1, inner = row_ / middle, rows = columns / row_;
    std::int64_t const step = w_.rank == 1 ? 0 : w_.output.along[w_.rank - 1];
    for (std::int64_t m = 0; m < w_.features; ++m)
      for (std::int64_t p = 0; p < rows; ++p)
        for (std::int64_t q = 0; q < middle; ++q) {
          T* const there = output_ + image * w_.output.n + m * w_.output.channel + (first + p) * w_.output.along[0] +
                           (w_.rank == 3 ? q * w_.output.along[1] : 0);
          T* const here = features_ + m * columns + p * row_ + q * inner;
          for (std::int64_t r = 0; r < inner; ++r) f(there[r * step], here[r]);
        }
  }

  convolution_work const& w_;
  T *images_ = nullptr, *kernel_ = nullptr, *output_ = nullptr;
  std::int64_t row_ = 1, most_rows_ = 1;
  bool in_order_ = true;  // the places of a feature follow each other in memory
  buffer memory_;
  T *filter_ = nullptr, *patches_ = nullptr, *features_ = nullptr;
};

// Tiles of (block, group, part of the images); the gradients by the kernel are then added up.
template <class T>
struct convolution_by_products {
  struct call {
    convolution_work const& w;
    T* sums;
  };

  static void run(std::string const& label, convolution_work const& w, std::byte* const* frame) {
    single_threaded_blas();
    bool const adds = w.kind == convolution_kind::by_kernel;
    std::int64_t const outer = w.block_count * w.groups;
    buffer const memory(adds ? outer * w.image_parts * of_group(w) * sizeof(T) : 0, memory_kind::host);
    call const own{w, reinterpret_cast<T*>(memory.data())};
    launch_tiles(label, {adds ? &kernel_tile : &image_tile, &own, frame}, outer * w.image_parts, w.effort() * 4);
    if (adds) launch_tiles(label, {&sum_tile, &own, frame}, outer, outer * of_group(w) * w.image_parts);
  }

private:
  static std::int64_t of_group(convolution_work const& w) { return w.features * w.channels * w.window; }
  static void image_tile(void const* work, std::byte* const* frame, std::int64_t tile) {
    auto const& w = static_cast<call const*>(work)->w;
    std::int64_t const outer = tile / w.image_parts, first = tile % w.image_parts * w.rows;
    convolution_tile<T> own(w, frame, outer / w.groups, outer % w.groups);
    own.load_filter();
    for (std::int64_t image = first; image < std::min(first + w.rows, w.n); ++image)
      w.kind == convolution_kind::result ? own.result(image) : own.by_images(image);
  }
  static void kernel_tile(void const* work, std::byte* const* frame, std::int64_t tile) {
    auto const& [w, sums] = *static_cast<call const*>(work);
    std::int64_t const part = tile % w.image_parts, outer = tile / w.image_parts, first = part * w.rows;
    convolution_tile<T> own(w, frame, outer / w.groups, outer % w.groups);
    for (std::int64_t image = first; image < std::min(first + w.rows, w.n); ++image)
      own.by_kernel(image, sums + tile * of_group(w), image > first);
  }
  static void sum_tile(void const* work, std::byte* const* frame, std::int64_t tile) {
    auto const& [w, sums] = *static_cast<call const*>(work);
    std::int64_t const count = of_group(w);
    T* const all = sums + tile * w.image_parts * count;
    add_up_parts(all, count, w.image_parts);
    convolution_tile<T>(w, frame, tile / w.groups, tile % w.groups).store(all);
  }
};

}  // namespace tessera::detail
