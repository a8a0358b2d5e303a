// SPDX-License-Identifier: Apache-2.0
#pragma once
// device_put in traced code. Source: JAX 0.10.2 jax.device_put under jit, with a sharding or a memory space.
//   device_put<P<dp>>(x)         in another layout
//   device_put(x, on_host{})     in the memory of the host; on_device{}: back

#include <tessera/op/base/to_memory.hpp>
#include <tessera/transform/shardings.hpp>

namespace tessera {
namespace detail {
template <memory_kind Kind>
struct of_memory {
  template <Mesh M>
  static constexpr memory_params on() {
    return {Kind == memory_kind::host};
  }
};
}  // namespace detail

// By a reshard over Explicit axes, by a constraint over the others. M: the mesh of a value that has none. Differs: over
// Auto axes JAX does nothing.
template <Spec S, Mesh M = no_mesh, class X>
  requires(detail::traces<X> && !Refused<X>)
constexpr auto device_put(X const& x, site at = std::source_location::current()) {
  if constexpr (X::type::mesh::rank != 0)
    return detail::placed_as<S, typename X::type::mesh>(x, at);
  else
    return detail::placed_as<S, M>(x, at);
}

template <class X>
  requires(detail::traces<X> && !Refused<X>)
constexpr auto device_put(X const& x, on_host, site at = std::source_location::current()) {
  return invoke<ops::to_memory, detail::of_memory<memory_kind::host>>(at, x);
}
template <class X>
  requires(detail::traces<X> && !Refused<X>)
constexpr auto device_put(X const& x, on_device, site at = std::source_location::current()) {
  return invoke<ops::to_memory, detail::of_memory<memory_kind::device>>(at, x);
}

}  // namespace tessera
