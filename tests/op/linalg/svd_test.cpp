// SPDX-License-Identifier: Apache-2.0
// nightly
// Singular values and what is made of them against textbook loops, over layouts of the batch; shapes of every kind, small and
// large enough for LAPACK.

#include "support/svd_rows.hpp"

namespace {

using namespace svd_rows;

struct table {
  static constexpr auto rows = all;
};
struct of_square {
  static constexpr auto rows =
      std::tuple{row{"svd of full matrices",
                     [](auto x) {
                       auto const [u, s, vt] = ts::svd(x);
                       return ts::matmul(scaled(u, s), vt);
                     },
                     [](tensor const& x) { return x; }, near},
                 row{"condition_number, fro", [](auto x) { return ts::condition_number(x, ts::fro); },
                     [](tensor const& x) {
                       return of_values(x, [](double const* s, std::int64_t k) {
                         double sum = 0, inverses = 0;
                         for (std::int64_t i = 0; i < k; ++i) sum += s[i] * s[i], inverses += 1 / (s[i] * s[i]);
                         return std::sqrt(sum * inverses);
                       });
                     },
                     1e-2}};
};

TEST(svd, over_layouts) {
  check<table, on<grid, P<dp>>, jitted>(dense<float, 4, 4, 3>(-1, 1));
  check<table, on<cube, P<axes<a, c>>>, interpreted>(dense<double, 4, 3, 4>(-1, 1, 3));
  check<table, nowhere, eagerly>(dense<double, 2, 3, 3>(-1, 1, 4));
  check<of_square, on<grid, P<dp>>, interpreted>(dense<double, 4, 3, 3>(-1, 1, 4));
}
TEST(svd, by_lapack) {
  check<table, on<grid, P<mp>>, interpreted>(dense<double, 2, 28, 25>(-1, 1));
  check<table, nowhere, interpreted>(dense<double, 1, 24, 30>(-1, 1));
  check<of_square, nowhere, interpreted>(dense<double, 1, 26, 26>(-1, 1));
}

// u diag(s) vt is a, u and vt are orthonormal, s descends and is not negative.
template <class T, std::int64_t N, std::int64_t M, bool Full>
void expect_factors(dense<T, N, M> const& x, double near) {
  auto const [u, s, vt] = ts::svd(place(nowhere{}, x), ts::full_matrices<Full>);
  constexpr std::int64_t k = std::min(N, M);
  tensor const left = tensor_of(u), values = tensor_of(s), right = tensor_of(vt);
  ASSERT_EQ(left.extents, (ints{N, Full ? N : k}));
  ASSERT_EQ(values.extents, ints{k});
  ASSERT_EQ(right.extents, (ints{Full ? M : k, M}));
  tensor const unit = oracle::generate({N, M}, [&](ints const& at) {
    double sum = 0;
    for (std::int64_t i = 0; i < k; ++i) sum += left[{at[0], i}] * values[{i}] * right[{i, at[1]}];
    return sum;
  });
  std::string const what = std::to_string(N) + " x " + std::to_string(M) + (Full ? " full" : "");
  double const size = std::max(1.0, k > 0 ? values[{0}] : 1.0);
  expect_near(unit / size, x.values / size, near, what);
  auto const identity = [](std::int64_t n) {
    return oracle::generate({n, n}, [](ints const& at) { return double(at[0] == at[1]); });
  };
  expect_near(oracle::matmul(oracle::transpose(left), left), identity(left.extents[1]), near, what + " u");
  expect_near(oracle::matmul(right, oracle::transpose(right)), identity(right.extents[0]), near, what + " vt");
  for (std::int64_t i = 0; i < k; ++i) EXPECT_TRUE((values[{i}] >= 0 && (i == 0 || values[{i}] <= values[{i - 1}])));
  expect_near(tensor_of(ts::svdvals(place(nowhere{}, x))) / size, values / size, near, what + " svdvals");
}
template <std::int64_t N, std::int64_t M>
void expect_svd() {
  dense<double, N, M> const x(-1, 1);
  expect_factors<double, N, M, true>(x, 1e-12);
  expect_factors<double, N, M, false>(x, 1e-12);
  expect_factors<float, N, M, true>(dense<float, N, M>(-1, 1), 1e-5);
  // Of rank 2 at most, and of rank 0.
  tensor const low = oracle::generate({N, M}, [](ints const& at) { return double((at[0] + 1) * (at[1] - 2)) + 1; });
  expect_factors<double, N, M, true>(dense<double, N, M>(low), 1e-12);
  expect_factors<double, N, M, true>(dense<double, N, M>(oracle::zeros({N, M})), 1e-12);
}
TEST(svd, of_every_shape) {
  expect_svd<1, 1>();
  expect_svd<1, 7>();
  expect_svd<7, 1>();
  expect_svd<3, 8>();
  expect_svd<8, 3>();
  expect_svd<5, 5>();
  expect_svd<1, 40>();
  expect_svd<30, 60>();
  expect_svd<60, 30>();
  expect_svd<41, 41>();
}
TEST(svd, of_no_elements) {
  auto const [u, s, vt] = ts::svd(place(nowhere{}, dense<float, 2, 0, 3>(oracle::zeros({2, 0, 3}))));
  EXPECT_EQ(u.to_host().size(), 0u);
  EXPECT_EQ(s.to_host().size(), 0u);
  expect_near(tensor_of(vt), oracle::generate({2, 3, 3}, [](ints const& at) { return double(at[1] == at[2]); }), 0,
              "vt");
  auto const p = ts::pinv(place(nowhere{}, dense<float, 0, 3>(oracle::zeros({0, 3}))));
  EXPECT_EQ(tensor_of(p).extents, (ints{3, 0}));
}

// Of the triangle of ones they are known: 1 / (2 sin((2 k + 1) pi / (4 n + 2))).
template <class T, std::int64_t N>
void expect_known(double near) {
  tensor const ones = oracle::generate({N, N}, [](ints const& at) { return double(at[1] <= at[0]); });
  tensor const want = oracle::generate({N}, [](ints const& at) {
    double const angle = (2. * static_cast<double>(at[0]) + 1) * std::acos(-1.) / (4. * N + 2);
    return 0.5 / std::sin(angle);
  });
  auto const x = place(nowhere{}, dense<T, N, N>(ones));
  expect_near(tensor_of(ts::svdvals(x)) / want, want / want, near, "svdvals");
  expect_near(tensor_of(std::get<1>(ts::svd(x))) / want, want / want, near, "svd");
}
TEST(svd, known_values) {
  expect_known<double, 6>(1e-13);
  expect_known<double, 50>(1e-12);
  expect_known<float, 6>(1e-5);
  expect_known<float, 50>(2e-4);
}

TEST(svd, of_ends_of_the_range) {
  for (float size : {1e30f, 1e-30f}) {
    auto const x = place(nowhere{}, dense<float, 2, 2>(tensor({2, 2}, {3 * size, 0, 4 * size, 0})));
    EXPECT_NEAR(tensor_of(ts::svdvals(x)).data[0] / size, 5, 1e-5);
  }
}

TEST(svd, without_numbers) {
  auto const small = place(nowhere{}, dense<float, 2, 2>(tensor({2, 2}, {1, NAN, 0, 1})));
  for (double v : tensor_of(ts::svdvals(small)).data) EXPECT_TRUE(std::isnan(v));
  for (double v : tensor_of(std::get<0>(ts::svd(small))).data) EXPECT_TRUE(std::isnan(v));
  tensor many = oracle::scattered({40, 30}, -1, 1, 1);
  many.data[77] = INFINITY;
  auto const large = place(nowhere{}, dense<double, 40, 30>(many));
  for (double v : tensor_of(ts::svdvals(large)).data) EXPECT_TRUE(std::isnan(v));
  for (double v : tensor_of(std::get<2>(ts::svd(large))).data) EXPECT_TRUE(std::isnan(v));
}

// The shortest of the best solutions, and how many values count.
TEST(svd, of_lower_rank) {
  auto const a = place(nowhere{}, dense<double, 3, 2>(tensor({3, 2}, {1, 1, 1, 1, 1, 1})));
  auto const b = place(nowhere{}, dense<double, 3>(tensor({3}, {1, 2, 6})));
  auto const [x, off, rank, s] = ts::lstsq(a, b);
  expect_near(tensor_of(x), tensor({2}, {1.5, 1.5}), 1e-13, "x");
  expect_near(tensor_of(off), tensor({1}, {14}), 1e-12, "residuals");
  EXPECT_EQ(tensor_of(rank).item(), 1);
  EXPECT_EQ(tensor_of(ts::matrix_rank(a)).item(), 1);
  expect_near(tensor_of(ts::pinv(a)), tensor({2, 3}, std::vector<double>(6, 1. / 6)), 1e-13, "pinv");
  EXPECT_EQ(tensor_of(ts::condition_number(a * 0.0, ts::ord<-2>)).item(), INFINITY);  // of 0 by 0
  auto const two = place(nowhere{}, dense<double, 2, 2>(tensor({2, 2}, {1, 0, 0, 0.01})));
  EXPECT_EQ(tensor_of(std::get<2>(ts::lstsq(two, ts::sum<1>(two), 0.1))).item(), 1);
  expect_near(tensor_of(ts::pinv(two, 0.1)), tensor({2, 2}, {1, 0, 0, 0}), 1e-15, "pinv, rtol");
}
TEST(svd, a_limit_for_each_matrix) {
  auto const x = place(nowhere{}, dense<double, 2, 2, 2>(tensor({2, 2, 2}, {1, 0, 0, 0.01, 1, 0, 0, 0.01})));
  auto const limit = place(nowhere{}, dense<double, 2>(tensor({2}, {0.1, 0.001})));
  EXPECT_EQ(tensor_of(ts::matrix_rank(x, limit)).data, (std::vector<double>{1, 2}));
  expect_near(tensor_of(ts::pinv(x, limit)), tensor({2, 2, 2}, {1, 0, 0, 0, 1, 0, 0, 100}), 1e-12, "pinv");
}

TEST(svd, mapped) {
  auto const x = place(nowhere{}, dense<double, 4, 4, 3>(-1, 1));
  auto const each = ts::vmap([](auto one) { return ts::pinv(one); })(x);
  expect_near(tensor_of(each), pseudoinverse(tensor_of(x)), 1e-10, "pinv");
  auto const values_of_each =
      ts::jit([](auto y) { return ts::vmap([](auto one) { return std::get<1>(ts::svd(one)); })(y); })(x);
  expect_near(tensor_of(values_of_each), values(tensor_of(x)), 1e-10, "svd");
}

TEST(svd, of_few_bits) {
  auto const x = place(nowhere{}, dense<ts::bfloat16, 2, 2>(tensor({2, 2}, {3, 0, 4, 0})));
  EXPECT_EQ(tensor_of(ts::svdvals(x)).data[0], 5);
  EXPECT_EQ(tensor_of(std::get<1>(ts::svd(x))).data[0], 5);
  EXPECT_NEAR(tensor_of(ts::pinv(x)).data[0], 0.12, 1e-3);
}

// Vectors and single matrices.
TEST(svd, norms) {
  auto const v = place(nowhere{}, dense<double, 3>(tensor({3}, {3, -4, 12})));
  auto const of = [](auto x) { return tensor_of(x).item(); };
  EXPECT_EQ(of(ts::norm(v)), 13);
  EXPECT_EQ(of(ts::norm(v, ts::ord<2>)), 13);
  EXPECT_EQ(of(ts::norm(v, ts::ord<1>)), 19);
  EXPECT_EQ(of(ts::norm(v, ts::ord_inf)), 12);
  EXPECT_EQ(of(ts::norm(v, ts::ord_minus_inf)), 3);
  EXPECT_NEAR(of(ts::norm(v, ts::ord<-1>)), 1 / (1. / 3 + 1. / 4 + 1. / 12), 1e-14);
  EXPECT_NEAR(of(ts::norm(v, ts::ord<-2>)), 1 / std::sqrt(1. / 9 + 1. / 16 + 1. / 144), 1e-14);
  auto const x = place(nowhere{}, dense<double, 2, 2>(tensor({2, 2}, {3, 0, 0, -4})));
  EXPECT_NEAR(of(ts::norm(x, ts::nuc)), 7, 1e-14);
  EXPECT_EQ(of(ts::norm(x, ts::fro)), 5);
  EXPECT_NEAR(of(ts::norm(x, ts::ord<-2>)), 3, 1e-14);
  EXPECT_EQ(of(ts::norm(x, ts::ord<-1>)), 3);
}

}  // namespace
