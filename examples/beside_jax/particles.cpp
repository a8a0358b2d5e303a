// SPDX-License-Identifier: Apache-2.0
// 256 particles that attract each other, 32 on each of 8 devices; leapfrog steps, and a gradient by the masses. For the
// forces, positions and masses go round a ring of all devices; energies are summed over them.

#include <tessera/tessera.hpp>

#include <cstdio>
#include <tuple>

namespace ts = tessera;

namespace {

struct ring : ts::axis {};
using line = ts::mesh<ts::explicit_axis<ring, 8>>;
constexpr std::int64_t n = 256, steps = 50;
constexpr float dt = 0.02f, soft = 0.05f;

// The sum of pair(x, y, m of y) over the particles y of all devices.
constexpr auto around = [](auto pair, auto x, auto m) {
  auto const turn = [&](auto, auto carry) {
    auto const [total, y, my] = carry;
    auto const [next_y, next_my] = ts::ppermute<ring>(std::tuple{y, my}, ts::rotate<1>);
    return std::tuple{total + pair(x, y, my), next_y, next_my};
  };
  return std::get<0>(ts::fori_loop(0, 8, turn, std::tuple{ts::zeros_like(pair(x, x, m)), x, m}));
};

// On a particle of mass 1 at each x.
constexpr auto force = [](auto x, auto y, auto m) {
  auto const d = y - ts::expand_dims<1>(x);
  auto const r2 = ts::sum<-1>(d * d) + soft * soft;
  return ts::sum<1>(d * ts::expand_dims<-1>(m / (r2 * ts::sqrt(r2))));
};

constexpr auto potential = [](auto x, auto y, auto m) {
  auto const d = y - ts::expand_dims<1>(x);
  return -ts::sum<1>(m / ts::sqrt(ts::sum<-1>(d * d) + soft * soft));
};

constexpr auto energies = [](auto x, auto v, auto m) {
  auto const kinetic = ts::sum(m * ts::sum<-1>(v * v)) / 2;
  return ts::psum<ring>(std::tuple{kinetic, ts::sum(m * around(potential, x, m)) / 2});
};

constexpr auto simulate = ts::shard_map<ts::out_specs<ts::P<ring>, ts::P<ring>, ts::P<>>>([](auto x, auto v, auto m) {
  auto const step = [&](auto carry) {
    auto [x, v, a] = carry;
    v += dt / 2 * a;
    x += dt * v;
    a = around(force, x, m);
    v += dt / 2 * a;
    return std::tuple{std::tuple{x, v, a}, energies(x, v, m)};
  };
  auto const [last, history] = ts::scan<steps>(step, std::tuple{x, v, around(force, x, m)});
  return std::tuple{std::get<0>(last), std::get<1>(last), history};
});

constexpr auto final_kinetic = ts::jit(ts::value_and_grad([](auto m, auto x, auto v) {
  auto const [end, speed, history] = simulate(x, v, m);
  return std::get<0>(history).at(-1).get();
}));

}  // namespace

int main(int argc, char** argv) {
  ts::runtime runtime{argc, argv};
  ts::use_mesh const current{ts::make_mesh<line>(ts::devices())};
  constexpr auto split = ts::out_sharding<ts::P<ring>, line>;
  auto const [kx, kv, km] = ts::random::split<3>(ts::random::key(0));
  auto const x = ts::asarray(ts::random::uniform<float, n, 3>(kx, -1, 1, split));
  auto const v = ts::asarray(0.1f * ts::random::normal<float, n, 3>(kv, split));
  auto const m = ts::asarray(ts::random::uniform<float, n>(km, split) / n);
  constexpr auto const& sent = ts::comm_of<decltype(simulate), decltype(x), decltype(v), decltype(m)>;
  static_assert(sent.bytes(ts::collective::permute) == (1 + 2 * steps) * 8 * (n / 8) * 4 * sizeof(float));

  auto const [x1, v1, history] = ts::jit(simulate)(x, v, m);
  auto const kinetic = ts::device_get(std::get<0>(history));
  auto const potential = ts::device_get(std::get<1>(history));
  for (std::size_t t = 9; t < steps; t += 10)
    std::printf("step %zu: kinetic %.4g, potential %.4g, sum %.4f\n", t + 1, kinetic[t], potential[t],
                kinetic[t] + potential[t]);
  std::printf("momentum %.4f\n", ts::max(ts::abs(ts::sum<0>(ts::expand_dims<1>(m) * (v1 - v)))).item());
  auto const [value, slope] = final_kinetic(m, x, v);
  std::printf("kinetic %.4g, its gradient by the masses: %.4g to %.4g, mean %.4g\n", value.item(),
              ts::min(slope).item(), ts::max(slope).item(), ts::mean(slope).item());
}
