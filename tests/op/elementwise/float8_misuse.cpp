// SPDX-License-Identifier: Apache-2.0
// A float of 8 bits meets another float: where 8 bits are enough is for the program to say.

#include <tessera/tessera.hpp>

namespace ts = tessera;

int main() {
  auto const a = ts::asarray({1.5f, 2.0f});
  auto const x = ts::astype<ts::float8_e4m3fn>(a);
  auto const y = ts::astype<ts::float8_e5m2>(a);
  auto const m = ts::reshape<2, 1>(x);
  (void)(x * 2.0 + 3);
  (void)(ts::astype<float>(x) * a);
#if TESSERA_MISUSE == 1
  // expect: the operands have different element types. Fix: bring them to one: astype<float>(x).
  (void)(x * a);
#elif TESSERA_MISUSE == 2
  // expect: the operands have different element types. Fix: bring them to one: astype<float>(x).
  (void)ts::jit([](auto p, auto q) { return p + q; })(x, y);
#elif TESSERA_MISUSE == 3
  // expect: the operands have different element types.
  (void)ts::where(a > 1.0f, x, a);
#elif TESSERA_MISUSE == 4
  // expect: the operands have different element types.
  (void)ts::concatenate<0>(x, y);
#elif TESSERA_MISUSE == 5
  // expect: the operands have different element types.
  (void)ts::matmul(m, ts::reshape<1, 2>(y));
#elif TESSERA_MISUSE == 6
  // expect: the operands have different element types.
  (void)ts::hypot(x, ts::astype<ts::bfloat16>(a));
#endif
}
