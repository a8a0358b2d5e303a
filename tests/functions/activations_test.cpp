// SPDX-License-Identifier: Apache-2.0
// Activations against JAX's values and gradients, at ordinary numbers and at edges: 0, -0, infinities, NaN, kinks.

#include "support/recorded_functions.hpp"

namespace {

using namespace recorded;

TEST(activations, are_those_of_jax) {
  auto const both = [](std::string const& name, auto f) {
    expect_recorded<float[8][6]>(name.c_str(), f);
    expect_recorded<float[16]>((name + " edges").c_str(), f);
  };
  both("relu6", [](auto x) { return ts::relu6(x); });
  both("hard_tanh", [](auto x) { return ts::hard_tanh(x); });
  both("leaky_relu", [](auto x) { return ts::leaky_relu(x); });
  both("elu", [](auto x) { return ts::elu(x); });
  both("selu", [](auto x) { return ts::selu(x); });
  both("celu", [](auto x) { return ts::celu(x); });
  both("hard_sigmoid", [](auto x) { return ts::hard_sigmoid(x); });
  both("hard_silu", [](auto x) { return ts::hard_silu(x); });
}

#ifndef TESSERA_BY_DAY
TEST(activations, that_are_smooth_are_those_of_jax) {
  auto const both = [](std::string const& name, auto f) {
    expect_recorded<float[8][6]>(name.c_str(), f);
    expect_recorded<float[16]>((name + " edges").c_str(), f);
  };
  both("log_sigmoid", [](auto x) { return ts::log_sigmoid(x); });
  both("soft_sign", [](auto x) { return ts::soft_sign(x); });
  both("mish", [](auto x) { return ts::mish(x); });
  both("squareplus", [](auto x) { return ts::squareplus(x); });
  both("sparse_plus", [](auto x) { return ts::sparse_plus(x); });
  both("sparse_sigmoid", [](auto x) { return ts::sparse_sigmoid(x); });
  both("swish", [](auto x) { return ts::swish(x); });
  expect_recorded<float[8][6]>("log1mexp", [](auto x) { return ts::log1mexp(x); });
}
TEST(activations, with_settings) {
  expect_recorded<float[8][6]>("leaky_relu 0.3", [](auto x) { return ts::leaky_relu(x, 0.3); });
  expect_recorded<float[8][6]>("elu 2", [](auto x) { return ts::elu(x, 2.0); });
  expect_recorded<float[8][6]>("celu 2", [](auto x) { return ts::celu(x, 2.0); });
  expect_recorded<float[8][6]>("squareplus 1", [](auto x) { return ts::squareplus(x, 1.0); });
  expect_recorded<float[8][6]>("glu", [](auto x) { return ts::glu(x); });
  expect_recorded<whole, float[8][6]>("glu 0", [](auto x) { return ts::glu<0>(x); });
  expect_recorded<float[8][6]>("logmeanexp", [](auto x) { return ts::logmeanexp(x); });
  expect_recorded<float[8][6]>("logmeanexp 1", [](auto x) { return ts::logmeanexp<1>(x); });
}
#endif

}  // namespace
