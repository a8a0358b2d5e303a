// SPDX-License-Identifier: Apache-2.0
#pragma once
// Heat in a plate of 512 x 512 cells with a fixed border: 20 steps, a loop of the program, that set the cells inside to the
// mean of their four neighbors.

#include "training.hpp"

namespace cases::heat {

constexpr std::int64_t size = 512, steps = 20;

constexpr auto turn = [](auto u) {
  constexpr std::int64_t end = size - 1;
  auto const mean = 0.25f * (ts::slice(u, ts::starts<0, 1>, ts::limits<end - 1, end>) +
                             ts::slice(u, ts::starts<2, 1>, ts::limits<size, end>) +
                             ts::slice(u, ts::starts<1, 0>, ts::limits<end, end - 1>) +
                             ts::slice(u, ts::starts<1, 2>, ts::limits<end, size>));
  return u.at(ts::span<1, end>(), ts::span<1, end>()).set(mean);
};
constexpr auto settle = [](auto x) {
  return ts::fori_loop(
      0, steps, [](auto, auto u) { return turn(u); }, x);
};

inline void run(benchmark::State& state, std::string const& name) {
  auto const values = noises(1, size * size);
  auto const x = put<ts::P<>, grid<1, 1>, size, size>(values);
  measure(
      state, name, 1e-4, [&] { ts::jit(settle)(x).block_until_ready(); },
      [&] {
        std::vector<double> u(values.begin(), values.end()), next = u;
        for (std::int64_t k = 0; k < steps; ++k, u.swap(next))
          for (std::int64_t r = 1; r + 1 < size; ++r)
            for (std::int64_t c = 1; c + 1 < size; ++c) {
              std::int64_t const at = r * size + c;
              next[at] = 0.25 * (u[at - size] + u[at + size] + u[at - 1] + u[at + 1]);
            }
        difference d;
        auto const got = ts::jit(settle)(x).to_host();
        for (std::size_t k = 0; k < u.size(); ++k) d.add(got[k], u[k]);
        return d.relative();
      });
}

}  // namespace cases::heat
