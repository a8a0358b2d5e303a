// SPDX-License-Identifier: Apache-2.0
#pragma once
// named_sharding{mesh, P<dp, mp>{}}: the placement of an array's parts: mesh with devices, spec, memory kind. Its type
// has the layout, so that device_put(x, sharding) has a type, too; named_sharding{mesh, P<dp>{}, on_host{}} is in host
// memory. concrete_sharding is the same without a type, computed from one or built from values. Source: JAX 0.10.2
// jax.sharding.NamedSharding; prints as it does. On the empty mesh it is JAX's SingleDeviceSharding.

#include <tessera/array/device_mesh.hpp>
#include <tessera/aval/array_type.hpp>
#include <tessera/base/functions_otherwise.hpp>
#include <tessera/error/axis_not_in_mesh.hpp>
#include <tessera/error/axis_used_twice.hpp>
#include <tessera/error/spell.hpp>
#include <tessera/error/unconstrained_dim.hpp>
#include <tessera/spec/named_spec.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace tessera {
namespace ops {
struct named_sharding;  // the place of a refusal
}

// JAX's names of memory kinds. Host memory prints as pinned_host, whether or not its pages are pinned.
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

// The part of an array that a device has; replicas 0, 1, ... have the same part, numbered in mesh order.
struct device_region {
  device where;
  region index{};
  std::int64_t replica_id = 0;
};

class concrete_sharding {
public:
  concrete_sharding();
  // Throws std::invalid_argument if spec names an axis that the mesh does not have, or one axis twice.
  concrete_sharding(concrete_mesh mesh, spec_value const& spec, memory_kind memory = memory_kind::device);
  concrete_mesh const& mesh() const { return mesh_; }
  named_spec spec() const { return {spec_, mesh_.value()}; }
  memory_kind memory() const { return memory_; }
  std::vector<device> const& devices() const { return mesh_.devices(); }
  concrete_sharding with_spec(spec_value const& spec) const { return {mesh_, spec, memory_}; }
  concrete_sharding with_memory(memory_kind memory) const { return {mesh_, spec_, memory}; }
  // By JAX's name. Throws std::invalid_argument for a kind that the devices do not have.
  concrete_sharding with_memory_kind(std::string_view name) const;

  // The mesh axes over which parts differ: those of the spec and of unreduced sums.
  axis_set distinct_over() const;
  // Every device holds the whole array.
  bool is_fully_replicated() const { return mesh_.value().devices(distinct_over()) == 1; }

  // The number of parts of each dimension: 1 beyond the spec's length.
  std::int64_t parts(int dim) const { return mesh_.value().devices(spec_[dim].axes()); }
  // The index of the part that the device at `position` (in mesh order) has.
  std::int64_t part_at(int dim, std::int64_t position) const;

  // (M,N) -> one device's (M/parts(0), N/parts(1)), rounded up for axes that may split unevenly. Throws
  // std::invalid_argument if another extent is not divisible or the spec has more entries than there are extents.
  extents_list shard_shape(extents_list const& extents) const;
  // For every device, in mesh order. Throws as shard_shape does.
  std::vector<device_region> devices_indices_map(extents_list const& extents) const;

  // Whether the same devices in the same order have the same parts of an array of this rank, in the same memory, with
  // the same unreduced sums: nothing has to move from one to the other.
  bool is_equivalent_to(concrete_sharding const& other, int rank) const;
  // The same mesh, the same spec as written, the same memory.
  bool operator==(concrete_sharding const&) const = default;

  std::string text() const;

protected:
  enum class trouble { none, unknown_axis, axis_twice, open_dim };
  static constexpr trouble problem(spec_value const& spec, mesh_value const& mesh) {
    axis_set seen = spec.unreduced | spec.reduced;
    if (spec.open_dim() >= 0) return trouble::open_dim;
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
  void require() const;

  concrete_mesh mesh_{};
  spec_value spec_{};
  memory_kind memory_ = memory_kind::device;
};

template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, concrete_sharding const& sharding) {
  return out << sharding.text();
}

// S names the axes of M that split an array's dimensions; Auto axes, which the type of an array does not have, are only
// in spec(). Kind is the memory of the arrays.
template <Spec S, Mesh M, memory_kind Kind = memory_kind::device>
class named_sharding : public concrete_sharding, public asked_layout {
public:
  using spec_type = S;
  using mesh_type = M;

  named_sharding() = default;
  named_sharding(device_mesh<M> const& mesh, S) : named_sharding(mesh, spec_value_of<M, S>) {
    constexpr trouble found = problem(spec_value_of<M, S>, M::value);
    if constexpr (found == trouble::unknown_axis)
      error::axis_not_in_mesh<ops::named_sharding, error::asked<S>, error::mesh_has_all<M>>::explain();
    else if constexpr (found == trouble::axis_twice)
      error::axis_used_twice<ops::named_sharding, error::asked<S>>::explain();
    else if constexpr (found == trouble::open_dim)
      error::unconstrained_dim<ops::named_sharding, error::asked<S>>::explain();
  }
  named_sharding(device_mesh<M> const& mesh, S spec, on_host) requires(Kind == memory_kind::host)
      : named_sharding(mesh, spec) {}
  named_sharding(device_mesh<M> const& mesh, S spec, on_device) requires(Kind == memory_kind::device)
      : named_sharding(mesh, spec) {}
  // The actual placement of an array of a type with S. Throws as concrete_sharding does.
  named_sharding(device_mesh<M> const& mesh, spec_value const& real)
      : concrete_sharding(mesh, real, Kind), placed_(mesh) {}

  // named_sharding(mesh, "dp") does not compile.
  template <class X>
    requires(std::is_convertible_v<X const&, std::string_view> || std::is_base_of_v<axis, X>)
  named_sharding(device_mesh<M> const& mesh, X const&) : named_sharding(mesh, spec_value{}) {
    written::axes_as_arguments<X>::explain();
  }
  // named_sharding(grid{}, P<dp>{}) does not compile.
  template <class... X>
  named_sharding(M const&, X const&...) {
    written::mesh_without_devices<M>::explain();
  }

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
template <Mesh M, class X>
  requires(std::is_convertible_v<X const&, std::string_view> || std::is_base_of_v<axis, X>)
named_sharding(device_mesh<M>, X const&)
->named_sharding<P<>, M>;
template <Mesh M, class... X>
named_sharding(M, X const&...) -> named_sharding<P<>, M>;

}  // namespace tessera
