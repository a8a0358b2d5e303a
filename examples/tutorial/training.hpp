// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the two training programs share: batches of digits, the loss, and how a program and the same one
// written another way are trained side by side.

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

using digits::pixels;
inline constexpr std::int64_t hidden = 128, classes = 10, rows = 64;  // rows of a batch

// Cross entropy of these rows as their share of a batch's mean: logits (n, 10), labels (n) -> a number.
struct loss_share {
  constexpr auto operator()(auto logits, auto labels) const {
    return -ts::sum(ts::one_hot<classes>(labels) * ts::log_softmax(logits)) / rows;
  }
};

inline constexpr ts::train::momentum optimizer;

// p -> the optimizer's state, laid out as p.
struct first_state {
  constexpr auto operator()(auto p) const { return optimizer.init(p); }
};
template <class Parameters>
using state_of = decltype(ts::jit<first_state>(std::declval<Parameters>()));

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

// One of the two programs on its way: Step (p, state, images, labels, rate) -> (p, state, loss), Predict (p, images) ->
// digits.
template <class Parameters>
struct on_its_way {
  Parameters p;
  state_of<Parameters> state = ts::jit<first_state>(p);
  double loss = 0;
  template <class Step>
  void step(auto const& images, auto const& labels, float rate) {
    auto [new_p, new_state, new_loss] = ts::jit<Step>(std::move(p), std::move(state), images, labels, rate);
    p = new_p;
    state = new_state;
    loss += new_loss.item();
  }
};

template <std::int64_t Rows, class M>
using batches_of = ts::loader<ts::array_type<float, ts::shape<Rows, pixels>, ts::P<dp>, M>,
                              ts::array_type<std::int32_t, ts::shape<Rows>, ts::P<dp>, M>>;

// Trains both from the same parameters on the same batches; true when they stayed equal and have learned.
template <class ByDevices, class ByTypes, class Predict, class Parameters, class M>
bool train(Parameters const& p, ts::device_mesh<M> const& mesh) {
  digits::data_set const data(DIGITS_CSV);
  auto const [learned, held_back] = data.split(1);
  batches_of<rows, M> batches(mesh, {.key = 1, .rows = learned}, data.images, data.labels);
  on_its_way<Parameters> devices{p}, types{p};
  constexpr float rate = 0.1f;
  for (int epoch = 1; epoch <= 10; ++epoch) {
    devices.loss = types.loss = 0;
    for (auto const& [images, labels] : batches.epoch()) {
      devices.template step<ByDevices>(images, labels, rate);
      types.template step<ByTypes>(images, labels, rate);
    }
    auto const steps = static_cast<double>(batches.batches());
    std::printf("epoch %2d  loss by devices %.4f, by types %.4f\n", epoch, devices.loss / steps, types.loss / steps);
  }
  double const apart = difference(devices.p, types.p);
  std::printf("parameters differ by %.0e at most\n", apart);

  batches_of<512, M> tests(mesh, digits::once_through(held_back), data.images, data.labels);
  auto const [images, labels] = tests.next();
  auto const predicted = ts::process_allgather(ts::jit<Predict>(devices.p, images));
  auto const wanted = ts::process_allgather(labels);
  auto const all = static_cast<std::size_t>(tests.rows());
  std::size_t right = 0;
  for (std::size_t k = 0; k < all; ++k) right += predicted[k] == wanted[k];
  double const accuracy = static_cast<double>(right) / static_cast<double>(all);
  std::printf("test accuracy: %.3f\n", accuracy);
  return apart < 1e-5 && accuracy > 0.9;
}

}  // namespace training
