// SPDX-License-Identifier: Apache-2.0
#pragma once
// A value with the layout of a spec: a reshard over Explicit axes, a constraint over the others.

#include <tessera/op/shape/reshard.hpp>
#include <tessera/trace/by_specs.hpp>
#include <tessera/trace/record.hpp>

namespace tessera {
namespace ops {

struct jit;  // the place of a refusal

}  // namespace ops

struct unspecified {};

namespace detail {

// An array for which jit was given a spec that is refused for that reason.
template <class Error, reason Why, class X>
constexpr auto poisoned_by_spec([[maybe_unused]] X const& x, site at, int dim = -1) {
  refusal const found{refuse(Why, dim), nullptr, at, {}, {}, 0};
  builder* graph = nullptr;
  if constexpr (is_traced<X>) graph = x.graph;
  if (graph) graph->refuse(found);
  return poisoned<Error>{found, graph};
}
template <Spec S>
inline constexpr bool names_no_axis = [] {
  constexpr spec_value spec = spec_value_of<no_mesh, S>;
  for (int d = 0; d < spec.rank; ++d)
    if (!spec[d].empty()) return false;
  return true;
}();
// The axes of spec S on mesh M that are Explicit, or all others; for a value without a mesh the mesh is M.
template <Spec S, Mesh M, bool Explicit>
struct part_of_spec {
  using mesh = M;
  using spec = S;
  template <Mesh On>
  static constexpr attributes on() {
    attributes attrs;
    attrs.has_out = true;
    attrs.out = spec_value_of<On, S>;
    axis_set const typed = On::value.of_kind(axis_kind::explicit_);
    for (int d = 0; d < attrs.out.rank; ++d)
      attrs.out.entries.items[d] = without(attrs.out[d], Explicit ? On::value.axes() - typed : typed);
    return attrs;
  }
};
// x of a mesh, or put on M: by a reshard over Explicit axes, by a constraint over the others.
template <Spec S, Mesh M, class X>
constexpr auto placed_as(X const& x, site at) {
  constexpr axis_set typed = M::value.of_kind(axis_kind::explicit_);
  if constexpr (spec_value_of<M, S>.too_long || spec_value_of<M, S>.rank > X::type::rank) {
    return invoke<ops::with_sharding_constraint, with_out<no_params, S, M>>(at, x);  // refused
  } else if constexpr (typed == M::value.axes()) {
    return invoke<ops::reshard, with_out<no_params, S, M>>(at, x);
  } else if constexpr (typed.empty()) {
    return invoke<ops::with_sharding_constraint, with_out<no_params, S, M>>(at, x);
  } else {
    auto const typed_so = invoke<ops::reshard, part_of_spec<S, M, true>>(at, x);
    return invoke<ops::with_sharding_constraint, part_of_spec<S, M, false>>(at, typed_so);
  }
}

template <class S, Mesh On, bool Spread = false>
struct constrain;
// The same with the spec of each leaf of a tree.
template <Mesh On>
struct constrain_by_specs {
  builder* graph;
  site at;
  template <class S>
  constexpr auto leaf() const {
    return constrain<S, On>{at};
  }
  template <int Said, int Parts>
  constexpr auto miscounted() const {
    return poisoned_leaf<ops::with_sharding_constraint, Said, Parts>{graph, at};
  }
};

// A value in layout S: a spec, for all arrays of a tree, or a tree of specs for its parts. A value without a mesh is
// put on mesh On, if there is one. Spread: S is that of several values, of which numbers are not split.
template <class S, Mesh On, bool Spread>
struct constrain {
  site at;
  template <class X>
  constexpr auto operator()(X const& x) const {
    if constexpr (std::is_same_v<S, unspecified>)
      return x;
    else if constexpr (Tree<S>)
      return by_specs<S>(constrain_by_specs<On>{builder_among(x), at}, x);
    else if constexpr (Tree<X>)
      return tree_map(constrain<S, On, true>{at}, x);
    else if constexpr (!is_traced<X> && !is_constant<X>)
      return x;
    else if constexpr (X::type::rank == 0 && (Spread || names_no_axis<S>))
      return scalar(x);
    else if constexpr (constexpr int open = spec_value_of<mesh_for<X>, S>.open_dim(); open >= 0)
      return poisoned_by_spec<error::unconstrained_dim<ops::jit, error::at_dim<open>, error::asked<S>>,
                              reason::unconstrained_dim>(x, at, open);
    else if constexpr (mesh_for<X>::rank != 0)
      return placed_as<S, mesh_for<X>>(x, at);
    else if constexpr (names_no_axis<S>)
      return x;
    else
      return poisoned_by_spec<error::axis_not_in_mesh<ops::jit, error::mesh_has<>, error::asked<S>>,
                              reason::axis_not_in_mesh>(x, at);
  }

private:
  template <class X>
  using mesh_for = std::conditional_t<X::type::mesh::rank != 0, typename X::type::mesh, On>;
  // Not split, but on the mesh.
  template <class X>
  constexpr auto scalar(X const& x) const {
    if constexpr (is_traced<X> && X::type::mesh::rank == 0 && On::rank != 0)
      return placed_as<P<>, On>(x, at);
    else
      return x;
  }
};

}  // namespace detail
}  // namespace tessera
