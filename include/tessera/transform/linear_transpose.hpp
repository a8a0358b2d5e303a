// SPDX-License-Identifier: Apache-2.0
#pragma once
// linear_transpose: the transpose of a function that is linear in its arguments.
//   auto turned = linear_transpose(f, x, y);   // arguments of these types; their values are not read
//   auto [x_bar, y_bar] = turned(out_bar);     // always a std::tuple; may be called several times
// A function that is not linear is refused: not_linear. Cotangents have the types that vjp gives them. Bytes: those of
// the transpose; f itself is not computed. Source: JAX jax.linear_transpose. Differs: arguments of integers are allowed,
// and get zeros.

#include <tessera/transform/linear.hpp>
#include <tessera/transform/vjp.hpp>

namespace tessera {
namespace ops {

// The operation that refusals of linear_transpose name.
struct linear_transpose {
  static constexpr std::string_view name = "linear_transpose";
  static constexpr op_class kind = op_class::identity;
};

}  // namespace ops

namespace detail {

// A value of this type: zeros.
template <Mesh M>
struct enter_zeros {
  builder* graph;
  template <class X>
  constexpr auto operator()(X const& given) const {
    auto const x = enter_value<M, false>{graph}(given);
    if constexpr (moves<std::remove_cvref_t<decltype(x)>>)
      return std::remove_cvref_t<decltype(x)>{graph, x.node < 0 ? -1 : zeros_of(*graph, graph->facts(x.node)).id};
    else
      return x;
  }
};
template <class Call>
constexpr void refuse_if_not_linear(Call const& call) {
  static_assert(op_register<ops::linear_transpose>::done);
  builder& b = *call.graph;
  if (b.refused.what.why != reason::none) return;
  growable<int> inputs, outputs;
  tree_each(collect_moving{&inputs}, call.arguments);
  tree_each(collect_moving{&outputs}, call.results);
  if (!linearity(b, call.first, call.end, inputs, outputs).holds())
    b.refuse(refusal{refuse(reason::not_linear), &bare_info<ops::linear_transpose>, b.here, {}, {}, 0});
}

// The transpose of f's record on values of these types.
struct turned_call {
  template <class M, class F, class... X>
  static constexpr auto in(builder& b, F const& f, X const&... x) {
    enter_zeros<M> const zeros{&b};
    auto const call = record_call<M>(b, f, std::tuple<decltype(tree_map(zeros, x))...>{tree_map(zeros, x)...});
    refuse_if_not_linear(call);
    return pullback<std::remove_cvref_t<decltype(call)>>{call};
  }
};

// As a function of the arguments and the cotangents.
template <class F>
struct turned_function {
  template <class X, class C>
  constexpr auto operator()(X const& x, C const& cotangents) const;
};

}  // namespace detail

namespace functions {

template <class F, class... X>
constexpr auto linear_transpose(F const& f, X const&... x) {
  if constexpr (detail::has_no_program<X...>) {
    using of_arrays = detail::called_later<detail::turned_function<F>, X...>;
    return detail::called_with_constants<detail::turned_call, of_arrays, F, X...>{f, {x...}};
  } else if constexpr ((contains_array<X>() || ...)) {
    return detail::called_later<detail::turned_function<F>, X...>{{x...}};
  } else {
    using M = typename detail::leaf_meshes<std::tuple<signature_of<X>...>>::type;
    return detail::turned_call::in<M>(*detail::builder_among(x...), f, x...);
  }
}

}  // namespace functions

template <class F>
template <class X, class C>
constexpr auto detail::turned_function<F>::operator()(X const& x, C const& cotangents) const {
  return std::apply([&](auto const&... each) { return functions::linear_transpose(F{}, each...)(cotangents); }, x);
}

}  // namespace tessera
