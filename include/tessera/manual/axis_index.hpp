// SPDX-License-Identifier: Apache-2.0
#pragma once
// axis_index<dp>(): the device's position along dp: int32[]{V:dp}; of several axes the first is major. axis_size<dp>():
// the number of devices. Both become values in the first operation with a value of the region. axis_index<dp>(x) has
// its type immediately, and axis_size<dp>(x) is a C++ constant: x, any value of the region, determines the mesh. Moves
// 0 bytes.
// Source: JAX 0.10.2 lax.axis_index, axis_size.

#include <tessera/manual/axes.hpp>
#include <tessera/op/base/door.hpp>
#include <tessera/rule/manual.hpp>

namespace tessera {
namespace ops {

struct axis_index {
  static constexpr std::string_view name = "axis_index";
  static constexpr op_class kind = op_class::axis_index;
  static constexpr verdict rule(rule_input const& in) {
    auto const& over = in.attrs.as<collective_params>();
    if (axis_set const other = over.axes - in.mesh.axes(); !other.empty())
      return refuse(reason::axis_not_manual, -1, other);
    array_value position;
    position.element = dtype::int32;
    position.varying = over.axes | over.unchecked;
    return accept(position);
  }
  template <class B>
  static constexpr term build(B& b, term const*, int, attributes const& attrs) {
    return b.template emit<axis_index>({}, attrs);
  }
  static constexpr bool locally_constant = true;
};

struct axis_size {
  static constexpr std::string_view name = "axis_size";
  static constexpr op_class kind = op_class::axis_index;
  template <class B>
  static constexpr term build(B& b, term const*, int, attributes const& attrs) {
    axis_set const axes = attrs.as<collective_params>().axes;
    if (axis_set const other = axes - b.mesh().axes(); !other.empty())
      return b.template refuse<axis_size>(tessera::refuse(reason::axis_not_manual, -1, other));
    literal_params count;  // as a number in the program text
    count.element = dtype::int32;
    count.weak = true;
    count.integer = b.mesh().devices(axes);
    return b.emit(info<ops::literal>, {}, count);
  }
};

}  // namespace ops

namespace functions {

template <Axis... A>
constexpr auto axis_index(site at = std::source_location::current()) {
  return invoke<ops::axis_index, joined_axes<A...>>(at);
}
template <Axis... A>
constexpr auto axis_size(site at = std::source_location::current()) {
  return invoke<ops::axis_size, joined_axes<A...>>(at);
}
template <Axis... A, class X>
constexpr auto axis_index(X const& x, site at = std::source_location::current()) {
  return invoke<ops::axis_index, joined_axes<A...>>(at, x);
}
template <Axis... A, class X>
constexpr auto axis_size(X const& x, site at = std::source_location::current()) {
  using M = typename X::type::mesh;
  constexpr axis_set joined = joined_axes<A...>::template on<M>().axes;
  if constexpr (M::value.axes().contains(joined))
    return M::value.devices(joined);
  else
    return axis_index<A...>(x, at);  // which says what is wrong
}

}  // namespace functions

}  // namespace tessera
