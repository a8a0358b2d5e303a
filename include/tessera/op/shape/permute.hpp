// SPDX-License-Identifier: Apache-2.0
#pragma once
// transpose: x -> its dimensions in another order, with their entries. Moves 0 bytes.
//   transpose(x) reverses, transpose<1, 0, 2>(x), swapaxes<0, -1>(x), moveaxis<0, 2>(x),
//   moveaxis<dims<0, 1>, dims<2, 0>>(x)
// Source: JAX 0.10.2 jnp.transpose, jnp.swapaxes, jnp.moveaxis.

#include <tessera/graph/backward.hpp>
#include <tessera/op/base/door.hpp>
#include <tessera/op/base/foundation.hpp>
#include <tessera/rule/movement.hpp>

namespace tessera {
namespace ops {

// Dimensions `source` move to where `target` says, the others stay in their order; or the two change places.
struct move_dims_params {
  extents_list source{}, target{};
  bool swap = false;
  static constexpr void fields(auto& p, auto&& each) { each(p.source, p.target, p.swap); }
};
struct permute {
  static constexpr std::string_view name = "transpose";
  static constexpr op_class kind = op_class::permute;
  static constexpr verdict rule(rule_input const& in) { return rule::permute(in); }

  // Dimensions by an order, reversed if empty, or by a swap or a move. Negative ones count from the end.
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    array_value const operand = x[0].facts();
    int const rank = operand.rank;
    permute_params to;
    if (attrs.kind() != params_kind::own) {
      to = attrs.as<permute_params>();
      for (int i = 0; i < to.order.size(); ++i)
        if (to.order[i] < 0) to.order[i] += rank;
      if (to.order.empty())
        for (int d = rank - 1; d >= 0; --d) to.order.push_back(d);
      return b.template emit<permute>({x[0]}, to);
    }
    auto const at = [rank](std::int64_t d) { return static_cast<int>(d < 0 ? d + rank : d); };
    auto const [source, target, swap] = attrs.as<move_dims_params>();
    axis_set moved;
    for (auto const* list : {&source, &target}) {
      axis_set seen;
      for (auto dim : *list) {
        int const d = at(dim);
        if (d < 0 || d >= rank || (!swap && seen.contains(d)))
          return b.template refuse<permute>(refuse(reason::dim_out_of_range, -1, {}, dim, rank), operand);
        seen |= axis_set::of(d);
      }
      if (list == &source) moved = seen;
    }
    if (swap) {
      int const one = at(source[0]), other = at(target[0]);
      for (int d = 0; d < rank; ++d) to.order.push_back(d == one ? other : d == other ? one : d);
    } else {
      int next = 0;  // of those that stay, in their order
      for (int d = 0; d < rank; ++d) {
        int from = -1;
        for (int k = 0; k < source.size(); ++k)
          if (at(target[k]) == d) from = at(source[k]);
        while (from < 0 && moved.contains(next)) ++next;
        to.order.push_back(from < 0 ? next++ : from);
      }
    }
    return b.template emit<permute>({x[0]}, to);
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    extents_list const order = back.attrs().template as<permute_params>().order;
    permute_params inverse;
    for (int d = 0; d < order.size(); ++d) inverse.order.push_back(order.find(d));
    back.give(0, make<permute>(back, {back.cotangent()}, inverse));
  }
};

}  // namespace ops

template <std::int64_t... D>
struct dims {
  static constexpr extents_list list{D...};
};

template <int... Dims>
struct dims_order {
  template <Mesh M>
  static constexpr permute_params on() {
    return {extents_list{Dims...}};
  }
};
template <int A, int B>
struct dims_swapped {
  template <Mesh M>
  static constexpr ops::move_dims_params on() {
    return {{A}, {B}, true};
  }
};

template <class From, class To>
struct dims_moved {
  static_assert(From::list.size() == To::list.size(), "tessera: moveaxis needs as many targets as dimensions.");
  template <Mesh M>
  static constexpr ops::move_dims_params on() {
    return {From::list, To::list};
  }
};

namespace functions {

template <int... Dims, class X>
constexpr auto transpose(X const& x, site at = std::source_location::current()) {
  return invoke<ops::permute, dims_order<Dims...>>(at, x);
}
template <int A, int B, class X>
constexpr auto swapaxes(X const& x, site at = std::source_location::current()) {
  return invoke<ops::permute, dims_swapped<A, B>>(at, x);
}
template <int From, int To, class X>
constexpr auto moveaxis(X const& x, site at = std::source_location::current()) {
  return invoke<ops::permute, dims_moved<dims<From>, dims<To>>>(at, x);
}
template <class From, class To, class X>
constexpr auto moveaxis(X const& x, site at = std::source_location::current()) {
  return invoke<ops::permute, dims_moved<From, To>>(at, x);
}

}  // namespace functions

}  // namespace tessera
