// SPDX-License-Identifier: Apache-2.0
#pragma once
// out_sharding<P<dp, none>>: the last argument of an op whose result's layout the user chooses. Explicit axes only.
//   zeros<float, 8, 4>(out_sharding<P<dp>, grid>)   with its mesh, where no operand has one
// Source: JAX's keyword out_sharding.

#include <tessera/trace/invoke.hpp>

namespace tessera {

template <Spec S, Mesh M = no_mesh>
struct out_sharding_t : asked_layout {};
template <Spec S, Mesh M = no_mesh>
inline constexpr out_sharding_t<S, M> out_sharding{};

// Params of an op, with the layout of its result.
template <class Params, Spec S, Mesh Own = no_mesh>
struct with_out : Params {
  using mesh = Own;  // joins the operands' meshes
  using spec = S;    // as an error names it
  template <Mesh M>
  static constexpr attributes on() {
    attributes attrs = Params::template on<M>();
    attrs.has_out = true;
    attrs.out = spec_value_of<M, S>;
    return attrs;
  }
};

}  // namespace tessera
