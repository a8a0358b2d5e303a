// SPDX-License-Identifier: Apache-2.0
// expect: an array in host memory, whose layout says on_host, cannot be computed on.
// expect-fix: device_put(x, on_device{})
// points-at: ts::jit([](auto a) { return a + a; })(y);
// An array that was moved to host memory is an argument of a program.

#include <tessera/tessera.hpp>

namespace ts = tessera;

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const x = ts::device_put(ts::asarray({1.f, 2.f}), ts::on_host{});
#ifdef TESSERA_MISUSE
  auto const y = x;
#else
  auto const y = ts::device_put(x, ts::on_device{});
#endif
  ts::jit([](auto a) { return a + a; })(y);
}
