// SPDX-License-Identifier: Apache-2.0
// expect: a function with a rule reads a differentiated value that is not its argument
// expect-fix: tessera::ops::custom_vjp
// The gradient by w would be lost: the rule gives cotangents of v only.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

struct loss {
  constexpr auto operator()(auto x, auto w) const {
    return ts::grad<0, 1>([](auto x, auto w) {
#ifdef TESSERA_MISUSE
      auto const f = ts::custom_vjp([=](auto v) { return v * w; },
                                    [=](auto v) {
                                      return std::tuple{v * w, w};
                                    },
                                    [](auto w, auto bar) { return std::tuple{bar * w}; });
      return ts::sum(f(x));
#else
      auto const f = ts::custom_vjp([](auto v, auto w) { return v * w; },
                                    [](auto v, auto w) {
                                      return std::tuple{v * w, std::tuple{v, w}};
                                    },
                                    [](auto kept, auto bar) {
                                      auto const [v, w] = kept;
                                      return std::tuple{bar * w, bar * v};
                                    });
      return ts::sum(f(x, w));
#endif
    })(x, w);
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, line>;

int main() { ts::check<loss, x_type, x_type>(); }
