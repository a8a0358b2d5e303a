// SPDX-License-Identifier: Apache-2.0
#pragma once
// Views written and read by tests in whichever memory they are: the same tests where arrays are in a device's.

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace on_device {

// f(0), ..., f(count - 1) on an execution space instance. f: a KOKKOS_LAMBDA or a function object like it.
template <class Space, class F>
void each(Space const& space, std::size_t count, F const& f) {
  Kokkos::parallel_for("each", Kokkos::RangePolicy<Space>(space, 0, static_cast<int>(count)), f);
}

// The elements of a View where C++ reads them: itself, or a row-major copy.
template <class View>
auto readable(View const& view) {
  if constexpr (Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename View::memory_space>::accessible) {
    return view;
  } else {  // from one memory to another Kokkos copies what is dense, and any layout within one
    using space = typename View::memory_space;
    Kokkos::View<typename View::non_const_data_type, Kokkos::LayoutRight, space> dense;
    if constexpr (View::rank() == 0)
      dense = decltype(dense)("dense");
    else if constexpr (View::rank() == 1)
      dense = decltype(dense)("dense", view.extent(0));
    else
      dense = decltype(dense)("dense", view.extent(0), view.extent(1));
    Kokkos::deep_copy(dense, view);
    return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, dense);
  }
}

// of(i, j) for each element of a matrix, where it lies.
template <class View, class Of>
struct matrix_filler {
  View view;
  Of of;
  KOKKOS_FUNCTION void operator()(int i, int j) const { view(i, j) = static_cast<typename View::value_type>(of(i, j)); }
};
template <class View, class Of>
void fill_matrix(View const& view, Of const& of) {
  using policy = Kokkos::MDRangePolicy<typename View::execution_space, Kokkos::Rank<2>>;
  auto const rows = static_cast<std::int64_t>(view.extent(0)), columns = static_cast<std::int64_t>(view.extent(1));
  Kokkos::parallel_for("fill", policy({0, 0}, {rows, columns}), matrix_filler<View, Of>{view, of});
  Kokkos::fence();
}

}  // namespace on_device
