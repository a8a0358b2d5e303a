// SPDX-License-Identifier: Apache-2.0
// Updates whose rows are split, written with a monoid: each device combines its own, and one all_reduce of that monoid
// combines the devices. Bytes by hand, values against loops over all rows.

#include "support/on_grid.hpp"

#include <tessera/functions.hpp>

#include <functional>
#include <limits>
#include <memory>

namespace {

using namespace on_grid;
using ts::P;
using sent = ts::collective;

template <class F, class... X>
constexpr auto const& cost = ts::comm_of<F, X...>;

template <std::int64_t N, class S>
struct most {
  constexpr auto operator()(auto x, auto ids) const { return ts::segment_max<N>(x, ids, ts::out_sharding<S>); }
};
template <std::int64_t N, class S>
struct least {
  constexpr auto operator()(auto x, auto ids) const { return ts::segment_min<N>(x, ids, ts::out_sharding<S>); }
};
template <std::int64_t N, class S>
struct products {
  constexpr auto operator()(auto x, auto ids) const { return ts::segment_prod<N>(x, ids, ts::out_sharding<S>); }
};

template <class T, class S, std::int64_t... E>
using array = ts::array_type<T, ts::shape<E...>, S, grid>;
using rows = array<double, P<dp>, 48>;
using ids = array<int, P<dp>, 48>;

// On a ring of 4, 6 / 4 of the result; 7 / 4 on one of 8.
static_assert(cost<most<6, P<>>, rows, ids>.bytes() == 6 * 8 * 6 / 4);
static_assert(cost<most<6, P<>>, rows, ids>.count(sent::all_reduce) == 1);
static_assert(cost<least<6, P<>>, rows, ids>.bytes() == 6 * 8 * 6 / 4);
static_assert(cost<products<6, P<>>, rows, ids>.bytes() == 6 * 8 * 6 / 4);
using by_both = P<ts::axes<dp, mp>>;
static_assert(cost<most<6, P<>>, array<double, by_both, 48>, array<int, by_both, 48>>.bytes() == 6 * 8 * 7 / 4);
// A result that is split is cut from the whole one: there is no reduce_scatter of an extreme.
static_assert(cost<most<8, P<dp>>, rows, ids>.bytes() == 8 * 8 * 6 / 4);
static_assert(cost<most<8, P<dp>>, rows, ids>.count() == 1);
static_assert(cost<most<8, P<mp>>, rows, ids>.bytes() == 4 * 8 * 6 / 4);
// Columns that are split stay split.
static_assert(cost<products<6, P<ts::none, mp>>, array<double, P<dp, mp>, 48, 2>, ids>.bytes() == 6 * 8 * 6 / 4);
// A few rows of many: these are brought together.
static_assert(cost<most<48, P<>>, array<double, P<dp>, 8>, array<int, P<dp>, 8>>.bytes() == 3 * 2 * (8 + 4));

// Row by row on one array; places outside are dropped.
template <class T, class F>
std::vector<T> combined(std::vector<T> to, std::vector<T> const& x, std::vector<int> const& places, F f) {
  std::size_t const columns = x.size() / places.size();
  for (std::size_t k = 0; k < x.size(); ++k) {
    auto const row = static_cast<std::size_t>(places[k / columns]);
    if (places[k / columns] >= 0 && row < to.size() / columns) {
      T& at = to[row * columns + k % columns];
      at = f(at, x[k]);
    }
  }
  return to;
}
auto const greater = [](auto a, auto b) { return a != a || a > b ? a : b; };  // a NaN stays
auto const smaller = [](auto a, auto b) { return a != a || a < b ? a : b; };

std::vector<int> places(std::size_t n, int of) {
  std::vector<int> v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<int>((i * i + 3 * i) % static_cast<std::size_t>(of));
  v[5] = of;  // outside
  return v;
}
template <class T>
std::vector<T> values(std::size_t n, double scale) {
  std::vector<T> v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = T(static_cast<float>(scale * std::sin(1.7 * static_cast<double>(i) + 1)));
  return v;
}
template <class X, class T>
void same(X const& got, std::vector<T> const& want, double bound = 0) {
  auto const g = got.to_host();
  ASSERT_EQ(g.size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i) {
    auto const x = static_cast<double>(g[i]), y = static_cast<double>(want[i]);
    EXPECT_TRUE(x == y || (x != x && y != y) || std::abs(x - y) <= bound) << i << ": " << x << ", not " << y;
  }
}

// 48 rows of two columns into 8, in each layout of rows, ids and results.
template <class Rows, class Ids, class Result, class T>
void in_layouts(std::vector<T> const& x, double bound) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const to = places(48, 8);
  auto const split = ts::device_put<Rows>(ts::host<48, 2>(x), mesh);
  auto const split_ids = ts::device_put<Ids>(ts::host<48>(to), mesh);
  constexpr bool endless = std::numeric_limits<T>::has_infinity;
  T const lowest = endless ? T(-std::numeric_limits<T>::infinity()) : std::numeric_limits<T>::lowest();
  T const highest = endless ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
  using all = std::vector<T>;
  same(run<most<8, Result>>(split, split_ids), combined(all(16, lowest), x, to, greater));
  same(run<least<8, Result>>(split, split_ids), combined(all(16, highest), x, to, smaller));
  same(run<products<8, Result>>(split, split_ids), combined(all(16, T(1)), x, to, [](T a, T b) { return T(a * b); }),
       bound);
}
template <class T>
void of_dtype(std::vector<T> const& x, double bound = 0) {
  in_layouts<P<dp>, P<dp>, P<>>(x, bound);
  in_layouts<by_both, by_both, P<dp>>(x, bound);
}
TEST(split_updates, in_each_layout) {
  auto const x = values<double>(96, 1.3);
  of_dtype(x, 1e-12);
  in_layouts<P<dp, mp>, P<dp>, P<ts::none, mp>>(x, 1e-12);
  in_layouts<P<mp>, P<dp>, P<dp, mp>>(x, 1e-12);
  in_layouts<P<dp, mp>, P<>, P<>>(x, 1e-12);
  in_layouts<P<ts::none, mp>, P<mp>, P<mp>>(x, 1e-12);
}
TEST(split_updates, of_each_dtype) {
  of_dtype(values<float>(96, 1.3), 1e-5);
  of_dtype(values<ts::float16>(96, 1.3), 1e-2);
  of_dtype(values<ts::bfloat16>(96, 1.3), 1e-1);
  of_dtype(values<std::int8_t>(96, 9));
  of_dtype(values<std::int32_t>(96, 9));
  of_dtype(values<std::uint8_t>(96, 0));
  std::vector<std::uint64_t> large(96);
  for (std::size_t i = 0; i < 96; ++i) large[i] = ~std::uint64_t{0} / (i + 1);
  of_dtype(large);
}
TEST(split_updates, nan_is_an_extreme) {
  auto x = values<double>(96, 1.3);
  x[0] = x[51] = x[95] = std::numeric_limits<double>::quiet_NaN();
  x[20] = -std::numeric_limits<double>::infinity();
  of_dtype(x, 1e-12);
}

// Flags: the greatest of them is whether any is true.
TEST(split_updates, of_flags) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const to = places(48, 8);
  std::unique_ptr<bool[]> const flags(new bool[48]);
  std::vector<double> numbers(48);
  for (std::size_t i = 0; i < 48; ++i) numbers[i] = flags[i] = i % 7 == 2 || i == 3;
  auto const x = ts::device_put<P<dp>>(ts::host<48>(std::span<bool const>(flags.get(), 48)), mesh);
  auto const split_ids = ts::device_put<P<dp>>(ts::host<48>(to), mesh);
  same(run<most<8, P<>>>(x, split_ids), combined(std::vector<double>(8, 0), numbers, to, greater));
  same(run<least<8, P<>>>(x, split_ids), combined(std::vector<double>(8, 1), numbers, to, smaller));
}

// What is there counts once, whatever it is.
template <class S>
struct times_there {
  constexpr auto operator()(auto table, auto i, auto x) const { return table.at(i).multiply(x, ts::out_sharding<S>); }
};
template <class S>
struct most_there {
  constexpr auto operator()(auto table, auto i, auto x) const { return table.at(i).max(x, ts::out_sharding<S>); }
};
struct times_three {
  constexpr auto operator()(auto i, auto x) const { return ts::full<8>(3.0).at(i).multiply(x, ts::out_sharding<P<>>); }
};
TEST(split_updates, what_is_there_counts_once) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const to = places(48, 8);
  auto const there = values<double>(8, 0.4), x = values<double>(48, 1.3);
  auto const i = ts::device_put<P<dp>>(ts::host<48>(to), mesh);
  auto const split = ts::device_put<P<dp>>(ts::host<48>(x), mesh);
  auto const table = ts::device_put<P<>>(ts::host<8>(there), mesh);
  auto const table_by_two = ts::device_put<P<mp>>(ts::host<8>(there), mesh);
  auto const product = combined(there, x, to, std::multiplies<>{});
  same(run<times_there<P<>>>(table, i, split), product, 1e-12);
  same(run<times_there<P<dp>>>(table, i, split), product, 1e-12);
  same(run<times_there<P<>>>(table_by_two, i, split), product, 1e-12);
  same(run<most_there<P<mp>>>(table_by_two, i, split), combined(there, x, to, greater));
  same(run<times_three>(i, split), combined(std::vector<double>(8, 3), x, to, std::multiplies<>{}), 1e-6);
  static_assert(cost<times_there<P<>>, array<double, P<>, 8>, ids, rows>.bytes() == 8 * 8 * 6 / 4);
}

// All that equal the extreme share its gradient, on whichever device they are; the gradient of a product by what is there is
// the product of the updates.
template <class S>
struct weighed {
  constexpr auto operator()(auto table, auto i, auto x, auto weights) const {
    return ts::sum(ts::reshard<P<>>(most_there<S>{}(table, i, x)) * weights);
  }
};
struct weighed_product {
  constexpr auto operator()(auto table, auto i, auto x, auto weights) const {
    return ts::sum(times_there<P<>>{}(table, i, x) * weights);
  }
};
TEST(split_updates, gradients) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const to = places(48, 8);
  std::vector<double> x(48), there(8, 2.0);
  for (std::size_t k = 0; k < 48; ++k) x[k] = static_cast<double>((k * 5) % 4);  // many ties
  there[1] = 3;
  auto const weights = values<double>(8, 1.1);
  auto const largest = combined(there, x, to, greater);
  std::vector<double> share(8);
  for (std::size_t r = 0; r < 8; ++r) {
    double ties = there[r] == largest[r];
    for (std::size_t k = 0; k < 48; ++k) ties += static_cast<std::size_t>(to[k]) == r && x[k] == largest[r];
    share[r] = weights[r] / ties;
  }
  std::vector<double> by_table(8), by_x(48), by_product(8);
  auto const factors = combined(std::vector<double>(8, 1), x, to, std::multiplies<>{});
  for (std::size_t r = 0; r < 8; ++r) {
    by_table[r] = there[r] == largest[r] ? share[r] : 0;
    by_product[r] = weights[r] * factors[r];
  }
  for (std::size_t k = 0; k < 48; ++k) {
    auto const r = static_cast<std::size_t>(to[k]);
    by_x[k] = r < 8 && x[k] == largest[r] ? share[r] : 0;
  }
  auto const table = ts::device_put<P<>>(ts::host<8>(there), mesh);
  auto const i = ts::device_put<P<dp>>(ts::host<48>(to), mesh);
  auto const split = ts::device_put<P<dp>>(ts::host<48>(x), mesh);
  auto const w = ts::device_put<P<>>(ts::host<8>(weights), mesh);
  auto const agree = [&](auto const& both) {
    same(std::get<0>(both), by_table, 1e-12);
    same(std::get<1>(both), by_x, 1e-12);
  };
  agree(run<decltype(ts::grad<0, 2>(weighed<P<>>{}))>(table, i, split, w));
  agree(run<decltype(ts::grad<0, 2>(weighed<P<dp>>{}))>(table, i, split, w));
  same(run<decltype(ts::grad(weighed_product{}))>(table, i, split, w), by_product, 1e-9);
}

// On Auto axes no layout is asked for.
using loose = ts::mesh<ts::auto_axis<dp, 4>, ts::auto_axis<mp, 2>>;
template <class F>
constexpr auto by_rows = ts::jit<ts::in_shardings<P<dp>, P<dp>>>(F{});
struct most_of_all {
  constexpr auto operator()(auto x, auto i) const { return ts::segment_max<6>(x, i); }
};
struct product_of_all {
  constexpr auto operator()(auto x, auto i) const { return ts::segment_prod<6>(x, i); }
};
template <class T>
using anywhere = ts::array_type<T, ts::shape<48>, P<>, loose>;
template <class F>
constexpr auto const& planned = cost<std::remove_cvref_t<decltype(by_rows<F>)>, anywhere<double>, anywhere<int>>;
static_assert(planned<most_of_all>.bytes() == 6 * 8 * 6 / 4);
static_assert(planned<product_of_all>.bytes() == 6 * 8 * 6 / 4);
TEST(split_updates, on_auto_axes) {
  auto const mesh = ts::make_mesh<loose>(ts::devices());
  auto const to = places(48, 6);
  auto const x = values<double>(48, 1.3);
  auto const all = ts::device_put<P<>>(ts::host<48>(x), mesh);
  auto const i = ts::device_put<P<>>(ts::host<48>(to), mesh);
  double const lowest = -std::numeric_limits<double>::infinity();
  same(by_rows<most_of_all>(all, i), combined(std::vector<double>(6, lowest), x, to, greater));
  same(by_rows<product_of_all>(all, i), combined(std::vector<double>(6, 1), x, to, std::multiplies<>{}), 1e-12);
}

// Rows that an axis does not divide: 13, 13, 13 and 11. What is no row changes nothing.
using uneven = ts::mesh<ts::uneven_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
template <std::int64_t N, class S>
struct sums {
  constexpr auto operator()(auto x, auto i) const { return ts::segment_sum<N>(x, i, ts::out_sharding<S>); }
};
template <std::int64_t N, class T = double>
using uneven_rows = ts::array_type<T, ts::shape<N>, P<dp>, uneven>;
template <class F, std::int64_t N>
constexpr auto uneven_bytes = cost<F, uneven_rows<N>, uneven_rows<N, int>>.bytes();
static_assert(uneven_bytes<sums<6, P<>>, 48> == 6 * 8 * 6 / 4);
static_assert(uneven_bytes<sums<6, P<>>, 50> == 6 * 8 * 6 / 4);
static_assert(uneven_bytes<most<6, P<>>, 50> == 6 * 8 * 6 / 4);
static_assert(uneven_bytes<products<6, P<>>, 50> == 6 * 8 * 6 / 4);
static_assert(uneven_bytes<sums<8, P<dp>>, 50> == 8 * 8 * 3 / 4);  // one reduce_scatter
static_assert(uneven_bytes<sums<6, P<dp>>, 50> == 6 * 8 * 6 / 4);  // blocks of 2: summed, then cut
static_assert(uneven_bytes<sums<48, P<>>, 7> == 3 * 2 * (8 + 4));  // brought together, with the padding
TEST(split_updates, of_uneven_rows) {
  auto const mesh = ts::make_mesh<uneven>(ts::devices());
  auto const to = places(50, 6);
  auto const x = values<double>(50, 1.3);
  auto const split = ts::device_put<P<dp>>(ts::host<50>(x), mesh);
  auto const i = ts::device_put<P<dp>>(ts::host<50>(to), mesh);
  double const lowest = -std::numeric_limits<double>::infinity();
  auto const total = combined(std::vector<double>(6, 0), x, to, std::plus<>{});
  same(run<sums<6, P<>>>(split, i), total, 1e-12);
  same(run<sums<6, P<dp>>>(split, i), total, 1e-12);
  same(run<sums<6, P<mp>>>(split, i), total, 1e-12);
  same(run<most<6, P<>>>(split, i), combined(std::vector<double>(6, lowest), x, to, greater));
  same(run<least<6, P<dp>>>(split, i), combined(std::vector<double>(6, -lowest), x, to, smaller));
  same(run<products<6, P<>>>(split, i), combined(std::vector<double>(6, 1), x, to, std::multiplies<>{}), 1e-12);
}

}  // namespace
