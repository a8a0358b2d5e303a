// SPDX-License-Identifier: Apache-2.0
#pragma once
// Functions called with too few values or too many, where(mask, x), clamp(0, x), sum(x, y): one sentence instead of a
// list of candidates. Those that are doors (op/base/door.hpp) say so themselves.

#include <tessera/api/misplaced.hpp>

namespace tessera::functions {

template <class... X>
  requires detail::Miscounted<3, X...>
constexpr auto where(X const&... x) {
  return detail::refused_as<written::another_number_of_values>(detail::first_traced(x...), site{});
}
template <class... X>
  requires detail::Miscounted<3, X...>
constexpr auto clamp(X const&... x) {
  return detail::refused_as<written::another_number_of_values>(detail::first_traced(x...), site{});
}
template <class... X>
  requires detail::Miscounted<3, X...>
constexpr auto clip(X const&... x) {
  return detail::refused_as<written::another_number_of_values>(detail::first_traced(x...), site{});
}
template <class... X>
  requires detail::Miscounted<2, X...>
constexpr auto matmul(X const&... x) {
  return detail::refused_as<written::another_number_of_values>(detail::first_traced(x...), site{});
}
template <class... X>
  requires detail::Miscounted<2, X...>
constexpr auto dot(X const&... x) {
  return detail::refused_as<written::another_number_of_values>(detail::first_traced(x...), site{});
}
template <class... X>
  requires detail::Miscounted<2, X...>
constexpr auto vdot(X const&... x) {
  return detail::refused_as<written::another_number_of_values>(detail::first_traced(x...), site{});
}
template <class... X>
  requires detail::Miscounted<2, X...>
constexpr auto inner(X const&... x) {
  return detail::refused_as<written::another_number_of_values>(detail::first_traced(x...), site{});
}
template <class... X>
  requires detail::Miscounted<2, X...>
constexpr auto tensordot(X const&... x) {
  return detail::refused_as<written::another_number_of_values>(detail::first_traced(x...), site{});
}
template <class... X>
  requires detail::Miscounted<2, X...>
constexpr auto dot_general(X const&... x) {
  return detail::refused_as<written::another_number_of_values>(detail::first_traced(x...), site{});
}
template <class... X>
  requires detail::Miscounted<2, X...>
constexpr auto take(X const&... x) {
  return detail::refused_as<written::another_number_of_values>(detail::first_traced(x...), site{});
}
template <class... X>
  requires detail::Miscounted<2, X...>
constexpr auto conv(X const&... x) {
  return detail::refused_as<written::another_number_of_values>(detail::first_traced(x...), site{});
}
template <class... X>
  requires(detail::Miscounted<1, X...> && (detail::Handle<X> && ...))
constexpr auto sum(X const&... x) {
  return detail::refused_as<written::another_number_of_values>(detail::first_traced(x...), site{});
}
template <class... X>
  requires(detail::Miscounted<1, X...> && (detail::Handle<X> && ...))
constexpr auto prod(X const&... x) {
  return detail::refused_as<written::another_number_of_values>(detail::first_traced(x...), site{});
}
template <class... X>
  requires(detail::Miscounted<1, X...> && (detail::Handle<X> && ...))
constexpr auto mean(X const&... x) {
  return detail::refused_as<written::another_number_of_values>(detail::first_traced(x...), site{});
}
template <class... X>
  requires(detail::Miscounted<1, X...> && (detail::Handle<X> && ...))
constexpr auto cumsum(X const&... x) {
  return detail::refused_as<written::another_number_of_values>(detail::first_traced(x...), site{});
}
template <class... X>
  requires(detail::Miscounted<1, X...> && (detail::Handle<X> && ...))
constexpr auto cumprod(X const&... x) {
  return detail::refused_as<written::another_number_of_values>(detail::first_traced(x...), site{});
}
template <class... X>
  requires(detail::Miscounted<1, X...> && (detail::Handle<X> && ...))
constexpr auto softmax(X const&... x) {
  return detail::refused_as<written::another_number_of_values>(detail::first_traced(x...), site{});
}
template <class... X>
  requires(detail::Miscounted<1, X...> && (detail::Handle<X> && ...))
constexpr auto logsumexp(X const&... x) {
  return detail::refused_as<written::another_number_of_values>(detail::first_traced(x...), site{});
}
template <class... X>
  requires(detail::Miscounted<1, X...> && (detail::Handle<X> && ...))
constexpr auto sort(X const&... x) {
  return detail::refused_as<written::another_number_of_values>(detail::first_traced(x...), site{});
}
template <class... X>
  requires(detail::Miscounted<1, X...> && (detail::Handle<X> && ...))
constexpr auto argmax(X const&... x) {
  return detail::refused_as<written::another_number_of_values>(detail::first_traced(x...), site{});
}
template <class... X>
  requires(detail::Miscounted<1, X...> && (detail::Handle<X> && ...))
constexpr auto argmin(X const&... x) {
  return detail::refused_as<written::another_number_of_values>(detail::first_traced(x...), site{});
}

template <class X, class Y>
constexpr auto dot_general(X const& x, Y const&, site at = std::source_location::current()) {
  return detail::refused_as<written::contraction_as_argument>(x, at);
}
template <class X>
constexpr auto one_hot(X const& labels, site at = std::source_location::current()) {
  return detail::refused_as<written::shape_as_argument>(labels, at);
}

}  // namespace tessera::functions
