// SPDX-License-Identifier: Apache-2.0
// scan, map and fori_loop: values against plain loops over whole arrays, types, what is sent and what is computed.

#include <tessera/engine/exec/move/in_process.hpp>

#include "support/on_grid.hpp"

#include <cmath>
#include <tuple>
#include <vector>

namespace {

using namespace on_grid;

// Running sums of six rows of eight, and twice each of them.
constexpr auto running = [](auto x) {
  return ts::scan(
      [](auto sum, auto row) {
        auto const next = sum + row;
        return std::tuple{next, 2 * next};
      },
      ts::zeros_like(ts::sum<0>(x)), x);
};
constexpr auto running_back = [](auto x) {
  return ts::scan(
      [](auto sum, auto row) {
        return std::tuple{sum + row, sum};
      },
      ts::zeros_like(ts::sum<0>(x)), x, ts::reversed);
};

template <class S>
void sums_of_rows() {
  auto const x = put<S, 6, 8>(0.5);
  auto const rows = wave(48, 0.5);
  std::vector<double> sum(8), twice, back(8), before(48);
  for (std::size_t r = 0; r < 6; ++r)
    for (std::size_t c = 0; c < 8; ++c) twice.push_back(2 * (sum[c] += rows[r * 8 + c]));
  for (std::size_t r = 6; r-- > 0;)
    for (std::size_t c = 0; c < 8; ++c) {
      before[r * 8 + c] = back[c];
      back[c] += rows[r * 8 + c];
    }
  auto const [last, all] = ts::jit(running)(x);
  expect(last, sum);
  expect(all, twice);
  auto const [first, earlier] = ts::jit(running_back)(x);
  expect(first, back);
  expect(earlier, before);
}

TEST(scan, running_sums) {
  sums_of_rows<ts::P<>>();
  sums_of_rows<ts::P<ts::none, dp>>();
  sums_of_rows<ts::P<ts::none, ts::axes<dp, mp>>>();
  auto const x = put<ts::P<ts::none, dp>, 6, 8>(0.5);
  auto const [last, all] = ts::jit(running)(x);
  static_assert(ts::type_text<decltype(last)> == "float64[8@dp]");
  static_assert(ts::type_text<decltype(all)> == "float64[6,8@dp]");
}

TEST(scan, of_one_turn_and_of_none) {
  auto const one = put<ts::P<ts::none, dp>, 1, 8>(0.5);
  auto const [last, all] = ts::jit(running)(one);
  expect(last, wave(8, 0.5));
  auto const x = put<ts::P<dp>, 8>(0.5);
  auto const same = ts::jit([](auto v) {
    return std::get<0>(ts::scan<0>([](auto c) { return std::tuple{c * 2, std::tuple{}}; }, v));
  })(x);
  expect(same, wave(8, 0.5));
}

// A body as JAX's, whose second argument is None.
constexpr auto doubled_five_times = [](auto x) {
  return ts::scan<5>(
      [](auto power, auto nothing) {
        static_assert(std::is_same_v<decltype(nothing), std::tuple<>>);
        return std::tuple{2 * power, power};
      },
      x);
};
TEST(scan, without_slices_takes_nothing_too) {
  auto const check = [](auto const& results) {
    EXPECT_EQ(ts::device_get(std::get<0>(results)), std::vector<float>{96});
    EXPECT_EQ(ts::device_get(std::get<1>(results)), (std::vector<float>{3, 6, 12, 24, 48}));
  };
  check(ts::jit(doubled_five_times)(ts::asarray(3.f)));
  check(doubled_five_times(ts::asarray(3.f)));
}

TEST(scan, called_with_arrays) {
  auto const x = put<ts::P<ts::none, dp>, 6, 8>(0.5);
  auto const zero = put<ts::P<dp>, 8>(0);
  auto const [last, all] = ts::scan([](auto sum, auto row) { return std::tuple{sum + row, sum}; }, zero, x);
  expect(last - ts::sum<0>(x), std::vector<double>(8));
  static_assert(ts::type_text<decltype(all)> == "float64[6,8@dp]");
}

// A recurrent network: the weights are read from outside, the rows of x over dp.
constexpr auto network = [](auto h, auto w, auto x) {
  return ts::scan(
      [&](auto state, auto row) {
        auto const next = ts::tanh(ts::matmul(state, w) + row);
        return std::tuple{next, ts::sum<1>(next)};
      },
      h, x);
};
std::vector<double> network_by_hand(int turns, std::vector<double>& h, std::vector<double> const& w,
                                    std::vector<double> const& x) {
  std::vector<double> sums;
  for (std::size_t t = 0; t < static_cast<std::size_t>(turns); ++t) {
    std::vector<double> next(h.size());
    for (std::size_t i = 0; i < 8; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < 4; ++j) {
        double s = x[(t * 8 + i) * 4 + j];
        for (std::size_t k = 0; k < 4; ++k) s += h[i * 4 + k] * w[k * 4 + j];
        sum += next[i * 4 + j] = std::tanh(s);
      }
      sums.push_back(sum);
    }
    h = next;
  }
  return sums;
}
TEST(scan, reads_what_is_around_it) {
  auto const h = put<ts::P<dp>, 8, 4>(0.2);
  auto const w = put<ts::P<>, 4, 4>(0.4);
  auto const x = put<ts::P<ts::none, dp>, 5, 8, 4>(0.6);
  auto state = wave(32, 0.2);
  auto const sums = network_by_hand(5, state, wave(16, 0.4), wave(160, 0.6));
  auto const [last, all] = ts::jit(network)(h, w, x);
  expect(last, state);
  expect(all, sums);
  static_assert(ts::type_text<decltype(all)> == "float64[5,8@dp]");
}

// Over contracted weights each turn sends: the constant says how often.
constexpr auto split_weights = [](auto h, auto w, auto x) {
  return std::get<0>(ts::scan(
      [&](auto state, auto row) {
        return std::tuple{ts::matmul(state, w, ts::out_sharding<ts::P<dp, mp>>) + row, std::tuple{}};
      },
      h, x));
};
TEST(scan, sends_in_every_turn) {
  auto const h = put<ts::P<dp, mp>, 8, 4>(0.2);
  auto const w = put<ts::P<mp>, 4, 4>(0.4);
  auto const x = put<ts::P<ts::none, dp, mp>, 5, 8, 4>(0.6);
  constexpr auto const& cost = ts::comm_of<decltype(split_weights), decltype(h), decltype(w), decltype(x)>;
  static_assert(cost.count(ts::collective::reduce_scatter) == 5);
  static_assert(cost.bytes() % 5 == 0 && cost.bytes() > 0);
  auto& counted = ts::local_communicator().counted();
  counted.reset();
  ts::jit(split_weights)(h, w, x);
  EXPECT_EQ(counted.calls(), cost.count());
  EXPECT_EQ(counted.bytes(), cost.bytes());
  EXPECT_NE(ts::explain(cost).find("x 5"), std::string::npos);
}

// Trees are carried and stacked; the body is a function of several values.
constexpr auto fibonacci = [](auto a, auto b) {
  return ts::scan<10>(
      [](auto pair) {
        auto const& [x, y] = pair;
        return std::tuple{std::tuple{y, x + y}, std::tuple{x, y * 10}};
      },
      std::tuple{a, b});
};
TEST(scan, trees) {
  auto const one = put<ts::P<>, 1>(0) + 1;
  auto const [last, all] = ts::jit(fibonacci)(one, one);
  EXPECT_EQ(std::get<0>(last).to_host()[0], 89);
  EXPECT_EQ(std::get<1>(last).to_host()[0], 144);
  expect(std::get<0>(all), {1, 1, 2, 3, 5, 8, 13, 21, 34, 55});
  expect(std::get<1>(all), {10, 20, 30, 50, 80, 130, 210, 340, 550, 890});
  static_assert(ts::type_text<decltype(std::get<0>(all))> == "float64[10,1]");
}

#ifndef TESSERA_BY_DAY
// A table of products by a loop in a loop.
constexpr auto products = [](auto x, auto y) {
  return ts::map([&](auto a) { return ts::map([&](auto b) { return a * b; }, y); }, x);
};
TEST(scan, in_a_scan) {
  auto const x = put<ts::P<ts::none, dp>, 3, 8>(0.5);
  auto const y = put<ts::P<ts::none, dp>, 2, 8>(0.9);
  auto const table = ts::jit(products)(x, y);
  static_assert(ts::type_text<decltype(table)> == "float64[3,2,8@dp]");
  auto const a = wave(24, 0.5), b = wave(16, 0.9);
  std::vector<double> want;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 2; ++j)
      for (std::size_t k = 0; k < 8; ++k) want.push_back(a[i * 8 + k] * b[j * 8 + k]);
  expect(table, want);
}

// The same loop twice, once on a result of the other.
constexpr auto twice = [](auto x) {
  auto const once = [](auto v) {
    return std::get<0>(ts::scan<3>([](auto c) { return std::tuple{ts::sin(c) + c, std::tuple{}}; }, v));
  };
  return once(ts::exp(once(x)));
};
TEST(scan, one_after_the_other) {
  auto const x = put<ts::P<dp, mp>, 8, 4>(0.5);
  auto v = wave(32, 0.5);
  for (int part = 0; part < 2; ++part)
    for (double& e : v) {
      for (int turn = 0; turn < 3; ++turn) e += std::sin(e);
      if (part == 0) e = std::exp(e);
    }
  expect(ts::jit(twice)(x), v);
}

constexpr auto powers = [](auto x) {
  return ts::fori_loop(
      2, 6, [](auto i, auto v) { return v * i; }, x);
};
TEST(fori_loop, counts) {
  auto const x = put<ts::P<dp>, 8>(0.5);
  auto want = wave(8, 0.5);
  for (double& v : want) v *= 2 * 3 * 4 * 5;
  expect(ts::jit(powers)(x), want);
}

// Numbers to begin with: a counter stays a number, a sum takes the type of what is added.
constexpr auto counted_sum = [](auto x) {
  return ts::while_loop([](auto state) { return std::get<0>(state) < 4; },
                        [&](auto state) {
                          auto const& [i, total] = state;
                          return std::tuple{i + 1, total + ts::sum(x) * i};
                        },
                        std::tuple{0, 0});
};
TEST(while_loop, begins_with_numbers) {
  auto const x = put<ts::P<dp>, 8>(0.5);
  double sum = 0;
  for (double e : wave(8, 0.5)) sum += e;
  auto const [i, total] = ts::jit(counted_sum)(x);
  EXPECT_EQ(i.item(), 4);
  EXPECT_NEAR(total.item(), 6 * sum, 1e-12);
  static_assert(ts::type_text<decltype(total)> == "float64[]");
}

// Inside shard_map: each device scans its own block, and communicates in each turn.
constexpr auto by_devices = [](auto x) {
  return ts::shard_map<ts::out_specs<ts::P<ts::none, dp>>>([](auto block) {
    auto const rows = ts::reshape<3, 2>(block);
    auto const [last, all] = ts::scan(
        [](auto sum, auto row) {
          auto const next = sum + ts::psum<mp>(row);
          return std::tuple{next, next};
        },
        ts::pvary<dp>(ts::psum<dp, mp>(ts::sum<0>(rows)) * 0), rows);
    return all;
  })(x);
};
TEST(scan, inside_shard_map) {
  auto const x = put<ts::P<ts::none, dp, mp>, 3, 8, 2>(0.5);
  auto const y = ts::jit(by_devices)(x);
  auto const v = wave(48, 0.5);
  std::vector<double> sum(8), want;
  for (std::size_t t = 0; t < 3; ++t)
    for (std::size_t i = 0; i < 8; ++i) want.push_back(sum[i] += v[(t * 8 + i) * 2] + v[(t * 8 + i) * 2 + 1]);
  expect(y, want);
}

using automatic = ts::mesh<ts::auto_axis<dp, 4>, ts::auto_axis<mp, 2>>;
// Over Auto axes, as over Explicit ones: the body of a loop inside the region is inside.
TEST(scan, inside_shard_map_over_auto_axes) {
  auto const x = ts::device_put<ts::P<dp, mp>>(ts::host<8, 2>(counted(16)), ts::make_mesh<automatic>(ts::devices()));
  auto const moved = ts::shard_map<ts::in_specs<ts::P<dp, mp>>, ts::out_specs<ts::P<dp, mp>>>([](auto block) {
    return std::get<0>(ts::scan<2>(
        [](auto v) {
          return std::tuple{ts::ppermute<dp>(v, ts::rotate<1>), std::tuple{}};
        },
        block));
  })(x);
  std::vector<double> want;
  for (int i = 0; i < 16; ++i) want.push_back((i + 8) % 16);
  expect(moved, want);
}

// Sizes that are known only when the program runs.
TEST(scan, of_unknown_length) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  for (std::int64_t const n : {1, 4, 7}) {
    auto const values = wave(static_cast<std::size_t>(n) * 8, 0.5);
    auto const x = ts::device_put<ts::P<ts::none, dp>>(ts::host<ts::dynamic, 8>(values), mesh);
    std::vector<double> sum(8), twice;
    for (std::size_t r = 0; r < static_cast<std::size_t>(n); ++r)
      for (std::size_t c = 0; c < 8; ++c) twice.push_back(2 * (sum[c] += values[r * 8 + c]));
    auto const [last, all] = ts::jit(running)(x);
    expect(last, sum);
    expect(all, twice);
  }
}

// Prefixes of matrix products, for every parity of the number of elements, and of pairs: a linear recurrence.
constexpr auto prefix_products = [](auto x) {
  return ts::associative_scan([](auto a, auto b) { return ts::matmul(b, a); }, x);
};
constexpr auto suffix_sums = [](auto x) {
  return ts::associative_scan<1>([](auto a, auto b) { return a + b; }, x, ts::reversed);
};
constexpr auto recurrence = [](auto factor, auto term) {
  return std::get<1>(ts::associative_scan(
      [](auto first, auto then) {
        auto const& [a, x] = first;
        auto const& [b, y] = then;
        return std::tuple{a * b, b * x + y};
      },
      std::tuple{factor, term}));
};
template <std::int64_t N>
void prefixes() {
  auto const v = wave(N * 4, 0.9);
  std::vector<double> want(v.begin(), v.begin() + 4);
  for (std::size_t k = 1; k < N; ++k)
    for (std::size_t r = 0; r < 2; ++r)
      for (std::size_t c = 0; c < 2; ++c)
        want.push_back(v[4 * k + 2 * r] * want[4 * k - 4 + c] + v[4 * k + 2 * r + 1] * want[4 * k - 2 + c]);
  expect(run<decltype(prefix_products)>(put<ts::P<>, N, 2, 2>(v)), want);
  auto const a = wave(N * 8, 0.4), x = wave(N * 8, 0.8);
  std::vector<double> state(x);
  for (std::size_t k = 8; k < N * 8; ++k) state[k] = a[k] * state[k - 8] + x[k];
  expect(run<decltype(recurrence)>(put<ts::P<ts::none, dp>, N, 8>(a), put<ts::P<ts::none, dp>, N, 8>(x)), state);
}
TEST(associative_scan, prefixes) {
  prefixes<1>();
  prefixes<2>();
  prefixes<3>();
  prefixes<6>();
  prefixes<7>();
  prefixes<13>();
}
TEST(associative_scan, suffixes_along_another_dimension) {
  auto const v = wave(24, 0.5);
  std::vector<double> want(v);
  for (std::size_t r = 0; r < 4; ++r)
    for (std::size_t c = 5; c-- > 0;) want[r * 6 + c] += want[r * 6 + c + 1];
  expect(ts::jit(suffix_sums)(put<ts::P<dp>, 4, 6>(v)), want);
}

struct along_a_third_dimension {
  constexpr auto operator()(auto x) const {
    return ts::associative_scan<2>([](auto a, auto b) { return a + b; }, x, ts::reversed);
  }
};
TEST(associative_scan, of_a_dimension_that_is_not_there) {
  using refused = ts::why<along_a_third_dimension, ts::signature_of<decltype(put<ts::P<dp>, 8, 4>(0))>>;
  static_assert(!std::is_void_v<refused>);
  EXPECT_NE((ts::why_text<along_a_third_dimension, decltype(put<ts::P<dp>, 8, 4>(0))>().find(
                "associative_scan: dimension 2 is named twice or not one of the 2")),
            std::string::npos);
}
#endif

}  // namespace
