// SPDX-License-Identifier: Apache-2.0
#pragma once
// Operations that only move values: each says from which ints a value of the result comes.

#include "support/oracle/tensor.hpp"

namespace oracle {

// Dim d of the result is dim order[d] of x; without an order, the dims reversed.
inline tensor transpose(tensor const& x, ints order = {}) {
  if (order.empty())
    for (auto d = x.rank(); d-- > 0;) order.push_back(d);
  require(static_cast<std::int64_t>(order.size()) == x.rank(), "transpose names each dim once");
  ints extents;
  for (auto& d : order) extents.push_back(x.extents[d = dim_from_front(d, x.rank())]);
  return generate(extents, [&](ints const& at) {
    ints from(at.size());
    for (std::size_t d = 0; d < at.size(); ++d) from[order[d]] = at[d];
    return x[from];
  });
}

// The same values in the same order; one extent may be -1: what is left.
inline tensor reshape(tensor const& x, ints extents) {
  std::int64_t known = 1;
  for (auto e : extents) known *= e < 0 ? 1 : e;
  for (auto& e : extents)
    if (e < 0) e = x.size() / known;
  return {extents, x.data};
}

inline tensor expand_dims(tensor const& x, std::int64_t dim) {
  ints extents = x.extents;
  extents.insert(extents.begin() + dim_from_front(dim, x.rank() + 1), 1);
  return reshape(x, extents);
}

inline tensor squeeze(tensor const& x, std::int64_t dim) {
  ints extents = x.extents;
  auto const d = dim_from_front(dim, x.rank());
  require(extents[d] == 1, "squeeze removes an extent of 1");
  extents.erase(extents.begin() + d);
  return reshape(x, extents);
}

inline tensor concatenate(std::vector<tensor> const& parts, std::int64_t dim) {
  auto const d = dim_from_front(dim, parts.at(0).rank());
  ints extents = parts[0].extents;
  extents[d] = 0;
  for (auto const& p : parts) {
    extents[d] += p.extents.at(d);
    for (std::int64_t e = 0; e < p.rank(); ++e) require(e == d || p.extents[e] == extents[e], "extents differ");
  }
  return generate(extents, [&](ints at) {
    std::size_t part = 0;
    while (at[d] >= parts[part].extents[d]) at[d] -= parts[part++].extents[d];
    return parts[part][at];
  });
}

inline tensor stack(std::vector<tensor> parts, std::int64_t dim) {
  for (auto& p : parts) p = expand_dims(p, dim);
  return concatenate(parts, dim);
}

// start, start + stride, ... before limit, in each dim.
inline tensor slice(tensor const& x, ints const& start, ints const& limit, ints stride = {}) {
  stride.resize(x.extents.size(), 1);
  ints extents;
  for (std::size_t d = 0; d < x.extents.size(); ++d) {
    require(0 <= start[d] && start[d] <= limit[d] && limit[d] <= x.extents[d] && stride[d] > 0, "slice out of bounds");
    extents.push_back((limit[d] - start[d] + stride[d] - 1) / stride[d]);
  }
  return generate(extents, [&](ints at) {
    for (std::size_t d = 0; d < at.size(); ++d) at[d] = start[d] + at[d] * stride[d];
    return x[at];
  });
}

// `update` written over x from `start` on.
inline tensor update_slice(tensor x, tensor const& update, ints const& start) {
  for_each_index(update.extents, [&](ints const& at) {
    ints to = at;
    for (std::size_t d = 0; d < to.size(); ++d) to[d] += start[d];
    x[to] = update[at];
  });
  return x;
}

// `low` values before, `high` after and `interior` between neighbors, in each dim; negative low and high cut.
inline tensor pad(tensor const& x, double value, ints const& low, ints const& high, ints interior = {}) {
  interior.resize(x.extents.size(), 0);
  ints extents;
  for (std::size_t d = 0; d < x.extents.size(); ++d)
    extents.push_back(x.extents[d] + (x.extents[d] > 0 ? x.extents[d] - 1 : 0) * interior[d] + low[d] + high[d]);
  return generate(extents, [&](ints at) {
    for (std::size_t d = 0; d < at.size(); ++d) {
      auto const from = at[d] - low[d], step = interior[d] + 1;
      if (from < 0 || from % step != 0 || from / step >= x.extents[d]) return value;
      at[d] = from / step;
    }
    return x[at];
  });
}

inline tensor flip(tensor const& x, ints const& dims) {
  return generate(x.extents, [&](ints const& at) {
    ints from = at;
    for (auto dim : dims) {
      auto const d = dim_from_front(dim, x.rank());
      from[d] = x.extents[d] - 1 - at[d];
    }
    return x[from];
  });
}

// x repeated as a whole, times[d] times along dim d.
inline tensor tile(tensor const& x, ints const& times) {
  ints extents = x.extents;
  for (std::size_t d = 0; d < extents.size(); ++d) extents[d] *= times.at(d);
  return generate(extents, [&](ints at) {
    for (std::size_t d = 0; d < at.size(); ++d) at[d] %= x.extents[d];
    return x[at];
  });
}

// 1 where the new last dim's position is the label, else 0; a label outside 0 .. classes-1 gives only zeros.
inline tensor one_hot(tensor const& labels, std::int64_t classes) {
  ints extents = labels.extents;
  extents.push_back(classes);
  return generate(extents, [&](ints at) {
    auto const position = static_cast<double>(at.back());
    at.pop_back();
    return labels[at] == position ? 1.0 : 0.0;
  });
}

}  // namespace oracle
