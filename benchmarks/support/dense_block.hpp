// SPDX-License-Identifier: Apache-2.0
#pragma once
// What W6's program computes, in double, by BLAS and plain loops.

#include "block.hpp"
#include "cases.hpp"

#include <tessera/engine/exec/product/cblas.hpp>

#include <array>
#include <vector>

namespace cases::block_of_transformer {

using matrix = std::vector<double>;

// a[n, k] b[k, m], or b transposed.
inline matrix product(double const* a, double const* b, std::size_t n, std::size_t k, std::size_t m,
                      bool turned = false) {
  matrix c(n * m);
  TESSERA_CBLAS(cblas_dgemm)
  (CblasRowMajor, CblasNoTrans, turned ? CblasTrans : CblasNoTrans, static_cast<int>(n), static_cast<int>(m),
   static_cast<int>(k), 1, a, static_cast<int>(k), b, static_cast<int>(turned ? k : m), 0, c.data(),
   static_cast<int>(m));
  return c;
}

// The block in double, by BLAS and plain loops of this file.
struct dense_block {
  std::array<matrix, 10> p;

  static matrix normed(matrix const& x, matrix const& gain, matrix const& offset) {
    matrix y(x.size());
    for (std::size_t t = 0; t < tokens; ++t) {
      double const* const row = &x[t * width];
      double mean = 0, square = 0;
      for (std::size_t c = 0; c < width; ++c) mean += row[c] / width;
      for (std::size_t c = 0; c < width; ++c) square += (row[c] - mean) * (row[c] - mean) / width;
      for (std::size_t c = 0; c < width; ++c)
        y[t * width + c] = (row[c] - mean) / std::sqrt(square + 1e-5) * gain[c] + offset[c];
    }
    return y;
  }
  // One head of one sequence: [length, head].
  static matrix part(matrix const& x, std::size_t b, std::size_t h) {
    matrix y(length * head);
    for (std::size_t t = 0; t < length; ++t)
      for (std::size_t c = 0; c < head; ++c) y[t * head + c] = x[(b * length + t) * width + h * head + c];
    return y;
  }
  matrix operator()(matrix const& x) const {
    matrix const h = normed(x, p[6], p[7]);
    matrix const q = product(h.data(), p[0].data(), tokens, width, width),
                 k = product(h.data(), p[1].data(), tokens, width, width),
                 v = product(h.data(), p[2].data(), tokens, width, width);
    matrix seen(tokens * width);
    for (std::size_t b = 0; b < batch; ++b)
      for (std::size_t n = 0; n < heads; ++n) {
        matrix s = product(part(q, b, n).data(), part(k, b, n).data(), length, head, length, true);
        for (std::size_t r = 0; r < length; ++r) {
          double sum = 0;
          for (std::size_t c = 0; c < length; ++c) sum += s[r * length + c] = std::exp(s[r * length + c] * 0.125);
          for (std::size_t c = 0; c < length; ++c) s[r * length + c] /= sum;
        }
        matrix const out = product(s.data(), part(v, b, n).data(), length, length, head);
        for (std::size_t t = 0; t < length; ++t)
          for (std::size_t c = 0; c < head; ++c) seen[(b * length + t) * width + n * head + c] = out[t * head + c];
      }
    matrix y = product(seen.data(), p[3].data(), tokens, width, width);
    for (std::size_t e = 0; e < y.size(); ++e) y[e] += x[e];
    matrix inner = product(normed(y, p[8], p[9]).data(), p[4].data(), tokens, width, hidden);
    for (double& z : inner) z = gelu_of(z);
    matrix const more = product(inner.data(), p[5].data(), tokens, hidden, width);
    for (std::size_t e = 0; e < y.size(); ++e) y[e] += more[e];
    return y;
  }
};

template <class M>
struct case_of_block : block_inputs<M> {
  using block_inputs<M>::host, block_inputs<M>::host_x, block_inputs<M>::host_weight;

  // The value against double, and the gradient along a random direction against a central difference of it.
  template <class Value, class Gradients>
  double wrong(Value const& value, Gradients const& gradient) const {
    dense_block dense;
    for (std::size_t k = 0; k < host.size(); ++k) dense.p[k].assign(host[k].begin(), host[k].end());
    matrix const x(host_x.begin(), host_x.end());
    difference d;
    matrix const want = dense(x);
    auto const got = value.to_host();
    for (std::size_t e = 0; e < want.size(); ++e) d.add(got[e], want[e]);
    double const step = 1e-5;
    auto const moved = [&](double by) {
      dense_block other = dense;
      for (std::size_t k = 0; k < other.p.size(); ++k)
        for (std::size_t e = 0; e < other.p[k].size(); ++e) other.p[k][e] += by * noise(50 + k, e);
      matrix const y = other(x);
      double sum = 0;
      for (std::size_t e = 0; e < y.size(); ++e) sum += y[e] * host_weight[e];
      return sum;
    };
    double const slope = (moved(step) - moved(-step)) / (2 * step);
    double along = 0;
    std::size_t k = 0;
    ts::tree_each(
        [&](auto const& g) {
          auto const v = g.to_host();
          for (std::size_t e = 0; e < v.size(); ++e) along += double{v[e]} * noise(50 + k, e);
          ++k;
        },
        gradient);
    return std::max(d.relative(), std::abs(along - slope) / std::abs(slope));
  }
};

}  // namespace cases::block_of_transformer
