// SPDX-License-Identifier: Apache-2.0
// What explain(comm_of<...>) says: passes, turns of loops, totals.

#include "support/on_grid.hpp"

#include <tessera/engine/exec/move/in_process.hpp>

#include <string>
#include <tuple>

namespace {

using namespace on_grid;

using x_type = ts::array_type<double, ts::shape<8, 4>, ts::P<dp, mp>, grid>;
using w_type = ts::array_type<double, ts::shape<4, 4>, ts::P<mp>, grid>;

// Contracts mp: a sum over the four devices of it.
constexpr auto layer = [](auto x, auto w) { return ts::matmul(x, w, ts::out_sharding<ts::P<dp>>); };
constexpr auto loss = [](auto x, auto w) { return ts::sum(ts::tanh(layer(x, w))); };
constexpr auto loss_again = [](auto x, auto w) {
  return ts::sum(ts::checkpoint([&](auto v) { return ts::tanh(layer(v, w)); })(x));
};
constexpr auto gradients = ts::grad<0, 1>(loss);
constexpr auto gradients_again = ts::grad<0, 1>(loss_again);
using forward = decltype(loss);
using both = decltype(gradients);
using again = decltype(gradients_again);

std::size_t times_in(std::string const& text, std::string const& word) {
  std::size_t n = 0;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
  return n;
}

TEST(explain, passes) {
  constexpr auto const& one = ts::comm_of<forward, x_type, w_type>;
  static_assert(one.count(ts::program_pass::backward) == 0);
  static_assert(one.count() == one.count(ts::program_pass::forward));
  static_assert(one.bytes() == one.bytes(ts::program_pass::forward));
  EXPECT_EQ(ts::explain(one).find("forward"), std::string::npos);

  constexpr auto const& cost = ts::comm_of<both, x_type, w_type>;
  // The product of the forward pass contracts mp; the weights' gradient is summed over dp.
  static_assert(cost.template count<mp>(ts::collective::all_reduce) == 1);
  static_assert(cost.count(ts::program_pass::forward) == 1 && cost.count(ts::program_pass::backward) >= 1);
  static_assert(cost.bytes(ts::program_pass::forward) + cost.bytes(ts::program_pass::backward) == cost.bytes());
  for (ts::message const& m : cost.messages())
    EXPECT_EQ(m.pass() == ts::program_pass::forward, m.axes.contains(grid::index<mp>)) << ts::explain(cost);
  EXPECT_NE(ts::explain(cost).find("backward"), std::string::npos);
}

// One branch runs once: its counts are exact, as the communicator finds.
TEST(explain, checkpoint_is_exact) {
  constexpr auto const& cost = ts::comm_of<again, x_type, w_type>;
  static_assert(cost.exact() && cost.count() != ts::dynamic);
  static_assert(cost.count(ts::program_pass::recomputed) == 1);
  static_assert(cost.bytes() == cost.bytes(ts::program_pass::forward) + cost.bytes(ts::program_pass::backward) +
                                    cost.bytes(ts::program_pass::recomputed));
  auto const x = put<ts::P<dp, mp>, 8, 4>(0.3);
  auto const w = put<ts::P<mp>, 4, 4>(0.7);
  auto& counted = ts::local_communicator().counted();
  counted.reset();
  ts::jit(gradients_again)(x, w);
  EXPECT_EQ(counted.calls(), cost.count());
  EXPECT_EQ(counted.bytes(), cost.bytes());
}

// A branch that is chosen is not.
constexpr auto chosen = [](auto x, auto w) {
  return ts::cond(
      ts::sum(x) > 0, [&](auto v) { return ts::sum(layer(v, w)); }, [&](auto v) { return ts::sum(v); }, x);
};
static_assert(ts::comm_of<decltype(chosen), x_type, w_type>.count() == ts::dynamic);

constexpr auto looped = [](auto x, auto w) {
  auto const y = std::get<0>(ts::scan<5>(
      [&](auto c) {
        return std::tuple{ts::reshard<ts::P<dp, mp>>(layer(c, w)), std::tuple{}};
      },
      x));
  return ts::sum(y);
};
TEST(explain, turns_and_totals) {
  constexpr auto const& cost = ts::comm_of<decltype(looped), x_type, w_type>;
  std::string const text = ts::explain(cost);
  std::int64_t over_mp = 0;
  for (ts::message const& m : cost.messages()) {
    if (m.axes.contains(grid::index<mp>)) over_mp += m.bytes * m.times;
    if (m.times == 5) {
      EXPECT_NE(text.find(std::to_string(m.bytes) + " x 5"), std::string::npos) << text;
      EXPECT_NE(text.find(" " + std::to_string(5 * m.bytes) + " "), std::string::npos) << text;
    }
  }
  EXPECT_EQ(over_mp, cost.bytes_over<mp>());
  EXPECT_EQ(times_in(text, "totals"), 1u) << text;
  EXPECT_EQ(times_in(text, "over dp"), 1u) << text;
  auto const line = text.find("over mp");
  ASSERT_NE(line, std::string::npos) << text;
  EXPECT_NE(text.substr(line, text.find('\n', line) - line).find(" " + std::to_string(over_mp)), std::string::npos);
}

// Sizes that are not known: polynomials of one turn, and of all.
using unknown = ts::mesh<ts::explicit_axis<dp, ts::dynamic>>;
constexpr auto each_turn = [](auto x) {
  return std::get<0>(ts::scan<3>(
      [](auto c) {
        return std::tuple{c + ts::broadcast_to<8, 4>(ts::sum<0>(c), ts::out_sharding<ts::P<dp>>), std::tuple{}};
      },
      x));
};
TEST(explain, turns_of_unknown_sizes) {
  using type = ts::array_type<double, ts::shape<8, 4>, ts::P<dp>, unknown>;
  constexpr auto const& cost = ts::comm_of<decltype(each_turn), type>;
  static_assert(cost.bytes() == cost.bytes_of(0) && cost.count() == 3);
  static_assert(cost.bytes(ts::program_pass::forward) == cost.bytes() && cost.bytes(ts::program_pass::backward) == 0);
  static_assert(cost.bytes_of_turn(0) + cost.bytes_of_turn(0) + cost.bytes_of_turn(0) == cost.bytes());
  std::string const text = ts::explain(cost);
  EXPECT_NE(text.find("64 - 64/dp x 3"), std::string::npos) << text;
  EXPECT_NE(text.find(" 192 - 192/dp "), std::string::npos) << text;
}

// A single message needs no totals.
TEST(explain, one_message) {
  constexpr auto const& cost = ts::comm_of<decltype(layer), x_type, w_type>;
  static_assert(cost.count() == 1);
  EXPECT_EQ(ts::explain(cost).find("totals"), std::string::npos);
}

}  // namespace
