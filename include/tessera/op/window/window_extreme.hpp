// SPDX-License-Identifier: Apache-2.0
#pragma once
// The largest and the smallest element of each window, as primitive reductions: their gradient goes to one place.

#include <tessera/op/create/iota.hpp>
#include <tessera/op/reduce/reduce.hpp>

namespace tessera {
namespace ops {

// The extreme of each window, over the last dimensions. Its gradient goes to the first element that equals it, as in
// JAX.
template <class Op, monoid Monoid>
struct window_extreme : primitive_reduction<Op, Monoid> {
  template <class B>
  static constexpr void transpose(B& back, int) {
    array_value const x = back.operand(0).facts();
    extents_list const dims = back.attrs().template as<reduce_params>().dims;
    reduce_params const over{dims};
    term place{&back.graph(), -1};  // in row-major order of the window
    double step = 1;
    for (int d = x.rank - 1; d >= x.rank - dims.size(); --d) {
      attributes const along{iota_params{dtype::int32, d, x.shape()}, layout_of(x)};
      auto const scaled = make<multiply>(back, {make<iota>(back, {}, along), number(back.graph(), step, dtype::int32)});
      place = place ? place + scaled : scaled;
      step *= static_cast<double>(x.extent(d));
    }
    auto const none = number(back.graph(), step, dtype::int32), zero = number(back.graph(), 0.0, x.element);
    auto const equals = make<equal>(back, {back.operand(0), spread_back(back, back.result(), x, dims)});
    auto const found = make<where>(back, {equals, place, none});
    auto const first = spread_back(back, make<reduce_min>(back, {found}, over), x, dims);
    auto const chosen = make<logical_and>(back, {equals, make<equal>(back, {place, first})});
    back.give(0, make<where>(back, {chosen, spread_back(back, back.cotangent(), x, dims), zero}));
  }
};
struct window_max : window_extreme<window_max, monoid::max> {
  static constexpr std::string_view name = "window_max";
};
struct window_min : window_extreme<window_min, monoid::min> {
  static constexpr std::string_view name = "window_min";
};

}  // namespace ops
}  // namespace tessera
