// SPDX-License-Identifier: Apache-2.0
#pragma once
// A spec judged for a shape on a mesh before there is an array: what device_put asks, and what a written array_type is.
//   checked_sharding<float, shape<10, 4>, P<dp>, grid>::accepted, ::facts (of the array's type), ::error (when refused)
// Axes that are not Explicit may be named: they split the array and leave its type.

#include <tessera/error/error.hpp>
#include <tessera/rule/spec.hpp>

namespace tessera {
namespace ops {
struct device_put;
struct array_type;
}  // namespace ops

namespace detail {

template <class Element, class Shape, Spec S, Mesh M>
struct judged_sharding {
  using unsharded = array_type<Element, Shape, P<>, M>;
  static constexpr verdict what = rule::with_spec(unsharded::value, spec_value_of<M, S>, M::value, true);
};

template <class Judged, class S, class M, class Op>
struct sharding_error {
  using type = error::of<Op, M, Judged, S, boost::mp11::mp_list<typename Judged::unsharded>>;
};

}  // namespace detail

template <class Element, class Shape, Spec S, Mesh M, class Op = ops::device_put>
struct checked_sharding {
  using judged = detail::judged_sharding<Element, Shape, S, M>;
  static constexpr bool accepted = judged::what.why == reason::none;
  static constexpr array_value facts = judged::what.result;
  using error =
      typename std::conditional_t<accepted, std::type_identity<void>, detail::sharding_error<judged, S, M, Op>>::type;
};

// The same for an array_type as the user wrote it.
template <class A>
struct checked_type;
template <class Element, class Shape, class S, class M, class... State>
struct checked_type<array_type<Element, Shape, S, M, State...>> {
  using checked = checked_sharding<Element, Shape, S, M, ops::array_type>;
  static constexpr bool accepted = checked::accepted;
  using error = typename checked::error;
};

}  // namespace tessera
