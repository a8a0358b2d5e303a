// SPDX-License-Identifier: Apache-2.0
#pragma once
// Convolutions in a local graph. An operation conv is windows of its images and a product (op/window/conv.hpp); its
// gradients are a product whose result is added at the places of windows, and a product with windows that is summed over
// the images. Each of the three is one step where no other node reads what is between: windows are then never in memory.
//   result     dot(kernel, windows(images))                        reads kernel, images
//   by_images  add_windows(dot(kernel, features))                  reads kernel, features
//   by_kernel  sum over images of dot(features, windows(images))   reads features, images
// Operands as ops::conv makes them: kernel (n, group, m, window), the same for all images n; windows (n, group, window,
// places...); images (n, channels, spatial...), features (n, group, m, places...). With the channels of images last, the
// operands of each product are exchanged, and features are (n, group, places..., m).

#include <tessera/graph/graph.hpp>
#include <tessera/op/window/window_dims.hpp>
#include <tessera/plan/base/strides.hpp>

namespace tessera::detail {

#if defined(TESSERA_ACCELERATOR)
inline constexpr bool convolutions_are_steps = false;  // windows and products there
#else
inline constexpr bool convolutions_are_steps = true;
#endif

enum class convolution_kind : std::uint8_t { none, result, by_images, by_kernel };

struct convolution {
  convolution_kind kind{};
  bool last = false;                            // the features are the last dimension
  int windows = -1;                             // the node that cuts windows, or adds them
  int product = -1;                             // the dot
  int first = -1, second = -1;                  // the two nodes that the step reads
  int kernel = -1, features = -1, images = -1;  // -1: the step's own result

  constexpr explicit operator bool() const { return kind != convolution_kind::none; }
};

class convolution_reader {
public:
  constexpr explicit convolution_reader(graph_view local) : g_(local) {}

  // The convolution whose result is node `id`.
  constexpr convolution at(int id) const {
    node const& n = g_[id];
    if (n.facts.element != dtype::float32 && n.facts.element != dtype::float64) return {};
    if (n.op->kind == op_class::dot) return of_result(id);
    if (n.op->kind == op_class::reduce) return by_kernel(id);
    return n.op->kind == op_class::opaque && n.op->adds_windows ? by_images(id) : convolution{};
  }
  // The node that x is a reshape of.
  constexpr int reshaped(int x) const {
    while (g_[x].op->kind == op_class::reshape) x = g_.operand(x, 0);
    return x;
  }

private:
  constexpr convolution of_result(int id) const {
    bool const last = g_[reshaped(g_.operand(id, 0))].op->cuts_windows;
    int const kernel = g_.operand(id, last), shown = g_.operand(id, !last), cut = reshaped(shown);
    if (!is_cut(cut, shown) || !is_shared(kernel) || !multiplies(id, 1, last ? 2 : 3, last ? 3 : 2)) return {};
    int const images = g_.operand(cut, 0);
    return {convolution_kind::result, last, cut, id, kernel, images, kernel, -1, images};
  }
  constexpr convolution by_images(int id) const {
    int const shown = reshaped(g_.operand(id, 0));
    bool const last = g_[shown].op->kind == op_class::permute;
    int const product = last ? g_.operand(shown, 0) : shown;
    if (g_[product].op->kind != op_class::dot) return {};
    int const rank = g_[product].facts.rank - 3;
    if (rank < 1 || rank > 3 || !fits(id, id, shown) || (last && !is_rotated(shown, rank))) return {};
    int const kernel = g_.operand(product, last), features = g_.operand(product, !last);
    if (!is_shared(kernel) || !multiplies(product, 1, last ? 2 + rank : 2, 2)) return {};
    return {convolution_kind::by_images, last, id, product, kernel, features, kernel, features, -1};
  }
  constexpr convolution by_kernel(int id) const {
    auto const& sum = g_[id].attrs.as<reduce_params>();
    if (g_[id].op->reduction != monoid::sum || sum.dims.size() != 1 || sum.dims[0] != 0 || sum.keep) return {};
    int product = g_.operand(id, 0);
    bool const last = g_[product].op->kind == op_class::permute;
    if (last) {
      auto const& order = g_[product].attrs.as<permute_params>().order;
      if (order.size() != 4 || order[0] != 0 || order[1] != 1 || order[2] != 3) return {};
      product = g_.operand(product, 0);
    }
    if (g_[product].op->kind != op_class::dot) return {};
    int const features = g_.operand(product, last), shown = g_.operand(product, !last), cut = reshaped(shown);
    if (!is_cut(cut, shown)) return {};
    int const places = g_[cut].attrs.as<ops::window_dims>().rank;
    if (g_[features].facts.rank != 3 + places || !multiplies(product, places, 3, last ? 2 : 3)) return {};
    int const images = g_.operand(cut, 0);
    return {convolution_kind::by_kernel, last, cut, product, features, images, -1, features, images};
  }

  // Whether the product has the batches (n, group) and contracts `count` dimensions, from `left` and `right` on.
  constexpr bool multiplies(int product, int count, int left, int right) const {
    auto const& by = g_[product].attrs.as<dot_params>();
    bool fits = by.lhs_contracting.size() == count && by.rhs_contracting.size() == count && by.lhs_batch.size() == 2 &&
                by.rhs_batch.size() == 2;
    for (int i = 0; fits && i < count; ++i)
      fits = by.lhs_contracting[i] == left + i && by.rhs_contracting[i] == right + i;
    for (int i = 0; fits && i < 2; ++i) fits = by.lhs_batch[i] == i && by.rhs_batch[i] == i;
    return fits;
  }
  // Whether all images have the same kernel: (n, group, m, window) of (group, m, window).
  constexpr bool is_shared(int kernel) const {
    if (g_[kernel].op->kind != op_class::broadcast || g_[kernel].facts.rank != 4) return false;
    auto const& dims = g_[kernel].attrs.as<broadcast_params>().dims;
    for (int i = 0; i < dims.size(); ++i)
      if (dims[i] != i + 1) return false;
    return dims.size() == 3 && g_[g_.operand(kernel, 0)].facts.extent(1) == g_[kernel].facts.extent(2);
  }
  // Whether it is (n, group, window, places...) of (n, group, places..., window).
  constexpr bool is_rotated(int id, int places) const {
    auto const& order = g_[id].attrs.as<permute_params>().order;
    bool rotated = order.size() == 3 + places && order[0] == 0 && order[1] == 1 && order[2] == 2 + places;
    for (int i = 0; rotated && i < places; ++i) rotated = order[3 + i] == 2 + i;
    return rotated;
  }
  // Whether `cut` cuts windows, which `shown` shows as (n, group, window, places...).
  constexpr bool is_cut(int cut, int shown) const {
    return g_[cut].op->cuts_windows && g_[cut].op->kind == op_class::opaque && fits(cut, g_.operand(cut, 0), shown);
  }
  // Whether windows move along the spatial dimensions of images, and are shown as (n, group, window, places...).
  constexpr bool fits(int windows, int images, int shown) const {
    auto const& w = g_[windows].attrs.as<ops::window_dims>();
    array_value const &from = g_[images].facts, &to = g_[shown].facts;
    if (!w.before || w.fill != 0 || from.rank != w.rank + 2 || to.rank != w.rank + 3) return false;
    auto const first = w.at[ops::window_dims::dim][0];
    if (first != 1 && first != 2) return false;
    std::int64_t elements = from.extent(first == 1 ? from.rank - 1 : 1);
    for (int i = 0; i < w.rank; ++i) {
      if (w.at[ops::window_dims::dim][i] != first + i || w.places(i) != to.extent(3 + i) || w.places(i) == dynamic)
        return false;
      elements *= w.at[ops::window_dims::size][i];
    }
    return from.size() != dynamic && from.size() > 0 && to.size() > 0 && from.extent(0) == to.extent(0) &&
           to.extent(1) * to.extent(2) == elements;
  }

  graph_view g_;
};

// The node whose multiplications a step does: a product, or that of a convolution; -1 for other steps.
constexpr int product_of(graph_view local, step const& s) {
  if (s.kind == step_kind::convolution) return convolution_reader(local).at(s.node).product;
  return s.kind == step_kind::dot ? s.node : -1;
}

// The convolutions of a local graph, and the products and windows that their steps compute since nothing else reads them.
struct convolution_list {
  growable<convolution> all;
  growable<int> results, absorbed;

  constexpr void find(graph_view local) {
    bool any = false;
    for (int id = 0; id < local.node_count; ++id) any = any || local[id].op->cuts_windows || local[id].op->adds_windows;
    if (!any) return;
    convolution_reader const reader(local);
    growable<int> readers, uses;  // uses: of windows that are cut, by others than convolutions
    readers.resize(local.node_count);
    uses.resize(local.node_count);
    for (int i = 0; i < local.output_count; ++i) {
      ++readers[local.outputs[i]];
      ++uses[reader.reshaped(local.outputs[i])];
    }
    for (int id = 0; id < local.node_count; ++id) {
      bool const shows = local[id].op->kind == op_class::reshape;
      for (int k = 0; k < local[id].operand_count; ++k) {
        ++readers[local.operand(id, k)];
        if (!shows) ++uses[reader.reshaped(local.operand(id, k))];
      }
    }
    for (int id = 0; id < local.node_count; ++id) {
      convolution const found = reader.at(id);
      bool read_once = found.product == id;
      if (found && !read_once) {
        read_once = readers[found.product] == 1;
        for (int x = local.operand(id, 0); x != found.product; x = local.operand(x, 0))
          read_once = read_once && readers[x] == 1;
      }
      if (!found || !read_once) continue;
      all.push_back(found);
      results.push_back(id);
      if (found.product != id) absorbed.push_back(found.product);
      if (found.windows != id && --uses[found.windows] == 0) absorbed.push_back(found.windows);
    }
  }
};

}  // namespace tessera::detail
