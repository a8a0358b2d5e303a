// SPDX-License-Identifier: Apache-2.0
// nightly
// Functions of matrices and norms of vectors, against JAX's and SciPy's.

#include "support/recorded_functions.hpp"

namespace {

using namespace recorded;

TEST(matrix_functions, exponentials) {
  expect_recorded<float[8][3][3]>("expm", [](auto a) { return ts::expm(a); });
  expect_recorded<not_sloped, float[8][3][3]>(
      "expm large", [](auto a) { return ts::expm(a); }, -1e-5);
  expect_recorded<not_sloped, double[8][3][3]>(
      "expm float64", [](auto a) { return ts::expm(a); }, -1e-12);
  expect_recorded<double[8][3][3]>(
      "expm slopes float64", [](auto a) { return ts::expm(a); }, 1e-14);
  expect_recorded<not_sloped, whole, float[4][3][3]>("expm of few", [](auto a) { return ts::expm<1>(a); });
  expect_recorded<float[8][3][3], float[8][3][3]>("expm_frechet",
                                                  [](auto a, auto e) { return ts::expm_frechet(a, e); });
}
TEST(matrix_functions, by_singular_values_and_eigenvalues) {
  expect_recorded<float[8][4][3]>(
      "polar", [](auto a) { return ts::polar(a); }, 1e-5);
  expect_recorded<float[8][3][4]>(
      "polar left", [](auto a) { return ts::polar(a, ts::left_side); }, 1e-5);
  expect_recorded<float[8][3][3]>("eigvalsh", [](auto a) { return ts::eigvalsh(a); });
  expect_recorded<not_sloped, float[8][4], float[8][3]>("eigvalsh_tridiagonal",
                                                        [](auto d, auto e) { return ts::eigvalsh_tridiagonal(d, e); });
  expect_recorded<float[8][4], float[8][3]>("eigvalsh_tridiagonal slopes",
                                            [](auto d, auto e) { return ts::eigvalsh_tridiagonal(d, e); });
  expect_recorded<not_sloped, float[8][4], float[8][3]>("eigh_tridiagonal", [](auto d, auto e) {
    auto const made = ts::eigh_tridiagonal(d, e);
    auto const& v = std::get<1>(made);
    return ts::matmul(v * ts::expand_dims<-2>(std::get<0>(made)), ts::matrix_transpose(v));
  });
  expect_recorded<not_sloped, float[8][3][4], float[8][3][3]>(
      "symmetric_product", [](auto a, auto c) { return ts::symmetric_product(a, c, 2.0, 0.5); });
}
TEST(matrix_functions, norms_of_vectors) {
  expect_recorded<float[8][3]>("vector_norm", [](auto x) { return ts::vector_norm(x); });
  expect_recorded<float[8][3]>("vector_norm 1", [](auto x) { return ts::vector_norm<1>(x, ts::ord<1>); });
  expect_recorded<float[8][3]>("vector_norm inf",
                               [](auto x) { return ts::vector_norm<1>(x, ts::ord_inf, ts::keepdims); });
  expect_recorded<float[8][3]>("vector_norm -inf", [](auto x) { return ts::vector_norm<0>(x, ts::ord_minus_inf); });
  expect_recorded<float[8][3]>("vector_norm -2", [](auto x) { return ts::vector_norm<-1>(x, ts::ord<-2>); });
  expect_recorded<float[8][3]>("vector_norm 3", [](auto x) { return ts::vector_norm<0, 1>(x, 3, ts::keepdims); });
  expect_recorded<int[8][3]>("vector_norm of integers", [](auto x) { return ts::vector_norm<1>(x); });
}

}  // namespace
