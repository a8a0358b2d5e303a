// SPDX-License-Identifier: Apache-2.0
// nightly
// Summaries, segments and searches in every layout.

#include "support/every_layout.hpp"

#include <algorithm>

namespace {

using namespace layouts;
using size = std::int64_t;

extents flat(size n) { return {n, 2 * n}; }
extents line(size n) { return {n}; }
extents cube(size n) { return {n, n, 2 * n}; }

// Every seventh number missing.
input with_gaps(extents e) {
  tensor x = oracle::scattered(e, 0.7, 1.3);
  for (std::size_t i = 3; i < x.data.size(); i += 7) x.data[i] = std::numeric_limits<double>::quiet_NaN();
  return given(dtype::float64, x);
}
tensor filled(tensor const& x, double otherwise) {
  return oracle::map(x, [otherwise](double v) { return std::isnan(v) ? otherwise : v; });
}
tensor there(tensor const& x) {
  return oracle::map(x, [](double v) { return double(!std::isnan(v)); });
}

// f(tensor, dims) over no, one and several dimensions.
template <class Op, class F>
void over(F f, input (*make)(extents), bool gradient = true) {
  for (auto shape : {line, flat, cube})
    for (extents dims : {extents{}, extents{0}, extents{1}, extents{0, 2}}) {
      if (!dims.empty() && dims.back() >= size(shape(4).size())) continue;
      every_layout<Op>([&](size n) {
        return test{.inputs = {make(shape(n))},
                    .attrs = ts::reduce_params{list(dims)},
                    .dense = dense([=](tensor const& x) { return f(x, dims); }),
                    .gradient = gradient,
                    .tolerance = 1e-9};
      });
    }
}

TEST(summary_layouts, what_is_not_missing) {
  double const inf = std::numeric_limits<double>::infinity();
  over<ops::nansum>([](tensor const& x, extents const& d) { return oracle::sum(filled(x, 0), d); }, with_gaps);
  over<ops::nanprod>([](tensor const& x, extents const& d) { return oracle::prod(filled(x, 1), d); }, with_gaps);
  over<ops::nanmax>([=](tensor const& x, extents const& d) { return oracle::max(filled(x, -inf), d); }, with_gaps);
  over<ops::nanmin>([=](tensor const& x, extents const& d) { return oracle::min(filled(x, inf), d); }, with_gaps);
  over<ops::nanmean>(
      [](tensor const& x, extents const& d) { return oracle::sum(filled(x, 0), d) / oracle::sum(there(x), d); },
      with_gaps);
  over<ops::count_nonzero>([](tensor const& x, extents const& d) { return oracle::sum(x, d); },
                           [](extents e) { return flags(std::move(e)); });
}

TEST(summary_layouts, averages) {
  for (extents dims : {extents{}, extents{0}, extents{1}})
    every_layout<ops::average>([&](size n) {
      return test{.inputs = {f64(flat(n)), f64(flat(n))},
                  .attrs = ts::reduce_params{list(dims)},
                  .dense = dense([=](tensor const& x, tensor const& w) {
                    return oracle::sum(x * w, dims) / oracle::sum(w, dims);
                  })};
    });
  for (size rows : {2, 3})  // rows must be whole, observations need not
    every_layout<ops::cov>([=](size n) {
      auto const want = [n](tensor const& x) {
        tensor const off = x - oracle::mean(x, {1}, true);
        return oracle::matmul(off, oracle::transpose(off)) / static_cast<double>(2 * n - 1);
      };
      return test{
          .inputs = {f64({rows, 2 * n})}, .attrs = ops::cov_params{1}, .dense = dense(want), .tolerance = 1e-11};
    });
}

// Of lines along `dim` of x, of all of x where it is negative.
tensor quantiles(tensor const& x, double q, size dim) {
  tensor const lines = dim < 0 ? oracle::reshape(x, {1, x.size()}) : dim == 0 ? oracle::transpose(x) : x;
  tensor const result = oracle::generate({lines.extents[0]}, [&](oracle::ints const& at) {
    std::vector<double> v;
    for (size i = 0; i < lines.extents[1]; ++i) v.push_back(lines[{at[0], i}]);
    std::sort(v.begin(), v.end());
    double const place = q * static_cast<double>(v.size() - 1), low = std::floor(place);
    return v[std::size_t(low)] * (1 - place + low) + v[std::size_t(std::ceil(place))] * (place - low);
  });
  return dim < 0 ? oracle::reshape(result, {}) : result;
}
TEST(summary_layouts, quantiles) {
  for (size dim : {-1, 0, 1}) {
    ts::attributes const attrs = dim < 0 ? ts::reduce_params{} : ts::reduce_params{{dim}};
    every_layout<ops::quantile>([=](size n) {
      return test{.inputs = {f64(flat(n)), {dtype::float64, {}, 0, 0, {0.37}}},
                  .attrs = attrs,
                  .dense = dense([=](tensor const& x, tensor const& q) { return quantiles(x, q.item(), dim); })};
    });
    every_layout<ops::median>([=](size n) {
      return test{.inputs = {f64(flat(n))}, .attrs = attrs, .dense = dense([=](tensor const& x) {
                                                              return quantiles(x, 0.5, dim);
                                                            })};
    });
  }
}

TEST(summary_layouts, closeness) {
  input const relative{dtype::float64, {}, 0, 0, {1e-3}}, absolute{dtype::float64, {}, 0, 0, {0.25}};
  for (bool alike : {false, true}) {
    auto const near = [](double v, double w) { return double(std::fabs(v - w) <= 0.25 + 1e-3 * std::fabs(w)); };
    auto const make = [&](bool all) {
      return [=](size n) {
        tensor const x = oracle::scattered(flat(n), -1, 1, 3);
        tensor const y =
            alike ? oracle::map(x, [](double v) { return v + 0.1; }) : oracle::scattered(flat(n), -1, 1, 4);
        auto const want = [=](tensors const& in) {
          tensor const close = oracle::map(in[0], in[1], near);
          return all ? oracle::all(close) : close;
        };
        return test{.inputs = {given(dtype::float64, x), given(dtype::float64, y), relative, absolute},
                    .dense = dense(want),
                    .gradient = false};
      };
    };
    every_layout<ops::isclose>(make(false));
    every_layout<ops::allclose>(make(true));
    every_layout<ops::array_equal>([=](size n) {
      input const x = i32(flat(n), -5, 5);
      input y = x;
      if (!alike) y.values[5] += 1;
      return test{.inputs = {x, y},
                  .dense = dense([](tensor const& v, tensor const& w) { return oracle::all(oracle::equal(v, w)); })};
    });
  }
}

// Rows of one of three segments; some of none.
input labels(size n) {
  tensor ids = oracle::zeros({n});
  for (size i = 0; i < n; ++i) ids.data[std::size_t(i)] = static_cast<double>(i == 1 ? 7 : i % 3);
  return given(dtype::int32, ids);
}
template <class Op>
void segments(double start, double (*f)(double, double)) {
  for (bool wide : {false, true})
    for (bool out : {false, true})
      every_layout<Op>([=](size n) {
        auto const want = [=](tensor const& x, tensor const& ids) {
          extents e = x.extents;
          e[0] = 3;
          tensor y = oracle::full(e, start);
          oracle::for_each_index(x.extents, [&](oracle::ints at) {
            double const v = x[at];
            at[0] = static_cast<size>(ids[{at[0]}]);
            if (at[0] < 3) y[at] = f(y[at], v);
          });
          return y;
        };
        return test{.inputs = {f64(wide ? extents{2 * n, n} : extents{2 * n}), labels(2 * n)},
                    .attrs = ops::segment_params{3},
                    .dense = dense(want),
                    .out_sharding = out};
      });
}
TEST(summary_layouts, segments) {
  double const inf = std::numeric_limits<double>::infinity();
  segments<ops::segment_sum>(0, [](double a, double v) { return a + v; });
  segments<ops::segment_max>(-inf, [](double a, double v) { return std::fmax(a, v); });
  segments<ops::segment_min>(inf, [](double a, double v) { return std::fmin(a, v); });
  for (bool out : {false, true})
    every_layout<ops::bincount>([=](size n) {
      auto const want = [](tensor const& ids) {
        tensor counts = oracle::zeros({3});
        for (double id : ids.data)
          if (id < 3) counts.data[std::size_t(id)] += 1;
        return counts;
      };
      return test{
          .inputs = {labels(2 * n)}, .attrs = ops::segment_params{3}, .dense = dense(want), .out_sharding = out};
    });
}

TEST(summary_layouts, searches) {
  auto const ascending = [](size n) {
    return given(dtype::float64, oracle::map(oracle::iota({n}), [](double v) { return -0.8 + v * 0.25; }));
  };
  for (bool after : {false, true})
    for (auto shape : {line, flat})
      every_layout<ops::searchsorted>([=](size n) {
        auto const want = [=](tensor const& sorted, tensor const& x) {
          return oracle::map(x, [&](double v) {
            double below = 0;
            for (double s : sorted.data) below += after ? s <= v : s < v;
            return below;
          });
        };
        tensor x = oracle::scattered(shape(n), -1, 1);
        x.data[2] = -0.8 + 0.25;  // one of the numbers themselves
        return test{.inputs = {ascending(n), given(dtype::float64, x)},
                    .attrs = ops::searchsorted_params{after},
                    .dense = dense(want),
                    .gradient = false};
      });
  every_layout<ops::interp>([=](size n) {
    auto const want = [](tensor const& x, tensor const& points, tensor const& values) {
      auto const& p = points.data;
      auto const& f = values.data;
      return oracle::map(x, [&](double v) {
        if (v <= p.front()) return f.front();
        if (v >= p.back()) return f.back();
        std::size_t k = 1;
        while (p[k] < v) ++k;
        return f[k - 1] + (f[k] - f[k - 1]) * (v - p[k - 1]) / (p[k] - p[k - 1]);
      });
    };
    return test{.inputs = {f64(flat(n), -1, 1), ascending(n), f64({n})}, .dense = dense(want)};
  });
}

}  // namespace
