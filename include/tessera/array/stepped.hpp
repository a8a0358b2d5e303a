// SPDX-License-Identifier: Apache-2.0
#pragma once
// Views whose elements lie steps apart:
//   stepped(mdspan)                     its own extents, static or not; also a Kokkos::View (interop/view_source.hpp)
//   stepped<8, 4>(mdspan)               the same, with static extents; checked at run time
//   stepped<8, 4>(span, {1, 8})         numbers with these steps: columns; checked to be inside

#include <tessera/array/strided.hpp>

#include <cstdint>
#include <iterator>

namespace tessera {

// A temporary that shares its memory is kept.
template <class X>
  requires StridedSource<std::remove_cvref_t<X>>
auto stepped(X&& x) {
  using traits = strided_traits<std::remove_cvref_t<X>>;
  auto made = traits::view(x);
  if constexpr (!std::is_lvalue_reference_v<X> && requires { traits::keeper(x); }) made.kept = traits::keeper(x);
  return made;
}
// Precondition, checked: x has these extents, except dynamic ones.
template <std::int64_t... Extents, class X>
  requires(sizeof...(Extents) > 0 && StridedSource<std::remove_cvref_t<X>>)
auto stepped(X&& x) {
  auto const own = stepped(std::forward<X>(x));
  detail::require_extents(detail::extents_of_shape<shape<Extents...>>::value, own.extents);
  using T = typename strided_traits<std::remove_cvref_t<X>>::element;
  return strided_view<T, shape<Extents...>>{own.data, own.extents, own.steps, own.memory, own.kept};
}
// Precondition, checked: all of it is inside the container.
template <std::int64_t... Extents, class Container, std::size_t N>
  requires(sizeof...(Extents) == N)
auto stepped(Container&& data, std::int64_t const (&steps)[N]) {
  static_assert(((Extents != dynamic) && ...),
                "tessera: stepped<8, 4>(data, {1, 8}) needs all extents. Fix: stepped(data, {rows, cols}, {1, rows}).");
  using T = std::remove_cvref_t<decltype(*std::data(data))>;
  std::size_t const size = std::size(data);
  auto const [values, keeper] = detail::keep_elements(std::forward<Container>(data));
  strided_view<T, shape<Extents...>> made{values, detail::extents_of_shape<shape<Extents...>>::value};
  made.kept = keeper;
  for (std::int64_t step : steps) made.steps.push_back(step);
  detail::require_inside(size, made.extents, made.steps);
  return made;
}
// The same with extents known at run time.
template <class Container, std::size_t N>
auto stepped(Container&& data, std::int64_t const (&extents)[N], std::int64_t const (&steps)[N]) {
  using T = std::remove_cvref_t<decltype(*std::data(data))>;
  std::size_t const size = std::size(data);
  auto const [values, keeper] = detail::keep_elements(std::forward<Container>(data));
  strided_view<T, decltype(detail::all_dynamic<N>())> made{values};
  made.kept = keeper;
  for (std::int64_t extent : extents) made.extents.push_back(extent);
  for (std::int64_t step : steps) made.steps.push_back(step);
  detail::require_inside(size, made.extents, made.steps);
  return made;
}

}  // namespace tessera
