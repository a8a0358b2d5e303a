// SPDX-License-Identifier: Apache-2.0
#pragma once
// Operations on arrays outside of traced code: each is a program of one operation, judged while compiling, planned once
// per signature and run immediately. Numbers are run-time scalars, so that no value is compiled in.

#include <tessera/api/jit.hpp>
#include <tessera/trace/apply.hpp>

namespace tessera {
namespace detail {

// One op as a traceable function.
template <class Op, class Params>
struct one_op {
  template <class... X>
  constexpr auto operator()(X const&... x) const {
    return invoke<Op, Params>(site{}, x...);
  }
};

}  // namespace detail

template <class Op, class Params>
struct eager {
  template <class... X>
  using refused = void;
  template <class... X>
  static auto run(site, X const&... x) {
    return detail::run_jitted<detail::one_op<Op, Params>, !runs_on_host>(x...);
  }
};

}  // namespace tessera
