// SPDX-License-Identifier: Apache-2.0
// expect: the operation has no rule for a dimension of size<...> in blocks for padded_to<...>.
// expect-fix: size<10>, tessera::error::padded_to<12>
// expect-fix: reshard<tessera::P<>
// Ten rows, in blocks of three on four devices, are merged with the columns: a block would have rows that are not there.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
using grid = ts::mesh<ts::uneven_axis<dp, 4>>;

struct flattened {
  constexpr auto operator()(auto x) const {
#ifdef TESSERA_MISUSE
    return ts::reshape<40>(x);
#else
    return ts::reshape<40>(ts::reshard<ts::P<>>(x));
#endif
  }
};

using x_type = ts::array_type<float, ts::shape<10, 4>, ts::P<dp>, grid>;

int main() { ts::check<flattened, x_type>(); }
