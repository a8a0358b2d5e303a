// SPDX-License-Identifier: Apache-2.0
#pragma once
// transpose: x -> its dimensions in the order attrs.first, entries along with them. Moves 0 bytes.
//   transpose(x) reverses, transpose<1, 0, 2>(x), swapaxes<0, -1>(x), moveaxis<0, 2>(x),
//   moveaxis<dims<0, 1>, dims<2, 0>>(x)
// Source: JAX 0.10.2 jnp.transpose, jnp.swapaxes, jnp.moveaxis.

#include <tessera/graph/backward.hpp>
#include <tessera/op/base/door.hpp>
#include <tessera/rule/movement.hpp>

namespace tessera {
namespace ops {

struct permute {
  static constexpr std::string_view name = "transpose";
  static constexpr op_class kind = op_class::permute;
  static constexpr verdict rule(rule_input const& in) { return rule::permute(in); }

  enum class order : std::int64_t { given, swap, move };

  // attrs.first: the order, reversed when empty; or attrs.integer says what to do with the dimensions attrs.second:
  // to swap the two, or to move them to attrs.third. Negative dimensions count from the end.
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    array_value const operand = x[0].facts();
    int const rank = operand.rank;
    attributes to;
    if (attrs.integer == static_cast<std::int64_t>(order::given)) {
      to.first = attrs.first;
      for (int i = 0; i < to.first.size(); ++i)
        if (to.first[i] < 0) to.first[i] += rank;
      if (attrs.first.empty())
        for (int d = rank - 1; d >= 0; --d) to.first.push_back(d);
      return b.template emit<permute>({x[0]}, to);
    }
    auto const at = [rank](std::int64_t d) { return static_cast<int>(d < 0 ? d + rank : d); };
    bool const swapped = attrs.integer == static_cast<std::int64_t>(order::swap);
    axis_set moved;
    for (auto const* list : {&attrs.second, &attrs.third}) {
      axis_set seen;
      for (auto dim : *list) {
        int const d = at(dim);
        if (d < 0 || d >= rank || (!swapped && seen.contains(d)))
          return b.template refuse<permute>(refuse(reason::dim_out_of_range, -1, {}, dim, rank), operand);
        seen |= axis_set::of(d);
      }
      if (list == &attrs.second) moved = seen;
    }
    if (swapped) {
      int const one = at(attrs.second[0]), other = at(attrs.second[1]);
      for (int d = 0; d < rank; ++d) to.first.push_back(d == one ? other : d == other ? one : d);
    } else {
      int next = 0;  // of those that stay, in their order
      for (int d = 0; d < rank; ++d) {
        int from = -1;
        for (int k = 0; k < attrs.second.size(); ++k)
          if (at(attrs.third[k]) == d) from = at(attrs.second[k]);
        while (from < 0 && moved.contains(next)) ++next;
        to.first.push_back(from < 0 ? next++ : from);
      }
    }
    return b.template emit<permute>({x[0]}, to);
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    attributes const forward = back.attrs();
    attributes inverse;
    for (int d = 0; d < forward.first.size(); ++d) inverse.first.push_back(forward.first.find(d));
    back.give(0, back.template make<permute>({back.cotangent()}, inverse));
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
  static constexpr attributes on() {
    attributes attrs;
    attrs.first = {Dims...};
    return attrs;
  }
};
template <int A, int B>
struct dims_swapped {
  template <Mesh M>
  static constexpr attributes on() {
    attributes attrs;
    attrs.second = {A, B};
    attrs.integer = static_cast<std::int64_t>(ops::permute::order::swap);
    return attrs;
  }
};

template <class From, class To>
struct dims_moved {
  static_assert(From::list.size() == To::list.size(), "tessera: moveaxis needs as many targets as dimensions.");
  template <Mesh M>
  static constexpr attributes on() {
    attributes attrs;
    attrs.second = From::list;
    attrs.third = To::list;
    attrs.integer = static_cast<std::int64_t>(ops::permute::order::move);
    return attrs;
  }
};

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

}  // namespace tessera
