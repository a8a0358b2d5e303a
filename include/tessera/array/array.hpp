// SPDX-License-Identifier: Apache-2.0
#pragma once
// array<A>: an immutable distributed array whose type A has dtype, shape, spec and mesh. Copying shares the memory.
// Memory holds each distinct block once: replicated shards are the same bytes. Source: JAX jax.Array.

#include <tessera/array/dense.hpp>
#include <tessera/array/device_mesh.hpp>
#include <tessera/array/host_array.hpp>
#include <tessera/array/sharding_object.hpp>
#include <tessera/array/stored_array.hpp>
#include <tessera/array/transfer_log.hpp>
#include <tessera/base/arrays_otherwise.hpp>
#include <tessera/exec/device/runtime.hpp>
#include <tessera/exec/memory/buffer.hpp>
#include <tessera/trace/apply.hpp>
#include <tessera/trace/assign.hpp>
#include <tessera/trace/error_in.hpp>

#include <span>
#include <vector>

namespace tessera {

namespace detail {
// std::vector<bool> has no data().
template <class Element>
using host_element_of = std::conditional_t<std::is_same_v<Element, bool>, std::uint8_t, Element>;
}  // namespace detail

namespace detail {
// Bytes from memory of this kind into host memory.
void copy_from(memory_kind kind, std::byte* to, std::byte const* from, std::size_t bytes);
}  // namespace detail

// One device's part of an array.
template <class Element>
struct addressable_shard {
  device where;
  region index{};                 // [start, stop) in every dimension
  std::int64_t replica_id = 0;    // 0 for one device per distinct block
  Element const* data = nullptr;  // the block, row-major, in `memory`; replicas point to the same
  extents_list block{};           // its extents: shape(), except for blocks that are not full
  memory_kind memory = memory_kind::device;
  buffer held{};  // keeps `data` after the array is destroyed

  extents_list shape() const {
    extents_list list;
    for (index_range const& range : index) list.push_back(range.size());
    return list;
  }
  // A copy of the block in host memory.
  std::vector<detail::host_element_of<Element>> to_host() const {
    array_value stored, part;
    stored.element = part.element = dtype_of<Element>();
    for (int d = 0; d < block.size(); ++d) {
      stored.add_dim(block[d]);
      part.add_dim(index[d].size());
    }
    std::vector<detail::host_element_of<Element>> out(stored.size());
    auto const bytes = out.size() * sizeof(Element);
    auto* const to = reinterpret_cast<std::byte*>(out.data());
    auto const* const from = reinterpret_cast<std::byte const*>(data);
    detail::copy_from(memory, to, from, bytes);
    if (part.same_shape(stored)) return out;
    std::vector<detail::host_element_of<Element>> full(part.size());
    copy_corner(reinterpret_cast<std::byte*>(full.data()), part, to, stored);
    return full;
  }
};

namespace detail {

// Throws: the array has no memory.
[[noreturn]] void gone();

// Throw otherwise.
void require_span_size(std::int64_t array, std::size_t span);
void require_one_element(std::int64_t size);
void require_one_device(concrete_mesh const& mesh);
// Conversions between numbers, but not from complex to real, which would lose a part.
template <class Element, class T>
inline constexpr bool number_from = std::is_arithmetic_v<T> &&
                                    (std::is_arithmetic_v<Element> || std::is_convertible_v<Element, float>);
// Whether its type allows one element.
constexpr bool may_be_one_element(array_value const& x) {
  for (int d = 0; d < x.rank; ++d)
    if (x.extent(d) != 1 && x.extent(d) != dynamic) return false;
  return true;
}
// What array(values) is deduced as.
struct of_values : array_type<float, shape<>, P<>, no_mesh> {};
struct of_traced : array_type<float, shape<>, P<>, no_mesh> {};
}  // namespace detail

template <class X, class... Index>
class indexed_update;  // api/at.hpp

template <ArrayType A>
class array;
template <ArrayType A>
inline constexpr bool takes_refused<array<A>> = true;

template <ArrayType A>
class array : public operators<array<A>> {
public:
  using type = A;
  using mesh_type = typename A::mesh;
  using element = element_of<A::value.element>;
  using host_element = detail::host_element_of<element>;
  static constexpr int rank = A::rank;

  array() = default;
  array(device_mesh<mesh_type> const& mesh, stored_array stored) : mesh_(mesh), stored_(std::move(stored)) {}

  // x = y where y is of another type does not compile.
  template <class Y>
    requires(Operand<Y> && !std::is_same_v<Y, array>)
  array& operator=(Y const& y) {
    detail::assign(*this, y);
    return *this;
  }

  // The facts of the type with actual sizes.
  array_value facts() const {
    array_value v = A::value;
    v.extents = stored_.facts.extents;
    return v;
  }
  stored_array const& stored() const { return stored_; }
  device_mesh<mesh_type> const& mesh() const { return mesh_; }
  extents_list shape() const { return stored_.shape(); }
  static constexpr int ndim() { return rank; }
  std::int64_t size() const { return stored_.facts.size(); }
  std::int64_t nbytes() const { return size() * bytes_of(A::value.element); }
  static constexpr tessera::dtype dtype() { return A::value.element; }
  // The actual layout: over Auto axes it says more than the type. device_put(y, x.sharding()) gives y this layout;
  // unreduced sums are not part of its type.
  auto sharding() const {
    if constexpr (A::value.unreduced.empty() && A::value.reduced.empty())
      return named_sharding<typename A::spec, mesh_type, A::value.memory>(mesh_, layout_of(stored_.facts));
    else
      return concrete_sharding(mesh_, layout_of(stored_.facts), A::value.memory);
  }
  std::vector<tessera::device> devices() const { return mesh_.devices(); }
  // The device of an array on one device; throws std::logic_error if there are several, for which JAX returns a
  // sharding.
  tessera::device device() const {
    detail::require_one_device(mesh_);
    return mesh_.devices().front();
  }
  // Whether the program put it on its device, or computed it from an array that it put on one. Source: JAX committed.
  bool committed() const { return mesh_.committed(); }
  // The same number for the same array and its copies. Source: Python's id().
  std::uintptr_t id() const { return reinterpret_cast<std::uintptr_t>(stored_.memory.data()); }
  // Whether this process has every block; otherwise use process_allgather(x). Source: JAX is_fully_addressable.
  bool is_fully_addressable() const { return detail::is_addressable(stored_.facts, mesh_.value()); }
  bool is_fully_replicated() const { return sharding().is_fully_replicated(); }
  // One for each device of the mesh in this process, in the mesh's order.
  std::vector<addressable_shard<element>> addressable_shards() const;

  // The whole array on the host, row-major: copied, or the array's own memory if that is one block on the host.
  host_array<host_element> to_host() const { return {detail::values_on_host(stored_, mesh_.value()), shape()}; }
  // The same into the caller's memory: nothing is allocated, no new page touched. Throws if the size differs.
  void copy_to(std::span<host_element> out) const {
    detail::require_span_size(size(), out.size());
    detail::copy_to_host(stored_, mesh_.value(), reinterpret_cast<std::byte*>(out.data()));
  }
  // The value of an array with one element.
  element item() const {
    if constexpr (!detail::may_be_one_element(A::value)) written::several_elements<A>::explain();
    detail::require_one_element(size());
    element value{};
    detail::copy_to_host(stored_, mesh_.value(), reinterpret_cast<std::byte*>(&value));
    return value;
  }
  // float(x), static_cast<int>(x), if (x), for an array without dimensions, with C++'s conversion. Source: JAX
  // float(x).
  template <class T>
    requires(rank == 0 && (std::is_same_v<T, element> || detail::number_from<element, T>))
  explicit operator T() const {
    if constexpr (std::is_same_v<T, element> || std::is_arithmetic_v<element>)
      return static_cast<T>(item());
    else
      return static_cast<T>(static_cast<float>(item()));
  }
  // Kokkos' host spaces run operations before they return; on a GPU this waits for the device.
  array const& block_until_ready() const {
    fence();
    return *this;
  }
  // Releases this handle's share of the memory; the array cannot be read afterwards. Source: JAX jax.Array.delete.
  void release() { stored_.memory = {}; }
  bool is_released() const { return !stored_.memory; }
  // x.at(i, span(1, 3)).set(v): a new array with that part replaced (also add, multiply, min, max); .get(): the part.
  template <class... Index>
  auto at(Index... index) const;

private:
  device_mesh<mesh_type> mesh_{};
  stored_array stored_{};
};

template <ArrayType A>
struct operand_traits<array<A>> {
  static constexpr operand_kind kind = operand_kind::array;
  using type = A;
};

template <ArrayType A>
auto array<A>::addressable_shards() const -> std::vector<addressable_shard<element>> {
  auto const mesh = mesh_.value();
  array_value const block = stored_block(stored_.facts, mesh);
  auto const* const first = reinterpret_cast<element const*>(stored_.memory.data());
  extents_list extents;
  for (int d = 0; d < rank; ++d) extents.push_back(block.extent(d));
  std::vector<addressable_shard<element>> shards;
  std::int64_t position = 0;
  for (device_region const& part : sharding().devices_indices_map(shape())) {
    auto const at = coordinates_of(mesh, position++);
    auto held = at;
    bool here = true;
    for (int a = 0; a < mesh.rank; ++a) {
      auto& own = held[a];
      own -= mesh.first_held(a);
      here = here && own >= 0 && own < mesh.held(a);
    }
    if (!here) continue;
    auto const replica = position_of(mesh, at, mesh.axes() - block.varying);
    auto const* const data = first + position_of(mesh.held(), held, block.varying) * block_stride(block);
    shards.push_back({part.where, part.index, replica, data, extents, stored_.facts.memory, stored_.memory});
  }
  return shards;
}

// array{1, 2, 3} and array(vector) do not compile.
template <>
class array<detail::of_values> : public poisoned<explained<>> {
public:
  template <class... X>
  constexpr explicit array(X const&...) {
    if constexpr (!(Refused<X> || ...)) written::array_of_values<X...>::explain();
  }
  template <class X, class... Y>
  constexpr explicit array(std::initializer_list<std::initializer_list<X>>, Y const&...) {
    written::array_of_values<X, Y...>::explain();
  }
};
template <>
inline constexpr bool is_refused<array<detail::of_values>> = true;
template <>
struct operand_traits<array<detail::of_values>> : operand_traits<poisoned<explained<>>> {};
// The same of traced values, which the entry of the program refuses.
template <>
class array<detail::of_traced> : public poisoned<written::array_of_values<>> {
public:
  template <class X>
  constexpr explicit array(X const& x, site at = std::source_location::current())
      : poisoned(detail::refused_as<written::array_of_values>(x, at)) {}
};
template <>
inline constexpr bool is_refused<array<detail::of_traced>> = true;
template <>
struct operand_traits<array<detail::of_traced>> : operand_traits<poisoned<explained<>>> {};
namespace detail {
template <>
struct first_error<array<of_values>> : first_error<poisoned<explained<>>> {};
template <>
struct first_error<array<of_traced>> : first_error<poisoned<written::array_of_values<>>> {};
}  // namespace detail
template <class X, class... Y>
array(X const&, Y const&...) -> array<detail::of_values>;
template <class X>
  requires is_traced<X> array(X const&)
->array<detail::of_traced>;
template <class X, class... Y>
array(std::initializer_list<std::initializer_list<X>>, Y const&...) -> array<detail::of_values>;

template <class X>
inline constexpr bool is_array = false;
template <ArrayType A>
inline constexpr bool is_array<array<A>> = true;

}  // namespace tessera
