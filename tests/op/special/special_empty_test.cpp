// SPDX-License-Identifier: Apache-2.0
// nightly
// Reductions, cumulative ops, sorts and products of no elements, against JAX.

#include "support/special_rows.hpp"

namespace {

using namespace special;

struct of_nothing {
  static constexpr auto rows =
      std::tuple{flat{"sum", [](auto x, auto) { return ts::sum<0>(x); }},
                 flat{"prod", [](auto x, auto) { return ts::prod<0>(x); }},
                 flat{"mean", [](auto x, auto) { return ts::mean<0>(x); }},
                 flat{"any", [](auto x, auto) { return ts::any<0>(x); }},
                 flat{"all", [](auto x, auto) { return ts::all<0>(x); }},
                 flat{"var", [](auto x, auto) { return ts::var<0>(x); }},
                 flat{"stddev", [](auto x, auto) { return ts::stddev<0>(x); }},
                 flat{"nansum", [](auto x, auto) { return ts::nansum<0>(x); }},
                 flat{"nanprod", [](auto x, auto) { return ts::nanprod<0>(x); }},
                 flat{"nanmean", [](auto x, auto) { return ts::nanmean<0>(x); }},
                 flat{"count_nonzero", [](auto x, auto) { return ts::count_nonzero<0>(x); }},
                 flat{"cumsum", [](auto, auto y) { return ts::cumsum<1>(y); }},
                 flat{"cumprod", [](auto, auto y) { return ts::cumprod<1>(y); }},
                 flat{"cummax", [](auto, auto y) { return ts::cummax<1>(y); }},
                 flat{"cumlogsumexp", [](auto, auto y) { return ts::cumlogsumexp<1>(y); }},
                 flat{"sort", [](auto, auto y) { return ts::sort(y); }},
                 flat{"argsort", [](auto, auto y) { return ts::argsort<-1>(y); }},
                 flat{"matmul", [](auto x, auto y) { return ts::matmul(y, x); }},
                 flat{"matmul_of_none", [](auto x, auto) { return ts::matmul(x, ts::ones<float, 3, 2>()); }},
                 flat{"vecdot", [](auto, auto y) { return ts::vecdot(y, y); }},
                 flat{"norm", [](auto x, auto) { return ts::norm(x); }},
                 flat{"sum_of_all", [](auto x, auto) { return ts::sum(x); }},
                 flat{"prod_of_all", [](auto, auto y) { return ts::prod(y); }},
                 flat{"max_of_others", [](auto x, auto) { return ts::max<1>(x); }},
                 flat{"exp", [](auto x, auto) { return ts::exp(x); }},
                 flat{"astype", [](auto x, auto) { return ts::astype<std::int32_t>(x); }},
                 flat{"where", [](auto x, auto) { return ts::where(x > 0, x, 0.0); }}};
};
TEST(special_empty, values) {
  answers const a = answers_of<float>("empty", any_zeros);
  check_values<of_nothing>(a, put<float, 0, 3>({}), put<float, 2, 0>({}));
}

// The gradient of a product of nothing is nothing.
TEST(special_empty, gradients) {
  auto const slopes = ts::jit([](auto x, auto y) {
    return std::tuple{ts::grad([](auto z) { return ts::sum(ts::prod<0>(z)); })(x),
                      ts::grad([](auto z) { return ts::sum(ts::cumprod<1>(z)); })(y),
                      ts::grad([](auto z) { return ts::prod(z); })(y)};
  })(put<float, 0, 3>({}), put<float, 2, 0>({}));
  EXPECT_EQ(std::get<0>(slopes).to_host().size(), 0u);
  EXPECT_EQ(std::get<1>(slopes).to_host().size(), 0u);
  EXPECT_EQ(std::get<2>(slopes).to_host().size(), 0u);
}

}  // namespace
