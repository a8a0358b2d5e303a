// SPDX-License-Identifier: Apache-2.0
// 3-D Fourier transforms of a field in pencils over 4 x 2 devices, and a Poisson equation solved by them. Between two
// 1-D transforms an all_to_all along one axis of the mesh turns the pencils.

#include <tessera/tessera.hpp>

#include <cstdio>
#include <iostream>
#include <limits>

namespace ts = tessera;

namespace {

struct a : ts::axis {};
struct b : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<a, 4>, ts::explicit_axis<b, 2>>;
constexpr std::int64_t n = 16, block = n * n * n / 8 * sizeof(ts::complex64);

constexpr auto fft3 = ts::shard_map<ts::in_specs<ts::P<ts::none, a, b>>, ts::out_specs<ts::P<a, b>>>([](auto u) {
  auto const v = ts::all_to_all<a>(ts::fft<0>(u), ts::split_dim<0>, ts::concat_dim<1>, ts::tiled);
  auto const w = ts::all_to_all<b>(ts::fft<1>(v), ts::split_dim<1>, ts::concat_dim<2>, ts::tiled);
  return ts::fft<2>(w);
});

constexpr auto ifft3 = ts::shard_map<ts::in_specs<ts::P<a, b>>, ts::out_specs<ts::P<ts::none, a, b>>>([](auto w) {
  auto const v = ts::all_to_all<b>(ts::ifft<2>(w), ts::split_dim<2>, ts::concat_dim<1>, ts::tiled);
  auto const u = ts::all_to_all<a>(ts::ifft<1>(v), ts::split_dim<1>, ts::concat_dim<0>, ts::tiled);
  return ts::ifft<0>(u);
});

constexpr auto k = ts::fftfreq<n>(1.0f / n);
constexpr auto k2 = ts::square(ts::expand_dims<1, 2>(k)) + ts::square(ts::expand_dims<1>(k)) + ts::square(k);

constexpr auto laplacian = ts::jit([](auto u) { return ts::real(ifft3(-k2 * fft3(u))); });

// The u of mean 0 with laplacian(u) = f.
constexpr auto solve = ts::jit(
    [](auto f) { return ts::real(ifft3(-fft3(f) / ts::where(k2 == 0, std::numeric_limits<float>::infinity(), k2))); });

}  // namespace

int main(int argc, char** argv) {
  ts::runtime runtime{argc, argv};
  ts::use_mesh const current{ts::make_mesh<grid>(ts::devices())};
  auto f = ts::asarray(
      ts::random::uniform<float, n, n, n>(ts::random::key(0), ts::out_sharding<ts::P<ts::none, a, b>, grid>));
  f -= ts::mean(f);
  constexpr auto const& sent = ts::comm_of<decltype(fft3), decltype(f)>;
  static_assert(sent.count() == 2 && sent.bytes_over<a>() == block * 3 / 4 && sent.bytes_over<b>() == block / 2);

  auto const modes = fft3(f);
  auto const u = solve(f);
  std::cout << "modes: " << ts::typeof_(modes) << " solution: " << ts::typeof_(u) << '\n';
  std::printf("mode 1, 2, 3: %.4g\n", ts::abs(modes.at(1, 2, 3).get()).item());
  std::printf("energy by values %.4g, by modes %.4g\n", ts::sum(f * f).item(),
              ts::sum(ts::square(ts::abs(modes))).item() / (n * n * n));
  std::printf("inverse: %.4f\n", ts::max(ts::abs(ifft3(modes) - f)).item());
  std::printf("solution: %.4g to %.4g, norm %.4g\n", ts::min(u).item(), ts::max(u).item(),
              ts::sqrt(ts::sum(u * u)).item());
  std::printf("residual: %.4f\n", ts::max(ts::abs(laplacian(u) - f)).item());
}
