// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kokkos::Views as sources: device_put<P<dp>>(view, mesh) copies any layout, adopt<P<dp>>(view, mesh) uses memory with
// an array's layout and keeps the View; copy_to(x, view) writes into one. Host memory, or the memory of programs.
// Precondition, as for every View: work that writes it on another execution space instance has ended.

#include <tessera/array/adopt.hpp>
#include <tessera/exec/device/space.hpp>

namespace tessera {

namespace detail {

template <class View>
constexpr std::int64_t extent_of_view(std::size_t d) {
  return d + 1 > View::rank_dynamic ? static_cast<std::int64_t>(View::static_extent(d)) : dynamic;
}
template <class View, std::size_t... D>
auto shape_of_view(std::index_sequence<D...>) -> shape<extent_of_view<View>(D)...>;

template <class View>
inline constexpr bool on_host_for_us =
    Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename View::memory_space>::accessible;
template <class View>
inline constexpr bool on_device_for_us =
    Kokkos::SpaceAccessibility<execution_space, typename View::memory_space>::accessible;

}  // namespace detail

template <class Data, class... Properties>
struct strided_traits<Kokkos::View<Data, Properties...>> {
  using view_type = Kokkos::View<Data, Properties...>;
  static_assert(
      detail::on_host_for_us<view_type> || detail::on_device_for_us<view_type>,
      "tessera: this View is in memory that neither the host nor the execution space of programs reaches. Fix: "
      "Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, view).");
  using element = typename view_type::non_const_value_type;
  using shape_type = decltype(detail::shape_of_view<view_type>(std::make_index_sequence<view_type::rank()>{}));
  static constexpr bool writable = !std::is_const_v<typename view_type::value_type>;

  static strided_view<element, shape_type> view(view_type const& x) {
    strided_view<element, shape_type> made{x.data()};
    made.memory = detail::on_device_for_us<view_type> ? memory_kind::device : memory_kind::host;
    for (int d = 0; d < static_cast<int>(view_type::rank()); ++d) {
      made.extents.push_back(static_cast<std::int64_t>(x.extent(d)));
      made.steps.push_back(static_cast<std::int64_t>(x.stride(d)));
    }
    return made;
  }
  static std::shared_ptr<void const> keeper(view_type const& x) {
    return x.use_count() > 0 ? std::make_shared<view_type const>(x) : nullptr;
  }
};

}  // namespace tessera
