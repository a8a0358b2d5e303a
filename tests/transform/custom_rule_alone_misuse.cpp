// SPDX-License-Identifier: Apache-2.0
// expect: a rule takes other arguments or gives another type than it must
// expect-fix: residuals}
// fwd forgets the residuals.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

constexpr auto sine = ts::custom_vjp([](auto x) { return ts::sin(x); },
#ifdef TESSERA_MISUSE
                                     [](auto x) { return ts::sin(x); },
#else
                                     [](auto x) {
                                       return std::tuple{ts::sin(x), x};
                                     },
#endif
                                     [](auto x, auto bar) { return std::tuple{bar * ts::cos(x)}; });
struct gradient {
  constexpr auto operator()(auto x) const {
    return ts::grad([](auto v) { return ts::sum(sine(v)); })(x);
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, line>;

int main() { ts::check<gradient, x_type>(); }
