// SPDX-License-Identifier: Apache-2.0
// nightly
// optimized
// Every dtype cast to every other at ends of ranges, infinities and NaN, against JAX (special_values.txt): eager, interpreted
// and compiled; and of numbers that are constants.

#include "support/special_answers.hpp"

#include <algorithm>
#include <array>
#include <type_traits>

namespace {

namespace ts = tessera;

template <class... T>
struct types {};
using all =
    types<bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t,
          std::uint64_t, ts::float16, ts::bfloat16, float, double, ts::complex64, ts::complex128>;

// A number as the file has it; of a complex one, two.
template <class T>
T parsed(std::string const* words) {
  if constexpr (ts::detail::is_complex_type<T>) {
    using part = typename T::value_type;
    return {parsed<part>(words), parsed<part>(words + 1)};
  } else if constexpr (std::is_same_v<T, std::uint64_t>) {
    return std::strtoull(words->c_str(), nullptr, 10);
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(std::strtoll(words->c_str(), nullptr, 10));
  } else if constexpr (std::is_same_v<T, double>) {
    return std::strtod(words->c_str(), nullptr);
  } else {
    return static_cast<T>(std::strtof(words->c_str(), nullptr));
  }
}
template <class T>
constexpr std::size_t words_of = ts::detail::is_complex_type<T> ? 2 : 1;
template <class T>
std::vector<T> parsed_all(std::vector<std::string> const& words) {
  std::vector<T> v;
  for (std::size_t i = 0; i < words.size(); i += words_of<T>) v.push_back(parsed<T>(&words[i]));
  return v;
}
template <class T>
bool same(T got, T want) {
  if constexpr (ts::detail::is_complex_type<T>) {
    return same(got.real(), want.real()) && same(got.imag(), want.imag());
  } else if constexpr (std::is_integral_v<T>) {
    return got == want;
  } else {
    auto const g = static_cast<double>(got), w = static_cast<double>(want);
    return (g != g && w != w) || (g == w && std::signbit(g) == std::signbit(w));
  }
}
template <class T>
std::string text(T x) {
  std::ostringstream out;
  out.precision(20);
  if constexpr (ts::detail::is_complex_type<T>)
    out << x.real() << " + " << x.imag() << "i";
  else if constexpr (std::is_integral_v<T>)
    out << +x;
  else
    out << static_cast<double>(x);
  return out.str();
}

template <class To>
std::string name() {
  return std::string(ts::name_of(ts::dtype_of<To>()));
}

template <class From, class To, class Array>
void compare(special::lines const& file, std::vector<From> const& x, Array const& array, char const* how) {
  auto const want = parsed_all<To>(file.at(name<From>() + "_" + name<To>() + " value"));
  auto const got = array.to_host();
  std::size_t i = 0;
  int shown = 0;
  std::string said;
  for (To g : got) {
    if (i < x.size() && !same<To>(g, want[i]) && ++shown < 8)
      said += " " + text(x[i]) + " is " + text(g) + " not " + text(want[i]) + ";";
    ++i;
  }
  if (shown) ADD_FAILURE() << how << ' ' << name<From>() << " to " << name<To>() << ": " << shown << said;
}

struct to_all {
  constexpr auto operator()(auto x) const {
    return [&]<class... To>(types<To...>) { return std::tuple{ts::astype<To>(x)...}; }(all{});
  }
};

template <class From>
void check(special::lines const& file) {
  auto x = parsed_all<From>(file.at(name<From>() + " x"));
  std::array<From, 96> padded{};
  ASSERT_LE(x.size(), padded.size());
  std::copy(x.begin(), x.end(), padded.begin());
  auto const put = ts::device_put(ts::host<96>(padded));
  [&]<class... To>(types<To...>) {
    auto const interpreted = ts::detail::run_jitted<to_all, false>(put);
    auto const eager = std::tuple{ts::astype<To>(put)...};
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (compare<From, To>(file, x, std::get<I>(interpreted), "interpreted"), ...);
      (compare<From, To>(file, x, std::get<I>(eager), "eager"), ...);
    }
    (std::index_sequence_for<To...>{});
    if constexpr (std::is_floating_point_v<From>) {
      auto const compiled = ts::jit<to_all>(put);
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        (compare<From, To>(file, x, std::get<I>(compiled), "compiled"), ...);
      }
      (std::index_sequence_for<To...>{});
    }
  }(all{});
}

TEST(special_casts, all) {
  auto const file = special::read("casts");
  [&]<class... From>(types<From...>) { (check<From>(file), ...); }(all{});
}

struct constants {
  constexpr auto operator()(auto x) const {
    auto const none = ts::astype<std::int32_t>(x * 0);
    return std::tuple{none + ts::astype<std::int32_t>(ts::full<float, 1>(3e9)),
                      none + ts::astype<std::int32_t>(ts::full<double, 1>(-1e20)),
                      none + ts::astype<std::int32_t>(ts::full<float, 1>(std::numeric_limits<float>::quiet_NaN()))};
  }
};
// 1 + 2^-11 + 2^-40 rounds up, by way of float32 to even: in arrays, constants and arguments alike.
TEST(special_casts, halves_are_rounded_once) {
  constexpr double above = 1 + 0x1p-11 + 0x1p-40, below = 3 * (1 + 0x1p-11) / 3 - 0x1p-40, least = 0x1p-25 + 0x1p-60;
  auto const x =
      ts::device_put(ts::host<3>(std::vector<ts::float16>{ts::float16(above), ts::float16(below), ts::float16(least)}));
  EXPECT_EQ(x.to_host()[0], 1 + 0x1p-10f);
  EXPECT_EQ(x.to_host()[1], 1);
  EXPECT_EQ(x.to_host()[2], 0x1p-24f);
  auto const one = ts::device_put(ts::host<1>(std::vector<ts::float16>{ts::float16(1.0)}));
  EXPECT_EQ(ts::jit([](auto a) { return a * (1 + 0x1p-11 + 0x1p-40); })(one).to_host()[0], 1 + 0x1p-10f);
  EXPECT_EQ((one * above).to_host()[0], 1 + 0x1p-10f);
  EXPECT_EQ(ts::device_put(ts::full<ts::float16, 1>(above)).to_host()[0], 1 + 0x1p-10f);
  EXPECT_EQ(ts::astype<ts::float16>(ts::device_put(ts::host<1>(std::vector<double>{least}))).to_host()[0], 0x1p-24f);
}

TEST(special_casts, constants) {
  auto const [above, below, none] =
      ts::detail::run_jitted<constants, false>(ts::device_put(ts::host<1>(std::array<float, 1>{1})));
  EXPECT_EQ(above.to_host()[0], 2147483647);
  EXPECT_EQ(below.to_host()[0], -2147483647 - 1);
  EXPECT_EQ(none.to_host()[0], 0);
}

}  // namespace
