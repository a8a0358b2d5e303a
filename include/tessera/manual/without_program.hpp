// SPDX-License-Identifier: Apache-2.0
#pragma once
// Calls of shard_map that stand in no program: what their arguments hold, and results that are constants.

#include <tessera/graph/in_flight.hpp>
#include <tessera/trace/record.hpp>

namespace tessera::detail {

// Does X hold what is neither of a program nor a constant: arrays, host data?
template <class X>
constexpr auto leaf_is_data(X const& x);
template <class X>
constexpr auto any_leaf_is_data(X const& tree) {
  return std::apply(
      [](auto const&... part) { return std::bool_constant<(decltype(leaf_is_data(part))::value || ...)>{}; },
      parts_of(tree));
}
template <class X>
constexpr auto leaf_is_data(X const& x) {
  if constexpr (is_unplaced<X>)
    return std::false_type{};
  else if constexpr (Operand<X>)
    return std::bool_constant<(operand_traits<X>::kind >= operand_kind::array)>{};
  else if constexpr (Tree<X>)
    return any_leaf_is_data(x);
  else
    return std::bool_constant<!std::is_empty_v<X>>{};
}
template <class X>
inline constexpr bool contains_data = decltype(leaf_is_data(std::declval<X const&>()))::value;

// A result of a region that stands in no program yet.
struct leave_as_constant {
  builder* graph;
  template <class X>
  constexpr auto operator()(X const& x) const {
    if constexpr (is_traced<X>)
      return grow_constant<typename X::type>(*graph, x.node);
    else
      return poisoned<typename X::error>{graph->refused};
  }
};

}  // namespace tessera::detail
