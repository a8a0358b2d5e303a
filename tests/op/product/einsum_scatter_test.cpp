// SPDX-License-Identifier: Apache-2.0
// A sum over devices of which each keeps a part is one reduce_scatter, in the launch of the sum: along any dimension, over
// one axis and over several, beside dimensions that are split already.

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

namespace ts = tessera;
struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
using ts::none;
using ts::P;
constexpr std::int64_t n = 8, e = 16, f = 24;

// Small whole numbers: their sums are exact in any order.
std::vector<float> const& numbers() {
  static std::vector<float> const all = [] {
    std::vector<float> v(static_cast<std::size_t>(n * e * f));
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<float>(i * 37 % 101) - 50;
    return v;
  }();
  return all;
}
template <class From>
auto put() {
  return ts::device_put<From>(ts::host<n, e, f>(numbers()), ts::make_mesh<grid>(ts::devices()));
}

enum class turned : bool { no, yes };
template <class To, turned Turned>
struct total {
  constexpr auto operator()(auto x) const {
    if constexpr (Turned == turned::yes)
      return ts::einsum<"nef->fe">(x, ts::out_sharding<To>);
    else
      return ts::einsum<"nef->ef">(x, ts::out_sharding<To>);
  }
};

template <class From, class To, turned Turned = turned::no>
void sums_to(int scattered, int reduced) {
  using program = total<To, Turned>;
  auto const x = put<From>();
  constexpr auto const& cost = ts::comm_of<program, decltype(x)>;
  EXPECT_EQ(cost.count(ts::collective::reduce_scatter), scattered);
  EXPECT_EQ(cost.count(ts::collective::all_reduce), reduced);
  ts::jit<program>(x).block_until_ready();
  auto const before = ts::launches_so_far();
  auto const y = ts::jit<program>(x);
  y.block_until_ready();
  if (Turned == turned::no) {
    EXPECT_EQ(ts::launches_so_far().steps() - before.steps(), scattered + reduced);
  }
  auto const got = y.to_host();
  ASSERT_EQ(got.size(), static_cast<std::size_t>(e * f));
  for (std::int64_t i = 0; i < e; ++i)
    for (std::int64_t j = 0; j < f; ++j) {
      float want = 0;
      for (std::int64_t k = 0; k < n; ++k) want += numbers()[(k * e + i) * f + j];
      auto const at = static_cast<std::size_t>(Turned == turned::yes ? j * e + i : i * f + j);
      ASSERT_EQ(got[at], want) << i << ", " << j;
    }
}

struct squared {
  constexpr auto operator()(auto x) const {
    auto const kept = ts::einsum<"nef->ef">(x, ts::out_sharding<P<dp>>);
    return ts::sum(kept * kept);
  }
};
struct gradient {
  constexpr auto operator()(auto x) const { return ts::grad(squared{})(x); }
};

}  // namespace

TEST(einsum_scatter, keeps_a_part_of_any_dimension) {
  sums_to<P<dp>, P<dp>>(1, 0);
  sums_to<P<dp>, P<none, dp>>(1, 0);
  sums_to<P<mp>, P<mp>>(1, 0);
  sums_to<P<dp>, P<>>(0, 1);
}
TEST(einsum_scatter, over_several_axes) {
  sums_to<P<ts::axes<dp, mp>>, P<ts::axes<dp, mp>>>(1, 0);
  sums_to<P<ts::axes<dp, mp>>, P<none, ts::axes<dp, mp>>>(1, 0);
  sums_to<P<ts::axes<mp, dp>>, P<ts::axes<mp, dp>>>(1, 0);
}
TEST(einsum_scatter, beside_dimensions_that_are_split) {
  sums_to<P<dp, mp>, P<mp, dp>>(1, 0);
  sums_to<P<dp, none, mp>, P<dp, mp>>(1, 0);
  sums_to<P<dp, mp>, P<ts::axes<mp, dp>>>(1, 0);
}
TEST(einsum_scatter, before_it_is_transposed) { sums_to<P<dp>, P<dp>, turned::yes>(1, 0); }

// Of sum(y^2), y the sum over n: 2 y for each n.
TEST(einsum_scatter, has_a_gradient) {
  auto const x = put<P<dp>>();
  auto const got = ts::jit<gradient>(x).to_host();
  ASSERT_EQ(got.size(), numbers().size());
  for (std::int64_t i = 0; i < e * f; ++i) {
    float sum = 0;
    for (std::int64_t k = 0; k < n; ++k) sum += numbers()[k * e * f + i];
    for (std::int64_t k = 0; k < n; ++k) ASSERT_EQ(got[k * e * f + i], 2 * sum) << k << ", " << i;
  }
}
