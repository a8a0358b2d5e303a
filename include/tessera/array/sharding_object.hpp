// SPDX-License-Identifier: Apache-2.0
#pragma once
// named_sharding{mesh, P<dp, mp>{}}: where the parts of an array are: mesh with devices, spec, memory kind. Its type carries
// the layout, so that device_put(x, sharding) has a type, too; named_sharding{mesh, P<dp>{}, on_host{}} is in host memory.
// concrete_sharding is the same without a type: what is computed from one, or built from values.
// Source: JAX 0.10.2 jax.sharding.NamedSharding; prints as it does. On the empty mesh it is JAX's SingleDeviceSharding.

#include <tessera/array/device_mesh.hpp>
#include <tessera/aval/array_type.hpp>
#include <tessera/spec/named_spec.hpp>

#include <stdexcept>
#include <string>

namespace tessera {

// JAX's names of memory kinds. Ours of the host prints as pinned_host, whether or not its pages are pinned.
constexpr std::string_view name_of(memory_kind memory) {
  return memory == memory_kind::device ? "device" : "pinned_host";
}

// [start, stop) of one dimension.
struct index_range {
  std::int64_t start = 0, stop = 0;
  constexpr std::int64_t size() const { return stop - start; }
  constexpr bool operator==(index_range const&) const = default;
};
using region = inplace_list<index_range, max_rank>;

// The part of an array that a device holds; replica 0, 1, ... of those that hold the same part, in mesh order.
struct device_region {
  device where;
  region index{};
  std::int64_t replica_id = 0;
};

class concrete_sharding {
public:
  concrete_sharding() = default;
  // Throws std::invalid_argument when spec names an axis that mesh has not, or one axis twice.
  concrete_sharding(concrete_mesh mesh, spec_value spec, memory_kind memory = memory_kind::device)
      : mesh_(std::move(mesh)), spec_(spec), memory_(memory) {
    require();
  }
  concrete_mesh const& mesh() const { return mesh_; }
  named_spec spec() const { return {spec_, mesh_.value()}; }
  memory_kind memory() const { return memory_; }
  std::vector<device> const& devices() const { return mesh_.devices(); }
  concrete_sharding with_spec(spec_value spec) const { return {mesh_, spec, memory_}; }
  concrete_sharding with_memory(memory_kind memory) const { return {mesh_, spec_, memory}; }
  // By JAX's name. Throws std::invalid_argument for a kind that the devices do not have.
  concrete_sharding with_memory_kind(std::string_view name) const {
    if (name == "device") return with_memory(memory_kind::device);
    if (name == "pinned_host" || name == "unpinned_host") return with_memory(memory_kind::host);
    throw std::invalid_argument("tessera: no device has memory of the kind '" + std::string(name) +
                                "'. Fix: device, pinned_host or unpinned_host.");
  }

  // The mesh axes over which parts differ: those of the spec and pending sums.
  axis_set distinct_over() const {
    axis_set set = spec_.unreduced;
    for (int d = 0; d < spec_.rank; ++d) set |= spec_[d].axes();
    return set;
  }
  // Every device holds the whole array.
  bool is_fully_replicated() const { return mesh_.value().devices(distinct_over()) == 1; }

  // How many parts each dimension has: 1 beyond the spec's length.
  std::int64_t parts(int dim) const { return mesh_.value().devices(spec_[dim].axes()); }
  // Which of them the device at `position` (in mesh order) holds.
  std::int64_t part_at(int dim, std::int64_t position) const {
    auto const at = coordinates_of(mesh_.value(), position);
    std::int64_t part = 0;
    for (int k = 0; k < spec_[dim].count(); ++k) {
      int const a = spec_[dim].axis(k);
      part = part * mesh_.value().size(a) + at[static_cast<std::size_t>(a)];
    }
    return part;
  }

  // (M,N) -> one device's (M/parts(0), N/parts(1)), rounded up where axes may split unevenly. Throws
  // std::invalid_argument when another extent does not divide or the spec has more entries than there are extents.
  extents_list shard_shape(extents_list const& extents) const;
  // For every device, in mesh order. Throws as shard_shape does.
  std::vector<device_region> devices_indices_map(extents_list const& extents) const;

  // The same devices in the same order hold the same parts of an array of this rank, in the same memory, and the same
  // sums are pending: nothing has to move from one to the other.
  bool is_equivalent_to(concrete_sharding const& other, int rank) const;
  // The same mesh, the same spec as written, the same memory.
  bool operator==(concrete_sharding const&) const = default;

  std::string text() const {
    if (mesh_.value().rank == 0 && !mesh_.empty())
      return "SingleDeviceSharding(device=" + to_string(devices().front()) +
             ", memory_kind=" + std::string(name_of(memory_)) + ")";
    return "NamedSharding(mesh=" + mesh_.text() + ", spec=" + spec().text() +
           ", memory_kind=" + std::string(name_of(memory_)) + ")";
  }

protected:
  enum class trouble { none, unknown_axis, axis_twice };
  static constexpr trouble problem(spec_value const& spec, mesh_value const& mesh) {
    axis_set seen = spec.unreduced | spec.reduced;
    if (!mesh.axes().contains(seen)) return trouble::unknown_axis;
    for (int d = 0; d < spec.rank; ++d)
      for (int k = 0; k < spec[d].count(); ++k) {
        auto const axis = axis_set::of(spec[d].axis(k));
        if (!mesh.axes().contains(axis)) return trouble::unknown_axis;
        if (seen.contains(axis)) return trouble::axis_twice;
        seen |= axis;
      }
    return trouble::none;
  }

private:
  void require() const {
    std::string const me = "tessera: a spec on " + mesh_.text();
    if (spec_.too_long) throw std::invalid_argument(me + " has more than 8 entries.");
    auto const found = problem(spec_, mesh_.value());
    if (found == trouble::unknown_axis)
      throw std::invalid_argument(me + " names an axis that it does not have. Fix: name an axis of the mesh, or none.");
    if (found == trouble::axis_twice)
      throw std::invalid_argument(me + " uses an axis twice: " + spec().text() + ". Fix: name each axis once.");
  }

  concrete_mesh mesh_{};
  spec_value spec_{};
  memory_kind memory_ = memory_kind::device;
};

template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, concrete_sharding const& sharding) {
  return out << sharding.text();
}

// S names the axes of M that split an array's dimensions; an array's own sharding says of Auto axes only in spec() what
// its type does not. Kind is the memory that arrays are put into.
template <Spec S, Mesh M, memory_kind Kind = memory_kind::device>
class named_sharding : public concrete_sharding {
public:
  using spec_type = S;
  using mesh_type = M;

  named_sharding() = default;
  named_sharding(device_mesh<M> const& mesh, S) : named_sharding(mesh, spec_value_of<M, S>) {
    static_assert(problem(spec_value_of<M, S>, M::value) != trouble::unknown_axis,
                  "tessera: a spec names an axis that the mesh does not have. Fix: name an axis of the mesh, or none.");
    static_assert(problem(spec_value_of<M, S>, M::value) != trouble::axis_twice,
                  "tessera: a spec uses a mesh axis twice. Fix: name each axis once.");
  }
  named_sharding(device_mesh<M> const& mesh, S spec, on_host) requires(Kind == memory_kind::host)
      : named_sharding(mesh, spec) {}
  named_sharding(device_mesh<M> const& mesh, S spec, on_device) requires(Kind == memory_kind::device)
      : named_sharding(mesh, spec) {}
  // Where an array of a type with S really lies. Throws as concrete_sharding does.
  named_sharding(device_mesh<M> const& mesh, spec_value const& real)
      : concrete_sharding(mesh, real, Kind), placed_(mesh) {}

  device_mesh<M> const& mesh() const { return placed_; }
  named_sharding<S, M, memory_kind::host> with_memory(on_host) const { return {mesh(), spec().value}; }
  named_sharding<S, M, memory_kind::device> with_memory(on_device) const { return {mesh(), spec().value}; }
  using concrete_sharding::with_memory;

private:
  device_mesh<M> placed_{};
};
template <Mesh M, class... E>
named_sharding(device_mesh<M>, P<E...>) -> named_sharding<P<E...>, M>;
template <Mesh M, class... E>
named_sharding(device_mesh<M>, P<E...>, on_device) -> named_sharding<P<E...>, M>;
template <Mesh M, class... E>
named_sharding(device_mesh<M>, P<E...>, on_host) -> named_sharding<P<E...>, M, memory_kind::host>;

inline extents_list concrete_sharding::shard_shape(extents_list const& extents) const {
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

inline std::vector<device_region> concrete_sharding::devices_indices_map(extents_list const& extents) const {
  extents_list const shard = shard_shape(extents);
  mesh_value const& mesh = mesh_.value();
  std::vector<device_region> map;
  for (std::int64_t p = 0; p < mesh_.size(); ++p) {
    device_region mine{devices()[static_cast<std::size_t>(p)], {}, 0};
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

inline bool concrete_sharding::is_equivalent_to(concrete_sharding const& other, int rank) const {
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
