// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the two training programs share: batches of digits, the loss, an optimiser, and how a program and the same one
// written another way are trained side by side.

#include "../digits/csv.hpp"
#include "../digits/dataset.hpp"

#include <tessera/tessera.hpp>

#include <cmath>
#include <cstdio>
#include <tuple>
#include <utility>

#ifndef DIGITS_CSV
#define DIGITS_CSV "examples/data/digits.csv"
#endif

namespace training {

namespace ts = tessera;

struct dp : ts::axis {};  // splits the batch

inline constexpr std::int64_t pixels = 64, hidden = 128, classes = 10, rows = 64;  // rows of a batch

// Cross entropy of these rows as their share of a batch's mean: logits (n, 10), labels (n) -> a number.
struct loss_share {
  constexpr auto operator()(auto logits, auto labels) const {
    return -ts::sum(ts::one_hot<classes>(labels) * ts::log_softmax(logits)) / rows;
  }
};

// Gradient descent with momentum: trees p, gradient, m -> p, m.
struct descend {
  constexpr auto operator()(auto p, auto gradient, auto m, auto rate) const {
    auto const moving = ts::tree_map([](auto old, auto g) { return 0.9f * old + g; }, m, gradient);
    auto const moved = ts::tree_map([&](auto x, auto by) { return x - rate * by; }, p, moving);
    return std::tuple{moved, moving};
  }
};

template <class S, std::int64_t... E, class Mesh>
auto weights(Mesh const& mesh, std::int64_t inputs, digits::random_stream& random) {
  return ts::device_put<S>(ts::host<E...>(digits::initial_weights((E * ...), static_cast<std::size_t>(inputs), random)),
                           mesh);
}
template <class S, std::int64_t... E, class Mesh>
auto zeros(Mesh const& mesh) {
  return ts::device_put<S>(ts::host<E...>(std::vector<float>((E * ...))), mesh);
}

// The largest difference between numbers of two trees of arrays.
template <class Tree>
double difference(Tree const& a, Tree const& b) {
  std::vector<float> left, right;
  auto const into = [](std::vector<float>& all) {
    return [&all](auto const& x) {
      auto const values = ts::process_allgather(x);
      all.insert(all.end(), values.begin(), values.end());
    };
  };
  ts::tree_each(into(left), a);
  ts::tree_each(into(right), b);
  double largest = 0;
  for (std::size_t k = 0; k < left.size(); ++k)
    largest = std::max(largest, static_cast<double>(std::fabs(left[k] - right[k])));
  return largest;
}

// One of the two programs on its way: Step (p, m, images, labels, rate) -> (p, m, loss), Predict (p, images) -> digits.
template <class Parameters>
struct state {
  Parameters p, m;
  double loss = 0;
  template <class Step>
  void step(auto const& images, auto const& labels, float rate) {
    auto [new_p, new_m, new_loss] = ts::jit<Step>(std::move(p), std::move(m), images, labels, rate);
    p = new_p;
    m = new_m;
    loss += new_loss.item();
  }
};

template <std::int64_t Rows, class Mesh>
auto put(digits::batch const& b, Mesh const& mesh) {
  return std::pair{ts::device_put<ts::P<dp>>(ts::host<Rows, pixels>(b.images), mesh),
                   ts::device_put<ts::P<dp>>(ts::host<Rows>(b.labels), mesh)};
}

// Trains both from the same parameters on the same batches; true when they stayed equal and have learnt.
template <class ByDevices, class ByTypes, class Predict, class Parameters, class Mesh>
bool train(Parameters const& p, Parameters const& zero, Mesh const& mesh, digits::random_stream& random) {
  auto const data = digits::shuffle_and_split(digits::read_csv(DIGITS_CSV), random);
  state<Parameters> devices{p, zero}, types{p, zero};
  constexpr float rate = 0.1f;
  for (int epoch = 1; epoch <= 10; ++epoch) {
    auto const order = digits::shuffled(data.train.rows(), random);
    std::size_t const steps = order.size() / rows;
    devices.loss = types.loss = 0;
    for (std::size_t step = 0; step < steps; ++step) {
      auto const [images, labels] = put<rows>(digits::make_batch(data.train, order, step * rows, rows), mesh);
      devices.template step<ByDevices>(images, labels, rate);
      types.template step<ByTypes>(images, labels, rate);
    }
    std::printf("epoch %2d  loss by devices %.4f, by types %.4f\n", epoch, devices.loss / steps, types.loss / steps);
  }
  double const apart = difference(devices.p, types.p);
  std::printf("parameters differ by %.0e at most\n", apart);

  std::vector<std::size_t> all(data.test.rows());
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = k;
  auto const [images, labels] = put<512>(digits::make_batch(data.test, all, 0, 512), mesh);
  auto const predicted = ts::process_allgather(ts::jit<Predict>(devices.p, images));
  std::size_t right = 0;
  for (std::size_t k = 0; k < all.size(); ++k) right += predicted[k] == data.test.labels[k];
  double const accuracy = static_cast<double>(right) / static_cast<double>(all.size());
  std::printf("test accuracy: %.3f\n", accuracy);
  return apart < 1e-5 && accuracy > 0.9;
}

}  // namespace training
