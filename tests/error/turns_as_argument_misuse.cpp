// SPDX-License-Identifier: Apache-2.0
// expect: a number of turns stands where a scan has arrays to go over.
// expect-fix: scan<10>(f, init)
// How often a loop turns is part of its type.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

struct powers {
  constexpr auto operator()(auto x) const {
    auto const doubled = [](auto now) { return std::tuple{now * 2, now}; };
#ifdef TESSERA_MISUSE
    auto const [last, all] = ts::scan(doubled, x, 10);
#else
    auto const [last, all] = ts::scan<10>(doubled, x);
#endif
    return last + ts::sum<0>(all);
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, line>;

int main() { ts::check<powers, x_type>(); }
