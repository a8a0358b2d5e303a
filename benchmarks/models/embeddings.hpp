// SPDX-License-Identifier: Apache-2.0
#pragma once
// A recommender: for each of 1,024 rows, 8 rows of 32 of a table of 20,000 and 16 numbers; their products in pairs and the
// numbers go through 64 hidden units to one logit.

#include "training.hpp"

namespace cases::embeddings {

constexpr std::int64_t rows = 1024, table = 20000, width = 32, fields = 8, numbers = 16, hidden = 64;

struct loss {
  static constexpr float rate = 0.1f;
  constexpr auto operator()(auto p, auto ids, auto x, auto y) const {
    auto [all, first, up, down] = p;
    auto const dense = ts::relu(ts::matmul(x, first));                                      // (row, width)
    auto const met = ts::concatenate<1>(ts::take<0>(all, ids), ts::expand_dims<1>(dense));  // (row, fields + 1, width)
    auto const pairs = ts::einsum<"bfd,bgd->bfg">(met, met);
    auto const features = ts::concatenate<1>(ts::reshape<rows, (fields + 1) * (fields + 1)>(pairs), dense);
    auto const logit = ts::squeeze<1>(ts::matmul(ts::relu(ts::matmul(features, up)), down));
    return ts::mean(ts::softplus(logit) - y * logit);
  }
};

inline void run(benchmark::State& state, std::string const& name) {
  using M = grid<1, 1>;
  constexpr std::int64_t features = (fields + 1) * (fields + 1) + width;
  auto const p = std::tuple{put<ts::P<>, M, table, width>(noises(1, table * width, 0.3f)),
                            put<ts::P<>, M, numbers, width>(noises(2, numbers * width, 0.3f)),
                            put<ts::P<>, M, features, hidden>(noises(3, features * hidden, 0.1f)),
                            put<ts::P<>, M, hidden, 1>(noises(4, hidden, 0.1f))};
  std::vector<std::int32_t> ids(rows * fields);
  for (std::size_t k = 0; k < ids.size(); ++k) ids[k] = static_cast<std::int32_t>(k * 7919 % table);
  std::vector<float> clicks(rows);
  for (std::size_t k = 0; k < rows; ++k) clicks[k] = k % 3 == 0;
  auto const placed = ts::device_put<ts::P<>>(ts::host<rows, fields>(ids), ts::make_mesh<M>(ts::devices()));
  train<loss>(state, name, p, placed, put<ts::P<>, M, rows, numbers>(noises(5, rows * numbers)),
              put<ts::P<>, M, rows>(clicks));
}

}  // namespace cases::embeddings
