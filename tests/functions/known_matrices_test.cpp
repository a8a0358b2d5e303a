// SPDX-License-Identifier: Apache-2.0
// nightly
// Matrices of a size alone, against JAX's.

#include "support/recorded_functions.hpp"

namespace {

using namespace recorded;

template <class F>
void expect_made(std::string const& name, F make, double tolerance = 1e-7) {
  auto const found = records().find(name);
  ASSERT_NE(found, records().end()) << name;
  std::size_t next = 0;
  ts::tree_each(
      [&]<class X>(X const& x) {
        auto const& want = found->second.results.at(next++);
        EXPECT_EQ(std::string(ts::name_of(X::type::value.element)), want.element) << name;
        expect_numbers(numbers_of(x), want.numbers, 0, tolerance, name);
      },
      ts::jit(make)());
}

constexpr auto parts(auto const& x) { return std::tuple{ts::real(x), ts::imag(x)}; }

TEST(known_matrices, of_whole_numbers) {
  expect_made("hilbert", [] { return ts::hilbert<5>(); });
  expect_made("invhilbert", [] { return ts::invhilbert<4>(); });
  expect_made("pascal", [] { return ts::pascal<5>(); });
  expect_made("pascal lower", [] { return ts::pascal<5>(ts::lower_triangle); });
  expect_made("pascal upper", [] { return ts::pascal<5>(ts::upper_triangle); });
  expect_made("invpascal", [] { return ts::invpascal<5>(); });
  expect_made("invpascal lower", [] { return ts::invpascal<5>(ts::lower_triangle); });
  expect_made("invpascal upper", [] { return ts::invpascal<5>(ts::upper_triangle); });
  expect_made("hadamard", [] { return ts::hadamard<8>(); });
  expect_made("hadamard 1", [] { return ts::hadamard<1>(); });
}
TEST(known_matrices, orthogonal) {
  expect_made("helmert", [] { return ts::helmert<5>(); });
  expect_made("helmert full", [] { return ts::helmert<5>(ts::full_matrices<true>); });
  expect_made(
      "dft", [] { return parts(ts::dft<6>()); }, 1e-6);
  expect_made(
      "dft ortho", [] { return parts(ts::dft<6>(ts::ortho)); }, 1e-6);
  expect_made(
      "dft forward", [] { return parts(ts::dft<6>(ts::forward_norm)); }, 1e-6);
}
// In float64, and exact where JAX's exponentials of gammaln are not.
TEST(known_matrices, inverse_to_each_other) {
  auto const made = ts::jit([] {
    auto const off = [](auto const& x, auto const& y) {
      return ts::max(ts::abs(ts::matmul(x, y) - ts::identity<10, double>()));
    };
    auto const helmert = ts::helmert<10, double>(ts::full_matrices<true>);
    auto const cosines = ts::real(ts::dft<10, double>(ts::ortho));
    auto const sines = ts::imag(ts::dft<10, double>(ts::ortho));
    auto const squares = ts::matmul(cosines, cosines) - ts::identity<10, double>() + ts::matmul(sines, sines);
    return std::tuple{off(ts::hilbert<10, double>(), ts::invhilbert<10, double>()),
                      off(ts::pascal<10, double>(), ts::invpascal<10, double>()),
                      off(helmert, ts::matrix_transpose(helmert)), ts::max(ts::abs(squares))};
  })();
  EXPECT_LT(numbers_of(std::get<0>(made)).at(0), 1e-2);  // of elements up to 3e12
  EXPECT_EQ(numbers_of(std::get<1>(made)).at(0), 0);
  EXPECT_LT(numbers_of(std::get<2>(made)).at(0), 1e-15);
  EXPECT_LT(numbers_of(std::get<3>(made)).at(0), 2e-15);
}

}  // namespace
