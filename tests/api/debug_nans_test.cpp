// SPDX-License-Identifier: Apache-2.0
// The operation that makes a NaN or an infinity is named, with its line: in fused programs, loops, gradients, over
// devices, eager; a NaN that no result has is none.

#include "support/on_grid.hpp"
#include "support/throws.hpp"

#include <complex>
#include <limits>

namespace {

using namespace on_grid;
using ts::P;

template <class F>
std::string thrown_by(F const& f) {
  return ts::testing::thrown_text<ts::invalid_value>(f);
}
std::string here(std::string const& name) { return ts::testing::marked_line(__FILE__, name); }
bool says(std::string const& text, std::string const& part) {
  if (text.find(part) != std::string::npos) return true;
  ADD_FAILURE() << "'" << part << "' is not in: " << text;
  return false;
}
auto split(std::vector<double> const& values) { return put<P<dp, mp>, 4, 4>(values); }
std::vector<double> all_but(int place, double value) {
  std::vector<double> v(16, 2.0);
  v[static_cast<std::size_t>(place)] = value;
  return v;
}

struct deep {
  constexpr auto operator()(auto x) const {
    auto const y = x * 2.0 + 1.0;
    auto const z = ts::log(y);  // at log
    return ts::exp(z - 1.0) * y;
  }
};

TEST(debug_nans, the_operation_the_line_and_the_device) {
  auto const x = split(all_but(11, -3.0));
  EXPECT_TRUE(std::isnan(ts::jit<deep>(x).to_host()[11]));
  ts::debug_nans const watched;
  std::string const text = thrown_by([&] { (void)ts::jit<deep>(x); });
  says(text, "log, " + here("log") + ", makes NaN at (0, 1) of float64[1,2]");
  says(text, "the block of the devices at (dp, mp) = (2, 1)");
  says(text, "No operand has one.");
  EXPECT_EQ(thrown_by([&] { (void)ts::jit<deep>(split(std::vector<double>(16, 2.0))); }), "");
}

TEST(debug_nans, ends_with_its_scope) {
  auto const x = split(all_but(3, -3.0));
  {
    ts::debug_nans const watched;
    EXPECT_NE(thrown_by([&] { (void)ts::jit<deep>(x); }), "");
  }
  EXPECT_EQ(thrown_by([&] { (void)ts::jit<deep>(x); }), "");
}

TEST(debug_nans, arguments_are_not_given_away) {
  ts::debug_nans const watched;
  auto x = split(all_but(3, -3.0));
  says(thrown_by([&] { (void)ts::jit<deep>(std::move(x)); }), "log, " + here("log"));
}

struct masked {
  constexpr auto operator()(auto x) const {
    auto const root = ts::sqrt(x);  // at root
    return ts::sum<1>(ts::where(x > 0.0, root, 0.0));
  }
};
// A NaN that is left out is none; that of its gradient is one.
TEST(debug_nans, what_no_result_has) {
  ts::debug_nans const watched;
  auto const x = split(all_but(5, -3.0));
  EXPECT_EQ(thrown_by([&] { (void)ts::jit<masked>(x); }), "");
  std::string const text =
      thrown_by([&] { (void)ts::grad([](auto x) { return ts::sum(masked{}(x)); })(split(all_but(5, 0.0))); });
  says(text, here("root"));
  says(text, "in the backward pass");
}

struct looped {
  constexpr auto operator()(auto x) const {
    auto const body = [](auto, auto v) {
      return ts::sqrt(v - 1.0);  // at loop
    };
    return ts::fori_loop(0, 5, body, x);
  }
};
struct branching {
  constexpr auto operator()(auto x) const {
    auto const wrong = [](auto x) {
      return ts::log(-x);  // at branch
    };
    return ts::cond(
        ts::sum(x) > 0.0, wrong, [](auto x) { return x; }, x);
  }
};
TEST(debug_nans, in_loops_and_branches) {
  ts::debug_nans const watched;
  auto const x = split(std::vector<double>(16, 2.5));
  says(thrown_by([&] { (void)ts::jit<looped>(x); }), "sqrt, " + here("loop"));
  says(thrown_by([&] { (void)ts::jit<branching>(x); }), "log, " + here("branch"));
}

struct product {
  constexpr auto operator()(auto x) const {
    auto const other = ts::reshard<P<mp, ts::none>>(x);
    auto const nothing = other * 0.0;  // at product
    return ts::matmul(x, nothing, ts::out_sharding<P<dp, ts::none>>);
  }
};
TEST(debug_nans, eager_and_products) {
  ts::debug_nans const watched;
  auto const x = split(all_but(0, std::numeric_limits<double>::infinity()));
  says(thrown_by([&] { (void)(x - x); }), "subtract, makes NaN at (0, 0)");
  says(thrown_by([&] { (void)ts::jit<product>(x); }), "multiply, " + here("product"));
  auto const y = split(all_but(2, 0.0));
  says(thrown_by([&] { (void)ts::matmul(x, ts::reshard<P<mp, ts::none>>(y), ts::out_sharding<P<dp, ts::none>>); }),
       "dot_general, makes NaN");
}

TEST(debug_nans, what_an_argument_has) {
  auto const x = split(all_but(6, std::nan("")));
  ts::debug_nans const watched;
  std::string const text = thrown_by([&] { (void)ts::jit<deep>(x); });
  says(text,
       "argument 0 of a program has NaN at (0, 0) of float64[1,2], the block of the devices at (dp, mp) = (1, 1)");
}

template <class T>
void every_dtype(T big) {
  auto const x = ts::asarray({T(1), big, T(3)});
  ts::debug_infs const watched;
  auto const squared = [](auto x) {
    return x * x;  // at square
  };
  says(thrown_by([&] { (void)ts::jit(squared)(x); }), "multiply, " + here("square") + ", makes inf at (1) of");
}
TEST(debug_nans, of_a_type_without_infinity) {
  auto const x = ts::asarray({ts::float8_e4m3fn(1.0f), ts::float8_e4m3fn(448.0f)});
  ts::debug_nans const watched;
  auto const squared = [](auto x) {
    return x * x;  // at the small square
  };
  says(thrown_by([&] { (void)ts::jit(squared)(x); }),
       "multiply, " + here("the small square") + ", makes NaN at (1) of");
}
TEST(debug_nans, infinities_of_every_dtype) {
  every_dtype<float>(1e30f);
  every_dtype<double>(1e300);
  every_dtype<ts::float8_e5m2>(ts::float8_e5m2(50000.0f));
  every_dtype<ts::float16>(ts::float16(60000.0f));
  every_dtype<ts::bfloat16>(ts::bfloat16(1e30f));
  auto const z = ts::asarray({std::complex<float>(1e30f, 0), std::complex<float>(1, 1)});
  ts::debug_infs const watched;
  says(thrown_by([&] { (void)ts::jit([](auto z) { return z * z; })(z); }), "makes inf at (0) of complex64[2]");
}

// Sizes that are known only when the program runs, and layouts over Auto axes.
TEST(debug_nans, programs_that_are_planned_when_they_run) {
  ts::debug_nans const watched;
  std::vector<double> const values{1, -1, 1, 1};
  auto const x = ts::device_put<P<dp>>(ts::host<ts::dynamic>(values), ts::make_mesh<grid>(ts::devices()));
  auto const logged = [](auto x) {
    return ts::log(x) + 1.0;  // at dynamic
  };
  says(thrown_by([&] { (void)ts::jit(logged)(x); }), "log, " + here("dynamic"));
}

}  // namespace
