// SPDX-License-Identifier: Apache-2.0
#pragma once
// Pooling: max_pool(x, window<2, 2>, strided<2, 2>), avg_pool(x, window<2, 2>, strided<2, 2>, same); x is (batch..., h, w, c),
// with nchw as the last argument (batch..., c, h, w), the order that conv takes without nhwc. The window has a number for
// each spatial dimension; strides are 1 and the padding is valid where not given. Layouts and bytes are those of
// reduce_window.hpp; of avg_pool, elements outside of x count as 0.
// Source: flax.linen pooling.

#include <tessera/op/window/reduce_window.hpp>
#include <tessera/op/window/window_options.hpp>

namespace tessera {
namespace ops {

struct avg_pool : sums_over_windows<avg_pool> {
  static constexpr std::string_view name = "avg_pool";
  template <class B>
  static constexpr term finished(B&, term result, over_windows_params const& asked) {
    double count = 1;
    for (auto n : asked.window) count *= static_cast<double>(n);
    return result / count;
  }
};

}  // namespace ops

namespace functions {

template <class X, std::int64_t... N>
constexpr auto max_pool(X const& x, window_t<N...>, site at = std::source_location::current()) {
  return invoke<ops::reduce_window_max, over_window<true, window_t<N...>>>(at, x);
}
template <class X, std::int64_t... N, class A>
  requires std::is_empty_v<A>
constexpr auto max_pool(X const& x, window_t<N...>, A, site at = std::source_location::current()) {
  return invoke<ops::reduce_window_max, over_window<true, window_t<N...>, A>>(at, x);
}
template <class X, std::int64_t... N, class A, class B>
  requires std::is_empty_v<B>
constexpr auto max_pool(X const& x, window_t<N...>, A, B, site at = std::source_location::current()) {
  return invoke<ops::reduce_window_max, over_window<true, window_t<N...>, A, B>>(at, x);
}
template <class X, std::int64_t... N, class A, class B, class C>
  requires std::is_empty_v<C>
constexpr auto max_pool(X const& x, window_t<N...>, A, B, C, site at = std::source_location::current()) {
  return invoke<ops::reduce_window_max, over_window<true, window_t<N...>, A, B, C>>(at, x);
}
template <class X, std::int64_t... N>
constexpr auto avg_pool(X const& x, window_t<N...>, site at = std::source_location::current()) {
  return invoke<ops::avg_pool, over_window<true, window_t<N...>>>(at, x);
}
template <class X, std::int64_t... N, class A>
  requires std::is_empty_v<A>
constexpr auto avg_pool(X const& x, window_t<N...>, A, site at = std::source_location::current()) {
  return invoke<ops::avg_pool, over_window<true, window_t<N...>, A>>(at, x);
}
template <class X, std::int64_t... N, class A, class B>
  requires std::is_empty_v<B>
constexpr auto avg_pool(X const& x, window_t<N...>, A, B, site at = std::source_location::current()) {
  return invoke<ops::avg_pool, over_window<true, window_t<N...>, A, B>>(at, x);
}
template <class X, std::int64_t... N, class A, class B, class C>
  requires std::is_empty_v<C>
constexpr auto avg_pool(X const& x, window_t<N...>, A, B, C, site at = std::source_location::current()) {
  return invoke<ops::avg_pool, over_window<true, window_t<N...>, A, B, C>>(at, x);
}

}  // namespace functions
}  // namespace tessera
