// SPDX-License-Identifier: Apache-2.0
#pragma once
// Adafactor (Shazeer, Stern 2018): for a matrix it keeps only the means of rows and of columns of the squared
// gradients.
//   constexpr train::adafactor optimizer{.decay = 1e-3};       as optimizers.hpp's: init(p), update(gradients, state, p, rate)
//   constexpr train::adafactor_of<32, true> other{};           factors from 32 on, and has a momentum
// A parameter with two dimensions of Least or more is factored along the two largest: float32[512@fsdp,1024@tp] has
// rows float32[512@fsdp] and columns float32[1024@tp]. It sends the sums of rows, of columns, and of a few single
// numbers. The rate is relative: it is multiplied by the root mean square of the parameter unless .scaled = false.
// Source: optax 0.2 adafactor, with equal results.

#include <tessera/op/reduce/reduce.hpp>
#include <tessera/op/shape/expand_dims.hpp>
#include <tessera/train/optimizers.hpp>

namespace tessera::train {

// The state of a parameter that adafactor factors.
template <class Rows, class Columns>
struct factored_square {
  Rows rows;
  Columns columns;
  static constexpr tessera::names<2> names{"rows", "columns"};
  TESSERA_TREE_ASSIGNMENT(factored_square)
};
// The whole state: squares, each a factored_square or an array; means of steps, a tuple of none without momentum; the
// number of steps, int32.
template <class Square, class Mean, class Steps>
struct adafactor_state {
  Square square;
  Mean mean;
  Steps steps;
  static constexpr tessera::names<3> names{"square", "mean", "steps"};
  TESSERA_TREE_ASSIGNMENT(adafactor_state)
};

namespace detail {

// The two largest dimensions, if both are `least` or more: rows are counted along the first of them, columns along the
// other.
struct factored_dims {
  int row = -1, column = -1;
};
constexpr factored_dims greatest_dims(array_value const& x, std::int64_t least) {
  int most = -1, second = -1;
  for (int d = 0; d < x.rank; ++d) {
    if (most < 0 || x.extent(d) >= x.extent(most)) {
      second = most;
      most = d;
    } else if (second < 0 || x.extent(d) >= x.extent(second)) {
      second = d;
    }
  }
  if (second < 0 || x.extent(second) < least) return {};
  return most < second ? factored_dims{most, second} : factored_dims{second, most};
}
template <class P, std::int64_t Least>
inline constexpr factored_dims factored_dims_of = greatest_dims(operand_traits<P>::type::value, Least);

template <class Rows, class Columns>
constexpr auto factors(Rows const& rows, Columns const& columns) {
  return factored_square<Rows, Columns>{rows, columns};
}
template <class Square, class Mean, class Steps>
constexpr auto state_of_factors(Square const& square, Mean const& mean, Steps const& steps) {
  return adafactor_state<Square, Mean, Steps>{square, mean, steps};
}
template <class X>
constexpr auto root_mean_square(X const& x) {
  return tessera::sqrt(tessera::mean(squared(x)));
}

}  // namespace detail

template <std::int64_t Least = 128, bool WithMomentum = false>
struct adafactor_of {
  detail::named_settings settings{};
  double decay_rate = 0.8;  // the decay of means of squares is 1 - steps^-decay_rate
  int decay_offset = 0;     // the number of steps before
  bool scaled = true;       // by the parameter's root mean square, at least 1e-3
  double clipping = 1;      // the largest root mean square of a step; 0: any
  double momentum = 0.9;    // only where WithMomentum
  double decay = 0;         // the factor of p that is subtracted from it, independent of the rate
  double epsilon = 1e-30;

  template <class P>
  constexpr auto init(P const& parameters) const {
    auto const square = tree_map(
        [](auto const& p) {
          constexpr detail::factored_dims dims = detail::factored_dims_of<std::remove_cvref_t<decltype(p)>, Least>;
          if constexpr (dims.row < 0)
            return zeros_like(real(p));
          else
            return detail::factors(zeros_like(tessera::mean<dims.column>(real(p))),
                                   zeros_like(tessera::mean<dims.row>(real(p))));
        },
        parameters);
    if constexpr (WithMomentum)
      return detail::state_of_factors(square, tree_map(detail::like_zeros{}, parameters), zeros<int32>());
    else
      return detail::state_of_factors(square, std::tuple{}, zeros<int32>());
  }

  template <class G, class S, class P, class Rate>
    requires detail::Step<G, P, Rate>
  constexpr auto update(G const& gradients, S const& state, P const& parameters, Rate const& rate) const {
    auto const steps = state.steps + 1;
    auto const turns = detail::turns_of(steps - decay_offset, parameters);  // of float64 in optax float32, too
    auto const forgotten = tessera::power(turns, -decay_rate);
    auto const square =
        tree_map([&](auto const& p, auto const& g, auto const& old) { return squares(p, g, old, forgotten); },
                 parameters, gradients, state.square);
    auto const moved = tree_map([&](auto const& p, auto const& g, auto const& v) { return step(p, g, v, rate); },
                                parameters, gradients, square);
    auto const taken = [&](auto const& p, auto const& u) {
      if (decay != 0) return detail::as_before(p, p - (u + p * decay));
      return detail::as_before(p, p - u);
    };
    if constexpr (WithMomentum) {
      auto const mean = detail::moving_mean(momentum, state.mean, moved);
      return std::tuple{tree_map(taken, parameters, mean), detail::state_of_factors(square, mean, steps)};
    } else {
      return std::tuple{tree_map(taken, parameters, moved), detail::state_of_factors(square, std::tuple{}, steps)};
    }
  }
  template <class... X>
  constexpr auto update(X const&... x) const {
    return detail::no_step(x...);
  }

private:
  template <class P, class G, class Old, class Forgotten>
  constexpr auto squares(P const&, G const& g, Old const& old, Forgotten const& forgotten) const {
    constexpr detail::factored_dims dims = detail::factored_dims_of<P, Least>;
    auto const grown = detail::squared(g) + epsilon;
    auto const moved = [&](auto const& before, auto const& now) {
      return detail::as_before(before, before * (1.0 - forgotten) + now * forgotten);
    };
    if constexpr (dims.row < 0)
      return moved(old, grown);
    else
      return detail::factors(moved(old.rows, tessera::mean<dims.column>(grown)),
                             moved(old.columns, tessera::mean<dims.row>(grown)));
  }
  // The gradient's change, before momentum.
  template <class P, class G, class Square, class Rate>
  constexpr auto step(P const& p, G const& g, Square const& square, Rate const& rate) const {
    auto u = rescaled<P>(g, square);
    if (clipping != 0) u = detail::as_before(g, u / tessera::maximum(detail::root_mean_square(u) / clipping, 1.0));
    u = detail::as_before(g, u * rate);
    if (scaled) u = detail::as_before(g, u * tessera::maximum(detail::root_mean_square(p), 1e-3));
    return u;
  }
  template <class P, class G, class Square>
  static constexpr auto rescaled(G const& g, Square const& square) {
    constexpr detail::factored_dims dims = detail::factored_dims_of<P, Least>;
    if constexpr (dims.row < 0) {
      return detail::as_before(g, g * tessera::rsqrt(square));
    } else {
      auto const rows = tessera::rsqrt(square.rows / tessera::mean<dims.row>(square.rows, keepdims));
      auto const columns = tessera::rsqrt(square.columns);
      return detail::as_before(g, g * expand_dims<dims.column>(rows) * expand_dims<dims.row>(columns));
    }
  }
};
using adafactor = adafactor_of<>;

}  // namespace tessera::train
