// SPDX-License-Identifier: Apache-2.0
// When partial sums are added up: once behind linear operations, in the layout in which they are read, and behind a loop
// that only adds to them; and what does not change in a loop is sent before it. Numbers by hand, values against loops over
// whole arrays.

#include "../../examples/transformer/model.hpp"
#include "support/counted_call.hpp"
#include "support/on_grid.hpp"

#include <cmath>
#include <tuple>
#include <vector>

namespace {

using namespace on_grid;
using support::counted_call;
using sent = ts::collective;
using numbers = std::vector<double>;

// Whole matrices, row-major.
struct matrix {
  std::size_t rows, columns;
  numbers at;
  double& operator()(std::size_t i, std::size_t j) { return at[i * columns + j]; }
  double operator()(std::size_t i, std::size_t j) const { return at[i * columns + j]; }
};
matrix product(matrix const& a, matrix const& b) {
  matrix c{a.rows, b.columns, numbers(a.rows * b.columns)};
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t k = 0; k < a.columns; ++k)
      for (std::size_t j = 0; j < b.columns; ++j) c(i, j) += a(i, k) * b(k, j);
  return c;
}
matrix turned(matrix const& a) {
  matrix b{a.columns, a.rows, numbers(a.at.size())};
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < a.columns; ++j) b(j, i) = a(i, j);
  return b;
}
template <class F>
matrix each(F f, matrix a, matrix const& b) {
  for (std::size_t i = 0; i < a.at.size(); ++i) a.at[i] = f(a.at[i], b.at[i]);
  return a;
}
constexpr auto plus = [](double a, double b) { return a + b; };
constexpr auto times = [](double a, double b) { return a * b; };

// Three products of one x by weights that are split over mp, as queries, keys and values; x is read beside them, too.
struct attended {
  constexpr auto operator()(auto x, auto q, auto k, auto v) const {
    return ts::sum(x * x) + ts::sum(ts::matmul(x, q) * ts::matmul(x, k) * ts::matmul(x, v));
  }
};
TEST(sums, cotangents_of_one_value_are_added_up_once) {
  matrix const x{8, 4, wave(32, 0.5)}, q{4, 6, wave(24, 0.3)}, k{4, 6, wave(24, 0.2)}, v{4, 6, wave(24, 0.7)};
  auto const on_x = put<ts::P<dp, ts::none>, 8, 4>(x.at);
  auto const on_q = put<ts::P<ts::none, mp>, 4, 6>(q.at), on_k = put<ts::P<ts::none, mp>, 4, 6>(k.at),
             on_v = put<ts::P<ts::none, mp>, 4, 6>(v.at);
  auto const gradient = ts::grad(attended{});
  constexpr auto const& cost =
      ts::comm_of<decltype(gradient), decltype(on_x), decltype(on_q), decltype(on_k), decltype(on_v)>;
  static_assert(cost.count() == 1 && cost.count<mp>(sent::all_reduce) == 1);
  static_assert(cost.bytes() == 2 * 4 * 8);  // half of a block of (2, 4) doubles, there and back
  matrix const a = product(x, q), b = product(x, k), c = product(x, v);
  matrix want = each(plus, x, x);
  want = each(plus, want, product(each(times, b, c), turned(q)));
  want = each(plus, want, product(each(times, a, c), turned(k)));
  want = each(plus, want, product(each(times, a, b), turned(v)));
  expect(counted_call(gradient, on_x, on_q, on_k, on_v), want.at);
}

// Operands split over mp along what is contracted: a sum, a difference, a multiple, a quotient of products.
constexpr auto linear = [](auto x, auto v, auto w, auto r) {
  auto const whole = ts::out_sharding<ts::P<dp, ts::none>>;
  auto const a = ts::matmul(x, v, whole), b = ts::matmul(x, w, whole);
  return r + a * 0.5f - (-b) / 4.0f;
};
TEST(sums, linear_operations_keep_partial_sums) {
  matrix const x{8, 4, wave(32, 0.5)}, v{4, 6, wave(24, 0.3)}, w{4, 6, wave(24, 0.2)}, r{8, 6, wave(48, 0.7)};
  auto const on_x = put<ts::P<dp, mp>, 8, 4>(x.at);
  auto const on_v = put<ts::P<mp, ts::none>, 4, 6>(v.at), on_w = put<ts::P<mp, ts::none>, 4, 6>(w.at);
  auto const on_r = put<ts::P<dp, ts::none>, 8, 6>(r.at);
  constexpr auto const& cost =
      ts::comm_of<decltype(linear), decltype(on_x), decltype(on_v), decltype(on_w), decltype(on_r)>;
  static_assert(cost.count() == 1 && cost.count<mp>(sent::all_reduce) == 1);
  matrix const a = product(x, v), b = product(x, w);
  numbers want(48);
  for (std::size_t i = 0; i < 48; ++i) want[i] = r.at[i] + a.at[i] / 2 + b.at[i] / 4;
  expect(counted_call(linear, on_x, on_v, on_w, on_r), want);
}

// One of the sums is read by itself, too: each is sent once.
constexpr auto read_twice = [](auto x, auto v, auto w) {
  auto const whole = ts::out_sharding<ts::P<dp, ts::none>>;
  auto const a = ts::matmul(x, v, whole);
  return std::tuple{ts::exp(a), a + ts::matmul(x, w, whole)};
};
// The same product written twice is one.
constexpr auto written_twice = [](auto x, auto v, auto w) {
  auto const whole = ts::out_sharding<ts::P<dp, ts::none>>;
  return std::tuple{ts::exp(ts::matmul(x, v, whole)), ts::matmul(x, v, whole) + ts::matmul(x, w, whole)};
};
TEST(sums, what_is_read_twice_is_sent_once) {
  using x = ts::array_type<double, ts::shape<8, 4>, ts::P<dp, mp>, grid>;
  using w = ts::array_type<double, ts::shape<4, 6>, ts::P<mp, ts::none>, grid>;
  constexpr std::int64_t block = 2 * 6 * 8;  // of a (8, 6) over dp, which is what a device sends of it
  static_assert(ts::comm_of<decltype(read_twice), x, w, w>.bytes() == 2 * block);
  static_assert(ts::comm_of<decltype(written_twice), x, w, w>.bytes() == 2 * block);
}

// A product's sum that is read in parts goes there at once: reduce_scatter, half of an all_reduce.
constexpr auto read_in_parts = [](auto x, auto w) {
  return ts::reshard<ts::P<dp, mp>>(ts::matmul(x, w, ts::out_sharding<ts::P<dp, ts::none>>) * 2.0f);
};
TEST(sums, a_sum_is_scattered_where_parts_are_read) {
  matrix const x{8, 4, wave(32, 0.5)}, w{4, 6, wave(24, 0.3)};
  auto const on_x = put<ts::P<dp, mp>, 8, 4>(x.at);
  auto const on_w = put<ts::P<mp, ts::none>, 4, 6>(w.at);
  constexpr auto const& cost = ts::comm_of<decltype(read_in_parts), decltype(on_x), decltype(on_w)>;
  static_assert(cost.count() == 1 && cost.count<mp>(sent::reduce_scatter) == 1);
  matrix const a = product(x, w);
  expect(counted_call(read_in_parts, on_x, on_w), each(plus, a, a).at);
}

// Weights that every turn reads, of which each device along dp has a part.
constexpr auto turns = [](auto h, auto w) {
  return std::get<0>(ts::scan<5>(
      [w](auto c) {
        return std::tuple{ts::tanh(ts::matmul(c, w, ts::out_sharding<ts::P<dp, ts::none>>)), std::tuple{}};
      },
      h));
};
TEST(sums, what_no_turn_changes_is_sent_before_a_loop) {
  matrix h{8, 4, wave(32, 0.5)};
  matrix const w{4, 4, wave(16, 0.3)};
  auto const on_h = put<ts::P<dp, ts::none>, 8, 4>(h.at);
  auto const on_w = put<ts::P<dp, ts::none>, 4, 4>(w.at);
  constexpr auto const& cost = ts::comm_of<decltype(turns), decltype(on_h), decltype(on_w)>;
  static_assert(cost.count() == 1 && cost.count<dp>(sent::all_gather) == 1 && cost.bytes() == 3 * 4 * 8);
  for (int turn = 0; turn < 5; ++turn) {
    h = product(h, w);
    for (double& value : h.at) value = std::tanh(value);
  }
  expect(counted_call(turns, on_h, on_w), h.at);
}

// The gradient of shared weights: its partial sums are added up behind the loop.
struct loss_of_turns {
  constexpr auto operator()(auto h, auto w) const {
    return ts::sum(std::get<0>(ts::scan<5>(
        [w](auto c) {
          return std::tuple{ts::tanh(ts::matmul(c, w)), std::tuple{}};
        },
        h)));
  }
};
TEST(sums, what_a_loop_only_adds_to_is_added_up_behind_it) {
  matrix const w{4, 4, wave(16, 0.3)};
  std::vector<matrix> h{{8, 4, wave(32, 0.5)}};
  auto const on_h = put<ts::P<dp, ts::none>, 8, 4>(h[0].at);
  auto const on_w = put<ts::P<ts::none, ts::none>, 4, 4>(w.at);
  auto const gradient = ts::grad<1>(loss_of_turns{});
  constexpr auto const& cost = ts::comm_of<decltype(gradient), decltype(on_h), decltype(on_w)>;
  static_assert(cost.count() == 1 && cost.count<dp>(sent::all_reduce) == 1 && cost.bytes() == 2 * 3 * 4 * 8);
  for (int turn = 0; turn < 5; ++turn) {
    h.push_back(product(h.back(), w));
    for (double& value : h.back().at) value = std::tanh(value);
  }
  matrix back{8, 4, numbers(32, 1)}, want{4, 4, numbers(16)};
  for (std::size_t turn = 5; turn > 0; --turn) {
    back = each([](double g, double y) { return g * (1 - y * y); }, back, h[turn]);
    want = each(plus, want, product(turned(h[turn - 1]), back));
    back = product(back, turned(w));
  }
  expect(counted_call(gradient, on_h, on_w), want.at);
}

// The same where the first value is given, and something else is carried beside it.
constexpr auto added_in_turns = [](auto sum, auto x, auto w) {
  return ts::scan(
      [w](auto c, auto row) {
        auto const product = ts::matmul(row, w, ts::out_sharding<ts::P<dp, ts::none>>);
        return std::tuple{std::tuple{std::get<0>(c) + product, std::get<1>(c) * 2.0f}, std::tuple{}};
      },
      std::tuple{sum, sum}, x);
};
TEST(sums, what_a_loop_adds_to_begins_with_what_is_given) {
  matrix const w{4, 6, wave(24, 0.3)};
  numbers const x = wave(3 * 32, 0.5);
  matrix want{8, 6, wave(48, 0.7)};
  numbers other = want.at;
  for (double& value : other) value *= 8;
  auto const on_sum = put<ts::P<dp, ts::none>, 8, 6>(want.at);
  auto const on_x = put<ts::P<ts::none, dp, mp>, 3, 8, 4>(x);
  auto const on_w = put<ts::P<mp, ts::none>, 4, 6>(w.at);
  constexpr auto const& cost = ts::comm_of<decltype(added_in_turns), decltype(on_sum), decltype(on_x), decltype(on_w)>;
  static_assert(cost.count() == 1 && cost.count<mp>(sent::all_reduce) == 1 && cost.bytes() == 2 * 6 * 8);
  for (std::size_t turn = 0; turn < 3; ++turn)
    want = each(plus, want, product({8, 4, numbers(x.begin() + turn * 32, x.begin() + turn * 32 + 32)}, w));
  auto const result = counted_call(added_in_turns, on_sum, on_x, on_w);
  expect(std::get<0>(std::get<0>(result)), want.at);
  expect(std::get<1>(std::get<0>(result)), other);
}

// Rows of a table by tokens that are split over dp: each device looks up its own, and has its part of the gradient's sum.
template <std::int64_t Rows>
using table_type = ts::array_type<double, ts::shape<Rows, 8>, ts::P<ts::none, ts::none>, grid>;
using tokens_type = ts::array_type<std::int32_t, ts::shape<16, 4>, ts::P<dp, ts::none>, grid>;
struct looked_up {
  constexpr auto operator()(auto table, auto tokens) const {
    return ts::sum(ts::square(ts::take<0>(table, tokens, ts::out_sharding<ts::P<dp, ts::none, ts::none>>)));
  }
};
struct looked_up_each {  // under vmap
  constexpr auto operator()(auto table, auto tokens) const {
    return ts::sum(ts::square(
        ts::vmap<ts::in_axes<ts::unmapped, 0>>([](auto t, auto k) { return ts::take<0>(t, k); })(table, tokens)));
  }
};
template <class Loss, std::int64_t Rows>
inline constexpr auto const& cost_of_lookup = ts::comm_of<decltype(ts::grad(Loss{})), table_type<Rows>, tokens_type>;

TEST(sums, lookups_by_split_tokens_send_the_table_s_gradient_only) {
  constexpr auto const &each = cost_of_lookup<looked_up_each, 6>, &at_once = cost_of_lookup<looked_up, 6>;
  static_assert(each.count() == 1 && each.count<dp>(sent::all_reduce) == 1 && each.bytes() == 2 * 3 * 6 * 8 * 8 / 4);
  static_assert(at_once.count() == 1 && at_once.bytes() == each.bytes());
  // Of 1,000 rows and 64 tokens it is less to bring the tokens, and what is added for them, together.
  constexpr auto const& many = cost_of_lookup<looked_up, 1000>;
  static_assert(many.count() == many.count<dp>(sent::all_gather) && many.bytes() == 3 * 4 * 4 * (4 + 8 * 8));

  matrix const table{6, 8, wave(48, 0.4)};
  std::vector<std::int32_t> tokens(64);
  for (std::size_t i = 0; i < 64; ++i) tokens[i] = static_cast<std::int32_t>(i * i % 6);
  matrix want{6, 8, numbers(48)};
  for (auto const t : tokens)
    for (std::size_t c = 0; c < 8; ++c)
      want(static_cast<std::size_t>(t), c) += 2 * table(static_cast<std::size_t>(t), c);
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const on_tokens = ts::device_put<ts::P<dp, ts::none>>(ts::host<16, 4>(tokens), mesh);
  auto const on_table = put<ts::P<ts::none, ts::none>, 6, 8>(table.at);
  expect(counted_call(ts::grad(looked_up{}), on_table, on_tokens), want.at);
  expect(counted_call(ts::grad(looked_up_each{}), on_table, on_tokens), want.at);
}

// What was there before is counted once.
constexpr auto added_to = [](auto x, auto tokens, auto more) {
  return x.at(tokens).add(more, ts::out_sharding<ts::P<ts::none, ts::none>>);
};
TEST(sums, what_is_scattered_to_is_counted_once) {
  matrix const x{6, 8, wave(48, 0.4)}, more{16, 8, wave(128, 0.9)};
  std::vector<std::int32_t> tokens(16);
  matrix want = x;
  for (std::size_t i = 0; i < 16; ++i) {
    auto const row = i * 5 % 6;
    tokens[i] = static_cast<std::int32_t>(row);
    for (std::size_t c = 0; c < 8; ++c) want(row, c) += more(i, c);
  }
  auto const on_x = put<ts::P<ts::none, ts::none>, 6, 8>(x.at);
  auto const on_tokens = ts::device_put<ts::P<dp>>(ts::host<16>(tokens), ts::make_mesh<grid>(ts::devices()));
  auto const on_more = put<ts::P<dp, ts::none>, 16, 8>(more.at);
  constexpr auto const& cost = ts::comm_of<decltype(added_to), decltype(on_x), decltype(on_tokens), decltype(on_more)>;
  static_assert(cost.count() == 1 && cost.count<dp>(sent::all_reduce) == 1 && cost.bytes() == 2 * 3 * 6 * 8 * 8 / 4);
  expect(counted_call(added_to, on_x, on_tokens, on_more), want.at);
}

// A whole training step: two messages a layer over mp on the way forth and two on the way back, and all gradients and the
// loss in one over dp, which moves (n-1)/n of them twice.
TEST(sums, a_transformer_s_step_sends_nine_messages) {
  using namespace transformer;
  using parameters = unrolled_types<2>;
  constexpr auto const& cost = ts::comm_of<train_step, parameters, state_of<parameters>, token_ids, token_ids, float>;
  static_assert(cost.count() == 9 && cost.count(sent::all_reduce) == 9);
  static_assert(cost.count<transformer::mp>() == 8 && cost.count<transformer::dp>() == 1);
  constexpr std::int64_t activations = 4 * batch / 4 * length * width;
  static_assert(cost.bytes_over<transformer::mp>() == 8 * activations);
  constexpr std::int64_t of_layer = 4 * width * width / 2 + 2 * width * hidden / 2 + hidden / 2 + 5 * width,
                         of_all = vocabulary * width + length * width + 2 * of_layer + 2 * width + width * vocabulary;
  static_assert(cost.bytes_over<transformer::dp>() == 2 * 3 * 4 * (of_all + 1) / 4);
}

}  // namespace
