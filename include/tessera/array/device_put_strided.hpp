// SPDX-License-Identifier: Apache-2.0
#pragma once
// Arrays of copies of values in the layout of another library: device_put<P<dp>>(mdspan, mesh), device_put(mdspan, device),
// device_put(mdspan, sharding).

#include <tessera/array/stepped.hpp>
#include <tessera/array/strided.hpp>

namespace tessera {
namespace detail {

// Types for which device_put has overloads of its own.
template <class X>
concept ForeignSource = StridedSource<X> && !is_host_view<X>;

}  // namespace detail

// Each calls made_of directly: a function in between would add a line to every error.
template <Spec S, detail::ForeignSource X, Mesh M>
auto device_put(X const& x, device_mesh<M> const& mesh) {
  auto const data = stepped(x);
  return detail::made_of<S>(data, mesh, spec_value_of<M, S>, detail::copied_from{data, mesh.value()});
}
template <detail::ForeignSource X>
auto device_put(X const& x, device const& where) {
  return device_put<P<>>(x, device_mesh<no_mesh>::on(where));
}
template <detail::ForeignSource X>
auto device_put(X const& x) {
  return device_put<P<>>(x, device_mesh<no_mesh>::anywhere(default_device()));
}
template <detail::ForeignSource X, Spec S, Mesh M, memory_kind Kind>
auto device_put(X const& x, named_sharding<S, M, Kind> const& to) {
  auto const data = stepped(x);
  auto const made = detail::made_of<S>(data, to.mesh(), to.spec().value, detail::copied_from{data, to.mesh().value()});
  return detail::kept_in<Kind>(made);
}

}  // namespace tessera
