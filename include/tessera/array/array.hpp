// SPDX-License-Identifier: Apache-2.0
#pragma once
// array<A>: an immutable distributed array whose type A says dtype, shape, spec and mesh. Copying shares the memory.
// Memory holds each distinct block once: replicated shards are the same bytes. Source: JAX jax.Array.

#include <tessera/array/dense.hpp>
#include <tessera/array/device_mesh.hpp>
#include <tessera/array/sharding_object.hpp>
#include <tessera/exec/blocks.hpp>
#include <tessera/exec/runtime.hpp>
#include <tessera/trace/operand.hpp>

#include <array>
#include <memory>
#include <vector>

namespace tessera {

// What an array is beneath its type: concrete facts (run-time extents, Auto axes in the spec) and memory.
struct stored_array {
  array_value facts{};  // global; entries name the axes that really split it
  buffer memory{};
};

// One device's part of an array.
struct addressable_shard {
  device where;
  std::array<std::array<std::int64_t, 2>, max_rank> index{};  // [start, stop) in every dimension
  int rank = 0;
  std::int64_t replica_id = 0;      // 0 for one device per distinct block
  std::byte const* data = nullptr;  // the block, row-major; device memory on a GPU
  extents_list extents{};           // of the block
};

template <class X>
class indexed_update;  // array/at.hpp

template <ArrayType A>
class array : public operators<array<A>> {
public:
  using type = A;
  using mesh_type = typename A::mesh;
  using element = element_of<A::value.element>;
  using host_element =
      std::conditional_t<std::is_same_v<element, bool>, std::uint8_t, element>;  // std::vector<bool> has no data()
  static constexpr int rank = A::rank;

  array() = default;
  array(device_mesh<mesh_type> mesh, stored_array stored) : mesh_(std::move(mesh)), stored_(std::move(stored)) {}

  // The facts of the type with the sizes known now.
  array_value facts() const {
    array_value v = A::value;
    v.extents = stored_.facts.extents;
    return v;
  }
  stored_array const& stored() const { return stored_; }
  device_mesh<mesh_type> const& mesh() const { return mesh_; }
  extents_list shape() const {
    extents_list list;
    for (int d = 0; d < rank; ++d) list.push_back(stored_.facts.extent(d));
    return list;
  }
  std::int64_t size() const { return stored_.facts.size(); }
  std::int64_t nbytes() const { return size() * bytes_of(A::value.element); }
  static constexpr tessera::dtype dtype() { return A::value.element; }
  // Where it really is: on Auto axes this says more than the type.
  named_sharding sharding() const { return {mesh_, layout_of(stored_.facts), stored_.facts.memory}; }
  std::vector<device> devices() const { return mesh_.devices(); }
  bool is_fully_replicated() const { return stored_.facts.sharded_axes().empty(); }
  std::vector<addressable_shard> addressable_shards() const;

  // A copy of the whole array in host memory, row-major.
  std::vector<host_element> to_host() const {
    std::vector<host_element> out(static_cast<std::size_t>(size()));
    copy_to(reinterpret_cast<std::byte*>(out.data()));
    return out;
  }
  // The value of an array with one element.
  element item() const {
    if (size() != 1)
      throw std::invalid_argument("tessera: item() of an array with " + std::to_string(size()) +
                                  " elements. Fix: to_host(), or index it down to one.");
    element value{};
    copy_to(reinterpret_cast<std::byte*>(&value));
    return value;
  }
  // Kokkos' host spaces run operations before they return; on a GPU this waits for the device.
  array const& block_until_ready() const {
    fence();
    return *this;
  }
  // x.at(i, slice_of(1, 3)).set(v): a new array with that part replaced (also add, multiply, min, max).
  template <class... Index>
  indexed_update<array> at(Index... index) const;

private:
  void copy_to(std::byte* out) const {
    auto const mesh = mesh_.value();
    array_value const block = stored_block(stored_.facts, mesh);
    if (block.size() == 0) return;
    auto const bytes = static_cast<std::size_t>(nbytes());
    if constexpr (runs_on_host) {
      detail::copy_blocks(block, mesh, out, dense_strides(stored_.facts, mesh), stored_.memory.data(),
                          own_strides(block, mesh));
    } else {
      buffer const staged(bytes);
      detail::copy_blocks(block, mesh, staged.data(), dense_strides(stored_.facts, mesh), stored_.memory.data(),
                          own_strides(block, mesh));
      fence();
      detail::copy_bytes(out, staged.data(), bytes, false);
    }
  }

  device_mesh<mesh_type> mesh_{};
  stored_array stored_{};
};

template <ArrayType A>
struct operand_traits<array<A>> {
  static constexpr operand_kind kind = operand_kind::array;
  using type = A;
};

template <ArrayType A>
std::vector<addressable_shard> array<A>::addressable_shards() const {
  auto const mesh = mesh_.value();
  array_value const& global = stored_.facts;
  array_value const block = stored_block(global, mesh);
  std::int64_t const step = block_stride(block) * bytes_of(block.element);
  std::vector<addressable_shard> shards;
  std::vector<device> const devices = mesh_.devices();
  for (std::size_t p = 0; p < devices.size(); ++p) {
    auto const at = coordinates_of(mesh, static_cast<std::int64_t>(p));
    addressable_shard shard{devices[p], {}, rank, 0, nullptr, {}};
    for (int d = 0; d < rank; ++d) {
      std::int64_t part = 0;
      for (int k = 0; k < global.entry(d).count(); ++k) {
        int const a = global.entry(d).axis(k);
        part = part * mesh.size(a) + at[static_cast<std::size_t>(a)];
      }
      auto const extent = block.extent(d);
      shard.index[static_cast<std::size_t>(d)] = {part * extent, (part + 1) * extent};
      shard.extents.push_back(extent);
    }
    shard.replica_id = position_of(mesh, at, mesh.axes() - block.varying);
    shard.data = stored_.memory.data() + position_of(mesh, at, block.varying) * step;
    shards.push_back(shard);
  }
  return shards;
}

template <class X>
inline constexpr bool is_array = false;
template <ArrayType A>
inline constexpr bool is_array<array<A>> = true;

}  // namespace tessera
