// SPDX-License-Identifier: Apache-2.0
#pragma once
// Distinct blocks between the host and execution memory: what device_put and device_get do.

#include <tessera/exec/memory/buffer.hpp>
#include <tessera/plan/view.hpp>

#include <cstring>

namespace tessera {
namespace detail {

// Bytes from host memory to execution memory and back.
inline void copy_bytes(std::byte* to, std::byte const* from, std::size_t bytes, bool to_device) {
  if (bytes == 0) return;
  if constexpr (runs_on_host) {
    std::memcpy(to, from, bytes);
  } else {
    using host_bytes = Kokkos::View<char*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    using device_bytes = Kokkos::View<char*, execution_memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    auto* const source = const_cast<char*>(reinterpret_cast<char const*>(from));
    auto* const target = reinterpret_cast<char*>(to);
    if (to_device)
      Kokkos::deep_copy(device_bytes(target, bytes), host_bytes(source, bytes));
    else
      Kokkos::deep_copy(host_bytes(target, bytes), device_bytes(source, bytes));
  }
}

// Every element of every distinct block of `block`, from one layout to another in execution memory.
void copy_blocks(array_value const& block, mesh_value const& mesh, std::byte* out, strides const& out_at,
                 std::byte const* in, strides const& in_at);

}  // namespace detail
}  // namespace tessera

#ifndef TESSERA_SEPARATE_ENGINE
#include <tessera/exec/memory/copy_blocks.hpp>
#endif
