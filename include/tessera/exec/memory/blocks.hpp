// SPDX-License-Identifier: Apache-2.0
#pragma once
// Copies of distinct blocks between host memory and execution memory, for device_put and device_get.

#include <tessera/exec/memory/buffer.hpp>
#include <tessera/plan/base/strides.hpp>

#include <cstddef>

namespace tessera {
namespace detail {

// Copies `bytes` from host memory to execution memory (`to_device`) or back.
void copy_bytes(std::byte* to, std::byte const* from, std::size_t bytes, bool to_device);

// Copies every element of every distinct block of `block` in execution memory, from layout `in_at` to layout `out_at`.
void copy_blocks(array_value const& block, mesh_value const& mesh, std::byte* out, strides const& out_at,
                 std::byte const* in, strides const& in_at);

}  // namespace detail
}  // namespace tessera
