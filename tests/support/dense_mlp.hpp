// SPDX-License-Identifier: Apache-2.0
#pragma once
// The digits training step on one device, by hand and in double: what sharded training is compared with. Shares no code
// with the library.

#include <cmath>
#include <cstddef>
#include <vector>

namespace dense {

using numbers = std::vector<double>;

struct mlp {
  std::size_t in, hidden, out;
  numbers w1, b1, w2, b2;
};

struct step_result {
  double loss = 0;
  mlp gradient;
};

inline double gelu(double x) { return 0.5 * x * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x))); }
inline double gelu_slope(double x) {
  double const t = std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x));
  return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * 0.7978845608028654 * (1 + 3 * 0.044715 * x * x);
}

// Mean cross entropy over rows with mask 1, and its gradient.
inline step_result forward_backward(mlp const& p, numbers const& x, std::vector<int> const& label,
                                    numbers const& mask) {
  std::size_t const rows = label.size();
  numbers z(rows * p.hidden), h(rows * p.hidden), dlogit(rows * p.out);
  double total = 0, count = 0;
  for (double m : mask) count += m;
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t j = 0; j < p.hidden; ++j) {
      double s = p.b1[j];
      for (std::size_t i = 0; i < p.in; ++i) s += x[r * p.in + i] * p.w1[i * p.hidden + j];
      z[r * p.hidden + j] = s;
      h[r * p.hidden + j] = gelu(s);
    }
    numbers logit(p.out);
    double peak = -1e300, sum = 0;
    for (std::size_t k = 0; k < p.out; ++k) {
      double s = p.b2[k];
      for (std::size_t j = 0; j < p.hidden; ++j) s += h[r * p.hidden + j] * p.w2[j * p.out + k];
      logit[k] = s;
      peak = std::fmax(peak, s);
    }
    for (double l : logit) sum += std::exp(l - peak);
    auto const right = static_cast<std::size_t>(label[r]);
    total -= mask[r] * (logit[right] - peak - std::log(sum));
    for (std::size_t k = 0; k < p.out; ++k)
      dlogit[r * p.out + k] = mask[r] / count * (std::exp(logit[k] - peak) / sum - (k == right));
  }
  step_result result;
  result.loss = total / count;
  mlp& g = result.gradient;
  g = {p.in, p.hidden, p.out, numbers(p.w1.size()), numbers(p.b1.size()), numbers(p.w2.size()), numbers(p.b2.size())};
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t k = 0; k < p.out; ++k) g.b2[k] += dlogit[r * p.out + k];
    for (std::size_t j = 0; j < p.hidden; ++j) {
      double dh = 0;
      for (std::size_t k = 0; k < p.out; ++k) {
        g.w2[j * p.out + k] += h[r * p.hidden + j] * dlogit[r * p.out + k];
        dh += dlogit[r * p.out + k] * p.w2[j * p.out + k];
      }
      double const dz = dh * gelu_slope(z[r * p.hidden + j]);
      g.b1[j] += dz;
      for (std::size_t i = 0; i < p.in; ++i) g.w1[i * p.hidden + j] += x[r * p.in + i] * dz;
    }
  }
  return result;
}

// One Adam update of a parameter; step counts from 1.
inline void adam(numbers& p, numbers const& g, numbers& m, numbers& v, double rate, int step) {
  for (std::size_t i = 0; i < p.size(); ++i) {
    m[i] = 0.9 * m[i] + 0.1 * g[i];
    v[i] = 0.999 * v[i] + 0.001 * g[i] * g[i];
    p[i] -= rate * (m[i] / (1 - std::pow(0.9, step))) / (std::sqrt(v[i] / (1 - std::pow(0.999, step))) + 1e-8);
  }
}

}  // namespace dense
