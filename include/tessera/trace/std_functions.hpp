// SPDX-License-Identifier: Apache-2.0
#pragma once
// std::sin(x) and std::get<0>(x) of an array: one sentence instead of a list of all overloads. Qualified names find only what
// is in namespace std, so these overloads are there. The standard reserves it, but compilers allow this, and since the
// overloads take only types of this library, no call that compiles without them changes its meaning.

#include <tessera/base/arrays_otherwise.hpp>
#include <tessera/trace/handle.hpp>

namespace tessera::detail {
template <class X>
concept Value = Handle<X>;
}  // namespace tessera::detail

namespace std {
template <tessera::detail::Value X>
constexpr auto abs(X const& x, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X>
constexpr auto exp(X const& x, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X>
constexpr auto exp2(X const& x, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X>
constexpr auto expm1(X const& x, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X>
constexpr auto log(X const& x, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X>
constexpr auto log2(X const& x, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X>
constexpr auto log10(X const& x, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X>
constexpr auto log1p(X const& x, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X>
constexpr auto sqrt(X const& x, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X>
constexpr auto cbrt(X const& x, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X>
constexpr auto sin(X const& x, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X>
constexpr auto cos(X const& x, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X>
constexpr auto tan(X const& x, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X>
constexpr auto asin(X const& x, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X>
constexpr auto acos(X const& x, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X>
constexpr auto atan(X const& x, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X>
constexpr auto sinh(X const& x, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X>
constexpr auto cosh(X const& x, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X>
constexpr auto tanh(X const& x, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X>
constexpr auto asinh(X const& x, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X>
constexpr auto acosh(X const& x, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X>
constexpr auto atanh(X const& x, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X>
constexpr auto erf(X const& x, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X>
constexpr auto erfc(X const& x, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X>
constexpr auto tgamma(X const& x, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X>
constexpr auto lgamma(X const& x, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X>
constexpr auto ceil(X const& x, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X>
constexpr auto floor(X const& x, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X>
constexpr auto trunc(X const& x, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X>
constexpr auto round(X const& x, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X>
constexpr auto rint(X const& x, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X>
constexpr auto isnan(X const& x, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X>
constexpr auto isinf(X const& x, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X>
constexpr auto isfinite(X const& x, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X>
constexpr auto real(X const& x, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X>
constexpr auto imag(X const& x, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X>
constexpr auto conj(X const& x, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X, class Y>
constexpr auto pow(X const& x, Y const&, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X, class Y>
constexpr auto fmod(X const& x, Y const&, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X, class Y>
constexpr auto hypot(X const& x, Y const&, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X, class Y>
constexpr auto atan2(X const& x, Y const&, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X, class Y>
constexpr auto copysign(X const& x, Y const&, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X, class Y>
constexpr auto fmax(X const& x, Y const&, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
template <tessera::detail::Value X, class Y>
constexpr auto fmin(X const& x, Y const&, tessera::site at = std::source_location::current()) {
  return tessera::detail::refused_as<tessera::written::in_std>(x, at);
}
// Of a call that was refused, and of one value where several are expected.
template <size_t I, class Error>
constexpr tessera::poisoned<Error> get(tessera::poisoned<Error> const& x) {
  return x;
}
template <size_t I>
constexpr tessera::refused_answer get(tessera::refused_answer const&) {
  return {};
}
template <size_t I, tessera::detail::Value X>
  requires(!tessera::Refused<X>)
constexpr auto get(X const& x) { return tessera::detail::refused_as<tessera::written::no_tuple>(x, tessera::site{}); }
}  // namespace std
