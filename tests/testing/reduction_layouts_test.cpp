// SPDX-License-Identifier: Apache-2.0
// Ops along dimensions, in every layout: reductions, normalizations, cumulative ops, sorts, windows.

#include "support/every_layout.hpp"
#include "support/oracle/windows.hpp"

#include <algorithm>

namespace {

using namespace layouts;
using size = std::int64_t;

extents cube(size n) { return {n, 2 * n, n}; }

// f(tensor, dims, keepdims), over every set of dimensions, of ranks 1 to 3.
template <class Op, class Params = ts::reduce_params, class F>
void over_dims(F f, input (*make)(extents), bool keeps = true, bool gradient = true) {
  for (int rank = 1; rank < 4; ++rank)
    for (int set = 0; set < (1 << rank); ++set) {
      extents over;
      for (int d = 0; d < rank; ++d)
        if (set >> d & 1) over.push_back(d);
      for (bool keep : {false, true}) {
        if (keep && (!keeps || set != 2)) continue;
        every_layout<Op>([&](size n) {
          extents e{n, n, 2 * n};
          e.resize(static_cast<std::size_t>(rank));
          return test{.inputs = {make(e)},
                      .attrs = Params{list(over), keep},
                      .dense = dense([=](tensor const& x) { return f(x, over, keep); }),
                      .gradient = gradient,
                      .tolerance = 1e-9};
        });
      }
    }
}
input numbers(extents e) { return f64(std::move(e)); }
input mask(extents e) { return flags(std::move(e)); }
input mostly(extents e) {
  input x = flags(std::move(e));
  for (std::size_t i = 0; i < x.values.size(); ++i) x.values[i] = i % 31 != 3;
  return x;
}
// Near enough to 1 that products of many stay small.
input factors(extents e) { return f64(std::move(e), 0.9, 1.1); }

TEST(reduction_layouts, sums) {
  over_dims<ops::sum>([](tensor const& x, extents const& d, bool k) { return oracle::sum(x, d, k); }, numbers);
  over_dims<ops::prod>([](tensor const& x, extents const& d, bool k) { return oracle::prod(x, d, k); }, factors);
  over_dims<ops::max>([](tensor const& x, extents const& d, bool k) { return oracle::max(x, d, k); }, numbers);
  over_dims<ops::min>([](tensor const& x, extents const& d, bool k) { return oracle::min(x, d, k); }, numbers);
  over_dims<ops::mean>([](tensor const& x, extents const& d, bool k) { return oracle::mean(x, d, k); }, numbers);
  over_dims<ops::any>([](tensor const& x, extents const& d, bool k) { return oracle::any(x, d, k); }, mask);
  over_dims<ops::all>([](tensor const& x, extents const& d, bool k) { return oracle::all(x, d, k); }, mostly);
  over_dims<ops::sum>([](tensor const& x, extents const& d, bool k) { return oracle::sum(x, d, k); }, mask);
}

TEST(reduction_layouts, primitives) {
  auto const one = [](auto op, auto f, input (*make)(extents)) {
    every_layout<decltype(op)>([&](size n) {
      return test{.inputs = {make(cube(n))}, .attrs = ts::reduce_params{{0, 2}}, .dense = dense([=](tensor const& x) {
                                                                                   return f(x, extents{0, 2}, false);
                                                                                 })};
    });
  };
  one(ops::reduce_sum{}, oracle::sum, numbers);
  one(ops::reduce_prod{}, oracle::prod, factors);
  one(ops::reduce_max{}, oracle::max, numbers);
  one(ops::reduce_min{}, oracle::min, numbers);
  one(ops::reduce_and{}, oracle::all, mostly);
  one(ops::reduce_or{}, oracle::any, mask);
}

TEST(reduction_layouts, statistics) {
  over_dims<ops::var, ops::var_params>([](tensor const& x, extents const& d, bool k) { return oracle::var(x, d, k); },
                                       numbers);
  over_dims<ops::stddev, ops::var_params>(
      [](tensor const& x, extents const& d, bool k) { return oracle::sqrt(oracle::var(x, d, k)); }, numbers);
  over_dims<ops::ptp>(
      [](tensor const& x, extents const& d, bool k) { return oracle::max(x, d, k) - oracle::min(x, d, k); }, numbers);
  over_dims<ops::logsumexp>([](tensor const& x, extents const& d, bool k) { return oracle::logsumexp(x, d, k); },
                            numbers);
  of_extents<ops::norm>(
      cube, [](size) { return ts::attributes{}; },
      [](tensor const& x, size) { return oracle::sqrt(oracle::sum(x * x)); });
}

TEST(reduction_layouts, places_of_extremes) {
  for (size d = 0; d < 3; ++d)
    for (bool keep : {false, true})
      for (bool whole : {false, true}) {
        auto const at = [=](auto op, auto f) {
          every_layout<decltype(op)>([&](size n) {
            return test{.inputs = {whole ? i32(cube(n), 0, 4) : f64(cube(n))},
                        .attrs = ts::reduce_params{{d}, keep},
                        .dense = dense([=](tensor const& x) { return f(x, d, keep); })};
          });
        };
        at(ops::argmax{}, oracle::argmax);
        at(ops::argmin{}, oracle::argmin);
      }
  of_extents<ops::argmax>(
      cube, [](size) { return ts::attributes{}; },
      [](tensor const& x, size n) { return oracle::argmax(oracle::reshape(x, {2 * n * n * n}), 0); });
}

#ifndef TESSERA_BY_DAY
TEST(reduction_layouts, normalizations) {
  over_dims<ops::softmax>(
      [](tensor const& x, extents const& d, bool) {
        tensor const e = oracle::exp(x);
        return e / oracle::sum(e, d, true);
      },
      numbers, false);
  over_dims<ops::log_softmax>([](tensor const& x, extents const& d, bool) { return x - oracle::logsumexp(x, d, true); },
                              numbers, false);
  auto const epsilon = [](size) { return ts::attributes(ops::norm_params{1e-3}); };
  auto const layer = [](tensor const& x, size) { return oracle::layer_norm(x, 1, 0, -1, 1e-3); };
  auto const rms = [](tensor const& x, size) { return x * oracle::rsqrt(oracle::mean(x * x, {-1}, true) + 1e-3); };
  for (auto shape : {+[](size n) { return extents{2 * n}; }, +[](size n) { return extents{n, 2 * n}; }, cube}) {
    of_extents<ops::layer_norm>(shape, epsilon, layer);
    of_extents<ops::rms_norm>(shape, epsilon, rms);
  }
}

// f(a line, reversed?) in place, along each dimension.
template <class Op, class F>
void along(F f, input (*make)(extents), bool gradient = true) {
  for (size d = 0; d < 3; ++d)
    for (bool back : {false, true})
      every_layout<Op>([&](size n) {
        auto const want = [=](tensor const& x) {
          tensor y = x;
          oracle::ints outer = x.extents;
          auto const at = static_cast<std::size_t>(d);
          size const count = outer[at];
          outer[at] = 1;
          oracle::for_each_index(outer, [&](oracle::ints where) {
            std::vector<double> line;
            for (size i = 0; i < count; ++i) {
              where[at] = i;
              line.push_back(x[where]);
            }
            f(line, back);
            for (size i = 0; i < count; ++i) {
              where[at] = i;
              y[where] = line[i];
            }
          });
          return y;
        };
        return test{.inputs = {make({n, n, n})},
                    .attrs = ops::along_one_params{d, back},
                    .dense = dense(want),
                    .gradient = gradient};
      });
}
template <class Op>
void cumulative(double (*step)(double, double), input (*make)(extents)) {
  along<Op>(
      [step](std::vector<double>& v, bool back) {
        if (back) std::reverse(v.begin(), v.end());
        for (std::size_t i = 1; i < v.size(); ++i) v[i] = step(v[i - 1], v[i]);
        if (back) std::reverse(v.begin(), v.end());
      },
      make);
}

TEST(reduction_layouts, cumulative) {
  cumulative<ops::cumsum>([](double s, double v) { return s + v; }, numbers);
  cumulative<ops::cumprod>([](double s, double v) { return s * v; }, factors);
  cumulative<ops::cummax>([](double s, double v) { return std::fmax(s, v); }, numbers);
  cumulative<ops::cummin>([](double s, double v) { return std::fmin(s, v); }, numbers);
  cumulative<ops::cumlogsumexp>([](double s, double v) { return std::log(std::exp(s) + std::exp(v)); }, numbers);
}

TEST(reduction_layouts, cumulative_of_all) {
  auto const flat = [](tensor const& x) { return oracle::cumsum(oracle::reshape(x, {x.size()}), 0); };
  every_layout<ops::of_flattened<ops::cumsum>>([&](size n) {
    return test{.inputs = {numbers({n, n, n})}, .attrs = ops::along_one_params{0, false}, .dense = dense(flat)};
  });
}

TEST(reduction_layouts, sorts) {
  along<ops::sort>(
      [](std::vector<double>& v, bool down) {
        std::sort(v.begin(), v.end());
        if (down) std::reverse(v.begin(), v.end());
      },
      numbers);
  along<ops::argsort>(
      [](std::vector<double>& v, bool down) {
        std::vector<double> order(v.size());
        for (std::size_t i = 0; i < v.size(); ++i) {
          std::size_t before = 0;
          for (double other : v) before += down ? other > v[i] : other < v[i];
          order[before] = static_cast<double>(i);
        }
        v = order;
      },
      numbers, false);
  auto const largest = [](bool places) {
    return [places](tensor const& x, size) {
      extents e = x.extents;
      e.back() = 2;
      return oracle::generate(e, [&](oracle::ints at) {
        auto const rank = static_cast<std::size_t>(at.back());
        std::vector<std::pair<double, double>> line;
        for (size i = 0; i < x.extents.back(); ++i) {
          at.back() = i;
          line.emplace_back(-x[at], static_cast<double>(i));
        }
        std::sort(line.begin(), line.end());
        return places ? line[rank].second : -line[rank].first;
      });
    };
  };
  auto const two = [](size) { return ts::attributes(ops::top_k_params{2}); };
  of_extents<ops::top_k>(cube, two, largest(false));
  of_extents<ops::part<ops::top_k, 1>>(cube, two, largest(true));
}

TEST(reduction_layouts, windows) {
  auto const over = [](auto op, auto fold, double start) {
    auto const one = [=](extents const& size_of, extents const& stride, extents const& low, extents const& high) {
      extents pads;
      for (std::size_t d = 0; d < 3; ++d) pads.insert(pads.end(), {low[d], high[d]});
      every_layout<decltype(op)>([&](size n) {
        auto const want = [=](tensor const& x) {
          return oracle::over_window(x, size_of, {stride, low, high}, start, fold);
        };
        return test{
            .inputs = {f64(cube(n))},
            .attrs = ops::over_windows_params{list(size_of), list(stride), list(pads), ops::window_padding::given},
            .dense = dense(want)};
      });
    };
    one({1, 2, 1}, {1, 2, 1}, {0, 0, 0}, {0, 0, 0});
    one({3, 2, 1}, {1, 1, 1}, {1, 0, 0}, {1, 1, 0});
    one({1, 1, 3}, {1, 1, 1}, {0, 0, 0}, {0, 0, 0});
  };
  over(
      ops::reduce_window_sum{}, [](double a, double b) { return a + b; }, 0);
  over(
      ops::reduce_window_max{}, [](double a, double b) { return std::fmax(a, b); }, -INFINITY);
  over(
      ops::reduce_window_min{}, [](double a, double b) { return std::fmin(a, b); }, INFINITY);
  every_layout<ops::avg_pool>([](size n) {
    ops::over_windows_params const attrs{list({2}), list({2}), {}, ops::window_padding::valid, true};
    auto const want = [n](tensor const& x) { return oracle::mean(oracle::reshape(x, {n, n, 2, n}), {2}); };
    return test{.inputs = {f64(cube(n))}, .attrs = attrs, .dense = dense(want)};
  });
}
#endif

}  // namespace
