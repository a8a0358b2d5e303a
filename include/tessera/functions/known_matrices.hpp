// SPDX-License-Identifier: Apache-2.0
#pragma once
// Matrices of a size alone, constants, float32 unless another type follows: hilbert<4, double>()
//   hilbert<4>(): 1 / (i + j + 1)   invhilbert<4>(): its inverse, whole numbers
//   pascal<4>(): binomial coefficients (i + j over i)   invpascal<4>(): its inverse; each also of the triangle (i over j):
//     pascal<4>(lower_triangle), pascal<4>(upper_triangle)
//   hadamard<4>(): int32, of 1 and -1 with orthogonal rows, for powers of 2   helmert<4>(): n - 1 orthonormal rows of sum 0;
//     helmert<4>(full_matrices<true>): below one of 1 / sqrt(n)
//   dft<4>(): complex64, e^(-2 pi i j k / n); dft<4>(ortho) / sqrt(n), dft<4>(forward_norm) / n
// Move 0 bytes. Source: JAX 0.10.2 jax.scipy.linalg. Differs: whole numbers are exact while they are below 2^53 and the type
// has them, where JAX takes exponentials of gammaln; angles of dft are below 2 pi, where JAX multiplies them in float32.

#include <tessera/functions/special_matrices.hpp>
#include <tessera/op/linalg/fft.hpp>
#include <tessera/op/linalg/svd.hpp>
#include <tessera/op/reduce/cumulative.hpp>

namespace tessera {

struct upper_triangle_t {};
inline constexpr upper_triangle_t upper_triangle{};  // of pascal and invpascal

namespace detail::bodies {

// (i over j), by products along a row; float64, which has whole numbers to 2^53.
template <std::int64_t N>
constexpr auto binomials() {
  auto const i = row_number<N, N, double>();
  auto const j = column_number<N, N, double>();
  return tril(rint(cumprod<1>(where(j == 0.0, 1.0, (i - j + 1.0) / maximum(j, 1.0)))));
}
template <std::int64_t N>
constexpr auto signed_binomials() {
  auto const odd = ((row_number<N, N>() + column_number<N, N>()) & 1) == 1;
  return where(odd, -1.0, 1.0) * binomials<N>();
}

}  // namespace detail::bodies

namespace functions {

template <std::int64_t N, class Element = float>
constexpr auto hilbert() {
  using namespace detail::bodies;
  return 1.0 / (row_number<N, N, Element>() + column_number<N, N, Element>() + 1.0);
}
// r_i r_j / (i + j + 1), r by products of the ratios of its neighbors.
template <std::int64_t N, class Element = float>
constexpr auto invhilbert() {
  using namespace detail::bodies;
  auto const i = arange<double, N>();
  constexpr auto n = static_cast<double>(N);
  auto const r = rint(cumprod<0>(where(i == 0.0, n, (n + i) * (i - n) / square(maximum(i, 1.0)))));
  auto const by = row_number<N, N, double>() + column_number<N, N, double>() + 1.0;
  return astype<Element>(rint(expand_dims<1>(r) * expand_dims<0>(r) / by));
}
template <std::int64_t N, class Element = float>
constexpr auto pascal() {
  using namespace detail::bodies;
  auto const i = row_number<N, N, double>();
  auto const j = column_number<N, N, double>();
  return astype<Element>(rint(cumprod<0>(where(i == 0.0, 1.0, (i + j) / maximum(i, 1.0)))));
}
template <std::int64_t N, class Element = float>
constexpr auto pascal(solve_option<&ops::triangular_params::lower>) {
  return astype<Element>(detail::bodies::binomials<N>());
}
template <std::int64_t N, class Element = float>
constexpr auto pascal(upper_triangle_t) {
  return matrix_transpose(pascal<N, Element>(lower_triangle));
}
template <std::int64_t N, class Element = float>
constexpr auto invpascal(solve_option<&ops::triangular_params::lower>) {
  return astype<Element>(detail::bodies::signed_binomials<N>());
}
template <std::int64_t N, class Element = float>
constexpr auto invpascal(upper_triangle_t) {
  return matrix_transpose(invpascal<N, Element>(lower_triangle));
}
template <std::int64_t N, class Element = float>
constexpr auto invpascal() {
  auto const lower = detail::bodies::signed_binomials<N>();
  return astype<Element>(matmul(matrix_transpose(lower), lower));
}
// Of which rows i and columns j have an odd number of common bits, by the product of the matrices of their bits.
template <std::int64_t N, class Element = std::int32_t>
constexpr auto hadamard() {
  static_assert(N > 0 && (N & (N - 1)) == 0, "tessera: hadamard<N> is of a power of 2. Fix: hadamard<8>().");
  constexpr std::int64_t digits = [] {
    std::int64_t count = 0;
    while ((std::int64_t{1} << count) < N) ++count;
    return count;
  }();
  if constexpr (N == 1)
    return ones<Element, 1, 1>();
  else
    return astype<Element>(1 -
                           2 * (matmul((iota<std::int32_t, 0, N, digits>() >> iota<std::int32_t, 1, N, digits>()) & 1,
                                       (iota<std::int32_t, 1, digits, N>() >> iota<std::int32_t, 0, digits, N>()) & 1) &
                                1));
}
template <std::int64_t N, class Element = float, bool Full = false>
constexpr auto helmert(full_matrices_t<Full> = {}) {
  using namespace detail::bodies;
  constexpr std::int64_t first = Full ? 0 : 1;
  static_assert(N > 0, "tessera: helmert<N> has N columns. Fix: helmert<4>().");
  auto const i = iota<Element, 0, N - first, N>() + static_cast<double>(first);
  auto const j = iota<Element, 1, N - first, N>();
  auto const row = where(j < i, 1.0, where(j == i, -i, 0.0)) / sqrt(maximum(i * (i + 1.0), 1.0));
  if constexpr (Full)
    return where(i == 0.0, 1.0 / sqrt(zeros<Element>() + static_cast<double>(N)), row);
  else
    return row;
}
template <std::int64_t N, class Element = float>
constexpr auto dft() {
  using namespace detail::bodies;
  auto const turn = remainder(row_number<N, N>() * column_number<N, N>(), static_cast<std::int32_t>(N));
  auto const angle = astype<Element>(turn) * (-2 * std::numbers::pi / N);
  return complex(cos(angle), sin(angle));
}
template <std::int64_t N, class Element = float, ops::fourier::scaling S>
constexpr auto dft(fft_norm<S>) {
  if constexpr (S == ops::fourier::scaling::both)
    return dft<N, Element>() / sqrt(astype<Element>(static_cast<double>(N)));
  else if constexpr (S == ops::fourier::scaling::forward)
    return dft<N, Element>() / static_cast<double>(N);
  else
    return dft<N, Element>();
}

}  // namespace functions
}  // namespace tessera
