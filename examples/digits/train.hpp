// SPDX-License-Identifier: Apache-2.0
#pragma once
// Trains one architecture on one mesh: puts parameters and batches where their types say, and calls one program a step.

#include "dataset.hpp"
#include "model.hpp"
#include "options.hpp"
#include "random.hpp"

#include <tessera/checkpoint.hpp>

#include <cstdio>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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

// A batch as the step takes it: the loader makes arrays of these types.
using image_batch = ts::array_type<float, ts::shape<batch_size, pixels>, ts::P<dp, ts::none>, grid>;
using label_batch = ts::array_type<std::int32_t, ts::shape<batch_size>, ts::P<dp>, grid>;
using mask_batch = ts::array_type<float, ts::shape<batch_size>, ts::P<dp>, grid>;
using loader = ts::loader<image_batch, label_batch, mask_batch>;

inline loader load(data_set const& data, ts::loader_options const& options, ts::device_mesh<grid> const& mesh) {
  return {mesh, options, data.images, data.labels, ts::row_mask{}};
}

// What one step communicates, as a constant: the collectives one would write by hand, and no others.
template <class Parameters>
struct communication_of_step {
  static constexpr auto const& cost =
      ts::comm_of<train_step, Parameters, Parameters, Parameters, image_batch, label_batch, mask_batch, float, float>;
  static constexpr int blocks = std::tuple_size_v<Parameters>;
  // Forward: each block's second product contracts mp. Backward: from a later block's input back to the earlier one.
  static_assert(cost.template count<mp>(ts::collective::all_reduce) == (DIGITS_MP > 1 ? 2 * blocks - 1 : 0));
  // One for the count of real rows, which gradients are divided by, one for all gradients and the sum of the loss.
  static_assert(cost.template count<dp>(ts::collective::all_reduce) == (DIGITS_DP > 1 ? 2 : 0));
  static_assert(cost.count() == cost.count(ts::collective::all_reduce));
};

template <class Parameters>
double accuracy(Parameters const& parameters, loader batches) {
  double correct = 0;
  for (auto const& [images, labels, mask] : batches.epoch())
    correct += ts::jit<count_correct>(parameters, images, labels, mask).item();
  return correct / static_cast<double>(batches.rows());
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
template <class Parameters>
struct training {
  Parameters parameters, first, second;
  std::int64_t step = 0;
  ts::loader_position batches;
  static constexpr ts::names<5> names{"parameters", "first", "second", "step", "batches"};
};

// Trains from random parameters that `make` puts on the mesh; the accuracy on the held-out quarter.
template <class Make>
double train(options const& o, int seed, data_set const& data, Make const& make) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const key = static_cast<std::uint64_t>(seed);
  random_stream random(key);
  auto const [learnt, held_back] = data.split(key);
  using parameters = decltype(make(mesh, &random));
  training<parameters> now{make(mesh, &random), make(mesh, nullptr), make(mesh, nullptr), 0, {}};
  if (o.pictures && seed == o.seed) introduce(now.parameters, mesh);
  std::optional<ts::metrics> log;
  if (!o.report.empty() && seed == o.seed) log.emplace(o.report + ".csv", std::vector<std::string>{"loss", "epoch"});

  auto batches = load(data, {.key = key, .last = ts::last_batch::padded, .rows = learnt}, mesh);
  if (!o.resume.empty()) {
    now = ts::checkpoints(o.resume).restore(now);
    batches.seek(now.batches);
  }
  std::optional<ts::checkpoints> saved;
  if (!o.save.empty()) saved.emplace(o.save);
  while (batches.position().epoch < o.epochs) {
    auto const epoch = static_cast<int>(batches.position().epoch) + 1;
    double sum = 0;
    {
      ts::progress_bar bar("epoch " + std::to_string(epoch), batches.batches());
      for (auto const& [images, labels, mask] : batches.epoch()) {
        now.step += 1;
        auto [p, m, v, loss] =
            ts::jit<train_step>(std::move(now.parameters), std::move(now.first), std::move(now.second), images, labels,
                                mask, static_cast<float>(o.learning_rate), static_cast<float>(now.step));
        now.parameters = p;
        now.first = m;
        now.second = v;
        double const value = loss.item();
        sum += value;
        if (log) log->add(now.step, {value, static_cast<double>(epoch)});
        bar.step();
      }
    }
    now.batches = batches.position();
    if (saved) saved->save_async(epoch, now);
    if (o.pictures)
      std::printf(o.exact ? "epoch %2d  loss %a\n" : "epoch %2d  loss %.4f\n", epoch,
                  sum / static_cast<double>(batches.batches()));
  }
  if (saved) saved->wait();
  return accuracy(now.parameters, load(data, once_through(held_back), mesh));
}

// A page about one step of the standard model: operations, layouts, what is sent for which line, memory.
void explain_step(std::string const& file);
std::string picture_of_step();

double train_standard(options const&, int seed, data_set const&);  // 64 -> 128 -> 10
double train_wide(options const&, int seed, data_set const&);      // 64 -> 512 -> 10
double train_deep(options const&, int seed, data_set const&);      // 64 -> 128 -> 64 -> 128 -> 10

}  // namespace digits
