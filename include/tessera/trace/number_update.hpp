// SPDX-License-Identifier: Apache-2.0
#pragma once
// n += x, -=, *=, /= of a number n of C++ and an array or traced value x: refused, since n cannot become an array.
// Written out: a call more would be three lines more in every error.

#include <tessera/trace/operators.hpp>
#include <tessera/trace/poison.hpp>

namespace tessera {
namespace detail {
template <class X>
inline constexpr bool in_program = traces<X> || Refused<X>;

template <class Y>
constexpr void refuse_update(Y const& y) {
  site at{};
  if constexpr (is_traced<Y>)
    if (y.graph && y.node >= 0) at = y.graph->at(y.node).at;  // the line that made x
  (void)refused_as<written::number_as_sum>(y, at);
}
}  // namespace detail

template <detail::Number N, detail::Handle Y>
constexpr N& operator+=(N& n, Y const& y) {
  if constexpr (detail::in_program<Y>)
    detail::refuse_update(y);
  else
    written::number_as_sum<Y>::explain();
  return n;
}
template <detail::Number N, detail::Handle Y>
constexpr N& operator-=(N& n, Y const& y) {
  if constexpr (detail::in_program<Y>)
    detail::refuse_update(y);
  else
    written::number_as_sum<Y>::explain();
  return n;
}
template <detail::Number N, detail::Handle Y>
constexpr N& operator*=(N& n, Y const& y) {
  if constexpr (detail::in_program<Y>)
    detail::refuse_update(y);
  else
    written::number_as_sum<Y>::explain();
  return n;
}
template <detail::Number N, detail::Handle Y>
constexpr N& operator/=(N& n, Y const& y) {
  if constexpr (detail::in_program<Y>)
    detail::refuse_update(y);
  else
    written::number_as_sum<Y>::explain();
  return n;
}

}  // namespace tessera
