// SPDX-License-Identifier: Apache-2.0
// Lambdas that begin with [&] or [=] and capture nothing have no default constructor, with which a function is called while
// compiling: one sentence, in each transformation, loop and branch.

#include <tessera/tessera.hpp>

#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  [[maybe_unused]] auto const x = ts::asarray({1.f, 2.f, 3.f, 4.f});
  [[maybe_unused]] auto const placed = ts::device_put<ts::P<dp>>(x, ts::make_mesh<line>(ts::devices()));
#if TESSERA_MISUSE == 1
  // expect: a traced function holds state: a lambda that captures, or members. Fix: pass what it captures as arguments, and write [] for
  (void)ts::jit([&](auto a) { return a + 1; })(x);
#elif TESSERA_MISUSE == 2
  // expect: a traced function holds state
  (void)ts::grad([&](auto a) { return ts::sum(a * a); })(x);
#elif TESSERA_MISUSE == 3
  // expect: a traced function holds state
  (void)ts::vmap([=](auto a) { return a * 2; })(x);
#elif TESSERA_MISUSE == 4
  // expect: a traced function holds state
  (void)ts::jvp([&](auto a) { return a * a; }, x, x);
#elif TESSERA_MISUSE == 5
  // expect: a traced function holds state
  (void)ts::hessian([=](auto a) { return ts::sum(a * a); })(ts::asarray({1.f, 2.f}));
#elif TESSERA_MISUSE == 6
  // expect: a traced function holds state
  (void)ts::scan([&](auto c, auto a) { return std::tuple{c + a, c}; }, 0.f, x);
#elif TESSERA_MISUSE == 7
  // expect: a traced function holds state
  (void)ts::fori_loop(
      0, 3, [&](auto, auto c) { return c + 1; }, x);
#elif TESSERA_MISUSE == 8
  // expect: a traced function holds state
  (void)ts::cond(
      ts::sum(x) > 3, [&](auto a) { return a; }, [&](auto a) { return -a; }, x);
#elif TESSERA_MISUSE == 9
  // expect: a traced function holds state
  (void)ts::map([&](auto a) { return a * 2; }, x);
#elif TESSERA_MISUSE == 10
  // expect: a traced function holds state
  (void)ts::shard_map<ts::out_specs<ts::P<dp>>>([&](auto a) { return a * 2; })(placed);
#endif
}
