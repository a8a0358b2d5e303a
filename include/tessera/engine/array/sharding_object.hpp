// SPDX-License-Identifier: Apache-2.0
#pragma once
// Definitions of concrete_sharding: the part of an array that each device holds.

#include <tessera/array/sharding_object.hpp>

#include <algorithm>
#include <stdexcept>

namespace tessera {

TESSERA_ENGINE concrete_sharding::concrete_sharding() = default;
TESSERA_ENGINE concrete_sharding::concrete_sharding(concrete_mesh mesh, spec_value const& spec, memory_kind memory)
    : mesh_(std::move(mesh)), spec_(spec), memory_(memory) {
  require();
}
TESSERA_ENGINE concrete_sharding concrete_sharding::with_memory_kind(std::string_view name) const {
  if (name == "device") return with_memory(memory_kind::device);
  if (name == "pinned_host" || name == "unpinned_host") return with_memory(memory_kind::host);
  throw std::invalid_argument("tessera: no device has memory of the kind '" + std::string(name) +
                              "'. Fix: device, pinned_host or unpinned_host.");
}
TESSERA_ENGINE axis_set concrete_sharding::distinct_over() const {
  axis_set set = spec_.unreduced;
  for (int d = 0; d < spec_.rank; ++d) set |= spec_[d].axes();
  return set;
}
TESSERA_ENGINE std::int64_t concrete_sharding::part_at(int dim, std::int64_t position) const {
  auto const at = coordinates_of(mesh_.value(), position);
  std::int64_t part = 0;
  for (int k = 0; k < spec_[dim].count(); ++k) {
    int const a = spec_[dim].axis(k);
    part = part * mesh_.value().size(a) + at[a];
  }
  return part;
}
TESSERA_ENGINE std::string concrete_sharding::text() const {
  if (mesh_.value().rank == 0 && !mesh_.empty())
    return "SingleDeviceSharding(device=" + to_string(devices().front()) +
           ", memory_kind=" + std::string(name_of(memory_)) + ")";
  return "NamedSharding(mesh=" + mesh_.text() + ", spec=" + spec().text() +
         ", memory_kind=" + std::string(name_of(memory_)) + ")";
}
TESSERA_ENGINE void concrete_sharding::require() const {
  std::string const me = "tessera: a spec on " + mesh_.text();
  if (spec_.too_long) throw std::invalid_argument(me + " has more than 8 entries.");
  auto const found = problem(spec_, mesh_.value());
  if (found == trouble::unknown_axis)
    throw std::invalid_argument(me + " names an axis that it does not have. Fix: name an axis of the mesh, or none.");
  if (found == trouble::axis_twice)
    throw std::invalid_argument(me + " uses an axis twice: " + spec().text() + ". Fix: name each axis once.");
  if (found == trouble::open_dim)
    throw std::invalid_argument(me + " leaves a dimension unconstrained: " + spec().text() + ". Fix: none.");
}

TESSERA_ENGINE extents_list concrete_sharding::shard_shape(extents_list const& extents) const {
  using std::to_string;
  if (spec_.rank > extents.size())
    throw std::invalid_argument("tessera: " + spec().text() + " has " + to_string(spec_.rank) +
                                " entries for an array of rank " + to_string(extents.size()) +
                                ". Fix: at most one entry per dimension.");
  extents_list shard = extents;
  for (int d = 0; d < extents.size(); ++d) {
    if (auto const over = extents[d] % parts(d); over != 0 && !mesh_.value().uneven.contains(spec_[d].axes()))
      throw std::invalid_argument("tessera: dimension " + to_string(d) + " (size " + to_string(extents[d]) +
                                  ") does not divide into the " + to_string(parts(d)) + " parts of " + spec().text() +
                                  ". Fix: pad it to " + to_string(extents[d] - over + parts(d)) +
                                  ", or split another dimension.");
    shard[d] = block_extent(shard[d], parts(d));
  }
  return shard;
}

TESSERA_ENGINE std::vector<device_region> concrete_sharding::devices_indices_map(extents_list const& extents) const {
  extents_list const shard = shard_shape(extents);
  mesh_value const& mesh = mesh_.value();
  std::vector<device_region> map;
  for (std::int64_t p = 0; p < mesh_.size(); ++p) {
    device_region mine{devices()[p], {}, 0};
    for (int d = 0; d < extents.size(); ++d) {
      auto const start = std::min(part_at(d, p) * shard[d], extents[d]);
      mine.index.push_back({start, std::min(start + shard[d], extents[d])});
    }
    axis_set split;
    for (int d = 0; d < spec_.rank; ++d) split |= spec_[d].axes();
    mine.replica_id = position_of(mesh, coordinates_of(mesh, p), mesh.axes() - split);
    map.push_back(mine);
  }
  return map;
}

TESSERA_ENGINE bool concrete_sharding::is_equivalent_to(concrete_sharding const& other, int rank) const {
  if (memory_ != other.memory_ || devices() != other.devices()) return false;
  mesh_value const &mine = mesh_.value(), &theirs = other.mesh_.value();
  if (mine.devices(spec_.unreduced) != theirs.devices(other.spec_.unreduced)) return false;
  for (int d = 0; d < rank; ++d)
    if (parts(d) != other.parts(d)) return false;
  for (std::int64_t p = 0; p < mesh_.size(); ++p) {
    for (int d = 0; d < rank; ++d)
      if (part_at(d, p) != other.part_at(d, p)) return false;
    if (position_of(mine, coordinates_of(mine, p), spec_.unreduced) !=
        position_of(theirs, coordinates_of(theirs, p), other.spec_.unreduced))
      return false;
  }
  return true;
}

}  // namespace tessera
