// SPDX-License-Identifier: Apache-2.0
// Checks and callbacks that no program can have: one error each.

#include <tessera/tessera.hpp>

#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>>;
int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const mesh = ts::make_mesh<grid>(runtime.devices());
  auto const x = ts::device_put<ts::P<dp>>(ts::host<8>(std::vector<float>(8)), mesh);
  ts::debug_check<"{}">(x > 0.0f, x);
  ts::debug_callback([](auto) {}, x);
#if TESSERA_MISUSE == 1
  // expect: the format does not fit the operands
  // expect-fix: after the condition, an operand for each {}
  ts::debug_check<"{} and {}">(x > 0.0f, x);
#elif TESSERA_MISUSE == 2
  // expect: nothing says in which program to check
  // expect-fix: a condition that is an array or a traced value
  ts::debug_check<"one">(true);
#elif TESSERA_MISUSE == 3
  // expect: a callback is a part of the program's type
  // expect-fix: a lambda without captures
  std::vector<float> seen;
  ts::debug_callback([&](auto v) { seen.push_back(v[0]); }, x);
#elif TESSERA_MISUSE == 4
  // expect: the format does not fit the operands
  // expect-fix: after the condition, an operand for each {}
  (void)ts::jit([](auto a) { return ts::debug_check<"{} and {}">(a > 0, a), a; })(x);
#elif TESSERA_MISUSE == 5
  // expect: the format does not fit the operands
  // expect-fix: a {} or {:type} for each of them
  (void)ts::jit([](auto a) { return ts::debug_print<"{} and {}">(a), a; })(x);
#elif TESSERA_MISUSE == 6
  // expect: a callback is a part of the program's type
  // expect-fix: a lambda without captures
  (void)ts::jit([](auto a) { return ts::debug_callback([n = 1](auto v) { return v[n]; }, a), a; })(x);
#elif TESSERA_MISUSE == 7
  // expect: nothing says in which program to print
  // expect-fix: an operand that is an array or a traced value
  (void)ts::jit([](auto a) { return ts::debug_print<"{:type}">(ts::zeros<float, 3>()), a; })(x);
#elif TESSERA_MISUSE == 8
  // expect: nothing says in which program to check
  // expect-fix: a condition that is an array or a traced value
  (void)ts::jit([](auto a) { return ts::debug_check<"none">(ts::zeros<bool, 3>()), a; })(x);
#endif
}
