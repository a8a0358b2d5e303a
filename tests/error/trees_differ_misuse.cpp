// SPDX-License-Identifier: Apache-2.0
// expect: given_tree<...> has another structure than needed_tree<...>: the body of a loop returns the structure of init
// expect-fix: tuple<tessera::error::leaf, tessera::error::leaf>
// expect-fix: given_tree<tessera::error::leaf>
// points-at: constexpr auto operator()(auto x) const { return ts::fori_loop(0, 4, turn{}, std::tuple{x, x * 0}); }
// The body of a loop returns one of the two values that it carries.

#include <tessera/types.hpp>

namespace ts = tessera;

struct turn {
  constexpr auto operator()(auto i, auto carry) const {
    auto const [now, sum] = carry;
#ifdef TESSERA_MISUSE
    return sum + now * i;
#else
    return std::tuple{now, sum + now * i};
#endif
  }
};
struct weighted_sum {
  constexpr auto operator()(auto x) const { return ts::fori_loop(0, 4, turn{}, std::tuple{x, x * 0}); }
};

using x_type = ts::array_type<float, ts::shape<8>, ts::P<>, ts::mesh<>>;

int main() { ts::check<weighted_sum, x_type>(); }
