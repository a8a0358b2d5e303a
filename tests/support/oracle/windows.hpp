// SPDX-License-Identifier: Apache-2.0
#pragma once
// Convolutions and reductions over windows, place by place.

#include "support/oracle/reduce.hpp"

namespace oracle {

struct window_of {
  ints strides, low, high, dilation{};  // dilation empty: 1
  std::int64_t groups = 1;
};

// f(so far, element) over the window of each place; elements outside are `outside`, or left out when it is NaN.
template <class F>
tensor over_window(tensor const& x, ints const& size, window_of const& w, double initial, F f, double outside = NAN) {
  ints out(x.extents.size());
  for (std::size_t d = 0; d < out.size(); ++d)
    out[d] = (x.extents[d] + w.low[d] + w.high[d] - size[d]) / w.strides[d] + 1;
  return generate(out, [&](ints const& at) {
    double so_far = initial;
    for_each_index(size, [&](ints const& in) {
      ints from(at.size());
      bool inside = true;
      for (std::size_t d = 0; d < at.size(); ++d) {
        from[d] = at[d] * w.strides[d] + in[d] - w.low[d];
        inside = inside && from[d] >= 0 && from[d] < x.extents[d];
      }
      if (inside)
        so_far = f(so_far, x[from]);
      else if (!std::isnan(outside))
        so_far = f(so_far, outside);
    });
    return so_far;
  });
}

// x (n, c, spatial...), k (o, c / groups, spatial...).
inline tensor conv(tensor const& x, tensor const& k, window_of const& w) {
  std::size_t const spatial = x.extents.size() - 2;
  auto const dilation = [&](std::size_t d) { return w.dilation.empty() ? 1 : w.dilation[d]; };
  ints out{x.extents[0], k.extents[0]}, size(k.extents.begin() + 2, k.extents.end());
  for (std::size_t d = 0; d < spatial; ++d)
    out.push_back((x.extents[2 + d] + w.low[d] + w.high[d] - (size[d] - 1) * dilation(d) - 1) / w.strides[d] + 1);
  auto const own = k.extents[1], per_group = k.extents[0] / w.groups;
  return generate(out, [&](ints const& at) {
    double sum = 0;
    for (std::int64_t c = 0; c < own; ++c)
      for_each_index(size, [&](ints const& in) {
        ints from{at[0], at[1] / per_group * own + c}, of{at[1], c};
        bool inside = true;
        for (std::size_t d = 0; d < spatial; ++d) {
          from.push_back(at[2 + d] * w.strides[d] + in[d] * dilation(d) - w.low[d]);
          of.push_back(in[d]);
          inside = inside && from.back() >= 0 && from.back() < x.extents[2 + d];
        }
        if (inside) sum += x[from] * k[of];
      });
    return sum;
  });
}

}  // namespace oracle
