// SPDX-License-Identifier: Apache-2.0
#pragma once
// Calls that are refused as a whole: a function passed to a transformation does not take these values, returns nothing,
// or gets something that is not a value. One error is reported, at the call or at the entry of the program.

#include <tessera/base/functions_otherwise.hpp>
#include <tessera/error/not_callable.hpp>
#include <tessera/trace/record.hpp>

namespace tessera {
namespace ops {
struct result;  // names a refusal of a traced function's result
}

namespace detail {

// Takes the place of the results of a refused call, in program b.
template <class Error>
constexpr auto poisoned_in(builder* b, reason why, site at) {
  refusal const found{refuse(why), nullptr, at, {}, {}, 0};
  if (b) b->refuse(found);
  return poisoned<Error>{found, b};
}
// Whether X cannot be an argument or result of a traced function: it is neither a value nor a tree of values, nor an empty
// object that its type makes, as a function without captures. std::nullopt is none of these.
template <class X>
using no_argument = std::bool_constant<!Operand<X> && !Tree<X> && !Refused<X> && !is_unplaced<X> &&
                                       !std::conjunction_v<std::is_empty<X>, std::is_default_constructible<X>>>;
struct refuse_no_value {
  template <class X>
  constexpr auto operator()(X const&) const {
    if constexpr (no_argument<X>::value)
      return poisoned<error::not_an_array<ops::result, error::given<X>>>{};
    else
      return error::leaf{};
  }
};
// The error of a tree with such a part, or void.
template <class Tree>
constexpr auto refusal_of_results() {
  if constexpr (Operand<Tree> || Refused<Tree> || !std::is_void_v<error_in<Tree>>)
    return std::type_identity<void>{};
  else
    return std::type_identity<error_in<decltype(tree_map(refuse_no_value{}, std::declval<Tree const&>()))>>{};
}

// Why function F, which was passed to a transformation, cannot be called with these values: an error, or void.
template <class F, class... X>
constexpr auto refusal_of_function() {
  if constexpr (!requires(F const& f, X const&... x) { f(x...); })
    return std::type_identity<error::not_callable<F, error::arguments<static_cast<int>(sizeof...(X))>>>{};
  else if constexpr (std::is_void_v<decltype(std::declval<F const&>()(std::declval<X const&>()...))>)
    return std::type_identity<error::not_an_array<ops::result, error::given<void>>>{};
  else
    return refusal_of_results<std::remove_cvref_t<decltype(std::declval<F const&>()(std::declval<X const&>()...))>>();
}
template <class F, class... X>
using function_refused = typename decltype(refusal_of_function<F, X...>())::type;

// The same of a function that returns, with Aux, std::tuple{result, aux}.
template <bool Aux, class F, class... X>
constexpr auto refusal_with_aux() {
  using refused = function_refused<F, X...>;
  if constexpr (!std::is_void_v<refused> || !Aux) {
    return std::type_identity<refused>{};
  } else {
    using result = std::remove_cvref_t<decltype(std::declval<F const&>()(std::declval<X const&>()...))>;
    return std::type_identity<std::conditional_t<is_pair<result> || Refused<result>, void, written::no_aux<>>>{};
  }
}
template <bool Aux, class F, class... X>
using aux_refused = typename decltype(refusal_with_aux<Aux, F, X...>())::type;

// Whether Error is of this kind. Errors inside the function are reported elsewhere.
template <class Error>
inline constexpr bool refuses_call = false;
template <class F, class... Facts>
inline constexpr bool refuses_call<error::not_callable<F, Facts...>> = true;
template <class... Facts>
inline constexpr bool refuses_call<error::not_an_array<ops::result, Facts...>> = true;
template <class... Facts>
inline constexpr bool refuses_call<error::trees_differ<Facts...>> = true;

// The error of a call in code that gets or reads `Seen`: later_error for its results, and error_at_once, which is
// reported at the call if no program would report it.
template <class Error, class Seen>
inline constexpr bool said_later = any_traced<std::remove_cvref_t<Seen>> || !refuses_call<Error>;
template <class Error, class Seen>
using later_error = std::conditional_t<said_later<Error, Seen>, Error, explained<Error>>;
template <class Error, class Seen>
using error_at_once = std::conditional_t<said_later<Error, Seen>, explained<Error>, Error>;

// f of these values, or a poisoned value.
template <class F, class... X>
constexpr auto call_in(builder* b, site at, F const& f, std::tuple<X...> const& x) {
  using refused = function_refused<F, X...>;
  if constexpr (std::is_void_v<refused>)
    return std::apply(f, x);
  else
    return poisoned_in<refused>(b, reason::not_callable, at);
}

// The error of the first such argument.
template <class Op, class... X>
using argument_refused = error::not_an_array<Op, error::given<first_where<no_argument, X...>>>;

}  // namespace detail
}  // namespace tessera
