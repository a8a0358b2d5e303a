// SPDX-License-Identifier: Apache-2.0
#pragma once
// Arguments in Python's positions, sum(x, 0), reshape(x, {8, 4}), psum(x, "dp"): one error sentence instead of a list
// of candidates. Each overload is chosen only if no other can be called.

#include <tessera/array/device_mesh.hpp>
#include <tessera/base/written_otherwise.hpp>
#include <tessera/manual/manual.hpp>
#include <tessera/op/ops.hpp>
#include <tessera/transform/shardings.hpp>

#include <initializer_list>
#include <string_view>
#include <vector>

namespace tessera {
namespace detail {

// A number, a list of them, a string, an enumerator or an axis.
struct misplaced {
  template <class T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T> || is_std_tree<T> || std::is_base_of_v<axis, T> ||
             std::is_convertible_v<T const&, std::string_view>)
  constexpr misplaced(T const&) {}
  constexpr misplaced(std::initializer_list<std::int64_t>) {}
  constexpr misplaced(std::initializer_list<char const*>) {}
};

}  // namespace detail

namespace functions {

template <int... Dims, class X>
constexpr auto sum(X const& x, detail::misplaced, detail::misplaced = false,
                   site at = std::source_location::current()) {
  return detail::refused_as<written::dims_as_arguments>(x, at);
}
template <int... Dims, class X>
constexpr auto prod(X const& x, detail::misplaced, detail::misplaced = false,
                    site at = std::source_location::current()) {
  return detail::refused_as<written::dims_as_arguments>(x, at);
}
template <int... Dims, class X>
constexpr auto max(X const& x, detail::misplaced, detail::misplaced = false,
                   site at = std::source_location::current()) {
  return detail::refused_as<written::dims_as_arguments>(x, at);
}
template <int... Dims, class X>
constexpr auto min(X const& x, detail::misplaced, detail::misplaced = false,
                   site at = std::source_location::current()) {
  return detail::refused_as<written::dims_as_arguments>(x, at);
}
template <class X, class Y>
  requires std::is_base_of_v<operators<Y>, Y>
constexpr auto max(X const& x, Y const&, site at = std::source_location::current()) {
  return detail::refused_as<written::dims_as_arguments>(x, at);
}
template <class X, class Y>
  requires std::is_base_of_v<operators<Y>, Y>
constexpr auto min(X const& x, Y const&, site at = std::source_location::current()) {
  return detail::refused_as<written::dims_as_arguments>(x, at);
}
template <int... Dims, class X>
constexpr auto mean(X const& x, detail::misplaced, detail::misplaced = false,
                    site at = std::source_location::current()) {
  return detail::refused_as<written::dims_as_arguments>(x, at);
}
template <int... Dims, class X>
constexpr auto any(X const& x, detail::misplaced, detail::misplaced = false,
                   site at = std::source_location::current()) {
  return detail::refused_as<written::dims_as_arguments>(x, at);
}
template <int... Dims, class X>
constexpr auto all(X const& x, detail::misplaced, detail::misplaced = false,
                   site at = std::source_location::current()) {
  return detail::refused_as<written::dims_as_arguments>(x, at);
}
template <int... Dims, class X>
constexpr auto argmax(X const& x, detail::misplaced, site at = std::source_location::current()) {
  return detail::refused_as<written::dims_as_arguments>(x, at);
}
template <int... Dims, class X>
constexpr auto argmin(X const& x, detail::misplaced, site at = std::source_location::current()) {
  return detail::refused_as<written::dims_as_arguments>(x, at);
}
template <int... Dims, class X>
constexpr auto var(X const& x, detail::misplaced, site at = std::source_location::current()) {
  return detail::refused_as<written::dims_as_arguments>(x, at);
}
template <int... Dims, class X>
constexpr auto softmax(X const& x, detail::misplaced, site at = std::source_location::current()) {
  return detail::refused_as<written::dims_as_arguments>(x, at);
}
template <int... Dims, class X>
constexpr auto logsumexp(X const& x, detail::misplaced, site at = std::source_location::current()) {
  return detail::refused_as<written::dims_as_arguments>(x, at);
}
template <int... Dims, class X>
constexpr auto transpose(X const& x, detail::misplaced, detail::misplaced = 0, detail::misplaced = 0,
                         detail::misplaced = 0, site at = std::source_location::current()) {
  return detail::refused_as<written::dims_as_arguments>(x, at);
}
template <int... Dims, class X>
constexpr auto expand_dims(X const& x, detail::misplaced, site at = std::source_location::current()) {
  return detail::refused_as<written::dims_as_arguments>(x, at);
}
template <int... Dims, class X>
constexpr auto squeeze(X const& x, detail::misplaced, site at = std::source_location::current()) {
  return detail::refused_as<written::dims_as_arguments>(x, at);
}
template <int... Dims, class X>
constexpr auto flip(X const& x, detail::misplaced, site at = std::source_location::current()) {
  return detail::refused_as<written::dims_as_arguments>(x, at);
}
template <int... Dims, class X>
constexpr auto cumsum(X const& x, detail::misplaced, site at = std::source_location::current()) {
  return detail::refused_as<written::dims_as_arguments>(x, at);
}
template <int... Dims, class X>
constexpr auto sort(X const& x, detail::misplaced, site at = std::source_location::current()) {
  return detail::refused_as<written::dims_as_arguments>(x, at);
}
template <int... Dims, class X>
constexpr auto concatenate(X const& x, detail::misplaced, site at = std::source_location::current()) {
  return detail::refused_as<written::dims_as_arguments>(x, at);
}
template <class X>
constexpr auto concatenate(std::initializer_list<X> list, detail::misplaced,
                           site at = std::source_location::current()) {
  return detail::refused_as<written::dims_as_arguments>(*list.begin(), at);
}
template <class X>
constexpr auto stack(std::initializer_list<X> list, detail::misplaced, site at = std::source_location::current()) {
  return detail::refused_as<written::dims_as_arguments>(*list.begin(), at);
}
template <int Dim = 0, class X>
constexpr auto concatenate(std::initializer_list<X> list, site at = std::source_location::current()) {
  return detail::refused_as<written::list_of_values>(*list.begin(), at);
}
template <int Dim = 0, class X>
constexpr auto stack(std::initializer_list<X> list, site at = std::source_location::current()) {
  return detail::refused_as<written::list_of_values>(*list.begin(), at);
}
template <int Dim = 0, class X>
constexpr auto concatenate(std::vector<X> const& list, site at = std::source_location::current()) {
  return detail::refused_as<written::list_of_values>(list.front(), at);
}
template <int Dim = 0, class X>
constexpr auto stack(std::vector<X> const& list, site at = std::source_location::current()) {
  return detail::refused_as<written::list_of_values>(list.front(), at);
}

template <std::int64_t... Extents, class X>
constexpr auto reshape(X const& x, detail::misplaced, detail::misplaced = 0, detail::misplaced = 0,
                       detail::misplaced = 0, site at = std::source_location::current()) {
  return detail::refused_as<written::shape_as_argument>(x, at);
}
template <std::int64_t... Extents, class X>
constexpr auto broadcast_to(X const& x, detail::misplaced, site at = std::source_location::current()) {
  return detail::refused_as<written::shape_as_argument>(x, at);
}

template <std::int64_t... Classes, class X>
constexpr auto one_hot(X const& x, detail::misplaced, site at = std::source_location::current()) {
  return detail::refused_as<written::shape_as_argument>(x, at);
}

template <class X>
constexpr auto psum(X const& x, detail::misplaced, site at = std::source_location::current()) {
  return detail::refused_as<written::axes_as_arguments>(x, at);
}
template <class X>
constexpr auto pmean(X const& x, detail::misplaced, site at = std::source_location::current()) {
  return detail::refused_as<written::axes_as_arguments>(x, at);
}
template <class X>
constexpr auto pmax(X const& x, detail::misplaced, site at = std::source_location::current()) {
  return detail::refused_as<written::axes_as_arguments>(x, at);
}
template <class X>
constexpr auto pmin(X const& x, detail::misplaced, site at = std::source_location::current()) {
  return detail::refused_as<written::axes_as_arguments>(x, at);
}
template <class X>
constexpr auto all_gather(X const& x, detail::misplaced, site at = std::source_location::current()) {
  return detail::refused_as<written::axes_as_arguments>(x, at);
}
template <class X>
constexpr auto psum_scatter(X const& x, detail::misplaced, site at = std::source_location::current()) {
  return detail::refused_as<written::axes_as_arguments>(x, at);
}

template <fixed_string Axis, class X>
constexpr auto psum(X const& x, site at = std::source_location::current()) {
  return detail::refused_as<written::axes_as_arguments>(x, at);
}
template <fixed_string Axis, class X>
constexpr auto pmean(X const& x, site at = std::source_location::current()) {
  return detail::refused_as<written::axes_as_arguments>(x, at);
}
template <fixed_string Axis, class X>
constexpr auto pmax(X const& x, site at = std::source_location::current()) {
  return detail::refused_as<written::axes_as_arguments>(x, at);
}
template <fixed_string Axis, class X>
constexpr auto pmin(X const& x, site at = std::source_location::current()) {
  return detail::refused_as<written::axes_as_arguments>(x, at);
}
template <fixed_string Axis, class X>
constexpr auto all_gather(X const& x, site at = std::source_location::current()) {
  return detail::refused_as<written::axes_as_arguments>(x, at);
}
template <fixed_string Axis, class X>
constexpr auto psum_scatter(X const& x, site at = std::source_location::current()) {
  return detail::refused_as<written::axes_as_arguments>(x, at);
}

template <class X, class... Pairs>
constexpr auto ppermute(X const& x, detail::misplaced, std::initializer_list<std::initializer_list<int>>,
                        site at = std::source_location::current()) {
  return detail::refused_as<written::axes_as_arguments>(x, at);
}
template <class X>
constexpr auto ppermute(X const& x, detail::misplaced, detail::misplaced = 0,
                        site at = std::source_location::current()) {
  return detail::refused_as<written::axes_as_arguments>(x, at);
}

// A layout that is not P<...> in angle brackets.
template <class... A, class X>
  requires(std::is_base_of_v<axis, A>&&...)
constexpr auto reshard(X const& x, site at = std::source_location::current()) {
  return detail::refused_as<written::spec_in_brackets>(x, at);
}
template <class X, class... S>
constexpr auto reshard(X const& x, P<S...>, site at = std::source_location::current()) {
  return detail::refused_as<written::spec_in_brackets>(x, at);
}
template <class X>
constexpr auto reshard(X const& x, detail::misplaced, site at = std::source_location::current()) {
  return detail::refused_as<written::spec_in_brackets>(x, at);
}
template <Spec S, class X, class M>
constexpr auto reshard(X const& x, device_mesh<M> const&, site at = std::source_location::current()) {
  return detail::refused_as<written::spec_in_brackets>(x, at);
}
template <class X, class M>
constexpr auto reshard(X const& x, device_mesh<M> const&, site at = std::source_location::current()) {
  return detail::refused_as<written::spec_in_brackets>(x, at);
}
template <class... A, class X>
  requires(std::is_base_of_v<axis, A>&&...)
constexpr auto with_sharding_constraint(X const& x, site at = std::source_location::current()) {
  return detail::refused_as<written::spec_in_brackets>(x, at);
}
template <class X, class... S>
constexpr auto with_sharding_constraint(X const& x, P<S...>, site at = std::source_location::current()) {
  return detail::refused_as<written::spec_in_brackets>(x, at);
}
template <class X>
constexpr auto with_sharding_constraint(X const& x, detail::misplaced, site at = std::source_location::current()) {
  return detail::refused_as<written::spec_in_brackets>(x, at);
}

template <class X, class... Y>
constexpr auto einsum(char const* const&, X const& x, Y const&...) {
  return detail::refused_as<written::subscripts_as_argument>(x, site{});
}

template <class... X>
constexpr auto slice(detail::misplaced, detail::misplaced, X const&...) {
  written::bounds_as_arguments<X...>::explain();
  return poisoned<explained<>>{};
}
template <class X>
constexpr auto slice(X const& x, detail::misplaced, detail::misplaced = 0, detail::misplaced = 0,
                     site at = std::source_location::current()) {
  return detail::refused_as<written::bounds_as_arguments>(x, at);
}
template <class X, class Y, class... More>
constexpr auto dot_general(X const& x, Y const&, std::initializer_list<std::initializer_list<int>>, More const&...) {
  return detail::refused_as<written::contraction_as_argument>(x, site{});
}

template <std::int64_t... Given, class X>
constexpr auto split(X const& x, detail::misplaced, detail::misplaced = 0, site at = std::source_location::current()) {
  return detail::refused_as<written::parts_as_argument>(x, at);
}

}  // namespace functions

}  // namespace tessera
