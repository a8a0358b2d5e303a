// SPDX-License-Identifier: Apache-2.0
#pragma once
// map(f, xs): f on each slice of xs along dimension 0, one after the other; results along a new dimension 0. It is a
// scan that carries nothing, with the same rules. Source: JAX 0.10.2 lax.map.

#include <tessera/control/scan.hpp>

namespace tessera {
namespace detail {
template <class F>
struct mapped_body {
  [[no_unique_address]] F function;
  template <class C, class X>
  constexpr auto operator()(C const& nothing, X const& x) const {
    auto const y = call_in(nullptr, site{}, function, std::make_tuple(x));
    return std::tuple<C, std::remove_cvref_t<decltype(y)>>{nothing, y};
  }
};
}  // namespace detail

namespace functions {

template <class F, class X>
constexpr auto map(F const& f, X const& xs, site at = std::source_location::current()) {
  return detail::half_of<1>(detail::scanned<detail::mapped_body<F>, 0, false>{{f}}.scan_at(at, std::tuple<>{}, xs));
}

}  // namespace functions

}  // namespace tessera
