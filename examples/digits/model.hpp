// SPDX-License-Identifier: Apache-2.0
#pragma once
// The digits classifier and its training step, written once for every mesh: data parallel over dp, tensor parallel
// over mp. Everything here is traced code: it runs while this file is compiled and leaves one program behind.

#include <tessera/tessera.hpp>

#include <cstdint>

namespace digits {

namespace ts = tessera;

struct dp : ts::axis {};  // splits the batch
struct mp : ts::axis {};  // splits the hidden units

// The parameters of one block of two layers, or anything shaped like them: gradients, Adam's moments.
//   w1 (in, hidden){none, mp}   b1 (hidden){mp}   w2 (hidden, out){mp, none}   b2 (out){none}
TESSERA_TREE(block, w1, b1, w2, b2);

// x (batch, in){dp, none} -> (batch, out){dp, none}. The second product contracts mp: one all_reduce.
struct apply_block {
  constexpr auto operator()(auto p, auto x) const {
    auto hidden = ts::gelu(ts::matmul(x, p.w1) + p.b1);
    return ts::matmul(hidden, p.w2, ts::out_sharding<ts::P<dp, ts::none>>) + p.b2;
  }
};

// images (batch, 64){dp, none} -> logits (batch, 10){dp, none}. p: a std::tuple of blocks, one after the other.
struct logits {
  constexpr auto operator()(auto p, auto images) const { return from<0>(p, images); }

private:
  template <std::size_t I, class Blocks>
  static constexpr auto from(Blocks p, auto x) {
    auto y = apply_block{}(std::get<I>(p), x);
    if constexpr (I + 1 < std::tuple_size_v<Blocks>)
      return from<I + 1>(p, ts::gelu(y));
    else
      return y;
  }
};

// Mean cross entropy over the rows that mask marks with 1; padded rows carry 0.
struct loss {
  constexpr auto operator()(auto p, auto images, auto labels, auto mask) const {
    auto log_probability = ts::log_softmax(logits{}(p, images));
    auto per_row = ts::sum<1>(ts::one_hot<10>(labels) * log_probability);
    return -ts::sum(per_row * mask) / ts::sum(mask);
  }
};

inline constexpr ts::train::adam optimizer;

// p -> the optimizer's state: its moments have the layouts of their parameters.
struct first_state {
  constexpr auto operator()(auto p) const { return optimizer.init(p); }
};

// One training step, one program: forward, backward, all-reduce, Adam.
// (p, state, images, labels, mask, rate) -> (p, state, loss)
struct train_step {
  constexpr auto operator()(auto p, auto state, auto images, auto labels, auto mask, auto rate) const {
    auto [value, gradient] = ts::value_and_grad(loss{})(p, images, labels, mask);
    auto [updated, next] = optimizer.update(gradient, state, p, rate);
    return std::tuple{updated, next, value};
  }
};

// The number of rows, among those that mask marks, whose likeliest digit is the label.
struct count_correct {
  constexpr auto operator()(auto p, auto images, auto labels, auto mask) const {
    auto hit = ts::equal(ts::argmax<1>(logits{}(p, images)), labels);
    return ts::sum(ts::astype<float>(hit) * mask);
  }
};

}  // namespace digits
