// SPDX-License-Identifier: Apache-2.0
#pragma once
// NumPy broadcasting: extents are aligned at the last dim, and an extent of 1 stretches.

#include "support/oracle/tensor.hpp"

#include <algorithm>

namespace oracle {

inline ints broadcast_extents(ints const& a, ints const& b) {
  ints out(std::max(a.size(), b.size()));
  for (std::size_t back = 1; back <= out.size(); ++back) {
    auto const x = back <= a.size() ? a[a.size() - back] : 1, y = back <= b.size() ? b[b.size() - back] : 1;
    require(x == y || x == 1 || y == 1, std::to_string(x) + " and " + std::to_string(y) + " do not broadcast");
    out[out.size() - back] = x == 1 ? y : x;
  }
  return out;
}

inline tensor broadcast_to(tensor const& x, ints const& extents) {
  require(broadcast_extents(x.extents, extents) == extents, "broadcast_to cannot shrink an array");
  auto const before = extents.size() - x.extents.size();
  return generate(extents, [&](ints const& at) {
    ints from(x.extents.size());
    for (std::size_t d = 0; d < from.size(); ++d) from[d] = x.extents[d] == 1 ? 0 : at[before + d];
    return x[from];
  });
}

// f at each element.
template <class F>
tensor map(tensor x, F f) {
  for (double& v : x.data) v = f(v);
  return x;
}

// f at each pair of elements of two arrays brought to one shape.
template <class F>
tensor map(tensor const& a, tensor const& b, F f) {
  auto const extents = broadcast_extents(a.extents, b.extents);
  tensor x = broadcast_to(a, extents);
  tensor const y = broadcast_to(b, extents);
  for (std::size_t i = 0; i < x.data.size(); ++i) x.data[i] = f(x.data[i], y.data[i]);
  return x;
}

}  // namespace oracle
