// SPDX-License-Identifier: Apache-2.0
// Operations of a user's own, written with public headers only, and the kit that tests them: it finds what is wrong.

#include <tessera/tessera.hpp>
#include <tessera/testing/check_op.hpp>

#include <gtest/gtest.h>

namespace own {

namespace ts = tessera;

// An elementwise function: x / (1 + |x|).
struct softsign : ts::ops::unary<softsign, ts::ops::accepts::floats> {
  static constexpr std::string_view name = "softsign";
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return x / (T(1) + (x < 0 ? -x : x));
  }
  template <class B>
  static constexpr void transpose(B& back, int) {  // 1 / (1 + |x|)^2
    auto const whole = ts::make<ts::ops::absolute>(back, {back.operand(0)}) + 1.0;
    back.give(0, back.cotangent() / ts::make<ts::ops::square>(back, {whole}));
  }
};

// A kernel on whole rows: each row minus its first number; and its transpose.
struct centered_spread : ts::ops::opaque<centered_spread, 1, ts::ops::accepts::floats> {
  static constexpr std::string_view name = "centered_spread";
  static constexpr ts::opaque_shape shape(ts::rule_input const& in) { return ts::rule::last_dims(in, 1); }
  template <class T>
  TESSERA_FUNCTION static void run(ts::opaque_call const&, ts::dense_view<T const> g, ts::dense_view<T> y) {
    T sum = T(0);
    for (std::int64_t i = 0; i < g.extent(0); ++i) sum = static_cast<T>(sum + g(i));
    for (std::int64_t i = 0; i < g.extent(0); ++i) y(i) = static_cast<T>(g(i) - (i == 0 ? sum : T(0)));
  }
};
struct centered : ts::ops::opaque<centered, 1, ts::ops::accepts::floats> {
  static constexpr std::string_view name = "centered";
  static constexpr ts::opaque_shape shape(ts::rule_input const& in) { return ts::rule::last_dims(in, 1); }
  template <class T>
  TESSERA_FUNCTION static void run(ts::opaque_call const&, ts::dense_view<T const> x, ts::dense_view<T> y) {
    for (std::int64_t i = 0; i < x.extent(0); ++i) y(i) = static_cast<T>(x(i) - x(0));
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, ts::make<centered_spread>(back, {back.cotangent()}));
  }
};

// Two results, and a second operand that the whole batch shares: how far each row is from `center`, and in which column
// it is farthest.
struct distance : ts::ops::opaque<distance, 2, ts::ops::accepts::floats, 2> {
  static constexpr std::string_view name = "distance";
  template <class T>
  using results = ts::opaque_types<T, std::int32_t>;
  static constexpr ts::opaque_shape shape(ts::rule_input const& in) {
    ts::opaque_shape shape;
    if (in[0].rank < 1 || in[1].rank != 1) {
      shape.refused = ts::refuse(ts::reason::ranks_disagree, -1, {}, in[0].rank, in[1].rank);
      return shape;
    }
    shape.operand[0].push_back(in[0].rank - 1);
    shape.operand[1].push_back(0);
    return shape;  // both results have batch dimensions only
  }
  template <class T>
  TESSERA_FUNCTION static void run(ts::opaque_call const&, ts::dense_view<T const> x, ts::dense_view<T const> center,
                                   ts::dense_view<T> sum, ts::dense_view<std::int32_t> where) {
    T total = T(0), most = T(-1);
    where() = 0;
    for (std::int64_t i = 0; i < x.extent(0); ++i) {
      T const apart = static_cast<T>((x(i) - center(i)) * (x(i) - center(i)));
      total = static_cast<T>(total + apart);
      if (apart > most) {
        most = apart;
        where() = static_cast<std::int32_t>(i);
      }
    }
    sum() = total;
  }
};

// Parameters of its own: each line along a dimension minus so many times one of its numbers.
enum class scale : std::uint8_t { once, twice };
struct apart_params {
  ts::dimension dim{};
  std::int64_t which = 0;
  scale by = scale::once;
  TESSERA_FUNCTION static constexpr void fields(auto& p, auto&& each) { each(p.dim, p.which, p.by); }
};
struct apart : ts::ops::opaque<apart, 1, ts::ops::accepts::floats> {
  static constexpr std::string_view name = "apart";
  static constexpr ts::opaque_shape shape(ts::rule_input const& in) {
    return ts::rule::along_dim(in, in.attrs.as<apart_params>().dim);
  }
  template <class T>
  TESSERA_FUNCTION static void run(ts::opaque_call const& call, ts::dense_view<T const> x, ts::dense_view<T> y) {
    auto const p = call.attrs.as<apart_params>();
    T const from = static_cast<T>(p.by == scale::twice ? x(p.which) + x(p.which) : x(p.which));
    for (std::int64_t i = 0; i < x.extent(0); ++i) y(i) = static_cast<T>(x(i) - from);
  }
};
template <int Dim, std::int64_t Which>
struct twice_from {
  template <ts::Mesh M>
  static constexpr apart_params on() {
    return {Dim, Which, scale::twice};
  }
};
template <int Dim, std::int64_t Which>
inline constexpr ts::unary_door<apart, twice_from<Dim, Which>> apart_from;

inline constexpr ts::unary_door<softsign> soft_sign;
inline constexpr ts::unary_door<centered> center;

}  // namespace own

namespace {

using namespace own;
namespace kit = ts::testing;
using kit::dense_array;

dense_array softsign_of(std::vector<dense_array> const& x) {
  dense_array y = x[0];
  for (double& v : y.values) v /= 1 + std::fabs(v);
  return y;
}
dense_array centered_of(std::vector<dense_array> const& x) {
  dense_array y = x[0];
  auto const n = static_cast<std::size_t>(y.extents.back());
  for (std::size_t i = 0; i < y.values.size(); ++i) y.values[i] -= x[0].values[i / n * n];
  return y;
}
template <bool Where>
dense_array distance_of(std::vector<dense_array> const& x) {
  auto const n = static_cast<std::size_t>(x[1].extents[0]);
  dense_array y{x[0].extents, {}};
  y.extents.pop_back();
  for (std::size_t r = 0; r < x[0].values.size() / n; ++r) {
    double sum = 0, most = -1, where = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double const apart = std::pow(x[0].values[r * n + i] - x[1].values[i], 2);
      sum += apart;
      if (apart > most) most = apart, where = static_cast<double>(i);
    }
    y.values.push_back(Where ? where : sum);
  }
  return y;
}

TEST(own_op, elementwise) {
  auto const report = kit::check_op<softsign>({.inputs = {{ts::dtype::float64, {4, 6}}}, .dense = softsign_of});
  EXPECT_TRUE(report) << report.text;
  EXPECT_EQ(report.refused, 0);
  EXPECT_EQ(report.gradients, report.layouts);
}

TEST(own_op, opaque) {
  auto const report = kit::check_op<centered>({.inputs = {{ts::dtype::float64, {2, 6, 4}}}, .dense = centered_of});
  EXPECT_TRUE(report) << report.text;
  EXPECT_GT(report.refused, 0);
  EXPECT_EQ(report.ran + report.refused, report.layouts);
  EXPECT_TRUE(kit::check_op<centered>({.inputs = {{ts::dtype::bfloat16, {4, 6}}}, .dense = centered_of}));
}

TEST(own_op, of_several_operands_and_results) {
  std::vector<kit::input> const inputs{{ts::dtype::float64, {4, 6, 3}}, {ts::dtype::float64, {3}}};
  auto const sums = kit::check_op<distance>({.inputs = inputs, .dense = distance_of<false>, .gradient = false});
  EXPECT_TRUE(sums) << sums.text;
  auto const places =
      kit::check_op<ts::ops::part<distance, 1>>({.inputs = inputs, .dense = distance_of<true>, .gradient = false});
  EXPECT_TRUE(places) << places.text;
  EXPECT_GT(places.unmapped, 0);  // a batch of operand 1, which is worked on as a whole
}

#ifndef TESSERA_BY_DAY
dense_array apart_of(std::vector<dense_array> const& x) {  // of [n, m, k] along dimension 1, twice element 1
  dense_array y = x[0];
  std::size_t const m = static_cast<std::size_t>(x[0].extents[1]), k = static_cast<std::size_t>(x[0].extents[2]);
  for (std::size_t i = 0; i < y.values.size(); ++i) y.values[i] -= 2 * x[0].values[i / (m * k) * (m * k) + k + i % k];
  return y;
}
TEST(own_op, with_parameters) {
  auto const report = kit::check_op<apart>({.inputs = {{ts::dtype::float64, {4, 3, 6}}},
                                            .attrs = apart_params{1, 1, scale::twice},
                                            .dense = apart_of,
                                            .gradient = false});
  EXPECT_TRUE(report) << report.text;
  EXPECT_GT(report.ran, 0);
  // vmap counts the dimension on.
  auto const values = kit::detail::scattered({4, 3, 2}, -1, 1, 3);
  std::vector<double> const memory = values.values;
  auto const x = ts::host<4, 3, 2>(memory);
  auto const got = ts::jit(ts::vmap(apart_from<0, 1>))(x).to_host();
  auto const want = apart_of({values});
  for (std::size_t i = 0; i < memory.size(); ++i) EXPECT_NEAR(got[i], want.values[i], 1e-12);
}

// In a program of its own, compiled; and as a step of a larger one, with its gradient.
struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;
struct used {
  constexpr auto operator()(auto x) const { return ts::sum(soft_sign(center(x * 2.0)) * 3.0); }
};
TEST(own_op, in_a_jitted_gradient) {
  auto const values = kit::detail::scattered({4, 3}, -1, 1, 3);
  std::vector<double> const memory = values.values;
  auto const x = ts::device_put<ts::P<dp>>(ts::host<4, 3>(memory), ts::make_mesh<line>(ts::devices()));
  auto const slope = ts::jit(ts::grad(used{}))(x);
  auto const got = slope.to_host();
  for (std::size_t r = 0; r < 4; ++r) {
    double first = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      double const apart = 2 * (memory[r * 3 + i] - memory[r * 3]), d = 6 / std::pow(1 + std::fabs(apart), 2);
      if (i == 0) continue;
      EXPECT_NEAR(got[r * 3 + i], d, 1e-12);
      first -= d;
    }
    EXPECT_NEAR(got[r * 3], first, 1e-12);
  }
}

// What the kit must find.
struct wrong_slope : ts::ops::unary<wrong_slope, ts::ops::accepts::floats> {
  static constexpr std::string_view name = "wrong_slope";
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return x * x;
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, back.cotangent() * back.operand(0));
  }
};
struct wrong_rule
    : ts::ops::opaque<wrong_rule, 1, ts::ops::accepts::floats> {  // works on rows, says it works on nothing
  static constexpr std::string_view name = "wrong_rule";
  static constexpr ts::opaque_shape shape(ts::rule_input const& in) {
    auto shape = ts::rule::along_dim(in, 0);
    return shape;
  }
  template <class T>
  TESSERA_FUNCTION static void run(ts::opaque_call const&, ts::dense_view<T const> x, ts::dense_view<T> y) {
    for (std::int64_t i = 0; i < x.extent(0); ++i) y(i) = static_cast<T>(x(i) + x(0));
  }
};
TEST(own_op, mistakes_are_found) {
  auto const square = [](std::vector<dense_array> const& x) {
    auto y = x[0];
    for (double& v : y.values) v *= v;
    return y;
  };
  auto const slope = kit::check_op<wrong_slope>({.inputs = {{ts::dtype::float64, {4, 2}}}, .dense = square});
  EXPECT_FALSE(slope);
  EXPECT_NE(slope.text.find("central differences"), std::string::npos) << slope.text;
  auto const rows = kit::check_op<wrong_rule>({.inputs = {{ts::dtype::float64, {4, 2}}}, .dense = centered_of});
  EXPECT_FALSE(rows);
  EXPECT_NE(rows.text.find("want"), std::string::npos) << rows.text;
}
#endif

}  // namespace
