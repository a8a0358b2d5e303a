// SPDX-License-Identifier: Apache-2.0
// Callbacks that no program can have, and arrays of which no device has the whole.

#include <tessera/functions.hpp>
#include <tessera/tessera.hpp>

#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const mesh = ts::make_mesh<line>(runtime.devices());
  auto const x = ts::device_put<ts::P<dp>>(ts::host<64>(std::vector<float>(64)), mesh);
  auto const whole = ts::reshard<ts::P<>>(x);
  (void)ts::pure_callback([](auto v) { return v; }, whole);
#if TESSERA_MISUSE == 1
  // expect: the operation needs this dimension whole on every device.
  (void)ts::pure_callback([](auto v) { return v; }, x);
#elif TESSERA_MISUSE == 2
  // expect: a callback is a part of the program's type
  // expect-fix: a lambda without captures
  (void)ts::pure_callback([n = 1](auto v) { return v.subspan(n - 1); }, whole);
#elif TESSERA_MISUSE == 3
  // expect: pure_callback: the function does not take these values, or does not return these results
  // expect-fix: a range of elements, as std::vector<float>
  (void)ts::pure_callback([](auto v) { return std::vector<double>(v.size()); }, whole);
#elif TESSERA_MISUSE == 4
  // expect: pure_callback: the function does not take these values, or does not return these results
  // expect-fix: a std::tuple of several
  (void)ts::jit([](auto a) {
    return ts::pure_callback<ts::block_type<float>, ts::block_type<int>>([](auto v) { return v[0]; }, a);
  })(whole);
#elif TESSERA_MISUSE == 5
  // expect: pure_callback gives up to three results
  // expect-fix: join some, or call two functions
  using one = ts::block_type<float>;
  (void)ts::pure_callback<one, one, one, one>([](auto v) { return v; }, whole);
#elif TESSERA_MISUSE == 6
  // expect: a gradient would pass through an operation that has none
  (void)ts::jit(ts::grad([](auto a) { return ts::sum(ts::pure_callback([](auto v) { return v; }, a)); }))(whole);
#endif
}
