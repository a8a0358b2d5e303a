// SPDX-License-Identifier: Apache-2.0
#pragma once
// Optimizers for large batches, whose steps have a length proportional to their parameter, for each leaf of the tree:
// lars (You, Gitman, Ginsburg 2017), of momentum, and lamb (You and others 2019), of adam. Interface as in
// optimizers.hpp; a leaf that is split costs an all_reduce of two numbers. Source: optax 0.2 lars, lamb.

#include <tessera/op/reduce/reduce.hpp>
#include <tessera/train/optimizers.hpp>

namespace tessera::train {

namespace detail {
// The factor for u: trust times the length of p divided by that of u; 1 if one of them is 0.
template <class P, class U>
constexpr auto times_trusted(P const& p, U const& u, double trust, double epsilon) {
  auto const length = [](auto const& x) { return tessera::sqrt(tessera::sum(squared(x))); };
  auto const own = length(p);
  auto const other = length(u);
  auto const still = tessera::logical_or(own == 0.0, other == 0.0);
  return as_before(u, u * where(still, 1.0, own * trust / (other + epsilon)));
}
}  // namespace detail

// u = g + decay p; m = momentum m + rate u trust |p| / |u|; p - m.
struct lars {
  detail::named_settings settings{};
  double momentum = 0.9, decay = 0, trust = 0.001, epsilon = 0;

  template <class P>
  constexpr auto init(P const& parameters) const {
    return detail::state_of_mean(tree_map(detail::like_zeros{}, parameters));
  }
  template <class G, class S, class P, class Rate>
    requires detail::Step<G, P, Rate>
  constexpr auto update(G const& gradients, S const& state, P const& parameters, Rate const& rate) const {
    auto const grown = [&](auto const& m, auto const& g, auto const& p) {
      auto const u = detail::times_trusted(p, g + p * decay, trust, epsilon);
      return detail::as_before(m, m * momentum + u * rate);
    };
    auto const mean = tree_map(grown, state.mean, gradients, parameters);
    return std::tuple{tree_map(detail::less_step{}, parameters, mean), detail::state_of_mean(mean)};
  }
  template <class... X>
  constexpr auto update(X const&... x) const {
    return detail::no_step(x...);
  }
};

// u = adam's step + decay p; p - rate u |p| / |u|.
struct lamb {
  detail::named_settings settings{};
  double b1 = 0.9, b2 = 0.999, epsilon = 1e-6, decay = 0;

  template <class P>
  constexpr auto init(P const& parameters) const {
    return adam{}.init(parameters);
  }
  template <class G, class S, class P, class Rate>
    requires detail::Step<G, P, Rate>
  constexpr auto update(G const& gradients, S const& state, P const& parameters, Rate const& rate) const {
    auto const taken = [&](auto const& p, auto const& moved) {
      return detail::as_before(p, p - detail::times_trusted(p, moved + p * decay, 1, 0) * rate);
    };
    return detail::by_moments(b1, b2, epsilon, gradients, state, parameters, taken);
  }
  template <class... X>
  constexpr auto update(X const&... x) const {
    return detail::no_step(x...);
  }
};

}  // namespace tessera::train
