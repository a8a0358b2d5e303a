// SPDX-License-Identifier: Apache-2.0
// C++ numbers beside arrays take the arrays' dtype at their full value, in every door; what an integer type cannot hold
// is refused with the number and the type.

#include "support/on_grid.hpp"

#include <cstring>
#include <limits>
#include <tuple>

namespace {

using namespace on_grid;

template <class T>
auto zeros_of() {
  return ts::device_put<ts::P<>>(ts::host<4>(std::vector<T>(4, T{})), ts::make_mesh<grid>(ts::devices()));
}

// n in an array of x's dtype, x being 0, by every way in: element 1 of each is n.
struct doors {
  constexpr auto operator()(auto x, auto n) const {
    auto const none = x != x;
    return std::tuple{
        ts::where(none, x, n),
        ts::where(x == x, n, x),
        ts::maximum(ts::minimum(x, n), n),
        ts::full_like(x, n),
        x.at(1).set(n),
        ts::pad(x, n, ts::low<2>, ts::high<0>),
        ts::vmap([&](auto e) { return ts::where(e != e, e, n); })(x),
        ts::vmap<ts::in_axes<0, ts::unmapped>>([](auto e, auto m) { return ts::where(e != e, e, m); })(x, n),
        ts::fori_loop(
            0, 2, [&](auto, auto v) { return ts::where(v != v, v, n); }, x),
        std::get<0>(ts::scan(
            [&](auto c, auto e) {
              return std::tuple{ts::where(e != e, c, n), std::tuple{}};
            },
            ts::where(none, x, n), x)),
        ts::cond(
            ts::all(x == x), [&](auto y) { return ts::where(none, y, n); }, [&](auto y) { return y; }, x),
        ts::checkpoint([&](auto y) { return ts::where(none, y, n); })(x)};
  }
};
struct eager_doors {
  auto operator()(auto const& x, auto n) const {
    return std::tuple{ts::where(x != x, x, n),
                      ts::where(x == x, n, x),
                      ts::maximum(ts::minimum(x, n), n),
                      ts::full_like(x, n),
                      x.at(1).set(n),
                      x.at(ts::span(1, 2)).set(n),
                      x.at(ts::arange<4>()).set(n),
                      ts::pad(x, n, ts::low<2>, ts::high<0>)};
  }
};
struct clamped {
  constexpr auto operator()(auto x, auto n) const { return ts::clamp(n, x, n); }
};
template <auto N>
struct literals {
  constexpr auto operator()(auto x) const { return doors{}(x, N()); }
};

template <class T>
bool same_bits(T l, T r) {
  if (l != l && r != r) return true;
  return std::memcmp(&l, &r, sizeof(T)) == 0;
}
template <class T, class Results>
void expect_all(Results const& results, T want) {
  int door = 0;
  auto const one = [&](auto const& y) {
    using element = typename std::remove_cvref_t<decltype(y.to_host())>::value_type;
    static_assert(std::is_same_v<element, T>);
    auto const got = y.to_host();
    EXPECT_TRUE(same_bits(got[got.size() > 1 ? 1 : 0], want))
        << "door " << door << ": " << +got[got.size() > 1 ? 1 : 0] << ", not " << +want;
    ++door;
  };
  std::apply([&](auto const&... y) { (one(y), ...); }, results);
}
template <class T, class N>
void fits(N n) {
  auto const x = zeros_of<T>();
  auto const want = [&] {
    if constexpr (std::is_floating_point_v<N> || std::is_integral_v<T>)
      return static_cast<T>(n);
    else
      return static_cast<T>(static_cast<double>(n));
  }();
  expect_all<T>(run<doors>(x, n), want);
  expect_all<T>(eager_doors{}(x, n), want);
  if (want != T{}) {
    expect_all<T>(std::tuple{run<clamped>(x, n), ts::clamp(n, x, n)}, want);
  }
}
template <auto N, class T>
void literal_fits() {
  expect_all<T>(run<literals<N>>(zeros_of<T>()), static_cast<T>(N()));
}
template <class Call>
std::string thrown_by(Call const& call) {
  try {
    call();
  } catch (std::out_of_range const& e) {
    return e.what();
  }
  return "nothing";
}
template <class T, class N>
void misfits(N n, std::string const& number) {
  auto const x = zeros_of<T>();
  std::string const start =
      "tessera: number: " + number + " does not fit " + std::string(ts::name_of(ts::dtype_of<T>())) + ".";
  auto const refused = [&](auto const& call) {
    std::string const text = thrown_by(call);
    EXPECT_TRUE(text.starts_with(start)) << text;
    EXPECT_NE(text.find("Fix: a number from "), std::string::npos) << text;
  };
  refused([&] { return x + n; });
  refused([&] { return n - x; });
  refused([&] { return x == n; });
  refused([&] { return ts::where(x == x, x, n); });
  refused([&] { return ts::full_like(x, n); });
  refused([&] { return x.at(1).set(n); });
  refused([&] { return ts::clamp(x, x, n); });
  refused([&] { return run<doors>(x, n); });
}

template <class T>
void ends_of() {
  using range = std::numeric_limits<T>;
  for (T n : {range::lowest(), range::max(), T{0}, T{1}}) fits<T>(n);
}

TEST(numbers, ends_of_integer_types) {
  ends_of<std::int8_t>();
  ends_of<std::uint8_t>();
  ends_of<std::int32_t>();
  ends_of<std::uint32_t>();
  ends_of<std::int64_t>();
  ends_of<std::uint64_t>();
}
TEST(numbers, floating_values) {
  double const inf = std::numeric_limits<double>::infinity();
  for (double n : {0.1, -0.0, 0.0, 1e300, -5e-324, inf, -inf, std::nan(""), 16777217.0}) {
    fits<double>(n);
    fits<float>(n);
  }
  fits<double>((1LL << 53) - 1);
  fits<double>(~0ULL);
  fits<float>(1LL << 40);
}

constexpr auto tenth = [] { return 0.1; };
constexpr auto minus_zero = [] { return -0.0; };
constexpr auto huge = [] { return 1LL << 40; };
constexpr auto lowest = [] { return std::numeric_limits<long long>::min(); };
constexpr auto all_ones = [] { return ~0ULL; };
constexpr auto odd = [] { return 16777217; };
TEST(numbers, literals) {
  literal_fits<tenth, double>();
  literal_fits<tenth, float>();
  literal_fits<minus_zero, float>();
  literal_fits<huge, std::int64_t>();
  literal_fits<huge, std::uint64_t>();
  literal_fits<lowest, std::int64_t>();
  literal_fits<all_ones, std::uint64_t>();
  literal_fits<odd, std::int32_t>();
  literal_fits<odd, double>();
}

#ifndef TESSERA_BY_DAY
TEST(numbers, that_do_not_fit) {
  misfits<std::int8_t>(128, "128");
  misfits<std::int8_t>(-129, "-129");
  misfits<std::uint8_t>(256, "256");
  misfits<std::uint8_t>(-1, "-1");
  misfits<std::int32_t>(1LL << 31, "2147483648");
  misfits<std::int32_t>(~0ULL, "18446744073709551615");
  misfits<std::uint32_t>(1LL << 32, "4294967296");
  misfits<std::int64_t>(1ULL << 63, "9223372036854775808");
  misfits<std::uint64_t>(-1, "-1");
}

// Where no array says otherwise a number is an int32 or a float32.
struct itself {
  constexpr auto operator()(auto n) const { return n; }
};
struct twice {
  constexpr auto operator()(auto n) const { return n + n; }
};
struct cast_to_int64 {
  constexpr auto operator()(auto n) const { return ts::astype<std::int64_t>(n); }
};
struct cast_to_int8 {
  constexpr auto operator()(auto n) const { return ts::astype<std::int8_t>(n); }
};
TEST(numbers, alone) {
  EXPECT_EQ(ts::jit<itself>(7).item(), 7);
  EXPECT_EQ(ts::jit<itself>(0.1).item(), 0.1f);
  EXPECT_EQ(ts::jit<twice>(0.1).item(), 0.2f);
  EXPECT_EQ(
      thrown_by([] { return ts::jit<itself>(1LL << 40); }).find("tessera: number: 1099511627776 does not fit int32"),
      0u);
  EXPECT_EQ(
      thrown_by([] { return ts::jit<twice>(1LL << 40); }).find("tessera: number: 1099511627776 does not fit int32"),
      0u);
  EXPECT_EQ(ts::jit<cast_to_int64>(1LL << 40).item(), 1LL << 40);
  EXPECT_EQ(ts::jit<cast_to_int64>(3e9).item(), 3000000000);
  EXPECT_EQ(ts::jit<cast_to_int8>(300).item(), 44);  // what a user asks for wraps
  EXPECT_EQ(ts::jit<cast_to_int8>(300.0).item(), 127);
}

// Constants are programs of their own: refused where they are run.
TEST(numbers, in_constants) {
  auto const x = zeros_of<double>();
  EXPECT_EQ((x + ts::full<4>(0.1)).to_host()[0], 0.1);
  EXPECT_EQ(ts::asarray(ts::zeros<double, 4>() + 0.1).to_host()[0], 0.1);
  EXPECT_EQ(ts::asarray(ts::full<std::int64_t, 4>(1LL << 40)).to_host()[0], 1LL << 40);
  EXPECT_EQ(ts::asarray(ts::full<std::uint64_t, 4>(~0ULL)).to_host()[0], ~0ULL);
  auto const refused = [](auto const& call) {
    try {
      call();
    } catch (ts::refused_error const& e) {
      EXPECT_EQ(e.why(), ts::reason::number_out_of_range);
      return std::string(e.what());
    }
    return std::string("nothing");
  };
  EXPECT_NE(refused([] { return ts::asarray(ts::zeros<std::int8_t, 4>() + 300); }).find("300 does not fit int8."),
            std::string::npos);
  EXPECT_NE(refused([] { return ts::asarray(ts::full<4>(1LL << 40)); }).find("1099511627776 does not fit int32."),
            std::string::npos);
  EXPECT_NE(
      refused([&] { return zeros_of<std::int32_t>() + ts::full<std::int32_t, 4>(3e10); }).find("does not fit int32."),
      std::string::npos);
}

// The gradient by a number, and of a function that reads one.
struct loss {
  constexpr auto operator()(auto n, auto x) const { return ts::sum(x * n * n); }
};
TEST(numbers, in_gradients) {
  auto const x =
      ts::device_put<ts::P<>>(ts::host<4>(std::vector<double>{1, 2, 3, 4}), ts::make_mesh<grid>(ts::devices()));
  EXPECT_EQ(ts::grad<1>(loss{})(0.1, x).to_host()[0], 0.1 * 0.1);
  EXPECT_EQ(ts::grad<0>(loss{})(0.1, x).item(), static_cast<float>(2 * 0.1 * 10));
}

// Numbers that go through regions, maps, trees and loops.
struct batch : ts::axis {};
struct mapped {
  constexpr auto operator()(auto x, auto n) const {
    return ts::shard_map<ts::in_specs<ts::P<dp>, ts::P<>>, ts::out_specs<ts::P<dp>>>(
        [](auto b, auto m) { return b * m; })(x, n);
  }
};
struct named {
  constexpr auto operator()(auto x, auto n) const {
    return ts::vmap<ts::in_axes<0, ts::unmapped>, ts::axis_names<batch>>([](auto e, auto m) { return e * m; })(x, n);
  }
};
struct tree {
  constexpr auto operator()(auto p) const { return std::get<0>(p) * std::get<1>(p); }
};
struct scaled_sum {
  constexpr auto operator()(auto x, auto n) const { return ts::sum(x * n); }
};
struct gradded {
  constexpr auto operator()(auto x, auto n) const { return ts::value_and_grad(scaled_sum{})(x, n); }
};
struct each_scaled {
  constexpr auto operator()(auto x, auto n) const {
    return ts::map([&](auto e) { return e * n; }, x);
  }
};
struct until {
  constexpr auto operator()(auto x, auto n) const {
    return std::get<0>(ts::while_loop([](auto c) { return std::get<1>(c) < 1; },
                                      [&](auto c) {
                                        return std::tuple{std::get<0>(c) * n, std::get<1>(c) + 1};
                                      },
                                      std::tuple{x, 0}));
  }
};
struct begins {
  constexpr auto operator()(auto x, auto n) const {
    return std::get<0>(ts::scan([](auto c, auto e) { return std::tuple{c * e, std::tuple{}}; }, n, x));
  }
};
TEST(numbers, through_transforms) {
  auto const x = put<ts::P<dp>, 4>(std::vector<double>{1, 1, 1, 1});
  auto const w = put<ts::P<>, 4>(std::vector<double>{1, 1, 1, 1});
  EXPECT_EQ(ts::jit<mapped>(x, 0.1).to_host()[2], 0.1);
  EXPECT_EQ(ts::jit<named>(w, 0.1).to_host()[2], 0.1);
  EXPECT_EQ(ts::jit<tree>(std::tuple{w, 0.1}).to_host()[2], 0.1);
  EXPECT_EQ(std::get<0>(ts::jit<gradded>(w, 0.1)).item(), 0.4);
  EXPECT_EQ(std::get<1>(ts::jit<gradded>(w, 0.1)).to_host()[1], 0.1);
  EXPECT_EQ(ts::jit<each_scaled>(w, 0.1).to_host()[1], 0.1);
  EXPECT_EQ(ts::jit<until>(w, 0.1).to_host()[1], 0.1);
  EXPECT_EQ(ts::jit<begins>(w, 0.1).item(), 0.1);
  auto const region =
      ts::shard_map<ts::in_specs<ts::P<dp>, ts::P<>>, ts::out_specs<ts::P<dp>>>([](auto b, auto m) { return b * m; });
  EXPECT_EQ(region(x, 0.1).to_host()[2], 0.1);
  auto const each = ts::vmap<ts::in_axes<0, ts::unmapped>>([](auto e, auto m) { return e * m; });
  EXPECT_EQ(each(w, 0.1).to_host()[2], 0.1);
  EXPECT_EQ(ts::matmul(w, ts::full<4>(0.1)).item(), 0.4);
  EXPECT_EQ((w + ts::ones<double, 4>() * 0.1).to_host()[0], 1.1);
}
#endif

}  // namespace
