// SPDX-License-Identifier: Apache-2.0
#pragma once
// Arrays from one place to another: device_put of arrays.
//   device_put<P<mp>>(x)          another layout on x's mesh, as reshard; nothing moves when it is already so
//   device_put<P<dp>>(x, mesh)    onto another mesh, through the host when the meshes differ
//   device_put(x, device)         an array without a mesh onto another device; in one process memory is shared
// Source: JAX jax.device_put.

#include <tessera/api/eager.hpp>
#include <tessera/array/device_put.hpp>
#include <tessera/op/reshard.hpp>

namespace tessera {

template <Spec S, ArrayType A>
auto device_put(array<A> const& x, site at = std::source_location::current()) {
  using mesh_type = typename A::mesh;
  constexpr bool same = [] {
    constexpr spec_value wanted = spec_value_of<mesh_type, S>;
    for (int d = 0; d < A::rank; ++d)
      if (!(A::value.entry(d) == wanted[d])) return false;
    return wanted.rank <= A::rank && wanted.unreduced == A::value.unreduced;
  }();
  if constexpr (same && mesh_type::value.of_kind(axis_kind::automatic).empty())
    return x;
  else
    return eager<ops::reshard, with_out<no_params, S>>::run(at, x);
}

template <Spec S, ArrayType A, Mesh M>
auto device_put(array<A> const& x, device_mesh<M> const& mesh) {
  if constexpr (std::is_same_v<M, typename A::mesh>) {
    if (mesh == x.mesh()) return device_put<S>(x);
  }
  auto const values = x.to_host();
  host_view<typename array<A>::element, typename A::shape_type> const view{
      reinterpret_cast<typename array<A>::element const*>(values.data()), x.shape()};
  return device_put<S>(view, mesh);
}

template <ArrayType A>
  requires(A::mesh::rank == 0)
array<A> device_put(array<A> const& x, device const& where) { return {device_mesh<no_mesh>::on(where), x.stored()}; }

}  // namespace tessera
