// SPDX-License-Identifier: Apache-2.0
// Each expected text is print(jnp.array(...)) of JAX 0.10.2 with numpy 2.4.
#include <tessera/view/print_array.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

namespace {
using namespace tessera;

template <class T, std::size_t N>
std::string text_of(T const (&values)[N], extents_list const& extents) {
  return array_text(values, extents);
}
template <class T>
std::vector<T> counted(std::size_t count) {
  std::vector<T> values(count);
  std::iota(values.begin(), values.end(), T{});
  return values;
}
constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();

TEST(array_text, matrices_of_whole_numbers) {
  EXPECT_EQ(text_of({0.f, 1.f, 2.f, 3.f, 4.f, 5.f}, {2, 3}), "[[0. 1. 2.]\n [3. 4. 5.]]");
  EXPECT_EQ(text_of({1, -20, 300, 4}, {2, 2}), "[[  1 -20]\n [300   4]]");
  EXPECT_EQ(text_of({true, false, true}, {3}), "[ True False  True]");
}

TEST(array_text, floats_are_aligned_at_the_point) {
  EXPECT_EQ(text_of({1.f, 0.25f, -100.5f}, {3}), "[   1.      0.25 -100.5 ]");
  EXPECT_EQ(text_of({1.f / 3, 0.1f}, {2}), "[0.33333334 0.1       ]");
  EXPECT_EQ(text_of({1.0 / 3, 0.1}, {2}), "[0.33333333 0.1       ]");
  EXPECT_EQ(text_of({nan, -inf, 1.f}, {3}), "[ nan -inf   1.]");
  EXPECT_EQ(text_of({nan, inf}, {2}), "[nan inf]");
}

TEST(array_text, far_apart_floats_are_scientific) {
  EXPECT_EQ(text_of({1.f / 3, 1e-5f, 100.f}, {3}), "[3.3333334e-01 9.9999997e-06 1.0000000e+02]");
  EXPECT_EQ(text_of({1e6f, 1.f}, {2}), "[1.e+06 1.e+00]");
  EXPECT_EQ(text_of({999999.f, 1000.f}, {2}), "[999999.   1000.]");
  EXPECT_EQ(text_of({1e100, 2.5e-100}, {2}), "[1.0e+100 2.5e-100]");
}

TEST(array_text, half_precision) {
  EXPECT_EQ(text_of({float16(1.5f), float16(2.f), float16(0.1f)}, {3}), "[1.5 2.  0.1]");
  EXPECT_EQ(text_of({float16(65504.f), float16(60000.f)}, {2}), "[6.55e+04 6.00e+04]");
  EXPECT_EQ(text_of({tessera::bfloat16(1.5f), tessera::bfloat16(2e4f), tessera::bfloat16(0.1f), tessera::bfloat16(3.f)},
                    {2, 2}),
            "[[1.5 19968]\n [0.100098 3]]");
}

TEST(array_text, a_scalar_is_a_number) {
  EXPECT_EQ(text_of({1.5f}, {}), "1.5");
  EXPECT_EQ(text_of({1.f / 3}, {}), "0.33333334");
  EXPECT_EQ(text_of({100000.f}, {}), "100000.0");
  EXPECT_EQ(text_of({1e20f}, {}), "1e+20");
  EXPECT_EQ(text_of({1e-5f}, {}), "1e-05");
  EXPECT_EQ(text_of({7}, {}), "7");
  EXPECT_EQ(text_of({true}, {}), "True");
}

TEST(array_text, empty_arrays) {
  float const none = 0;
  EXPECT_EQ(array_text(&none, {0, 3}), "[]");
  EXPECT_EQ(array_text(&none, {2, 0, 3}), "[]");
}

TEST(array_text, higher_ranks_have_empty_lines_between) {
  EXPECT_EQ(array_text(counted<int>(8).data(), {2, 2, 2}), "[[[0 1]\n  [2 3]]\n\n [[4 5]\n  [6 7]]]");
}

TEST(array_text, long_rows_wrap) {
  EXPECT_EQ(array_text(counted<float>(30).data(), {30}),
            "[ 0.  1.  2.  3.  4.  5.  6.  7.  8.  9. 10. 11. 12. 13. 14. 15. 16. 17.\n"
            " 18. 19. 20. 21. 22. 23. 24. 25. 26. 27. 28. 29.]");
}

TEST(array_text, beyond_a_thousand_elements_the_middle_is_left_out) {
  EXPECT_EQ(array_text(counted<int>(1001).data(), {1001}), "[   0    1    2 ...  998  999 1000]");
  EXPECT_EQ(array_text(counted<float>(2000).data(), {50, 40}),
            "[[0.000e+00 1.000e+00 2.000e+00 ... 3.700e+01 3.800e+01 3.900e+01]\n"
            " [4.000e+01 4.100e+01 4.200e+01 ... 7.700e+01 7.800e+01 7.900e+01]\n"
            " [8.000e+01 8.100e+01 8.200e+01 ... 1.170e+02 1.180e+02 1.190e+02]\n"
            " ...\n"
            " [1.880e+03 1.881e+03 1.882e+03 ... 1.917e+03 1.918e+03 1.919e+03]\n"
            " [1.920e+03 1.921e+03 1.922e+03 ... 1.957e+03 1.958e+03 1.959e+03]\n"
            " [1.960e+03 1.961e+03 1.962e+03 ... 1.997e+03 1.998e+03 1.999e+03]]");
}

}  // namespace
