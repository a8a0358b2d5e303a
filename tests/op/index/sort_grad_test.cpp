// SPDX-License-Identifier: Apache-2.0
// nightly
// Gradients of sort, top_k and cumulative operations against central differences.

#include "support/grad_case.hpp"

#include <algorithm>
#include <functional>

namespace {

using namespace op_case;
using oracle::tensor;

// Rows of a matrix, one after the other.
template <class F>
tensor by_rows(tensor const& x, F f, std::int64_t length = -1) {
  auto const rows = x.extents[0], n = x.extents[1], m = length < 0 ? n : length;
  tensor out = oracle::zeros({rows, m});
  for (std::int64_t r = 0; r < rows; ++r) {
    std::vector<double> line(x.data.begin() + r * n, x.data.begin() + (r + 1) * n);
    f(line);
    for (std::int64_t i = 0; i < m; ++i) out[{r, i}] = line[i];
  }
  return out;
}
template <class F>
auto scan(F f) {
  return [f](std::vector<double>& line) {
    for (std::size_t i = 1; i < line.size(); ++i) line[i] = f(line[i - 1], line[i]);
  };
}
template <class F>
auto scan_back(F f) {
  return [f](std::vector<double>& line) {
    for (std::size_t i = line.size() - 1; i-- > 0;) line[i] = f(line[i + 1], line[i]);
  };
}
double log_sum(double a, double b) { return std::log(std::exp(a) + std::exp(b)); }
double most(double a, double b) { return std::fmax(a, b); }
double least(double a, double b) { return std::fmin(a, b); }

struct functions {
  static constexpr auto rows = std::tuple{
      row{"sort", [](auto x) { return ts::sort<1>(x); },
          [](tensor const& x) { return by_rows(x, [](auto& line) { std::sort(line.begin(), line.end()); }); }},
      row{"sort descending", [](auto x) { return ts::sort(x, ts::descending); },
          [](tensor const& x) {
            return by_rows(x, [](auto& line) { std::sort(line.begin(), line.end(), std::greater<>{}); });
          }},
      row{"argsort", [](auto x) { return x * ts::astype<double>(ts::argsort(x)); },
          [](tensor const& x) {
            return by_rows(x, [](auto& line) {
              auto order = line;
              std::sort(order.begin(), order.end());
              auto const old = line;
              for (std::size_t i = 0; i < line.size(); ++i)
                line[i] *= double(std::find(old.begin(), old.end(), order[i]) - old.begin());
            });
          }},
      row{"top_k", [](auto x) { return std::get<0>(ts::top_k<3>(x)); },
          [](tensor const& x) {
            return by_rows(
                x, [](auto& line) { std::sort(line.begin(), line.end(), std::greater<>{}); }, 3);
          }},
      row{"cumsum", [](auto x) { return ts::cumsum<1>(x); },
          [](tensor const& x) { return by_rows(x, scan(std::plus<>{})); }},
      row{"cumsum reversed", [](auto x) { return ts::cumsum<1>(x, ts::reverse); },
          [](tensor const& x) { return by_rows(x, scan_back(std::plus<>{})); }},
      row{"cumprod", [](auto x) { return ts::cumprod<1>(x); },
          [](tensor const& x) { return by_rows(x, scan(std::multiplies<>{})); }},
      row{"cumprod reversed", [](auto x) { return ts::cumprod<1>(x, ts::reverse); },
          [](tensor const& x) { return by_rows(x, scan_back(std::multiplies<>{})); }},
      row{"cummax", [](auto x) { return ts::cummax<1>(x); }, [](tensor const& x) { return by_rows(x, scan(most)); }},
      row{"cummax reversed", [](auto x) { return ts::cummax<1>(x, ts::reverse); },
          [](tensor const& x) { return by_rows(x, scan_back(most)); }},
      row{"cummin", [](auto x) { return ts::cummin<1>(x); }, [](tensor const& x) { return by_rows(x, scan(least)); }},
      row{"cumlogsumexp", [](auto x) { return ts::cumlogsumexp<1>(x); },
          [](tensor const& x) { return by_rows(x, scan(log_sum)); }},
      row{"cumlogsumexp reversed", [](auto x) { return ts::cumlogsumexp<1>(x, ts::reverse); },
          [](tensor const& x) { return by_rows(x, scan_back(log_sum)); }}};
};

struct products {
  static constexpr auto rows =
      std::tuple{row{"cumprod", [](auto x) { return ts::cumprod<1>(x); },
                     [](tensor const& x) { return by_rows(x, scan(std::multiplies<>{})); }},
                 row{"cumprod reversed", [](auto x) { return ts::cumprod<1>(x, ts::reverse); },
                     [](tensor const& x) { return by_rows(x, scan_back(std::multiplies<>{})); }}};
};
TEST(sort_grad, of_products_with_zeros) {
  dense<double, 4, 5> const x(
      tensor({4, 5}, {1.5, 0, 2, -1, 0.5, 0, 0, 3, 1, 2, 0.5, 1.25, -1, 2, 0, 2, 0, 1.5, 0, 1}));
  check_gradients<products, on<grid, P<dp>>>(x);
  check_gradients<products, nowhere, jitted>(x);
}

TEST(sort_grad, over_layouts) {
  dense<double, 8, 5> const x(0.3, 1.8);
  check_gradients<functions, on<grid, P<dp>>>(x);
  check_gradients<functions, on<grid, P<axes<mp, dp>>>>(x);
  check_gradients<functions, nowhere>(x);
  check_gradients<functions, on<cube, P<axes<c, a>>>, jitted>(x);
}

}  // namespace
