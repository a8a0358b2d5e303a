// SPDX-License-Identifier: Apache-2.0
#pragma once
// From the end to the start: cumsum(x, reverse), scan(f, init, xs, reverse). `reversed` is the same.

namespace tessera {

struct reverse_t {};
inline constexpr reverse_t reverse{};
using reversed_t = reverse_t;
inline constexpr reversed_t reversed{};

}  // namespace tessera
