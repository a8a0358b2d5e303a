// SPDX-License-Identifier: Apache-2.0
// expect: a rule takes other arguments or gives another type than it must
// expect-fix: error::lhs<float, 4>::P<>
// bwd gives the cotangent of b in the layout of a.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

constexpr auto scaled = ts::custom_vjp([](auto a, auto b) { return a * b; },
                                       [](auto a, auto b) {
                                         return std::tuple{a * b, std::tuple{a, b}};
                                       },
                                       [](auto kept, auto bar) {
                                         auto const [a, b] = kept;
#ifdef TESSERA_MISUSE
                                         return std::tuple{bar * b, ts::reshard<ts::P<dp>>(ts::sum<0>(bar * a))};
#else
                                         return std::tuple{bar * b, ts::sum<0>(bar * a)};
#endif
                                       });
struct loss {
  constexpr auto operator()(auto a, auto b) const {
    return ts::grad<0, 1>([](auto p, auto q) { return ts::sum(scaled(p, q)); })(a, b);
  }
};

using a_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, line>;
using b_type = ts::array_type<float, ts::shape<4>, ts::P<>, line>;

int main() { ts::check<loss, a_type, b_type>(); }
