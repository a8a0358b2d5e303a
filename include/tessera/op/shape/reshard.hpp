// SPDX-License-Identifier: Apache-2.0
#pragma once
// reshard: x -> the same values in the layout attrs.out (Explicit axes only). Bytes: those of the planned path; 0 if it
// only slices, or if the layout is the same.
//   reshard<P<dp, none>>(x)   with_sharding_constraint<P<dp>>(x)
//   reshard<P<dp>, grid>(x)   in traced code: of an x without a mesh, which all devices of grid have, too;
//   with_sharding_constraint<P<dp>, grid>(x)   the same over Auto axes
// Source: JAX 0.10.2 jax.sharding.reshard, jax.lax.with_sharding_constraint; conformance surprise 10.

#include <tessera/graph/backward.hpp>
#include <tessera/op/base/door.hpp>
#include <tessera/op/base/out_sharding.hpp>
#include <tessera/rule/spec.hpp>
#include <tessera/trace/by_specs.hpp>
#include <tessera/trace/record.hpp>

namespace tessera {
namespace ops {

struct reshard {
  static constexpr std::string_view name = "reshard";
  static constexpr op_class kind = op_class::reshard;
  static constexpr verdict rule(rule_input const& in) { return rule::laid_out_anew(in[0], in.attrs.out, in.mesh); }
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    array_value const operand = x[0].facts();
    array_value const* const facts[]{&operand};
    if (verdict const v = rule({b.mesh(), facts, 1, attrs}); v && v.result == operand) return x[0];
    return b.template emit<reshard>({x[0]}, attrs);
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, back.cotangent());  // give() restores the operand's layout
  }
};

// x -> x; attrs.out is the layout that the planner must give it over Auto axes. If all axes are Explicit it is an
// assertion about x's type. Moves 0 bytes by itself.
struct with_sharding_constraint {
  static constexpr std::string_view name = "with_sharding_constraint";
  static constexpr op_class kind = op_class::identity;
  static constexpr verdict rule(rule_input const& in) { return rule::constraint(in[0], in.attrs.out, in.mesh); }
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, make<with_sharding_constraint>(back, {back.cotangent()}, back.attrs()));
  }
};

}  // namespace ops

namespace detail {
// A value of a program that is being traced, or a tree with one.
template <class X>
concept InProgram = contains<operand_kind::traced, X> || contains<operand_kind::poisoned, X>;

// Op on a leaf in the layout that a spec says, on mesh M if it has no other.
template <class Op, class M = no_mesh>
struct laid_out_by_specs {
  builder* graph;
  site at;
  template <class S>
  constexpr auto leaf() const {
    return on_leaf<Op, with_out<no_params, S, M>>{at};
  }
  template <int Said, int Parts>
  constexpr auto miscounted() const {
    return poisoned_leaf<Op, Said, Parts>{graph, at};
  }
};
}  // namespace detail

namespace functions {

template <Tree S, class X>
constexpr auto reshard(X const& x, site at = std::source_location::current()) {
  return detail::by_specs<S>(detail::laid_out_by_specs<ops::reshard>{detail::builder_among(x), at}, x);
}
template <Tree S, class X>
constexpr auto with_sharding_constraint(X const& x, site at = std::source_location::current()) {
  return detail::by_specs<S>(detail::laid_out_by_specs<ops::with_sharding_constraint>{detail::builder_among(x), at}, x);
}
template <Spec S, class X>
constexpr auto reshard(X const& x, site at = std::source_location::current()) {
  return invoke<ops::reshard, with_out<no_params, S>>(at, x);
}
// In traced code. Elsewhere: api/device_put.hpp.
template <detail::SpecTree S, Mesh M, class X>
  requires detail::InProgram<X>
constexpr auto reshard(X const& x, site at = std::source_location::current()) {
  return detail::by_specs<S>(detail::laid_out_by_specs<ops::reshard, M>{detail::builder_among(x), at}, x);
}
// As the layout of a type, reshard(x, typeof_(y).sharding()); an x of a program without a mesh is on that of y then.
template <class X, Spec S, Mesh M>
constexpr auto reshard(X const& x, out_sharding_t<S, M>, site at = std::source_location::current()) {
  if constexpr (contains_array<X>())
    return invoke<ops::reshard, with_out<no_params, S>>(at, x);
  else
    return invoke<ops::reshard, with_out<no_params, S, M>>(at, x);
}
template <Spec S, class X>
constexpr auto with_sharding_constraint(X const& x, site at = std::source_location::current()) {
  return invoke<ops::with_sharding_constraint, with_out<no_params, S>>(at, x);
}
// Of an x without a mesh, which the devices of M have then.
template <detail::SpecTree S, Mesh M, class X>
constexpr auto with_sharding_constraint(X const& x, site at = std::source_location::current()) {
  return detail::by_specs<S>(detail::laid_out_by_specs<ops::with_sharding_constraint, M>{detail::builder_among(x), at},
                             x);
}

}  // namespace functions

}  // namespace tessera

#include <tessera/op/base/foundation.hpp>
