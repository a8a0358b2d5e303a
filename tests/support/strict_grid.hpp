// SPDX-License-Identifier: Apache-2.0
#pragma once
// Array types on 4 x 2 devices over Explicit axes.

#include <tessera/types.hpp>

namespace strict_grid {

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
template <class S, std::int64_t... E>
using floats = ts::array_type<float, ts::shape<E...>, S, grid>;
using X = floats<ts::P<dp>, 64, 32>;

}  // namespace strict_grid
