// SPDX-License-Identifier: Apache-2.0
// Loops and branches that begin with constants and read nothing around them: programs of their own, whose results are
// constants. Element types are those of JAX 0.10.2.

#include "support/on_grid.hpp"

#include <tuple>
#include <vector>

namespace {

using namespace on_grid;

template <class X>
constexpr std::string_view text = ts::type_text<std::remove_cvref_t<X>>;

// 1 + 0 + 1 + ... + 4.
constexpr auto eleven = [] {
  return ts::fori_loop(
      0, 5, [](auto i, auto v) { return v + i; }, 1.0f);
};

TEST(loop_of_constants, is_a_constant) {
  auto const sum = eleven();
  static_assert(text<decltype(sum)> == "~float32[]");
  EXPECT_EQ(ts::asarray(sum).item(), 11);
  auto const more = ts::fori_loop(
      0, 3, [](auto, auto v) { return v * 2 + 1; }, ts::arange<4>());
  static_assert(text<decltype(more)> == "int32[4]");
  expect(ts::asarray(more), {7, 15, 23, 31});
  expect(ts::asarray(more * sum + ts::ones<float, 4>()), {78, 166, 254, 342});
  auto const x = put<ts::P<dp>, 8>(counted(8));
  expect(x * sum, counted(8, 11));
}

TEST(loop_of_constants, takes_and_gives_trees) {
  auto const [pair, all] = ts::scan<10>(
      [](auto state) {
        auto const& [a, b] = state;
        return std::tuple{std::tuple{b, a + b}, a};
      },
      std::tuple{1, 1});
  EXPECT_EQ(ts::asarray(std::get<0>(pair)).item(), 89);
  EXPECT_EQ(ts::asarray(std::get<1>(pair)).item(), 144);
  expect(ts::asarray(all), {1, 1, 2, 3, 5, 8, 13, 21, 34, 55});
  auto const [last, sums] = ts::scan(
      [](auto sum, auto x) {
        return std::tuple{sum + x, sum * 2};
      },
      0.0f, ts::arange<float, 4>(), ts::reversed);
  static_assert(text<decltype(last)> == "float32[]");
  EXPECT_EQ(ts::asarray(last).item(), 6);
  expect(ts::asarray(sums), {12, 10, 6, 0});
}

// A number takes the element type that the body gives back; the result is weak where it began so and came back so.
TEST(loop_of_constants, element_types) {
  constexpr auto of = [](auto const& body, auto begin) { return ts::fori_loop(0, 5, body, begin); };
  auto const whole = of([](auto i, auto v) { return v + i; }, 0);
  static_assert(text<decltype(whole)> == "~int32[]");
  EXPECT_EQ(ts::asarray(whole).item(), 10);
  auto const half = of([](auto, auto v) { return v + 0.5f; }, 0);
  static_assert(text<decltype(half)> == "float32[]");
  EXPECT_EQ(ts::asarray(half).item(), 2.5f);
  auto const strong = of([](auto, auto v) { return v + ts::full<float>(0.5f); }, 0);
  static_assert(text<decltype(strong)> == "float32[]");
  auto const narrow = of([](auto, auto v) { return v * ts::ones<ts::bfloat16>(); }, 1.0f);
  static_assert(text<decltype(narrow)> == "bfloat16[]");
  auto const doubled = ts::while_loop([](auto v) { return v < 10; }, [](auto v) { return v * 2; }, 1.0f);
  static_assert(text<decltype(doubled)> == "~float32[]");
  EXPECT_EQ(ts::asarray(doubled).item(), 16);
}

constexpr auto up = [](auto x) { return x + 1; };
constexpr auto down = [](auto x) { return x - 1; };

TEST(loop_of_constants, branches) {
  auto const chosen = ts::cond(
      ts::full<int>(3) > 2, [] { return ts::arange<3>(); }, [] { return ts::zeros<int, 3>(); });
  expect(ts::asarray(chosen), {0, 1, 2});
  auto const other = ts::switch_(eleven() > 100, std::tuple{up, down}, ts::full<float>(4));
  EXPECT_EQ(ts::asarray(other).item(), 5);
}

#ifndef TESSERA_BY_DAY
// In a program each loop stands once, however often and by whichever of its results it is used.
struct scaled {
  constexpr auto operator()(auto x) const {
    auto const sum = eleven();
    auto const [pair, all] = ts::scan<3>(
        [](auto s) {
          return std::tuple{std::tuple{std::get<1>(s) * 2, std::get<0>(s) + 1}, std::get<0>(s)};
        },
        std::tuple{1.0, 2.0});
    auto const& [a, b] = pair;
    return x * sum + sum * 2 + a * b + ts::sum(all) + sum / sum;
  }
};
template <class F, class... X>
constexpr int loops_in = [] {
  int count = 0;
  for (ts::node const& n : ts::trace_of<F, X...>::program.nodes) count += n.op->kind == ts::op_class::loop;
  return count;
}();
TEST(loop_of_constants, stands_once_in_a_program) {
  auto const x = put<ts::P<dp>, 8>(counted(8));
  static_assert(loops_in<scaled, ts::signature_of<decltype(x)>> == 2);
  auto want = counted(8, 11);  // (1, 2), (4, 2), (4, 5), (10, 5)
  for (double& v : want) v += 22 + 50 + 9 + 1;
  expect(ts::jit(scaled{})(x), want);
}

// What one loop of constants gives is read by others, in whose bodies it is computed no more than once.
struct read_by_others {
  constexpr auto operator()(auto x) const {
    auto const sum = eleven();
    auto const twice = ts::fori_loop(
        0, 2, [&](auto, auto v) { return v + sum; }, 0.0f);
    auto const inner = ts::fori_loop(
        0, 3,
        [](auto i, auto v) {
          return v + ts::fori_loop(
                         0, 2, [](auto j, auto w) { return w + j; }, 1) *
                         i;
        },
        0);
    return ts::fori_loop(
        0, 2, [&](auto, auto v) { return v + twice * inner; }, x);
  }
};
TEST(loop_of_constants, in_other_loops) {
  auto const x = put<ts::P<dp>, 8>(counted(8));
  auto want = counted(8);
  for (double& v : want) v += 2 * 22 * 6;
  expect(ts::jit(read_by_others{})(x), want);
}

TEST(loop_of_constants, with_gradients) {
  auto const x = put<ts::P<dp>, 8>(counted(8));
  auto const g = ts::jit(ts::grad([](auto v) { return ts::sum(v * v * eleven()); }))(x);
  expect(g, counted(8, 22));
  // By a value that a loop around constants reads.
  auto const power = ts::jit(ts::grad([](auto v) {
    return ts::sum(ts::fori_loop(
        0, 3, [&](auto, auto p) { return p * v; }, ts::ones<double, 8>(ts::out_sharding<ts::P<dp>, grid>)));
  }))(x);
  auto want = counted(8);
  for (double& v : want) v = 3 * v * v;
  expect(power, want);
}

TEST(loop_of_constants, under_vmap) {
  auto const x = put<ts::P<ts::none, dp>, 3, 8>(counted(24));
  auto const y = ts::jit(ts::vmap([](auto row) {
    auto const sum = eleven();
    return std::tuple{row * sum, sum};
  }))(x);
  expect(std::get<0>(y), counted(24, 11));
  expect(std::get<1>(y), {11, 11, 11});
}

// Inside shard_map they begin the same on all devices, and ask where they are as any code there.
TEST(loop_of_constants, inside_shard_map) {
  auto const x = put<ts::P<dp>, 8>(counted(8));
  auto const same = ts::jit(ts::shard_map<ts::out_specs<ts::P<dp>>>([](auto block) {
    auto const grown = ts::fori_loop(
        0, 3, [](auto, auto v) { return ts::psum<dp>(v) + 1; }, ts::zeros<double, 2>());
    static_assert(ts::is_unplaced<std::remove_cvref_t<decltype(grown)>>);
    auto const plain = ts::fori_loop(
        0, 3, [](auto i, auto v) { return v + i; }, ts::zeros<double, 2>());
    return block + grown + plain;
  }))(x);
  auto want = counted(8);
  for (double& v : want) v += 21 + 3;
  expect(same, want);

  auto const moved = ts::jit(ts::shard_map<ts::out_specs<ts::P<dp>>>([](auto) {
    return ts::fori_loop(
        0, 5, [](auto, auto v) { return ts::ppermute<dp>(v, ts::rotate<1>) + 10; },
        ts::axis_index<dp>() * ts::ones<int, 2>());
  }))(x);
  expect(moved, {53, 53, 50, 50, 51, 51, 52, 52});

  auto const alone = ts::jit(ts::shard_map<ts::out_specs<ts::P<ts::none, dp>, ts::P<>>>([](auto) {
    auto const [last, all] = ts::scan<3>(
        [](auto v) {
          auto const next = ts::psum<dp>(v) * 0 + v + ts::axis_index<dp>() + 1;
          return std::tuple{next, next};
        },
        ts::pvary<dp>(ts::zeros<int, 1>()));
    return std::tuple{all, ts::psum<dp>(ts::sum(last))};
  }))(x);
  static_assert(text<decltype(std::get<0>(alone))> == "int32[3,4@dp]");
  expect(std::get<0>(alone), {1, 2, 3, 4, 2, 4, 6, 8, 3, 6, 9, 12});
  expect(std::get<1>(alone), {30});

  auto const first = ts::jit(ts::shard_map<ts::out_specs<ts::P<dp>>>([](auto block) {
    return block +
           ts::while_loop([](auto v) { return v < 8; }, [](auto v) { return v * 2 + 1; }, ts::axis_index<dp>()) +
           ts::cond(
               ts::axis_index<dp>() == 0, [] { return 100; }, [] { return 0; });
  }))(x);
  expect(first, {115, 116, 17, 18, 15, 16, 21, 22});
}

// With check_vma<false> and under vmap's names, a constant may become each device's own.
TEST(loop_of_constants, where_types_do_not_say_what_varies) {
  auto const x = put<ts::P<dp>, 8>(counted(8));
  auto const sums = ts::jit(ts::shard_map<ts::out_specs<ts::P<dp>>, ts::check_vma<false>>([](auto block) {
    auto const two = ts::fori_loop(
        0, 3,
        [&](auto, auto v) {
          return std::tuple{std::get<1>(v), std::get<1>(v) + block};
        },
        std::tuple{ts::zeros<double, 2>(), ts::zeros<double, 2>()});
    auto const counted =
        ts::while_loop([](auto s) { return std::get<0>(s) < 2; },
                       [&](auto s) {
                         return std::tuple{std::get<0>(s) + 1, ts::ppermute<dp>(std::get<1>(s) + block, ts::rotate<1>)};
                       },
                       std::tuple{0, ts::zeros<double, 2>()});
    return std::get<0>(two) + std::get<1>(two) * 10 + std::get<1>(counted) * 100;
  }))(x);
  std::vector<double> want;
  for (int i = 0; i < 8; ++i) want.push_back(32 * i + 100 * ((i + 4) % 8 + (i + 6) % 8));
  expect(sums, want);
}

// What is wrong is said as it is of any other loop.
struct varies_later {
  constexpr auto operator()(auto x) const {
    return ts::shard_map<ts::out_specs<ts::P<dp>>>([](auto) {
      return ts::fori_loop(
          0, 3, [](auto, auto v) { return ts::ppermute<dp>(v, ts::rotate<1>); }, ts::zeros<float, 2>());
    })(x);
  }
};
struct scans_a_scalar {
  constexpr auto operator()(auto x) const {
    return x + std::get<0>(ts::scan([](auto v, auto) { return std::tuple{v, v}; }, 0.0f, 1.0f));
  }
};
TEST(loop_of_constants, refusals) {
  using x = ts::signature_of<decltype(put<ts::P<dp>, 8>(0))>;
  EXPECT_NE((ts::why_text<varies_later, x>().find(
                "scan: the loop's body returns a carried value of another type than it began with.\n  operands: "
                "float32[2], float32[2]{V:dp}")),
            std::string::npos);
  EXPECT_NE((ts::why_text<varies_later, x>().find("pvary<dp>(init)")), std::string::npos);
  EXPECT_NE((ts::why_text<varies_later, x>().find("constants_test.cpp:")), std::string::npos);
  EXPECT_NE((ts::why_text<scans_a_scalar, x>().find("scan")), std::string::npos);
}
#endif

}  // namespace
