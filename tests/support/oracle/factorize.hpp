// SPDX-License-Identifier: Apache-2.0
#pragma once
// Factors of one matrix, by dense reflections.

#include "support/oracle/contract.hpp"
#include "support/oracle/movement.hpp"

namespace oracle {

// a (n, m), n >= m: q (n, m) and r (m, m) with q r = a. Each reflection turns a column away from its first element, which is
// where the signs come from; a column with zeros below its first element is left as it is.
inline std::pair<tensor, tensor> qr(tensor const& a) {
  auto const n = a.extents[0], m = a.extents[1];
  tensor q = generate({n, n}, [](ints const&at) { return at[0] == at[1]; }), r = a;
  for (std::int64_t k = 0; k < m; ++k) {
    double square = 0;
    for (auto i = k + 1; i < n; ++i) square += r[{i, k}] * r[{i, k}];
    if (square == 0) continue;
    double const head = r[{k, k}], length = std::sqrt(head * head + square);
    auto const w = generate({n}, [&](ints const& at) {
      return at[0] < k ? 0 : at[0] > k ? r[{at[0], k}] : head + (head < 0 ? -length : length);
    });
    double const scale = 2 / (w[{k}] * w[{k}] + square);
    auto const mirror =
        generate({n, n}, [&](ints const& at) { return double(at[0] == at[1]) - scale * w[{at[0]}] * w[{at[1]}]; });
    r = matmul(mirror, r);
    q = matmul(q, mirror);
  }
  return {generate({n, m}, [&](ints const& at) { return q[at]; }),
          generate({m, m}, [&](ints const& at) { return at[1] < at[0] ? 0 : r[at]; })};
}

}  // namespace oracle
