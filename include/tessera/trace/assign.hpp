// SPDX-License-Identifier: Apache-2.0
#pragma once
// x = y in traced code: the variable gets the node of y, or the program is refused.

#include <tessera/base/arrays_otherwise.hpp>
#include <tessera/trace/operand.hpp>
#include <tessera/trace/poison.hpp>
#include <tessera/trace/unplaced.hpp>

namespace tessera {
namespace ops {

struct assign;  // names a refusal of x = y

}  // namespace ops

namespace detail {

template <class X>
inline constexpr bool is_stored_array = operand_traits<X>::kind == operand_kind::array;

struct assigned_type_differs {
  static constexpr verdict what = refuse(reason::assignment_changes_type);
};
template <ArrayType A, ArrayType B>
using assignment_error =
    error::of<ops::assign, typename B::mesh, assigned_type_differs, void, boost::mp11::mp_list<A, B>>;

// Refuses the assignment of value `given` of a program to a variable with the facts `has`.
constexpr void refuse_assignment(builder& b, array_value const& has, int given) {
  node const& n = b.at(given);
  b.refuse(refusal{assigned_type_differs::what, n.op, n.at, has, n.facts, 2});
}

// Returns the node for variable `has` of traced code after x = y: y's node, or, after a refusal, the old one.
template <class Y>
constexpr int assigned_node(builder& b, int has, Y const& y) {
  if (has < 0) return has;
  if constexpr (is_stored_array<Y>) {
    b.refuse(refusal{refuse(reason::captured_array), b.at(has).op, b.here, {}, {}, 0});
  } else {
    term const given = operand_traits<Y>::enter(b, y);
    if (given) {
      if (b.facts(has) == given.facts()) return given.id;
      refuse_assignment(b, b.facts(has), given.id);
    }
  }
  return has;
}

// x = y if Y is not X's own type. Outside of traced code it is refused here. (The result type is deduced; otherwise
// clang does not report the user's line.)
template <class X, class Y>
constexpr auto assign(X& x, Y const& y) {
  if constexpr (!Operand<Y>) {
    error::not_an_array<ops::assign, error::given<Y>>::explain();
  } else if constexpr (is_poisoned<X> || is_poisoned<Y>) {
    return;
  } else if constexpr (std::is_same_v<X, Y>) {
    x = y;
  } else if constexpr (is_traced<X>) {
    if (builder* const b = builder_of(x, y)) x.node = assigned_node(*b, x.node, y);
  } else if constexpr (is_traced<Y>) {
    if (y.graph && y.node >= 0) refuse_assignment(*y.graph, X::type::value, y.node);
  } else if constexpr (is_stored_array<X> && is_stored_array<Y>) {
    assignment_error<typename X::type, typename Y::type>::explain();
  } else {
    written::constant_as_variable<X, Y>::explain();
  }
}

}  // namespace detail
}  // namespace tessera
