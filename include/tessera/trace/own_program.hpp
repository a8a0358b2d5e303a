// SPDX-License-Identifier: Apache-2.0
#pragma once
// A call on constants only belongs to no program: it is recorded in a program of its own, and its results are
// constants.

#include <tessera/trace/apply.hpp>
#include <tessera/trace/error_in.hpp>
#include <tessera/trace/record.hpp>
#include <tessera/trace/unplaced.hpp>

namespace tessera::detail {

// The error of a program of constants, which no later program reports. The call that made it does so, by
// said_here<results>::explain(), and returns as_said(results), of which nothing more is said.
template <class... Error>
struct unsaid {
  static consteval void explain() { (Error::explain(), ...); }
};
template <class Error>
struct as_unsaid {
  using type = unsaid<Error>;
  using error = void;
};
template <class... Error>
struct as_unsaid<unsaid<Error...>> {
  using type = unsaid<Error...>;
  using error = boost::mp11::mp_first<boost::mp11::mp_list<Error...>>;
};
template <class... Error>
struct as_unsaid<explained<Error...>> {
  using type = explained<Error...>;
  using error = void;
};
template <>
struct as_unsaid<void> {
  using error = void;
};
template <class Results>
using unsaid_in = typename as_unsaid<error_in<std::remove_cvref_t<Results>>>::error;
template <class Results>
using said_here = error_or_silence<unsaid_in<Results>>;

struct explained_error {
  template <class Error>
  using of = explained<Error>;
};
struct error_itself {
  template <class Error>
  using of = Error;
};
template <class As>
struct unsaid_leaf {
  template <class X>
  constexpr auto operator()(X const& x) const {
    if constexpr (std::is_void_v<unsaid_in<X>>)
      return x;
    else
      return poisoned<typename As::template of<unsaid_in<X>>>{x.why};
  }
};
template <class As, class Results>
constexpr auto with_errors_as(Results const& results) {
  if constexpr (std::is_void_v<unsaid_in<Results>>)
    return results;
  else
    return tree_map(unsaid_leaf<As>{}, results);
}
template <class Results>
constexpr auto as_said(Results const& results) {
  return with_errors_as<explained_error>(results);
}
// Where they become part of a program, which reports their error.
template <class Results>
constexpr auto as_reported_later(Results const& results) {
  return with_errors_as<error_itself>(results);
}

// Turns values of a program of their own into constants.
struct leave_alone {
  builder* graph;
  template <class X>
  constexpr auto operator()(X const& x) const {
    if constexpr (is_poisoned<X>)
      return poisoned<typename as_unsaid<error_in<X>>::type>{graph->refused.what ? x.why : graph->refused};
    else if constexpr (!is_traced<X>)
      return x;
    else
      return grow_constant<typename operand_traits<X>::type>(*graph, x.node);
  }
};

// The results of run(builder&), as constants; their errors are unsaid.
template <Mesh M, class Run>
constexpr auto in_own_program(Run const& run) {
  builder own;
  own.recorded.mesh = M::value;
  auto const results = run(own);
  forget_rules(own);
  judge_pairs(own);
  return tree_map(leave_alone{&own}, results);
}

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
    else if constexpr (Numbers && ElementNumber<X>)
      return traced<typename operand_traits<X>::type>{graph, operand_traits<X>::enter(*graph, x).id};
    else
      return x;
  }
};

}  // namespace tessera::detail
