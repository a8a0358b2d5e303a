// SPDX-License-Identifier: Apache-2.0
// nightly
// Integers of every width against a table of what JAX makes of them; bits in other types; arrays put and fetched.

#include "op/elementwise/integer_table.hpp"
#include "support/op_case.hpp"

#include <cstring>
#include <stdexcept>

namespace {

using namespace op_case;

template <class Op>
struct named {
  char const* name;
  Op op;
};
template <class Op>
named(char const*, Op) -> named<Op>;

inline constexpr auto elementwise =
    std::tuple{named{"add", [](auto x, auto y) { return x + y; }},
               named{"subtract", [](auto x, auto y) { return x - y; }},
               named{"multiply", [](auto x, auto y) { return x * y; }},
               named{"negative", [](auto x, auto) { return -x; }},
               named{"abs", [](auto x, auto) { return ts::abs(x); }},
               named{"sign", [](auto x, auto) { return ts::sign(x); }},
               named{"square", [](auto x, auto) { return ts::square(x); }},
               named{"floor_divide", [](auto x, auto y) { return ts::floor_divide(x, y); }},
               named{"remainder", [](auto x, auto y) { return ts::remainder(x, y); }},
               named{"fmod", [](auto x, auto y) { return ts::fmod(x, y); }},
               named{"power", [](auto x, auto y) { return ts::power(x, ts::remainder(y, 7)); }},
               named{"maximum", [](auto x, auto y) { return ts::maximum(x, y); }},
               named{"minimum", [](auto x, auto y) { return ts::minimum(x, y); }},
               named{"bitwise_and", [](auto x, auto y) { return ts::bitwise_and(x, y); }},
               named{"bitwise_or", [](auto x, auto y) { return ts::bitwise_or(x, y); }},
               named{"bitwise_xor", [](auto x, auto y) { return ts::bitwise_xor(x, y); }},
               named{"bitwise_not", [](auto x, auto) { return ts::bitwise_not(x); }},
               named{"left_shift", [](auto x, auto y) { return ts::left_shift(x, y); }},
               named{"right_shift", [](auto x, auto y) { return ts::right_shift(x, y); }},
               named{"shift_right_logical", [](auto x, auto y) { return ts::shift_right_logical(x, y); }},
               named{"less", [](auto x, auto y) { return x < y; }},
               named{"greater_equal", [](auto x, auto y) { return x >= y; }},
               named{"equal", [](auto x, auto y) { return ts::equal(x, y); }},
               named{"plus 3", [](auto x, auto) { return x + 3; }},
               named{"chain", [](auto x, auto y) { return ts::floor_divide((x + y) * x - y, 3); }},
               named{"where", [](auto x, auto y) { return ts::where(x < y, x, y); }},
               named{"clip", [](auto x, auto) { return ts::clip(x, 1, 100); }}};

constexpr auto thirds() { return ts::floor_divide(ts::remainder(ts::arange<8>(), 4), 2) * 2; }  // 0 0 2 2 0 0 2 2

template <class T>
inline constexpr auto others =
    std::tuple{named{"sum", [](auto x, auto) { return ts::sum(x); }},
               named{"prod", [](auto x, auto) { return ts::prod(x + 3); }},
               named{"max", [](auto x, auto) { return ts::max(x); }},
               named{"min", [](auto x, auto) { return ts::min(x); }},
               named{"argmax", [](auto x, auto) { return ts::argmax(x); }},
               named{"cumsum", [](auto x, auto) { return ts::cumsum(x); }},
               named{"cumprod", [](auto x, auto) { return ts::cumprod(x + 3); }},
               named{"cummax", [](auto x, auto) { return ts::cummax(x); }},
               named{"sort", [](auto x, auto) { return ts::sort(x); }},
               named{"argsort", [](auto x, auto) { return ts::argsort(x); }},
               named{"top_k", [](auto x, auto) { return std::get<0>(ts::top_k<3>(x)); }},
               named{"matmul", [](auto x, auto y) { return ts::matmul(x, y); }},
               named{"take", [](auto x, auto y) { return ts::take<0>(x, ts::clip(y, 0, 7)); }},
               named{"segment_max", [](auto x, auto) { return ts::segment_max<3>(x, thirds()); }},
               named{"segment_min", [](auto x, auto) { return ts::segment_min<3>(x, thirds()); }},
               named{"iota", [](auto x, auto) { return ts::iota<T, 0, 8>() * 40 + x; }},
               named{"mean of small ones", [](auto x, auto) { return ts::mean(ts::clip(x, 0, 7)) * 8.0; }},
               named{"to int8", [](auto x, auto) { return ts::astype<std::int8_t>(x); }},
               named{"to int16", [](auto x, auto) { return ts::astype<std::int16_t>(x); }},
               named{"to int32", [](auto x, auto) { return ts::astype<std::int32_t>(x); }},
               named{"to uint8", [](auto x, auto) { return ts::astype<std::uint8_t>(x); }},
               named{"to uint16", [](auto x, auto) { return ts::astype<std::uint16_t>(x); }},
               named{"to uint32", [](auto x, auto) { return ts::astype<std::uint32_t>(x); }}};
template <class T>
inline constexpr auto wide_casts =
    std::tuple{named{"to int64", [](auto x, auto) { return ts::astype<std::int64_t>(x); }},
               named{"to uint64", [](auto x, auto) { return ts::astype<std::uint64_t>(x); }}};

struct of_elementwise {
  template <class T>
  static constexpr auto rows() {
    return elementwise;
  }
};
struct of_others {
  template <class T>
  static constexpr auto rows() {
    return others<T>;
  }
};
struct of_wide_casts {
  template <class T>
  static constexpr auto rows() {
    return wide_casts<T>;
  }
};

std::vector<std::int64_t> const& wanted(ts::dtype element, std::string_view name) {
  for (auto const& line : integers::table)
    if (line.element == element && line.name == name) return line.values;
  throw std::logic_error("no such line");
}
template <class T>
std::vector<T> values(std::string_view name) {
  std::vector<T> v;
  for (auto x : wanted(ts::dtype_of<T>(), name)) v.push_back(static_cast<T>(x));
  return v;
}
template <class T>
auto put(std::vector<T> const& v) {
  return ts::device_put<P<>>(ts::host<8>(v), ts::make_mesh<grid>(ts::devices()));
}

template <class Table, class T>
struct all_of {
  constexpr auto operator()(auto x, auto y) const {
    return std::apply([&](auto const&... r) { return std::make_tuple(r.op(x, y)...); }, Table::template rows<T>());
  }
};
template <class Table, class Door, class T>
void check_integers() {
  auto const results = Door::template run<all_of<Table, T>>(put(values<T>("x")), put(values<T>("y")));
  std::apply(
      [&](auto const&... r) {
        std::apply(
            [&](auto const&... got) {
              auto const one = [](char const* name, auto const& array) {
                std::vector<std::int64_t> have;
                for (auto const& v : array.to_host()) have.push_back(static_cast<std::int64_t>(v));
                EXPECT_EQ(have, wanted(ts::dtype_of<T>(), name)) << ts::name_of(ts::dtype_of<T>()) << ": " << name;
              };
              (one(r.name, got), ...);
            },
            results);
      },
      Table::template rows<T>());
}
template <class... T>
struct types {};
template <class Table, class Door, class... T>
void check_each(types<T...>) {
  (check_integers<Table, Door, T>(), ...);
}
using small = types<std::int8_t, std::int16_t, std::uint8_t, std::uint16_t, std::uint32_t>;
using wide = types<std::int32_t, std::int64_t, std::uint64_t>;

// With sizes that types say: a diagonal of a traced size is none.
struct unfused {
  template <class F>
  static auto run(auto const&... x) {
    return ts::detail::run_jitted<F, false>(x...);
  }
};

TEST(integers, elementwise) {
  check_each<of_elementwise, unfused>(small{});
  check_each<of_elementwise, unfused>(wide{});
}
TEST(integers, elementwise_compiled) {
  check_each<of_elementwise, jitted>(types<std::int8_t, std::uint16_t, std::uint32_t, std::uint64_t>{});
}
TEST(integers, sums_sorts_and_places) {
  check_each<of_others, unfused>(small{});
  check_each<of_others, unfused>(wide{});
  check_each<of_others, jitted>(types<std::uint8_t>{});
}
TEST(integers, to_64_bits) { check_each<of_wide_casts, unfused>(types<std::int64_t, std::uint64_t>{}); }

TEST(integers, from_floats) {
  std::vector<float> const floats{-1e10f, -130.5f, -1.5f, 0.5f, 127.9f, 300.7f, 70000.2f, 5e9f};
  auto const x = put(floats);
  auto const check = [&]<class... T>(types<T...>) {
    auto const one = [&]<class U>(std::type_identity<U>) {
      EXPECT_EQ((ts::astype<U>(x).to_host()), values<U>("from floats"));
    };
    (one(std::type_identity<T>{}), ...);
  };
  check(types<std::int8_t, std::int16_t, std::uint8_t, std::uint16_t>{});
  EXPECT_EQ(ts::astype<std::uint32_t>(x).to_host(),
            (std::vector<std::uint32_t>{0, 0, 0, 0, 127, 300, 70000, 4294967295u}));
}

TEST(integers, move_and_print) {
  std::vector<std::uint8_t> bytes(32);
  for (std::size_t i = 0; i < 32; ++i) bytes[i] = static_cast<std::uint8_t>(i * 9);
  auto const x = ts::device_put<P<dp, mp>>(ts::host<8, 4>(bytes), ts::make_mesh<grid>(ts::devices()));
  EXPECT_EQ(x.to_host(), bytes);
  EXPECT_EQ(ts::typeof_(x), "uint8[8@dp,4@mp]");
  EXPECT_EQ((ts::reshard<P<none, dp>>(x).to_host()), bytes);
  static_assert(ts::type_text<decltype(x + ts::astype<std::int8_t>(x))> == "int16[8@dp,4@mp]");
  static_assert(ts::type_text<decltype(x + 1)> == "uint8[8@dp,4@mp]");
  static_assert(ts::type_text<decltype(x / x)> == "float32[8@dp,4@mp]");
  static_assert(ts::type_text<decltype(ts::sum<0>(x))> == "uint32[4@mp]");
}

// The same bits as memcpy has, there and back.
template <class From, class To, std::int64_t... E>
void check_bits(std::vector<From> const& v) {
  auto const x = ts::device_put<P<dp>>(ts::host<E...>(v), ts::make_mesh<grid>(ts::devices()));
  auto const there = ts::bitcast_convert_type<To>(x);
  auto const got = there.to_host();
  ASSERT_EQ(got.size() * sizeof(To), v.size() * sizeof(From));
  EXPECT_EQ(std::memcmp(got.data(), v.data(), v.size() * sizeof(From)), 0)
      << ts::name_of(ts::dtype_of<From>()) << " to " << ts::name_of(ts::dtype_of<To>());
  auto const back = ts::bitcast_convert_type<From>(there).to_host();
  EXPECT_EQ(std::memcmp(back.data(), v.data(), v.size() * sizeof(From)), 0)
      << ts::name_of(ts::dtype_of<From>()) << " from " << ts::name_of(ts::dtype_of<To>());
}
TEST(integers, bits_of_other_types) {
  std::vector<float> const f{-0.0f, 1.5f, 1e-40f, INFINITY, -3e38f, 0, 7, -8.25f};
  std::vector<double> const d{-0.0, 1.5, 1e-310, INFINITY, -3e300, 0, 7, -8.25};
  std::vector<ts::float16> h;
  for (float v : {-0.0f, 1.5f, 6e-8f, INFINITY, -65504.0f, 6.1e-5f, 6.2e-5f, -8.25f}) h.emplace_back(v);
  std::vector<ts::bfloat16> const b(f.begin(), f.end());
  check_bits<float, std::int32_t, 8>(f);
  check_bits<float, std::uint32_t, 8>(f);
  check_bits<float, std::uint8_t, 8>(f);
  check_bits<float, std::int16_t, 8>(f);
  check_bits<double, std::uint64_t, 8>(d);
  check_bits<double, std::int32_t, 8>(d);
  check_bits<double, float, 8>(d);
  check_bits<ts::float16, std::uint16_t, 8>(h);
  check_bits<ts::float16, std::int8_t, 8>(h);
  check_bits<ts::bfloat16, std::int16_t, 8>(b);
  check_bits<std::uint8_t, std::int8_t, 8>({0, 255, 128, 127, 1, 2, 3, 4});
  std::vector<std::uint8_t> bytes(32);
  for (std::size_t i = 0; i < 32; ++i) bytes[i] = static_cast<std::uint8_t>(i * 37 + 5);
  check_bits<std::uint8_t, std::uint32_t, 8, 4>(bytes);
}
TEST(integers, types_of_bits) {
  std::vector<std::uint8_t> const bytes(32);
  auto const x = ts::device_put<P<dp>>(ts::host<8, 4>(bytes), ts::make_mesh<grid>(ts::devices()));
  static_assert(ts::type_text<decltype(ts::bitcast_convert_type<std::uint32_t>(x))> == "uint32[8@dp]");
  static_assert(ts::type_text<decltype(ts::bitcast_convert_type<float>(x))> == "float32[8@dp]");
  static_assert(ts::type_text<decltype(ts::bitcast_convert_type<std::int8_t>(x))> == "int8[8@dp,4]");
  auto const whole = ts::bitcast_convert_type<std::uint32_t>(x);
  static_assert(ts::type_text<decltype(ts::bitcast_convert_type<std::uint16_t>(whole))> == "uint16[8@dp,2]");
}

}  // namespace
