// SPDX-License-Identifier: Apache-2.0
#pragma once
// vjp: a function's value and its pullback, from cotangents of its results to those of its arguments.
//   auto [y, pullback] = vjp(f, x1, x2);
//   auto [x1_bar, x2_bar] = pullback(y_bar);   // always a std::tuple; may be called several times
//   auto [y, pullback, aux] = vjp(f, has_aux, x1, x2);   // f returns std::tuple{y, aux}
// A cotangent has its value's type, sharding included (`reduced` and `unreduced` exchanged); that of integers is zeros
// of their type. Bytes: those of the gradient. In traced code the pullback walks the record of f(x1, x2) backward;
// within another loop, branch or vmap than that of the call it records f again. With arrays f runs as by jit, and each
// call of the pullback computes it again. Source: JAX jax.vjp.

#include <tessera/transform/jvp.hpp>

namespace tessera {
namespace ops {

// The operation that refusals of a pullback name.
struct vjp {
  static constexpr std::string_view name = "vjp";
  static constexpr op_class kind = op_class::identity;
};

}  // namespace ops

namespace detail {

// The type that a result's cotangent must have, as an unknown value.
template <Mesh M>
struct cotangent_leaf {
  template <class X>
  constexpr auto operator()(X const& x) const {
    if constexpr (moves<X>)
      return traced<array_type_of<cotangent_of<typename X::type>, M>>{x.graph, x.node};
    else
      return x;
  }
};
template <class Call, class C, Mesh M = typename Call::mesh>
using cotangents_refused =
    error_between<ops::vjp, reason::tangents_differ, M, "cotangent",
                  decltype(tree_map(cotangent_leaf<M>{}, std::declval<Call const&>().results)),
                  decltype(tree_map(tangent_type<M>{},
                                    tree_map(cotangent_leaf<M>{}, std::declval<Call const&>().results),
                                    std::declval<C const&>()))>;

// Begins the backward pass with a result's cotangent.
template <Mesh M>
struct seed_cotangent {
  builder* graph;
  backward* back;
  template <class X, class C>
  constexpr bool operator()(X const& x, C const& given) const {
    if constexpr (moves<X> && !std::is_same_v<C, float0>) {
      term const c =
          entered_like<M, ops::vjp>(*graph, given, x.node < 0 ? array_value{} : cotangent_facts(graph->facts(x.node)));
      if (x.node >= 0 && c) back->seed(x.node, c);
    }
    return true;
  }
};
template <Mesh OfResults>
struct read_any_cotangent {
  backward const* back;
  template <class X>
  constexpr auto operator()(X const& x) const {
    if constexpr (moves<X>)
      return read_cotangent<backward, OfResults>{back}(x);
    else if constexpr (is_traced<X>)
      return X{x.graph, x.node < 0 ? -1 : zeros_of(*x.graph, x.graph->facts(x.node)).id};
    else
      return x;
  }
};

// The pullback of a recorded call.
template <class Call>
struct pullback {
  Call call;
  template <class C>
  constexpr auto operator()(C const& cotangents) const {
    static_assert(op_register<ops::vjp>::done);
    using refused = error_in<decltype(Call::results)>;
    using other_tree = trees_refused<ops::vjp, decltype(Call::results), C>;
    if constexpr (!std::is_void_v<refused>) {
      return tree_map(poison_leaf<refused>{}, call.arguments);
    } else if constexpr (!std::is_void_v<other_tree>) {
      refuse_tree<ops::vjp>(*call.graph, call.graph->here);
      return tree_map(poison_leaf<other_tree>{}, call.arguments);
    } else {
      return pulled<cotangents_refused<Call, C>>(cotangents);
    }
  }

private:
  template <class Differs, class C>
  constexpr auto pulled(C const& cotangents) const {
    builder& b = *call.graph;
    walk_of const walk(b, call.number);
    cloner now(b, call.first);
    if (call.depth != b.depth)
      for (int id = call.first; id < call.end; ++id) now.clone(id);
    growable<int> wanted;
    tree_each(collect_nodes{&wanted}, call.arguments);
    backward back(b, call.first, call.end, wanted.data(), static_cast<int>(wanted.size()), &now);
    (void)tree_map(seed_cotangent<typename Call::mesh>{&b, &back}, call.results, cotangents);
    if (back.alive()) back.walk(call.end - 1);
    if constexpr (std::is_void_v<Differs>)
      return tree_map(read_any_cotangent<typename Call::mesh>{&back}, call.arguments);
    else
      return tree_map(poison_leaf<Differs>{}, call.arguments);
  }
};

// The same of arrays: as a function of the arguments and the cotangents, F is recorded again.
template <class F>
struct pulled_back {
  template <class X, class C>
  constexpr auto operator()(X const& x, C const& cotangents) const;
};
template <class F, class... X>
using pullback_at = called_later<pulled_back<F>, X...>;

}  // namespace detail

namespace functions {

template <class F, class... X>
constexpr auto vjp(F const& f, X const&... x) {
  if constexpr ((contains_array<X>() || ...)) run_traced<F, X...>::refused::explain();
  return detail::value_and_map<false, detail::pullback, detail::pullback_at>(f, x...);
}
template <class F, class... X>
constexpr auto vjp(F const& f, has_aux_t, X const&... x) {
  if constexpr ((contains_array<X>() || ...)) run_traced<F, X...>::refused::explain();
  return detail::value_and_map<true, detail::pullback, detail::pullback_at>(f, x...);
}

}  // namespace functions

template <class F>
template <class X, class C>
constexpr auto detail::pulled_back<F>::operator()(X const& x, C const& cotangents) const {
  return std::apply([&](auto const&... each) { return std::get<1>(functions::vjp(F{}, each...))(cotangents); }, x);
}

}  // namespace tessera
