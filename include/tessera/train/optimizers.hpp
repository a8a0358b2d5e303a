// SPDX-License-Identifier: Apache-2.0
#pragma once
// Optimizers as traced functions over trees of parameters: sgd, momentum, adam, adamw, lion.
//   constexpr train::adam optimizer{.decay = 0.01};                     its numbers, known while compiling
//   auto state = optimizer.init(parameters);                            a tree, laid out as the parameters are
//   auto [p, s] = optimizer.update(gradients, state, parameters, rate);  rate: a number, or a traced scalar
// State and parameters keep their types, so a step can donate them. Elementwise: moves 0 bytes. Others: adagrad.hpp,
// adafactor.hpp, layerwise.hpp. The square of a complex gradient is |g|^2, a real number; in optax its type is complex.
// Source: optax 0.2 sgd, adam, adamw, lion.

#include <tessera/base/functions_otherwise.hpp>
#include <tessera/op/create.hpp>
#include <tessera/op/elementwise.hpp>
#include <tessera/trace/leaves.hpp>
#include <tessera/trace/tree.hpp>
#include <tessera/trace/tree_parts.hpp>

#include <tuple>
#include <type_traits>

namespace tessera::train {

// The state of adam and adamw: means of gradients and of their squares, and the number of steps, int32.
template <class Mean, class Square, class Steps>
struct adam_state {
  Mean mean;
  Square square;
  Steps steps;
  static constexpr tessera::names<3> names{"mean", "square", "steps"};
  TESSERA_TREE_ASSIGNMENT(adam_state)
};
// The state of momentum and lion.
template <class Mean>
struct momentum_state {
  Mean mean;
  static constexpr tessera::names<1> names{"mean"};
  TESSERA_TREE_ASSIGNMENT(momentum_state)
};

namespace detail {
// The first member of each optimizer: adam(1e-3), whose number would be b1, does not compile.
struct named_settings {
  named_settings() = default;
  template <class Rate>
    requires std::is_arithmetic_v<Rate>
  constexpr named_settings(Rate) { written::rate_as_setting<Rate>::explain(); }
};
struct like_zeros {
  template <class X>
  constexpr auto operator()(X const& x) const {
    return zeros_like(x);
  }
};
struct like_real_zeros {
  template <class X>
  constexpr auto operator()(X const& x) const {
    return zeros_like(tessera::real(x));
  }
};
// g^2, of a complex g |g|^2.
template <class G>
constexpr auto squared(G const& g) {
  if constexpr (is_complex(operand_traits<G>::type::value.element)) {
    auto const x = tessera::real(g);
    auto const y = tessera::imag(g);
    return x * x + y * y;
  } else {
    return g * g;
  }
}
struct of_program {
  template <class Leaf>
  static constexpr bool holds = tessera::detail::traces<Leaf>;
};
// What update takes: a gradient for each parameter, arrays, and a rate that is a number or a scalar.
template <class G, class P>
inline constexpr bool match = !Tree<P> && !std::is_arithmetic_v<P>;
template <Tree G, Tree P>
inline constexpr bool match<G, P> = tessera::detail::branches_alike<G, P>;
template <class G, class P, class Rate>
concept Step = match<G, P> && Tree<G>
== Tree<P>&& Operand<Rate>&& operand_traits<Rate>::type::rank == 0;
// A leaf of the program that is being traced.
constexpr int leaf_of_program() { return 0; }
template <class X, class... Rest>
constexpr auto leaf_of_program(X const& x, Rest const&... rest) {
  if constexpr (tessera::detail::traces<X>)
    return x;
  else if constexpr (Tree<X> && tessera::detail::any_leaf<of_program, X>)
    return tessera::detail::with_parts(x, [](auto const&... part) { return leaf_of_program(part...); });
  else
    return leaf_of_program(rest...);
}
template <class... X>
constexpr auto no_step(X const&... x) {
  if constexpr ((tessera::detail::any_leaf<of_program, X> || ...)) {
    auto const refused = tessera::detail::refused_as<written::update_otherwise>(leaf_of_program(x...), site{});
    return std::tuple{refused, refused};
  } else {
    written::update_otherwise<X...>::explain();
    poisoned<explained<X...>> const refused{};
    return std::tuple{refused, refused};
  }
}
// A new value in the element type of the old one: a rate, or a gradient, may have a wider one.
template <class Old, class New>
constexpr auto as_before(Old const&, New const& value) {
  if constexpr (!Operand<Old> || !Operand<New>) {
    return value;
  } else {
    constexpr dtype before = operand_traits<Old>::type::value.element;
    if constexpr (operand_traits<New>::type::value.element == before)
      return value;
    else
      return astype<element_of<before>>(value);
  }
}
// A parameter after a step, in its own element type.
struct less_step {
  template <class P, class U>
  constexpr auto operator()(P const& p, U const& step) const {
    return as_before(p, p - step);
  }
};
// For 0 < b < 1, by the series of atanh.
constexpr double natural_log(double b) {
  double const ratio = (b - 1) / (b + 1);
  double sum = 0, power = ratio;
  // Until the sum does not change; nvcc does not accept a constant that is too small.
  for (int k = 1; k < 2000 && (power > 1e-40 || power < -1e-40); k += 2, power *= ratio * ratio) sum += power / k;
  return 2 * sum;
}
struct of_64_bits {
  template <class Leaf>
  static constexpr bool holds = [] {
    constexpr dtype element = operand_traits<Leaf>::type::value.element;
    return element == dtype::float64 || element == dtype::complex128;
  }();
};
// A number of steps as a float: float64 if a parameter has as many digits.
template <class Steps, class P>
constexpr auto turns_of(Steps const& steps, P const&) {
  return astype<std::conditional_t<tessera::detail::any_leaf<of_64_bits, P>, double, float>>(steps);
}
// 1 - b^steps, exact also near 0: the divisor for a mean that began with zeros.
template <class Steps>
constexpr auto begun(double b, Steps const& steps) {
  return -tessera::expm1(steps * natural_log(b));
}
// old b + new (1 - b), for trees.
template <class Old, class New>
constexpr auto moving_mean(double b, Old const& old, New const& now) {
  return tree_map([b](auto const& m, auto const& g) { return as_before(m, m * b + g * (1 - b)); }, old, now);
}
template <class M>
constexpr auto state_of_mean(M const& mean) {
  return momentum_state<M>{mean};
}
template <class M, class V, class N>
constexpr auto state_of_moments(M const& mean, V const& square, N const& steps) {
  return adam_state<M, V, N>{mean, square, steps};
}
// For each parameter, taken(parameter, step) with adam's step is the new parameter.
template <class G, class S, class P, class Taken>
constexpr auto by_moments(double b1, double b2, double epsilon, G const& gradients, S const& state, P const& parameters,
                          Taken const& taken) {
  auto const steps = state.steps + 1;
  auto const squares = tree_map([](auto const& g) { return squared(g); }, gradients);
  auto const mean = moving_mean(b1, state.mean, gradients);
  auto const square = moving_mean(b2, state.square, squares);
  auto const turns = turns_of(steps, parameters);
  auto const first = begun(b1, turns);
  auto const second = begun(b2, turns);
  auto const step = [&](auto const& p, auto const& m, auto const& v) {
    return taken(p, (m / first) / (tessera::sqrt(v / second) + epsilon));
  };
  return std::tuple{tree_map(step, parameters, mean, square), state_of_moments(mean, square, steps)};
}
}  // namespace detail

// Gradient descent: p - rate g. Its state is the empty tuple.
struct sgd {
  template <class P>
  constexpr auto init(P const&) const {
    return std::tuple{};
  }
  template <class G, class S, class P, class Rate>
    requires detail::Step<G, P, Rate>
  constexpr auto update(G const& gradients, S const& state, P const& parameters, Rate const& rate) const {
    auto const step = [&](auto const& p, auto const& g) { return detail::as_before(p, p - g * rate); };
    return std::tuple{tree_map(step, parameters, gradients), state};
  }
  template <class... X>
  constexpr auto update(X const&... x) const {
    return detail::no_step(x...);
  }
};

// m = decay m + g; p - rate m, or, with nesterov, p - rate (g + decay m).
struct momentum {
  detail::named_settings settings{};
  double decay = 0.9;
  bool nesterov = false;

  template <class P>
  constexpr auto init(P const& parameters) const {
    return detail::state_of_mean(tree_map(detail::like_zeros{}, parameters));
  }
  template <class G, class S, class P, class Rate>
    requires detail::Step<G, P, Rate>
  constexpr auto update(G const& gradients, S const& state, P const& parameters, Rate const& rate) const {
    auto const grown = [&](auto const& m, auto const& g) { return detail::as_before(m, m * decay + g); };
    auto const mean = tree_map(grown, state.mean, gradients);
    auto const step = [&](auto const& p, auto const& m, auto const& g) {
      if (nesterov) return detail::as_before(p, p - (g + m * decay) * rate);
      return detail::as_before(p, p - m * rate);
    };
    return std::tuple{tree_map(step, parameters, mean, gradients), detail::state_of_mean(mean)};
  }
  template <class... X>
  constexpr auto update(X const&... x) const {
    return detail::no_step(x...);
  }
};

// Adam (Kingma, Ba 2015). With a decay, adamw (Loshchilov, Hutter 2019): rate decay p is subtracted from p, too.
struct adam {
  detail::named_settings settings{};
  double b1 = 0.9, b2 = 0.999, epsilon = 1e-8, decay = 0;

  template <class P>
  constexpr auto init(P const& parameters) const {
    return detail::state_of_moments(tree_map(detail::like_zeros{}, parameters),
                                    tree_map(detail::like_real_zeros{}, parameters), zeros<int32>());
  }
  template <class G, class S, class P, class Rate>
    requires detail::Step<G, P, Rate>
  constexpr auto update(G const& gradients, S const& state, P const& parameters, Rate const& rate) const {
    auto const taken = [&](auto const& p, auto const& moved) {
      if (decay != 0) return detail::as_before(p, p - (moved + p * decay) * rate);
      return detail::as_before(p, p - moved * rate);
    };
    return detail::by_moments(b1, b2, epsilon, gradients, state, parameters, taken);
  }
  template <class... X>
  constexpr auto update(X const&... x) const {
    return detail::no_step(x...);
  }
};
constexpr adam adamw(double decay = 1e-4) {
  adam made;
  made.decay = decay;
  return made;
}

// Lion (Chen and others 2023): steps of one size, with the signs of a mean of gradients.
struct lion {
  detail::named_settings settings{};
  double b1 = 0.9, b2 = 0.99, decay = 0;

  template <class P>
  constexpr auto init(P const& parameters) const {
    return detail::state_of_mean(tree_map(detail::like_zeros{}, parameters));
  }
  template <class G, class S, class P, class Rate>
    requires detail::Step<G, P, Rate>
  constexpr auto update(G const& gradients, S const& state, P const& parameters, Rate const& rate) const {
    auto const step = [&](auto const& p, auto const& m, auto const& g) {
      auto const moved = tessera::sign(m * b1 + g * (1 - b1));
      if (decay != 0) return detail::as_before(p, p - (moved + p * decay) * rate);
      return detail::as_before(p, p - moved * rate);
    };
    return std::tuple{tree_map(step, parameters, state.mean, gradients),
                      detail::state_of_mean(detail::moving_mean(b2, state.mean, gradients))};
  }
  template <class... X>
  constexpr auto update(X const&... x) const {
    return detail::no_step(x...);
  }
};

}  // namespace tessera::train
