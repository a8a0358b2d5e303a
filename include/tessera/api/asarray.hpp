// SPDX-License-Identifier: Apache-2.0
#pragma once
// asarray: makes an array of a list, a number, a vector or a constant.
//   asarray({1.f, 2.f})   asarray({{1.f, 2.f}, {3.f, 4.f}})   a list, up to three levels: on the default device
//   asarray(3.5f)         asarray(vector)                     a number; a vector, its extent known at run time
//   asarray(host<2, 3>(vector))                               data of the host, as device_put makes it
//   asarray(arange<6>())                                      a constant, which has no storage until then
// A constant that names a mesh is put on the current mesh of that type. Source: JAX jnp.asarray.

#include <tessera/api/device_put.hpp>
#include <tessera/op/ops.hpp>

namespace tessera {
namespace detail {

template <ArrayType A>
struct strong {
  static constexpr array_value facts = [] {
    array_value v = A::value;
    v.weak = false;
    return v;
  }();
};
template <ArrayType A>
using strong_type = array_type_of<strong<A>, typename A::mesh>;

// The elements of a list, row-major.
template <std::int64_t... Extents, class T>
auto put_list(T const* values) {
  if constexpr (ElementType<T>) {
    return device_put(host_view<T, shape<Extents...>>{values, {Extents...}});
  } else {
    written::not_an_element<T>::explain();
    return poisoned<explained<>>{};
  }
}

}  // namespace detail

namespace functions {

template <class T, std::size_t N>
auto asarray(T const (&values)[N]) {
  return detail::put_list<std::int64_t{N}>(values);
}
template <class T, std::size_t N, std::size_t K>
auto asarray(T const (&values)[N][K]) {
  return detail::put_list<std::int64_t{N}, std::int64_t{K}>(values[0]);
}
template <class T, std::size_t N, std::size_t K, std::size_t L>
auto asarray(T const (&values)[N][K][L]) {
  return detail::put_list<std::int64_t{N}, std::int64_t{K}, std::int64_t{L}>(values[0][0]);
}
template <class T>
  requires(!ElementType<T>)
auto asarray(std::vector<T> const&) {
  written::not_an_element<T>::explain();
  return poisoned<explained<>>{};
}
template <ElementType T>
auto asarray(std::vector<T> const& values) {
  if constexpr (std::is_same_v<T, bool>)
    return device_put(host<dynamic>(values));
  else
    return device_put(values);
}
template <class T, class Shape>
auto asarray(host_view<T, Shape> const& values) {
  return device_put(values);
}
template <ElementNumber T>
auto asarray(T value) {
  return device_put(value);
}

template <ConstantValue X>
auto asarray(X const& x, device_mesh<typename X::type::mesh> const& mesh) {
  return array<detail::strong_type<typename X::type>>(
      mesh, detail::store_constant(x, mesh.value(), X::type::value.element, false, true));
}
template <ConstantValue X>
auto asarray(X const& x) {
  using A = typename X::type;
  if constexpr (A::mesh::rank == 0)
    return asarray(x, device_mesh<no_mesh>::anywhere(default_device()));
  else
    return asarray(x, current_mesh<typename A::mesh>());
}
template <ArrayType A>
array<A> asarray(array<A> const& x) {
  return x;
}
// In traced code, where it changes nothing.
template <ArrayType A>
constexpr traced<A> asarray(traced<A> const& x) {
  return x;
}
template <Refused X>
constexpr auto asarray(X const& x) {
  return detail::absorbed(x);
}

}  // namespace functions

namespace detail {
template <class Constant>
struct constant_as_array {
  static auto of(Constant const& x) { return asarray(x); }
};
}  // namespace detail

// Puts constants on a mesh or a device, as device_put does with arrays.
template <Spec S, ConstantValue X, Mesh M>
auto device_put(X const& x, device_mesh<M> const& mesh) {
  return device_put<S>(asarray(x), mesh);
}
template <ConstantValue X, Spec S, Mesh M, memory_kind Kind>
auto device_put(X const& x, named_sharding<S, M, Kind> const& to) {
  return device_put(asarray(x), to);
}
template <ConstantValue X>
auto device_put(X const& x, device const& where) {
  return device_put(asarray(x), where);
}
template <ConstantValue X>
auto device_put(X const& x) {
  return asarray(x);
}

}  // namespace tessera
