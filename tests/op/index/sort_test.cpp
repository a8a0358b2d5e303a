// SPDX-License-Identifier: Apache-2.0
// sort, argsort, top_k and cumulative operations along whole dimensions, for all dtypes, long and short, against the oracle.

#include "support/op_case.hpp"

#include <algorithm>
#include <numeric>

namespace {

using namespace op_case;
using oracle::tensor;

// f(values along d) for every line of x along dimension d.
template <class F>
tensor along(tensor const& x, std::int64_t dim, F f, std::int64_t length = -1) {
  auto const d = static_cast<std::size_t>(oracle::dim_from_front(dim, x.rank()));
  auto extents = x.extents;
  auto const n = extents[d];
  extents[d] = length < 0 ? n : length;
  tensor out = oracle::zeros(extents);
  auto lines = x.extents;
  lines[d] = 1;
  oracle::for_each_index(lines, [&](oracle::ints at) {
    std::vector<double> line;
    for (at[d] = 0; at[d] < n; ++at[d]) line.push_back(x[at]);
    auto const result = f(line);
    for (at[d] = 0; at[d] < extents[d]; ++at[d]) out[at] = result[at[d]];
  });
  return out;
}
bool before(double a, double b) { return std::isnan(b) ? !std::isnan(a) : a < b; }
std::vector<double> sorted(std::vector<double> line) {
  std::sort(line.begin(), line.end(), before);
  return line;
}
std::vector<double> positions(std::vector<double> const& line, bool down) {
  std::vector<double> at(line.size());
  std::iota(at.begin(), at.end(), 0);
  std::sort(at.begin(), at.end(), [&](double a, double b) {
    double const l = line[a], r = line[b];
    if (before(l, r) || before(r, l)) return down ? before(r, l) : before(l, r);
    return a < b;
  });
  return at;
}
std::vector<double> reversed(std::vector<double> line) {
  std::reverse(line.begin(), line.end());
  return line;
}
template <class F>
std::vector<double> scanned(std::vector<double> line, F f) {
  for (std::size_t i = 1; i < line.size(); ++i) line[i] = f(line[i - 1], line[i]);
  return line;
}
double sum_of(double a, double b) { return a + b; }
double product_of(double a, double b) { return a * b; }
double most(double a, double b) { return std::isnan(a) || a >= b ? a : b; }
double least(double a, double b) { return std::isnan(a) || a <= b ? a : b; }
double log_sum(double a, double b) {
  return std::isinf(a) && a < 0 ? b : std::fmax(a, b) + std::log1p(std::exp(-std::fabs(a - b)));
}

#define SCAN(op, dim, f)                                                              \
  row {                                                                               \
#op "<" #dim ">", [](auto x) { return ts::op<dim>(x); }, [](tensor const& x) {      \
  return along(x, dim, [](auto line) { return scanned(line, f); });                 \
    }, 1e-5 \
  }

struct orders {
  static constexpr auto rows = std::tuple{
      row{"sort<1>", [](auto x) { return ts::sort<1>(x); }, [](tensor const& x) { return along(x, 1, sorted); }},
      row{"sort<1> descending", [](auto x) { return ts::sort<1>(x, ts::descending); },
          [](tensor const& x) { return along(x, 1, [](auto line) { return reversed(sorted(line)); }); }},
      row{"argsort<1>", [](auto x) { return ts::argsort<1>(x); },
          [](tensor const& x) { return along(x, 1, [](auto line) { return positions(line, false); }); }},
      row{"argsort<1> descending", [](auto x) { return ts::argsort<1>(x, ts::descending); },
          [](tensor const& x) { return along(x, 1, [](auto line) { return positions(line, true); }); }}};
};
constexpr auto best_values = row{"top_k values", [](auto x) { return std::get<0>(ts::top_k<3>(x)); },
                                 [](tensor const& x) {
                                   return along(
                                       x, -1, [](auto line) { return reversed(sorted(line)); }, 3);
                                 }};
constexpr auto best_positions = row{"top_k positions", [](auto x) { return std::get<1>(ts::top_k<3>(x)); },
                                    [](tensor const& x) {
                                      return along(
                                          x, -1, [](auto line) { return positions(line, true); }, 3);
                                    }};
struct last {
  static constexpr auto rows =
      std::tuple{row{"sort", [](auto x) { return ts::sort(x); }, [](tensor const& x) { return along(x, -1, sorted); }},
                 row{"argsort", [](auto x) { return ts::argsort(x); },
                     [](tensor const& x) { return along(x, -1, [](auto line) { return positions(line, false); }); }},
                 best_values, best_positions,
                 row{"top_k both",
                     [](auto x) {
                       auto const [values, at] = ts::top_k<2>(x * 2);
                       return values + at;
                     },
                     [](tensor const& x) {
                       return along(
                                  x, -1, [](auto line) { return reversed(sorted(line)); }, 2) *
                                  2 +
                              along(
                                  x, -1, [](auto line) { return positions(line, true); }, 2);
                     }}};
};
struct masks {
  static constexpr auto rows = std::tuple{
      best_values,
      best_positions,
      row{"argmax", [](auto x) { return ts::argmax<1>(x); }, [](tensor const& x) { return oracle::argmax(x, 1); }},
      row{"argmin", [](auto x) { return ts::argmin<1>(x); }, [](tensor const& x) { return oracle::argmin(x, 1); }},
      row{"max", [](auto x) { return ts::max<1>(x); }, [](tensor const& x) { return oracle::max(x, {1}); }},
      row{"min", [](auto x) { return ts::min<0>(x); }, [](tensor const& x) { return oracle::min(x, {0}); }}};
};
struct scans {
  static constexpr auto rows =
      std::tuple{SCAN(cumsum, 1, sum_of),
                 SCAN(cumprod, 1, product_of),
                 SCAN(cummax, 1, most),
                 SCAN(cummin, 1, least),
                 row{"cumsum reversed", [](auto x) { return ts::cumsum<1>(x, ts::reverse); },
                     [](tensor const& x) {
                       return along(x, 1, [](auto line) { return reversed(scanned(reversed(line), sum_of)); });
                     },
                     1e-5},
                 row{"cummax reversed", [](auto x) { return ts::cummax<1>(x, ts::reverse); },
                     [](tensor const& x) {
                       return along(x, 1, [](auto line) { return reversed(scanned(reversed(line), most)); });
                     }},
                 row{"cumprod reversed", [](auto x) { return ts::cumprod<1>(x, ts::reverse); },
                     [](tensor const& x) {
                       return along(x, 1, [](auto line) { return reversed(scanned(reversed(line), product_of)); });
                     },
                     1e-5},
                 row{"cummin reversed", [](auto x) { return ts::cummin<1>(x, ts::reverse); },
                     [](tensor const& x) {
                       return along(x, 1, [](auto line) { return reversed(scanned(reversed(line), least)); });
                     }}};
};
struct logs {
  static constexpr auto rows =
      std::tuple{SCAN(cumlogsumexp, 1, log_sum),
                 row{"cumlogsumexp reversed", [](auto x) { return ts::cumlogsumexp<1>(x, ts::reverse); },
                     [](tensor const& x) {
                       return along(x, 1, [](auto line) { return reversed(scanned(reversed(line), log_sum)); });
                     },
                     1e-5}};
};
struct first_dim {
  static constexpr auto rows =
      std::tuple{SCAN(cumsum, 0, sum_of), SCAN(cummax, 0, most), SCAN(cumlogsumexp, 0, log_sum)};
};
struct special {
  static constexpr auto rows =
      std::tuple{row{"sort", [](auto x) { return ts::sort(x); }, [](tensor const& x) { return along(x, -1, sorted); }},
                 row{"argsort", [](auto x) { return ts::argsort(x); },
                     [](tensor const& x) { return along(x, -1, [](auto line) { return positions(line, false); }); }},
                 row{"cummax", [](auto x) { return ts::cummax<1>(x); },
                     [](tensor const& x) { return along(x, 1, [](auto line) { return scanned(line, most); }); }}};
};

TEST(sort, over_layouts) {
  dense<float, 4, 8, 6> const x(
      oracle::map(oracle::scattered({4, 8, 6}, -9, 9), [](double v) { return std::round(v); }));
  check<orders, on<grid, P<dp, none, mp>>, jitted>(x);
  check<orders, nowhere, interpreted>(x);
  check<orders, on<cube, P<axes<b, a>, none, c>>, interpreted>(x);
  check<last, on<grid, P<dp, mp>>, jitted>(x);
  check<last, on<cube, P<c, axes<a, b>>>, interpreted>(x);
  check<last, nowhere, interpreted>(dense<double, 2, 3, 5>(-9, 9));
}

TEST(sort, of_masks) {
  dense<bool, 8, 5> const m(oracle::greater(oracle::scattered({8, 5}), 0));
  check<masks, on<grid, P<dp>>, jitted>(m);
  check<masks, on<grid, P<mp>>, interpreted>(m);
  auto const [most, at] = ts::top_k<2>(place(nowhere{}, m));
  static_assert(decltype(most)::type::value.element == ts::dtype::boolean);
}

TEST(sort, of_all_dtypes) {
  check<orders, on<grid, P<dp>>, interpreted>(dense<double, 8, 5>(-9, 9));
  check<orders, on<grid, P<dp>>, interpreted>(dense<std::int32_t, 8, 5>(-9, 9));
  check<orders, on<grid, P<dp>>, interpreted>(dense<std::int64_t, 8, 5>(-9, 9));
  check<orders, on<grid, P<dp>>, interpreted>(dense<ts::bfloat16, 8, 5>(-9, 9));
  check<orders, on<grid, P<dp>>, interpreted>(dense<ts::float16, 8, 5>(-9, 9));
  check<orders, on<grid, P<dp>>, interpreted>(dense<bool, 8, 5>(oracle::greater(oracle::scattered({8, 5}), 0)));
}

#ifndef TESSERA_BY_DAY
TEST(sort, long_lines) {
  check<orders, on<grid, P<mp>>, jitted>(dense<float, 2, 1500>(-9, 9));
  check<orders, nowhere, interpreted>(dense<double, 1, 700>(-9, 9));
  check<orders, nowhere, interpreted>(dense<std::int64_t, 2, 700>(-1e15, 1e15));
  check<last, nowhere, interpreted>(dense<float, 2, 1500>(-9, 9));
}

TEST(sort, of_special_values) {
  dense<float, 2, 6> const x(tensor({2, 6}, {1, NAN, -INFINITY, 3, INFINITY, 0, -2, 5, NAN, NAN, -7, 5}));
  check<special, on<grid, P<mp>>, interpreted>(x);
}

TEST(cumulative, over_layouts) {
  dense<float, 4, 8, 6> const x(0.5, 1.5);
  check<scans, on<grid, P<dp, none, mp>>, jitted>(x);
  check<scans, on<cube, P<axes<b, a>, none, c>>, interpreted>(x);
  check<scans, nowhere, interpreted>(dense<std::int32_t, 8, 4>(-3, 3));
  check<logs, on<grid, P<dp, none, mp>>, jitted>(x);
  check<logs, on<grid, P<axes<mp, dp>>>, interpreted>(dense<double, 8, 4>(-30, 30));
  check<first_dim, on<grid, P<none, dp>>, interpreted>(dense<float, 64, 24>(-1, 1));
  check<first_dim, nowhere, interpreted>(dense<float, 16, 101>(-1, 1));
}

TEST(cumulative, of_bool_and_halves) {
  dense<bool, 8, 5> const m(oracle::greater(oracle::scattered({8, 5}), 0));
  auto const counted = ts::cumsum<1>(place<P<dp>>(ts::make_mesh<grid>(ts::devices()), m));
  EXPECT_EQ(tensor_of(counted), oracle::cumsum(m.values, 1));
  static_assert(decltype(counted)::type::value.element == ts::dtype::int32);
  // Sums of half floats are made in float: of 4096 ones, bfloat16 would stop at 256.
  auto const ones = place(nowhere{}, dense<ts::bfloat16, 4096>(oracle::ones({4096})));
  EXPECT_EQ(tensor_of(ts::cumsum(ones)).data.back(), 4096);
}
#endif

}  // namespace
