// SPDX-License-Identifier: Apache-2.0
// Losses against optax's; split classes are summed, not gathered.

#include "support/recorded_functions.hpp"

namespace {

using namespace recorded;

TEST(losses, of_classes) {
  using x = float[8][6];
  expect_recorded<x, x>("softmax_cross_entropy", [](auto x, auto p) { return ts::softmax_cross_entropy(x, p); });
  expect_recorded<x, x>("softmax_cross_entropy of columns",
                        [](auto x, auto p) { return ts::softmax_cross_entropy<0>(x, p); });
  auto const by_number = [](auto x, auto l) { return ts::softmax_cross_entropy_with_integer_labels(x, l); };
  expect_recorded<x, int[8]>("softmax_cross_entropy_with_integer_labels", by_number);
  expect_recorded<not_sloped, x, int[8]>("softmax_cross_entropy of no class", by_number);
}
TEST(losses, of_bits) {
  using x = float[8][6];
  expect_recorded<x, x>("sigmoid_binary_cross_entropy",
                        [](auto x, auto p) { return ts::sigmoid_binary_cross_entropy(x, p); });
  expect_recorded<x, int[8][6]>("sigmoid_binary_cross_entropy of bits",
                                [](auto x, auto bits) { return ts::sigmoid_binary_cross_entropy(x, bits); });
  expect_recorded<x, x>("sigmoid_focal_loss", [](auto x, auto p) { return ts::sigmoid_focal_loss(x, p, 1.5); });
  expect_recorded<not_sloped, x, x>("sigmoid_focal_loss of bits",
                                    [](auto x, auto p) { return ts::sigmoid_focal_loss(x, p); });
}
TEST(losses, of_numbers) {
  using x = float[8][6];
  expect_recorded<x, x>("squared_error", [](auto x, auto y) { return ts::squared_error(x, y); });
  expect_recorded<x>("l2_loss", [](auto x) { return ts::l2_loss(x); });
  expect_recorded<x, x>("huber_loss", [](auto x, auto y) { return ts::huber_loss(x, y, 1.5); });
  expect_recorded<x>("huber_loss of errors", [](auto x) { return ts::huber_loss(x); });
  expect_recorded<x, x>("log_cosh", [](auto x, auto y) { return ts::log_cosh(x, y); });
  expect_recorded<x, x>("hinge_loss", [](auto x, auto y) { return ts::hinge_loss(x, ts::stop_gradient(ts::sign(y))); });
}
TEST(losses, of_vectors) {
  using x = float[8][6];
  expect_recorded<x, x>("cosine_similarity", [](auto x, auto y) { return ts::cosine_similarity(x, y); });
  expect_recorded<not_sloped, x, x>("cosine_distance",
                                    [](auto x, auto y) { return ts::cosine_distance<0>(x, y, 5.0); });
  expect_recorded<not_sloped, x, x>("kl_divergence",
                                    [](auto x, auto p) { return ts::kl_divergence(ts::log_softmax(x), p); });
  expect_recorded<x>("smooth_labels", [](auto p) { return ts::smooth_labels(p, 0.1); });
}

struct mean_loss {
  constexpr auto operator()(auto logits, auto labels) const {
    return ts::mean(ts::softmax_cross_entropy_with_integer_labels(logits, labels));
  }
};
// Of each row its largest logit, its sum and its label's logit, and the mean; nothing of 32 classes.
TEST(losses, split_classes_are_not_gathered) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const logits = put<P<dp, mp>, 16, 32>(2);
  auto const labels = ts::device_put<P<dp>>(ts::host<16>(std::vector<int>(16, 31)), mesh);
  constexpr auto bytes = ts::comm_of<mean_loss, decltype(logits), decltype(labels)>.bytes();
  static_assert(bytes == 3 * 4 * 8 + 12);
  auto const whole = ts::softmax_cross_entropy_with_integer_labels(
      ts::device_put(ts::host<16, 32>(wave(512, 2))), ts::device_put(ts::host<16>(std::vector<int>(16, 31))));
  EXPECT_NEAR(ts::jit<mean_loss>(logits, labels).item(), ts::mean(whole).item(), 1e-12);
}

}  // namespace
