// SPDX-License-Identifier: Apache-2.0
// The gradient of a linear system whose transposed system nobody solves, and JAX's order of arguments.

#include <tessera/functions.hpp>
#include <tessera/tessera.hpp>

namespace ts = tessera;

constexpr auto turned = [](auto x) { return ts::roll<1, 0>(x); };
constexpr auto back = [](auto, auto b) { return ts::roll<-1, 0>(b); };

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const b = ts::asarray({1.f, 2.f, 3.f, 4.f});
  constexpr auto forward = [](auto b) { return ts::sum(ts::custom_linear_solve(turned, back)(b)); };
  (void)ts::jit(forward)(b);
#if TESSERA_MISUSE == 1
  // expect: the gradient of custom_linear_solve solves the transposed system. Fix: custom_linear_solve(matvec, solve, transpose_solve)
  (void)ts::jit(ts::grad(forward))(b);
#elif TESSERA_MISUSE == 2
  // expect: a transformation takes the function, and what it gives takes the values.
  (void)ts::jit([](auto b) { return ts::custom_linear_solve(turned, b, back); })(b);
#endif
}
