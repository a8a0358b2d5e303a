// SPDX-License-Identifier: Apache-2.0
// expect: a number does not fit the element type that it meets.
// expect-fix: value<300>
// A number that no int8 is.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>>;

struct shifted {
  constexpr auto operator()(auto x) const {
#ifdef TESSERA_MISUSE
    return x + 300;
#else
    return x + 100;
#endif
  }
};

using x_type = ts::array_type<std::int8_t, ts::shape<8>, ts::P<dp>, grid>;

int main() { ts::check<shifted, x_type>(); }
