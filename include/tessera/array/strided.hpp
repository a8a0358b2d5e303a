// SPDX-License-Identifier: Apache-2.0
#pragma once
// Values in the layout of another library: an address, extents and a step for each dimension.
//   copy_to(x, mdspan)                  an array's values into memory with any steps
// device_put of it: array/device_put_strided.hpp.
// Source: ISO C++23 std::mdspan; any type with its interface is accepted.

#include <tessera/array/device_put.hpp>

#include <cstdint>
#include <memory>

namespace tessera {

// Borrowed, as host_view: valid as long as its source is; a source that was moved in is owned.
template <class T, class Shape>
struct strided_view {
  using element = T;
  using shape_type = Shape;
  T const* data = nullptr;
  extents_list extents{}, steps{};  // steps in elements
  memory_kind memory = memory_kind::host;
  std::shared_ptr<void const> kept{};  // an owned temporary
};

// How other libraries' types are read. A specialization has
//   element, shape_type, writable     the elements, the shape, and whether they may be written
//   view(x)                           strided_view<element, shape_type>
//   keeper(x)                         std::shared_ptr<void const> that owns the memory, or null; only if x shares it
template <class X>
struct strided_traits;

template <class X>
concept StridedSource = requires(X const& x) {
  typename strided_traits<X>::element;
  strided_traits<X>::view(x);
};

namespace detail {

template <class X>
concept MdspanLike = requires(X const& x) {
  typename X::element_type;
  typename X::extents_type;
  typename X::mapping_type;
  typename X::accessor_type;
  X::extents_type::rank();
  X::extents_type::static_extent(0);
  x.extents();
  x.mapping().is_strided();
}
&&std::is_pointer_v<typename X::data_handle_type>;

template <class Extents>
constexpr std::int64_t static_extent(std::size_t d) {
  auto const n = Extents::static_extent(d);
  return n == static_cast<std::size_t>(-1) ? dynamic : static_cast<std::int64_t>(n);
}
template <class Extents, std::size_t... D>
auto shape_of(std::index_sequence<D...>) -> shape<static_extent<Extents>(D)...>;

// Throw otherwise.
[[noreturn]] void refuse_layout();
void require_extents(extents_list const& type, extents_list const& have);
void require_inside(std::size_t count, extents_list const& extents, extents_list const& steps);
// Reads and writes these values, an array laid out as `facts`.
stored_array store_strided(array_value const& facts, mesh_value const& mesh, void const* data,
                           extents_list const& steps, memory_kind memory);
void copy_to_strided(stored_array const& x, mesh_value const& mesh, void* out, extents_list const& extents,
                     extents_list const& steps, memory_kind memory);
// Memory for an array, to be written; gaps behind blocks that are not full are 0.
stored_array without_values(array_value const& facts, mesh_value const& mesh);
// Data of these extents on the mesh by the spec. Throws for what could not be checked while compiling.
array_value value_in_layout(dtype element, extents_list const& extents, spec_value const& spec,
                            concrete_mesh const& mesh);

}  // namespace detail

template <detail::MdspanLike X>
struct strided_traits<X> {
  using element = std::remove_const_t<typename X::element_type>;
  using extents_type = typename X::extents_type;
  using shape_type = decltype(detail::shape_of<extents_type>(std::make_index_sequence<extents_type::rank()>{}));
  static constexpr bool writable = !std::is_const_v<typename X::element_type>;
  static strided_view<element, shape_type> view(X const& x) {
    if (!x.mapping().is_strided()) detail::refuse_layout();
    strided_view<element, shape_type> made{x.data_handle()};
    if constexpr (extents_type::rank() > 0)
      for (typename extents_type::rank_type d = 0; d < extents_type::rank(); ++d) {
        made.extents.push_back(static_cast<std::int64_t>(x.extents().extent(d)));
        made.steps.push_back(static_cast<std::int64_t>(x.mapping().stride(d)));
      }
    return made;
  }
};
template <class T, class Shape>
struct strided_traits<strided_view<T, Shape>> {
  using element = T;
  using shape_type = Shape;
  static constexpr bool writable = false;
  static strided_view<T, Shape> view(strided_view<T, Shape> const& x) { return x; }
};
template <class T, class Shape>
struct strided_traits<host_view<T, Shape>> {
  using element = T;
  using shape_type = Shape;
  static constexpr bool writable = false;
  static strided_view<T, Shape> view(host_view<T, Shape> const& x) {
    return {x.data, x.extents, row_major(x.extents), memory_kind::host, x.kept};
  }
};

namespace detail {

// store(facts): the array's memory.
template <Spec S, class T, class Shape, Mesh M, class Store>
auto made_of(strided_view<T, Shape> const& data, device_mesh<M> const& mesh, spec_value const& spec,
             Store const& store) {
  using checked = checked_sharding<T, Shape, S, M>;
  if constexpr (!checked::accepted) {
    checked::error::explain();
    return poisoned<explained<typename checked::error>>{};
  } else {
    if (mesh.value().rank != M::rank) no_devices();
    return array<array_type_of<checked, M>>(mesh, store(value_in_layout(dtype_of<T>(), data.extents, spec, mesh)));
  }
}
// Copies.
template <class T, class Shape>
struct copied_from {
  strided_view<T, Shape> const& data;
  mesh_value const& mesh;
  stored_array operator()(array_value const& facts) const {
    return store_strided(facts, mesh, data.data, data.steps, data.memory);
  }
};
}  // namespace detail

// An array's values, all of which this process has, into writable memory. Throws if the extents differ.
template <ArrayType A, StridedSource X>
void copy_to(array<A> const& x, X const& out) {
  static_assert(
      strided_traits<X>::writable,
      "tessera: copy_to writes, and the elements of this view are const. Fix: a view of elements that are not.");
  static_assert(dtype_of<typename strided_traits<X>::element>() == A::value.element,
                "tessera: copy_to: the array's elements are of another type than the view's. Fix: astype, or a view of "
                "elements of the array's type.");
  auto const to = strided_traits<X>::view(out);
  using element = typename strided_traits<X>::element;
  detail::copy_to_strided(x.stored(), x.mesh().value(), const_cast<element*>(to.data), to.extents, to.steps, to.memory);
}

}  // namespace tessera
