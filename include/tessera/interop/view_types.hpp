// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which Kokkos::View shows a block of an array: its elements, its layout, its memory.

#include <tessera/array/array.hpp>
#include <tessera/exec/device/space.hpp>

#include <cstdint>

namespace tessera {

namespace detail {

template <class Element>
struct kokkos_element : std::type_identity<Element> {};
template <class T>
struct kokkos_element<complex_number<T>> : std::type_identity<Kokkos::complex<T>> {};

template <class Element, int Rank>
struct pointers : pointers<Element*, Rank - 1> {};
template <class Element>
struct pointers<Element, 0> : std::type_identity<Element> {};

// Blocks that are not full are corners of full ones.
template <bool Corners>
using layout_of_blocks = std::conditional_t<Corners, Kokkos::LayoutStride, Kokkos::LayoutRight>;
template <memory_kind Memory>
using space_of_memory = std::conditional_t<Memory == memory_kind::host, Kokkos::HostSpace, execution_memory>;

}  // namespace detail

// The element type of a View of such elements: Kokkos' own complex numbers, else the array's.
template <class Element>
using view_element = typename detail::kokkos_element<Element>::type;

// A row-major block of Rank dimensions, on memory with another owner. Element may be const.
template <class Element, int Rank>
using block_view = Kokkos::View<typename detail::pointers<Element, Rank>::type, Kokkos::LayoutRight, execution_memory,
                                Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

namespace detail {

template <ArrayType A>
struct view_of_type {
  using element = view_element<element_of<A::value.element>>;
  template <class Element>
  using view = Kokkos::View<typename pointers<Element, A::rank>::type, layout_of_blocks<!A::mesh::value.uneven.empty()>,
                            space_of_memory<A::value.memory>, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
};

// Kokkos' complex numbers are aligned as a whole, others as their parts.
template <class T>
bool is_place_of(void const* data) {
  return reinterpret_cast<std::uintptr_t>(data) % alignof(T) == 0;
}

// `extents` of a row-major block of `block`.
template <class View>
View view_at(void const* data, extents_list const& extents, extents_list const& block) {
  using element = typename View::value_type;
  auto* const first = static_cast<element*>(const_cast<void*>(data));
  if constexpr (View::rank() == 0) {
    return View(first);
  } else {
    typename View::array_layout layout;
    extents_list const steps = row_major(block);
    for (int d = 0; d < extents.size(); ++d) {
      layout.dimension[d] = extents[d];
      if constexpr (std::is_same_v<typename View::array_layout, Kokkos::LayoutStride>) layout.stride[d] = steps[d];
    }
    return View(first, layout);
  }
}

}  // namespace detail

}  // namespace tessera
