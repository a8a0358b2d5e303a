// SPDX-License-Identifier: Apache-2.0
// A deep equilibrium model: z = tanh(W z + U x + b) is found by a while_loop, its gradient by the implicit function
// theorem. It learns to tell the quadrants of the plane apart. The batch is split over 8 devices; gradients, and each
// turn's largest change, are combined over them.

#include <tessera/tessera.hpp>

#include <cstdio>
#include <tuple>

namespace ts = tessera;

namespace {

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 8>>;

constexpr std::int64_t batch = 512, hidden = 24, steps = 161;

TESSERA_TREE(parameters, w, u, b, v);

constexpr auto cell(auto p, auto x, auto z) {
  auto const w = 0.9f * p.w / ts::norm(p.w);  // contracts, so that there is one fixed point
  return ts::tanh(ts::matmul(z, w) + ts::matmul(x, p.u) + p.b);
}

constexpr auto iterate(auto f, auto start) {
  auto const moving = [](auto state) {
    auto const [old, now, turns] = state;
    return (ts::max(ts::abs(now - old)) > 1e-6f) & (turns < 100);
  };
  auto const turn = [&](auto state) {
    auto const [old, z, turns] = state;
    return std::tuple{z, f(z), turns + 1};
  };
  return std::get<1>(ts::while_loop(moving, turn, std::tuple{start, f(start), 0}));
}

constexpr auto fixed_point = [](auto p, auto x) {
  return iterate([&](auto z) { return cell(p, x, z); }, ts::zeros_like(ts::matmul(x, p.u)));
};

constexpr auto equilibrium = ts::custom_vjp(
    fixed_point,
    [](auto p, auto x) {
      auto const z = fixed_point(p, x);
      return std::tuple{z, std::tuple{p, x, z}};
    },
    [](auto residuals, auto bar) {  // u = bar + u dcell/dz; then the cotangents are u dcell/dp and u dcell/dx
      auto const [p, x, z] = residuals;
      auto const [again, by_z] = ts::vjp([p = p, x = x](auto z) { return cell(p, x, z); }, z);
      auto const u = iterate([&, by_z = by_z](auto u) { return bar + std::get<0>(by_z(u)); }, bar);
      auto const [same, by_arguments] = ts::vjp([z = z](auto p, auto x) { return cell(p, x, z); }, p, x);
      return by_arguments(u);
    });

constexpr auto unrolled = [](auto p, auto x) {
  return ts::fori_loop(
      0, 60, [&](auto, auto z) { return cell(p, x, z); }, ts::zeros_like(ts::matmul(x, p.u)));
};

constexpr auto logits(auto p, auto x, auto solve) { return ts::matmul(solve(p, x), p.v); }

constexpr auto loss = [](auto p, auto x, auto y, auto solve) {
  return ts::mean(ts::softplus(-y * logits(p, x, solve)));
};

constexpr ts::train::adam optimizer;

constexpr auto first_parameters(auto key) {
  auto const [w, u, v] = ts::random::split<3>(key);
  return parameters{ts::random::normal<float, hidden, hidden>(w), ts::random::normal<float, 2, hidden>(u),
                    ts::zeros<float, hidden>(), ts::random::normal<float, hidden>(v) / ts::sqrt(hidden)};
}

constexpr auto train = [](auto key) {
  auto const [of_points, of_parameters] = ts::random::split(key);
  auto const x = ts::random::normal<float, batch, 2>(of_points, ts::out_sharding<ts::P<dp>, line>);
  auto const y = ts::sign(x.at(ts::every, 0).get() * x.at(ts::every, 1).get());
  auto const step = [&](auto state) {
    auto const [p, moments] = state;
    auto const [value, gradient] = ts::value_and_grad(loss)(p, x, y, equilibrium);
    return std::tuple{optimizer.update(gradient, moments, p, 1e-2), value};
  };
  auto const start = first_parameters(of_parameters);
  auto const [trained, losses] = ts::scan<steps>(step, std::tuple{start, optimizer.init(start)});
  auto const p = std::get<0>(trained);
  auto const z = equilibrium(p, x);
  auto const residual = ts::max(ts::abs(z - cell(p, x, z)));
  auto const implicit = ts::grad(loss)(p, x, y, equilibrium), explicit_ = ts::grad(loss)(p, x, y, unrolled);
  auto const apart = ts::tree_map([](auto a, auto b) { return ts::max(ts::abs(a - b)); }, implicit, explicit_);
  auto const accuracy = ts::mean(logits(p, x, equilibrium) * y > 0);
  return std::tuple{losses, accuracy, ts::norm(p.v), residual, ts::tree_reduce(ts::maximum, apart)};
};

}  // namespace

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  ts::use_mesh const current{ts::make_mesh<line>(ts::devices())};
  auto const [losses, accuracy, norm, residual, apart] = ts::jit<train>(ts::random::key(0));
  auto const values = losses.to_host();
  for (int i = 0; i < steps; i += 40) std::printf("step %3d  loss %.3f\n", i, values[i]);
  std::printf("accuracy %.3f  norm of v %.2f\n", accuracy.item(), norm.item());
  std::printf("fixed point: %s\n", residual.item() < 1e-5f ? "found" : "NOT FOUND");
  std::printf("gradient: %s\n", apart.item() < 1e-5f ? "as unrolled" : "NOT as unrolled");
}
