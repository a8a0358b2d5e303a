// SPDX-License-Identifier: Apache-2.0
#pragma once
// all_gather<dp>(x): the blocks of all devices along dp, stacked along a new dimension; tiled: side by side along one.
//   all_gather<dp>(x)   all_gather<dp>(x, dim<1>)   all_gather<dp, mp>(x, dim<0>, tiled): dp is major
// Block {V} -> {V and dp}: equal on all devices, which the type does not show; all_gather_invariant gives {V without
// dp}, all_gather_reduced {R:dp}, whose gradient is a partial sum.
// Bytes a device sends on a ring of n: (n - 1) B, B its block. Transpose: psum_scatter; each device's part.
// Source: JAX 0.10.2 lax.all_gather, with to="invarying" for all_gather_invariant.

#include <tessera/manual/pvary.hpp>
#include <tessera/op/shape/expand_dims.hpp>

namespace tessera {

template <int D>
struct dim_t {};
template <int D>
inline constexpr dim_t<D> dim{};
struct tiled_t {};
inline constexpr tiled_t tiled{};

namespace ops {

struct psum_scatter;
struct own_part;

// Along `order`; `dim` grows.
struct all_gather : along_dimensions<all_gather> {
  static constexpr std::string_view name = "all_gather";
  static constexpr collective message = collective::all_gather;
  static constexpr verdict rule(rule_input const& in) {
    verdict v = rule::over_manual(in, &rule::all_gather);
    if (v) v.result.varying |= in.attrs.as<collective_params>().order.axes();
    return v;
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, make<psum_scatter>(back, {back.cotangent()}, back.attrs()));
  }
};
struct all_gather_invariant : along_dimensions<all_gather_invariant> {
  static constexpr std::string_view name = "all_gather_invariant";
  static constexpr collective message = collective::all_gather;
  static constexpr verdict rule(rule_input const& in) { return rule::over_manual(in, &rule::all_gather); }
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, make<own_part>(back, {back.cotangent()}, back.attrs()));
  }
};

struct all_gather_reduced : along_dimensions<all_gather_reduced> {
  static constexpr std::string_view name = "all_gather_reduced";
  static constexpr collective message = collective::all_gather;
  // For a value that differs over one of the axes, if that is known.
  static constexpr verdict rule(rule_input const& in) {
    axis_set const axes = in.attrs.as<collective_params>().order.axes();
    bool const differs = in.attrs.as<collective_params>().unchecked.empty() && !(in[0].varying & axes).empty();
    if (!differs && in.mesh.axes().contains(axes)) return refuse(reason::malformed_cast, -1, axes);
    verdict v = rule::over_manual(in, &rule::all_gather);
    v.result.reduced |= axes;
    return v;
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, make<psum_scatter>(back, {back.cotangent()}, back.attrs()));
  }
};

// This device's part of a dimension that is whole here.
struct own_part {
  static constexpr std::string_view name = "own_part";
  static constexpr op_class kind = op_class::shard_slice;
  static constexpr verdict rule(rule_input const& in) { return rule::over_manual(in, &rule::shard_slice); }
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, make<all_gather_invariant>(back, {back.cotangent()}, back.attrs()));
  }
};

// Gather along a new dimension.
template <class Gather>
struct stacked {
  static constexpr std::string_view name = Gather::name;
  static constexpr op_class kind = op_class::collective;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    collective_params const along = detail::counted_from_front(attrs.as<collective_params>(), x[0].facts().rank + 1);
    auto const wide = make<expand_dims>(b, {x[0]}, expand_dims_params{{along.dim}});
    return wide ? make<Gather>(b, {wide}, along) : wide;
  }
};

}  // namespace ops

namespace functions {

template <Axis... A, class X>
constexpr auto all_gather(X const& x, site at = std::source_location::current()) {
  return invoke<ops::stacked<ops::all_gather>, joined_along<joined_axes<A...>, 0>>(at, x);
}
template <Axis... A, class X, int D>
constexpr auto all_gather(X const& x, dim_t<D>, site at = std::source_location::current()) {
  return invoke<ops::stacked<ops::all_gather>, joined_along<joined_axes<A...>, D>>(at, x);
}
template <Axis... A, class X>
constexpr auto all_gather(X const& x, tiled_t, site at = std::source_location::current()) {
  return invoke<ops::all_gather, joined_along<joined_axes<A...>, 0>>(at, x);
}
template <Axis... A, class X, int D>
constexpr auto all_gather(X const& x, dim_t<D>, tiled_t, site at = std::source_location::current()) {
  return invoke<ops::all_gather, joined_along<joined_axes<A...>, D>>(at, x);
}
template <Axis... A, class X, int D>
constexpr auto all_gather_invariant(X const& x, dim_t<D>, tiled_t, site at = std::source_location::current()) {
  return invoke<ops::all_gather_invariant, joined_along<joined_axes<A...>, D>>(at, x);
}
template <Axis... A, class X, int D>
constexpr auto all_gather_invariant(X const& x, dim_t<D>, site at = std::source_location::current()) {
  return invoke<ops::stacked<ops::all_gather_invariant>, joined_along<joined_axes<A...>, D>>(at, x);
}
template <Axis... A, class X, int D>
constexpr auto all_gather_reduced(X const& x, dim_t<D>, tiled_t, site at = std::source_location::current()) {
  return invoke<ops::all_gather_reduced, joined_along<joined_axes<A...>, D>>(at, x);
}
template <Axis... A, class X, int D>
constexpr auto all_gather_reduced(X const& x, dim_t<D>, site at = std::source_location::current()) {
  return invoke<ops::stacked<ops::all_gather_reduced>, joined_along<joined_axes<A...>, D>>(at, x);
}
template <Axis... A, class X>
constexpr auto all_gather_invariant(X const& x, site at = std::source_location::current()) {
  return invoke<ops::stacked<ops::all_gather_invariant>, joined_along<joined_axes<A...>, 0>>(at, x);
}

}  // namespace functions

}  // namespace tessera

#include <tessera/manual/psum_scatter.hpp>
