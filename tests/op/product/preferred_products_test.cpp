// SPDX-License-Identifier: Apache-2.0
// preferred<float> of each product: bfloat16 operands give float32 sums that were never rounded to bfloat16, int8
// operands int32 sums; with layouts, and with the gradient, whose cotangents have the operands' dtypes.

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>
#include <vector>

namespace {

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
using ts::P, ts::none, ts::preferred;

auto a() { return ts::asarray(ts::astype<ts::bfloat16>(ts::sin(ts::reshape<8, 64>(ts::arange<float, 512>())))); }
auto b() { return ts::asarray(ts::astype<ts::bfloat16>(ts::cos(ts::reshape<64, 8>(ts::arange<float, 512>())))); }

// `product` takes (x, y, options...).
template <class Product, class X, class Y>
void sums_in_float(Product const&, X const& x, Y const& y) {
  auto const made = ts::jit([](auto x, auto y) { return Product{}(x, y, preferred<float>); })(x, y);
  auto const eager = Product{}(x, y, preferred<float>);
  auto const wide = Product{}(ts::astype<float>(x), ts::astype<float>(y));
  static_assert(std::is_same_v<decltype(made), decltype(wide)> && std::is_same_v<decltype(eager), decltype(wide)>);
  auto const exact = wide.to_host();
  for (std::size_t i = 0; i < exact.size(); ++i) {
    EXPECT_NEAR(made.to_host()[i], exact[i], 1e-6 * std::abs(exact[i]) + 1e-5) << i;
    EXPECT_NEAR(eager.to_host()[i], exact[i], 1e-6 * std::abs(exact[i]) + 1e-5) << i;
  }
  auto const [by_x, by_y] = ts::jit([](auto x, auto y) {
    return ts::grad<0, 1>([](auto x, auto y) { return ts::sum(ts::square(Product{}(x, y, preferred<float>))); })(x, y);
  })(x, y);
  static_assert(std::is_same_v<std::remove_const_t<decltype(by_x)>, X> &&
                std::is_same_v<std::remove_const_t<decltype(by_y)>, Y>);
  auto const [wide_x, wide_y] = ts::jit([](auto x, auto y) {
    return ts::grad<0, 1>([](auto x, auto y) { return ts::sum(ts::square(Product{}(x, y))); })(x, y);
  })(ts::astype<float>(x), ts::astype<float>(y));
  auto const near = [](auto const& some, auto const& right) {
    for (std::size_t i = 0; i < right.size(); ++i)
      EXPECT_NEAR(float(some[i]), right[i], 0.02 * std::abs(right[i]) + 0.1);
  };
  near(by_x.to_host(), wide_x.to_host());
  near(by_y.to_host(), wide_y.to_host());
}

TEST(PreferredProducts, SumInThatType) {
  sums_in_float([](auto x, auto y, auto... how) { return ts::matmul(x, y, how...); }, a(), b());
  sums_in_float([](auto x, auto y, auto... how) { return ts::dot(x, y, how...); }, a(), b());
  sums_in_float([](auto x, auto y, auto... how) { return ts::inner(x, y, how...); }, a(), a());
  sums_in_float([](auto x, auto y, auto... how) { return ts::tensordot<1>(x, y, how...); }, a(), b());
  sums_in_float([](auto x, auto y, auto... how) { return ts::vdot(x, y, how...); }, a(), a());
  sums_in_float([](auto x, auto y, auto... how) { return ts::vecdot(x, y, how...); }, a(), a());
  sums_in_float([](auto x, auto y, auto... how) { return ts::einsum<"ik,kj->ji">(x, y, how...); }, a(), b());
  sums_in_float(
      [](auto x, auto y, auto... how) {
        return ts::einsum<"ik,kj,ik->j">(std::tuple{x, y, x}, how...);
      },
      a(), b());
}
TEST(PreferredProducts, AreOfOtherTypesToo) {
  auto const n = ts::asarray(ts::astype<ts::int8>(ts::full<64>(100)));
  auto const total = ts::dot(n, n, preferred<int>);
  static_assert(ts::type_text<decltype(total)> == "int32[]");
  EXPECT_EQ(total.item(), 640000);
  auto const scalar =
      ts::dot(ts::asarray(ts::full<ts::bfloat16>(2)), ts::asarray(ts::full<ts::bfloat16>(3)), preferred<float>);
  static_assert(ts::type_text<decltype(scalar)> == "float32[]");
  EXPECT_EQ(scalar.item(), 6.f);
  auto const narrow =
      ts::matmul(ts::asarray(ts::ones<float, 4, 4>()), ts::asarray(ts::ones<float, 4, 4>()), preferred<ts::bfloat16>);
  static_assert(ts::type_text<decltype(narrow)> == "bfloat16[4,4]");
}
TEST(PreferredProducts, AreSumsOfOneOperandToo) {
  auto const sums = [](auto x) {
    return std::tuple{ts::einsum<"ij->i">(x, preferred<float>), ts::einsum<"ij->ji">(x, preferred<float>),
                      ts::einsum<"ij->j">(x, preferred<float>, ts::out_sharding<P<mp>>)};
  };
  auto const x = ts::device_put<P<dp, mp>>(a(), ts::make_mesh<grid>(ts::devices()));
  auto const [rows, turned, columns] = ts::jit(sums)(x);
  static_assert(ts::type_text<decltype(turned)>.starts_with("float32["));
  auto const wide = ts::astype<float>(a());
  EXPECT_EQ(rows.to_host(), ts::sum<1>(wide).to_host());
  EXPECT_EQ(turned.to_host(), ts::transpose(wide).to_host());
  EXPECT_EQ(columns.to_host(), ts::sum<0>(wide).to_host());
  EXPECT_EQ(std::get<0>(sums(x)).to_host(), rows.to_host());
}
TEST(PreferredProducts, HaveLayouts) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const x = ts::device_put<P<dp, mp>>(a(), mesh);
  auto const y = ts::device_put<P<mp>>(b(), mesh);
  auto const made = ts::jit([](auto x, auto y) {
    constexpr auto rows = ts::out_sharding<P<dp>>;
    return std::tuple{ts::matmul(x, y, preferred<float>, rows), ts::dot(x, y, preferred<float>, rows),
                      ts::einsum<"ik,kj->ij">(x, y, preferred<float>, rows),
                      ts::tensordot<1>(x, y, preferred<float>, rows)};
  })(x, y);
  auto const exact = ts::matmul(ts::astype<float>(a()), ts::astype<float>(b())).to_host();
  ts::tree_each(
      [&](auto const& one) {
        static_assert(ts::type_text<decltype(one)> == "float32[8@dp,8]");
        for (std::size_t i = 0; i < exact.size(); ++i) EXPECT_NEAR(one.to_host()[i], exact[i], 1e-5);
      },
      made);
}

}  // namespace
