// SPDX-License-Identifier: Apache-2.0
#pragma once
// A call that is refused as a whole: of a function that a transformation was given and that does not take these values, gives
// nothing, or is given what is no value. One error for it, where the call stands or where the program enters.

#include <tessera/error/not_callable.hpp>
#include <tessera/trace/record.hpp>

namespace tessera {
namespace ops {
struct result;  // the place of a refusal: what a traced function returns
}

namespace detail {

// What stands for the results of a call that is refused as a whole, in the program b.
template <class Error>
constexpr auto poisoned_in(builder* b, reason why, site at) {
  refusal const found{refuse(why), nullptr, at, {}, {}, 0};
  if (b) b->refuse(found);
  return poisoned<Error>{found, b};
}
// Why function F, which a transformation was given, cannot be called with these values: an error, or void.
template <class F, class... X>
constexpr auto refusal_of_function() {
  if constexpr (!requires(F const& f, X const&... x) { f(x...); })
    return std::type_identity<error::not_callable<F, error::arguments<static_cast<int>(sizeof...(X))>>>{};
  else if constexpr (std::is_void_v<decltype(std::declval<F const&>()(std::declval<X const&>()...))>)
    return std::type_identity<error::not_an_array<ops::result, error::given<void>>>{};
  else
    return std::type_identity<void>{};
}
template <class F, class... X>
using function_refused = typename decltype(refusal_of_function<F, X...>())::type;

// Is it such an error? What is wrong inside of the function is said elsewhere.
template <class Error>
inline constexpr bool refuses_call = false;
template <class F, class... Facts>
inline constexpr bool refuses_call<error::not_callable<F, Facts...>> = true;
template <class... Facts>
inline constexpr bool refuses_call<error::not_an_array<ops::result, Facts...>> = true;

// The error of a call in code that gets or reads `Seen`: what stands for its results later, and what is to be said at once, as
// no program would speak of it.
template <class Error, class Seen>
inline constexpr bool said_later = any_traced<std::remove_cvref_t<Seen>> || !refuses_call<Error>;
template <class Error, class Seen>
using later_error = std::conditional_t<said_later<Error, Seen>, Error, explained<Error>>;
template <class Error, class Seen>
using error_at_once = std::conditional_t<said_later<Error, Seen>, explained<Error>, Error>;

// f of these values, or poison.
template <class F, class... X>
constexpr auto call_in(builder* b, site at, F const& f, std::tuple<X...> const& x) {
  using refused = function_refused<F, X...>;
  if constexpr (std::is_void_v<refused>)
    return std::apply(f, x);
  else
    return poisoned_in<refused>(b, reason::not_callable, at);
}

// What can be no argument of a traced function: neither a value nor a tree of some.
template <class X>
using no_argument =
    std::bool_constant<!Operand<X> && !Tree<X> && !Refused<X> && !std::is_empty_v<X> && !is_unplaced<X>>;
// The error of the first of them.
template <class Op, class... X>
using argument_refused = error::not_an_array<Op, error::given<first_where<no_argument, X...>>>;

}  // namespace detail
}  // namespace tessera
