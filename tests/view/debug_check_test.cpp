// SPDX-License-Identifier: Apache-2.0
// debug_check throws with its text, line and device; debug_callback is given what the program has, in order.

#include "support/on_grid.hpp"
#include "support/throws.hpp"

namespace {

using namespace on_grid;
using ts::P;

template <class F>
std::string thrown_by(F const& f) {
  return ts::testing::thrown_text<ts::check_failed>(f);
}
std::string here(std::string const& name) { return ts::testing::marked_line(__FILE__, name); }
auto rows(std::vector<double> const& v) { return put<P<dp>, 4>(v); }

struct rooted {
  constexpr auto operator()(auto x) const {
    ts::debug_check<"the least is {}, of {:type}">(x >= 0.0, ts::min(x), x);  // at rooted
    return ts::sqrt(x);
  }
};

TEST(debug_check, throws_its_text) {
  expect(ts::jit<rooted>(rows({1, 4, 9, 16})), {1, 2, 3, 4});
  EXPECT_EQ(thrown_by([] {
              (void)ts::jit<rooted>(rows({1, -4, 9, 16}));
            }),
            "tessera: a check failed, " + here("rooted") + ": the least is -4.0, of float64[4@dp]");
  EXPECT_EQ(thrown_by([] {
              ts::debug_check<"sum {}">(ts::sum(rows({1, 2, 3, 4})) < 10.0, ts::sum(rows({1, 2, 3, 4})));
            }).substr(0, 23),
            "tessera: a check failed");
  EXPECT_EQ(thrown_by([] { ts::debug_check<"never">(rows({1, 2, 3, 4}) > 0.0); }), "");
}

// In gradients, loops, branches, vmap.
TEST(debug_check, goes_where_programs_go) {
  auto const slope = ts::grad([](auto x) { return ts::sum(rooted{}(x)); });
  expect(slope(rows({1, 4, 16, 64})), {0.5, 0.25, 0.125, 0.0625});
  EXPECT_NE(thrown_by([&] { (void)slope(rows({1, -4, 9, 16})); }), "");
  auto const looped = [](auto x) {
    return ts::fori_loop(
        0, 4,
        [](auto i, auto v) {
          ts::debug_check<"turn {}">(v < 100.0, i);
          return v * v;
        },
        x);
  };
  EXPECT_EQ(thrown_by([&] { (void)ts::jit(looped)(rows({1, 1, 1, 1})); }), "");
  std::string const text = thrown_by([&] { (void)ts::jit(looped)(rows({1, 4, 1, 1})); });
  EXPECT_NE(text.find(": turn 2"), std::string::npos) << text;
  auto const mapped = ts::vmap([](auto x) {
    ts::debug_check<"{}">(x < 3.0, x);
    return x;
  });
  std::string const one = thrown_by([&] { (void)ts::jit(decltype(mapped){})(rows({1, 2, 3, 4})); });
  EXPECT_NE(one.find(": 3.0"), std::string::npos) << one;
}

TEST(debug_check, names_the_device) {
  auto const blocks = [](auto x) {
    return ts::shard_map<ts::in_specs<P<dp>>, ts::out_specs<P<dp>>>([](auto block) {
      ts::debug_check<"has {}">(block < 3.0, block);
      return block;
    })(x);
  };
  std::string const text = thrown_by([&] { (void)ts::jit(blocks)(rows({1, 2, 3, 4})); });
  EXPECT_NE(text.find("mesh coordinates (dp, mp) = (2, 0):\nhas [3.]"), std::string::npos) << text;
}

struct seen {
  std::vector<double> values;
  ts::extents_list shape{};
};
std::vector<seen> calls;
constexpr auto keep = [](auto const& x) {
  seen one;
  one.values.assign(x.begin(), x.end());
  one.shape = x.shape();
  calls.push_back(one);
};

TEST(debug_callback, is_given_whole_values) {
  calls.clear();
  auto const twice = [](auto x) {
    ts::debug_callback(keep, x);
    auto const y = x * 2.0;
    ts::debug_callback(
        [](auto a, auto b) {
          static_assert(std::is_same_v<typename decltype(a)::value_type, double> &&
                        std::is_same_v<typename decltype(b)::value_type, bool>);
          calls.push_back({{a[0], a[5], b[0] ? 1.0 : 0.0, b[5] ? 1.0 : 0.0}});
        },
        y, y > 1.0);
    return y;
  };
  (void)ts::jit(twice)(put<P<dp, mp>, 4, 2>(counted(8)));
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[0].values, counted(8));
  EXPECT_EQ(calls[0].shape, (ts::extents_list{4, 2}));
  EXPECT_EQ(calls[1].values, (std::vector<double>{0, 10, 0, 1}));
  calls.clear();
  ts::debug_callback(keep, rows({1, 2, 3, 4}));
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0].values, (std::vector<double>{1, 2, 3, 4}));
}

TEST(debug_callback, once_a_device_and_a_turn) {
  calls.clear();
  auto const blocks = [](auto x) {
    return ts::shard_map<ts::in_specs<P<dp>>, ts::out_specs<P<dp>>, ts::axis_names<dp>>([](auto block) {
      return ts::fori_loop(
          0, 2,
          [](auto, auto v) {
            ts::debug_callback(keep, v);
            return v + 10.0;
          },
          block);
    })(x);
  };
  (void)ts::jit(blocks)(rows({1, 2, 3, 4}));
  ASSERT_EQ(calls.size(), 8u);
  for (std::size_t i = 0; i < 8; ++i)
    EXPECT_EQ(calls[i].values, (std::vector<double>{static_cast<double>(i % 4 + 1) + (i < 4 ? 0 : 10)})) << i;
}

TEST(debug_callback, what_it_throws_leaves_the_call) {
  auto const stops = [](auto x) {
    ts::debug_callback(
        [](auto v) {
          if (v[0] > 0) throw std::domain_error("stop");
        },
        x);
    return x + 1.0;
  };
  EXPECT_THROW((void)ts::jit(stops)(rows({1, 2, 3, 4})), std::domain_error);
  expect(ts::jit(stops)(rows({0, 2, 3, 4})), {1, 3, 4, 5});
}

}  // namespace
