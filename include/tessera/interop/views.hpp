// SPDX-License-Identifier: Apache-2.0
#pragma once
// An array's blocks as Kokkos::Views, without a copy.
//   for (auto const& shard : views(x))    one for each device of this process: shard.view, .index, .where
//   auto const whole = view_of(x)         of an array that is one block: whole.view
//   writable_views(x)                     each distinct block once; throws where another array has the same memory
//   make_array_from_views<P<dp>, shape<8, 4>, float>(mesh, [](auto view, region const& index) { ... })
//                                         a new array whose blocks are written where they are
// Views are const unless they are writable: arrays are values. Each shard keeps the memory, also of an array that is gone.
// A View alone does not, so take the shard along. Moves 0 bytes.

#include <tessera/api/processes.hpp>
#include <tessera/array/device_put_strided.hpp>
#include <tessera/array/strided.hpp>
#include <tessera/interop/view_types.hpp>

#include <stdexcept>
#include <string>
#include <vector>

namespace tessera {

// A device's block and what keeps it.
template <class View>
struct view_shard {
  device where{};
  region index{};               // [start, stop) in every dimension
  std::int64_t replica_id = 0;  // 0 for one device per distinct block
  View view{};                  // row-major; rows may be apart where blocks are not full
  buffer held{};
};

namespace detail {

[[noreturn]] inline void refuse_shared() {
  throw std::logic_error(
      "tessera: writable_views: another array, View or tensor has this memory, too, or it was adopted, and arrays do not "
      "change. Fix: let the others go, or write into a new array: make_array_from_views.");
}
[[noreturn]] inline void refuse_places() {
  throw std::logic_error(
      "tessera: views: this array's adopted memory is aligned as two numbers, and Kokkos::complex asks for more. Fix: "
      "device_put instead of adopt, which copies.");
}
[[noreturn]] inline void refuse_blocks(std::int64_t blocks) {
  throw std::logic_error("tessera: view_of: this array is in " + std::to_string(blocks) +
                         " blocks. Fix: views(x), or reshard<P<>>(x) first.");
}

template <class View, ArrayType A>
std::vector<view_shard<View>> shards_as(array<A> const& x) {
  if (x.is_released()) gone();
  std::vector<view_shard<View>> made;
  for (auto const& s : x.addressable_shards()) {
    if (!is_place_of<typename View::value_type>(s.data)) refuse_places();
    made.push_back({s.where, s.index, s.replica_id, view_at<View>(s.data, s.shape(), s.block), s.held});
  }
  return made;
}

}  // namespace detail

template <ArrayType A>
auto views(array<A> const& x) {
  using types = detail::view_of_type<A>;
  return detail::shards_as<typename types::template view<typename types::element const>>(x);
}

template <ArrayType A>
auto view_of(array<A> const& x) {
  constexpr bool known = A::mesh::value.of_kind(axis_kind::automatic).empty();
  static_assert(
      !known || A::mesh::value.devices(A::value.sharded_axes() | A::value.unreduced) <= 1,
      "tessera: view_of shows an array that is one block, and this one is split. Fix: views(x), a View for each "
      "device; or reshard<P<>>(x) first.");
  if (x.is_released()) detail::gone();
  mesh_value const& mesh = x.mesh().value();
  auto const blocks = mesh.devices(stored_block(x.stored().facts, mesh).varying);
  if (blocks != 1) detail::refuse_blocks(blocks);
  return views(x).front();
}

template <ArrayType A>
auto writable_views(array<A>& x) {
  using types = detail::view_of_type<A>;
  if (x.is_released()) detail::gone();
  if (!x.stored().memory.unique()) detail::refuse_shared();
  auto all = detail::shards_as<typename types::template view<typename types::element>>(x);
  decltype(all) distinct;
  for (auto& shard : all) {
    bool known = false;
    for (auto const& other : distinct) known = known || other.view.data() == shard.view.data();
    if (!known) distinct.push_back(shard);
  }
  return distinct;
}
template <ArrayType A>
void writable_views(array<A> const&&) = delete;  // written, and then gone

// fill(view, index): writes the part [start, stop) of each dimension; once for each distinct block of this process'
// devices. What it launches elsewhere than on the default execution space, it waits for. `global`: the extents, where the
// shape leaves some open.
template <Spec S, class Shape, class T, Mesh M, class F>
auto make_array_from_views(device_mesh<M> const& mesh, F const& fill,
                           extents_list const& global = detail::extents_of_shape<Shape>::value) {
  auto made = detail::made_of_parts<S, Shape, T>(mesh, [&](spec_value const& spec) {
    auto const extents = detail::known_extents(detail::extents_of_shape<Shape>::value, global);
    return detail::without_values(detail::value_in_layout(dtype_of<T>(), extents, spec, mesh), mesh.value());
  });
  if constexpr (requires { made.stored(); })
    for (auto const& shard : writable_views(made)) fill(shard.view, shard.index);
  return made;
}
template <Spec S, class Shape, class T, Mesh M, class F>
auto make_array_from_views(M const&, F const&, extents_list const& = {}) {
  written::mesh_without_devices<M>::explain();
  return poisoned<explained<>>{};
}

}  // namespace tessera
