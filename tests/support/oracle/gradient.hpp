// SPDX-License-Identifier: Apache-2.0
#pragma once
// Derivatives by central differences: what gradients that a program computes are compared with.

#include "support/oracle/binary.hpp"
#include "support/oracle/reduce.hpp"

#include <algorithm>

namespace oracle {

// d f / d inputs[i] for every i; f(vector of tensors) is a number. About 8 digits are right where f is smooth.
template <class F>
std::vector<tensor> numerical_gradients(F f, std::vector<tensor> inputs, double step = 1e-5) {
  std::vector<tensor> out;
  for (auto& x : inputs) {
    tensor gradient = full(x.extents, 0);
    for (std::size_t i = 0; i < x.data.size(); ++i) {
      double const here = x.data[i], h = step * std::max(1.0, std::fabs(here));
      x.data[i] = here + h;
      double const above = tensor(f(std::as_const(inputs))).item();
      x.data[i] = here - h;
      double const below = tensor(f(std::as_const(inputs))).item();
      x.data[i] = here;
      gradient.data[i] = (above - below) / (2 * h);
    }
    out.push_back(gradient);
  }
  return out;
}

// The same for one array.
template <class F>
tensor numerical_gradient(F f, tensor const& x, double step = 1e-5) {
  return numerical_gradients([&](std::vector<tensor> const& all) { return f(all[0]); }, {x}, step)[0];
}

// How f's value, an array, changes along a direction of its inputs: J d.
template <class F>
tensor numerical_jvp(F f, std::vector<tensor> const& inputs, std::vector<tensor> const& direction, double step = 1e-5) {
  auto above = inputs, below = inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    above[i] = inputs[i] + step * direction.at(i);
    below[i] = inputs[i] - step * direction[i];
  }
  return (f(above) - f(below)) / (2 * step);
}

// <a, b>: law of a transpose: inner(y, J d) == inner(J^T y, d).
inline double inner(tensor const& a, tensor const& b) { return sum(a * b).item(); }

}  // namespace oracle
