// SPDX-License-Identifier: Apache-2.0
// A 2-D Poisson problem, solved by conjugate gradients, and a gradient through the solution. The rows of the grid are
// split over 8 devices. In each step a device sends a row to each neighbor, and two numbers are summed over all.

#include <tessera/functions.hpp>
#include <tessera/tessera.hpp>

#include <cstdio>
#include <tuple>

namespace ts = tessera;

namespace {

struct row : ts::axis {};
using line = ts::mesh<ts::explicit_axis<row, 8>>;
constexpr std::int64_t n = 64;

// Minus the 5-point stencil, on one device's rows; zeros around the grid.
constexpr auto laplacian = [](auto u) {
  auto const above =
      ts::ppermute<row>(u.at(ts::span<-1>()).get(), ts::perm_by<[](int i, int n) { return i + 1 < n ? i + 1 : -1; }>);
  auto const below = ts::ppermute<row>(u.at(ts::span<0, 1>()).get(), ts::perm_by<[](int i, int) { return i - 1; }>);
  auto const v = ts::pad(ts::concatenate<0>(above, u, below), 0, ts::low<0, 1>, ts::high<0, 1>);
  auto const inner = ts::span<1, -1>();
  auto const before = ts::span<0, -2>();
  auto const after = ts::span<2>();
  auto const neighbors =
      v.at(before, inner).get() + v.at(after, inner).get() + v.at(inner, before).get() + v.at(inner, after).get();
  return (4 * u - neighbors) * ((n + 1) * (n + 1));
};

constexpr auto dot = [](auto a, auto b) { return ts::psum<row>(ts::vdot(a, b)); };

constexpr auto conjugate_gradients = [](auto matvec, auto b) {
  auto const bb = dot(b, b);
  auto const unsolved = [&](auto state) { return std::get<3>(state) > 1e-5 * bb; };
  auto const step = [&](auto state) {
    auto [x, r, p, rr, steps] = state;
    auto const ap = matvec(p);
    auto const alpha = rr / dot(p, ap);
    x += alpha * p;
    r -= alpha * ap;
    auto const next_rr = dot(r, r);
    return std::tuple{x, r, r + next_rr / rr * p, next_rr, steps + 1};
  };
  auto const last = ts::while_loop(unsolved, step, std::tuple{ts::zeros_like(b), b, b, bb, 0});
  return std::tuple{std::get<0>(last), std::get<4>(last)};
};

constexpr auto multiply = ts::shard_map<ts::out_specs<ts::P<row>>>(laplacian);

constexpr auto solve = ts::jit(ts::shard_map<ts::out_specs<ts::P<row>, ts::P<>, ts::P<>>>([](auto b) {
  auto const [x, steps] = conjugate_gradients(laplacian, b);
  auto const off = laplacian(x) - b;
  return std::tuple{x, steps, ts::sqrt(dot(off, off) / dot(b, b))};
}));

constexpr auto energy = ts::jit(ts::value_and_grad(ts::shard_map<ts::out_specs<ts::P<>>>([](auto b) {
  auto const cg = [](auto matvec, auto b) { return std::get<0>(conjugate_gradients(matvec, b)); };
  auto const x = ts::custom_linear_solve(laplacian, cg, ts::symmetric)(b);
  return dot(x, x) / 2;
})));

}  // namespace

int main(int argc, char** argv) {
  ts::runtime runtime{argc, argv};
  ts::use_mesh const current{ts::make_mesh<line>(ts::devices())};
  auto const b = ts::asarray(ts::random::uniform<float, n, n>(ts::random::key(0), ts::out_sharding<ts::P<row>, line>));
  static_assert(ts::comm_of<decltype(multiply), decltype(b)>.bytes() == 2 * n * sizeof(float));

  auto const [x, steps, residual] = solve(b);
  std::printf("%d steps, residual %.2g\n", steps.item(), residual.item());
  std::printf("solution: mean %.4g, largest %.4g\n", ts::mean(x).item(), ts::max(x).item());
  auto const [value, slope] = energy(b);
  std::printf("energy %.4g\n", value.item());
  std::printf("gradient: mean %.4g, largest %.4g\n", ts::mean(slope).item(), ts::max(slope).item());
  auto const [again, more_steps, another_residual] = solve(x);
  std::printf("gradient equals the solution for x: %.4f\n", (ts::max(ts::abs(slope - again)) / ts::max(again)).item());
}
