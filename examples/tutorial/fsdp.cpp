// SPDX-License-Identifier: Apache-2.0
// Fully sharded data parallel: each device keeps an eighth of every parameter, of its gradient and of the optimizer's
// state. A layer is gathered when it is needed, and its gradient is summed and scattered at once.

#include "../one_speaks.hpp"
#include "training.hpp"

#include <iostream>

namespace {

using namespace training;
using line = ts::mesh<ts::explicit_axis<dp, 8>>;

// w1 (64@dp, 128), w2 (128@dp, 10)
TESSERA_TREE(layers, w1, w2);

// Of whole parameters.
struct logits {
  constexpr auto operator()(auto p, auto images) const { return ts::matmul(ts::gelu(ts::matmul(images, p.w1)), p.w2); }
};

// By devices: shards in, shards out, and the two collectives of FSDP, one of them as the transpose of the other.
struct step_by_devices {
  constexpr auto operator()(auto p, auto state, auto images, auto labels, auto rate) const {
    using sharded = ts::P<dp>;  // of each leaf, by its rows
    return ts::shard_map<ts::out_specs<sharded, sharded, ts::P<>>>(
        [](auto p, auto state, auto images, auto labels, auto rate) {
          auto const loss = [](auto shards, auto images, auto labels) {
            auto const whole = ts::tree_map([](auto shard) { return ts::all_gather<dp>(shard, ts::tiled); }, shards);
            return loss_share{}(logits{}(whole, images), labels);
          };
          auto const result = ts::value_and_grad(loss)(p, images, labels);
          auto const moved = optimizer.update(std::get<1>(result), state, p, rate);
          return std::tuple{std::get<0>(moved), std::get<1>(moved), ts::psum<dp>(std::get<0>(result))};
        })(p, state, images, labels, rate);
  }
};

// By types: reshard gathers; reduced<dp> says that the gradient may stay a sum of terms until it is laid out again.
struct step_by_types {
  constexpr auto operator()(auto p, auto state, auto images, auto labels, auto rate) const {
    auto const loss = [](auto shards, auto images, auto labels) {
      auto const whole = ts::tree_map([](auto shard) { return ts::reshard<ts::P<ts::reduced<dp>>>(shard); }, shards);
      return loss_share{}(logits{}(whole, images), labels);
    };
    auto const result = ts::value_and_grad(loss)(p, images, labels);
    auto const moved = optimizer.update(std::get<1>(result), state, p, rate);
    return std::tuple{std::get<0>(moved), std::get<1>(moved), std::get<0>(result)};
  }
};

struct predict {
  constexpr auto operator()(auto p, auto images) const {
    auto const whole = ts::tree_map([](auto shard) { return ts::reshard<ts::P<>>(shard); }, p);
    return ts::argmax<1>(logits{}(whole, images));
  }
};

struct first_parameters {
  constexpr auto operator()(auto key) const {
    constexpr ts::out_sharding_t<ts::P<dp, ts::none>, line> by_rows{};
    auto const [first, second] = ts::random::split(key);
    auto w1 = ts::train::lecun_uniform<float, pixels, hidden>(first, by_rows);
    auto w2 = ts::train::lecun_uniform<float, hidden, classes>(second, by_rows);
    return layers{w1, w2};
  }
};

template <class Step, class P, class X, class Y>
constexpr bool sends_what_fsdp_sends() {
  constexpr auto const& sent = ts::comm_of<Step, P, state_of<P>, X, Y, float>;
  constexpr std::int64_t shards = (pixels * hidden + hidden * classes) / 8 * sizeof(float);
  static_assert(sent.count(ts::collective::all_gather) == 2);      // the layers, forward
  static_assert(sent.count(ts::collective::reduce_scatter) == 2);  // their gradients, backward
  static_assert(sent.count(ts::collective::all_reduce) == 1);      // the loss, to be printed
  static_assert(sent.bytes(ts::collective::all_gather) == 7 * shards);
  static_assert(sent.bytes(ts::collective::reduce_scatter) == 7 * shards);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  ts::runtime runtime{argc, argv};
  only_one_speaks();
  auto const mesh = ts::make_mesh<line>(ts::devices());
  ts::use_mesh const here(mesh);
  auto const p = ts::jit<first_parameters>(ts::random::key(1));
  using parameters = std::remove_const_t<decltype(p)>;
  using images = ts::array<ts::array_type<float, ts::shape<rows, pixels>, ts::P<dp>, line>>;
  using labels = ts::array<ts::array_type<std::int32_t, ts::shape<rows>, ts::P<dp>, line>>;
  static_assert(sends_what_fsdp_sends<step_by_devices, parameters, images, labels>());
  static_assert(sends_what_fsdp_sends<step_by_types, parameters, images, labels>());
  std::cout << ts::explain(ts::comm_of<step_by_devices, parameters, state_of<parameters>, images, labels, float>);
  return train<step_by_devices, step_by_types, predict>(p, mesh) ? 0 : 1;
}
