// SPDX-License-Identifier: Apache-2.0
#pragma once
// segment_prod<N>(x, ids): (n, ...) and [n] -> (N, ...), the product of the rows of each id; 1 where an id has none; ids outside
// of 0 .. N are ignored. Layouts, out_sharding<P<...>> and bytes: as segment_sum. Source: JAX 0.10.2
// jax.ops.segment_prod.

#include <tessera/functions/arranging.hpp>
#include <tessera/op/create/fill.hpp>
#include <tessera/op/index/at.hpp>

namespace tessera {
namespace detail::bodies {

template <std::int64_t N, class... Out>
struct segment_prod {
  static_assert(N >= 0, "tessera: a number of segments is not negative.");
  template <class X>
  constexpr auto operator()(X const& x, auto const& ids) const {
    constexpr extents_list extents = extents_of<X>;
    auto const row = ones_like(sum<0>(x));
    auto const start = [&]<std::size_t... D>(std::index_sequence<D...>) {
      return astype<element_of<facts_in_body<X>.element>>(broadcast_to<N, extents[D + 1]...>(row));
    }
    (std::make_index_sequence<extents.size() - 1>{});
    return start.at(where(ids < 0, static_cast<std::int32_t>(N), ids)).multiply(x, mode::drop, Out{}...);
  }
};

}  // namespace detail::bodies

namespace functions {

template <std::int64_t N, class X, class I>
constexpr auto segment_prod(X const& x, I const& ids, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::segment_prod<N>>(at, x, ids);
}
template <std::int64_t N, class X, class I, Spec S, Mesh M>
constexpr auto segment_prod(X const& x, I const& ids, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::segment_prod<N, out_sharding_t<S, M>>>(at, x, ids);
}

}  // namespace functions
}  // namespace tessera
