// SPDX-License-Identifier: Apache-2.0
// expect: a rule takes other arguments or gives another type than it must
// expect-fix: a cotangent like each argument
// bwd gives one cotangent for two arguments.

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
                                         return std::tuple{bar * b};
#else
                                         return std::tuple{bar * b, bar * a};
#endif
                                       });
struct gradient {
  constexpr auto operator()(auto a, auto b) const {
    return ts::grad([](auto p, auto q) { return ts::sum(scaled(p, q)); })(a, b);
  }
};

using a_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, line>;

int main() { ts::check<gradient, a_type, a_type>(); }
