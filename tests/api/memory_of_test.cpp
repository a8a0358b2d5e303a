// SPDX-License-Identifier: Apache-2.0
// memory_of against sums by hand, and against a count of what lives at each step that knows nothing of the first.

#include "support/on_grid.hpp"

#include <tuple>

namespace {

using namespace on_grid;

using x_type = ts::array_type<double, ts::shape<8, 4>, ts::P<dp>, grid>;  // a block: 2x4 doubles
using w_type = ts::array_type<double, ts::shape<4, 4>, ts::P<>, grid>;    // 4x4
using rows_type = ts::array_type<double, ts::shape<6, 8, 4>, ts::P<ts::none, dp>, grid>;
constexpr std::int64_t of_x = 2 * 4 * 8, of_w = 4 * 4 * 8;

constexpr auto twice = [](auto x, auto w) { return ts::matmul(ts::matmul(x, w), w); };
static_assert(ts::memory_of<decltype(twice), x_type, w_type>.arguments == of_x + of_w);
static_assert(ts::memory_of<decltype(twice), x_type, w_type>.results == of_x);
static_assert(ts::memory_of<decltype(twice), x_type, w_type>.temporaries == of_x);
static_assert(ts::memory_of<decltype(twice), x_type, w_type>.kept_for_backward == 0);
static_assert(ts::memory_of<decltype(twice), x_type, w_type>.peak == 3 * of_x + of_w);

constexpr auto scaled = [](auto x) { return x * 2.0; };
static_assert(ts::memory_of<decltype(scaled), x_type>.temporaries == 0);
static_assert(ts::memory_of<decltype(scaled), x_type>.at_peak.empty());
static_assert(ts::comm_free<decltype(scaled), x_type> && ts::comm_free<decltype(twice), x_type, w_type>);

// Three products in a row: each keeps its operand, the activation before it.
constexpr auto deep = [](auto x, auto w) {
  auto const layer = [&](auto const& v) { return ts::tanh(ts::matmul(v, w)); };
  return ts::sum(layer(layer(layer(x))));
};
constexpr auto deep_again = [](auto x, auto w) {
  auto const layer = ts::checkpoint([&](auto v) { return ts::tanh(ts::matmul(v, w)); });
  return ts::sum(layer(layer(layer(x))));
};
constexpr auto gradient = ts::grad<1>(deep);
constexpr auto gradient_again = ts::grad<1>(deep_again);
static_assert(!ts::comm_free<decltype(gradient), x_type, w_type>);
constexpr auto const& kept = ts::memory_of<decltype(gradient), x_type, w_type>;
// The outputs of the three layers; the input of the first is an argument.
static_assert(kept.kept_for_backward == 3 * of_x);
static_assert(kept.peak == ts::comm_of<decltype(gradient), x_type, w_type>.peak_bytes());
static_assert(kept.temporaries >= kept.kept_for_backward && kept.at_peak[0].bytes <= kept.temporaries);

using on_unknown = ts::mesh<ts::explicit_axis<dp, ts::dynamic>>;
using unknown = ts::array_type<double, ts::shape<8, 4>, ts::P<dp>, on_unknown>;
static_assert(ts::memory_of<decltype(scaled), unknown>.peak == ts::dynamic);
static_assert(!ts::memory_of<decltype(scaled), unknown>.known() && ts::comm_free<decltype(scaled), unknown>);

constexpr auto looped = [](auto x, auto w, auto rows) {
  auto const [last, all] = ts::scan(
      [&](auto c, auto row) {
        auto const next = ts::tanh(ts::matmul(ts::matmul(c, w) + row, w));
        return std::tuple{next, ts::sum<1>(next)};
      },
      x, rows);
  return ts::sum(last * last) + ts::sum(all);
};
constexpr auto looped_gradient = ts::grad<0, 1>(looped);

// Everything that lives while step s runs, one value after the other.
std::int64_t alive_at(ts::plan_view const& p, int first, int count, int s) {
  auto const bytes = [&](int id) { return p.local[id].facts.size() * ts::bytes_of(p.local[id].facts.element); };
  auto const shown = [&](int id) {
    while (p.places[id].kind == ts::place_kind::view) id = p.places[id].index;
    return id;
  };
  std::int64_t sum = 0;
  for (int t = first; t <= s; ++t)
    for (int k = 0; k < p.steps[t].outputs.count; ++k) {
      int const id = p.lists[p.steps[t].outputs.first + k];
      if (p.places[id].kind != ts::place_kind::buffer) continue;
      bool read = t == s;
      for (int u = s; u < first + count; ++u)
        for (int i = 0; i < p.steps[u].inputs.count; ++i)
          read = read || shown(p.lists[p.steps[u].inputs.first + i]) == id;
      if (read) sum += bytes(id);
    }
  if (p.steps[s].kind != ts::step_kind::loop) return sum;
  std::int64_t inside = 0;
  for (int r = 0; r < p.region_count; ++r)
    if (p.regions[r].node == p.steps[s].node)
      for (int u = 0; u < p.regions[r].step_count; ++u)
        inside = std::max(inside,
                          alive_at(p, p.regions[r].first_step, p.regions[r].step_count, p.regions[r].first_step + u));
  return sum + inside;
}
template <class F, class... X>
void counts_what_lives() {
  ts::plan_view const p = ts::detail::planned<ts::trace_of<F, ts::signature_of<X>...>>::value.view();
  std::int64_t most = 0;
  for (int s = 0; s < p.own_steps; ++s) most = std::max(most, alive_at(p, 0, p.own_steps, s));
  constexpr auto const& use = ts::memory_of<F, X...>;
  EXPECT_EQ(use.temporaries, most);
  EXPECT_EQ(use.peak, p.peak_bytes);
  std::int64_t shown = 0;
  for (auto const& v : use.at_peak) shown += v.bytes;
  if (use.at_peak.size() < ts::memory_use::shown) {
    EXPECT_EQ(shown, use.temporaries);
  }
}
TEST(memory_of, what_lives_at_the_worst_step) {
  counts_what_lives<decltype(twice), x_type, w_type>();
  counts_what_lives<decltype(gradient), x_type, w_type>();
  counts_what_lives<decltype(gradient_again), x_type, w_type>();
  counts_what_lives<decltype(looped), x_type, w_type, rows_type>();
  counts_what_lives<decltype(looped_gradient), x_type, w_type, rows_type>();
}

TEST(memory_of, says_where_the_peak_is) {
  std::string const text = ts::explain(kept);
  EXPECT_NE(text.find("peak"), std::string::npos) << text;
  EXPECT_NE(text.find("float64[4,4]"), std::string::npos) << text;
  EXPECT_NE(text.find("memory_of_test.cpp:"), std::string::npos) << text;
  EXPECT_NE(text.find(std::to_string(kept.kept_for_backward) + " bytes that the forward pass keeps"),
            std::string::npos);
  EXPECT_EQ(ts::explain(ts::memory_of<decltype(twice), x_type, w_type>).find("keeps"), std::string::npos);
}

}  // namespace
