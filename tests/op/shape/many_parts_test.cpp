// SPDX-License-Identifier: Apache-2.0
// nightly
// concatenate, stack and their kin of more parts than one operation takes.

#include "support/op_case.hpp"

namespace {

using namespace op_case;
using oracle::tensor;

// Row i of x plus i, for i below Count, in turns over the rows.
template <std::size_t Count>
constexpr auto rows_of(auto x) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::tuple{(x.at(static_cast<int>(I % 8)).get() + static_cast<float>(I))...};
  }
  (std::make_index_sequence<Count>{});
}
tensor stacked(tensor const& x, std::int64_t count) {
  return oracle::generate({count, 4}, [&](oracle::ints at) {
    auto const add = at[0];
    at[0] %= 8;
    return x[at] + static_cast<double>(add);
  });
}

struct of_rows {
  static constexpr auto rows =
      std::tuple{row{"stack of 17", [](auto x) { return ts::stack(rows_of<17>(x)); },
                     [](tensor const& x) { return stacked(x, 17); }},
                 row{"stack<-1> of 40", [](auto x) { return ts::stack<-1>(rows_of<40>(x)); },
                     [](tensor const& x) { return oracle::transpose(stacked(x, 40)); }},
                 row{"concatenate of 20", [](auto x) { return ts::concatenate(rows_of<20>(x)); },
                     [](tensor const& x) { return oracle::reshape(stacked(x, 20), {-1}); }},
                 row{"vstack of 17", [](auto x) { return ts::vstack(rows_of<17>(x)); },
                     [](tensor const& x) { return stacked(x, 17); }},
                 row{"hstack of 18", [](auto x) { return ts::hstack(rows_of<18>(x)); },
                     [](tensor const& x) { return oracle::reshape(stacked(x, 18), {-1}); }},
                 row{"dstack of 17", [](auto x) { return ts::dstack(rows_of<17>(x)); },
                     [](tensor const& x) { return oracle::expand_dims(oracle::transpose(stacked(x, 17)), 0); }},
                 row{"column_stack of 33", [](auto x) { return ts::column_stack(rows_of<33>(x)); },
                     [](tensor const& x) { return oracle::transpose(stacked(x, 33)); }}};
};

using matrix = dense<float, 8, 4>;

TEST(many_parts, are_joined) {
  matrix const x(-1, 1);
  check<of_rows, nowhere, eagerly>(x);
  check<of_rows, on<grid, P<none, mp>>, interpreted>(x);
}

// More than 16 times 16: joined in three rounds.
TEST(many_parts, of_three_rounds) {
  auto const x = ts::host<8>(std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7});
  auto const all = ts::jit([](auto x) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      using part = decltype(x.at(0).get() + 0.f);  // clang's std::array{...} of more than 256 needs -fbracket-depth
      return ts::stack(
          std::array<part, sizeof...(I)>{(x.at(static_cast<int>(I % 8)).get() + static_cast<float>(I))...});
    }
    (std::make_index_sequence<300>{});
  })(ts::asarray(x));
  std::vector<float> want;
  for (int i = 0; i < 300; ++i) want.push_back(static_cast<float>(i % 8 + i));
  EXPECT_EQ(ts::device_get(all), want);
}

// The gradient of each part is its own slice.
TEST(many_parts, gradient) {
  auto const x = ts::asarray(ts::host<8, 4>(std::vector<float>(32, 1)));
  auto const weights = ts::arange<float, 80>();
  auto const g =
      ts::grad([](auto x, auto weights) { return ts::sum(ts::concatenate(rows_of<20>(x)) * weights); })(x, weights);
  std::vector<float> want(32);
  for (std::size_t i = 0; i < 80; ++i) want[i % 32] += static_cast<float>(i);
  EXPECT_EQ(ts::device_get(g), want);
}

}  // namespace
