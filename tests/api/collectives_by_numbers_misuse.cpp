// SPDX-License-Identifier: Apache-2.0
// Collectives with numbers beside their settings, and numbers for axes.

#include <tessera/tessera.hpp>

#include <utility>
#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

int main() {
  auto const x = ts::device_put<ts::P<dp>>(ts::host<8, 4>(std::vector<float>(32)), ts::make_mesh<line>());
  auto const on_each = [](auto f) {
    return ts::jit(ts::shard_map<ts::in_specs<ts::P<dp>>, ts::out_specs<ts::P<dp>>>(f));
  };
  (void)on_each([](auto y) { return ts::all_to_all<dp>(y, ts::split_dim<1>, ts::concat_dim<0>, ts::tiled); })(x);
#if TESSERA_MISUSE == 1
  // expect: what a collective does stands behind the value, as a type.
  (void)on_each([](auto y) { return ts::all_to_all<dp>(y, 0, 1, ts::tiled); })(x);
#elif TESSERA_MISUSE == 2
  // expect: what a collective does stands behind the value, as a type.
  (void)on_each([](auto y) { return ts::all_gather<dp>(y, 0, ts::tiled); })(x);
#elif TESSERA_MISUSE == 3
  // expect: what a collective does stands behind the value, as a type.
  (void)on_each([](auto y) { return ts::psum_scatter<dp>(y, ts::tiled, 0); })(x);
#elif TESSERA_MISUSE == 4
  // expect: what a collective does stands behind the value, as a type.
  (void)on_each([](auto y) { return ts::all_to_all<dp>(y, ts::split_dim<0>, 1); })(x);
#elif TESSERA_MISUSE == 5
  // expect: what a collective does stands behind the value, as a type.
  (void)on_each([](auto y) { return ts::pmean<dp>(y, 0); })(x);
#elif TESSERA_MISUSE == 6
  // expect: what a collective does stands behind the value, as a type.
  (void)on_each([](auto y) { return ts::psum<dp>(y, 0, 1); })(x);
#elif TESSERA_MISUSE == 7
  // expect: what a collective does stands behind the value, as a type.
  (void)on_each([](auto y) { return ts::pbroadcast<dp>(y, 0); })(x);
#elif TESSERA_MISUSE == 8
  // expect: what a collective does stands behind the value, as a type.
  (void)on_each([](auto y) { return ts::ppermute<dp>(y, std::vector{std::pair{0, 1}}); })(x);
#elif TESSERA_MISUSE == 9
  // expect: what a collective does stands behind the value, as a type.
  (void)on_each([](auto y) { return ts::pmax<dp, 0>(y); })(x);
#elif TESSERA_MISUSE == 10
  // expect: mesh axes are types and stand in angle brackets
  (void)on_each([](auto y) { return ts::psum<0>(y); })(x);
#elif TESSERA_MISUSE == 11
  // expect: mesh axes are types and stand in angle brackets
  (void)on_each([](auto y) { return ts::pmean<0, 1>(y); })(x);
#elif TESSERA_MISUSE == 12
  // expect: mesh axes are types and stand in angle brackets
  (void)on_each([](auto y) { return ts::all_gather<0>(y); })(x);
#endif
}
