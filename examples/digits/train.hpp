// SPDX-License-Identifier: Apache-2.0
#pragma once
// Trains one architecture on one mesh: puts parameters and batches where their types say, and calls one program a step.

#include "dataset.hpp"
#include "model.hpp"
#include "options.hpp"
#include "progress.hpp"

#include <tessera/checkpoint/checkpoint.hpp>

#include <cstdio>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

// The mesh of this build; see CMakeLists.txt for the others that the tests build.
#ifndef DIGITS_DP
#define DIGITS_DP 4
#define DIGITS_MP 2
#endif

namespace digits {

using grid = ts::mesh<ts::explicit_axis<dp, DIGITS_DP>, ts::explicit_axis<mp, DIGITS_MP>>;
inline constexpr std::int64_t batch_size = 64;

template <class S, std::int64_t... Extents, class T>
auto put(std::vector<T> const& values, ts::device_mesh<grid> const& mesh) {
  return ts::device_put<S>(ts::host<Extents...>(values), mesh);
}

// A block In -> Hidden -> Out with random weights, or all zeros.
template <std::int64_t In, std::int64_t Hidden, std::int64_t Out>
auto make_block(ts::device_mesh<grid> const& mesh, random_stream* random) {
  auto const weights = [&](std::int64_t inputs, std::int64_t outputs) {
    auto const count = static_cast<std::size_t>(inputs * outputs);
    return random ? initial_weights(count, static_cast<std::size_t>(inputs), *random) : std::vector<float>(count);
  };
  auto w1 = put<ts::P<ts::none, mp>, In, Hidden>(weights(In, Hidden), mesh);
  auto b1 = put<ts::P<mp>, Hidden>(std::vector<float>(Hidden), mesh);
  auto w2 = put<ts::P<mp, ts::none>, Hidden, Out>(weights(Hidden, Out), mesh);
  auto b2 = put<ts::P<ts::none>, Out>(std::vector<float>(Out), mesh);
  return block<decltype(w1), decltype(b1), decltype(w2), decltype(b2)>{w1, b1, w2, b2};
}

struct device_batch {
  decltype(put<ts::P<dp, ts::none>, batch_size, 64>(std::vector<float>{},
                                                    std::declval<ts::device_mesh<grid>>())) images;
  decltype(put<ts::P<dp>, batch_size>(std::vector<std::int32_t>{}, std::declval<ts::device_mesh<grid>>())) labels;
  decltype(put<ts::P<dp>, batch_size>(std::vector<float>{}, std::declval<ts::device_mesh<grid>>())) mask;
};

inline device_batch put_batch(batch const& b, ts::device_mesh<grid> const& mesh) {
  return {put<ts::P<dp, ts::none>, batch_size, 64>(b.images, mesh), put<ts::P<dp>, batch_size>(b.labels, mesh),
          put<ts::P<dp>, batch_size>(b.mask, mesh)};
}

// What one step communicates, as a constant: the collectives one would write by hand, and no others.
template <class Parameters>
struct communication_of_step {
  static constexpr auto const& cost =
      ts::comm_of<train_step, Parameters, Parameters, Parameters, decltype(device_batch::images),
                  decltype(device_batch::labels), decltype(device_batch::mask), float, float>;
  static constexpr int blocks = std::tuple_size_v<Parameters>;
  // Forward: each block's second product contracts mp. Backward: from a later block's input back to the earlier one.
  static_assert(cost.template count<mp>(ts::collective::all_reduce) == (DIGITS_MP > 1 ? 2 * blocks - 1 : 0));
  // One for the count of real rows, which gradients are divided by, one for all gradients and the sum of the loss.
  static_assert(cost.template count<dp>(ts::collective::all_reduce) == (DIGITS_DP > 1 ? 2 : 0));
  static_assert(cost.count() == cost.count(ts::collective::all_reduce));
};

template <class Parameters>
double accuracy(Parameters const& parameters, images_and_labels const& data, ts::device_mesh<grid> const& mesh) {
  std::vector<std::size_t> order(data.rows());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  double correct = 0;
  for (std::size_t first = 0; first < order.size(); first += batch_size) {
    auto const b = put_batch(make_batch(data, order, first, batch_size), mesh);
    correct += ts::jit<count_correct>(parameters, b.images, b.labels, b.mask).item();
  }
  return correct / static_cast<double>(data.rows());
}

template <class Parameters>
void introduce(Parameters const& parameters, ts::device_mesh<grid> const& mesh) {
  std::cout << "mesh " << mesh << "\n\nparameters\n";
  ts::tree_each_with_path(
      [](std::string const& path, auto const& x) { std::cout << "  " << path << "  " << ts::typeof_(x) << '\n'; },
      parameters);
  std::cout << "\nthe weights " << ts::typeof_(std::get<0>(parameters).w1) << " on the devices\n"
            << ts::visualize(std::get<0>(parameters).w1) << "\none training step communicates\n"
            << ts::explain(communication_of_step<Parameters>::cost) << '\n';
}

// How far a training is, and all that decides what follows: after a restart it goes on to the same bits.
struct place {
  int seed = 0, epoch = 0;
  float step = 0;
  std::uint64_t random = 0;
  static constexpr ts::names<4> names{"seed", "epoch", "step", "random"};
};
template <class Parameters>
struct training {
  Parameters parameters, first, second;
  place at;
  static constexpr ts::names<4> names{"parameters", "first", "second", "at"};
};

// Trains from random parameters that `make` puts on the mesh; the accuracy on the held-out quarter.
template <class Make>
double train(options const& o, int seed, images_and_labels const& all, Make const& make) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  random_stream random(static_cast<std::uint64_t>(seed));
  auto const data = shuffle_and_split(all, random);
  using parameters = decltype(make(mesh, &random));
  training<parameters> now{make(mesh, &random), make(mesh, nullptr), make(mesh, nullptr), {}};
  now.at.seed = seed;
  if (o.pictures && seed == o.seed) introduce(now.parameters, mesh);
  if (!o.resume.empty()) {
    now = ts::checkpoints(o.resume).restore(now);
    if (now.at.seed != seed)
      throw std::invalid_argument("--resume " + o.resume + ": this training began with --seed " +
                                  std::to_string(now.at.seed) + ".");
    random.state(now.at.random);
  }
  std::optional<ts::checkpoints> saved;
  if (!o.save.empty()) saved.emplace(o.save);

  while (now.at.epoch < o.epochs) {
    int const epoch = ++now.at.epoch;
    auto const order = shuffled(data.train.rows(), random);
    std::size_t const steps = (order.size() + batch_size - 1) / batch_size;
    double sum = 0;
    {
      progress_bar bar("epoch " + std::to_string(epoch), steps);
      for (std::size_t i = 0; i < steps; ++i) {
        auto const b = put_batch(make_batch(data.train, order, i * batch_size, batch_size), mesh);
        now.at.step += 1;
        auto [p, m, v, loss] =
            ts::jit<train_step>(std::move(now.parameters), std::move(now.first), std::move(now.second), b.images,
                                b.labels, b.mask, static_cast<float>(o.learning_rate), now.at.step);
        now.parameters = p;
        now.first = m;
        now.second = v;
        sum += loss.item();
        bar.step();
      }
    }
    now.at.random = random.state();
    if (saved) saved->save_async(epoch, now);
    if (o.pictures)
      std::printf(o.exact ? "epoch %2d  loss %a\n" : "epoch %2d  loss %.4f\n", epoch, sum / static_cast<double>(steps));
  }
  if (saved) saved->wait();
  return accuracy(now.parameters, data.test, mesh);
}

// A page about one step of the standard model: operations, layouts, what is sent for which line, memory.
void explain_step(std::string const& file);

double train_standard(options const&, int seed, images_and_labels const&);  // 64 -> 128 -> 10
double train_wide(options const&, int seed, images_and_labels const&);      // 64 -> 512 -> 10
double train_deep(options const&, int seed, images_and_labels const&);      // 64 -> 128 -> 64 -> 128 -> 10

}  // namespace digits
