// SPDX-License-Identifier: Apache-2.0
#pragma once
// Distinct blocks between the host and execution memory: what device_put and device_get do.

#include <tessera/exec/memory/buffer.hpp>
#include <tessera/plan/base/strides.hpp>

#include <cstddef>

namespace tessera {
namespace detail {

// Bytes from host memory to execution memory and back.
void copy_bytes(std::byte* to, std::byte const* from, std::size_t bytes, bool to_device);

// Every element of every distinct block of `block`, from one layout to another in execution memory.
void copy_blocks(array_value const& block, mesh_value const& mesh, std::byte* out, strides const& out_at,
                 std::byte const* in, strides const& in_at);

}  // namespace detail
}  // namespace tessera
