// SPDX-License-Identifier: Apache-2.0
#pragma once
// What decides whether a loop goes on, or which branch runs.

#include <tessera/control/carried.hpp>
#include <tessera/op/elementwise/compare.hpp>
#include <tessera/trace/refused_call.hpp>

namespace tessera::detail {

// x as the choice between two branches: a number is true unless it is 0.
template <class X>
constexpr auto truth_of(X const& x, site at) {
  if constexpr (std::is_arithmetic_v<X>) {
    return x != X{};
  } else if constexpr (is_poisoned<X> || !Operand<X>) {
    return x;
  } else {
    constexpr dtype element = type_of_leaf<X>::value.element;
    if constexpr (is_integer(element) || is_floating(element))
      return not_equal(x, 0, at);
    else
      return x;
  }
}

// A bool scalar decides; between branches an integer, too.
constexpr verdict judge_choice(array_value const& facts, bool integers) {
  if (facts.rank != 0) return refuse(reason::ranks_disagree, -1, {}, facts.rank, 0);
  if (facts.element == dtype::boolean || (integers && is_integer(facts.element))) return {};
  return refuse(reason::element_unsupported);
}
template <ArrayType A, bool Integers>
struct no_choice {
  static constexpr verdict what = judge_choice(A::value, Integers);
};
// x, or the refusal of Op if x decides nothing.
template <class Op, Mesh M, bool Integers, class X>
constexpr auto as_choice(builder& b, site at, X const& x) {
  if constexpr (is_poisoned<X>) {
    return x;
  } else if constexpr (!Operand<X>) {
    return poisoned_in<error::not_an_array<Op, error::given<X>>>(&b, reason::not_an_array, at);
  } else {
    using type = type_of_leaf<X>;
    using why = no_choice<type, Integers>;
    if constexpr (!why::what)
      return refuse_leaf<Op, M, why, type>(&b, at);
    else
      return x;
  }
}

}  // namespace tessera::detail
