// SPDX-License-Identifier: Apache-2.0
// What explain<F, Args...>() says of each message: which operation wants which value in which layout, and from where a
// layout over Auto axes came.

#include <tessera/view/explain_program.hpp>

#include "support/strict_grid.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tuple>

namespace {

using namespace strict_grid;
using W = floats<ts::P<ts::none, mp>, 32, 16>;

void expect_line(std::string const& text, std::string const& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "not there: " << part << "\nin:\n" << text;
}

struct fully_sharded {
  static constexpr auto line = __LINE__ + 1;
  constexpr auto operator()(auto x, auto w) const { return ts::matmul(x, w); }
};
TEST(explain_program, gathers_weights) {
  std::string const text = ts::explain<fully_sharded, X, floats<ts::P<dp>, 32, 16>>({"x", "w"});
  expect_line(text,
              "all_gather over dp, 1536 bytes, explain_program_test.cpp:" + std::to_string(fully_sharded::line) +
                  ": replicates float32[32,16] because dot_general contracts dimension 0 of w, float32[32@dp,16], "
                  "against x, float32[64@dp,32], which is whole there\n");
  expect_line(text, "1536 bytes sent per device and call");
  expect_line(text, "memory per device");
  expect_line(text, "arguments      bytes name\n");
  expect_line(text, "float32[16,32]  2048 x\n");
  expect_line(text, "float32[8,16]    512 w\n");
}

struct sum_of_all {
  constexpr auto operator()(auto tree) const {
    auto all = ts::sum(std::get<0>(tree));
    ts::tree_each([&](auto const& x) { all = all + ts::sum(x); }, std::get<1>(tree));
    return all;
  }
};
TEST(explain_program, names_who_holds_memory) {
  using small = floats<ts::P<>, 2>;
  using tree = std::tuple<floats<ts::P<>, 4>, std::array<small, 9>>;
  std::string const text = ts::explain<sum_of_all, tree>({"state"});
  expect_line(text, "float32[4]    16 state.0\n");
  expect_line(text, "float32[2]     8 state.1.6\n");  // the eighth
  expect_line(text, "2 others      16\n");
}

struct megatron {
  constexpr auto operator()(auto x, auto w, auto v) const {
    return ts::matmul(ts::tanh(ts::matmul(x, w)), v, ts::out_sharding<ts::P<dp>>);
  }
};
TEST(explain_program, sums_parts) {
  std::string const text = ts::explain<megatron, X, W, floats<ts::P<mp>, 16, 8>>();
  expect_line(text, ": dot_general contracts dimension 1 of the result of tanh at explain_program_test.cpp:");
  expect_line(text,
              "float32[64@dp,16@mp], which mp splits: each device has a part of the sum, and its result is to be "
              "float32[64@dp,8]\n");
}

constexpr auto reductions = [](auto x) { return std::tuple{ts::sum<0>(x), ts::max<0>(x)}; };
TEST(explain_program, reductions) {
  std::string const text = ts::explain<decltype(reductions), X>({"x"});
  expect_line(
      text,
      "sum reduces dimension 0 of x, float32[64@dp,32], which dp splits: each device has a part of the sum, and "
      "its result is to be float32[32]\n");
  expect_line(text,
              "max reduces dimension 0 of x, float32[64@dp,32], which dp splits: each device has that of its own part");
}

constexpr auto asked = [](auto x) { return ts::reshard<ts::P<ts::none, dp>>(ts::transpose(ts::transpose(x))); };
TEST(explain_program, what_was_asked_for) {
  std::string const text = ts::explain<decltype(asked), X>();
  expect_line(text, "all_to_all over dp, 1536 bytes");
  expect_line(text, "reshard asks for transpose of transpose of argument 0, float32[64@dp,32], as float32[64,32@dp]\n");
}

#ifndef TESSERA_BY_DAY
constexpr auto by_hand = [](auto x) {
  return ts::shard_map<ts::out_specs<ts::P<>>>([](auto block) { return ts::psum<dp>(ts::sum(block)); })(x);
};
TEST(explain_program, what_was_written) {
  expect_line(ts::explain<decltype(by_hand), X>(), ": psum is written here\n");
}

// What a loop carries is gathered in each turn, what it reads from outside once, before it.
constexpr auto turned = [](auto x, auto w) {
  return std::get<0>(ts::scan<5>([&](auto c) { return std::tuple{ts::tanh(ts::matmul(x, c)), std::tuple{}}; }, w));
};
constexpr auto looped = [](auto x, auto w) {
  return std::get<0>(ts::scan<5>([&](auto c) { return std::tuple{ts::tanh(ts::matmul(c, w)), std::tuple{}}; }, x));
};
TEST(explain_program, in_a_loop) {
  using square = floats<ts::P<dp>, 16, 16>;
  std::string const text = ts::explain<decltype(turned), square, square>({"x", "w"});
  expect_line(text, "bytes x 5, explain_program_test.cpp:");
  expect_line(text, "dot_general contracts dimension 0 of");
  std::string const before = ts::explain<decltype(looped), floats<ts::P<dp>, 64, 16>, square>({"x", "w"});
  expect_line(before, "scan reads w, float32[16@dp,16], as float32[16,16]");
}

// Trees, and numbers, which are an input for each type that they are read in.
constexpr auto update = [](auto p, auto rate) {
  auto const [w, v] = p;
  return std::tuple{ts::matmul(ts::reshard<ts::P<>>(w) * rate, ts::reshard<ts::P<>>(v)), rate};
};
TEST(explain_program, names_leaves_of_trees) {
  using tree = std::tuple<W, floats<ts::P<mp>, 16, 8>>;
  std::string const text = ts::explain<decltype(update), tree, float>({"params"});
  expect_line(text, "reshard asks for params.0, float32[32,16@mp]");
  expect_line(text, "reshard asks for params.1, float32[16@mp,8]");
}

// Nothing is done for each device: there may be thousands.
using pod = ts::mesh<ts::explicit_axis<dp, 16>, ts::explicit_axis<mp, 256>>;
TEST(explain_program, of_4096_devices) {
  using rows = ts::array_type<float, ts::shape<4096, 16384>, ts::P<dp>, pod>;
  using up = ts::array_type<float, ts::shape<16384, 65536>, ts::P<ts::none, mp>, pod>;
  using down = ts::array_type<float, ts::shape<65536, 1024>, ts::P<mp>, pod>;
  std::string const text = ts::explain<megatron, rows, up, down>();
  expect_line(text, "all_reduce over mp, " + std::to_string(2 * 256 * 1024 * 4 / 256 * 255) + " bytes");
}

using loose = ts::mesh<ts::auto_axis<dp, 4>, ts::auto_axis<mp, 2>>;
template <std::int64_t... E>
using free_floats = ts::array_type<float, ts::shape<E...>, ts::P<>, loose>;
constexpr auto hint_line = __LINE__ + 2;
constexpr auto hinted = [](auto x, auto w) {
  auto const h = ts::with_sharding_constraint<ts::P<ts::none, mp>>(ts::tanh(x));
  return ts::with_sharding_constraint<ts::P<>>(ts::matmul(ts::exp(h), w));
};
TEST(explain_program, layouts_over_auto_axes) {
  std::string const text = ts::explain<decltype(hinted), free_floats<64, 32>, free_floats<32, 16>>({"x", "w"});
  expect_line(text, ", float32[64,32@mp] (as the constraint at explain_program_test.cpp:" + std::to_string(hint_line) +
                        " has it), which mp splits");
}
#endif

}  // namespace
