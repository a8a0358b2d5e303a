// SPDX-License-Identifier: Apache-2.0
// Where a sum, a cast or a lookup stands before or behind a message so that less is sent: bytes by hand, values against the
// same function of whole arrays.

#include "support/on_grid.hpp"

#include <tuple>
#include <vector>

namespace {

using namespace on_grid;
using ts::none;
using ts::P;
using sent = ts::collective;

template <class F, class... X>
constexpr auto const& cost = ts::comm_of<F, X...>;

template <class X, class Y>
void same_numbers(X const& got, Y const& want, double bound = 1e-9) {
  auto const numbers = want.to_host();
  expect(got, {numbers.begin(), numbers.end()}, bound);
}
template <class F>
struct squares {
  constexpr auto operator()(auto... x) const {
    auto const y = F{}(x...);
    return ts::sum(y * y);
  }
};
template <class F>
using slopes = decltype(ts::grad<0, 1>(squares<F>{}));
template <class F>
using slope = decltype(ts::grad(squares<F>{}));

// A bias and a gain that all devices share are summed over a block's rows before they are sent.
constexpr auto scaled_rows = [](auto gain, auto bias, auto x) {
  auto const y = ts::tanh(x * ts::broadcast_to<2, 3>(ts::reshape<1, 3>(gain)) + bias);
  return ts::where(y > 0.1, y, bias * 2) + bias;
};
struct by_devices {
  constexpr auto operator()(auto gain, auto bias, auto x) const {
    return ts::shard_map<ts::in_specs<P<>, P<>, P<dp>>, ts::out_specs<P<dp>>>(scaled_rows)(gain, bias, x);
  }
};
struct by_types {
  constexpr auto operator()(auto gain, auto bias, auto x) const {
    auto const y = ts::tanh(x * gain + bias);
    return ts::where(y > 0.1, y, bias * 2) + bias;
  }
};
TEST(smaller, what_devices_share_is_summed_on_each_of_them_first) {
  auto const x = put<P<dp>, 8, 3>(1.2);
  auto const gain = put<P<>, 3>(0.7), bias = put<P<>, 3>(0.4);
  constexpr auto const& messages = cost<slopes<by_devices>, decltype(gain), decltype(bias), decltype(x)>;
  static_assert(messages.bytes() == 3 * 3 * 8 * 6 / 4);  // of gain, bias, and bias * 2, on a ring of 4
  auto const [by_gain, by_bias] = ts::jit<slopes<by_devices>>(gain, bias, x);
  auto const [want_gain, want_bias] = ts::jit<slopes<by_types>>(gain, bias, x);
  near(by_gain, want_gain);
  near(by_bias, want_bias);
}

// So is a whole bias of what is split along it: no cotangent is brought together.
struct with_bias {
  constexpr auto operator()(auto bias, auto x) const { return ts::tanh(x + bias); }
};
TEST(smaller, a_whole_bias_is_split_before_it_is_repeated) {
  auto const x = put<P<dp, mp>, 8, 6>(1.2);
  auto const bias = put<P<>, 6>(0.4);
  using S = slope<with_bias>;
  static_assert(cost<S, decltype(bias), decltype(x)>.bytes() ==
                3 * 8 * 6 / 4 + 3 * 8);  // summed, then brought together
  auto const whole = put<P<>, 8, 6>(1.2);
  same_numbers(ts::jit<S>(bias, x), ts::jit<S>(bias, whole));
}

// Behind a scan, once.
struct turns_by_devices {
  constexpr auto operator()(auto bias, auto x) const {
    return ts::shard_map<ts::in_specs<P<>, P<dp>>, ts::out_specs<P<dp>>>([](auto b, auto block) {
      return std::get<0>(ts::scan<4>([b](auto carry) { return std::tuple{ts::tanh(carry + b), 0}; }, block));
    })(bias, x);
  }
};
struct turns_by_types {
  constexpr auto operator()(auto bias, auto x) const {
    return std::get<0>(ts::scan<4>([bias](auto carry) { return std::tuple{ts::tanh(carry + bias), 0}; }, x));
  }
};
TEST(smaller, behind_a_scan_once) {
  auto const x = put<P<dp>, 8, 3>(1.2);
  auto const bias = put<P<>, 3>(0.4);
  static_assert(cost<slope<turns_by_devices>, decltype(bias), decltype(x)>.bytes() == 3 * 8 * 6 / 4);
  near(ts::jit<slope<turns_by_devices>>(bias, x), ts::jit<slope<turns_by_types>>(bias, x));
}

// Rows of a table for split tokens: no token moves, and the table's gradient is summed, not what it is made of brought
// together.
template <class S>
struct rows {
  constexpr auto operator()(auto table, auto tokens) const {
    return ts::tanh(table.at(tokens).get(ts::out_sharding<S>));
  }
};
template <class S>
struct rows_between {
  constexpr auto operator()(auto table, auto tokens) const {
    return ts::tanh(table.at(ts::newaxis, tokens, ts::newaxis).get(ts::out_sharding<S>));
  }
};
template <std::int64_t... E>
auto tokens(int of) {
  std::vector<int> v(static_cast<std::size_t>((E * ...)));
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<int>(i * i + 3) % of;
  return ts::host<E...>(std::move(v));
}
TEST(smaller, a_lookup_moves_no_tokens_and_its_gradient_the_table) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const table = put<P<>, 6, 2>(0.7);
  auto const columns = put<P<none, mp>, 6, 2>(0.7);
  auto const all = ts::device_put<P<>>(tokens<48>(6), mesh);
  auto const split = ts::device_put<P<dp>>(tokens<48>(6), mesh);
  using whole_table = decltype(table);
  using split_tokens = decltype(split);
  static_assert(cost<rows<P<dp>>, whole_table, split_tokens>.count() == 0);
  static_assert(cost<rows<P<dp>>, whole_table, decltype(all)>.count() == 0);
  static_assert(cost<slope<rows<P<dp>>>, whole_table, split_tokens>.bytes() == 12 * 8 * 6 / 4);
  static_assert(cost<slope<rows_between<P<none, dp>>>, whole_table, split_tokens>.bytes() == 12 * 8 * 6 / 4);
  static_assert(cost<slope<rows<P<dp, mp>>>, decltype(columns), split_tokens>.bytes() == 6 * 8 * 6 / 4);
  auto const want = ts::jit<slope<rows<P<>>>>(table, all);
  same_numbers(ts::jit<slope<rows<P<dp>>>>(table, split), want);
  same_numbers(ts::jit<slope<rows<P<dp>>>>(table, all), want);
  same_numbers(ts::jit<slope<rows<P<dp, mp>>>>(columns, split), want);
  same_numbers(ts::jit<slope<rows<P<ts::axes<dp, mp>>>>>(columns, split), want);
  same_numbers(ts::jit<slope<rows_between<P<none, dp>>>>(table, split), want);
}

// What is put into rows of a whole table stays split along its columns, too: the rows' sum, or the rows, is brought together
// and not what they are made of.
struct put_rows {
  constexpr auto operator()(auto table, auto tokens, auto more) const {
    return table.at(tokens).set(more, ts::out_sharding<P<>>);
  }
};
struct most_of_rows {
  constexpr auto operator()(auto table, auto tokens, auto more) const {
    return table.at(tokens).max(more, ts::out_sharding<P<>>);
  }
};
TEST(smaller, what_is_put_into_a_table_stays_split_along_its_columns) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const table = put<P<>, 6, 2>(0.7);
  auto const split = ts::device_put<P<ts::axes<dp, mp>>>(tokens<48>(6), mesh);
  auto const all = ts::device_put<P<>>(tokens<48>(6), mesh);
  using whole_table = decltype(table);
  // Of the cotangents of 48 rows 672 bytes would be brought together.
  constexpr auto const& both = cost<slope<rows<P<dp, mp>>>, whole_table, decltype(all)>;
  constexpr auto const& columns = cost<slope<rows<P<none, mp>>>, whole_table, decltype(all)>;
  static_assert(both.bytes() == 6 * 8 * 6 / 4 + 6 * 8 && both.count() == 2);
  static_assert(columns.bytes() == 6 * 8 && columns.count<mp>(sent::all_gather) == 1);
  auto const want = ts::jit<slope<rows<P<>>>>(table, all);
  same_numbers(ts::jit<slope<rows<P<dp, mp>>>>(table, split), want);
  same_numbers(ts::jit<slope<rows<P<dp, mp>>>>(table, all), want);
  same_numbers(ts::jit<slope<rows<P<none, mp>>>>(table, split), want);

  auto const many = put<P<none, mp>, 48, 2>(0.3);
  auto const whole = put<P<>, 48, 2>(0.3);
  static_assert(cost<put_rows, whole_table, decltype(all), decltype(many)>.bytes() == 6 * 8);
  static_assert(cost<most_of_rows, whole_table, decltype(all), decltype(many)>.bytes() == 6 * 8);
  same_numbers(ts::jit<put_rows>(table, all, many), ts::jit<put_rows>(table, all, whole));
  same_numbers(ts::jit<most_of_rows>(table, all, many), ts::jit<most_of_rows>(table, all, whole));
}

// Input features of both operands split: partial sums, each device computes its part. The gradient by x is added up over
// windows before it is sent.
template <class S>
struct filtered {
  constexpr auto operator()(auto x, auto k) const { return ts::conv(x, k, ts::same, ts::out_sharding<S>); }
};
TEST(smaller, a_convolution_leaves_partial_sums) {
  auto const x = put<P<>, 4, 4, 6, 6>(0.7);
  auto const by_inputs = put<P<none, mp>, 4, 4, 6, 6>(0.7);
  auto const by_both = put<P<dp, mp>, 4, 4, 6, 6>(0.7);
  auto const k = put<P<>, 2, 4, 3, 3>(0.4);
  auto const k_inputs = put<P<none, mp>, 2, 4, 3, 3>(0.4);
  auto const k_outputs = put<P<mp>, 2, 4, 3, 3>(0.4);
  constexpr std::int64_t made = 4 * 2 * 6 * 6 * 8, image = 4 * 4 * 6 * 6 * 8;
  using inputs = decltype(by_inputs);
  using kernel = decltype(k_inputs);
  static_assert(cost<filtered<P<>>, inputs, kernel>.bytes() == made);  // on a ring of 2: half, there and back
  static_assert(cost<filtered<P<none, mp>>, inputs, kernel>.bytes() == made / 2);
  static_assert(cost<filtered<P<none, mp>>, inputs, kernel>.count(sent::reduce_scatter) == 1);
  static_assert(cost<filtered<P<dp>>, decltype(by_both), kernel>.bytes() == made / 4);
  static_assert(cost<slope<filtered<P<none, mp>>>, decltype(x), decltype(k_outputs)>.bytes() == image);
  auto const want = ts::jit<filtered<P<>>>(x, k);
  same_numbers(ts::jit<filtered<P<>>>(by_inputs, k_inputs), want);
  same_numbers(ts::jit<filtered<P<none, mp>>>(by_inputs, k_inputs), want);
  same_numbers(ts::jit<filtered<P<>>>(by_inputs, k), want);
  same_numbers(ts::jit<filtered<P<>>>(x, k_inputs), want);
  auto const [want_x, want_k] = ts::jit<slopes<filtered<P<>>>>(x, k);
  auto const agree = [&](auto const& both) {
    same_numbers(std::get<0>(both), want_x);
    same_numbers(std::get<1>(both), want_k);
  };
  agree(ts::jit<slopes<filtered<P<>>>>(by_inputs, k_inputs));
  agree(ts::jit<slopes<filtered<P<none, mp>>>>(by_inputs, k_inputs));
  agree(ts::jit<slopes<filtered<P<dp>>>>(by_both, k_inputs));
  agree(ts::jit<slopes<filtered<P<none, mp>>>>(x, k_outputs));
}

// What moves and is cast moves in the narrower type, whichever was written first.
constexpr auto moved_then_cast = [](auto w) { return ts::astype<ts::bfloat16>(ts::reshard<P<>>(w)); };
constexpr auto cast_then_moved = [](auto w) { return ts::reshard<P<>>(ts::astype<ts::bfloat16>(w)); };
constexpr auto wide_then_moved = [](auto w) { return ts::reshard<P<>>(ts::astype<double>(w)); };
template <auto Weights>
struct layer {
  constexpr auto operator()(auto w, auto x) const { return ts::matmul(x, Weights(w)); }
};
TEST(smaller, the_narrower_type_is_sent) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const numbers = wave(32, 0.7);
  std::vector<float> const values(numbers.begin(), numbers.end());
  auto const w = ts::device_put<P<dp>>(ts::host<8, 4>(values), mesh);
  std::vector<ts::bfloat16> rows(32);
  for (std::size_t i = 0; i < 32; ++i) rows[i] = ts::bfloat16(values[31 - i]);
  auto const x = ts::device_put<P<dp>>(ts::host<4, 8>(rows), mesh);
  using weights = decltype(w);
  static_assert(cost<decltype(moved_then_cast), weights>.bytes() == 3 * 8 * 2);  // 3 blocks of 8 in bfloat16
  static_assert(cost<decltype(cast_then_moved), weights>.bytes() == 3 * 8 * 2);
  static_assert(cost<decltype(wide_then_moved), weights>.bytes() == 3 * 8 * 4);
  same_numbers(ts::jit(moved_then_cast)(w), ts::jit(cast_then_moved)(w), 0);
  same_numbers(ts::jit(wide_then_moved)(w), w, 0);
  using slope_after = slope<layer<moved_then_cast>>;
  static_assert(cost<slope_after, weights, decltype(x)>.bytes(ts::program_pass::backward) == 3 * 8 * 2);
  static_assert(cost<slope_after, weights, decltype(x)>.count(sent::reduce_scatter) == 1);
  same_numbers(ts::jit<slope_after>(w, x), ts::jit<slope<layer<cast_then_moved>>>(w, x), 0);
}

// Partial sums go through a reshape and a transposition to where they are read in parts.
constexpr auto turned_product = [](auto x, auto w) {
  auto const y = ts::matmul(x, w, ts::out_sharding<P<>>);
  return ts::reshard<P<mp>>(ts::transpose(ts::reshape<2, 4, 6>(y)));
};
TEST(smaller, partial_sums_pass_views) {
  auto const x = put<P<none, mp>, 8, 4>(0.5);
  auto const w = put<P<mp>, 4, 6>(0.3);
  constexpr auto const& messages = cost<decltype(turned_product), decltype(x), decltype(w)>;
  static_assert(messages.count(sent::reduce_scatter) == 1 && messages.bytes() == 48 * 8 / 2);
  same_numbers(ts::jit(turned_product)(x, w), ts::jit(turned_product)(put<P<>, 8, 4>(0.5), put<P<>, 4, 6>(0.3)));
}

}  // namespace
