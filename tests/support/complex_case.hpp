// SPDX-License-Identifier: Apache-2.0
#pragma once
// Complex arrays in tables of real ones: a pair stands as a last dimension of two, real part first.

#include "support/oracle/oracle.hpp"

#include <tessera/op/ops.hpp>

#include <complex>
#include <vector>

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

// A complex array, row-major, and sums by definition of its Fourier transform along one dimension.
struct numbers {
  oracle::ints extents;
  std::vector<number> data;
};
inline numbers numbers_of(oracle::tensor const& x, oracle::tensor const& y) {
  numbers z{x.extents, {}};
  for (std::size_t i = 0; i < x.data.size(); ++i) z.data.emplace_back(x.data[i], y.data[i]);
  return z;
}
inline numbers numbers_of(oracle::tensor const& x) { return numbers_of(x, oracle::zeros(x.extents)); }
inline oracle::tensor pair_of(numbers const& z) {
  std::size_t n = 0;
  return pairs(z.extents, [&](oracle::ints const&) { return z.data[n++ / 2]; });
}
inline oracle::tensor real_of(numbers const& z) {
  std::size_t n = 0;
  return oracle::generate(z.extents, [&](oracle::ints const&) { return z.data[n++].real(); });
}
// count numbers along `dim`, each f(line, k) of the old line.
template <class F>
numbers along(numbers const& z, std::size_t dim, std::int64_t count, F f) {
  std::int64_t inner = 1, outer = 1;
  for (std::size_t d = 0; d < z.extents.size(); ++d) (d < dim ? outer : inner) *= d == dim ? 1 : z.extents[d];
  auto const n = z.extents[dim];
  numbers out{z.extents, std::vector<number>(static_cast<std::size_t>(outer * inner * count))};
  out.extents[dim] = count;
  std::vector<number> line(static_cast<std::size_t>(n));
  for (std::int64_t o = 0; o < outer; ++o)
    for (std::int64_t i = 0; i < inner; ++i) {
      for (std::int64_t k = 0; k < n; ++k) line[k] = z.data[(o * n + k) * inner + i];
      for (std::int64_t k = 0; k < count; ++k) out.data[(o * count + k) * inner + i] = f(line, k);
    }
  return out;
}
inline numbers resized(numbers const& z, std::size_t dim, std::int64_t n) {
  return along(z, dim, n, [](std::vector<number> const& line, std::int64_t k) {
    return k < static_cast<std::int64_t>(line.size()) ? line[k] : 0;
  });
}
// sum of z_j exp(sign 2 pi i j k / n), times scale; the first `count` of them, all when 0.
inline numbers dft(numbers const& z, std::size_t dim, int sign, double scale = 1, std::int64_t count = 0) {
  auto const n = z.extents[dim];
  return along(z, dim, count ? count : n, [&](std::vector<number> const& line, std::int64_t k) {
    number sum = 0;
    for (std::int64_t j = 0; j < n; ++j)
      sum += line[j] * std::polar(1.0, sign * 2 * 3.14159265358979323846 * double(j * k % n) / double(n));
    return sum * scale;
  });
}
// The whole spectrum of which a half is given: the rest are conjugates, what is its own conjugate is real.
inline numbers mirrored(numbers const& half, std::size_t dim, std::int64_t n) {
  return along(half, dim, n, [n](std::vector<number> const& line, std::int64_t k) {
    if (k == 0 || 2 * k == n) return number(line[k].real());
    return 2 * k < n ? line[k] : std::conj(line[n - k]);
  });
}

}  // namespace complex_case
