// SPDX-License-Identifier: Apache-2.0
#pragma once
// Inputs of dot_product_attention in layouts, and its definition as loops.

#include "support/on_grid.hpp"

#include <cmath>

namespace attention_case {

using namespace on_grid;

constexpr std::int64_t batch = 4, t = 6, s = 6, heads = 4, groups = 2, size = 8;

inline std::vector<float> waves(std::size_t n, double scale) {
  auto const v = wave(n, scale);
  return {v.begin(), v.end()};
}
template <class S, std::int64_t... E>
auto put_float(double scale) {
  return ts::device_put<S>(ts::host<E...>(waves(static_cast<std::size_t>((E * ...)), scale)),
                           ts::make_mesh<grid>(ts::devices()));
}
inline std::vector<std::int32_t> const row_lengths{6, 3, 0, 5}, column_lengths{6, 2, 4, 1};

// Q, K: the layouts of q, and of k and v.
template <class Q, class K>
struct inputs {
  decltype(put_float<Q, batch, t, heads, size>(1)) q = put_float<Q, batch, t, heads, size>(1.3);
  decltype(put_float<K, batch, s, groups, size>(1)) k = put_float<K, batch, s, groups, size>(0.9),
                                                    v = put_float<K, batch, s, groups, size>(0.7);
  decltype(put_float<ts::P<>, 1, heads, t, s>(1)) bias = put_float<ts::P<>, 1, heads, t, s>(0.5);
  decltype(put_float<ts::P<>, batch, 1, 1, s>(1)) mask = put_float<ts::P<>, batch, 1, 1, s>(1.0);
  decltype(ts::device_put<ts::P<>>(ts::host<batch>(row_lengths), ts::make_mesh<grid>(ts::devices()))) rows =
      ts::device_put<ts::P<>>(ts::host<batch>(row_lengths), ts::make_mesh<grid>(ts::devices()));
  decltype(rows) columns = ts::device_put<ts::P<>>(ts::host<batch>(column_lengths), ts::make_mesh<grid>(ts::devices()));
};
template <class Test>
void each_layout(Test const& test) {
  using ts::none;
  test(inputs<ts::P<>, ts::P<>>());
  test(inputs<ts::P<dp, none, mp>, ts::P<dp, none, mp>>());
  test(inputs<ts::P<dp>, ts::P<>>());
  test(inputs<ts::P<none, mp>, ts::P<>>());
  test(inputs<ts::P<mp, none, none, dp>, ts::P<mp, none, none, dp>>());
  test(inputs<ts::P<dp>, ts::P<dp, mp>>());
}

struct options {
  int left = -1, right = -1;
  bool bias = false, mask = false, lengths = false, columns = false;
  double scale = 1 / std::sqrt(8.0);
};
inline std::vector<double> expected(options const& o) {
  auto const q = waves(batch * t * heads * size, 1.3), k = waves(batch * s * groups * size, 0.9);
  auto const v = waves(batch * s * groups * size, 0.7), bias = waves(heads * t * s, 0.5), mask = waves(batch * s, 1.0);
  std::vector<double> out(q.size());
  for (std::int64_t b = 0; b < batch; ++b)
    for (std::int64_t i = 0; i < t; ++i)
      for (std::int64_t h = 0; h < heads; ++h) {
        std::int64_t const g = h / (heads / groups);
        double weight[s]{}, most = -1e300, total = 0;
        for (std::int64_t j = 0; j < s; ++j) {
          double dot = 0;
          for (std::int64_t d = 0; d < size; ++d)
            dot +=
                static_cast<double>(q[((b * t + i) * heads + h) * size + d]) * k[((b * s + j) * groups + g) * size + d];
          weight[j] = dot * o.scale + (o.bias ? bias[(h * t + i) * s + j] : 0.0);
          bool seen = (o.left < 0 || j >= i - o.left) && (o.right < 0 || j <= i + o.right);
          if (o.mask) seen = seen && mask[b * s + j] > 0;
          if (o.lengths || o.columns) seen = seen && j < column_lengths[b];
          if (o.lengths) seen = seen && i < row_lengths[b];
          if (!seen) weight[j] = -0.7 * std::numeric_limits<float>::max();
          most = std::max(most, weight[j]);
        }
        for (double& w : weight) total += w = std::exp(w - most);
        for (std::int64_t d = 0; d < size; ++d) {
          double sum = 0;
          for (std::int64_t j = 0; j < s; ++j) sum += weight[j] / total * v[((b * s + j) * groups + g) * size + d];
          out[((b * t + i) * heads + h) * size + d] = o.lengths && i >= row_lengths[b] ? 0 : sum;
        }
      }
  return out;
}
template <class X, class V>
void near(X const& got, V const&, std::vector<double> const& want) {
  auto const all = got.to_host();
  ASSERT_EQ(all.size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i) ASSERT_NEAR(all[i], want[i], 2e-6) << i;
}

}  // namespace attention_case
