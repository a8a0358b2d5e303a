// SPDX-License-Identifier: Apache-2.0
// Operations with kernels and rules of their own, in every layout on meshes of 2 x 2 and 2 x 3: refused, or right.

#include <tessera/tessera.hpp>
#include <tessera/testing/check_op.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace {

namespace ts = tessera;
namespace ops = tessera::ops;
namespace kit = tessera::testing;
using kit::dense_array;
using values = std::vector<dense_array>;

ts::attributes dims(std::initializer_list<std::int64_t> list, std::int64_t integer = 0) {
  ts::attributes attrs;
  attrs.first = list;
  attrs.integer = integer;
  return attrs;
}
template <class F>
auto each(F f) {
  return [f](values const& x) {
    dense_array y = x[0];
    for (double& v : y.values) v = f(v);
    return y;
  };
}
template <class F>
auto pairs(F f) {
  return [f](values const& x) {
    dense_array y = x[0];
    for (std::size_t i = 0; i < y.values.size(); ++i) y.values[i] = f(x[0].values[i], x[1].values[i]);
    return y;
  };
}
// f(a line of the last dimension), in place.
template <class F>
auto lines(F f) {
  return [f](values const& x) {
    dense_array y = x[0];
    auto const n = static_cast<std::size_t>(y.extents.back());
    for (std::size_t at = 0; at < y.values.size(); at += n) f(y.values.data() + at, n);
    return y;
  };
}
// f(a line of the last dimension) -> one number.
template <class F>
auto folded(F f) {
  return [f](values const& x) {
    dense_array y{x[0].extents, {}};
    auto const n = static_cast<std::size_t>(y.extents.back());
    y.extents.pop_back();
    for (std::size_t at = 0; at < x[0].values.size(); at += n) y.values.push_back(f(x[0].values.data() + at, n));
    return y;
  };
}
std::vector<kit::input> cube(double low = 0.3, double high = 1.7) {
  return {{ts::dtype::float64, {4, 6, 2}, low, high}};
}
std::vector<kit::input> two(double low = 0.3, double high = 1.7) {
  return {{ts::dtype::float64, {4, 6}, low, high}, {ts::dtype::float64, {4, 6}, low, high}};
}
template <class Op>
void expect(kit::op_test const& test, bool refuses) {
  auto const report = kit::check_op<Op>(test);
  EXPECT_TRUE(report) << report.text;
  EXPECT_EQ(report.refused > 0, refuses) << Op::name << ": " << report.refused << " of " << report.layouts;
}

TEST(every_layout, elementwise) {
  expect<ops::floor>({cube(-3, 3), {}, each([](double v) { return std::floor(v); })}, false);
  expect<ops::tan>({cube(-1, 1), {}, each([](double v) { return std::tan(v); })}, false);
  expect<ops::arctanh>({cube(-0.9, 0.9), {}, each([](double v) { return std::atanh(v); })}, false);
  expect<ops::log2>({cube(), {}, each([](double v) { return std::log2(v); })}, false);
  expect<ops::nan_to_num>({cube(), {}, each([](double v) { return v; })}, false);
  expect<ops::integer_pow<3>>({cube(), {}, each([](double v) { return v * v * v; })}, false);
  expect<ops::copy>({cube(), {}, each([](double v) { return v; })}, false);
  expect<ops::arctan2>({two(), {}, pairs([](double v, double w) { return std::atan2(v, w); })}, true);
  expect<ops::hypot>({two(), {}, pairs([](double v, double w) { return std::hypot(v, w); })}, true);
  expect<ops::logaddexp>({two(), {}, pairs([](double v, double w) { return std::log(std::exp(v) + std::exp(w)); })},
                         true);
  std::vector<kit::input> three(3, {ts::dtype::float64, {4, 2}, 0.3, 1.7});
  expect<ops::clamp>({three,
                      {},
                      [](values const& x) {
                        dense_array y = x[1];
                        for (std::size_t i = 0; i < y.values.size(); ++i)
                          y.values[i] = std::fmin(std::fmax(y.values[i], x[0].values[i]), x[2].values[i]);
                        return y;
                      }},
                     false);
}

TEST(every_layout, reductions) {
  auto const mean = [](double const* v, std::size_t n) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += v[i];
    return sum / static_cast<double>(n);
  };
  auto const var = [mean](double const* v, std::size_t n) {
    double const m = mean(v, n);
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += (v[i] - m) * (v[i] - m);
    return sum / static_cast<double>(n);
  };
  expect<ops::var>({cube(), dims({2}), folded(var)}, false);
  expect<ops::ptp>({cube(), dims({2}), folded([](double const* v, std::size_t n) {
                      return *std::max_element(v, v + n) - *std::min_element(v, v + n);
                    })},
                   false);
  ts::attributes epsilon;
  epsilon.number = 1e-5;
  expect<ops::rms_norm>({cube(), epsilon, lines([](double* v, std::size_t n) {
                           double sum = 0;
                           for (std::size_t i = 0; i < n; ++i) sum += v[i] * v[i];
                           for (std::size_t i = 0; i < n; ++i) v[i] /= std::sqrt(sum / static_cast<double>(n) + 1e-5);
                         })},
                        false);
}

TEST(every_layout, cumulative) {
  expect<ops::cumsum>({cube(), dims({-1}), lines([](double* v, std::size_t n) {
                         for (std::size_t i = 1; i < n; ++i) v[i] += v[i - 1];
                       })},
                      true);
  expect<ops::cumprod>({cube(), dims({2}, 1), lines([](double* v, std::size_t n) {
                          for (std::size_t i = n - 1; i-- > 0;) v[i] *= v[i + 1];
                        })},
                       true);
  expect<ops::cummax>({cube(), dims({2}), lines([](double* v, std::size_t n) {
                         for (std::size_t i = 1; i < n; ++i) v[i] = std::fmax(v[i], v[i - 1]);
                       })},
                      true);
  expect<ops::cumlogsumexp>({cube(), dims({2}), lines([](double* v, std::size_t n) {
                               for (std::size_t i = 1; i < n; ++i) v[i] = std::log(std::exp(v[i]) + std::exp(v[i - 1]));
                             })},
                            true);
}

TEST(every_layout, sorts) {
  expect<ops::sort>({cube(), dims({-1}), lines([](double* v, std::size_t n) { std::sort(v, v + n); })}, true);
  auto attrs = dims({-1});
  attrs.second = {1};
  expect<ops::top_k>({cube(), attrs,
                      [](values const& x) {
                        auto y = folded([](double const* v, std::size_t n) { return *std::max_element(v, v + n); })(x);
                        y.extents.push_back(1);
                        return y;
                      }},
                     true);
  expect<ops::part<ops::top_k, 1>>(
      {cube(), attrs,
       [](values const& x) {
         auto y = folded([](double const* v, std::size_t n) { return double(std::max_element(v, v + n) - v); })(x);
         y.extents.push_back(1);
         return y;
       }},
      true);
}

TEST(every_layout, windows) {
  ts::attributes attrs;
  attrs.first = {1, 1, 2};
  attrs.second = {1, 1, 2};
  attrs.integer = static_cast<std::int64_t>(ops::window_padding::valid);
  expect<ops::reduce_window_sum>({{{ts::dtype::float64, {4, 6, 4}}},
                                  attrs,
                                  [](values const& x) {
                                    dense_array y{x[0].extents, {}};
                                    y.extents[2] = 2;
                                    for (std::size_t i = 0; i < x[0].values.size(); i += 2)
                                      y.values.push_back(x[0].values[i] + x[0].values[i + 1]);
                                    return y;
                                  }},
                                 true);  // where the places do not divide
}

TEST(every_layout, matrices) {
  // 2 x 2 matrices: closed forms.
  auto const inverse = [](values const& x) {
    dense_array y = x[0];
    for (std::size_t i = 0; i < y.values.size(); i += 4) {
      double const *m = x[0].values.data() + i, det = m[0] * m[3] - m[1] * m[2];
      double const of[]{m[3] / det, -m[1] / det, -m[2] / det, m[0] / det};
      std::copy(of, of + 4, y.values.data() + i);
    }
    return y;
  };
  expect<ops::inv>({{{ts::dtype::float64, {6, 2, 2}}}, {}, inverse}, true);
  expect<ops::norm>({{{ts::dtype::float64, {6, 4}}},
                     {},
                     [](values const& x) {
                       double sum = 0;
                       for (double v : x[0].values) sum += v * v;
                       return dense_array{{}, {std::sqrt(sum)}};
                     }},
                    false);
}

}  // namespace
