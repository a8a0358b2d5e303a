// SPDX-License-Identifier: Apache-2.0
// expect: random numbers are drawn from one key: this is a batch of keys, or a part of a key.
// expect-fix: vmap(f)(keys), or keys.at(i).get()
// expect-fix: operand<unsigned int, 8, 2>
// Noise for each of eight rows, from a batch of keys.

#include <tessera/types.hpp>

namespace ts = tessera;

struct noisy {
  constexpr auto operator()(auto key, auto x) const {
    auto keys = ts::random::split_batch<8>(key);
#ifdef TESSERA_MISUSE
    return x + ts::random::normal<float, 8, 4>(keys);
#else
    return x + ts::vmap([](auto one) { return ts::random::normal<float, 4>(one); })(keys);
#endif
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<ts::none, ts::none>, ts::mesh<>>;
using key_type = ts::random::prng_key<ts::array_type<ts::uint32, ts::shape<2>, ts::P<ts::none>, ts::mesh<>>>;

int main() { ts::check<noisy, key_type, x_type>(); }
