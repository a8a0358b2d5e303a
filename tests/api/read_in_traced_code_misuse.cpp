// SPDX-License-Identifier: Apache-2.0
// Traced values that are used as arrays in memory: read, printed by printf, iterated, asked for their devices. One
// sentence, also where what was read is computed with.

#include <tessera/tessera.hpp>

#include <numeric>
#include <tuple>
#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  [[maybe_unused]] auto const v = ts::asarray({1.f, 2.f, 3.f, 4.f});
  [[maybe_unused]] auto const x = ts::device_put<ts::P<dp>>(v, ts::make_mesh<line>(ts::devices()));
#if TESSERA_MISUSE == 1
  // expect: a traced value is read as an array in memory (device_get(x), to_host(), item(), float(x), sharding())
  (void)ts::jit([](auto a) { return a * a.item(); })(v);
#elif TESSERA_MISUSE == 2
  // expect: a traced value is read as an array in memory
  (void)ts::jit([](auto a) { return a * float(ts::sum(a)) + int(ts::argmax(a)); })(v);
#elif TESSERA_MISUSE == 3
  // expect: a traced value is read as an array in memory
  (void)ts::jit([](auto a) { return ts::exp(a.to_host()[0]) + a; })(v);
#elif TESSERA_MISUSE == 4
  // expect: a traced value is read as an array in memory
  (void)ts::jit([](auto a) { return std::tuple{ts::exp(a.to_host()[0]), a}; })(v);
#elif TESSERA_MISUSE == 5
  // expect: a traced value is read as an array in memory
  (void)ts::grad([](auto a) { return ts::sum(a + a.to_host()); })(v);
#elif TESSERA_MISUSE == 6
  // expect: a traced value is read as an array in memory
  (void)ts::vmap([](auto a) { return a + ts::device_get(a); })(v);
#elif TESSERA_MISUSE == 7
  // expect: a traced value is read as an array in memory
  (void)ts::shard_map<ts::out_specs<ts::P<dp>>>([](auto block) { return block * ts::exp(block.to_host()[0]); })(x);
#elif TESSERA_MISUSE == 8
  // expect: a traced value is read as an array in memory
  (void)ts::scan([](auto c, auto e) { return std::tuple{c + ts::exp(e.item()), e}; }, 0.f, v);
#elif TESSERA_MISUSE == 9
  // expect: a traced value is read as an array in memory
  (void)ts::jit([](auto a) { return a.sharding().is_fully_replicated() || a.devices().size() == 1 ? a : -a; })(x);
#elif TESSERA_MISUSE == 10
  // expect: a traced value is read as an array in memory
  (void)ts::jit([](auto a) {
    ts::visualize_array_sharding(a);
    return a.block_until_ready();
  })(x);
#elif TESSERA_MISUSE == 11
  // expect: an array is no range of C++.
  (void)ts::jit([](auto a) {
    auto sum = a;
    for (auto const& row : a) sum = sum + row + row.at(0).get();
    return sum;
  })(v);
#elif TESSERA_MISUSE == 12
  // expect: an array is no range of C++.
  (void)(std::accumulate(v.begin(), v.end(), 0.f) + ts::sum(v));
#elif TESSERA_MISUSE == 13
  // expect: a traced value is read as an array in memory
  (void)ts::jit([](auto a) { return ts::device_get(a); })(v);
#elif TESSERA_MISUSE == 14
  // expect: a traced value is read as an array in memory
  (void)ts::vmap([](auto a) { return std::tuple{a, ts::device_get(a)}; })(v);
#elif TESSERA_MISUSE == 15
  // expect: a traced value is read as an array in memory
  (void)ts::grad([](auto a) { return ts::device_get(ts::sum(a)); })(v);
#elif TESSERA_MISUSE == 16
  // expect: a traced value is read as an array in memory
  (void)ts::fori_loop(
      0, 3, [](auto, auto c) { return ts::device_get(c); }, v);
#elif TESSERA_MISUSE == 17
  // expect: an array is made by a function.
  (void)ts::jit([](auto a) { return ts::array(a) + 1; })(v);
#endif
}
