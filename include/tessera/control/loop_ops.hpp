// SPDX-License-Identifier: Apache-2.0
#pragma once
// The operations behind scan, fori_loop, while_loop, cond, switch_ and checkpoint, with their transposes. Their
// operands, regions and results: graph/loop.hpp. The typed doors check arguments and results. scan: the backward loop
// runs in reverse; the forward loop stacks its values that the backward one needs, and loops inside it are run again. A
// branch is computed again. while_loop has no transpose, as in JAX.
// Source: JAX jax/_src/lax/control_flow (scan and cond transposes).

#include <tessera/control/branch_gradient.hpp>
#include <tessera/control/scan_gradient.hpp>

namespace tessera::ops {

struct scan {
  static constexpr std::string_view name = "scan";
  static constexpr op_class kind = op_class::loop;
  template <class B>
  static constexpr void transpose(B& back, int id) {
    tessera::detail::scan_gradient(back, back.graph(), id).run();
  }
};

struct while_loop {
  static constexpr std::string_view name = "while_loop";
  static constexpr op_class kind = op_class::loop;
};

struct branch {
  static constexpr std::string_view name = "cond";
  static constexpr op_class kind = op_class::loop;
  template <class B>
  static constexpr void transpose(B& back, int id) {
    tessera::detail::branch_gradient(back, back.graph(), id).run();
  }
};

}  // namespace tessera::ops
