// SPDX-License-Identifier: Apache-2.0
// x.at(...) with numbers, spans and arrays: get, set, add, multiply, min and max, over layouts.

#include "support/op_case.hpp"

namespace {

using namespace op_case;
using oracle::ints;
using oracle::tensor;

std::int64_t place(double i, std::int64_t n) {
  return static_cast<std::int64_t>(i < 0 ? i + static_cast<double>(n) : i);
}

// Rows of x at i, clamped.
tensor rows_at(tensor const& x, tensor const& i) {
  ints extents = i.extents;
  extents.push_back(x.extents[1]);
  return oracle::generate(extents, [&](ints at) {
    auto const column = at.back();
    at.pop_back();
    auto const row = std::max<std::int64_t>(0, std::min(place(i[at], x.extents[0]), x.extents[0] - 1));
    return x[{row, column}];
  });
}
// x with f(old, update's flat number) at rows i, in order; those outside dropped.
tensor rows_changed(tensor x, tensor const& i, auto f) {
  for (std::size_t k = 0; k < i.data.size(); ++k) {
    auto const row = place(i.data[k], x.extents[0]);
    if (row < 0 || row >= x.extents[0]) continue;
    for (std::int64_t c = 0; c < x.extents[1]; ++c) x[{row, c}] = f(x[{row, c}], static_cast<double>(k), c);
  }
  return x;
}

struct picks {
  static constexpr auto rows = std::tuple{
      row{"rows", [](auto x, auto i) { return x.at(i).get(); }, rows_at},
      row{"one row", [](auto x, auto) { return x.at(-3).get(); },
          [](tensor const& x, tensor const&) {
            return oracle::squeeze(oracle::slice(x, {5, 0}, {6, 4}), 0);
          }},
      row{"a late row", [](auto x, auto i) { return x.at(ts::max(i)).get(); },
          [](tensor const& x, tensor const& i) { return rows_at(x, oracle::max(i)); }},
      row{"every second, turned", [](auto x, auto) { return x.at(ts::span<6, ts::to_end, -2>(), ts::newaxis).get(); },
          [](tensor const& x, tensor const&) {
            return oracle::expand_dims(oracle::flip(oracle::slice(x, {0, 0}, {7, 4}, {2, 1}), {0}), 1);
          }},
      row{"of an expanded", [](auto x, auto i) { return ts::expand_dims<0>(x).at(0, i, ts::ellipsis).get(); },
          rows_at}};
};
struct whole_picks {
  static constexpr auto rows =
      std::tuple{row{"columns", [](auto x, auto i) { return x.at(ts::every, ts::remainder(i, 4)).get(); },
                     [](tensor const& x, tensor const& i) {
                       return oracle::transpose(rows_at(oracle::transpose(x), oracle::remainder(i, 4)), {2, 0, 1});
                     }},
                 row{"points", [](auto x, auto i) { return x.at(i, ts::remainder(i, 4)).get(); },
                     [](tensor const& x, tensor const& i) {
                       return oracle::generate(i.extents, [&](ints const& at) {
                         auto const r = std::max<std::int64_t>(0, std::min<std::int64_t>(place(i[at], 8), 7));
                         return x[{r, static_cast<std::int64_t>(oracle::remainder(i, 4)[at])}];
                       });
                     }},
                 row{"a part of rows", [](auto x, auto i) { return x.at(i, ts::span<1, 3>()).get(); },
                     [](tensor const& x, tensor const& i) {
                       return rows_at(oracle::slice(x, {0, 1}, {8, 3}), i);
                     }}};
};
struct updates {
  static constexpr auto rows = std::tuple{
      row{"set", [](auto x, auto i) { return x.at(i).set(ts::astype<float>(ts::expand_dims<-1>(i))); },
          [](tensor const& x, tensor const& i) {
            return rows_changed(x, i, [&](double, double k, auto) { return i.data[k]; });
          }},
      row{"add", [](auto x, auto i) { return x.at(i).add(1.5); },
          [](tensor const& x, tensor const& i) {
            return rows_changed(x, i, [](double old, double, auto) { return old + 1.5; });
          }},
      row{"multiply", [](auto x, auto i) { return x.at(i).multiply(2); },
          [](tensor const& x, tensor const& i) {
            return rows_changed(x, i, [](double old, double, auto) { return old * 2; });
          }},
      row{"min", [](auto x, auto i) { return x.at(i).min(0.25); },
          [](tensor const& x, tensor const& i) {
            return rows_changed(x, i, [](double old, double, auto) { return std::min(old, 0.25); });
          }},
      row{"max", [](auto x, auto i) { return x.at(i).max(ts::sum<0>(x)); },
          [](tensor const& x, tensor const& i) {
            auto const s = oracle::sum(x, {0});
            return rows_changed(x, i, [&](double old, double, auto c) { return std::max(old, s[{c}]); });
          }},
      row{"set a part", [](auto x, auto) { return x.at(ts::span<2, 5>()).set(x.at(ts::span<0, 3>()).get()); },
          [](tensor const& x, tensor const&) {
            return oracle::update_slice(x, oracle::slice(x, {0, 0}, {3, 4}), {2, 0});
          }},
      row{"add to a row", [](auto x, auto) { return x.at(-1, ts::newaxis).add(7.0); },
          [](tensor const& x, tensor const&) {
            return rows_changed(x, tensor(7.0), [](double old, double, auto) { return old + 7; });
          }}};
};
struct dropped {
  static constexpr auto rows = std::tuple{
      row{"beyond", [](auto x, auto) { return x.at(8).add(7.0); }, [](tensor const& x, tensor const&) { return x; }},
      row{"a late one", [](auto x, auto i) { return x.at(ts::sum(i)).set(7.0); },
          [](tensor const& x, tensor const&) { return x; }}};
};
struct asked {
  static constexpr auto rows = std::tuple{
      row{"get", [](auto x, auto i) { return x.at(i).get(ts::out_sharding<P<none, dp, mp>>); }, rows_at},
      row{"get a part", [](auto x, auto) { return x.at(ts::span<0, 3>()).get(ts::out_sharding<P<none, mp>>); },
          [](tensor const& x, tensor const&) {
            return oracle::slice(x, {0, 0}, {3, 4});
          }},
      row{"get with a new dimension",
          [](auto x, auto i) { return x.at(i, ts::newaxis).get(ts::out_sharding<P<none, none, none, mp>>); },
          [](tensor const& x, tensor const& i) { return oracle::expand_dims(rows_at(x, i), 2); }},
      row{"add", [](auto x, auto i) { return x.at(i).add(1.5, ts::out_sharding<P<dp, mp>>); },
          [](tensor const& x, tensor const& i) {
            return rows_changed(x, i, [](double old, double, auto) { return old + 1.5; });
          }},
      row{"set a part", [](auto x, auto) { return x.at(ts::span<2, 5>()).set(0, ts::out_sharding<P<mp>>); },
          [](tensor const& x, tensor const&) {
            return oracle::update_slice(x, oracle::zeros({3, 4}), {2, 0});
          }}};
};

using matrix = dense<float, 8, 4>;
matrix const values(-1, 1);
dense<std::int32_t, 2, 4> const places(tensor({2, 4}, {0, -1, 7, 3, 3, -8, 5, 2}));
dense<std::int32_t, 2, 4> const beyond(tensor({2, 4}, {0, -9, 8, 3, 3, -8, 100, 2}));

TEST(at, gets) {
  check<picks, on<grid, P<none, mp>, P<>>, jitted>(values, places);
  check<picks, on<cube, P<none, axes<b, a>>, P<>>, interpreted>(values, beyond);
  check<whole_picks, on<grid, P<>, P<>>, interpreted>(values, places);
}

TEST(at, updates) {
  check<updates, on<grid, P<none, mp>, P<>>, jitted>(values, places);
  check<updates, on<cube, P<none, axes<b, a>>, P<>>, interpreted>(values, beyond);
  check<updates, nowhere, interpreted>(dense<ts::float16, 8, 4>(-1, 1), beyond);
}

TEST(at, drops_what_is_beyond) { check<dropped, on<grid, P<none, mp>, P<>>, interpreted>(values, beyond); }

#ifndef TESSERA_BY_DAY
// What int32 cannot hold is outside like any other: as JAX 0.10.2 with 64 bits has it for these.
TEST(at, numbers_beyond_int32) {
  auto const x = ts::asarray({3.f, 5.f, 7.f});
  auto const is = [](auto const& y, std::vector<float> const& want) {
    auto const got = y.to_host();
    EXPECT_TRUE(std::equal(got.begin(), got.end(), want.begin(), want.end()));
  };
  for (std::int64_t i : {3000000000, -3000000000}) {
    is(x.at(i).get(ts::mode::clip), {i > 0 ? 7.f : 3.f});
    EXPECT_TRUE(std::isnan(x.at(i).get(ts::mode::fill).item()));
    is(x.at(i).set(4.f, ts::mode::drop), {3, 5, 7});
    is(x.at(i).add(4.f, ts::mode::clip), {i > 0 ? 3.f : 7.f, 5, i > 0 ? 11.f : 7.f});
  }
  auto const [last, none, first] = ts::jit([](auto y) {
    return std::tuple{y.at(3000000000u).get(ts::mode::clip), y.at(-3000000000).get(ts::mode::fill),
                      y.at(-3000000000).multiply(2.f, ts::mode::clip)};
  })(x);
  EXPECT_EQ(last.item(), 7);
  EXPECT_TRUE(std::isnan(none.item()));
  is(first, {6, 5, 7});
}

// As in JAX 0.10.2, where no mode minds.
TEST(at, writes_into_no_elements) {
  auto const none = ts::asarray(ts::zeros<float, 0>());
  auto const rows = ts::asarray(ts::zeros<float, 0, 3>());
  auto const i = ts::asarray({0, -1});
  EXPECT_EQ(none.at(i).set(4.f).size(), 0);
  EXPECT_EQ(none.at(i).add(4.f, ts::mode::clip).size(), 0);
  EXPECT_EQ(rows.at(i).max(4.f, ts::mode::drop).shape(), (ts::extents_list{0, 3}));
  auto const late = ts::jit([](auto x, auto at) { return x.at(at).multiply(2.f, ts::mode::fill); })(none, i);
  EXPECT_EQ(late.size(), 0);
}

TEST(at, to_a_layout) {
  check<asked, on<grid, P<dp, mp>, P<none, dp>>, jitted>(values, places);
  check<asked, on<grid, P<mp>, P<mp>>, interpreted>(values, beyond);
}

TEST(at, on_arrays) {
  check<picks, on<grid, P<none, mp>, P<>>, eagerly>(values, places);
  check<updates, on<grid, P<none, mp>, P<>>, eagerly>(values, places);
}

// Many rows over several threads, each place several times.
TEST(scatter, adds_many) {
  std::vector<float> const table(512 * 64, 1);
  std::vector<std::int32_t> where(4096);
  for (std::size_t k = 0; k < where.size(); ++k) where[k] = static_cast<std::int32_t>(k * 7919 % 500);
  auto const x = ts::device_put(ts::host<512, 64>(table));
  auto const i = ts::device_put(ts::host<4096>(where));
  auto const y = x.at(i).add(1.0f).to_host();
  std::vector<int> count(512, 1);
  for (auto r : where) ++count[r];
  for (std::size_t r = 0; r < 512; ++r)
    for (std::size_t c = 0; c < 64; ++c) ASSERT_EQ(y[r * 64 + c], static_cast<float>(count[r])) << r << " " << c;
}
#endif

}  // namespace
