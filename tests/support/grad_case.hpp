// SPDX-License-Identifier: Apache-2.0
#pragma once
// Gradients and tangents of the ops of a table (support/op_case.hpp) against central differences of the oracle's functions,
// in float64.
//   check_gradients<table, on<grid, P<dp, mp>>>(dense<double, 8, 4>(values));
// Interpreted, as unless another door is named, no type says an extent: gradients are those of dynamic sizes, too.
// A row's loss is sum(sin(1.3 y + 0.4)), so that every element of y has a cotangent of its own.

#include "support/op_case.hpp"

namespace op_case {

template <class Table, std::size_t I>
struct loss_of_row {
  constexpr auto operator()(auto... x) const {
    auto const y = std::get<I>(Table::rows).op(x...);
    return ts::sum(ts::sin(y * 1.3 + 0.4));
  }
};
inline double oracle_loss(oracle::tensor const& y) { return oracle::sum(oracle::sin(y * 1.3 + 0.4)).item(); }

// A direction in which an argument moves.
constexpr auto direction_of(auto x) { return ts::sin(x * 1.7 + 0.3); }
inline oracle::tensor direction_of(oracle::tensor const& x) { return oracle::sin(x * 1.7 + 0.3); }

// The gradients with respect to all arguments, and the tangent of the loss, of all rows.
template <class Table>
struct gradients_of_rows {
  template <class... X>
  constexpr auto operator()(X... x) const {
    return of(std::make_index_sequence<std::tuple_size_v<decltype(Table::rows)>>{}, x...);
  }
  template <std::size_t... I>
  static constexpr auto of(std::index_sequence<I...>, auto... x) {
    return std::make_tuple(of_row<I>(x...)...);
  }
  template <std::size_t I>
  static constexpr auto of_row(auto x) {
    auto const moved = ts::jvp(loss_of_row<Table, I>{}, std::tuple{x}, std::tuple{direction_of(x)});
    return std::make_tuple(std::make_tuple(ts::grad(loss_of_row<Table, I>{})(x)), std::get<1>(moved));
  }
  template <std::size_t I>
  static constexpr auto of_row(auto x, auto y) {
    auto const moved = ts::jvp(loss_of_row<Table, I>{}, std::tuple{x, y}, std::tuple{direction_of(x), direction_of(y)});
    return std::make_tuple(ts::grad<0, 1>(loss_of_row<Table, I>{})(x, y), std::get<1>(moved));
  }
};

template <class Gradient, class Argument>
void expect_gradient(Gradient const& got, Argument const&, oracle::tensor const& want, std::string const& what) {
  static_assert(std::is_same_v<typename Gradient::type, typename Argument::type>,
                "a cotangent has its argument's type");
  expect_near(tensor_of(got), want, 1e-6, what);
}

template <class Row, class Gradients, class Arguments, class... X>
void expect_gradients(Row const& r, Gradients const& got, Arguments const& arguments, std::string const& where,
                      X const&... x) {
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    auto const f = [&](std::vector<oracle::tensor> const& in) { return oracle_loss(r.want(in[K]...)); };
    auto const want = oracle::numerical_gradients(f, {x.values...});
    (expect_gradient(std::get<K>(std::get<0>(got)), std::get<K>(arguments), want[K],
                     std::string(r.name) + " by argument " + std::to_string(K) + " on " + where),
     ...);
    double tangent = 0;
    ((tangent += oracle::sum(want[K] * direction_of(x.values)).item()), ...);
    expect_near(tensor_of(std::get<1>(got)), oracle::tensor(tangent), 1e-5 * (1 + std::abs(tangent)),
                std::string("tangent of ") + r.name + " on " + where);
  }
  (std::index_sequence_for<X...>{});
}

template <class Table, class Where, class Door = interpreted, class... X>
void check_gradients(X const&... x) {
  auto const arguments = place_all<Door::template unsized<Table>>(Where{}, x...);
  auto const results =
      std::apply([](auto const&... y) { return Door::template run<gradients_of_rows<Table>>(y...); }, arguments);
  std::string const where(ts::type_name<Where>());
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (expect_gradients(std::get<I>(Table::rows), std::get<I>(results), arguments, where, x...), ...);
  }
  (std::make_index_sequence<std::tuple_size_v<decltype(Table::rows)>>{});
}

}  // namespace op_case
