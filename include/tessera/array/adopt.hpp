// SPDX-License-Identifier: Apache-2.0
#pragma once
// Arrays whose memory is somebody else's: nothing is copied, nothing is written there, also not by calls that take
// arguments over (jit(f)(std::move(x))), and it is kept as long as an array, a View or a tensor of it is.
//   adopt<P<dp>>(view, mesh)              what has a share in its memory: a managed Kokkos::View
//   adopt<P<dp>>(mdspan, mesh, keeper)    anything else, with what keeps the memory: a shared_ptr, an object that is moved here
//   adopt<P<>>(span, mesh, outlives)      or the promise that it is there as long as the array
//   adopt(view), adopt(mdspan, keeper)    on the default device
// The memory must lie as an array's does: each device's block row-major, one after the other, at multiples of 64 bytes. All
// row-major data does on one device, or split in its first dimension where a block's size is such a multiple. What does not
// is refused; device_put copies it. Precondition, which nobody checks: its values do not change any more.

#include <tessera/array/strided.hpp>

#include <memory>
#include <utility>

namespace tessera {

// In place of a keeper: the caller keeps the memory for as long as anything refers to it.
struct outlives_t {};
inline constexpr outlives_t outlives{};

namespace detail {

// Throws what the memory of an array must not be: misaligned, in the other kind of memory, elsewhere than its blocks.
stored_array adopted(array_value const& facts, mesh_value const& mesh, void const* data, extents_list const& steps,
                     memory_kind memory, std::shared_ptr<void const> keeper);
// Would it be taken?
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
std::shared_ptr<void const> own_keeper(X const& x) {
  static_assert(
      requires { strided_traits<X>::keeper(x); },
      "tessera: adopt: nothing keeps this memory: a span, mdspan or host() has no share in it. Fix: "
      "adopt(data, mesh, keeper) with a shared_ptr or the container, moved; or adopt(data, mesh, outlives).");
  if constexpr (requires { strided_traits<X>::keeper(x); }) {
    auto keeper = strided_traits<X>::keeper(x);
    if (!keeper) refuse_unkept();
    return keeper;
  } else {
    return nullptr;
  }
}
template <Spec S, class X, Mesh M>
auto adopt_as(X const& x, device_mesh<M> const& mesh, spec_value const& spec, std::shared_ptr<void const> keeper) {
  auto const data = stepped(x);
  return made_of<S>(data, mesh, spec, [&](array_value const& facts) {
    return adopted(facts, mesh.value(), data.data, data.steps, data.memory, std::move(keeper));
  });
}

}  // namespace detail

template <Spec S, StridedSource X, Mesh M>
auto adopt(X const& x, device_mesh<M> const& mesh) {
  return detail::adopt_as<S>(x, mesh, spec_value_of<M, S>, detail::own_keeper(x));
}
template <Spec S, StridedSource X, Mesh M, class Keeper>
auto adopt(X const& x, device_mesh<M> const& mesh, Keeper&& keeper) {
  return detail::adopt_as<S>(x, mesh, spec_value_of<M, S>, detail::keeper_of(std::forward<Keeper>(keeper)));
}
template <StridedSource X>
auto adopt(X const& x) {
  return adopt<P<>>(x, device_mesh<no_mesh>::on(default_device()));
}
template <StridedSource X, class Keeper>
auto adopt(X const& x, Keeper&& keeper) {
  return adopt<P<>>(x, device_mesh<no_mesh>::on(default_device()), std::forward<Keeper>(keeper));
}

}  // namespace tessera

#ifndef TESSERA_SEPARATE_ENGINE
#include <tessera/array/take_memory.hpp>
#endif
