// SPDX-License-Identifier: Apache-2.0
#pragma once
// Copies an array's values to the host.

#include <tessera/array/array.hpp>
#include <tessera/array/stored_array.hpp>
#include <tessera/base/settings.hpp>
#include <tessera/comm/channel/mesh_processes.hpp>
#include <tessera/exec/memory/blocks.hpp>

#include <cstring>
#include <stdexcept>
#include <string>

namespace tessera::detail {

TESSERA_ENGINE void copy_from(memory_kind kind, std::byte* to, std::byte const* from, std::size_t bytes) {
  if (kind == memory_kind::device)
    copy_bytes(to, from, bytes, false);
  else if (bytes != 0)
    std::memcpy(to, from, bytes);
}

TESSERA_ENGINE buffer moved_to(memory_kind kind, buffer const& from) {
  if constexpr (runs_on_host) {
    return from;
  } else {
    buffer to(from.size(), kind);
    if (kind == memory_kind::host) fence();
    copy_bytes(to.data(), from.data(), from.size(), kind == memory_kind::device);
    return to;
  }
}

[[noreturn]] TESSERA_ENGINE void gone() {
  throw std::invalid_argument(
      "tessera: this array has no memory: it was released, moved from, given to a call as std::move(x), or never made. "
      "Fix: give x itself to the call, and its memory is not reused.");
}
inline buffer const& present(stored_array const& x) {
  if (!x.memory) gone();
  return x.memory;
}

inline bool gathers_unasked() {
  static bool const asked = gather_to_host_setting();
  return asked;
}
TESSERA_ENGINE bool is_read_whole(array_value const& facts, mesh_value const& mesh) {
  return is_addressable(facts, mesh) || gathers_unasked();
}
[[noreturn]] TESSERA_COLD inline void elsewhere(stored_array const& x, mesh_value const& mesh) {
  throw std::logic_error("tessera: " + describe(x.facts, mesh) +
                         " has blocks in other processes. Fix: process_allgather(x), which all processes call, or the "
                         "addressable_shards() of each.");
}

// Copies every element of the blocks that `mesh` holds, in host memory.
TESSERA_COLD inline void copy_host_blocks(array_value const& block, mesh_value const& mesh, std::byte* out,
                                          strides const& out_at, std::byte const* in, strides const& in_at) {
  auto const size = bytes_of(block.element);
  // Dimensions that are contiguous on both sides are copied with one memcpy.
  int outer = block.rank;
  std::int64_t run = 1;
  for (; outer > 0; --outer) {
    std::size_t const k = outer - 1;
    if (block.extent(outer - 1) != 1 && (in_at.dim_stride[k] != run || out_at.dim_stride[k] != run)) break;
    run *= block.extent(outer - 1);
  }
  std::int64_t const runs = run == 0 ? 0 : block.size() / run;
  for (std::int64_t p = 0; p < mesh.held_devices(block.varying); ++p) {
    mesh_coordinates const at = coordinates_of(mesh.held(), p, block.varying);
    std::int64_t from = in_at.offset, to = out_at.offset;
    for (int a = 0; a < at.size(); ++a) {
      from += at[a] * in_at.axis_stride[a];
      to += at[a] * out_at.axis_stride[a];
    }
    for (std::int64_t i = 0; i < runs; ++i) {
      std::int64_t rest = i, here = from, there = to;
      for (int d = outer - 1; d >= 0; --d) {
        here += rest % block.extent(d) * in_at.dim_stride[d];
        there += rest % block.extent(d) * out_at.dim_stride[d];
        rest /= block.extent(d);
      }
      std::memcpy(out + there * size, in + here * size, run * size);
    }
  }
}

inline void gather_to_host(stored_array const& x, mesh_value const& mesh, std::byte* out) {
  if (array_value const padded = with_padding(x.facts, mesh); !padded.same_shape(x.facts)) {
    std::vector<std::byte> staged(padded.size() * bytes_of(padded.element));
    gather_to_host({padded, present(x)}, mesh, staged.data());
    return copy_corner(out, x.facts, staged.data(), padded);
  }
  array_value const block = stored_block(x.facts, mesh);
  auto const& processes = static_cast<mesh_processes const&>(*mesh.processes);
  std::size_t const bytes = storage_bytes(block, mesh);
  std::vector<std::byte> own(bytes), all(bytes * processes.ranks.size());
  copy_from(x.facts.memory, own.data(), present(x).data(), std::min(bytes, present(x).size()));
  processes.all->all_gather(all.data(), own.data(), static_cast<std::int64_t>(bytes), "process_allgather").wait();
  for (int p = 0; p < processes.count(); ++p) {
    mesh_processes there;
    there.sizes = processes.sizes;
    there.here = processes.position(p);
    mesh_value seen = mesh;
    seen.processes = &there;
    std::size_t const rank = processes.ranks[p];
    copy_host_blocks(block, seen, out, dense_strides(x.facts, seen), all.data() + rank * bytes,
                     own_strides(block, seen));
  }
}

TESSERA_ENGINE void copy_to_host(stored_array const& x, mesh_value const& mesh, std::byte* out) {
  if (x.facts.size() == 0) return;
  buffer const& own = present(x);
  if (!is_addressable(x.facts, mesh)) {
    if (gathers_unasked()) return gather_to_host(x, mesh, out);
    elsewhere(x, mesh);
  }
  if (array_value const padded = with_padding(x.facts, mesh); !padded.same_shape(x.facts)) {
    std::vector<std::byte> staged(padded.size() * bytes_of(padded.element));
    copy_to_host({padded, own}, mesh, staged.data());
    return copy_corner(out, x.facts, staged.data(), padded);
  }
  array_value const block = stored_block(x.facts, mesh);
  auto const bytes = x.facts.size() * bytes_of(x.facts.element);
  timed_transfer const timed("device_get", bytes);
  buffer const held = x.facts.memory == memory_kind::host ? moved_to(memory_kind::device, own) : own;
  if constexpr (runs_on_host) {
    copy_blocks(block, mesh, out, dense_strides(x.facts, mesh), held.data(), own_strides(block, mesh));
  } else {
    buffer const staged(bytes);
    copy_blocks(block, mesh, staged.data(), dense_strides(x.facts, mesh), held.data(), own_strides(block, mesh));
    fence();
    copy_bytes(out, staged.data(), bytes, false);
  }
}

TESSERA_ENGINE buffer gathered_on_host(stored_array const& x, mesh_value const& mesh) {
  if (is_addressable(x.facts, mesh)) return values_on_host(x, mesh);
  buffer out(x.facts.size() * bytes_of(x.facts.element), memory_kind::host);
  gather_to_host(x, mesh, out.data());
  return out;
}

TESSERA_ENGINE buffer values_on_host(stored_array const& x, mesh_value const& mesh) {
  buffer const& held = present(x);
  if constexpr (runs_on_host)
    if (stored_block(x.facts, mesh).varying.empty()) return held;
  buffer out(x.facts.size() * bytes_of(x.facts.element), memory_kind::host);
  copy_to_host(x, mesh, out.data());
  return out;
}

TESSERA_ENGINE void require_span_size(std::int64_t array, std::size_t span) {
  if (static_cast<std::int64_t>(span) != array)
    throw std::invalid_argument("tessera: copy_to: the array has " + std::to_string(array) + " elements, the span " +
                                std::to_string(span) + ". Fix: a span of as many.");
}
TESSERA_ENGINE void require_one_element(std::int64_t size) {
  if (size != 1)
    throw std::invalid_argument("tessera: item() of an array with " + std::to_string(size) +
                                " elements. Fix: to_host(), or index it down to one.");
}
TESSERA_ENGINE void require_one_device(concrete_mesh const& mesh) {
  if (mesh.size() != 1)
    throw std::logic_error("tessera: device() of an array on " + std::to_string(mesh.size()) +
                           " devices. Fix: devices(), or sharding().");
}

}  // namespace tessera::detail
