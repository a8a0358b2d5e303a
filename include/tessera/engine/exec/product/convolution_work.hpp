// SPDX-License-Identifier: Apache-2.0
#pragma once
// A convolution, or one of its gradients, over strides: its sizes, where its three arrays are, and the parts that it is
// cut into. Parts follow from the sizes alone, so that a result does not depend on the number of threads.

#include <tessera/engine/exec/memory/step_binding.hpp>
#include <tessera/engine/exec/product/gemm.hpp>
#include <tessera/plan/fuse/convolutions.hpp>

#include <stdexcept>

namespace tessera::detail {

// An array of a convolution: images (n, group, channel of a group, spatial...), the kernel (-, group, feature, window)
// or features (n, group, feature of a group, places...). Strides are in elements.
struct convolved_array {
  int slot = -1;
  std::int64_t offset = 0, n = 0, group = 0, channel = 0;
  std::int64_t along[3]{};  // spatial dimensions, places; the kernel: the element of a window, in along[0]
};

struct convolution_work {
  convolution_kind kind{};
  dtype element = dtype::float32;
  int rank = 0;                                                // spatial dimensions
  std::int64_t n = 0, groups = 0, features = 0, channels = 0;  // features and channels of a group
  std::int64_t window = 1, place_count = 1;  // elements of a window of one channel, places of an image
  std::int64_t extent[3]{1, 1, 1}, places[3]{1, 1, 1}, size[3]{1, 1, 1};
  ops::window_dims windows{};
  convolved_array images{}, kernel{}, output{};
  product::dims blocks{};  // of devices: a: images, b: kernel, c: features
  std::int64_t block_count = 1;

  // Parts: `rows` images in each but the last, and `part_features` features (gradient by images: channels).
  std::int64_t rows = 0, image_parts = 1, feature_parts = 1, part_features = 0;
  constexpr std::int64_t parts() const { return image_parts * feature_parts; }

  constexpr std::int64_t multiplications() const { return n * groups * features * channels * window * place_count; }
  constexpr std::int64_t kernel_elements() const { return groups * features * channels * window; }
  // Decides whether threads are used, as the bytes of other steps do.
  constexpr std::int64_t effort() const { return block_count * multiplications() / 4; }
};

// Adds the other parts, each `count` elements after the one before, to the first.
template <class T>
void add_up_parts(T* parts, std::int64_t count, std::int64_t how_many) {
  for (std::int64_t part = 1; part < how_many; ++part)
    for (std::int64_t i = 0; i < count; ++i) parts[i] += parts[part * count + i];
}

// Parts of about a million multiplications or more, at most 16 of a device. The parts of a gradient by the kernel are
// added up, so they are few where the kernel is large. `by_features`: features may be parted, too.
constexpr void cut_in_parts(convolution_work& w, bool by_features) {
  constexpr std::int64_t least = std::int64_t{1} << 20, most = 16, narrow = 32, sums = std::int64_t{4} << 20;
  std::int64_t wanted = std::clamp<std::int64_t>(w.multiplications() / least, 1, most);
  bool const adds = w.kind == convolution_kind::by_kernel;
  std::int64_t const wide = w.kind == convolution_kind::by_images ? w.channels : w.features;
  std::int64_t const of_images = adds ? std::clamp<std::int64_t>(sums / (w.kernel_elements() * 4), 1, w.n) : w.n;
  w.part_features = wide;
  while (by_features && w.groups == 1 && w.feature_parts * std::min(of_images, wanted) < wanted &&
         w.part_features % 2 == 0 && w.part_features / 2 >= narrow) {
    w.part_features /= 2;
    w.feature_parts *= 2;
  }
  wanted = pieces(wanted, w.feature_parts);
  w.rows = pieces(w.n, std::min(wanted, of_images));
  w.image_parts = pieces(w.n, w.rows);
}

TESSERA_COLD inline convolution_work convolution_of(step_binding const& b) {
  graph_view const& g = b.plan.local;
  convolution const c = convolution_reader(g).at(b.at.node);
  if (!c) throw std::logic_error("tessera: a step is no convolution.");
  int const images = c.kind == convolution_kind::by_images ? b.at.node : c.images;
  int const kernel = c.kind == convolution_kind::by_kernel ? b.at.node : c.kernel;
  int const features = c.kind == convolution_kind::result ? b.at.node : c.features;
  array_value const &x = g[images].facts, &k = g[kernel].facts, &y = g[features].facts;
  location const &at_x = b.where[images], &at_k = b.where[kernel], &at_y = b.where[features];
  if (at_x.slot < 0 || at_k.slot < 0 || at_y.slot < 0)
    throw std::logic_error("tessera: an array of a convolution has no memory.");
  convolution_work w;
  w.kind = c.kind;
  w.element = x.element;
  w.windows = g[c.windows].attrs.as<ops::window_dims>();
  w.rank = w.windows.rank;
  auto const spatial = w.windows.at[ops::window_dims::dim][0];
  int const channel = spatial == 1 ? x.rank - 1 : 1, feature = c.last ? y.rank - 1 : 2, place = c.last ? 2 : 3;
  w.n = x.extent(0);
  w.groups = y.extent(1);
  w.features = y.extent(feature);
  w.channels = x.extent(channel) / w.groups;
  auto const size = bytes_of(w.element);
  auto const in = [](location const& l, std::int64_t d) { return l.at.dim_stride[d]; };
  w.images = {at_x.slot, at_x.at.offset + at_x.bytes / size, in(at_x, 0), w.channels * in(at_x, channel),
              in(at_x, channel)};
  w.output = {at_y.slot, at_y.at.offset + at_y.bytes / size, in(at_y, 0), in(at_y, 1), in(at_y, feature)};
  if (w.features == 1) w.output.channel = w.output.group;
  int const first = k.rank - 3;  // (group, feature, window), or these of each image
  w.kernel = {at_k.slot, at_k.at.offset + at_k.bytes / size, 0, in(at_k, first), in(at_k, first + 1)};
  w.kernel.along[0] = in(at_k, first + 2);
  for (int i = 0; i < w.rank; ++i) {
    w.extent[i] = x.extent(static_cast<int>(spatial) + i);
    w.places[i] = y.extent(place + i);
    w.size[i] = w.windows.at[ops::window_dims::size][i];
    w.window *= w.size[i];
    w.place_count *= w.places[i];
    w.images.along[i] = in(at_x, spatial + i);
    w.output.along[i] = in(at_y, place + i);
  }
  mesh_value const& mesh = *g.mesh;
  axis_set const held = x.varying | k.varying | y.varying;
  for (int m = 0; m < mesh.rank; ++m)
    if (held.contains(m))
      w.blocks.push_back({mesh.held(m), at_x.at.axis_stride[m], at_k.at.axis_stride[m], at_y.at.axis_stride[m]});
  w.block_count = extents_product(w.blocks);
  return w;
}

}  // namespace tessera::detail
