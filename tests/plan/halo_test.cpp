// SPDX-License-Identifier: Apache-2.0
// Convolutions and windows along split dimensions: what neighbors send, in bytes and messages by hand, and values and
// gradients against the oracle and the same function of whole arrays.

#include "support/on_grid.hpp"
#include "support/oracle/windows.hpp"

#include <tuple>
#include <vector>

namespace {

using namespace on_grid;
using ts::axes;
using ts::none;
using ts::P;
using sent = ts::collective;

template <class F>
struct squares {
  constexpr auto operator()(auto... x) const {
    auto const y = F{}(x...);
    return ts::sum(y * y * y);
  }
};
template <class F>
using slopes = decltype(ts::grad<0, 1>(squares<F>{}));
template <class F>
using slope = decltype(ts::grad(squares<F>{}));

template <auto... Options>
struct filtered {
  constexpr auto operator()(auto x, auto k) const { return ts::conv(x, k, Options...); }
};
constexpr auto shifted = ts::pads<2, 0, 0, 2>;
constexpr auto cropped = ts::pads<-1, 3, 2, 0>;
constexpr auto behind = ts::pads<3, -1, 1, 1>;

// Bytes: images are 2 x 4 x 16 x 8 of float64, a row of places is 2 x 4 x 8 of them.
template <class S, class M = grid>
using images = ts::array_type<double, ts::shape<2, 4, 16, 8>, S, M>;
template <std::int64_t H, std::int64_t W, class M = grid>
using kernel = ts::array_type<double, ts::shape<2, 4, H, W>, P<>, M>;
template <class F, class S, std::int64_t H = 3, std::int64_t W = 3>
constexpr auto const& cost = ts::comm_of<F, images<S>, kernel<H, W>>;
using smooth = filtered<ts::same>;
using by_rows = P<none, none, dp>;
constexpr std::int64_t row = 2 * 4 * 8 * 8, column = 2 * 4 * 16 * 8, weights = 2 * 4 * 3 * 3 * 8;

static_assert(cost<smooth, by_rows>.count(sent::permute) == 2 && cost<smooth, by_rows>.count() == 2);
static_assert(cost<smooth, by_rows>.bytes() == 2 * row);
static_assert(cost<smooth, P<none, none, none, mp>>.bytes() == 2 * column &&
              cost<smooth, P<none, none, none, mp>>.count() == 2);
static_assert(cost<smooth, P<mp, none, dp>>.bytes() == row);
static_assert(cost<smooth, P<none, none, dp, mp>>.count() == 4);  // rows of half the width, then columns of 4 + 2 rows
static_assert(cost<smooth, P<none, none, dp, mp>>.bytes() == row + column * 6 / 8);
static_assert(cost<filtered<ts::same, ts::strided<2, 2>>, by_rows>.bytes() == row);  // only from behind
static_assert(cost<filtered<ts::same, ts::strided<2, 2>>, by_rows>.count() == 1);
static_assert(cost<filtered<ts::same, ts::dilated<2, 2>>, by_rows>.bytes() == 4 * row);
static_assert(cost<filtered<shifted>, by_rows>.bytes() == 2 * row && cost<filtered<shifted>, by_rows>.count() == 1);
static_assert(cost<filtered<ts::strided<4, 2>>, by_rows>.count() == 0);  // windows of one block each
// From neighbors of neighbors, and where that is more than all of it.
static_assert(cost<smooth, P<none, none, axes<dp, mp>>, 7>.count(sent::permute) == 4);
static_assert(cost<smooth, P<none, none, axes<dp, mp>>, 7>.bytes() == 6 * row);
static_assert(cost<smooth, P<none, none, mp>, 9>.bytes() == 8 * row);
static_assert(cost<smooth, P<none, none, mp>, 11>.count(sent::all_gather) == 1);
static_assert(cost<smooth, P<none, none, mp>, 11>.bytes() == 8 * row);
// The gradients: what was added up for neighbors goes back to them, and the kernel's is summed.
static_assert(cost<slopes<smooth>, by_rows>.count(sent::permute) == 4 && cost<slopes<smooth>, by_rows>.count() == 5);
static_assert(cost<slopes<smooth>, by_rows>.bytes(ts::program_pass::backward) == 2 * row + weights * 2 * 3 / 4);
static_assert(cost<slope<smooth>, by_rows>.bytes() == 4 * row);

template <class F, class S, class... Rest>
constexpr auto const& planned =
    ts::comm_of<decltype(ts::jit<ts::in_shardings<S, P<>>, ts::out_shardings<Rest...>>(F{})),
                images<P<>, ts::mesh<ts::auto_axis<dp, 4>, ts::auto_axis<mp, 2>>>,
                kernel<3, 3, ts::mesh<ts::auto_axis<dp, 4>, ts::auto_axis<mp, 2>>>>;
static_assert(planned<smooth, by_rows, ts::unspecified>.bytes() == 2 * row);
static_assert(planned<smooth, P<none, none, none, mp>, ts::unspecified>.bytes() == 2 * column);
static_assert(planned<smooth, P<none, none, dp, mp>, ts::unspecified>.bytes() == row + column * 6 / 8);
static_assert(planned<slopes<smooth>, by_rows, ts::unspecified, ts::unspecified>.bytes() ==
              4 * row + weights * 2 * 3 / 4);
// Valid windows of the rows of one block end in another's: that is gathered.
static_assert(planned<filtered<>, by_rows, ts::unspecified>.count(sent::all_gather) == 1);

// Windows are nine times the images: they are in memory neither forward nor between the passes.
static_assert(ts::memory_of<slopes<smooth>, images<P<>>, kernel<3, 3>>.temporaries <= 4 * (2 * 4 * 16 * 8 * 8));

struct deep {
  constexpr auto operator()(auto x, auto k) const {
    return ts::conv(ts::tanh(ts::conv(x, k, ts::same)), ts::transpose<1, 0, 2, 3>(k), ts::same);
  }
};
static_assert(cost<deep, by_rows>.bytes() == 3 * row);  // of 4 features, and of 2

TEST(halo, explain_says_why) {
  auto const text = ts::explain<smooth, images<by_rows>, kernel<3, 3>>({"x", "k"});
  EXPECT_NE(text.find("windows reach into the neighbors' blocks of x"), std::string::npos) << text;
}

struct windows {
  constexpr auto operator()(auto x) const { return ts::reduce_window_max(x, ts::window<1, 1, 3, 3>, ts::same); }
};
struct pools {
  constexpr auto operator()(auto x) const {
    return ts::avg_pool(ts::transpose<0, 2, 3, 1>(x), ts::window<2, 2>, ts::strided<2, 2>);
  }
};
template <class F, class S>
constexpr auto const& cost_of_windows = ts::comm_of<F, images<S>>;
static_assert(cost_of_windows<windows, P<none, none, dp, mp>>.bytes() == row + column * 6 / 8);
static_assert(cost_of_windows<slope<windows>, by_rows>.bytes() == 4 * row);
static_assert(cost_of_windows<pools, P<none, none, dp, mp>>.count() == 0);
static_assert(cost_of_windows<slope<pools>, P<none, none, dp, mp>>.count() == 0);

oracle::tensor tensor_of(oracle::ints const& extents, double scale) {
  oracle::tensor x = oracle::zeros(extents);
  x.data = wave(x.data.size(), scale);
  return x;
}
template <class X>
void expect_same(X const& got, auto const& want, double bound = 1e-10, int line = __builtin_LINE()) {
  SCOPED_TRACE(line);
  auto const numbers = want.to_host();
  expect(got, {numbers.begin(), numbers.end()}, bound);
}

template <class F, class S, std::int64_t H, std::int64_t W, class K>
void check_split(K const& k, std::vector<double> const& values, auto const& slopes_of_whole) {
  SCOPED_TRACE(std::string(ts::type_name<S>()));
  auto const x = put<S, 2, 4, 16, 8>(0.7);
  expect(run<F>(x, k), values, 1e-10);
  auto const [by_x, by_k] = run<slopes<F>>(x, k);
  expect_same(by_x, std::get<0>(slopes_of_whole));
  expect_same(by_k, std::get<1>(slopes_of_whole));
}
template <class F, std::int64_t H, std::int64_t W, class... S>
void check(oracle::window_of const& w) {
  SCOPED_TRACE(std::string(ts::type_name<F>()));
  auto const k = put<P<>, 2, 4, H, W>(0.4);
  auto const values = oracle::conv(tensor_of({2, 4, 16, 8}, 0.7), tensor_of({2, 4, H, W}, 0.4), w).data;
  auto const whole = run<slopes<F>>(put<P<>, 2, 4, 16, 8>(0.7), k);
  (check_split<F, S, H, W>(k, values, whole), ...);
}

TEST(halo, convolutions_of_blocks_are_those_of_the_whole) {
  using columns = P<none, none, none, dp>;
  using both = P<none, none, dp, mp>;
  using deep_rows = P<none, none, axes<dp, mp>>;
  check<smooth, 3, 3, by_rows, P<mp, none, dp>, columns, both, P<none, none, mp, dp>, deep_rows>(
      {{1, 1}, {1, 1}, {1, 1}});
  check<filtered<ts::same, ts::strided<2, 2>>, 3, 3, by_rows, columns, both, deep_rows>({{2, 2}, {0, 0}, {1, 1}});
  check<filtered<ts::same, ts::dilated<2, 2>>, 3, 3, by_rows, columns, both, deep_rows>(
      {{1, 1}, {2, 2}, {2, 2}, {2, 2}});
  check<filtered<shifted>, 3, 3, by_rows, columns, both, deep_rows>({{1, 1}, {2, 0}, {0, 2}});
  check<filtered<cropped>, 3, 3, by_rows, columns, both, deep_rows>({{1, 1}, {-1, 2}, {3, 0}});
  check<filtered<behind, ts::strided<2, 1>>, 3, 3, by_rows, both>({{2, 1}, {3, 1}, {-1, 1}});
  check<filtered<ts::strided<4, 2>>, 3, 2, by_rows, both>({{4, 2}, {0, 0}, {0, 0}});
  check<smooth, 7, 2, by_rows, both, deep_rows>({{1, 1}, {3, 0}, {3, 1}});
  check<smooth, 11, 5, by_rows, columns, both, deep_rows>({{1, 1}, {5, 2}, {5, 2}});
}

#ifndef TESSERA_BY_DAY
// Over Auto axes, of features in the last dimension, of split features, in a vmap.
struct last {
  constexpr auto operator()(auto x, auto k) const {
    return ts::transpose<0, 3, 1, 2>(
        ts::conv(ts::transpose<0, 2, 3, 1>(x), ts::transpose<2, 3, 1, 0>(k), ts::nhwc, ts::same));
  }
};
template <class S>
struct featured {
  constexpr auto operator()(auto x, auto k) const { return ts::conv(x, k, ts::same, ts::out_sharding<S>); }
};
struct mapped {
  constexpr auto operator()(auto x, auto k) const {
    return ts::vmap<ts::in_axes<0, ts::unmapped>>([](auto image, auto filter) {
      auto const one = ts::conv(ts::expand_dims<0>(image), filter, ts::same);
      return ts::squeeze<0>(one);
    })(x, k);
  }
};
TEST(halo, in_any_program) {
  auto const x = put<P<>, 2, 4, 16, 8>(0.7);
  auto const rows = put<by_rows, 2, 4, 16, 8>(0.7);
  auto const k = put<P<>, 2, 4, 3, 3>(0.4);
  auto const want = run<smooth>(x, k);
  auto const [by_x, by_k] = run<slopes<smooth>>(x, k);
  expect_same(run<last>(rows, k), want);
  static_assert(cost<last, by_rows>.bytes() == 2 * row);
  auto const agree = [&](auto const& both, int line = __builtin_LINE()) {
    SCOPED_TRACE(line);
    expect_same(std::get<0>(both), by_x);
    expect_same(std::get<1>(both), by_k);
  };
  agree(run<slopes<last>>(rows, k));
  auto const split = put<P<none, mp, dp>, 2, 4, 16, 8>(0.7);
  auto const k_split = put<P<none, mp>, 2, 4, 3, 3>(0.4);
  expect_same(run<featured<by_rows>>(split, k_split), want);
  agree(run<slopes<featured<by_rows>>>(split, k_split));
  static_assert(ts::comm_of<featured<by_rows>, decltype(split), decltype(k_split)>.bytes() == row + 2 * 2 * 4 * 8 * 8);
  agree(run<slopes<featured<P<>>>>(rows, k));
  agree(run<slopes<featured<P<none, none, mp>>>>(put<P<none, none, mp>, 2, 4, 16, 8>(0.7), k_split));
  expect_same(run<mapped>(rows, k), want);
  agree(run<slopes<mapped>>(rows, k));
  expect_same(run<deep>(rows, k), run<deep>(x, k));
  agree(ts::jit<slopes<smooth>>(rows, k));
}

template <class F, class S>
void check_planned() {
  using loose = ts::mesh<ts::auto_axis<dp, 4>, ts::auto_axis<mp, 2>>;
  auto const mesh = ts::make_mesh<loose>(ts::devices());
  auto const x = ts::device_put<S>(ts::host<2, 4, 16, 8>(wave(2 * 4 * 16 * 8, 0.7)), mesh);
  auto const k = ts::device_put<P<>>(ts::host<2, 4, 3, 3>(wave(2 * 4 * 9, 0.4)), mesh);
  auto const whole = put<P<>, 2, 4, 16, 8>(0.7);
  auto const filter = put<P<>, 2, 4, 3, 3>(0.4);
  expect_same(run<F>(x, k), run<F>(whole, filter));
  auto const got = run<slopes<F>>(x, k);
  auto const want = run<slopes<F>>(whole, filter);
  expect_same(std::get<0>(got), std::get<0>(want));
  expect_same(std::get<1>(got), std::get<1>(want));
}
TEST(halo, over_auto_axes) {
  check_planned<smooth, by_rows>();
  check_planned<smooth, P<none, none, mp, dp>>();
  check_planned<deep, P<mp, none, dp>>();
  check_planned<filtered<ts::same, ts::strided<2, 2>>, P<none, none, dp, mp>>();
  check_planned<filtered<>, by_rows>();
}

template <class F, class... S>
void check_windows(std::vector<double> const& values) {
  auto const want = run<slope<F>>(put<P<>, 2, 4, 16, 8>(0.7));
  auto const one = [&](auto const& x) {
    expect(run<F>(x), values, 1e-12);
    expect_same(run<slope<F>>(x), want);
  };
  (one(put<S, 2, 4, 16, 8>(0.7)), ...);
}
struct sums {
  constexpr auto operator()(auto x) const {
    return ts::reduce_window_sum(x, ts::window<1, 2, 4, 3>, ts::strided<1, 1, 2, 1>, ts::pads<0, 0, 1, 0, 2, 0, 1, 1>);
  }
};
struct least {
  constexpr auto operator()(auto x) const { return ts::reduce_window_min(x, ts::window<1, 1, 5, 2>, ts::same); }
};
TEST(halo, windows) {
  auto const x = tensor_of({2, 4, 16, 8}, 0.7);
  auto const most = [](double a, double b) { return std::fmax(a, b); };
  auto const fewest = [](double a, double b) { return std::fmin(a, b); };
  auto const sum = [](double a, double b) { return a + b; };
  auto const each = [&](auto f, oracle::tensor const& want) {
    using F = decltype(f);
    check_windows<F, by_rows, P<none, none, none, dp>, P<none, none, dp, mp>, P<mp, none, axes<dp>>>(want.data);
  };
  each(windows{}, oracle::over_window(x, {1, 1, 3, 3}, {{1, 1, 1, 1}, {0, 0, 1, 1}, {0, 0, 1, 1}}, -INFINITY, most));
  each(least{}, oracle::over_window(x, {1, 1, 5, 2}, {{1, 1, 1, 1}, {0, 0, 2, 0}, {0, 0, 2, 1}}, INFINITY, fewest));
  each(sums{}, oracle::over_window(x, {1, 2, 4, 3}, {{1, 1, 2, 1}, {0, 1, 2, 1}, {0, 0, 0, 1}}, 0, sum));
}
#endif

}  // namespace
