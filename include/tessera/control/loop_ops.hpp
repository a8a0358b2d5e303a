// SPDX-License-Identifier: Apache-2.0
#pragma once
// The operations behind scan, fori_loop, while_loop, cond, switch_ and checkpoint, with the transposes of those that
// have one. Their operands, regions and results: graph/loop.hpp. The typed doors judge what goes in and out.
// scan: the backward loop runs the other way; what the forward one computed and it needs is stacked by the forward
// loop, loops inside it are run again. A branch: computed again. while_loop: none, as in JAX.
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
