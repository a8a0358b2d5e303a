// SPDX-License-Identifier: Apache-2.0
#pragma once
// An array without its type: facts and blocks; and how its values come to the host.

#include <tessera/array/dense.hpp>
#include <tessera/exec/memory/buffer.hpp>

namespace tessera {

// An array without its type: concrete facts (run-time extents, Auto axes in the spec) and memory.
struct stored_array {
  array_value facts{};  // global; entries name the axes that really split it, Auto ones included
  buffer memory{};

  extents_list shape() const { return facts.shape(); }
};

namespace detail {

// The same bytes in the other kind of memory; on a CPU both are one, and the buffer is shared.
buffer moved_to(memory_kind kind, buffer const& from);

// Whether this process has every block of an array.
constexpr bool is_addressable(array_value const& facts, mesh_value const& mesh) {
  return !mesh.processes || (stored_block(facts, mesh).varying & mesh.shared()).empty();
}
// Whether one process reads it as a whole: not if others have blocks of it, unless TESSERA_GATHER_TO_HOST is set.
bool is_read_whole(array_value const& facts, mesh_value const& mesh);
// The whole array, row-major, into host memory. Throws if other processes have blocks of it.
void copy_to_host(stored_array const& x, mesh_value const& mesh, std::byte* out);
// The same from all processes, each of which calls it.
buffer gathered_on_host(stored_array const& x, mesh_value const& mesh);
// The same in memory of its own, or the array's own memory if that is one block on the host.
buffer values_on_host(stored_array const& x, mesh_value const& mesh);

}  // namespace detail
}  // namespace tessera
