// SPDX-License-Identifier: Apache-2.0
#pragma once
// roll by a number of places that is known when the program runs: an integer, or an integer array without dimensions.
//   roll<0>(x, places)   along dimension 0      roll(x, places)   in row-major order
// A window of x twice in a row, so the dimension must be whole on each device, and its extent known while compiling.
// Bytes: none. A gradient is rolled back. Source: JAX 0.10.2 jnp.roll with a traced shift.

#include <tessera/op/elementwise/arithmetic.hpp>
#include <tessera/op/elementwise/cast.hpp>
#include <tessera/op/index/dynamic_slice_in_dim.hpp>
#include <tessera/op/shape/concatenate.hpp>
#include <tessera/op/shape/reshape.hpp>
#include <tessera/trace/composed.hpp>

#include <algorithm>
#include <utility>

namespace tessera {
namespace detail::bodies {

template <int... Dim>
struct roll_by;
template <int Dim>
struct roll_by<Dim> {
  template <class X, class Places>
  constexpr auto operator()(X const& x, Places const& places) const {
    constexpr extents_list all = facts_in_body<X>.shape();
    constexpr int dim = Dim < 0 ? Dim + all.size() : Dim;
    if constexpr (dim < 0 || dim >= all.size()) {
      return functions::concatenate<Dim>(x, x);  // refused
    } else {
      constexpr std::int64_t extent = all[dim];
      static_assert(extent != dynamic,
                    "tessera: roll by a number of places that is known at run time takes a dimension "
                    "whose extent is known while compiling. Fix: roll<places, dim>(x).");
      return functions::dynamic_slice_in_dim<dim, extent>(functions::concatenate<dim>(x, x),
                                                          before_start(places, std::max<std::int64_t>(extent, 1)));
    }
  }

private:
  template <class Places>
  static constexpr auto before_start(Places const& places, std::int64_t extent) {
    if constexpr (bytes_of(facts_in_body<Places>.element) < 4 && is_integer(facts_in_body<Places>.element))
      return before_start(functions::astype<int32>(places), extent);
    else
      return (extent - places % extent) % extent;
  }
};
template <>
struct roll_by<> {
  template <class X>
  constexpr auto operator()(X const& x, auto const& places) const {
    auto const rolled = roll_by<0>{}(functions::ravel(x), places);
    return [&]<std::size_t... D>(std::index_sequence<D...>) {
      return functions::reshape<facts_in_body<X>.extent(D)...>(rolled);
    }
    (std::make_index_sequence<facts_in_body<X>.rank>{});
  }
};

}  // namespace detail::bodies

namespace functions {

template <int Dim, class X, class Places>
constexpr auto roll(X const& x, Places const& places, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::roll_by<Dim>>(at, x, places);
}
template <class X, class Places>
constexpr auto roll(X const& x, Places const& places, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::roll_by<>>(at, x, places);
}

}  // namespace functions
}  // namespace tessera
