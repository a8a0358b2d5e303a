// SPDX-License-Identifier: Apache-2.0
// Arrays whose split dimensions do not divide: every proven operation, on 1 to 20 rows over seven meshes, against loops over
// the whole matrix; what is sent; what is refused.

#include <tessera/engine/exec/move/in_process.hpp>
#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace {

namespace ts = tessera;
using ts::none;
using ts::P;

struct dp : ts::axis {};
struct mp : ts::axis {};
using any_grid = ts::mesh<ts::uneven_axis<dp, ts::dynamic>, ts::uneven_axis<mp, ts::dynamic>>;
using grid = ts::mesh<ts::uneven_axis<dp, 4>, ts::uneven_axis<mp, 2>>;
using both = ts::axes<dp, mp>;

struct matrix {
  std::size_t rows = 0, columns = 0;
  std::vector<double> data{};
  double& operator()(std::size_t i, std::size_t j) { return data[i * columns + j]; }
  double operator()(std::size_t i, std::size_t j) const { return data[i * columns + j]; }
};
template <class F>
matrix made(std::size_t rows, std::size_t columns, F f) {
  matrix m{rows, columns, std::vector<double>(rows * columns)};
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) m(i, j) = f(i, j);
  return m;
}
// Numbers between 0.5 and 1.5 without pattern: exp, log and products of twenty stay small.
matrix scattered(std::size_t rows, std::size_t columns, double seed = 1) {
  return made(rows, columns, [&](std::size_t i, std::size_t j) {
    double const turns = std::sin(static_cast<double>(i * columns + j + 1) * 12.9898 + seed) * 43758.5453;
    return 0.5 + turns - std::floor(turns);
  });
}
template <class F>
matrix over_rows(matrix const& x, double start, F f) {
  return made(1, x.columns, [&](std::size_t, std::size_t j) {
    double value = start;
    for (std::size_t i = 0; i < x.rows; ++i) value = f(value, x(i, j));
    return value;
  });
}
matrix transposed(matrix const& x) {
  return made(x.columns, x.rows, [&](std::size_t i, std::size_t j) { return x(j, i); });
}
matrix product(matrix const& x, matrix const& y) {
  return made(x.rows, y.columns, [&](std::size_t i, std::size_t j) {
    double sum = 0;
    for (std::size_t k = 0; k < x.columns; ++k) sum += x(i, k) * y(k, j);
    return sum;
  });
}
matrix top_rows(matrix const& x, matrix const& more) {
  matrix all = x;
  all.rows += more.rows;
  all.data.insert(all.data.end(), more.data.begin(), more.data.end());
  return all;
}

template <class X>
void expect(char const* what, X const& got, matrix const& want, double bound = 1e-11) {
  auto const values = got.to_host();
  ASSERT_EQ(values.size(), want.data.size()) << what;
  for (std::size_t i = 0; i < values.size(); ++i)
    ASSERT_NEAR(static_cast<double>(values[i]), want.data[i], bound) << what << ", element " << i;
}

struct chain {
  constexpr auto operator()(auto x, auto y) const {
    auto h = ts::exp(x * 0.5) - y;
    return ts::sum(ts::log(h * h + 1.0) / ts::mean<0>(ts::abs(h) + 1.0));
  }
};
double chain_of(matrix const& x, matrix const& y) {
  matrix const h =
      made(x.rows, x.columns, [&](std::size_t i, std::size_t j) { return std::exp(x(i, j) * 0.5) - y(i, j); });
  double sum = 0;
  for (std::size_t j = 0; j < x.columns; ++j) {
    double mean = 0;
    for (std::size_t i = 0; i < x.rows; ++i) mean += (std::abs(h(i, j)) + 1) / static_cast<double>(x.rows);
    for (std::size_t i = 0; i < x.rows; ++i) sum += std::log(h(i, j) * h(i, j) + 1) / mean;
  }
  return sum;
}
matrix slope_of_chain(matrix const& x, matrix const& y) {
  return made(x.rows, x.columns, [&](std::size_t i, std::size_t j) {
    matrix above = x, below = x;
    above(i, j) += 1e-6;
    below(i, j) -= 1e-6;
    return (chain_of(above, y) - chain_of(below, y)) / 2e-6;
  });
}

template <class S, class M>
auto put(matrix const& m, ts::device_mesh<M> const& mesh) {
  auto const rows = static_cast<std::int64_t>(m.rows), columns = static_cast<std::int64_t>(m.columns);
  return ts::device_put<S>(ts::host(m.data, {rows, columns}), mesh);
}

template <class S, class M>
void check_all(std::size_t rows, ts::device_mesh<M> const& mesh) {
  std::size_t const columns = 6;
  matrix const a = scattered(rows, columns), b = scattered(rows, columns, 2), c = scattered(3, columns, 3);
  matrix const w = scattered(columns, 5, 4), bias = scattered(1, columns, 5);
  auto const x = put<S>(a, mesh), y = put<S>(b, mesh);
  auto const row = ts::device_put<P<>>(ts::host<6>(bias.data), mesh);
  using whole = P<none, none>;
  auto const n = static_cast<double>(rows);

  expect("device_put", x, a);
  std::vector<double> copied(a.data.size());
  x.copy_to(copied);
  EXPECT_EQ(copied, a.data);
  EXPECT_EQ(x.size(), static_cast<std::int64_t>(a.data.size()));
  expect("elementwise", ts::exp(x) * 2.0 + y,
         made(rows, columns, [&](std::size_t i, std::size_t j) { return std::exp(a(i, j)) * 2 + b(i, j); }));
  expect("broadcast", x * row, made(rows, columns, [&](std::size_t i, std::size_t j) { return a(i, j) * bias(0, j); }));
  expect("where", ts::where(x < y, x, y),
         made(rows, columns, [&](std::size_t i, std::size_t j) { return std::min(a(i, j), b(i, j)); }));

  auto const plus = [](double s, double v) { return s + v; };
  auto const most = [](double s, double v) { return std::max(s, v); };
  auto const least = [](double s, double v) { return std::min(s, v); };
  matrix const sums = over_rows(a, 0, plus);
  expect("sum of rows", ts::sum<0>(x), sums);
  expect("sum of columns", ts::sum<1>(x), over_rows(transposed(a), 0, plus));
  expect("sum", ts::sum(x), over_rows(transposed(sums), 0, plus));
  expect("mean", ts::mean<0>(x), made(1, columns, [&](std::size_t, std::size_t j) { return sums(0, j) / n; }));
  expect("prod", ts::prod<0>(x), over_rows(a, 1, [](double s, double v) { return s * v; }));
  expect("max", ts::max<0>(-x), over_rows(a, 9, least).data.empty() ? matrix{} : made(1, columns, [&](auto, auto j) {
           return -over_rows(a, 9, least)(0, j);
         }));
  expect("min", ts::min<0>(x), over_rows(a, 9, least));
  expect("max of columns", ts::max<1>(x), over_rows(transposed(a), 0, most));
  expect("argmax", ts::argmax<0>(x), made(1, columns, [&](std::size_t, std::size_t j) {
           std::size_t at = 0;
           for (std::size_t i = 0; i < rows; ++i)
             if (a(i, j) > a(at, j)) at = i;
           return static_cast<double>(at);
         }));
  expect("all", ts::all<0>(x < 2.0), made(1, columns, [](auto, auto) { return 1; }));
  expect("any", ts::any<0>(x > 2.0), made(1, columns, [](auto, auto) { return 0; }));
  expect("softmax", ts::softmax<0>(x), made(rows, columns, [&](std::size_t i, std::size_t j) {
           double sum = 0;
           for (std::size_t k = 0; k < rows; ++k) sum += std::exp(a(k, j));
           return std::exp(a(i, j)) / sum;
         }));

  expect("contraction", ts::matmul(x.T(), y, ts::out_sharding<whole>), product(transposed(a), b));
  expect("product", ts::matmul(x, ts::device_put<whole>(ts::host<6, 5>(w.data), mesh), ts::out_sharding<S>),
         product(a, w));
  expect("transpose", x.T(), transposed(a));
  expect("whole", ts::reshard<whole>(x), a);
  expect("other rows", ts::reshard<P<mp, none>>(x), a);
  expect("columns", ts::reshard<P<none, dp>>(x), a);
  expect("rows and columns", ts::reshard<P<mp, dp>>(x), a);
  expect("both axes", ts::reshard<P<both>>(ts::reshard<P<none, mp>>(x)), a);
  expect("concatenate", ts::concatenate<0>(std::tuple{x, put<S>(c, mesh)}), top_rows(a, c));
  expect("pad", ts::pad(x, 0.0, ts::low<0, 1>, ts::high<0, 0>),
         made(rows, columns + 1, [&](auto i, auto j) { return j == 0 ? 0.0 : a(i, j - 1); }));
  expect("padded to a multiple", ts::pad_to_multiple<0, 4>(x),
         top_rows(a, made((4 - rows % 4) % 4, columns, [](auto, auto) { return 0; })));
  expect("part", x.at(static_cast<std::int64_t>(rows) - 1).get(),
         made(1, columns, [&](auto, auto j) { return a(rows - 1, j); }));
  expect("changed part", x.at(static_cast<std::int64_t>(rows) - 1).set(7.0),
         made(rows, columns, [&](auto i, auto j) { return i + 1 == rows ? 7 : a(i, j); }));

  expect("jit", ts::detail::run_jitted<chain, false>(x, y), matrix{1, 1, {chain_of(a, b)}});
  expect("grad", ts::detail::run_jitted<ts::gradient<chain, false, false, 0>, false>(x, y), slope_of_chain(a, b), 1e-7);

  std::ostringstream text, whole_text;
  text << x;
  whole_text << ts::reshard<whole>(x);
  EXPECT_EQ(text.str(), whole_text.str());

  std::vector<double> from_shards(a.data.size(), -1);
  for (auto const& shard : x.addressable_shards()) {
    auto const values = shard.to_host();
    std::size_t k = 0;
    for (auto i = shard.index[0].start; i < shard.index[0].stop; ++i)
      for (auto j = shard.index[1].start; j < shard.index[1].stop; ++j)
        from_shards[static_cast<std::size_t>(i) * columns + static_cast<std::size_t>(j)] = values[k++];
    EXPECT_EQ(k, values.size());
  }
  EXPECT_EQ(from_shards, a.data);
}

template <class S>
void on_all_meshes() {
  for (ts::extents_list const& sizes : {ts::extents_list{1, 1}, {2, 1}, {3, 1}, {4, 1}, {8, 1}, {2, 2}, {4, 2}}) {
    auto const mesh = ts::make_mesh<any_grid>(ts::devices(), sizes);
    for (std::size_t rows = 1; rows <= 20; ++rows) {
      SCOPED_TRACE(std::to_string(rows) + " rows on " + mesh.text());
      check_all<S>(rows, mesh);
      if (testing::Test::HasFailure()) return;
    }
  }
}
TEST(uneven, rows) { on_all_meshes<P<dp, none>>(); }
TEST(uneven, rows_over_two_axes) { on_all_meshes<P<both, none>>(); }
TEST(uneven, rows_and_columns) { on_all_meshes<P<mp, dp>>(); }

#ifndef TESSERA_BY_DAY
// What is sent: the bytes of whole blocks, 3 rows on each of 4 devices for 10.
template <class F, class... X>
void sends(std::int64_t bytes, X const&... x) {
  constexpr auto const& cost = ts::comm_of<F, X...>;
  auto& counted = ts::local_communicator().counted();
  counted.reset();
  ts::detail::run_jitted<F, false>(x...);
  EXPECT_EQ(counted.bytes(), cost.bytes());
  EXPECT_EQ(counted.calls(), cost.count());
  EXPECT_EQ(cost.bytes(), bytes);
}
struct sum_of_rows {
  constexpr auto operator()(auto x) const { return ts::sum<0>(x); }
};
struct gathered {
  constexpr auto operator()(auto x) const { return ts::reshard<P<>>(x); }
};
struct split {
  constexpr auto operator()(auto x) const { return ts::reshard<P<dp>>(x); }
};
struct gram {
  constexpr auto operator()(auto x) const { return ts::matmul(x.T(), x, ts::out_sharding<P<>>); }
};
struct doubled {
  constexpr auto operator()(auto x) const { return ts::exp(x) * 2.0; }
};
struct framed {
  constexpr auto operator()(auto x) const { return ts::squeeze<2>(ts::expand_dims<0, 2>(x)); }
};
template <std::int64_t... E>
struct shaped {
  constexpr auto operator()(auto x) const { return ts::reshape<E...>(x); }
};
template <class S, std::int64_t... E>
struct shaped_as {
  constexpr auto operator()(auto x) const { return ts::reshape<E...>(x, ts::out_sharding<S>); }
};
TEST(uneven, bytes) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const x = ts::device_put<P<dp, none>>(ts::host<10, 6>(scattered(10, 6).data), mesh);
  auto const whole = ts::device_put<P<>>(ts::host<10, 6>(scattered(10, 6).data), mesh);
  static_assert(ts::type_text<decltype(x)> == "float64[10@dp,6]");
  sends<doubled>(0, x);
  sends<framed>(0, x);
  sends<split>(0, whole);
  sends<sum_of_rows>(2 * 3 * 6 * 8 / 4, x);
  sends<gathered>(3 * (3 * 6 * 8), x);
  sends<gram>(2 * 3 * 6 * 6 * 8 / 4, x);
}

// A reshape of other dimensions leaves the blocks and their padding as they are.
struct there_and_back {
  constexpr auto operator()(auto x) const {
    auto const y = ts::sin(ts::reshape<11, 2, 3>(x * 2.0));
    return ts::reshape<11, 6>(y * ts::sum<0>(y));
  }
};
struct total {
  constexpr auto operator()(auto x) const { return ts::sum(there_and_back{}(x)); }
};
TEST(uneven, reshapes_of_other_dimensions) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  matrix const a = scattered(11, 6), b = scattered(6, 11);
  auto const x = ts::device_put<P<dp>>(ts::host<11, 6>(a.data), mesh);
  auto const columns = ts::device_put<P<none, dp>>(ts::host<6, 11>(b.data), mesh);
  auto const both_split = ts::device_put<P<dp, mp>>(ts::host<11, 6>(a.data), mesh);
  sends<shaped<11, 2, 3>>(0, x);
  sends<shaped<2, 3, 11>>(0, columns);
  sends<shaped<11, 2, 3>>(0, both_split);
  sends<shaped_as<P<none, dp>, 1, 11, 3, 2>>(0, x);
  static_assert(ts::type_text<decltype(ts::reshape<11, 2, 3>(both_split))> == "float64[11@dp,2@mp,3]");
  static_assert(ts::type_text<decltype(ts::reshape<2, 3, 11>(columns))> == "float64[2,3,11@dp]");
  expect("rows", ts::reshape<11, 6>(ts::reshape<11, 2, 3>(x)), a);
  expect("columns", ts::reshape<2, 3, 11>(columns), b);
  expect("rows and columns", ts::reshape<11, 6>(ts::reshape<11, 2, 3>(both_split)), a);
  expect("ones between", ts::jit<shaped_as<P<none, dp>, 1, 11, 3, 2>>(x), a);
  auto const y = [](double v) { return std::sin(2 * v); };
  std::vector<double> sums(6);
  for (std::size_t i = 0; i < 11; ++i)
    for (std::size_t j = 0; j < 6; ++j) sums[j] += y(a(i, j));
  expect("there and back", ts::jit<there_and_back>(x),
         made(11, 6, [&](auto i, auto j) { return y(a(i, j)) * sums[j]; }));
  expect("its gradient", ts::grad(total{})(x),
         made(11, 6, [&](auto i, auto j) { return 4 * std::cos(2 * a(i, j)) * sums[j]; }));
}

struct scanned {
  constexpr auto operator()(auto x, auto steps) const {
    return std::get<0>(ts::scan(
        [](auto carry, auto step) {
          return std::tuple{ts::tanh(carry) + step, step};
        },
        x, steps));
  }
};
struct mapped {
  constexpr auto operator()(auto x) const {
    return ts::vmap([](auto row) { return ts::sum(row * row); })(x);
  }
};
struct mapped_columns {
  constexpr auto operator()(auto x) const {
    return ts::vmap<ts::in_axes<1>>([](auto column) { return ts::max(column) - ts::min(column); })(x);
  }
};
struct looped {
  constexpr auto operator()(auto x) const {
    return ts::while_loop([](auto y) { return ts::sum(y) < 1000.0; }, [](auto y) { return y * 2.0; }, x);
  }
};
TEST(uneven, loops_and_batches) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  matrix const a = scattered(10, 6), steps = scattered(1, 4, 2);
  auto const x = ts::device_put<P<dp, none>>(ts::host<10, 6>(a.data), mesh);
  expect("scan", ts::jit<scanned>(x, ts::device_put<P<>>(ts::host<4>(steps.data), mesh)),
         made(10, 6, [&](auto i, auto j) {
           double v = a(i, j);
           for (double s : steps.data) v = std::tanh(v) + s;
           return v;
         }));
  auto const squares = made(1, 10, [&](auto, auto i) {
    double sum = 0;
    for (std::size_t j = 0; j < 6; ++j) sum += a(i, j) * a(i, j);
    return sum;
  });
  expect("vmap over rows", ts::jit<mapped>(x), squares);
  expect("vmap over columns", ts::jit<mapped_columns>(x), made(1, 6, [&](auto, auto j) {
           double low = 9, high = 0;
           for (std::size_t i = 0; i < 10; ++i) low = std::min(low, a(i, j)), high = std::max(high, a(i, j));
           return high - low;
         }));
  double sum = 0, factor = 1;
  for (double v : a.data) sum += v;
  while (sum * factor < 1000) factor *= 2;
  expect("while_loop", ts::jit<looped>(x), made(10, 6, [&](auto i, auto j) { return a(i, j) * factor; }));
}

// The last batch of an epoch: an embedding, a normalization, a cross entropy, and the gradients of the parameters.
struct last_batch {
  constexpr auto operator()(auto table, auto w, auto tokens, auto labels) const {
    auto h = table.at(tokens).get(ts::out_sharding<P<dp, none>>);
    auto centered = h - ts::mean<1>(h, ts::keepdims);
    auto logits = ts::matmul(centered / ts::sqrt(ts::mean<1>(centered * centered, ts::keepdims) + 0.01), w);
    return -ts::mean(ts::sum<1>(ts::log_softmax<1>(logits) * ts::one_hot<5, double>(labels)));
  }
};
double loss_of_batch(matrix const& table, matrix const& w, std::vector<int> const& tokens,
                     std::vector<int> const& labels) {
  double loss = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    auto const row = static_cast<std::size_t>(tokens[i]);
    double mean = 0, square = 0, sum = 0;
    for (std::size_t k = 0; k < 6; ++k) mean += table(row, k) / 6;
    for (std::size_t k = 0; k < 6; ++k) square += std::pow(table(row, k) - mean, 2) / 6;
    double logits[5]{};
    for (std::size_t j = 0; j < 5; ++j) {
      for (std::size_t k = 0; k < 6; ++k) logits[j] += (table(row, k) - mean) / std::sqrt(square + 0.01) * w(k, j);
      sum += std::exp(logits[j]);
    }
    loss -= logits[labels[i]] - std::log(sum);
  }
  return loss / static_cast<double>(tokens.size());
}
TEST(uneven, last_batch) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  matrix const a = scattered(7, 6), b = scattered(6, 5, 2);
  std::vector<int> const words{3, 0, 6, 6, 2, 1, 5, 3, 4}, classes{0, 4, 2, 1, 1, 3, 0, 2, 4};
  auto const table = ts::device_put<P<>>(ts::host<7, 6>(a.data), mesh);
  auto const w = ts::device_put<P<none, mp>>(ts::host<6, 5>(b.data), mesh);
  auto const tokens = ts::device_put<P<dp>>(ts::host<9>(words), mesh);
  auto const labels = ts::device_put<P<dp>>(ts::host<9>(classes), mesh);
  auto const [loss, slopes] = ts::jit<ts::gradient<last_batch, true, false, 0, 1>>(table, w, tokens, labels);
  auto const slope = [&](matrix at, auto loss_at) {
    return made(at.rows, at.columns, [&](std::size_t i, std::size_t j) {
      double const kept = at(i, j), h = 1e-5;
      at(i, j) = kept + h;
      double const above = loss_at(at);
      at(i, j) = kept - h;
      double const below = loss_at(at);
      at(i, j) = kept;
      return (above - below) / (2 * h);
    });
  };
  EXPECT_NEAR(loss.item(), loss_of_batch(a, b, words, classes), 1e-12);
  expect("table", std::get<0>(slopes), slope(a, [&](matrix const& m) { return loss_of_batch(m, b, words, classes); }),
         1e-8);
  expect("w", std::get<1>(slopes), slope(b, [&](matrix const& m) { return loss_of_batch(a, m, words, classes); }),
         1e-8);
  static_assert(ts::type_text<decltype(std::get<1>(slopes))> == "float64[6,5@mp]");
}

// What has no rule.
template <template <class...> class Error, class T>
inline constexpr bool is = false;
template <template <class...> class Error, class... F>
inline constexpr bool is<Error, Error<F...>> = true;
template <std::int64_t Rows, class S = P<dp>>
using rows_of = ts::array_type<float, ts::shape<Rows, 8>, S, grid>;
struct merged {
  constexpr auto operator()(auto x) const { return ts::reshape<80>(x); }
};
struct written {
  constexpr auto operator()(auto table, auto tokens) const { return table.at(tokens).set(0.0f, ts::out_sharding<P<>>); }
};
struct counted {
  constexpr auto operator()(auto table, auto tokens) const { return table.at(tokens).add(1.0f, ts::out_sharding<P<>>); }
};
struct in_region {
  constexpr auto operator()(auto x) const {
    return ts::shard_map<ts::in_specs<P<dp>>, ts::out_specs<P<dp>>>([](auto block) { return block * 2.0f; })(x);
  }
};
static_assert(is<ts::error::uneven_unsupported, ts::why<merged, rows_of<10>>>);
static_assert(is<ts::error::uneven_unsupported, ts::why<shaped<2, 5, 8>, rows_of<10>>>);
static_assert(std::is_void_v<ts::why<shaped<10, 2, 4>, rows_of<10>>>);
using table = ts::array_type<float, ts::shape<7>, P<>, grid>;
using tokens = ts::array_type<std::int32_t, ts::shape<10>, P<dp>, grid>;
static_assert(is<ts::error::uneven_unsupported, ts::why<written, table, tokens>>);
static_assert(std::is_void_v<ts::why<counted, table, tokens>>);
static_assert(is<ts::error::uneven_unsupported, ts::why<in_region, rows_of<10>>>);
static_assert(std::is_void_v<ts::why<in_region, rows_of<12>>>);
struct placed {
  template <class S, class M>
  static constexpr bool on = ts::checked_sharding<float, ts::shape<10, 7>, S, M>::accepted;
};
// All axes of an entry must be uneven.
using mixed = ts::mesh<ts::uneven_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
static_assert(placed::on<P<dp>, mixed> && placed::on<P<mp>, mixed> && placed::on<P<dp, none>, mixed>);
static_assert(!placed::on<P<none, mp>, mixed> && !placed::on<P<both>, mixed> && placed::on<P<both>, grid>);
#endif

}  // namespace
