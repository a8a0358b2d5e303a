// SPDX-License-Identifier: Apache-2.0
// complex64 and complex128 with each other, with std::complex and with C++ numbers: the type of JAX's promotion.

#include <tessera/aval/complex.hpp>

#include <complex>

using namespace tessera;

static_assert(std::is_same_v<decltype(complex128{} * complex64{}), complex128>);
static_assert(std::is_same_v<decltype(complex64{} - complex128{}), complex128>);
static_assert(std::is_same_v<decltype(complex64{} * std::complex<double>{}), complex128>);
static_assert(std::is_same_v<decltype(std::complex<double>{} / complex64{}), complex128>);
static_assert(std::is_same_v<decltype(std::complex<float>{} - complex128{}), complex128>);
static_assert(std::is_same_v<decltype(complex128{} / std::complex<float>{}), complex128>);
static_assert(std::is_same_v<decltype(std::complex<float>{} + complex64{}), complex64>);
static_assert(std::is_same_v<decltype(complex64{} + std::complex<float>{}), complex64>);
// C++ numbers are weakly typed.
static_assert(std::is_same_v<decltype(complex64{} * 2.0), complex64>);
static_assert(std::is_same_v<decltype(2.0 + complex64{}), complex64>);
static_assert(std::is_same_v<decltype(complex128{} / 2), complex128>);

static_assert(complex128(1, 2) * complex64(3, 4) == complex128(-5, 10));
static_assert(complex64(3, 4) * complex128(1, 2) == complex128(-5, 10));
static_assert(complex64(6, 8) / complex128(0, 2) == complex128(4, -3));
static_assert(complex128(1e300, 0) + complex64(1, 2) == complex128(1e300, 2));
static_assert(complex64(1, 2) - std::complex<double>(0.5, 1) == complex128(0.5, 1));
static_assert(std::complex<double>(0.5, 1) * complex64(0, 2) == complex128(-2, 1));
static_assert(complex64(3, 4) == complex128(3, 4) && complex64(3, 4) != complex128(3, 5));
static_assert(std::complex<double>(3, 4) == complex64(3, 4) && complex64(0.1f) != std::complex<double>(0.1));
