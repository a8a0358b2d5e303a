// SPDX-License-Identifier: Apache-2.0
#pragma once
// The digits classifier and its training step on one device, in float or double, with a backward pass written by hand:
// what the library's step is compared with. Layers with gelu (tanh) between them, masked softmax cross entropy, Adam.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

namespace mlp_oracle {

template <class T>
struct layer {
  std::size_t inputs, outputs;
  std::vector<T> w;  // (inputs, outputs), row-major
  std::vector<T> b;  // (outputs)
};

template <class T>
using network = std::vector<layer<T>>;  // any depth

// The same numbers in another precision.
template <class T, class U>
network<T> converted(network<U> const& p) {
  network<T> out;
  for (auto const& l : p) out.push_back({l.inputs, l.outputs, {l.w.begin(), l.w.end()}, {l.b.begin(), l.b.end()}});
  return out;
}

template <class T>
network<T> zeros_like(network<T> p) {
  for (auto& l : p) {
    l.w.assign(l.w.size(), T(0));
    l.b.assign(l.b.size(), T(0));
  }
  return p;
}

template <class T>
struct gelu_and_slope {
  T value, slope;
};
template <class T>
gelu_and_slope<T> gelu(T z) {
  T const k = std::sqrt(T(2) / std::numbers::pi_v<T>), c = T(0.044715);
  T const t = std::tanh(k * (z + c * z * z * z));
  return {z / 2 * (1 + t), (1 + t) / 2 + z / 2 * (1 - t * t) * k * (1 + 3 * c * z * z)};
}

// What each layer reads (a[0] are the images) and the slope of the gelu that made it; `logits` leave the last layer.
template <class T>
struct forward_pass {
  std::vector<std::vector<T>> a, slope;
  std::vector<T> logits;
};

template <class T>
forward_pass<T> forward(network<T> const& p, std::vector<T> const& images) {
  forward_pass<T> f;
  f.a = {images};
  f.slope.emplace_back();
  for (std::size_t l = 0; l < p.size(); ++l) {
    auto const& [inputs, outputs, w, b] = p[l];
    auto const rows = images.size() / p[0].inputs;
    std::vector<T> z(rows * outputs);
    for (std::size_t r = 0; r < rows; ++r) {
      T* const to = z.data() + r * outputs;
      for (std::size_t i = 0; i < inputs; ++i) {
        T const x = f.a[l][r * inputs + i];
        for (std::size_t o = 0; o < outputs; ++o) to[o] += x * w[i * outputs + o];
      }
      for (std::size_t o = 0; o < outputs; ++o) to[o] += b[o];
    }
    if (l + 1 == p.size()) {
      f.logits = z;
      break;
    }
    f.slope.emplace_back(z.size());
    for (std::size_t i = 0; i < z.size(); ++i) {
      auto const [value, slope] = gelu(z[i]);
      z[i] = value;
      f.slope[l + 1][i] = slope;
    }
    f.a.push_back(z);
  }
  return f;
}

template <class T>
struct loss_and_gradient {
  T loss;
  network<T> gradient;
};

// loss = sum(mask * cross entropy) / sum(mask); mask is 1 for a row that counts, 0 for padding.
template <class T, class Label>
loss_and_gradient<T> value_and_grad(network<T> const& p, std::vector<T> const& images, std::vector<Label> const& labels,
                                    std::vector<T> const& mask) {
  auto const f = forward(p, images);
  auto const rows = labels.size(), classes = p.back().outputs;
  T counted = 0, loss = 0;
  for (T m : mask) counted += m;
  std::vector<T> d(rows * classes);  // the cotangent of what leaves layer l, from the last to the first
  for (std::size_t r = 0; r < rows; ++r) {
    T const* const z = f.logits.data() + r * classes;
    T const most = *std::max_element(z, z + classes);
    T total = 0;
    for (std::size_t c = 0; c < classes; ++c) total += std::exp(z[c] - most);
    auto const label = static_cast<std::size_t>(labels[r]);
    loss += mask[r] * (std::log(total) - (z[label] - most));
    for (std::size_t c = 0; c < classes; ++c)
      d[r * classes + c] = (std::exp(z[c] - most) / total - (c == label)) * mask[r] / counted;
  }

  auto g = zeros_like(p);
  for (std::size_t l = p.size(); l-- > 0;) {
    auto const& [inputs, outputs, w, b] = p[l];
    std::vector<T> before(rows * inputs);
    for (std::size_t r = 0; r < rows; ++r) {
      T const* const from = d.data() + r * outputs;
      for (std::size_t o = 0; o < outputs; ++o) g[l].b[o] += from[o];
      for (std::size_t i = 0; i < inputs; ++i) {
        T const x = f.a[l][r * inputs + i];
        T sum = 0;
        for (std::size_t o = 0; o < outputs; ++o) {
          g[l].w[i * outputs + o] += x * from[o];
          sum += w[i * outputs + o] * from[o];
        }
        if (l > 0) before[r * inputs + i] = sum * f.slope[l][r * inputs + i];
      }
    }
    d = before;
  }
  return {loss / counted, g};
}

// Adam (Kingma and Ba 2015) with b1 = 0.9, b2 = 0.999, epsilon = 1e-8 outside the root; step counts from 1.
template <class T>
struct training {
  network<T> parameters, first = zeros_like(parameters), second = zeros_like(parameters);
  int step = 0;

  template <class Label>
  T train(std::vector<T> const& images, std::vector<Label> const& labels, std::vector<T> const& mask, double rate) {
    auto const [loss, gradient] = value_and_grad(parameters, images, labels, mask);
    ++step;
    T const correct1 = T(-std::expm1(step * std::log(0.9))), correct2 = T(-std::expm1(step * std::log(0.999)));
    auto const update = [&](std::vector<T>& p, std::vector<T>& m, std::vector<T>& v, std::vector<T> const& g) {
      for (std::size_t i = 0; i < p.size(); ++i) {
        m[i] = T(0.9) * m[i] + T(0.1) * g[i];
        v[i] = T(0.999) * v[i] + T(0.001) * g[i] * g[i];
        p[i] -= T(rate) * (m[i] / correct1) / (std::sqrt(v[i] / correct2) + T(1e-8));
      }
    };
    for (std::size_t l = 0; l < parameters.size(); ++l) {
      update(parameters[l].w, first[l].w, second[l].w, gradient[l].w);
      update(parameters[l].b, first[l].b, second[l].b, gradient[l].b);
    }
    return loss;
  }
};

// The share of images whose largest logit is the label's.
template <class T, class Label>
double accuracy(network<T> const& p, std::vector<T> const& images, std::vector<Label> const& labels) {
  auto const logits = forward(p, images).logits;
  auto const classes = static_cast<std::ptrdiff_t>(p.back().outputs);
  double right = 0;
  for (std::size_t r = 0; r < labels.size(); ++r) {
    auto const row = logits.begin() + static_cast<std::ptrdiff_t>(r) * classes;
    right += std::max_element(row, row + classes) - row == static_cast<std::ptrdiff_t>(labels[r]);
  }
  return right / static_cast<double>(labels.size());
}

}  // namespace mlp_oracle
