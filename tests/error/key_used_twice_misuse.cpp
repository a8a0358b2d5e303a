// SPDX-License-Identifier: Apache-2.0
// expect: random numbers are drawn from one key more than once: they would be the same.
// expect-fix: auto [a, b] = random::split(key), a key for each draw
// points-at: auto noise = ts::random::normal<float, 8>(key);
// Two draws of one key.

#include <tessera/random/random.hpp>
#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>>;

struct two_draws {
  constexpr auto operator()(auto key) const {
#ifdef TESSERA_MISUSE
    auto mask = ts::random::bernoulli<8>(key, 0.5);
    auto noise = ts::random::normal<float, 8>(key);
#else
    auto [one, other] = ts::random::split(key);
    auto mask = ts::random::bernoulli<8>(one, 0.5);
    auto noise = ts::random::normal<float, 8>(other);
#endif
    return ts::where(mask, noise, 0.0f);
  }
};

using key_type = ts::array_type<ts::uint32, ts::shape<2>, ts::P<ts::none>, grid>;

int main() { ts::check<two_draws, ts::random::prng_key<key_type>>(); }
