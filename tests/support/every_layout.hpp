// SPDX-License-Identifier: Apache-2.0
#pragma once
// Rule checks: an op in every layout of operands of rank 3 at most, on meshes of 2 x 2 and 2 x 3, against the oracle, with
// tessera/testing/check_op.hpp. Extents are written in n, the number of devices, so that every layout is lawful; then, on
// axes that may split unevenly, in 3: blocks of 2 x 2 devices are full, half full and empty, with NaN beyond the end.
//   every_layout<ops::sum>([](std::int64_t n) { return test{.inputs = {f64({n, 2 * n})}, .dense = dense(f)}; });
// What was run is printed; an op that only ever refuses fails, and so does one whose gradient is never checked.

#include <tessera/tessera.hpp>
#include <tessera/testing/check_op.hpp>

#include "support/oracle/oracle.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>

namespace layouts {

namespace ts = tessera;
namespace ops = tessera::ops;
using oracle::tensor;
using ts::dtype;
using test = ts::testing::op_test;
using ts::testing::input;
using extents = std::vector<std::int64_t>;
using tensors = std::vector<tensor>;

inline input f64(extents e, double low = 0.3, double high = 1.7) {
  return {dtype::float64, std::move(e), low, high, {}};
}
inline input f32(extents e, double low = 0.3, double high = 1.7) {
  return {dtype::float32, std::move(e), low, high, {}};
}
// Whole numbers in low ... high - 1.
inline input i32(extents e, double low, double high) {
  tensor const x = oracle::scattered(e, low, high, 7);
  return {dtype::int32, std::move(e), 0, 0, oracle::map(x, [](double v) { return std::floor(v); }).data};
}
inline input flags(extents e, unsigned seed = 1) {
  tensor const x = oracle::scattered(e, -1, 1, seed);
  return {dtype::boolean, std::move(e), 0, 0, oracle::map(x, [](double v) { return v > 0; }).data};
}
inline input given(dtype element, tensor const& x) { return {element, x.extents, 0, 0, x.data}; }

inline tensor as_tensor(ts::testing::dense_array const& x) { return {x.extents, x.values}; }
inline ts::testing::dense_array as_dense(tensor const& x) { return {x.extents, x.data}; }
// f(tensor...) or f(tensors) -> tensor, as the kit calls it.
template <class F>
std::function<ts::testing::dense_array(std::vector<ts::testing::dense_array> const&)> dense(F f) {
  return [f](std::vector<ts::testing::dense_array> const& in) {
    if constexpr (std::is_invocable_v<F, tensors>) {
      tensors x;
      for (auto const& a : in) x.push_back(as_tensor(a));
      return as_dense(f(x));
    } else if constexpr (std::is_invocable_v<F, tensor>) {
      return as_dense(f(as_tensor(in[0])));
    } else if constexpr (std::is_invocable_v<F, tensor, tensor>) {
      return as_dense(f(as_tensor(in[0]), as_tensor(in[1])));
    } else {
      return as_dense(f(as_tensor(in[0]), as_tensor(in[1]), as_tensor(in[2])));
    }
  };
}

inline ts::extents_list list(extents const& numbers) {
  ts::extents_list made;
  for (auto v : numbers) made.push_back(v);
  return made;
}

// What all checks of this program counted. An op is differentiated in three layouts at least, or has nothing to
// differentiate: no operand or no result is of real numbers.
struct totals : testing::Environment {
  ts::testing::report sum;
  int checks = 0;
  std::map<std::string_view, ts::testing::report> ops;
  void TearDown() override {
    std::printf("%d checks of %d ops: %d layouts, %d equal, %d refused, %d with gradients\n", checks,
                static_cast<int>(ops.size()), sum.layouts, sum.ran, sum.refused, sum.gradients);
    for (auto const& [name, of] : ops)
      EXPECT_TRUE(of.gradients >= 3 || of.flat == of.ran)
          << name << ": its gradient was checked in " << of.gradients << " layouts";
  }
  static totals& all() {
    static auto* const counted = static_cast<totals*>(testing::AddGlobalTestEnvironment(new totals));
    return *counted;
  }
};
inline totals& counted = totals::all();

template <class Op, class Make>
ts::testing::report every_layout(Make make) {
  ts::testing::report report;
  auto const on = [&](ts::testing::mesh_sizes sizes, std::int64_t n, bool uneven) {
    test asked = make(n);
    asked.meshes = {sizes};
    asked.uneven = uneven;
    report += ts::testing::check_op<Op>(asked);
  };
  on({2, 2}, 4, false);
  if (std::getenv("TESSERA_NIGHTLY") || report.layouts < 200)
    on({2, 3}, 6, false);  // by day not of hundreds of layouts
  on({2, 2}, 3, true);
  EXPECT_TRUE(report) << Op::name << ": " << report.ran << " of " << report.layouts << " ran. " << report.text;
  EXPECT_EQ(report.unmapped, 0) << Op::name << ": vmap has no rule for some of its batches";
  counted.sum += report;
  counted.ops[Op::name] += report;
  ++counted.checks;
  std::printf("%-24s %6d layouts %6d equal %6d refused %6d with gradients\n", std::string(Op::name).c_str(),
              report.layouts, report.ran, report.refused, report.gradients);
  return report;
}

// f(tensor, n) of one operand of these extents; `out`: the result's layout is tried, too, as out_sharding.
template <class Op, class F>
void of_extents(extents (*shape)(std::int64_t), ts::attributes (*attrs)(std::int64_t), F f, bool out = false,
                bool gradient = true) {
  every_layout<Op>([&](std::int64_t n) {
    return test{.inputs = {f64(shape(n), -1, 1)},
                .attrs = attrs(n),
                .dense = dense([f, n](tensor const& x) { return f(x, n); }),
                .gradient = gradient,
                .out_sharding = out};
  });
}

// f(tensor) elementwise, of x between low and high.
template <class Op, class F>
void of_one(F f, double low, double high, dtype element = dtype::float64, ts::attributes const& attrs = {},
            bool gradient = true) {
  for (int rank = 0; rank < 4; ++rank) {
    auto const report = every_layout<Op>([&](std::int64_t n) {
      extents const all{n, 2 * n, n};
      input x = f64({all.begin(), all.begin() + rank}, low, high);
      if (element == dtype::int32) x = i32(x.extents, low, high);
      if (element == dtype::boolean) x = flags(x.extents);
      return test{.inputs = {x}, .attrs = attrs, .dense = dense(f), .gradient = gradient};
    });
    EXPECT_EQ(report.refused, 0) << Op::name;
  }
}

// f(tensor, tensor) elementwise: operands alike, then one with fewer dimensions, one of them 1.
template <class Op, class F>
void of_two(F f, double low, double high, dtype element = dtype::float64, bool gradient = true) {
  auto const make = [&](extents e, unsigned seed) {
    if (element == dtype::boolean) return flags(e, seed);
    if (element == dtype::float64) return f64(e, low, high);
    input x = i32(e, low, high);
    for (std::size_t i = 0; i < seed && x.values.size() > 1; ++i)
      std::rotate(x.values.begin(), x.values.begin() + 1, x.values.end());
    return x;
  };
  auto const shapes = [&](auto left, auto right) {
    every_layout<Op>([&](std::int64_t n) {
      return test{.inputs = {make(left(n), 0), make(right(n), 3)}, .dense = dense(f), .gradient = gradient};
    });
  };
  using size = std::int64_t;
  shapes([](size n) { return extents{n}; }, [](size n) { return extents{n}; });
  shapes([](size n) { return extents{n, 2 * n}; }, [](size n) { return extents{n, 2 * n}; });
  shapes([](size n) { return extents{n, n, n}; }, [](size n) { return extents{n, n, n}; });
  shapes([](size n) { return extents{n, 1, n}; }, [](size n) { return extents{n, 1}; });
  shapes([](size n) { return extents{n}; }, [](size) { return extents{}; });
}

}  // namespace layouts
