// SPDX-License-Identifier: Apache-2.0
#pragma once
// Definitions of api/processes.hpp.

#include <tessera/api/processes.hpp>
#include <tessera/comm/world/world.hpp>
#include <tessera/engine/array/own_blocks.hpp>
#include <tessera/engine/exec/memory/buffer_for.hpp>
#include <tessera/exec/memory/blocks.hpp>

#include <stdexcept>
#include <string>

namespace tessera {

namespace functions {

TESSERA_ENGINE void sync_global_devices(std::string_view name) {
  if (auto const& all = detail::world()) all->barrier("sync_global_devices " + std::string(name)).wait();
}

}  // namespace functions

namespace detail {

TESSERA_ENGINE void broadcast_bytes(void* data, std::int64_t bytes) {
  if (auto const& all = world()) all->broadcast(data, bytes, 0, "broadcast_one_to_all").wait();
}

TESSERA_ENGINE extents_list known_extents(extents_list const& type, extents_list const& given) {
  bool fits = type.size() == given.size();
  for (int d = 0; fits && d < type.size(); ++d) fits = given[d] >= 0 && (type[d] == dynamic || type[d] == given[d]);
  if (!fits)
    throw std::invalid_argument(
        "tessera: an array made of parts of processes has no shape yet. Fix: give its extents as "
        "the last argument, as many as the shape has, the same where it says them.");
  return given;
}

inline array_value parted(dtype element, extents_list const& global, spec_value const& spec,
                          concrete_mesh const& mesh) {
  array_value plain;
  plain.element = element;
  for (auto extent : global) plain.add_dim(extent);
  return value_in_layout(plain, spec, mesh.value());
}

TESSERA_ENGINE stored_array store_local(dtype element, extents_list const& global, spec_value const& spec,
                                        concrete_mesh const& mesh, void const* data, extents_list const& extents) {
  array_value const facts = parted(element, global, spec, mesh);
  mesh_value const& all = mesh.value();
  if (!with_padding(facts, all).same_shape(facts))
    throw std::invalid_argument("tessera: make_array_from_process_local_data: " + describe(facts, all) +
                                " does not divide evenly. Fix: make_array_from_callback.");
  array_value part = facts;
  bool fits = extents.size() == facts.rank;
  for (int d = 0; d < facts.rank; ++d) {
    axis_set const axes = facts.entry(d).axes();
    part.extent(d) = facts.extent(d) / all.devices(axes) * all.held_devices(axes);
    fits = fits && extents[d] == part.extent(d);
  }
  if (!fits) {
    std::string text = "tessera: make_array_from_process_local_data: of " + describe(facts, all) + " process " +
                       std::to_string(process_index()) + " has a part of (";
    for (int d = 0; d < part.rank; ++d) (text += d ? ", " : "") += std::to_string(part.extent(d));
    text += "), and was given (";
    for (int d = 0; d < extents.size(); ++d) (text += d ? ", " : "") += std::to_string(extents[d]);
    throw std::invalid_argument(text + "). Fix: the blocks of its devices, side by side.");
  }
  return {facts, store_from_host(part, all.held(), static_cast<std::byte const*>(data)).memory};
}

[[noreturn]] TESSERA_ENGINE void wrong_block(std::size_t given, std::size_t wanted, region const& index) {
  std::string text = "tessera: make_array_from_callback: the part [";
  for (int d = 0; d < index.size(); ++d) {
    if (d) text += ", ";
    text += std::to_string(index[d].start);
    text += ":";
    text += std::to_string(index[d].stop);
  }
  text += "] has ";
  text += std::to_string(wanted);
  text += " values, and the function gave ";
  text += std::to_string(given);
  throw std::invalid_argument(text + ". Fix: as many as the part has, row-major.");
}

TESSERA_ENGINE stored_array store_blocks(dtype element, extents_list const& global, spec_value const& spec,
                                         concrete_mesh const& mesh, block_filler const& fill) {
  array_value const facts = parted(element, global, spec, mesh);
  mesh_value const& all = mesh.value();
  array_value const block = stored_block(facts, all);
  auto const size = bytes_of(element);
  stored_array stored{facts, buffer_for(storage_bytes(block, all), [&] { return "an array " + describe(facts, all); })};
  std::vector<std::byte> values, full(block.size() * size);
  for (own_block const& own : own_blocks(facts, mesh)) {
    array_value part = block;
    for (int d = 0; d < part.rank; ++d) part.extent(d) = own.index[d].size();
    values.resize(part.size() * size);
    if (part.size() > 0) fill(own.index, values.data());
    copy_corner(full.data(), block, values.data(), part);
    copy_bytes(stored.memory.data() + own.offset * size, full.data(), full.size(), true);
  }
  return stored;
}

}  // namespace detail
}  // namespace tessera
