// SPDX-License-Identifier: Apache-2.0
#pragma once
// Arrays on memory of the user: nothing is copied, and the memory is never written, also not by calls that take
// arguments over (jit(f)(std::move(x))); it is kept as long as an array, a View or a tensor on it exists.
//   adopt<P<dp>>(view, mesh)              an owner of its memory: a managed Kokkos::View
//   adopt<P<dp>>(mdspan, mesh, keeper)    anything else, with an owner: a shared_ptr, or an object that is moved here
//   adopt<P<>>(span, mesh, outlives)      or with the promise that the memory outlives the array
//   adopt(view), adopt(mdspan, keeper)    on the default device
// The memory must have an array's layout: each device's block row-major, one after the other, at multiples of 64 bytes.
// Row-major data has it on one device, or split in its first dimension if a block's size is such a multiple. Other data
// is refused; device_put copies it. Precondition, not checked: its values do not change any more.

#include <tessera/array/device_put_strided.hpp>
#include <tessera/array/stepped.hpp>
#include <tessera/array/strided.hpp>
#include <tessera/base/functions_otherwise.hpp>

#include <memory>
#include <utility>

namespace tessera {

// Instead of an owner: the caller keeps the memory for as long as anything refers to it.
struct outlives_t {};
inline constexpr outlives_t outlives{};

namespace detail {

// Throws if an array cannot use the memory: misaligned, in the other kind of memory, or not where its blocks belong.
stored_array adopted(array_value const& facts, mesh_value const& mesh, void const* data, extents_list const& steps,
                     memory_kind memory, std::shared_ptr<void const> keeper);
// Whether the memory would be accepted.
bool is_adoptable(array_value const& facts, mesh_value const& mesh, void const* data, extents_list const& steps,
                  memory_kind memory);
[[noreturn]] void refuse_unkept();

template <class Keeper>
std::shared_ptr<void const> keeper_of(Keeper&& keeper) {
  using type = std::remove_cvref_t<Keeper>;
  if constexpr (std::is_same_v<type, outlives_t>)
    return nullptr;
  else if constexpr (std::is_convertible_v<type, std::shared_ptr<void const>>)
    return std::forward<Keeper>(keeper);
  else
    return std::make_shared<type const>(std::forward<Keeper>(keeper));
}
template <class X>
inline constexpr bool keeps_itself = false;
template <class X>
  requires requires(X const& x) { strided_traits<X>::keeper(x); }
inline constexpr bool keeps_itself<X> = true;

template <class X>
std::shared_ptr<void const> own_keeper(X const& x) {
  if constexpr (keeps_itself<X>) {
    if (auto keeper = strided_traits<X>::keeper(x)) return keeper;
    refuse_unkept();
  } else {
    return nullptr;
  }
}
// Uses the memory without a copy.
template <class T, class Shape>
struct taken_from {
  strided_view<T, Shape> const& data;
  mesh_value const& mesh;
  std::shared_ptr<void const> keeper;
  stored_array operator()(array_value const& facts) const {
    return adopted(facts, mesh, data.data, data.steps, data.memory, keeper);
  }
};

}  // namespace detail

template <Spec S, StridedSource X, Mesh M>
auto adopt(X const& x, device_mesh<M> const& mesh) {
  static_assert(detail::keeps_itself<X>,
                "tessera: adopt: nothing keeps this memory: a span, mdspan or host() has no share in it. Fix: "
                "adopt(data, mesh, keeper) with a shared_ptr or the container, moved; or adopt(data, mesh, outlives).");
  auto const data = stepped(x);
  return detail::made_of<S>(data, mesh, spec_value_of<M, S>,
                            detail::taken_from{data, mesh.value(), detail::own_keeper(x)});
}
template <Spec S, StridedSource X, Mesh M, class Keeper>
auto adopt(X const& x, device_mesh<M> const& mesh, Keeper&& keeper) {
  auto const data = stepped(x);
  return detail::made_of<S>(data, mesh, spec_value_of<M, S>,
                            detail::taken_from{data, mesh.value(), detail::keeper_of(std::forward<Keeper>(keeper))});
}
template <Spec S, StridedSource X, Mesh M, class... Keeper>
auto adopt(X const&, M const&, Keeper const&...) {
  written::mesh_without_devices<M>::explain();
  return poisoned<explained<>>{};
}
template <StridedSource X>
auto adopt(X const& x) {
  return adopt<P<>>(x, device_mesh<no_mesh>::anywhere(default_device()));
}
template <StridedSource X, class Keeper>
auto adopt(X const& x, Keeper&& keeper) {
  return adopt<P<>>(x, device_mesh<no_mesh>::anywhere(default_device()), std::forward<Keeper>(keeper));
}

}  // namespace tessera
