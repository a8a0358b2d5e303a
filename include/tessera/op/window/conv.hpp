// SPDX-License-Identifier: Apache-2.0
#pragma once
// A convolution as an operation: windows of x, as many as the kernel has places, and a product with it.

#include <tessera/op/base/relayout.hpp>
#include <tessera/op/product/dot_general.hpp>
#include <tessera/op/shape/broadcast_to.hpp>
#include <tessera/op/shape/pad.hpp>
#include <tessera/op/shape/permute.hpp>
#include <tessera/op/shape/reshape.hpp>
#include <tessera/op/window/window_dims.hpp>
#include <tessera/op/window/window_options.hpp>
#include <tessera/op/window/windows.hpp>

namespace tessera {
namespace ops {

// For up to three spatial dimensions.
struct conv_params {
  extents_list strides{1, 1, 1}, dilations{1, 1, 1}, lhs_dilations{1, 1, 1}, pads{};
  window_padding padding = window_padding::valid;
  std::int64_t groups = 1;
  bool nhwc = false;
  static constexpr void fields(auto& p, auto&& each) {
    each(p.strides, p.dilations, p.lhs_dilations, p.pads, p.padding, p.groups, p.nhwc);
  }
};
struct conv {
  static constexpr std::string_view name = "conv";
  static constexpr op_class kind = op_class::dot;

  template <class B>
  static constexpr term build(B& b, term const* operands, int, attributes const& attrs) {
    array_value const given_x = operands[0].facts(), given_k = operands[1].facts();
    int const spatial = given_x.rank - 2;
    auto const asked = attrs.as<conv_params>();
    bool const last = asked.nhwc;
    auto const groups = asked.groups;
    if (spatial < 1 || spatial > 3 || given_k.rank != given_x.rank)
      return b.template refuse<conv>(refuse(reason::ranks_disagree, -1, {}, given_x.rank, given_k.rank), given_x,
                                     given_k);
    for (array_value const* facts : {&given_x, &given_k})
      if (!facts->unreduced.empty())
        return b.template refuse<conv>(refuse(reason::unreduced_operand, -1, facts->unreduced), given_x, given_k);
    if (given_x.element != given_k.element)
      return b.template refuse<conv>(refuse(reason::elements_disagree), given_x, given_k);
    if (dtype const own = given_x.element; is_float8(own)) {
      term const wide[]{make<cast>(b, {operands[0]}, cast_params{dtype::float32}),
                        make<cast>(b, {operands[1]}, cast_params{dtype::float32})};
      term const made = build(b, wide, 2, attrs);
      return made ? make<cast>(b, {made}, cast_params{own}) : made;
    }
    int const channel = last ? given_x.rank - 1 : 1, first = last ? 1 : 2;  // of x; the first spatial dimension
    axis_set const asks = given_k.sharded_axes() | given_x.entry(channel).axes();
    if (!asks.empty() && !attrs.has_out)
      return b.template refuse<conv>(refuse(reason::needs_out_sharding, channel, asks), given_x, given_k);
    term x = operands[0];
    term k = last ? permuted(b, operands[1], kernel_first(spatial)) : operands[1];
    if (!x || !k) return {&b, -1};
    x = spread_out(b, x, first, spatial, asked.lhs_dilations);
    if (!x) return x;
    array_value const in = x.facts(), kernel = k.facts();
    if (groups < 1 || (in.extent(channel) != dynamic && kernel.extent(1) != dynamic &&
                       (in.extent(channel) != groups * kernel.extent(1) || kernel.extent(0) % groups != 0)))
      return b.template refuse<conv>(
          refuse(reason::shapes_disagree, 1, {}, in.extent(channel), groups * kernel.extent(1)), given_x, given_k);
    window_dims w;
    w.rank = spatial;
    w.before = true;
    for (int i = 0; i < spatial; ++i) {
      w.at[window_dims::size][i] = kernel.extent(2 + i);
      w.at[window_dims::stride][i] = asked.strides[i];
      w.at[window_dims::dilation][i] = asked.dilations[i];
      w.at[window_dims::dim][i] = first + i;
      w.at[window_dims::extent][i] = in.extent(first + i);
    }
    pad_window(w, asked.padding, asked.pads);

    array_value out = in;  // (n, o, places...): the layouts of the batch and of spatial dimensions
    out.extent(1) = kernel.extent(0);
    out.entry(1) = {};
    for (int i = 0; i < spatial; ++i) {
      out.extent(2 + i) = w.places(i);
      out.entry(2 + i) = in.entry(first + i);
    }
    if (attrs.has_out) {
      spec_value spec = attrs.out;
      if (last) {  // given in the result's order
        extents_list const order = features_first(spatial);
        for (int d = 0; d < out.rank; ++d) spec.entries[d] = attrs.out[static_cast<int>(order[d])];
        spec.rank = out.rank;
      }
      verdict const lawful = rule::with_spec(out, spec, b.mesh());
      if (!lawful) return b.template refuse<conv>(lawful, given_x, given_k);
      out = lawful.result;
    } else if (verdict const even = rule::divides(out, b.mesh()); !even) {
      return b.template refuse<conv>(even, given_x, given_k);
    }
    bool const ends = last && groups == 1;  // the product has its features last
    auto const result = product(b, x, k, w, out, groups, ends);
    return last && !ends && result ? permuted(b, result, features_last(spatial)) : result;
  }

private:
  static constexpr extents_list features_first(int spatial) {
    extents_list order{0, 1 + spatial};
    for (int i = 0; i < spatial; ++i) order.push_back(1 + i);
    return order;
  }
  static constexpr extents_list features_last(int spatial) {
    extents_list order{0};
    for (int i = 0; i < spatial; ++i) order.push_back(2 + i);
    order.push_back(1);
    return order;
  }
  static constexpr extents_list kernel_first(int spatial) {
    extents_list order{spatial + 1, spatial};
    for (int i = 0; i < spatial; ++i) order.push_back(i);
    return order;
  }
  template <class B>
  static constexpr term permuted(B& b, term x, extents_list const& order) {
    return make<permute>(b, {x}, permute_params{order});
  }
  // Zeros between the elements.
  template <class B>
  static constexpr term spread_out(B& b, term x, int first, int spatial, extents_list const& dilations) {
    pad_params between;
    bool any = false;
    for (int d = 0; d < spatial + 2; ++d) {
      bool const moves = d >= first && d < first + spatial;
      between.low.push_back(0);
      between.high.push_back(0);
      between.interior.push_back(moves ? dilations[d - first] - 1 : 0);
      any = any || between.interior[d] != 0;
    }
    return any ? make<pad>(b, {x, number(b, 0.0, x.facts().element)}, between) : x;
  }
  template <class B>
  static constexpr term shaped(B& b, term x, array_value as) {
    return make<reshape>(b, {x}, {reshape_params{as.shape()}, layout_of(as)});
  }
  static constexpr std::int64_t times(std::int64_t a, std::int64_t b) {
    return a == dynamic || b == dynamic ? dynamic : a * b;
  }
  static constexpr std::int64_t plus(std::int64_t a, std::int64_t b) {
    return a == dynamic || b == dynamic ? dynamic : a + b;
  }

  // The axes that split the input features of both operands of the product, which then leaves partial sums: axes that
  // both have, or for which adding up sends less than gathering one operand.
  static constexpr entry_value contracted(array_value const& x, int channel, array_value const& kernel,
                                          array_value const& out) {
    entry_value const l = x.entry(channel), r = kernel.entry(1);
    entry_value const own = l.empty() ? r : l;
    axis_set const axes = own.axes();
    if (own.empty() || !((l.empty() || r.empty()) || l == r) || !(out.entry(0).axes() & axes).empty()) return {};
    bool const stays = l == r && (out.sharded_axes() & axes).empty();  // otherwise every device would compute all of it
    auto const sent = times((out.sharded_axes() & axes).empty() ? 2 : 1, out.size());
    auto const together = plus(l.empty() ? 0 : x.size(), r.empty() ? 0 : kernel.size());
    if (!stays && (sent == dynamic || together == dynamic || sent > together)) return {};
    return own;
  }

  // Batches (n, group); (o of a group, elements of a window) times (elements of a window, places of each dimension).
  // `last`: the second times the first, for one group; the result has its features last.
  template <class B>
  static constexpr term product(B& b, term x, term k, window_dims const& w, array_value out, std::int64_t groups,
                                bool last) {
    array_value whole = x.facts();
    array_value const kernel = k.facts();
    int const first = static_cast<int>(w.at[window_dims::dim][0]), channel = first == 1 ? whole.rank - 1 : 1;
    entry_value const batch = out.entry(0), features = out.entry(1);
    entry_value const channels = groups == 1 ? contracted(whole, channel, kernel, out) : entry_value{};
    whole.entry(0) = batch;
    whole.entry(channel) = channels;
    for (int i = 0; i < w.rank; ++i) {
      entry_value& own = whole.entry(first + i);
      bool const stays = own == out.entry(2 + i) && (own.axes() & channels.axes()).empty();
      if (!stays || !halo_of(w, i, own, b.mesh()).possible) own = {};
    }
    auto const patches = make<window_patches>(b, {tessera::detail::laid_out_as(b, x, whole)}, w.filled_with(0));
    if (!patches) return patches;
    std::int64_t window = kernel.extent(1);
    for (int i = 0; i < w.rank; ++i) window = times(window, kernel.extent(2 + i));
    array_value columns, rows, wide, sums;
    columns.element = rows.element = wide.element = sums.element = kernel.element;
    columns.add_dim(out.extent(0), batch);
    columns.add_dim(groups);
    columns.add_dim(window, channels);
    for (int i = 0; i < w.rank; ++i) columns.add_dim(w.places(i), whole.entry(first + i));
    // The kernel's output features are split as the result requires, if groups allow it.
    bool const split = groups == 1 && w.rank > 0;
    array_value own = kernel;
    for (int d = 0; d < own.rank; ++d) own.entry(d) = {};
    bool const apart = split && (features.axes() & channels.axes()).empty();
    if (apart) own.entry(0) = features;
    own.entry(1) = channels;
    k = tessera::detail::laid_out_as(b, k, own);
    rows.add_dim(groups);
    rows.add_dim(kernel.extent(0) == dynamic ? dynamic : kernel.extent(0) / groups, apart ? features : entry_value{});
    rows.add_dim(window, channels);
    wide.add_dim(out.extent(0), batch);
    for (int d = 0; d < 3; ++d) wide.add_dim(rows.extent(d), rows.entry(d));
    attributes const repeated{broadcast_params{{1, 2, 3}, wide.shape()}, layout_of(wide)};
    auto const all = make<broadcast_to>(b, {shaped(b, k, rows)}, repeated);
    attributes dot = last ? dot_params{{2}, {3}, {0, 1}, {0, 1}} : dot_params{{3}, {2}, {0, 1}, {0, 1}};
    entry_value const own_features = split ? features : entry_value{};
    if (!channels.empty()) {
      for (int d = 0; d < 2; ++d) sums.add_dim(wide.extent(d), wide.entry(d));
      if (!last) sums.add_dim(wide.extent(2), own_features);
      for (int i = 0; i < w.rank; ++i) sums.add_dim(w.places(i), whole.entry(first + i));
      if (last) sums.add_dim(wide.extent(2), own_features);
      dot.has_out = true;
      dot.out = layout_of(sums);
    }
    term const windows = shaped(b, patches, columns);
    auto const product = last ? make<dot_general>(b, {windows, all}, dot) : make<dot_general>(b, {all, windows}, dot);
    if (!product) return product;
    array_value made = out, wanted = out;
    extents_list const order = last ? features_last(w.rank) : extents_list{};
    for (int i = 0; i < out.rank; ++i) {
      int const d = last ? static_cast<int>(order[i]) : i;
      made.extent(i) = wanted.extent(i) = out.extent(d);
      made.entry(i) = d == 0 ? batch : d == 1 ? own_features : whole.entry(first + d - 2);
      wanted.entry(i) = out.entry(d);
    }
    return tessera::detail::laid_out_as(b, shaped(b, product, made), wanted);
  }
};

}  // namespace ops
}  // namespace tessera
