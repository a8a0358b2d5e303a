// SPDX-License-Identifier: Apache-2.0
#pragma once
// The function objects users call: inline constexpr unary_door<ops::exp> exp;

#include <tessera/base/written_otherwise.hpp>
#include <tessera/trace/apply.hpp>

namespace tessera {
namespace detail {

// Some values, but not Taken of them, for a function that takes so many.
template <std::size_t Taken, class... X>
concept Miscounted = sizeof...(X) != 0 && sizeof...(X) != Taken && (Operand<X> && ...);

}  // namespace detail

template <class Op, class Params = no_params>
struct unary_door {
  template <class X>
  constexpr auto operator()(X const& x, site at = std::source_location::current()) const {
    return invoke<Op, Params>(at, x);
  }
  template <class... X>
    requires detail::Miscounted<1, X...>
  constexpr auto operator()(X const&... x) const {
    return detail::refused_as<written::another_number_of_values>(detail::first_traced(x...), site{});
  }
};

template <class Op, class Params = no_params>
struct binary_door {
  template <class X, class Y>
  constexpr auto operator()(X const& x, Y const& y, site at = std::source_location::current()) const {
    return invoke<Op, Params>(at, x, y);
  }
  template <class... X>
    requires detail::Miscounted<2, X...>
  constexpr auto operator()(X const&... x) const {
    return detail::refused_as<written::another_number_of_values>(detail::first_traced(x...), site{});
  }
};

}  // namespace tessera
