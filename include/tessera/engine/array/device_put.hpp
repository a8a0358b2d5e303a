// SPDX-License-Identifier: Apache-2.0
#pragma once
// Lays out host data over a mesh.

#include <tessera/array/device_put.hpp>
#include <tessera/engine/exec/memory/buffer_for.hpp>
#include <tessera/error/explain_text.hpp>
#include <tessera/exec/memory/blocks.hpp>

#include <stdexcept>

namespace tessera::detail {

TESSERA_ENGINE array_value value_in_layout(array_value const& unsharded, spec_value const& spec,
                                           mesh_value const& mesh) {
  verdict const judged = rule::with_spec(unsharded, spec, mesh, true);
  if (!judged) throw refused_error(judged, "device_put", unsharded, mesh);
  array_value facts = unsharded;
  for (int d = 0; d < facts.rank; ++d) facts.entry(d) = spec[d];
  return facts;
}

TESSERA_ENGINE std::int64_t bytes_written(array_value const& block, mesh_value const& mesh) {
  return block.size() * bytes_of(block.element) * mesh.held_devices(block.varying);
}

TESSERA_ENGINE stored_array store_from_host(array_value const& facts, mesh_value const& mesh, std::byte const* dense) {
  if (array_value const padded = with_padding(facts, mesh); !padded.same_shape(facts)) {
    std::vector<std::byte> staged(padded.size() * bytes_of(padded.element));
    copy_corner(staged.data(), padded, dense, facts);
    return {facts, store_from_host(padded, mesh, staged.data()).memory};
  }
  array_value const block = stored_block(facts, mesh);
  stored_array stored{facts,
                      buffer_for(storage_bytes(block, mesh), [&] { return "an array " + describe(facts, mesh); })};
  if (block.size() == 0) return stored;
  timed_transfer const timed("device_put", bytes_written(block, mesh));
  if constexpr (runs_on_host) {
    copy_blocks(block, mesh, stored.memory.data(), own_strides(block, mesh), dense, dense_strides(facts, mesh));
  } else {
    std::size_t const bytes = facts.size() * bytes_of(facts.element);
    buffer const staged(bytes);
    copy_bytes(staged.data(), dense, bytes, true);
    copy_blocks(block, mesh, stored.memory.data(), own_strides(block, mesh), staged.data(), dense_strides(facts, mesh));
    fence();
  }
  return stored;
}

[[noreturn]] TESSERA_ENGINE void no_devices() {
  throw std::invalid_argument(
      "tessera: device_put: this device_mesh has no devices. Fix: "
      "make_mesh<type>(devices()) makes one that has them.");
}

TESSERA_ENGINE stored_array store_from_host(dtype element, extents_list const& extents, spec_value const& spec,
                                            concrete_mesh const& mesh, void const* data) {
  array_value plain;
  plain.element = element;
  for (auto extent : extents) plain.add_dim(extent);
  return store_from_host(value_in_layout(plain, spec, mesh.value()), mesh.value(), static_cast<std::byte const*>(data));
}

}  // namespace tessera::detail
