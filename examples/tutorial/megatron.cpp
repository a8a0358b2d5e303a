// SPDX-License-Identifier: Apache-2.0
// A Megatron MLP: the first layer split by columns, the second by rows, so that what stands between them needs no
// message; one sum over mp brings the halves together. The batch is split over dp.

#include "../one_speaks.hpp"
#include "training.hpp"

#include <iostream>

namespace {

using namespace training;
struct mp : ts::axis {};  // splits the hidden units
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

// w1 (64, 128@mp), b1 (128@mp), w2 (128@mp, 10), b2 (10)
TESSERA_TREE(layers, w1, b1, w2, b2);

// By devices: each has a part of the rows and of the hidden units. The gradient of what does not vary over an axis is
// summed over it, so nothing is written for the way back.
struct loss_by_devices {
  constexpr auto operator()(auto p, auto images, auto labels) const {
    return ts::shard_map<ts::out_specs<ts::P<>>>([](auto p, auto images, auto labels) {
      auto const units = ts::gelu(ts::matmul(images, p.w1) + p.b1);
      static_assert(ts::type_text<decltype(units)> == "float32[16,64]{V:(dp,mp)}");
      auto const logits = ts::psum<mp>(ts::matmul(units, p.w2)) + p.b2;
      static_assert(ts::type_text<decltype(logits)> == "float32[16,10]{V:dp}");
      return ts::psum<dp>(loss_share{}(logits, labels));
    })(p, images, labels);
  }
};

// By types: the second product contracts mp, and is asked for whole.
struct logits_by_types {
  constexpr auto operator()(auto p, auto images) const {
    auto const units = ts::gelu(ts::matmul(images, p.w1) + p.b1);
    return ts::matmul(units, p.w2, ts::out_sharding<ts::P<dp, ts::none>>) + p.b2;
  }
};
struct loss_by_types {
  constexpr auto operator()(auto p, auto images, auto labels) const {
    return loss_share{}(logits_by_types{}(p, images), labels);
  }
};

template <class Loss>
struct step {
  constexpr auto operator()(auto p, auto state, auto images, auto labels, auto rate) const {
    auto const result = ts::value_and_grad(Loss{})(p, images, labels);
    auto const moved = optimizer.update(std::get<1>(result), state, p, rate);
    return std::tuple{std::get<0>(moved), std::get<1>(moved), std::get<0>(result)};
  }
};

struct predict {
  constexpr auto operator()(auto p, auto images) const { return ts::argmax<1>(logits_by_types{}(p, images)); }
};

struct first_parameters {
  constexpr auto operator()(auto key) const {
    auto const [first, second] = ts::random::split(key);
    auto w1 = ts::train::lecun_uniform<float, pixels, hidden>(first, ts::out_sharding<ts::P<ts::none, mp>, grid>);
    auto b1 = ts::zeros<float, hidden>(ts::out_sharding<ts::P<mp>, grid>);
    auto w2 = ts::train::lecun_uniform<float, hidden, classes>(second, ts::out_sharding<ts::P<mp, ts::none>, grid>);
    auto b2 = ts::zeros<float, classes>(ts::out_sharding<ts::P<ts::none>, grid>);
    return layers{w1, b1, w2, b2};
  }
};

template <class Step, class P, class X, class Y>
constexpr bool sends_what_megatron_sends() {
  constexpr auto const& sent = ts::comm_of<Step, P, state_of<P>, X, Y, float>;
  static_assert(sent.count() == sent.count(ts::collective::all_reduce));
  static_assert(sent.template count<mp>() == 1);  // the halves of the logits; nothing on the way back
  static_assert(sent.template bytes_over<mp>() == rows / 4 * classes * sizeof(float));
  static_assert(sent.template count<dp>() == 1);  // the gradients of all parameters and the loss, together
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  ts::runtime runtime{argc, argv};
  only_one_speaks();
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  ts::use_mesh const here(mesh);
  auto const p = ts::jit<first_parameters>(ts::random::key(1));
  using parameters = std::remove_const_t<decltype(p)>;
  using images = ts::array<ts::array_type<float, ts::shape<rows, pixels>, ts::P<dp>, grid>>;
  using labels = ts::array<ts::array_type<std::int32_t, ts::shape<rows>, ts::P<dp>, grid>>;
  static_assert(sends_what_megatron_sends<step<loss_by_devices>, parameters, images, labels>());
  static_assert(sends_what_megatron_sends<step<loss_by_types>, parameters, images, labels>());
  std::cout << ts::explain(ts::comm_of<step<loss_by_devices>, parameters, state_of<parameters>, images, labels, float>);
  return train<step<loss_by_devices>, step<loss_by_types>, predict>(p, mesh) ? 0 : 1;
}
