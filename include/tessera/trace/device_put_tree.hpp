// SPDX-License-Identifier: Apache-2.0
#pragma once
// device_put of a tree: each leaf alone, by one layout or by a tree of specs, device_put<layer<P<none, mp>, P<mp>>>(p, mesh).
// Source: JAX jax.device_put.

#include <tessera/trace/by_specs.hpp>

#include <tuple>

namespace tessera {
namespace ops {
struct device_put;
}
namespace detail {

template <class... To>
struct put_each {
  std::tuple<To const&...> to;
  template <class S>
  constexpr auto leaf() const {
    return
        [&](auto const& x) { return std::apply([&](auto const&... where) { return device_put<S>(x, where...); }, to); };
  }
  template <int Said, int Parts>
  constexpr auto miscounted() const {
    return poisoned_leaf<ops::device_put, Said, Parts>{nullptr, site{}};
  }
};

}  // namespace detail

template <Tree X, class... To>
  requires(!Refused<X> && !(Refused<To> || ...))
constexpr auto device_put(X const& tree, To const&... to) {
  return tree_map([&](auto const& x) { return device_put(x, to...); }, tree);
}
template <detail::SpecTree S, Tree X, class... To>
  requires(!Refused<X> && !(Refused<To> || ...))
constexpr auto device_put(X const& tree, To const&... to) {
  return detail::by_specs<S>(detail::put_each<To...>{{to...}}, tree);
}

}  // namespace tessera
