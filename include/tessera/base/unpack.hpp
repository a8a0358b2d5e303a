// SPDX-License-Identifier: Apache-2.0
#pragma once
// unpack(f, tuple): f of the tuple's elements. As std::apply, which asks 35 class templates about each f.

#include <tuple>
#include <utility>

namespace tessera::detail {

template <class F, class... X>
constexpr decltype(auto) unpack(F const& f, std::tuple<X...> const& x) {
  return [&]<std::size_t... I>(std::index_sequence<I...>)->decltype(auto) { return f(std::get<I>(x)...); }
  (std::index_sequence_for<X...>{});
}

}  // namespace tessera::detail
