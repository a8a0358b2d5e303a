// SPDX-License-Identifier: Apache-2.0
// Loops over 16-bit floats, whose elements are converted by the processor, against the conversions of aval/half.hpp, which
// tests/op/special/special_casts_test.cpp compares with recorded results of JAX.
// optimized

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

namespace ts = tessera;

namespace {

template <class T>
T of_bits(std::uint32_t bits) {
  T x;
  x.bits = static_cast<std::uint16_t>(bits);
  return x;
}
template <class T>
std::vector<T> all_halves() {
  std::vector<T> all;
  for (std::uint32_t bits = 0; bits < 1 << 16; ++bits) all.push_back(of_bits<T>(bits));
  return all;
}
// Each half, the middles to its neighbors, and the floats next to these; and NaNs of all kinds.
template <class T>
std::vector<float> floats_around() {
  std::vector<float> all;
  for (T const x : all_halves<T>()) {
    auto const at = std::bit_cast<std::uint32_t>(static_cast<float>(x));
    std::uint32_t const middle = at + (std::is_same_v<T, ts::bfloat16> ? 0x8000u : 0x1000u);
    for (std::uint32_t const bits : {at, at + 1, middle - 1, middle, middle + 1})
      all.push_back(std::bit_cast<float>(bits));
  }
  for (std::uint32_t bit = 0; bit < 23; ++bit)
    for (std::uint32_t const sign : {0x7f800000u, 0xff800000u})
      for (std::uint32_t const rest : {0u, 1u, 0x7fffffu})
        all.push_back(std::bit_cast<float>(sign | (1u << bit) | rest));
  for (std::uint32_t const tiny : {0u, 1u, 0x7fffu, 0x8000u, 0x8001u, 0x17fffu, 0x18000u, 0x7fffffu, 0x800000u})
    for (std::uint32_t const sign : {0u, 0x80000000u}) all.push_back(std::bit_cast<float>(sign | tiny));
  while (all.size() % 8 != 0) all.push_back(std::numeric_limits<float>::infinity());
  return all;
}

constexpr auto widened = [](auto x) { return ts::astype<float>(x); };
template <class T>
constexpr auto narrowed = [](auto x) { return ts::astype<T>(x); };

template <class T>
class halves : public testing::Test {};
using both = testing::Types<ts::bfloat16, ts::float16>;
TYPED_TEST_SUITE(halves, both);

TYPED_TEST(halves, widen_as_one_does) {
  auto const all = all_halves<TypeParam>();
  auto const got = ts::device_get(ts::jit<widened>(ts::asarray(ts::host<1 << 16>(all))));
  for (std::size_t i = 0; i < all.size(); ++i)
    ASSERT_EQ(std::bit_cast<std::uint32_t>(got[i]), std::bit_cast<std::uint32_t>(static_cast<float>(all[i]))) << i;
}

TYPED_TEST(halves, narrow_as_one_does) {
  auto const all = floats_around<TypeParam>();
  auto const got =
      ts::device_get(ts::jit<narrowed<TypeParam>>(ts::asarray(ts::host(all, {static_cast<int>(all.size())}))));
  for (std::size_t i = 0; i < all.size(); ++i)
    ASSERT_EQ(got[i].bits, static_cast<TypeParam>(all[i]).bits) << std::hex << std::bit_cast<std::uint32_t>(all[i]);
}

// Rows that no register divides, sums of rows, values of a row and of a column, two results, and one of another type.
TYPED_TEST(halves, in_loops_of_several_operands) {
  constexpr int rows = 5, columns = 77;
  std::vector<TypeParam> a, b, c;
  for (int i = 0; i < rows * columns; ++i) a.push_back(TypeParam(0.01f * static_cast<float>(i % 97) - 0.4f));
  for (int i = 0; i < columns; ++i) b.push_back(TypeParam(0.02f * static_cast<float>(i) - 0.7f));
  for (int i = 0; i < rows; ++i) c.push_back(TypeParam(0.3f * static_cast<float>(i)));
  auto const results = ts::jit([](auto x, auto y, auto z) {
    auto const product = x * y + ts::expand_dims<1>(z);
    return std::tuple{product, ts::astype<float>(x) * 2, ts::sum<1>(ts::astype<float>(product)), x - 1};
  })(ts::asarray(ts::host<rows, columns>(a)), ts::asarray(ts::host<columns>(b)), ts::asarray(ts::host<rows>(c)));
  auto const product = ts::device_get(std::get<0>(results)), less = ts::device_get(std::get<3>(results));
  auto const twice = ts::device_get(std::get<1>(results)), sums = ts::device_get(std::get<2>(results));
  for (int i = 0; i < rows; ++i) {
    double sum = 0;
    for (int j = 0; j < columns; ++j) {
      int const at = i * columns + j;
      float const x = a[at], y = b[j], z = c[i], want = x * y + z;
      // the product may be fused with the sum, and may be rounded before it
      ASSERT_NEAR(static_cast<float>(product[at]), want, 0.01f) << at;
      ASSERT_EQ(less[at].bits, TypeParam(x - 1).bits) << at;
      ASSERT_EQ(twice[at], 2 * x) << at;
      sum += static_cast<float>(product[at]);
    }
    ASSERT_NEAR(sums[i], sum, 0.2) << i;
  }
}

// A loop that is cut in two: a long chain of operations, x read in both halves.
TYPED_TEST(halves, in_long_chains) {
  std::vector<TypeParam> a;
  for (int i = 0; i < 1000; ++i) a.push_back(TypeParam(0.002f * static_cast<float>(i) - 1));
  constexpr auto chain = [](auto x) { return ts::tanh(ts::exp(ts::sin(ts::tanh(ts::exp(x))))) + x; };
  auto const got = ts::device_get(ts::jit<chain>(ts::asarray(ts::host<1000>(a))));
  std::vector<float> wide(a.begin(), a.end());
  auto const want = ts::device_get(ts::jit<chain>(ts::asarray(ts::host<1000>(wide))));
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(static_cast<float>(got[i]), want[i], 0.05f) << i;
}

}  // namespace
