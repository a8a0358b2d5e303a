// SPDX-License-Identifier: Apache-2.0
#pragma once
// Trains one architecture on one mesh: puts parameters and batches where their types say, and calls one program a step.

#include "dataset.hpp"
#include "model.hpp"
#include "options.hpp"

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

// Random parameters of one block In -> Hidden -> Out: weights are uniform with variance 1 / inputs, offsets zero.
template <std::int64_t In, std::int64_t Hidden, std::int64_t Out>
struct first_block {
  constexpr auto operator()(auto key) const {
    auto const [above, below] = ts::random::split(key);
    auto w1 = ts::train::lecun_uniform<float, In, Hidden>(above, ts::out_sharding<ts::P<ts::none, mp>, grid>);
    auto b1 = ts::zeros<float, Hidden>(ts::out_sharding<ts::P<mp>, grid>);
    auto w2 = ts::train::lecun_uniform<float, Hidden, Out>(below, ts::out_sharding<ts::P<mp, ts::none>, grid>);
    auto b2 = ts::zeros<float, Out>(ts::out_sharding<ts::P<ts::none>, grid>);
    return block{w1, b1, w2, b2};
  }
};

// A batch as the step takes it: the loader makes arrays of these types.
using image_batch = ts::array_type<float, ts::shape<batch_size, pixels>, ts::P<dp, ts::none>, grid>;
using label_batch = ts::array_type<std::int32_t, ts::shape<batch_size>, ts::P<dp>, grid>;
using mask_batch = ts::array_type<float, ts::shape<batch_size>, ts::P<dp>, grid>;
using loader = ts::loader<image_batch, label_batch, mask_batch>;

inline loader load(data_set const& data, ts::loader_options const& options, ts::device_mesh<grid> const& mesh) {
  return {mesh, options, data.images, data.labels, ts::row_mask{}};
}

// First's parameters, a std::tuple of blocks made from a key, and the optimizer's state: one program.
template <class First>
struct first_training {
  constexpr auto operator()(auto key) const {
    auto p = First{}(key);
    return std::tuple{p, optimizer.init(p)};
  }
};
template <class First>
using first_of_training = decltype(ts::jit<first_training<First>>(ts::random::key(0)));
template <class First>
using parameters_of = std::tuple_element_t<0, first_of_training<First>>;
template <class First>
using state_of = std::tuple_element_t<1, first_of_training<First>>;

// What one step communicates, as a constant: the collectives one would write by hand, and no others.
template <class First>
struct communication_of_step {
  static constexpr auto const& cost =
      ts::comm_of<train_step, parameters_of<First>, state_of<First>, image_batch, label_batch, mask_batch, float>;
  static constexpr int blocks = std::tuple_size_v<parameters_of<First>>;
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

template <class First, class Parameters>
void introduce(Parameters const& parameters, ts::device_mesh<grid> const& mesh) {
  std::cout << "mesh " << mesh << "\n\nparameters\n";
  ts::tree_each_with_path(
      [](std::string const& path, auto const& x) { std::cout << "  " << path << "  " << ts::typeof_(x) << '\n'; },
      parameters);
  std::cout << "\nthe weights " << ts::typeof_(std::get<0>(parameters).w1) << " on the devices\n"
            << ts::visualize(std::get<0>(parameters).w1) << "\none training step communicates\n"
            << ts::explain(communication_of_step<First>::cost) << '\n';
}

// How far a training is, and all that decides what follows: after a restart it goes on to the same bits.
template <class Parameters, class State>
struct training {
  Parameters parameters;
  State state;
  ts::loader_position batches{};
  static constexpr ts::names<3> names{"parameters", "state", "batches"};
};

// Trains First's parameters; the accuracy on the held-out quarter.
template <class First>
double train(options const& o, int seed, data_set const& data) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  ts::use_mesh const here(mesh);
  auto const key = static_cast<std::uint64_t>(seed);
  auto const [learned, held_back] = data.split(key);
  auto const [parameters, state] = ts::jit<first_training<First>>(ts::random::key(seed));
  training<parameters_of<First>, state_of<First>> now{parameters, state};
  if (o.pictures && seed == o.seed) introduce<First>(parameters, mesh);
  std::optional<ts::metrics> log;
  if (!o.report.empty() && seed == o.seed) log.emplace(o.report + ".csv", std::vector<std::string>{"loss", "epoch"});

  auto batches = load(data, {.key = key, .last = ts::last_batch::padded, .rows = learned}, mesh);
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
        auto [updated, next, loss] = ts::jit<train_step>(std::move(now.parameters), std::move(now.state), images,
                                                         labels, mask, static_cast<float>(o.learning_rate));
        now.parameters = updated;
        now.state = next;
        double const value = loss.item();
        sum += value;
        if (log) log->add(now.state.steps.item(), {value, static_cast<double>(epoch)});
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
