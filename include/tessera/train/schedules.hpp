// SPDX-License-Identifier: Apache-2.0
#pragma once
// Learning rates by the number of a step, from 0 on: a traced scalar, as in an optimizer's state, or a C++ number.
//   constexpr train::warmup_cosine schedule{.peak = 3e-4, .warmup = 100, .steps = 10000};
//   auto [p, s] = optimizer.update(gradients, state, parameters, schedule(state.steps));
// Each gives a float32 scalar. Source: optax 0.2 schedules.

#include <tessera/op/elementwise.hpp>

namespace tessera::train {

namespace detail {
// The elapsed part of `steps`: 0 to 1.
template <class Step>
constexpr auto part_of(Step const& step, double steps) {
  return tessera::clip(astype<float>(step) / (steps > 0 ? steps : 1.0), 0.0, 1.0);
}
template <class Part>
constexpr auto half_wave(Part const& part) {
  return (1.0 + tessera::cos(part * 3.141592653589793)) * 0.5;
}
}  // namespace detail

struct constant_rate {
  double rate = 1e-3;
  template <class Step>
  constexpr auto operator()(Step const&) const {
    return rate;
  }
};

// start to end in a straight line, then end.
struct linear {
  double start = 1, end = 0, steps = 1;
  template <class Step>
  constexpr auto operator()(Step const& step) const {
    return start + detail::part_of(step, steps) * (end - start);
  }
};

// rate factor^(step / steps); in a staircase, that of the last whole multiple of `steps`.
struct exponential_decay {
  double rate = 1, factor = 0.5, steps = 1;
  bool staircase = false;
  template <class Step>
  constexpr auto operator()(Step const& step) const {
    auto const turns = astype<float>(step) / steps;
    return rate * tessera::power(factor, staircase ? tessera::floor(turns) : turns);
  }
};

// Half a wave of a cosine from rate to rate * last.
struct cosine {
  double rate = 1, steps = 1, last = 0;
  template <class Step>
  constexpr auto operator()(Step const& step) const {
    return rate * (detail::half_wave(detail::part_of(step, steps)) * (1 - last) + last);
  }
};

// From start to peak in `warmup` steps, then half a wave down to end, `steps` in all.
struct warmup_cosine {
  double start = 0, peak = 1, warmup = 1, steps = 2, end = 0;
  template <class Step>
  constexpr auto operator()(Step const& step) const {
    auto const up = start + detail::part_of(step, warmup) * (peak - start);
    auto const wave = detail::half_wave(detail::part_of(astype<float>(step) - warmup, steps - warmup));
    return tessera::where(step < warmup, up, end + wave * (peak - end));
  }
};

}  // namespace tessera::train
