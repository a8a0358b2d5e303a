// SPDX-License-Identifier: Apache-2.0
#pragma once
// Meshes and arrays made as Python makes them, make_mesh({4, 2}), zeros({8, 4}): one error sentence instead of a list
// of candidates. Each overload is chosen only if no other can be called.

#include <tessera/api/misplaced.hpp>
#include <tessera/array/device_mesh.hpp>
#include <tessera/array/sharding_object.hpp>
#include <tessera/base/functions_otherwise.hpp>

namespace tessera {
namespace detail {

// A layout, a mesh or a device as an argument.
template <class X>
inline constexpr bool says_layout = is_mesh<X> || std::is_base_of_v<concrete_mesh, X> ||
                                    std::is_base_of_v<asked_layout, X> || std::is_same_v<X, device>;

// An axis where a mesh belongs. A mesh is not completed for it.
template <class X>
concept AxisAlone = !is_mesh<X> && std::is_base_of_v<axis, X>;

// An axis with its size where a mesh belongs.
template <class X>
inline constexpr bool is_sized_axis = false;
template <class A, std::int64_t Size>
inline constexpr bool is_sized_axis<explicit_axis<A, Size>> = true;
template <class A, std::int64_t Size>
inline constexpr bool is_sized_axis<auto_axis<A, Size>> = true;
template <class A, std::int64_t Size>
inline constexpr bool is_sized_axis<uneven_axis<A, Size>> = true;

// A number as a type, for an error sentence.
template <auto N>
struct as_type;

// A constant and the mesh of its type: asarray(zeros<float, 8>(out_sharding<P<dp>, grid>), mesh).
template <class X, class Where>
inline constexpr bool is_constant_on = false;
template <ConstantValue X, Mesh M>
inline constexpr bool is_constant_on<X, device_mesh<M>> = std::is_same_v<typename X::type::mesh, M>;

}  // namespace detail

// make_mesh({4, 2}), make_mesh({4, 2}, {"dp", "mp"}), make_mesh(devices()).
template <class... X>
constexpr auto make_mesh(detail::misplaced, X const&...) {
  written::mesh_in_brackets<X...>::explain();
  return poisoned<explained<>>{};
}
template <class... X>
constexpr auto make_mesh(detail::misplaced, detail::misplaced, X const&...) {
  written::mesh_in_brackets<X...>::explain();
  return poisoned<explained<>>{};
}
template <class... X>
constexpr auto make_mesh(std::vector<device> const&, X const&...) {
  written::mesh_in_brackets<X...>::explain();
  return poisoned<explained<>>{};
}

template <auto First, auto... Rest, class... X>
constexpr auto make_mesh(std::vector<device> const&, X const&...) {
  written::mesh_in_brackets<detail::as_type<First>>::explain();
  return poisoned<explained<>>{};
}
template <detail::AxisAlone First, class... Rest, class... X>
constexpr auto make_mesh(std::vector<device> const&, X const&...) {
  written::mesh_in_brackets<First>::explain();
  return poisoned<explained<>>{};
}

// make_mesh<explicit_axis<dp, 4>>(devices()).
template <class Axis, class... Rest, class... X>
  requires detail::is_sized_axis<Axis>
constexpr auto make_mesh(X const&...) {
  written::mesh_in_brackets<Axis>::explain();
  return poisoned<explained<>>{};
}
// make_mesh<4, 2>(), make_mesh<grid>(8).
template <auto First, auto... Rest>
constexpr auto make_mesh() {
  written::mesh_in_brackets<detail::as_type<First>>::explain();
  return poisoned<explained<>>{};
}
template <Mesh M, std::integral N>
constexpr auto make_mesh(N) {
  written::mesh_in_brackets<M>::explain();
  return poisoned<explained<>>{};
}

// device_put<P<dp>>(x, grid{}).
template <Spec S, class X, Mesh M>
auto device_put(X const&, M const&) {
  written::mesh_without_devices<X>::explain();
  return poisoned<explained<>>{};
}

namespace functions {

// host(data, 8, 4).
template <class Container, std::integral... Extents>
constexpr auto host(Container const&, Extents...) {
  written::shape_as_argument<Container>::explain();
  return poisoned<explained<>>{};
}

template <class... Element>
constexpr auto zeros(detail::misplaced, detail::misplaced = 0, detail::misplaced = 0, detail::misplaced = 0) {
  written::shape_as_argument<Element...>::explain();
  return poisoned<explained<>>{};
}
template <class... Element>
constexpr auto ones(detail::misplaced, detail::misplaced = 0, detail::misplaced = 0, detail::misplaced = 0) {
  written::shape_as_argument<Element...>::explain();
  return poisoned<explained<>>{};
}
template <class... Element>
constexpr auto arange(detail::misplaced, detail::misplaced = 0, detail::misplaced = 0) {
  written::shape_as_argument<Element...>::explain();
  return poisoned<explained<>>{};
}
template <class... Element>
constexpr auto full(std::initializer_list<std::int64_t>, detail::misplaced, detail::misplaced = 0) {
  written::shape_as_argument<Element...>::explain();
  return poisoned<explained<>>{};
}
template <class... Element>
constexpr auto full(detail::misplaced, detail::misplaced, detail::misplaced, detail::misplaced = 0) {
  written::shape_as_argument<Element...>::explain();
  return poisoned<explained<>>{};
}
template <class... Element>
constexpr auto eye(detail::misplaced, detail::misplaced = 0) {
  written::shape_as_argument<Element...>::explain();
  return poisoned<explained<>>{};
}
// A diagonal, or one value more, behind the extents in angle brackets.
template <std::int64_t First, std::int64_t... Rest>
constexpr auto eye(detail::misplaced, detail::misplaced = 0) {
  written::numbers_as_arguments<detail::as_type<First>>::explain();
  return poisoned<explained<>>{};
}
template <std::int64_t First, std::int64_t... Rest>
constexpr auto tri(detail::misplaced, detail::misplaced = 0) {
  written::numbers_as_arguments<detail::as_type<First>>::explain();
  return poisoned<explained<>>{};
}
template <std::int64_t First, std::int64_t... Rest, class Value>
constexpr auto full(Value const&, detail::misplaced, detail::misplaced = 0) {
  written::numbers_as_arguments<detail::as_type<First>, Value>::explain();
  return poisoned<explained<>>{};
}
template <class Element, std::int64_t... Extents>
constexpr auto iota(detail::misplaced, detail::misplaced = 0) {
  written::numbers_as_arguments<Element>::explain();
  return poisoned<explained<>>{};
}
template <class... Element>
constexpr auto linspace(detail::misplaced, detail::misplaced, detail::misplaced) {
  written::shape_as_argument<Element...>::explain();
  return poisoned<explained<>>{};
}
// asarray(v, P<dp>{}), asarray({1.f, 2.f}, mesh), asarray(x, grid{}).
template <class X, class Where>
  requires(detail::says_layout<Where> && !detail::is_constant_on<X, Where>)
constexpr auto asarray(X const&, Where const&) {
  if constexpr (is_mesh<Where>)
    written::mesh_without_devices<X>::explain();
  else
    written::spec_as_argument<X, Where>::explain();
  return poisoned<explained<>>{};
}
template <class T, std::size_t N, class Where>
  requires detail::says_layout<Where>
constexpr auto asarray(T const (&)[N], Where const&) {
  written::spec_as_argument<T, Where>::explain();
  return poisoned<explained<>>{};
}
template <class T, std::size_t N, std::size_t K, class Where>
  requires detail::says_layout<Where>
constexpr auto asarray(T const (&)[N][K], Where const&) {
  written::spec_as_argument<T, Where>::explain();
  return poisoned<explained<>>{};
}
// asarray<P<dp>>(v, mesh), asarray<P<dp>, grid>({1.f, 2.f}).
template <Spec S, class... More, class X, class... Where>
constexpr auto asarray(X const&, Where const&...) {
  written::spec_as_argument<S, X>::explain();
  return poisoned<explained<>>{};
}
template <Spec S, class... More, class T, std::size_t N, class... Where>
constexpr auto asarray(T const (&)[N], Where const&...) {
  written::spec_as_argument<S, T>::explain();
  return poisoned<explained<>>{};
}
template <Spec S, class... More, class T, std::size_t N, std::size_t K, class... Where>
constexpr auto asarray(T const (&)[N][K], Where const&...) {
  written::spec_as_argument<S, T>::explain();
  return poisoned<explained<>>{};
}
// constant({1.f, 2.f}, P<dp>{}), constant<P<dp>, grid>({1.f, 2.f}), constant(1.f, 2.f).
template <class X, class Where>
  requires detail::says_layout<Where>
constexpr auto constant(X const&, Where const&) {
  written::constant_placed<X, Where>::explain();
  return poisoned<explained<>>{};
}
template <class T, std::size_t N, class Where>
  requires detail::says_layout<Where>
constexpr auto constant(T const (&)[N], Where const&) {
  written::constant_placed<T, Where>::explain();
  return poisoned<explained<>>{};
}
template <class T, std::size_t N, std::size_t K, class Where>
  requires detail::says_layout<Where>
constexpr auto constant(T const (&)[N][K], Where const&) {
  written::constant_placed<T, Where>::explain();
  return poisoned<explained<>>{};
}
template <Spec S, class... More, class X>
constexpr auto constant(X const&) {
  written::constant_placed<S, X>::explain();
  return poisoned<explained<>>{};
}
template <Spec S, class... More, class T, std::size_t N>
constexpr auto constant(T const (&)[N]) {
  written::constant_placed<S, T>::explain();
  return poisoned<explained<>>{};
}
template <Spec S, class... More, class T, std::size_t N, std::size_t K>
constexpr auto constant(T const (&)[N][K]) {
  written::constant_placed<S, T>::explain();
  return poisoned<explained<>>{};
}
template <class... X>
  requires(sizeof...(X) != 1)
constexpr auto constant(X const&...) {
  written::constant_of_values<X...>::explain();
  return poisoned<explained<>>{};
}
// Some of the numbers in brackets: zeros<float, 8>(4), linspace<5>(0.f, 1.f, 3).
template <class Element, std::int64_t First, std::int64_t... Rest>
constexpr auto zeros(detail::misplaced, detail::misplaced = 0, detail::misplaced = 0) {
  written::shape_as_argument<Element>::explain();
  return poisoned<explained<>>{};
}
template <class Element, std::int64_t First, std::int64_t... Rest>
constexpr auto ones(detail::misplaced, detail::misplaced = 0, detail::misplaced = 0) {
  written::shape_as_argument<Element>::explain();
  return poisoned<explained<>>{};
}
template <class Element, std::int64_t First, std::int64_t... Rest>
constexpr auto arange(detail::misplaced, detail::misplaced = 0) {
  written::shape_as_argument<Element>::explain();
  return poisoned<explained<>>{};
}
template <std::int64_t First, std::int64_t... Rest>
constexpr auto arange(detail::misplaced, detail::misplaced = 0) {
  written::shape_as_argument<detail::as_type<First>>::explain();
  return poisoned<explained<>>{};
}
template <std::int64_t Count>
constexpr auto linspace(detail::misplaced, detail::misplaced, detail::misplaced) {
  written::shape_as_argument<detail::as_type<Count>>::explain();
  return poisoned<explained<>>{};
}
template <std::int64_t First, std::int64_t... Rest, class... Out>
constexpr auto zeros(Out const&...) {
  written::shape_without_element<detail::as_type<First>>::explain();
  return poisoned<explained<>>{};
}
template <std::int64_t First, std::int64_t... Rest, class... Out>
constexpr auto ones(Out const&...) {
  written::shape_without_element<detail::as_type<First>>::explain();
  return poisoned<explained<>>{};
}
template <class Element, std::int64_t... Extents, class Where, class... More>
  requires detail::says_layout<Where>
constexpr auto zeros(Where const&, More const&...) {
  written::placed_by_spec<Element, Where>::explain();
  return poisoned<explained<>>{};
}
template <class Element, std::int64_t... Extents, class Where, class... More>
  requires detail::says_layout<Where>
constexpr auto ones(Where const&, More const&...) {
  written::placed_by_spec<Element, Where>::explain();
  return poisoned<explained<>>{};
}
template <class Element, std::int64_t... Extents, class Value, class Where, class... More>
  requires detail::says_layout<Where>
constexpr auto full(Value const&, Where const&, More const&...) {
  written::placed_by_spec<Element, Where>::explain();
  return poisoned<explained<>>{};
}
template <class F, class... More>
constexpr auto pmap(F const&, detail::misplaced, More const&...) {
  written::name_of_pmap<F>::explain();
  return poisoned<explained<>>{};
}
}  // namespace functions

}  // namespace tessera
