// SPDX-License-Identifier: Apache-2.0
// Carried values that are partial sums in all turns of a loop, and added up once after it: behind each linear
// operation, a checkpoint, a psum, an inner loop. Bytes by hand, values against loops over whole arrays.

#include "support/counted_call.hpp"
#include "support/on_grid.hpp"

#include <tuple>
#include <vector>

namespace {

using namespace on_grid;
using support::counted_call;
using sent = ts::collective;
using numbers = std::vector<double>;

constexpr std::size_t turns = 3, rows = 8, inner = 4, columns = 6;
constexpr std::int64_t one_sum = 2 * columns * 8;  // half of a block of (2, 6) doubles over mp, there and back

// Of turn t: the product of x[t] (8, 4), split over dp and mp, and w (4, 6), which leaves partial sums over mp.
numbers product_of(numbers const& x, numbers const& w, std::size_t t) {
  numbers made(rows * columns);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < inner; ++k)
      for (std::size_t j = 0; j < columns; ++j)
        made[i * columns + j] += x[(t * rows + i) * inner + k] * w[k * columns + j];
  return made;
}
constexpr auto product = [](auto row, auto w) { return ts::matmul(row, w, ts::out_sharding<ts::P<dp, ts::none>>); };

struct operands {
  numbers c = wave(rows * columns, 0.7), x = wave(turns * rows * inner, 0.5), w = wave(inner * columns, 0.3),
          r = wave(rows * columns, 0.9);
  auto on_c() const { return put<ts::P<dp, ts::none>, rows, columns>(c); }
  auto on_x() const { return put<ts::P<ts::none, dp, mp>, turns, rows, inner>(x); }
  auto on_w() const { return put<ts::P<mp, ts::none>, inner, columns>(w); }
  auto on_r() const { return put<ts::P<dp, ts::none>, rows, columns>(r); }
  // Each turn makes step(c, product, r) of each element.
  template <class F>
  numbers after(F step) const {
    numbers made = c;
    for (std::size_t t = 0; t < turns; ++t) {
      numbers const g = product_of(x, w, t);
      for (std::size_t i = 0; i < made.size(); ++i) made[i] = step(made[i], g[i], r[i]);
    }
    return made;
  }
};

template <class Step>
struct looped {
  constexpr auto operator()(auto c, auto x, auto w, auto r) const {
    return std::get<0>(ts::scan(
        [&](auto c, auto row) {
          return std::tuple{Step{}(c, product(row, w), r), std::tuple{}};
        },
        c, x));
  }
};
template <std::int64_t Sums, class Step, class Wanted>
void check(Step, Wanted wanted) {
  operands const given;
  auto const c = given.on_c(), r = given.on_r();
  auto const x = given.on_x();
  auto const w = given.on_w();
  using function = looped<Step>;
  constexpr auto const& cost = ts::comm_of<function, decltype(c), decltype(x), decltype(w), decltype(r)>;
  static_assert(cost.count() == Sums && cost.bytes() == Sums * one_sum);
  expect(counted_call(function{}, c, x, w, r), given.after(wanted));
}

TEST(loop_sums, leave_through_each_linear_operation) {
  check<1>([](auto c, auto g, auto) { return c - g; }, [](double c, double g, double) { return c - g; });
  check<1>([](auto c, auto g, auto) { return g - c; }, [](double c, double g, double) { return g - c; });
  check<1>([](auto c, auto g, auto) { return c + 0.5 * g; }, [](double c, double g, double) { return c + 0.5 * g; });
  check<1>([](auto c, auto g, auto) { return c - g / 10; }, [](double c, double g, double) { return c - g / 10; });
  check<1>([](auto c, auto g, auto) { return c * 0.75 + (-g); },
           [](double c, double g, double) { return 0.75 * c - g; });
  check<1>([](auto c, auto g, auto) { return -(c / 2 + g) * 3; },
           [](double c, double g, double) { return -3 * (c / 2 + g); });
  check<1>([](auto c, auto g, auto) { return ts::train::accumulate(c, g, 10); },
           [](double c, double g, double) { return c + g / 10; });
}

// The first device along mp adds what is no partial sum.
TEST(loop_sums, leave_together_with_other_terms) {
  check<1>([](auto c, auto g, auto r) { return c + g + 0.25 * r; },
           [](double c, double g, double r) { return c + g + 0.25 * r; });
  check<1>([](auto c, auto g, auto r) { return r - (c * 0.5 - g); },
           [](double c, double g, double r) { return r - (c / 2 - g); });
}

// What another operation reads, or is multiplied by what may be infinite, is added up in each turn.
TEST(loop_sums, stay_where_an_operation_is_not_linear) {
  check<3>([](auto c, auto g, auto) { return ts::tanh(c) + g; },
           [](double c, double g, double) { return std::tanh(c) + g; });
  check<3>([](auto c, auto g, auto) { return c + ts::tanh(g); },
           [](double c, double g, double) { return c + std::tanh(g); });
  check<3>([](auto c, auto g, auto r) { return c * r + g; }, [](double c, double g, double r) { return c * r + g; });
  check<3>([](auto c, auto g, auto) { return c + c + g; }, [](double c, double g, double) { return 2 * c + g; });
  check<3>([](auto c, auto g, auto) { return c * g; }, [](double c, double g, double) { return c * g; });
  check<3>([](auto c, auto g, auto) { return 1.0 / c + g; }, [](double c, double g, double) { return 1 / c + g; });
}

// Two carried values leave as partial sums, a third is read in each turn; so does the result of an inner loop.
constexpr auto of_three = [](auto c, auto x, auto w) {
  return std::get<0>(ts::scan(
      [&](auto all, auto row) {
        auto [a, b, d] = all;
        return std::tuple{std::tuple{a - product(row, w), b * 0.5 + product(row, 2.0 * w), ts::sin(d)}, std::tuple{}};
      },
      std::tuple{c, c, c}, x));
};
constexpr auto of_inner_loops = [](auto c, auto x, auto w) {
  return ts::fori_loop(
      0, 2,
      [&](auto i, auto c) {
        auto const sum = std::get<0>(ts::scan(
            [&](auto c, auto row) {
              return std::tuple{c * 0.5 + product(row, w), std::tuple{}};
            },
            c, x));
        return sum - product(x.at(i).get(), w);
      },
      c);
};
TEST(loop_sums, leave_loops_of_several_values_and_inner_loops) {
  operands const given;
  auto const c = given.on_c();
  auto const x = given.on_x();
  auto const w = given.on_w();
  static_assert(ts::comm_of<decltype(of_three), decltype(c), decltype(x), decltype(w)>.bytes() == 2 * one_sum);
  auto const [a, b, d] = counted_call(of_three, c, x, w);
  expect(a, given.after([](double c, double g, double) { return c - g; }));
  expect(b, given.after([](double c, double g, double) { return c / 2 + 2 * g; }));
  expect(d, given.after([](double c, double, double) { return std::sin(c); }));
  static_assert(ts::comm_of<decltype(of_inner_loops), decltype(c), decltype(x), decltype(w)>.bytes() == one_sum);
  operands again = given;
  for (std::size_t turn = 0; turn < 2; ++turn) {
    numbers const g = product_of(given.x, given.w, turn);
    again.c = again.after([](double c, double g, double) { return c / 2 + g; });
    for (std::size_t i = 0; i < g.size(); ++i) again.c[i] -= g[i];
  }
  expect(counted_call(of_inner_loops, c, x, w), again.c);
}

// Sums of the turns' bfloat16 products in float32, and of int32.
constexpr auto of_halves = [](auto c, auto x, auto w) {
  return std::get<0>(ts::scan(
      [&](auto c, auto row) {
        return std::tuple{c + 0.5f * product(row, w), std::tuple{}};
      },
      c, x));
};
constexpr auto of_wider = [](auto c, auto x, auto w) {
  return std::get<0>(ts::scan(
      [&](auto c, auto row) {
        return std::tuple{c + 0.5f * ts::astype<float>(product(row, w)), std::tuple{}};
      },
      c, x));
};
template <class T>
using of_c = ts::array_type<T, ts::shape<rows, columns>, ts::P<dp, ts::none>, grid>;
template <class T>
using of_x = ts::array_type<T, ts::shape<turns, rows, inner>, ts::P<ts::none, dp, mp>, grid>;
template <class T>
using of_w = ts::array_type<T, ts::shape<inner, columns>, ts::P<mp, ts::none>, grid>;
static_assert(ts::comm_of<decltype(of_halves), of_c<ts::bfloat16>, of_x<ts::bfloat16>, of_w<ts::bfloat16>>.bytes() ==
              one_sum / 4);
static_assert(ts::comm_of<decltype(of_wider), of_c<float>, of_x<ts::bfloat16>, of_w<ts::bfloat16>>.bytes() ==
              one_sum / 2);
constexpr auto of_integers = [](auto c, auto x, auto w) {
  return std::get<0>(ts::scan(
      [&](auto c, auto row) {
        return std::tuple{c * 3 - product(row, w), std::tuple{}};
      },
      c, x));
};
TEST(loop_sums, leave_in_other_dtypes) {
  operands const given;
  auto const of_eighths = [](numbers values) {  // exact in bfloat16, as are their sums
    for (double& value : values) value = std::round(4 * value) / 4;
    return values;
  };
  operands few = given;
  few.c = of_eighths(few.c);
  few.x = of_eighths(few.x);
  few.w = of_eighths(few.w);
  auto const c = ts::astype<float>(few.on_c());
  auto const x = ts::astype<ts::bfloat16>(few.on_x());
  auto const w = ts::astype<ts::bfloat16>(few.on_w());
  expect(ts::astype<double>(counted_call(of_wider, c, x, w)),
         few.after([](double c, double g, double) { return c + g / 2; }));
  auto const whole = [](auto const& a) { return ts::astype<std::int32_t>(a * 8.0); };
  for (auto* values : {&few.c, &few.x, &few.w})
    for (double& value : *values) value *= 8;
  auto const sums = counted_call(of_integers, whole(c), whole(x), whole(w));
  expect(ts::astype<double>(sums), few.after([](double c, double g, double) { return 3 * c - g; }));
}

// Gradients by shared weights, over dp: what a checkpoint computes again, what shard_map's psum adds up.
constexpr std::int64_t weights_sum = 2 * 3 * inner * inner * 8 / 4;
constexpr auto turn = [](auto w, auto h) { return ts::tanh(ts::matmul(h, w)); };
template <class Turn>
struct loss {
  constexpr auto operator()(auto w, auto h) const {
    return ts::sum(ts::fori_loop(
        0, 3, [&](auto, auto h) { return Turn{}(w, h); }, h));
  }
};
struct remat_turn {
  constexpr auto operator()(auto w, auto h) const { return ts::checkpoint(turn)(w, h); }
};
struct manual_loss {
  constexpr auto operator()(auto w, auto h) const {
    return ts::shard_map<ts::in_specs<ts::P<>, ts::P<dp>>, ts::out_specs<ts::P<>>>(
        [](auto w, auto h) { return ts::psum<dp>(loss<decltype(turn)>{}(w, h)); })(w, h);
  }
};
numbers gradient_of_loss(numbers const& w, numbers const& begin) {
  std::vector<numbers> h{begin};
  for (int t = 0; t < 3; ++t) {
    numbers next(rows * inner);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < inner; ++j) {
        for (std::size_t k = 0; k < inner; ++k) next[i * inner + j] += h.back()[i * inner + k] * w[k * inner + j];
        next[i * inner + j] = std::tanh(next[i * inner + j]);
      }
    h.push_back(next);
  }
  numbers back(rows * inner, 1), made(inner * inner);
  for (std::size_t t = 3; t > 0; --t) {
    numbers before(rows * inner);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < inner; ++j) {
        double const y = h[t][i * inner + j], g = back[i * inner + j] * (1 - y * y);
        for (std::size_t k = 0; k < inner; ++k) {
          made[k * inner + j] += h[t - 1][i * inner + k] * g;
          before[i * inner + k] += g * w[k * inner + j];
        }
      }
    back = before;
  }
  return made;
}
TEST(loop_sums, leave_checkpoints_and_shard_map) {
  numbers const w = wave(inner * inner, 0.3), h = wave(rows * inner, 0.5), want = gradient_of_loss(w, h);
  auto const on_w = put<ts::P<>, inner, inner>(w);
  auto const on_h = put<ts::P<dp>, rows, inner>(h);
  auto const remat = ts::grad(loss<remat_turn>{});
  auto const manual = ts::grad(manual_loss{});
  static_assert(ts::comm_of<decltype(remat), decltype(on_w), decltype(on_h)>.bytes() == weights_sum);
  static_assert(ts::comm_of<decltype(manual), decltype(on_w), decltype(on_h)>.bytes() == weights_sum);
  expect(counted_call(remat, on_w, on_h), want);
  expect(counted_call(manual, on_w, on_h), want);
}

// Over Auto axes, and where seven rows are split over four devices.
using auto_grid = ts::mesh<ts::auto_axis<dp, 4>, ts::auto_axis<mp, 2>>;
using auto_c = ts::array_type<double, ts::shape<rows, columns>, ts::P<>, auto_grid>;
using auto_x = ts::array_type<double, ts::shape<turns, rows, inner>, ts::P<>, auto_grid>;
using auto_w = ts::array_type<double, ts::shape<inner, columns>, ts::P<>, auto_grid>;
constexpr auto without_layouts = [](auto c, auto x, auto w) {
  return std::get<0>(ts::scan(
      [&](auto c, auto row) {
        return std::tuple{c * 0.5 - ts::matmul(row, w), std::tuple{}};
      },
      c, x));
};
constexpr auto in_layouts =
    ts::jit<ts::in_shardings<ts::P<dp>, ts::P<ts::none, dp, mp>, ts::P<mp>>, ts::out_shardings<ts::P<dp>>>(
        without_layouts);
static_assert(ts::comm_of<decltype(in_layouts), auto_c, auto_x, auto_w>.bytes() == one_sum);

// The rows of a gradient are split, as those of its weights: gathered once for each pass, and scattered once.
using auto_line = ts::mesh<ts::auto_axis<dp, 8>>;
using split_weights = ts::array_type<float, ts::shape<64, 64>, ts::P<>, auto_line>;
using split_inputs = ts::array_type<float, ts::shape<32, 64>, ts::P<>, auto_line>;
struct auto_gradient {
  constexpr auto operator()(auto w, auto h) const {
    auto const sum = [](auto w, auto h) {
      return ts::sum(ts::fori_loop(
          0, 10, [&](auto, auto h) { return ts::tanh(ts::matmul(h, w)); }, h));
    };
    return ts::grad(sum)(w, h);
  }
};
constexpr auto of_split_weights =
    ts::jit<ts::in_shardings<ts::P<dp>, ts::P<dp>>, ts::out_shardings<ts::P<dp>>>(auto_gradient{});
static_assert(ts::comm_of<decltype(of_split_weights), split_weights, split_inputs>.bytes() == 3 * 64 * 64 * 4 * 7 / 8);

using uneven_grid = ts::mesh<ts::uneven_axis<dp, 4>, ts::uneven_axis<mp, 2>>;
TEST(loop_sums, leave_where_rows_are_split_unevenly) {
  operands given;
  given.c = wave(7 * columns, 0.7);
  given.r = wave(7 * columns, 0.9);
  given.x = wave(turns * 7 * inner, 0.5);
  auto const mesh = ts::make_mesh<uneven_grid>(ts::devices());
  auto const c = ts::device_put<ts::P<dp>>(ts::host<7, columns>(given.c), mesh),
             r = ts::device_put<ts::P<dp>>(ts::host<7, columns>(given.r), mesh);
  auto const x = ts::device_put<ts::P<ts::none, dp, mp>>(ts::host<turns, 7, inner>(given.x), mesh);
  auto const w = ts::device_put<ts::P<mp>>(ts::host<inner, columns>(given.w), mesh);
  auto const step = [](auto c, auto g, auto r) { return c * 0.5 - g + r; };
  using function = looped<std::remove_const_t<decltype(step)>>;
  static_assert(ts::comm_of<function, decltype(c), decltype(x), decltype(w), decltype(r)>.count() == 1);
  numbers want = given.c;
  for (std::size_t t = 0; t < turns; ++t)
    for (std::size_t i = 0; i < 7; ++i)
      for (std::size_t j = 0; j < columns; ++j) {
        double g = 0;
        for (std::size_t k = 0; k < inner; ++k) g += given.x[(t * 7 + i) * inner + k] * given.w[k * columns + j];
        want[i * columns + j] = want[i * columns + j] / 2 - g + given.r[i * columns + j];
      }
  expect(counted_call(function{}, c, x, w, r), want);
}

}  // namespace
