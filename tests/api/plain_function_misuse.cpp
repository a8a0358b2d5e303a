// SPDX-License-Identifier: Apache-2.0
// Functions of C++ where a function object belongs.

#include <tessera/tessera.hpp>

#include <tuple>

namespace ts = tessera;

struct dp : ts::axis {};

constexpr float plain(float x) { return x * 2; }
constexpr float pair(float x, float y) { return x + y; }

int main() {
  auto const v = ts::asarray({1.f, 2.f});
#if TESSERA_MISUSE == 1
  // expect: what is traced is a function object, not a function.
  (void)ts::jit(plain)(v);
#elif TESSERA_MISUSE == 2
  // expect: what is traced is a function object, not a function.
  (void)ts::jit<plain>(v);
#elif TESSERA_MISUSE == 3
  // expect: what is traced is a function object, not a function.
  (void)ts::grad(plain)(v);
#elif TESSERA_MISUSE == 4
  // expect: what is traced is a function object, not a function.
  (void)ts::grad<0>(plain)(v);
#elif TESSERA_MISUSE == 5
  // expect: what is traced is a function object, not a function.
  (void)ts::value_and_grad(plain)(v);
#elif TESSERA_MISUSE == 6
  // expect: what is traced is a function object, not a function.
  (void)ts::vmap(plain)(v);
#elif TESSERA_MISUSE == 7
  // expect: what is traced is a function object, not a function.
  (void)ts::vmap<ts::in_axes<0>>(plain)(v);
#elif TESSERA_MISUSE == 8
  // expect: what is traced is a function object, not a function.
  (void)ts::checkpoint(plain)(v);
#elif TESSERA_MISUSE == 9
  // expect: what is traced is a function object, not a function.
  (void)ts::jacfwd(plain)(v);
#elif TESSERA_MISUSE == 10
  // expect: what is traced is a function object, not a function.
  (void)ts::jacrev(plain)(v);
#elif TESSERA_MISUSE == 11
  // expect: what is traced is a function object, not a function.
  (void)ts::hessian(plain)(v);
#elif TESSERA_MISUSE == 12
  // expect: what is traced is a function object, not a function.
  (void)ts::shard_map<ts::in_specs<ts::P<dp>>, ts::out_specs<ts::P<dp>>>(plain)(v);
#elif TESSERA_MISUSE == 13
  // expect: what is traced is a function object, not a function.
  (void)ts::pmap(plain)(v);
#elif TESSERA_MISUSE == 14
  // expect: what is traced is a function object, not a function.
  (void)ts::scan(pair, v, v);
#elif TESSERA_MISUSE == 15
  // expect: what is traced is a function object, not a function.
  (void)ts::map(plain, v);
#elif TESSERA_MISUSE == 16
  // expect: what is traced is a function object, not a function.
  (void)ts::associative_scan(pair, v);
#elif TESSERA_MISUSE == 17
  // expect: what is traced is a function object, not a function.
  (void)ts::jvp(plain, std::tuple(v), std::tuple(v));
#elif TESSERA_MISUSE == 18
  // expect: what is traced is a function object, not a function.
  (void)ts::vjp(plain, v);
#elif TESSERA_MISUSE == 19
  // expect: what is traced is a function object, not a function.
  (void)ts::linearize(plain, v);
#elif TESSERA_MISUSE == 20
  // expect: what is traced is a function object, not a function.
  (void)ts::fori_loop(0, 3, pair, v);
#elif TESSERA_MISUSE == 21
  // expect: what is traced is a function object, not a function.
  (void)ts::jit([](auto x) { return ts::grad(plain)(x); })(v);
#else
  (void)ts::jit([](auto x) { return x * plain(2); })(v);
  (void)pair(1, 2);
#endif
}
