// SPDX-License-Identifier: Apache-2.0
#pragma once
// Complex arrays in tables of real ones: a pair stands as a last dimension of two, real part first.

#include "support/oracle/oracle.hpp"

#include <tessera/op/ops.hpp>

#include <complex>

namespace complex_case {

using number = std::complex<double>;

constexpr auto pair_of(auto z) { return tessera::stack<-1>(tessera::real(z), tessera::imag(z)); }

// The values of two arrays of one shape as complex numbers, and back.
inline number at(oracle::tensor const& x, oracle::tensor const& y, oracle::ints const& i) { return {x[i], y[i]}; }
template <class F>
oracle::tensor pairs(oracle::ints const& extents, F f) {
  oracle::ints with_parts = extents;
  with_parts.push_back(2);
  return oracle::generate(with_parts, [&](oracle::ints const& i) {
    number const z = f(oracle::ints(i.begin(), i.end() - 1));
    return i.back() == 0 ? z.real() : z.imag();
  });
}
// f of x + i y, elementwise.
template <class F>
oracle::tensor each(oracle::tensor const& x, oracle::tensor const& y, F f) {
  return pairs(x.extents, [&](oracle::ints const& i) { return f(at(x, y, i)); });
}

}  // namespace complex_case
