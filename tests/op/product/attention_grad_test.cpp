// SPDX-License-Identifier: Apache-2.0
// The gradient of dot_product_attention: JAX 0.10.2's numbers, in layouts.

#include "support/attention_case.hpp"

namespace {

using namespace attention_case;

constexpr auto loss = [](auto q, auto k, auto v, auto bias, auto weight) {
  return ts::sum(ts::dot_product_attention(q, k, v, ts::causal, ts::attention_bias(bias)) * weight);
};

constexpr auto masked_loss = [](auto q, auto k, auto v, auto mask, auto rows, auto columns, auto weight) {
  return ts::sum(ts::dot_product_attention(q, k, v, ts::attention_mask(mask > 0.0f), ts::attention_scale(0.25),
                                           ts::query_lengths(rows), ts::key_lengths(columns)) *
                 weight);
};
void close(auto const& x, std::vector<double> const& want) {
  auto const all = x.to_host();
  for (std::size_t i = 0; i < want.size(); ++i) EXPECT_NEAR(all[61 * i], want[i], 2e-6) << i;
}

TEST(attention_grad, as_jax) {
  each_layout([](auto const& in) {
    auto const weight =
        ts::jit([](auto q, auto w) { return w + 0.0f * q; })(in.q, put_float<ts::P<>, batch, t, heads, size>(0.3));
    auto const [q, k, v] = ts::grad<0, 1, 2>(loss)(in.q, in.k, in.v, in.bias, weight);
    close(q, {0, -0.06254757, -0.05061698, 0.04566328, 0.04892446, 0.03839983, -0.1018908, -0.003942724, 0.003240558,
              0.07820603, 0.02456271, -0.002128445, -0.04758799});
    close(k, {0.2420637, 0.1224836, -0.294919, -0.04458452, -0.1163191, 0.1725126, 0.04267683});
    close(v, {0.1322079, -0.06057594, -0.2304832, 0.001414705, 0.04467433, -0.3915109, -0.1894123});
  });
}

TEST(attention_grad, of_what_is_seen) {
  each_layout([](auto const& in) {
    auto const weight =
        ts::jit([](auto q, auto w) { return w + 0.0f * q; })(in.q, put_float<ts::P<>, batch, t, heads, size>(0.3));
    auto const [q, k, v] = ts::grad<0, 1, 2>(masked_loss)(in.q, in.k, in.v, in.mask, in.rows, in.columns, weight);
    close(q, {0.05515075, -0.05978369, -0.0489403, 0.03144607, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    close(k, {0.4345266, 0.1677863, 0, 0, 0, 0, 0});
    close(v, {0.01741537, -0.1786112, 0.02232032, 0.07798889, 0, 0, 0});
  });
}

}  // namespace
