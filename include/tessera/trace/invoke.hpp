// SPDX-License-Identifier: Apache-2.0
#pragma once
// The typed door: every user-facing operation passes here. The op is judged on the operands' facts while compiling,
// then recorded (traced operands), kept as a constant, run (arrays), or poisoned.

#include <tessera/aval/array_type.hpp>
#include <tessera/graph/builder.hpp>

namespace tessera {

// Parameters of an op as a type: `on<M>()` gives them as plain data for a mesh.
struct no_params {
  template <Mesh M>
  static constexpr attributes on() {
    return {};
  }
};

// Defined in trace/apply.hpp.
template <class Op, class Params, class... X>
constexpr auto invoke(site at, X const&... x);

namespace detail {
// Defined in trace/unplaced.hpp.
template <class Params, class... X>
constexpr bool asks_for_place();
template <class Op, class Params, class... X>
constexpr auto invoke_placed(site at, X const&... x);
}  // namespace detail

}  // namespace tessera
