// SPDX-License-Identifier: Apache-2.0
#pragma once
// psum_scatter<dp>(x): the sum of the blocks of all devices along dp; each device keeps its part.
//   psum_scatter<dp>(x)   psum_scatter<dp>(x, dim<1>): the dimension has one element for each device, and is removed
//   psum_scatter<dp>(x, dim<0>, tiled): it gets n times shorter
// Block {V} -> {V and dp}. Bytes a device sends on a ring of n: (n - 1) B / n, B its block. Transpose: all_gather.
// Source: JAX 0.10.2 lax.psum_scatter.

#include <tessera/manual/all_gather.hpp>

namespace tessera {
namespace ops {

// Along `order`; `dim` shrinks.
struct psum_scatter : along_dimensions<psum_scatter> {
  static constexpr std::string_view name = "psum_scatter";
  static constexpr collective message = collective::reduce_scatter;
  static constexpr monoid reduction = monoid::sum;
  static constexpr verdict rule(rule_input const& in) { return rule::sum_over_manual(in, &rule::reduce_scatter); }
  template <class B>
  static constexpr void transpose(B& back, int) {
    bool const terms =
        back.operand(0).facts().unreduced.contains(back.attrs().template as<collective_params>().order.axes());
    back.give(0, terms ? make<all_gather_reduced>(back, {back.cotangent()}, back.attrs())
                       : make<all_gather>(back, {back.cotangent()}, back.attrs()));
  }
};

// The dimension is removed: it has one element for each device.
struct psum_scatter_one {
  static constexpr std::string_view name = psum_scatter::name;
  static constexpr op_class kind = op_class::collective;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& given) {
    collective_params const along = detail::counted_from_front(given.as<collective_params>(), x[0].facts().rank);
    bool const lawful_so_far = b.refused.what.why == reason::none;
    auto const part = make<psum_scatter>(b, {x[0]}, along);
    bool const indivisible = !part && lawful_so_far && b.refused.what.why == reason::not_divisible;
    if (!part && !indivisible) return part;
    auto const d = static_cast<int>(along.dim);
    if (indivisible || part.facts().extent(d) != 1) {
      if (indivisible) b.refused = {};
      return b.template refuse<psum_scatter_one>(refuse(reason::not_one_per_device, d, along.order.axes(),
                                                        x[0].facts().extent(d), rule::sharers(b.mesh(), along)),
                                                 x[0].facts());
    }
    return make<squeeze>(b, {part}, squeeze_params{{along.dim}});
  }
};

}  // namespace ops

namespace functions {

template <Axis... A, class X>
constexpr auto psum_scatter(X const& x, site at = std::source_location::current()) {
  return invoke<ops::psum_scatter_one, joined_along<joined_axes<A...>, 0>>(at, x);
}
template <Axis... A, class X, int D>
constexpr auto psum_scatter(X const& x, dim_t<D>, site at = std::source_location::current()) {
  return invoke<ops::psum_scatter_one, joined_along<joined_axes<A...>, D>>(at, x);
}
template <Axis... A, class X>
constexpr auto psum_scatter(X const& x, tiled_t, site at = std::source_location::current()) {
  return invoke<ops::psum_scatter, joined_along<joined_axes<A...>, 0>>(at, x);
}
template <Axis... A, class X, int D>
constexpr auto psum_scatter(X const& x, dim_t<D>, tiled_t, site at = std::source_location::current()) {
  return invoke<ops::psum_scatter, joined_along<joined_axes<A...>, D>>(at, x);
}

}  // namespace functions

}  // namespace tessera
