// SPDX-License-Identifier: Apache-2.0
#pragma once
// device_put(x, on_host), device_put(x, on_device): an array in other memory.

#include <tessera/array/array.hpp>
#include <tessera/array/host.hpp>
#include <tessera/array/stored_array.hpp>
#include <tessera/error/checked_sharding.hpp>

namespace tessera {
namespace detail {

template <ArrayType A, memory_kind Kind>
struct in_memory {
  static constexpr array_value facts = [] {
    array_value v = A::value;
    v.memory = Kind;
    return v;
  }();
};
template <memory_kind Kind, ArrayType A>
auto put_in_memory(array<A> const& x) {
  if constexpr (A::value.memory == Kind) {
    return x;
  } else {
    stored_array stored{x.stored().facts, moved_to(Kind, x.stored().memory)};
    stored.facts.memory = Kind;
    return array<array_type_of<in_memory<A, Kind>, typename A::mesh>>(x.mesh(), std::move(stored));
  }
}

}  // namespace detail

// The same layout in the other memory. Bytes: the distinct blocks once; none on a CPU, where both memories are one.
template <ArrayType A>
auto device_put(array<A> const& x, on_host) {
  return detail::put_in_memory<memory_kind::host>(x);
}
template <ArrayType A>
auto device_put(array<A> const& x, on_device) {
  return detail::put_in_memory<memory_kind::device>(x);
}
template <Spec S, class T, class Shape, Mesh M>
auto device_put(host_view<T, Shape> const& data, device_mesh<M> const& mesh, on_host) {
  return device_put(device_put<S>(data, mesh), on_host{});
}

}  // namespace tessera
