// SPDX-License-Identifier: Apache-2.0
#pragma once
// Refusals that do not concern facts but the kind or number of values, and the poisoned value that is returned.

#include <tessera/error/error.hpp>
#include <tessera/trace/leaves.hpp>
#include <tessera/trace/operand.hpp>

namespace tessera {

template <class T>
  requires requires { sizeof(T); } && Tree<T>
inline constexpr bool takes_refused<T> = true;

namespace detail {

// Whether X belongs to a program that is being traced.
template <class X>
inline constexpr bool traces = false;
template <Operand X>
inline constexpr bool traces<X> =
    operand_traits<X>::kind == operand_kind::traced || operand_traits<X>::kind == operand_kind::poisoned;

// The first value of a program; the last of these if there is none.
template <class X, class... Rest>
constexpr auto const& first_traced(X const& x, Rest const&... rest) {
  if constexpr (traces<X> || sizeof...(Rest) == 0)
    return x;
  else
    return first_traced(rest...);
}

// The program of the first traced operand, or null.
constexpr builder* builder_of() { return nullptr; }
template <class X, class... Rest>
constexpr builder* builder_of(X const& x, Rest const&... rest) {
  if constexpr (traces<X>)
    if (x.graph) return x.graph;
  return builder_of(rest...);
}

// The error of such a refusal of Op. Given: the C++ type in question.
template <class Op, reason Why, class Given>
using plain_error = error::typed<Why, Op, error::given<Given>>;

// The poisoned value of such a refusal in traced code.
template <class Op, reason Why, class Given, class... X>
constexpr auto poison(site at, X const&... x) {
  refusal const found{refuse(Why), &bare_info<Op>, at, {}, {}, 0};
  builder* b = builder_of(x...);
  if (!b) b = builder_among(x...);  // of a tree's leaves
  if (b) b->refuse(found);
  return poisoned<plain_error<Op, Why, Given>>{found, b};
}

template <template <class...> class Written, class X>
constexpr auto refused_as(X const& x, site at) {
  if constexpr (Refused<X>) {
    return x;
  } else if constexpr (traces<X>) {
    static_assert(op_register<ops::otherwise<Written>>::done);
    refusal const found{refuse(reason::not_an_array), &bare_info<ops::otherwise<Written>>, at, {}, {}, 0};
    if (x.graph) x.graph->refuse(found);
    return poisoned<Written<>>{found, x.graph};
  } else {
    Written<X>::explain();
    return poisoned<explained<>>{};
  }
}

// The refusal of `Given` entries for `Count` values (error::arguments or error::results) of a function that Op calls.
template <class Op, int Given, template <int> class Values, int Count>
constexpr auto miscounted(builder* b, site at) {
  refusal const found{refuse(reason::specs_miscounted, -1, {}, Given, Count), nullptr, at, {}, {}, 0};
  if (b) b->refuse(found);
  return poisoned<error::specs_miscounted<Op, error::entries<Given>, Values<Count>>>{found, b};
}

}  // namespace detail
}  // namespace tessera
