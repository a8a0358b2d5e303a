// SPDX-License-Identifier: Apache-2.0
#pragma once
// pbroadcast<dp>(x, source<2>): all devices along dp get the block of device 2; of several axes the first is major.
// Block {V} -> {V and dp}: equal on all devices, which the type does not show. Bytes: B, its block. Transpose: the sum
// over dp on the source, zeros elsewhere. Source: JAX 0.10.2 lax.pbroadcast.

#include <tessera/manual/axis_index.hpp>
#include <tessera/manual/ppermute.hpp>
#include <tessera/manual/psum.hpp>
#include <tessera/op/elementwise/compare.hpp>
#include <tessera/op/elementwise/where.hpp>

namespace tessera {

template <int Device>
struct source_t {};
template <int Device>
inline constexpr source_t<Device> source{};

namespace ops {

// As ppermute: its table has the source of each device.
struct pbroadcast {
  static constexpr std::string_view name = "pbroadcast";
  static constexpr op_class kind = op_class::collective;
  static constexpr collective message = collective::permute;
  static constexpr verdict rule(rule_input const& in) { return ppermute::rule(in); }
  template <class B>
  static constexpr void transpose(B& back, int) {
    collective_params const along = back.attrs().template as<collective_params>();
    collective_params const over{along.order.axes(), along.order, along.unchecked};
    auto const sum = make<psum>(back, {back.cotangent()}, over);
    if (!sum) return;
    auto const here = make<axis_index>(back, {}, over);
    auto const from = number(back.graph(), static_cast<double>(along.table[1]), dtype::int32);
    back.give(0, make<where>(back, {make<equal>(back, {here, from}), sum, number(back.graph(), 0.0)}));
  }
};

}  // namespace ops

namespace detail {

template <int Device>
struct broadcast_from {};
template <int Devices, int Device>
struct permutation_of<Devices, broadcast_from<Device>> {
  static constexpr permutation<Devices> value = [] {
    permutation<Devices> p;
    if (Device < 0 || Device >= Devices)
      p.fault = Device;
    else
      for (int to = 0; to < Devices; ++to) p.table[1 + to] = Device;
    return p;
  }();
};

}  // namespace detail

namespace functions {

template <Axis... A, class X, int Device>
constexpr auto pbroadcast(X const& x, source_t<Device>, site at = std::source_location::current()) {
  return invoke<ops::pbroadcast, permuted_over<joined_axes<A...>, detail::broadcast_from<Device>>>(at, x);
}

}  // namespace functions

}  // namespace tessera
