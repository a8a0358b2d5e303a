// SPDX-License-Identifier: Apache-2.0
#pragma once
// Optimizers that divide by the roots of summed squares: adagrad (Duchi, Hazan, Singer 2011) adds up the squares of all
// gradients, rmsprop (Hinton 2012) has their moving mean; rmsprop_of<true> also has a momentum. Interface as in
// optimizers.hpp. Elementwise: moves 0 bytes. Source: optax 0.2 adagrad, rmsprop.

#include <tessera/train/optimizers.hpp>

namespace tessera::train {

// The state of adagrad and rmsprop: squares, and means of steps, a tuple of none without momentum.
template <class Square, class Mean>
struct square_state {
  Square square;
  Mean mean;
  static constexpr tessera::names<2> names{"square", "mean"};
  TESSERA_TREE_ASSIGNMENT(square_state)
};

namespace detail {
template <class Square, class Mean>
constexpr auto state_of_squares(Square const& square, Mean const& mean) {
  return square_state<Square, Mean>{square, mean};
}
}  // namespace detail

// p - rate g / sqrt(epsilon + sum of g^2), the sum beginning with `initial`.
struct adagrad {
  detail::named_settings settings{};
  double initial = 0.1, epsilon = 1e-7;

  template <class P>
  constexpr auto init(P const& parameters) const {
    auto const begun = [this](auto const& p) { return full_like(tessera::real(p), initial); };
    return detail::state_of_squares(tree_map(begun, parameters), std::tuple{});
  }
  template <class G, class S, class P, class Rate>
    requires detail::Step<G, P, Rate>
  constexpr auto update(G const& gradients, S const& state, P const& parameters, Rate const& rate) const {
    auto const square =
        tree_map([](auto const& v, auto const& g) { return detail::as_before(v, v + detail::squared(g)); },
                 state.square, gradients);
    auto const step = [&](auto const& p, auto const& g, auto const& v) {
      return detail::as_before(p, p - g * where(v > 0.0, tessera::rsqrt(v + epsilon), 0.0) * rate);
    };
    return std::tuple{tree_map(step, parameters, gradients, square), detail::state_of_squares(square, std::tuple{})};
  }
  template <class... X>
  constexpr auto update(X const&... x) const {
    return detail::no_step(x...);
  }
};

// u = rate g / sqrt(v + epsilon), v the moving mean of g^2; p - u, or with a momentum p - (u + momentum m), m as
// before.
template <bool WithMomentum = false>
struct rmsprop_of {
  detail::named_settings settings{};
  double decay = 0.9, epsilon = 1e-8;
  double momentum = 0.9;  // only where WithMomentum

  template <class P>
  constexpr auto init(P const& parameters) const {
    auto const square = tree_map(detail::like_real_zeros{}, parameters);
    if constexpr (WithMomentum)
      return detail::state_of_squares(square, tree_map(detail::like_zeros{}, parameters));
    else
      return detail::state_of_squares(square, std::tuple{});
  }
  template <class G, class S, class P, class Rate>
    requires detail::Step<G, P, Rate>
  constexpr auto update(G const& gradients, S const& state, P const& parameters, Rate const& rate) const {
    auto const squared = tree_map([](auto const& g) { return detail::squared(g); }, gradients);
    auto const square = detail::moving_mean(decay, state.square, squared);
    auto const moved = tree_map(
        [&](auto const& g, auto const& v) { return detail::as_before(g, g * tessera::rsqrt(v + epsilon) * rate); },
        gradients, square);
    constexpr detail::less_step taken{};
    if constexpr (WithMomentum) {
      auto const mean = tree_map([&](auto const& m, auto const& u) { return detail::as_before(m, m * momentum + u); },
                                 state.mean, moved);
      return std::tuple{tree_map(taken, parameters, mean), detail::state_of_squares(square, mean)};
    } else {
      return std::tuple{tree_map(taken, parameters, moved), detail::state_of_squares(square, std::tuple{})};
    }
  }
  template <class... X>
  constexpr auto update(X const&... x) const {
    return detail::no_step(x...);
  }
};
using rmsprop = rmsprop_of<>;

}  // namespace tessera::train
