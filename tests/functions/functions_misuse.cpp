// SPDX-License-Identifier: Apache-2.0
// Functions composed of operations: an error is that of the operation within, and as short.

#include <tessera/tessera.hpp>

#include <tessera/functions.hpp>

#include <vector>

namespace ts = tessera;
using ts::none;
using ts::P;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
using rows = ts::array_type<float, ts::shape<8, 4>, P<dp>, grid>;

struct median_of_columns {
  constexpr auto operator()(auto x) const { return ts::nanmedian<1>(x); }
};
struct median_of_rows {
  constexpr auto operator()(auto x) const { return ts::nanmedian<0>(x); }
};
struct larger {
  constexpr auto operator()(auto x) const { return ts::fmax(x, std::vector<float>{1, 2}); }
};

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const x = ts::asarray({1.0f, 2.0f, 3.0f});
  ts::check<median_of_columns, rows>();
  (void)x;
#if TESSERA_MISUSE == 1
  // expect: the operation is not defined for this element type.
  (void)ts::population_count(x);
#elif TESSERA_MISUSE == 2
  // expect: the operation needs this dimension whole on every device.
  ts::check<median_of_rows, rows>();
#elif TESSERA_MISUSE == 3
  // expect: what stands here is neither an array nor a number.
  (void)ts::leaky_relu(std::vector<float>{1, 2});
#elif TESSERA_MISUSE == 4
  // expect: what stands here is neither an array nor a number.
  (void)ts::jit(larger{})(x);
#elif TESSERA_MISUSE == 5
  // expect: the shapes do not fit each other.
  (void)ts::glu(x);
#elif TESSERA_MISUSE == 6
  // expect: the operation is not defined for this element type.
  (void)ts::gcd(x, 2);
#endif
}
