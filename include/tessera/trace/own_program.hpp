// SPDX-License-Identifier: Apache-2.0
#pragma once
// A call on constants only belongs to no program: it is recorded in a program of its own, and its results are
// constants.

#include <tessera/trace/apply.hpp>
#include <tessera/trace/error_in.hpp>
#include <tessera/trace/record.hpp>
#include <tessera/trace/unplaced.hpp>

namespace tessera::detail {

// Turns values of a program of their own into constants.
struct leave_alone {
  builder* graph;
  template <class X>
  constexpr auto operator()(X const& x) const {
    if constexpr (is_poisoned<X>)
      return graph->refused.what ? x : X{graph->refused};
    else if constexpr (!is_traced<X>)
      return x;
    else
      return grow_constant<typename operand_traits<X>::type>(*graph, x.node);
  }
};

// The results of run(builder&), as constants. The caller must report a refusal: no program would do so later.
template <Mesh M, class Run>
constexpr auto in_own_program(Run const& run) {
  builder own;
  own.recorded.mesh = M::value;
  auto const results = run(own);
  forget_rules(own);
  judge_pairs(own);
  return tree_map(leave_alone{&own}, results);
}

// The error among results T: explain() reports it, or does nothing if there is none.
template <class T>
using refusal_among = error_or_silence<error_in<std::remove_cvref_t<T>>>;

// Whether a call has arguments of this kind, and none of a program.
template <operand_kind Kind, class... X>
inline constexpr bool alone_with =
    !any_traced<X...> && std::is_void_v<error_in<X...>> && !(contains_array<X>() || ...) && (contains<Kind, X> || ...);

// Turns a constant, and with Numbers also a number, into a value of program `graph`.
template <bool Numbers>
struct enter_constant {
  builder* graph;
  template <class X>
  constexpr auto operator()(X const& x) const {
    if constexpr (is_constant<X>)
      return traced<typename X::type>{graph, operand_traits<X>::enter(*graph, x).id};
    else if constexpr (Numbers && std::is_arithmetic_v<X>)
      return traced<typename operand_traits<X>::type>{graph, operand_traits<X>::enter(*graph, x).id};
    else
      return x;
  }
};

}  // namespace tessera::detail
