// SPDX-License-Identifier: Apache-2.0
// expect: each device holds a part of the sum.
// expect-fix: out_sharding<P<...>>
// expect-fix: error::out_sharding<tessera::P<dp>
// expect-fix: error::or_out_sharding<tessera::P<dp, mp>
// expect-fix: moves_bytes<128>
// A product contracts a dimension that both sides split over mp, without a word about the result, which is looked at, as
// are what it would send, its memory, its work and why it sends.

#include <tessera/tessera.hpp>

#include <iostream>
#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

struct product {
  constexpr auto operator()(auto x, auto w) const {
#ifdef TESSERA_MISUSE
    return ts::matmul(x, w);
#else
    return ts::matmul(x, w, ts::out_sharding<ts::P<dp>>);
#endif
  }
};

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const mesh = ts::make_mesh<grid>(runtime.devices());
  std::vector<float> const data(4096);
  auto const x = ts::device_put<ts::P<dp, mp>>(ts::host<16, 8>(data), mesh);
  auto const w = ts::device_put<ts::P<mp>>(ts::host<8, 8>(data), mesh);
  auto const y = ts::jit<product>(x, w);
  std::cout << ts::typeof_(y) << ts::visualize(y) << y;
  ts::visualize_array_sharding(y);
  constexpr auto const& cost = ts::comm_of<product, decltype(x), decltype(w)>;
  static_assert(cost.count(ts::collective::all_reduce) == 1 && cost.bytes_over<mp>() <= 128);
  static_assert(cost.bytes(ts::program_pass::forward) <= 128 && cost.count(ts::program_pass::backward) <= 1);
  static_assert(ts::memory_of<product, decltype(x), decltype(w)>.peak < 1024);
  constexpr auto const& work = ts::work_of<product, decltype(x), decltype(w)>;
  static_assert(work.flops() >= 1 && work.flops(ts::step_kind::dot) >= 1 && work.uncounted() <= 1);
  static_assert(work.flops(ts::program_pass::forward) >= 1 && work.bytes() >= 1);
  static_assert(ts::predict(work, ts::topology<grid>{}, {}).total() == 0);
  std::cout << ts::explain<product, decltype(x), decltype(w)>();
}
