// SPDX-License-Identifier: Apache-2.0
// Floats of 8 bits as elements: each operation computes in float32 and rounds once, as numbers of C++ do here.

#include "support/on_grid.hpp"

#include <array>
#include <cmath>
#include <functional>
#include <sstream>

namespace {

using namespace on_grid;
using ts::P;

// All numbers of the type, NaNs last.
template <class T>
std::array<T, 256> all_numbers() {
  std::array<T, 256> all{};
  for (int b = 0; b < 256; ++b) all[static_cast<std::size_t>(b)].bits = static_cast<std::uint8_t>(b);
  return all;
}
template <class T>
T of_bits(std::uint8_t bits) {
  T x{};
  x.bits = bits;
  return x;
}
template <class T>
bool same(T x, T y) {
  float const a = x, b = y;
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}
template <class X, class T>
void expect_numbers(X const& got, std::vector<T> const& want, char const* what) {
  auto const values = got.to_host();
  ASSERT_EQ(values.size(), want.size()) << what;
  for (std::size_t i = 0; i < want.size(); ++i)
    EXPECT_TRUE(same(T(values[i]), want[i]))
        << what << " at " << i << ": " << float(values[i]) << ", not " << float(want[i]);
}
template <class T, class F, class G>
void expect_each(F const& f, G const& by, char const* what) {
  auto const all = all_numbers<T>();
  auto const x = ts::device_put(ts::host<256>(all));
  std::vector<T> want;
  for (T const v : all) want.push_back(T(by(static_cast<float>(v))));
  expect_numbers(ts::jit(f)(x), want, what);
  expect_numbers(f(x), want, what);
}

template <class T>
class float8_arrays : public testing::Test {};
using kinds = testing::Types<ts::float8_e4m3fn, ts::float8_e5m2>;
TYPED_TEST_SUITE(float8_arrays, kinds);

TYPED_TEST(float8_arrays, elementwise) {
  using T = TypeParam;
  expect_each<T>([](auto x) { return -x; }, std::negate<>{}, "negative");
  expect_each<T>([](auto x) { return ts::abs(x); }, [](float v) { return std::abs(v); }, "abs");
  expect_each<T>([](auto x) { return x + 1.5; }, [](float v) { return v + 1.5f; }, "add");
  expect_each<T>([](auto x) { return x * x; }, [](float v) { return v * v; }, "multiply");
  expect_each<T>([](auto x) { return x / 3; }, [](float v) { return v / 3.0f; }, "divide");
  expect_each<T>([](auto x) { return ts::sqrt(x); }, [](float v) { return std::sqrt(v); }, "sqrt");
  expect_each<T>([](auto x) { return ts::floor(x); }, [](float v) { return std::floor(v); }, "floor");
  expect_each<T>([](auto x) { return ts::maximum(x, 2); },
                 [](float v) { return std::isnan(v) ? v : std::max(v, 2.0f); }, "maximum");
  expect_each<T>([](auto x) { return ts::where(x > 1.0, x, 0.0); }, [](float v) { return v > 1 ? v : 0.0f; }, "where");
  expect_each<T>([](auto x) { return ts::nan_to_num(x); },
                 [](float v) {
                   float const most = std::numeric_limits<T>::max();
                   return std::isnan(v) ? 0.0f : std::min(std::max(v, -most), most);
                 },
                 "nan_to_num");
}

TYPED_TEST(float8_arrays, casts) {
  using T = TypeParam;
  auto const all = all_numbers<T>();
  auto const x = ts::device_put(ts::host<256>(all));
  auto const to = [&]<class R>(std::type_identity<R>) {
    auto const values = ts::jit([](auto v) { return ts::astype<R>(v); })(x).to_host();
    for (std::size_t i = 0; i < 256; ++i) {
      float const v = all[i];
      if (std::isnan(v))
        EXPECT_TRUE(std::isnan(static_cast<double>(values[i])));
      else
        EXPECT_EQ(static_cast<double>(values[i]), static_cast<double>(R(v))) << v;
    }
  };
  to(std::type_identity<ts::float16>{});
  to(std::type_identity<ts::bfloat16>{});
  to(std::type_identity<float>{});
  to(std::type_identity<double>{});
  auto const whole = ts::astype<std::int8_t>(x).to_host();  // toward zero, beyond the ends the ends, NaN 0
  for (std::size_t i = 0; i < 256; ++i) {
    float const v = all[i];
    EXPECT_EQ(whole[i], std::isnan(v) ? 0 : static_cast<int>(std::trunc(std::min(std::max(v, -128.0f), 127.0f)))) << v;
  }
  // A double is rounded once: this is above the place halfway between 1 and the next number, and float has it at it.
  double const half = 1 + static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;
  std::vector<double> const doubles{half, half + 0x1p-40, half - 0x1p-40, 1e300, -1e300, 0.1};
  std::vector<T> want;
  for (double const v : doubles) want.push_back(T(v));
  expect_numbers(ts::jit([](auto v) { return ts::astype<T>(v); })(ts::device_put(ts::host<6>(doubles))), want,
                 "double");
  EXPECT_NE(want[0].bits, want[1].bits);
  expect_numbers(ts::asarray({T(1.5f), T(-2.0f)}), std::vector<T>{T(1.5f), T(-2.0f)}, "numbers");
  expect_numbers(ts::jit([](auto v) { return v * T(1.5f); })(ts::asarray({T(2.0f)})), std::vector<T>{T(3.0f)},
                 "number");
}

TYPED_TEST(float8_arrays, bits) {
  using T = TypeParam;
  auto const all = all_numbers<T>();
  auto const x = ts::device_put(ts::host<256>(all));
  auto const bits = ts::bitcast<std::uint8_t>(x).to_host();
  std::vector<std::uint8_t> given(256);
  for (std::size_t i = 0; i < 256; ++i) {
    given[i] = static_cast<std::uint8_t>(i);
    if (std::isnan(float(all[i])))
      EXPECT_TRUE(std::isnan(float(of_bits<T>(bits[i])))) << i;
    else
      EXPECT_EQ(bits[i], i);
  }
  expect_numbers(ts::bitcast<T>(ts::device_put(ts::host<256>(given))), std::vector<T>(all.begin(), all.end()),
                 "from bits");
  auto const words = ts::bitcast<std::uint32_t>(ts::reshape<64, 4>(x)).to_host();
  EXPECT_EQ(words[1], 0x07060504u);
}

#ifndef TESSERA_BY_DAY
// Reductions are computed in float32; orders are those of the numbers.
TYPED_TEST(float8_arrays, reductions_orders_and_places) {
  using T = TypeParam;
  std::vector<T> v;
  for (float const f : {3.0f, -1.0f, 8.0f, 0.5f, -4.0f, 8.0f, 2.0f, 1.0f}) v.push_back(T(f));
  auto const x = ts::device_put(ts::host<8>(v));
  EXPECT_EQ(float(ts::sum(x).to_host()[0]), float(T(17.5f)));
  EXPECT_EQ(float(ts::mean(x).to_host()[0]), float(T(17.5f / 8)));
  EXPECT_EQ(float(ts::max(x).to_host()[0]), 8.0f);
  EXPECT_EQ(float(ts::min(x).to_host()[0]), -4.0f);
  EXPECT_EQ(ts::argmax(x).to_host()[0], 2);
  std::vector<T> sorted = v;
  std::sort(sorted.begin(), sorted.end(), [](T a, T b) { return float(a) < float(b); });
  expect_numbers(ts::sort(x), sorted, "sort");
  std::vector<T> sums;
  float sum = 0;
  for (T const t : v) sums.push_back(T(sum += float(t)));
  expect_numbers(ts::cumsum<0>(x), sums, "cumsum");
  expect_numbers(x.at(ts::asarray({7, 0, 2})).get(), std::vector<T>{v[7], v[0], v[2]}, "gather");
  auto const added = x.at(ts::asarray({1, 1})).add(ts::asarray({T(2.0f), T(3.0f)})).to_host();
  EXPECT_EQ(float(added[1]), 4.0f);
  EXPECT_EQ(ts::concatenate<0>(x, x).to_host().size(), 16u);
  EXPECT_EQ(float(ts::zeros<T, 2>().to_host()[1]), 0.0f);
}

// Products are summed in float32; with preferred<float> they are not rounded.
TYPED_TEST(float8_arrays, products) {
  using T = TypeParam;
  std::vector<T> a, b;
  for (int i = 0; i < 6 * 16; ++i) a.push_back(T(static_cast<float>(i % 13 - 6) / 4));
  for (int i = 0; i < 16 * 8; ++i) b.push_back(T(static_cast<float>(i % 11 - 5) / 2));
  std::vector<float> exact(48);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 8; ++j)
      for (int k = 0; k < 16; ++k)
        exact[static_cast<std::size_t>(i * 8 + j)] +=
            float(a[static_cast<std::size_t>(i * 16 + k)]) * float(b[static_cast<std::size_t>(k * 8 + j)]);
  std::vector<T> rounded;
  for (float const e : exact) rounded.push_back(T(e));
  auto const x = ts::device_put(ts::host<6, 16>(a));
  auto const y = ts::device_put(ts::host<16, 8>(b));
  expect_numbers(ts::matmul(x, y), rounded, "matmul");
  EXPECT_EQ(ts::matmul(x, y, ts::preferred<float>).to_host(), exact);
  EXPECT_EQ((ts::einsum<"ij,jk->ik">(x, y, ts::preferred<float>).to_host()), exact);
  using contracted = ts::contract<ts::dims<1>, ts::dims<0>>;
  auto const other = ts::astype<ts::bfloat16>(y);
  EXPECT_EQ((ts::dot_general<contracted>(x, other, ts::preferred<float>).to_host()), exact);
  auto const wide =
      ts::grad([](auto p, auto q) { return ts::sum(ts::matmul(p, q, ts::preferred<float>)); })(x, y).to_host();
  for (std::size_t i = 0; i < wide.size(); ++i) {
    float row = 0;
    for (std::size_t j = 0; j < 8; ++j) row += float(b[i % 16 * 8 + j]);
    EXPECT_EQ(float(wide[i]), float(T(row))) << i;
  }
  auto const image = ts::reshape<1, 1, 6, 16>(x);
  auto const kernel = ts::ones<T, 1, 1, 2, 2>();
  auto const windows = ts::conv(image, kernel, ts::valid).to_host();
  EXPECT_EQ(float(windows[0]), float(T(float(a[0]) + float(a[1]) + float(a[16]) + float(a[17]))));
}

// A float of 8 bits over a mesh: a quarter of float32's bytes; sums over devices.
TYPED_TEST(float8_arrays, over_devices) {
  using T = TypeParam;
  constexpr auto whole = [](auto x) { return ts::reshard<P<>>(x); };
  using narrow = ts::array_type<T, ts::shape<8, 16>, P<dp, mp>, grid>;
  using wide = ts::array_type<float, ts::shape<8, 16>, P<dp, mp>, grid>;
  static_assert(4 * ts::comm_of<decltype(whole), narrow>.bytes() == ts::comm_of<decltype(whole), wide>.bytes());
  // A cast to fewer bits is done first.
  constexpr auto cast = [](auto x) { return ts::astype<T>(ts::reshard<P<>>(x)); };
  static_assert(ts::comm_of<decltype(cast), wide>.bytes() == ts::comm_of<decltype(whole), narrow>.bytes());
  auto const x = ts::astype<T>(put<P<dp, mp>, 8, 16>(0.5));
  auto const host = x.to_host();
  std::vector<T> const dense(host.begin(), host.end());
  EXPECT_EQ(dense.size(), 128u);
  expect_numbers(ts::jit(whole)(x), dense, "gathered");
  std::vector<T> columns;
  for (std::size_t j = 0; j < 16; ++j) {
    float sum = 0;
    for (std::size_t i = 0; i < 8; ++i) sum += float(dense[16 * i + j]);
    columns.push_back(T(sum));
  }
  auto const sums = ts::jit([](auto v) { return ts::astype<float>(ts::sum<0>(ts::astype<float>(v))); })(x).to_host();
  for (std::size_t j = 0; j < 16; ++j) EXPECT_EQ(float(T(sums[j])), float(columns[j]));
  auto const summed = ts::jit(ts::shard_map<ts::in_specs<P<dp>>, ts::out_specs<P<>>>([](auto block) {
    return ts::psum<dp>(ts::sum<0>(block));
  }))(ts::astype<T>(put<P<dp>, 8>(std::vector<double>(8, 1.0))));
  EXPECT_EQ(float(summed.to_host()[0]), 8.0f);
}

// JAX 0.10.2: jax.random.uniform(jax.random.key(0), (8,), dtype).
TEST(float8_random, uniform_is_JAXs) {
  auto const four = ts::random::uniform<ts::float8_e4m3fn, 8>(ts::random::key(0)).to_host();
  std::vector<float> const want{0.625f, 0.5f, 0.125f, 0.125f, 0.625f, 0.25f, 0.375f, 0.875f};
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(float(four[i]), want[i]);
}

TEST(float8_text, as_JAX_prints_it) {
  using ts::float8_e4m3fn;
  auto const x = ts::asarray({float8_e4m3fn(0.1f), float8_e4m3fn(0.3f), float8_e4m3fn(100.0f), float8_e4m3fn(0x1p-9f)});
  std::ostringstream text;
  text << x;
  EXPECT_EQ(text.str(), "[0.101562 0.3125 96 0.00195312]");
}
#endif

}  // namespace
