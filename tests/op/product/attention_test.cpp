// SPDX-License-Identifier: Apache-2.0
// dot_product_attention against loops over its definition, in layouts, and against JAX 0.10.2's numbers.

#include "support/attention_case.hpp"

namespace {

using namespace attention_case;

TEST(attention, against_its_definition) {
  each_layout([](auto const& in) {
    near(ts::dot_product_attention(in.q, in.k, in.v), in.v, expected({}));
    near(ts::dot_product_attention(in.q, in.k, in.v, ts::causal), in.v, expected({.right = 0}));
    near(ts::dot_product_attention(in.q, in.k, in.v, ts::local_window<2, 1>), in.v, expected({.left = 2, .right = 1}));
    near(ts::dot_product_attention(in.q, in.k, in.v, ts::causal, ts::local_window<2, 1>), in.v,
         expected({.left = 2, .right = 0}));
    near(ts::dot_product_attention(in.q, in.k, in.v, ts::attention_scale(0.25), ts::attention_bias(in.bias)), in.v,
         expected({.bias = true, .scale = 0.25}));
    near(ts::dot_product_attention(in.q, in.k, in.v, ts::attention_mask(in.mask > 0.0f)), in.v,
         expected({.mask = true}));
    near(ts::dot_product_attention(in.q, in.k, in.v, ts::query_lengths(in.rows), ts::key_lengths(in.columns)), in.v,
         expected({.lengths = true}));
    near(ts::dot_product_attention(in.q, in.k, in.v, ts::causal, ts::attention_bias(in.bias),
                                   ts::attention_mask(in.mask > 0.0f), ts::key_lengths(in.columns)),
         in.v, expected({.right = 0, .bias = true, .mask = true, .columns = true}));
  });
}

TEST(attention, as_jax) {
  auto const in = inputs<ts::P<dp, ts::none, mp>, ts::P<dp, ts::none, mp>>();
  auto const sampled = [](auto const& x) {
    auto const all = x.to_host();
    std::vector<double> some;
    for (std::size_t i = 0; i < all.size(); i += 61) some.push_back(all[i]);
    return some;
  };
  auto const close = [](std::vector<double> const& got, std::vector<double> const& want) {
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t i = 0; i < want.size(); ++i) EXPECT_NEAR(got[i], want[i], 1e-6) << i;
  };
  close(sampled(ts::dot_product_attention(in.q, in.k, in.v, ts::causal, ts::local_window<2, 1>)),
        {0.4509524, 0.2617698, -0.5142419, -0.523241, 0.4108795, 0.5441603, -0.5330782, -0.5514816, 0.1870505,
         0.4598266, 0.6159844, -0.5017438, -0.5099711});
  close(sampled(ts::dot_product_attention(in.q, in.k, in.v, ts::query_lengths(in.rows), ts::key_lengths(in.columns))),
        {0.3752954, -0.04076583, -0.4396607, -0.273669, 0.4108795, 0, 0, 0, 0, 0, 0.3377597, -0.5157483, -0.148175});
  close(sampled(ts::dot_product_attention(in.q, in.k, in.v, ts::attention_bias(in.bias), ts::causal,
                                          ts::attention_mask(in.mask > 0.0f), ts::key_lengths(in.columns))),
        {0.4509524, 0.2960885, -0.4968906, -0.2145699, 0.08872738, -0.1504056, 0.06313602, -0.6001369, -0.008060949,
         0.2530807, 0.3377597, -0.5157483, -0.148175});
}

TEST(attention, without_a_batch_and_in_bfloat16) {
  auto const in = inputs<ts::P<>, ts::P<>>();
  auto const first = [](auto const& x) {
    return ts::jit([](auto y) { return ts::squeeze<0>(ts::slice_in_dim<0, 0, 1>(y)); })(x);
  };
  auto const one = ts::dot_product_attention(first(in.q), first(in.k), first(in.v), ts::causal);
  auto const got = one.to_host();
  auto const want = expected({.right = 0});
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], want[i], 1e-6) << i;
  auto const half = ts::dot_product_attention(ts::astype<ts::bfloat16>(in.q), ts::astype<ts::bfloat16>(in.k),
                                              ts::astype<ts::bfloat16>(in.v), ts::causal);
  static_assert(std::is_same_v<typename decltype(half)::type::element, ts::bfloat16>);
  auto const rounded = ts::astype<float>(half).to_host();
  for (std::size_t i = 0; i < rounded.size(); ++i) EXPECT_NEAR(rounded[i], want[i], 0.02) << i;
}

// Batch and heads that are split alike stay where they are.
struct causally {
  constexpr auto operator()(auto q, auto k, auto v) const { return ts::dot_product_attention(q, k, v, ts::causal); }
};
template <class S, std::int64_t T, std::int64_t N>
using of = ts::array_type<float, ts::shape<4, T, N, 8>, S, grid>;
using by_both = ts::P<dp, ts::none, mp>;
static_assert(ts::comm_of<causally, of<by_both, 6, 4>, of<by_both, 6, 2>, of<by_both, 6, 2>>.bytes() == 0);
static_assert(ts::comm_of<causally, of<ts::P<dp>, 6, 4>, of<ts::P<dp>, 6, 1>, of<ts::P<dp>, 6, 1>>.bytes() == 0);

struct attended {
  constexpr auto operator()(auto q, auto k, auto v) const { return ts::dot_product_attention(q, k, v); }
};
template <class Q, class K>
constexpr ts::reason why = ts::trace_of<attended, Q, K, K>::refused.what.why;
static_assert(why<of<ts::P<>, 6, 3>, of<ts::P<>, 6, 2>> == ts::reason::shapes_disagree);  // 3 heads, 2 groups
static_assert(why<ts::array_type<float, ts::shape<6, 8>, ts::P<>, grid>, of<ts::P<>, 6, 2>> ==
              ts::reason::ranks_disagree);
static_assert(why<ts::array_type<int, ts::shape<4, 6, 4, 8>, ts::P<>, grid>,
                  ts::array_type<int, ts::shape<4, 6, 2, 8>, ts::P<>, grid>> == ts::reason::element_unsupported);

}  // namespace
