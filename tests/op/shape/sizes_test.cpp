// SPDX-License-Identifier: Apache-2.0
// nightly
// Arrays without elements, and of one: every family of operations, whole and split over devices. What an empty sum, product
// or extreme is, and what shapes come out.

#include "support/on_grid.hpp"

#include <string>
#include <tuple>

namespace {

using namespace on_grid;

struct want {
  std::vector<std::int64_t> shape;
  double value;  // of each element
};
template <class Results>
void compare(Results const& results, std::vector<want> const& table, std::string const& how) {
  std::size_t at = 0;
  auto const one = [&](auto const& y) {
    want const& w = table.at(at);
    auto const shape = y.shape();
    EXPECT_EQ(std::vector<std::int64_t>(shape.begin(), shape.end()), w.shape) << how << " result " << at;
    for (auto got : y.to_host()) {
      double const g = static_cast<double>(got);
      EXPECT_TRUE(g == w.value || (std::isnan(g) && std::isnan(w.value))) << how << " result " << at << ": " << g;
    }
    ++at;
  };
  std::apply([&](auto const&... y) { (one(y), ...); }, results);
  EXPECT_EQ(at, table.size()) << how;
}
template <class F, class... X>
void check(std::vector<want> const& table, std::string const& how, X const&... x) {
  compare(run<F>(x...), table, how + ", interpreted");
  compare(ts::jit<F>(x...), table, how + ", compiled");
}

// x: (0, 4), y: (4, 0).
struct of_nothing {
  constexpr auto operator()(auto x, auto y) const {
    return std::tuple{x + 1,
                      ts::exp(x) * x,
                      ts::sum(x),
                      ts::sum<0>(x),
                      ts::sum<1>(x),
                      ts::prod(x),
                      ts::mean<0>(x),
                      ts::all(x > 0),
                      ts::any(x > 0),
                      x.T(),
                      ts::reshape<4, 0>(x, ts::out_sharding<ts::P<>>),
                      ts::matmul(y, x, ts::out_sharding<ts::P<>>),
                      ts::concatenate(x, x),
                      ts::where(x > 0, x, 1),
                      ts::cumsum<1>(x),
                      ts::softmax(x),
                      ts::broadcast_to<3, 0, 4>(x),
                      ts::pad(x, 2.0, ts::low<4>, ts::high<0>)};
  }
};
std::vector<want> const from_nothing{{{0, 4}, 0}, {{0, 4}, 0}, {{}, 0},     {{4}, 0},    {{0}, 0},       {{}, 1},
                                     {{4}, NAN},  {{}, 1},     {{}, 0},     {{4, 0}, 0}, {{4, 0}, 0},    {{4, 4}, 0},
                                     {{0, 4}, 0}, {{0, 4}, 0}, {{0, 4}, 0}, {{0, 4}, 0}, {{3, 0, 4}, 0}, {{4, 4}, 2}};
TEST(sizes, nothing) {
  check<of_nothing>(from_nothing, "whole", put<ts::P<>, 0, 4>(1), put<ts::P<>, 4, 0>(1));
  check<of_nothing>(from_nothing, "split", put<ts::P<dp>, 0, 4>(1), put<ts::P<ts::none, dp>, 4, 0>(1));
}

// A dimension without elements beside one that is split.
struct rows_of_nothing {
  constexpr auto operator()(auto x) const {
    return std::tuple{ts::sum<1>(x),
                      ts::sum(x),
                      ts::prod<1>(x),
                      ts::softmax(x),
                      x * 2,
                      ts::sort(x),
                      ts::cumsum<0>(x),
                      ts::matmul(x, ts::zeros<double, 0, 3>()),
                      ts::einsum<"ij,ij->i">(x, x)};
  }
};
TEST(sizes, rows_of_nothing) {
  std::vector<want> const table{{{8}, 0},    {{}, 0},     {{8}, 1},    {{8, 0}, 0}, {{8, 0}, 0},
                                {{8, 0}, 0}, {{8, 0}, 0}, {{8, 3}, 0}, {{8}, 0}};
  check<rows_of_nothing>(table, "whole", put<ts::P<>, 8, 0>(1));
}
struct split_rows_of_nothing {
  constexpr auto operator()(auto x) const {
    return std::tuple{ts::sum<1>(x),
                      ts::sum(x),
                      ts::prod<1>(x),
                      x * 2,
                      ts::matmul(x, ts::zeros<double, 0, 3>()),
                      ts::reshard<ts::P<ts::none, dp>>(x),
                      ts::reshard<ts::P<>>(x)};
  }
};
TEST(sizes, split_rows_of_nothing) {
  std::vector<want> const table{{{8}, 0}, {{}, 0}, {{8}, 1}, {{8, 0}, 0}, {{8, 3}, 0}, {{8, 0}, 0}, {{8, 0}, 0}};
  check<split_rows_of_nothing>(table, "split", put<ts::P<dp>, 8, 0>(1));
}

struct of_one {
  constexpr auto operator()(auto x) const {
    return std::tuple{x + 1,
                      ts::sum(x),
                      ts::prod<0>(x),
                      ts::max(x),
                      ts::min<1>(x),
                      ts::mean(x),
                      ts::argmax<0>(x),
                      x.T(),
                      ts::reshape<1>(x),
                      ts::reshape<>(x),
                      ts::matmul(x, x),
                      ts::concatenate(x, x),
                      ts::sort(x),
                      ts::cumsum<0>(x),
                      ts::softmax(x),
                      ts::squeeze<0>(x),
                      ts::broadcast_to<3, 2>(x),
                      ts::flip<0>(x),
                      ts::roll<1>(x),
                      ts::var(x),
                      ts::take<0>(x, ts::zeros<std::int32_t, 2>())};
  }
};
TEST(sizes, one) {
  std::vector<want> const table{{{1, 1}, 4}, {{}, 3},  {{1}, 3},    {{}, 3},     {{1}, 3},    {{}, 3},     {{1}, 0},
                                {{1, 1}, 3}, {{1}, 3}, {{}, 3},     {{1, 1}, 9}, {{2, 1}, 3}, {{1, 1}, 3}, {{1, 1}, 3},
                                {{1, 1}, 1}, {{1}, 3}, {{3, 2}, 3}, {{1, 1}, 3}, {{1, 1}, 3}, {{}, 0},     {{2, 1}, 3}};
  check<of_one>(table, "whole", put<ts::P<>, 1, 1>(std::vector<double>{3}));
}

// Sizes known when it runs: the same programs.
struct unknown_sizes {
  constexpr auto operator()(auto x) const {
    return std::tuple{x + 1,       ts::sum(x),     ts::prod<0>(x),        ts::mean(x), ts::cumsum<0>(x),
                      ts::sort(x), ts::softmax(x), ts::concatenate(x, x), x.T()};
  }
};
TEST(sizes, unknown) {
  for (std::int64_t n : {0, 1}) {
    auto const x = ts::asarray(std::vector<double>(static_cast<std::size_t>(n), 3));
    std::vector<want> const table{{{n}, 4}, {{}, n ? 3. : 0}, {{}, n ? 3. : 1}, {{}, n ? 3. : NAN}, {{n}, 3}, {{n}, 3},
                                  {{n}, 1}, {{2 * n}, 3},     {{n}, 3}};
    check<unknown_sizes>(table, "of " + std::to_string(n), x);
  }
}

// Gathers and scatters from and into nothing, at no place.
struct no_places {
  constexpr auto operator()(auto x, auto none) const {
    return std::tuple{ts::take<0>(x, none), x.at(none).get(), x.at(none).set(7.0), x.at(none).add(7.0)};
  }
};
TEST(sizes, no_places) {
  auto const x = put<ts::P<>, 4, 2>(std::vector<double>(8, 3));
  auto const none =
      ts::device_put<ts::P<>>(ts::host<0>(std::vector<std::int32_t>{}), ts::make_mesh<grid>(ts::devices()));
  check<no_places>({{{0, 2}, 0}, {{0, 2}, 0}, {{4, 2}, 3}, {{4, 2}, 3}}, "none", x, none);
}

}  // namespace
