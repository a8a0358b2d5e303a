// SPDX-License-Identifier: Apache-2.0
// K-means: k-means++ picks the first centers by keys, Lloyd's iterations go on until no point changes its cluster.
// Points are split over 8 devices; sums of clusters, and each chosen point, go over the mesh.

#include <tessera/tessera.hpp>

#include <cstdio>
#include <iostream>
#include <tuple>

namespace ts = tessera;

namespace {

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 8>>;
inline constexpr auto by_rows = ts::out_sharding<ts::P<dp>, line>;

constexpr std::int64_t n = 4096, d = 2, k = 6;

constexpr auto make_points(auto key) {
  auto const [k1, k2, k3] = ts::random::split<3>(key);
  auto const middles = ts::random::uniform<float, k, d>(k1, -4.0f, 4.0f);
  auto const labels = ts::random::randint<ts::int32, n>(k2, 0, k, by_rows);
  auto const noise = ts::random::normal<float, n, d>(k3, by_rows);
  return middles.at(labels).get(ts::out_sharding<ts::P<dp>>) + 0.5f * noise;
}

constexpr auto squared_distances(auto x, auto centers) {
  return ts::sum<-1>(ts::square(ts::expand_dims<1>(x) - centers));
}

constexpr auto plus_plus(auto key, auto x) {
  auto const choose = [&](auto key, auto logits) {
    return ts::matmul(ts::one_hot<n>(ts::random::categorical(key, logits)), x);
  };
  auto const first = choose(ts::random::fold_in(key, 0), ts::zeros_like(x.at(ts::every, 0).get()));
  auto const centers = ts::zeros<float, k, d>().at(0).set(first);
  auto const add = [&](auto i, auto state) {
    auto const [centers, nearest] = state;
    auto const chosen = choose(ts::random::fold_in(key, i), ts::log(nearest));
    return std::tuple{centers.at(i).set(chosen), ts::minimum(nearest, ts::sum<1>(ts::square(x - chosen)))};
  };
  return ts::fori_loop(1, k, add, std::tuple{centers, ts::sum<1>(ts::square(x - first))});
}

constexpr auto lloyd(auto x, auto centers) {
  auto const turn = [&](auto state) {
    auto const [centers, old, moved, turns] = state;
    auto const labels = ts::argmin<1>(squared_distances(x, centers));
    auto const members = ts::one_hot<k>(labels);
    auto const sums = ts::einsum<"nk,nd->kd">(members, x, ts::out_sharding<ts::P<>>);
    return std::tuple{sums / ts::expand_dims<1>(ts::sum<0>(members)), labels, ts::any(labels != old), turns + 1};
  };
  auto const none = ts::full_like(ts::astype<ts::int32>(x.at(ts::every, 0).get()), -1);
  auto const moved = [](auto state) { return std::get<2>(state); };
  return ts::while_loop(moved, turn, std::tuple{centers, none, true, 0});
}

constexpr auto kmeans = [](auto key) {
  auto const [of_points, of_start] = ts::random::split(key);
  auto const x = make_points(of_points);
  auto const [first, nearest] = plus_plus(of_start, x);
  auto const [centers, labels, moved, turns] = lloyd(x, first);
  auto const inertia = ts::sum(ts::min<1>(squared_distances(x, centers)));
  return std::tuple{ts::sum(nearest), inertia, turns, ts::sum<0>(ts::expand_dims<1>(labels) == ts::arange<k>()),
                    centers};
};

}  // namespace

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  ts::use_mesh const current{ts::make_mesh<line>(ts::devices())};
  auto const [before, inertia, turns, sizes, centers] = ts::jit<kmeans>(ts::random::key(1));
  std::printf("inertia at the start %.0f, after %d turns %.1f\n", before.item(), turns.item(), inertia.item());
  std::cout << "sizes " << sizes << '\n';
  auto const c = centers.to_host();
  for (int i = 0; i < k; ++i) std::printf("center %6.3f %6.3f\n", c[2 * i], c[2 * i + 1]);
}
