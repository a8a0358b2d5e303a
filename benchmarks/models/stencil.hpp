// SPDX-License-Identifier: Apache-2.0
#pragma once
// Diffusion on a ring of rings of 512 x 512 cells: 20 steps of the mean of four neighbors, a loop of the program. Over eight
// devices the rows are divided, and each sends one to both sides.

#include "training.hpp"

namespace cases::stencil {

constexpr std::int64_t size = 512, steps = 20;

// The rows above and below, of a device's own rows: of neighbors, one of each.
constexpr auto neighbors = [](auto u, auto devices) {
  if constexpr (devices == 1) {
    return std::pair{ts::roll<1, 0>(u), ts::roll<-1, 0>(u)};
  } else {
    constexpr std::int64_t own = size / devices;
    auto const above = ts::ppermute<dp>(ts::slice_in_dim<0, own - 1, own>(u), ts::rotate<1>);
    auto const below = ts::ppermute<dp>(ts::slice_in_dim<0, 0, 1>(u), ts::rotate<-1>);
    return std::pair{ts::concatenate<0>(above, ts::slice_in_dim<0, 0, own - 1>(u)),
                     ts::concatenate<0>(ts::slice_in_dim<0, 1, own>(u), below)};
  }
};
template <std::int64_t Devices>
struct diffuse {
  constexpr auto operator()(auto x) const {
    auto const turns = [](auto block) {
      return ts::fori_loop(
          0, steps,
          [](auto, auto u) {
            auto const [above, below] = neighbors(u, std::integral_constant<std::int64_t, Devices>{});
            return 0.5f * u + 0.125f * (above + below + ts::roll<1, 1>(u) + ts::roll<-1, 1>(u));
          },
          block);
    };
    if constexpr (Devices == 1)
      return turns(x);
    else
      return ts::shard_map<ts::in_specs<ts::P<dp>>, ts::out_specs<ts::P<dp>>>(turns)(x);
  }
};

template <std::int64_t Devices>
void run(benchmark::State& state, std::string const& name) {
  auto const values = noises(1, size * size);
  auto const x = put<ts::P<dp>, grid<Devices, 1>, size, size>(values);
  measure(
      state, name, 1e-4, [&] { ts::jit<diffuse<Devices>>(x).block_until_ready(); },
      [&] {
        std::vector<double> u(values.begin(), values.end()), next(u.size());
        for (std::int64_t k = 0; k < steps; ++k, u.swap(next))
          for (std::int64_t r = 0; r < size; ++r)
            for (std::int64_t c = 0; c < size; ++c) {
              auto const at = [&](std::int64_t row, std::int64_t column) {
                return u[(row + size) % size * size + (column + size) % size];
              };
              next[r * size + c] = 0.5 * at(r, c) + 0.125 * (at(r - 1, c) + at(r + 1, c) + at(r, c - 1) + at(r, c + 1));
            }
        difference d;
        auto const got = ts::jit<diffuse<Devices>>(x).to_host();
        for (std::size_t k = 0; k < u.size(); ++k) d.add(got[k], u[k]);
        return d.relative();
      });
}

}  // namespace cases::stencil
