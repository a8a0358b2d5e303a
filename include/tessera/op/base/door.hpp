// SPDX-License-Identifier: Apache-2.0
#pragma once
// The function objects users call: inline constexpr unary_door<ops::exp> exp;

#include <tessera/trace/apply.hpp>

namespace tessera {

template <class Op, class Params = no_params>
struct unary_door {
  template <class X>
  constexpr auto operator()(X const& x, site at = std::source_location::current()) const {
    return invoke<Op, Params>(at, x);
  }
};

template <class Op, class Params = no_params>
struct binary_door {
  template <class X, class Y>
  constexpr auto operator()(X const& x, Y const& y, site at = std::source_location::current()) const {
    return invoke<Op, Params>(at, x, y);
  }
};

}  // namespace tessera
