// SPDX-License-Identifier: Apache-2.0
// What no turn of a loop changes is sent and computed once before it, in each kind of loop, over Explicit and Auto axes
// and in shard_map. Bytes by hand, values against loops over whole arrays.

#include "support/counted_call.hpp"
#include "support/on_grid.hpp"

#include <tuple>
#include <vector>

namespace {

using namespace on_grid;
using support::counted_call;
using sent = ts::collective;
using numbers = std::vector<double>;

constexpr std::size_t rows = 8, columns = 4;
constexpr std::int64_t gathered =
    columns * columns * 8 * 3 / 4;  // of w (4, 4) over dp: three blocks of four are received

// tanh(h f(w)), `turns` times.
template <class F>
numbers after(int turns, F f) {
  numbers h = wave(rows * columns, 0.5), w = wave(columns * columns, 0.3);
  for (double& value : w) value = f(value);
  for (int t = 0; t < turns; ++t) {
    numbers next(h.size());
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j) {
        for (std::size_t k = 0; k < columns; ++k) next[i * columns + j] += h[i * columns + k] * w[k * columns + j];
        next[i * columns + j] = std::tanh(next[i * columns + j]);
      }
    h = next;
  }
  return h;
}
auto on_h() { return put<ts::P<dp>, rows, columns>(wave(rows * columns, 0.5)); }
auto on_w() { return put<ts::P<dp>, columns, columns>(wave(columns * columns, 0.3)); }
using h_type = decltype(on_h());
using w_type = decltype(on_w());

enum class kind { scan, fori_loop, counted_when_run, while_loop, checkpoint, nested };

// A loop of five turns; Read makes of w what each turn multiplies by.
template <kind Kind, class Read>
struct looped {
  constexpr auto operator()(auto h, auto w) const {
    auto const turn = [&](auto h) { return ts::tanh(ts::matmul(h, Read{}(w))); };
    if constexpr (Kind == kind::scan) {
      return std::get<0>(ts::scan<5>([&](auto h) { return std::tuple{turn(h), std::tuple{}}; }, h));
    } else if constexpr (Kind == kind::fori_loop) {
      return ts::fori_loop(
          0, 5, [&](auto, auto h) { return turn(h); }, h);
    } else if constexpr (Kind == kind::counted_when_run) {
      auto const begin = ts::astype<std::int32_t>(ts::sum(h) * 0.0);
      return ts::fori_loop(
          begin, begin + 5, [&](auto, auto h) { return turn(h); }, h);
    } else if constexpr (Kind == kind::while_loop) {
      return std::get<1>(ts::while_loop([](auto c) { return std::get<0>(c) < 5; },
                                        [&](auto c) {
                                          return std::tuple{std::get<0>(c) + 1, turn(std::get<1>(c))};
                                        },
                                        std::tuple{0, h}));
    } else if constexpr (Kind == kind::checkpoint) {
      return ts::fori_loop(
          0, 5, [&](auto, auto h) { return ts::checkpoint(turn)(h); }, h);
    } else {
      auto const inner = [&](auto h) {
        return ts::fori_loop(
            0, 5, [&](auto, auto h) { return turn(h); }, h);
      };
      return std::get<0>(ts::scan<1>([&](auto h) { return std::tuple{inner(h), std::tuple{}}; }, h));
    }
  }
};
constexpr auto resharded = [](auto w) { return ts::reshard<ts::P<>>(w); };
constexpr auto computed = [](auto w) { return ts::reshard<ts::P<>>(ts::sin(w) * 2.0); };
using resharded_type = std::remove_const_t<decltype(resharded)>;
using computed_type = std::remove_const_t<decltype(computed)>;

template <kind Kind>
void check() {
  auto const h = on_h();
  auto const w = on_w();
  if constexpr (Kind != kind::counted_when_run) {
    static_assert(ts::comm_of<looped<Kind, resharded_type>, h_type, w_type>.bytes() == gathered);
    static_assert(ts::comm_of<looped<Kind, computed_type>, h_type, w_type>.bytes() == gathered);
  }
  expect(counted_call<true>(looped<Kind, resharded_type>{}, h, w), after(5, [](double x) { return x; }));
  expect(counted_call<true>(looped<Kind, computed_type>{}, h, w), after(5, [](double x) { return 2 * std::sin(x); }));
}
TEST(loop_invariants, are_sent_before_each_kind_of_loop) {
  check<kind::scan>();
  check<kind::fori_loop>();
  check<kind::while_loop>();
  check<kind::checkpoint>();
  check<kind::nested>();
  check<kind::counted_when_run>();
  using counted_loop = looped<kind::counted_when_run, resharded_type>;  // and the sum that its bounds are made of
  static_assert(ts::comm_of<counted_loop, h_type, w_type>.bytes() == gathered + 2 * 8 * 3 / 4);
}

// The condition of a while_loop, sums, products over split rows, a bound, collectives of shard_map.
constexpr auto in_condition = [](auto h, auto w) {
  return std::get<0>(ts::while_loop([&](auto c) { return std::get<1>(c) < ts::sum(ts::abs(w)); },
                                    [](auto c) {
                                      return std::tuple{std::get<0>(c) * 0.5, std::get<1>(c) + 1.0};
                                    },
                                    std::tuple{h, 0.0}));
};
constexpr auto products = [](auto h, auto w) {
  return ts::fori_loop(
      0, 5,
      [&](auto, auto h) {
        auto const squares = ts::matmul(ts::transpose(w), w, ts::out_sharding<ts::P<>>);
        return ts::tanh(ts::matmul(h, squares)) + ts::max(w);
      },
      h);
};
constexpr auto manual = [](auto h, auto w) {
  return ts::shard_map<ts::in_specs<ts::P<dp>, ts::P<dp>>, ts::out_specs<ts::P<dp>>>([](auto h, auto w) {
    return ts::fori_loop(
        0, 5, [&](auto, auto h) { return ts::tanh(ts::matmul(h, ts::all_gather<dp>(w, ts::tiled))); }, h);
  })(h, w);
};
TEST(loop_invariants, are_summed_and_multiplied_before_a_loop) {
  auto const h = on_h();
  auto const w = on_w();
  numbers const of_h = wave(rows * columns, 0.5), of_w = wave(columns * columns, 0.3);
  static_assert(ts::comm_of<decltype(in_condition), h_type, w_type>.bytes() == 2 * 8 * 3 / 4);
  double most = -1, sum = 0;
  for (double x : of_w) {
    sum += std::abs(x);
    most = std::max(most, x);
  }
  numbers want = of_h;
  for (double turn = 0; turn < sum; ++turn)
    for (double& x : want) x /= 2;
  expect(counted_call<true>(in_condition, h, w), want);

  static_assert(ts::comm_of<decltype(products), h_type, w_type>.bytes() == 2 * (16 + 1) * 8 * 3 / 4);
  want = of_h;
  for (int t = 0; t < 5; ++t) {
    numbers next(want.size(), 0);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j) {
        for (std::size_t k = 0; k < columns; ++k)
          for (std::size_t l = 0; l < columns; ++l)
            next[i * columns + j] += want[i * columns + k] * of_w[l * columns + k] * of_w[l * columns + j];
        next[i * columns + j] = std::tanh(next[i * columns + j]) + most;
      }
    want = next;
  }
  expect(counted_call<true>(products, h, w), want);

  static_assert(ts::comm_of<decltype(manual), h_type, w_type>.bytes() == gathered);
  expect(counted_call<true>(manual, h, w), after(5, [](double x) { return x; }));
}

// What a turn changes, what one branch of a choice reads, and what no turn reads, stay.
constexpr auto changed = [](auto h, auto w) {
  return std::get<1>(ts::fori_loop(
      0, 5,
      [&](auto, auto c) {
        auto const w = std::get<0>(c);
        return std::tuple{w * 0.5, ts::tanh(ts::matmul(std::get<1>(c), ts::reshard<ts::P<>>(w)))};
      },
      std::tuple{w, h}));
};
constexpr auto chosen = [](auto h, auto w) {
  return ts::fori_loop(
      0, 5,
      [&](auto i, auto h) {
        return ts::cond(
            i < 2, [&](auto h) { return ts::tanh(ts::matmul(h, ts::reshard<ts::P<>>(w))); },
            [](auto h) { return h * 2.0; }, h);
      },
      h);
};
constexpr auto unread = [](auto h, auto w) {
  return ts::fori_loop(
      0, 5,
      [&](auto, auto h) {
        auto const unused = ts::matmul(h, ts::reshard<ts::P<>>(w));
        static_cast<void>(unused);
        return h * 2.0;
      },
      h);
};
constexpr auto never_run = [](auto h, auto w) {
  return std::get<0>(ts::scan<0>(
      [&](auto h) {
        return std::tuple{ts::tanh(ts::matmul(h, ts::reshard<ts::P<>>(w))), std::tuple{}};
      },
      h));
};
static_assert(ts::comm_of<decltype(changed), h_type, w_type>.bytes() == 5 * gathered);
static_assert(ts::comm_of<decltype(unread), h_type, w_type>.bytes() == 0);
static_assert(ts::comm_of<decltype(never_run), h_type, w_type>.bytes() == 0);
TEST(loop_invariants, do_not_leave_a_branch) {
  static_assert(ts::comm_of<decltype(chosen), h_type, w_type>.bytes() == ts::dynamic);
  numbers want = after(2, [](double x) { return x; });
  for (double& x : want) x *= 8;
  expect(counted_call<true>(chosen, on_h(), on_w()), want);
}

// The gradient of a loop that gathers: once before it, once before the loop back, and one sum behind that.
struct loss {
  constexpr auto operator()(auto h, auto w) const { return ts::sum(looped<kind::fori_loop, resharded_type>{}(h, w)); }
};
TEST(loop_invariants, have_gradients) {
  auto const gradient = ts::grad<1>(loss{});
  auto const made = counted_call<true>(gradient, on_h(), on_w()).to_host();
  numbers const w = wave(columns * columns, 0.3);
  auto const at = [](numbers const& w) {
    numbers h = wave(rows * columns, 0.5);
    double all = 0;
    for (int t = 0; t < 5; ++t) {
      numbers next(h.size());
      for (std::size_t i = 0; i < h.size(); ++i) {
        for (std::size_t k = 0; k < columns; ++k)
          next[i] += h[i / columns * columns + k] * w[k * columns + i % columns];
        next[i] = std::tanh(next[i]);
      }
      h = next;
    }
    for (double x : h) all += x;
    return all;
  };
  for (std::size_t i = 0; i < w.size(); ++i) {
    numbers more = w, less = w;
    more[i] += 1e-5;
    less[i] -= 1e-5;
    EXPECT_NEAR(made[i], (at(more) - at(less)) / 2e-5, 1e-7) << i;
  }
}

// Over Auto axes w is split, and each turn reads it whole.
using auto_grid = ts::mesh<ts::auto_axis<dp, 4>, ts::auto_axis<mp, 2>>;
using auto_h = ts::array_type<double, ts::shape<rows, columns>, ts::P<>, auto_grid>;
using auto_w = ts::array_type<double, ts::shape<columns, columns>, ts::P<>, auto_grid>;
constexpr auto as_it_is = [](auto w) { return w; };
template <kind Kind>
constexpr auto split_rows = ts::jit<ts::in_shardings<ts::P<dp>, ts::P<dp>>, ts::out_shardings<ts::P<dp>>>(
    looped<Kind, std::remove_const_t<decltype(as_it_is)>>{});
template <kind Kind>
constexpr auto bytes_of_auto = ts::comm_of<decltype(split_rows<Kind>), auto_h, auto_w>.bytes();
static_assert(bytes_of_auto<kind::scan> == gathered && bytes_of_auto<kind::fori_loop> == gathered);
static_assert(bytes_of_auto<kind::while_loop> == gathered && bytes_of_auto<kind::checkpoint> == gathered);

}  // namespace
