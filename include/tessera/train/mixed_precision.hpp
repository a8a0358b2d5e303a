// SPDX-License-Identifier: Apache-2.0
#pragma once
// Mixed precision: parameters in one dtype, work in another, and a loss that is scaled so that small gradients of float16
// do not vanish.
//   inline constexpr precision_policy<float, bfloat16, float> policy;    // parameters, computation, output
//   policy.compute(tree)   policy.parameters(tree)   policy.output(tree)   -> the tree with its floating leaves cast
//   inline constexpr dynamic_loss_scale scaling{.period = 2000, .factor = 2};
//   state = scaling.init(65536)                        -> {scale float32[], steps int32[]}
//   scaling.scale(state, loss)                         -> the loss that is differentiated
//   scaling.unscale(state, gradients)                  -> the gradients, divided by the scale, as float32 where narrower
//   all_finite(gradients)                              -> bool[]: whether no leaf has an infinity or a NaN
//   scaling.adjust(state, finite)                      -> state: after `period` finite steps times `factor`, after an
//                                                         infinite one divided by it, at least 1
//   select(finite, updated, before)                    -> the tree of one or the other
// Sums over devices in float32: grad(f, reduce_dtype<float>). Bytes: all_finite sends one value for each split leaf.
// Source: jmp 0.0.4 Policy, DynamicLossScale, all_finite, select_tree.

#include <tessera/op/create.hpp>
#include <tessera/op/elementwise.hpp>
#include <tessera/op/reduce.hpp>
#include <tessera/trace/tree_functions.hpp>
#include <tessera/train/optimizers.hpp>

namespace tessera::train {

namespace detail {
// Floating leaves of at most so many bytes an element in another dtype.
template <class Element, int Bytes = 8>
struct cast_floating {
  template <class X>
  constexpr auto operator()(X const& x) const {
    if constexpr (!Operand<X>) {
      return x;
    } else {
      constexpr dtype own = operand_traits<X>::type::value.element;
      if constexpr (is_floating(own) && bytes_of(own) <= Bytes)
        return astype<Element>(x);
      else
        return x;
    }
  }
};
struct leaf_is_finite {
  template <class X>
  constexpr auto operator()(X const& x) const {
    return tessera::all(tessera::isfinite(x));
  }
};
}  // namespace detail

template <class Parameters, class Compute, class Output>
struct precision_policy {
  template <class T>
  constexpr auto parameters(T const& tree) const {
    return tree_map(detail::cast_floating<Parameters>{}, tree);
  }
  template <class T>
  constexpr auto compute(T const& tree) const {
    return tree_map(detail::cast_floating<Compute>{}, tree);
  }
  template <class T>
  constexpr auto output(T const& tree) const {
    return tree_map(detail::cast_floating<Output>{}, tree);
  }
};

template <class T>
constexpr auto all_finite(T const& tree) {
  return tree_reduce([](auto const& a, auto const& b) { return tessera::logical_and(a, b); },
                     tree_map(detail::leaf_is_finite{}, tree));
}
template <class B, class T, class U>
constexpr auto select(B const& chosen, T const& tree, U const& other) {
  return tree_map([&](auto const& x, auto const& y) { return tessera::where(chosen, x, y); }, tree, other);
}

template <class Scale, class Steps>
struct loss_scale_state {
  Scale scale;
  Steps steps;  // finite ones since it changed
  static constexpr tessera::names<2> names{"scale", "steps"};
  TESSERA_TREE_ASSIGNMENT(loss_scale_state)
};
struct dynamic_loss_scale {
  int period = 2000;
  double factor = 2;

  template <class Element = float>
  constexpr auto init(double scale) const {
    auto const s = zeros<Element>() + static_cast<Element>(scale);
    auto const n = zeros<int32>();
    return loss_scale_state<std::remove_cvref_t<decltype(s)>, std::remove_cvref_t<decltype(n)>>{s, n};
  }
  template <class S, class X>
  constexpr auto scale(S const& state, X const& loss) const {
    return detail::as_before(loss, loss * state.scale);
  }
  template <class S, class T>
  constexpr auto unscale(S const& state, T const& gradients) const {
    auto const back = 1.0f / state.scale;
    return tree_map([&](auto const& g) { return detail::as_before(g, g * back); },
                    tree_map(detail::cast_floating<float, 2>{}, gradients));
  }
  template <class S, class B>
  constexpr auto adjust(S const& state, B const& finite) const {
    auto const grown = state.steps + 1 >= period;
    auto const more = tessera::where(tessera::isfinite(state.scale * static_cast<float>(factor)),
                                     state.scale * static_cast<float>(factor), state.scale);
    auto const less = tessera::maximum(state.scale * static_cast<float>(1 / factor), 1.0f);
    auto const scale = tessera::where(finite, tessera::where(grown, more, state.scale), less);
    auto const steps = tessera::where(tessera::logical_and(finite, tessera::logical_not(grown)), state.steps + 1, 0);
    auto const kept = detail::as_before(state.steps, steps);
    return loss_scale_state<std::remove_cvref_t<decltype(scale)>, std::remove_cvref_t<decltype(kept)>>{scale, kept};
  }
};

}  // namespace tessera::train
