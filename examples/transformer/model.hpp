// SPDX-License-Identifier: Apache-2.0
#pragma once
// A small GPT and its training step, as one would write it: batch over dp, heads and hidden units over mp. Layers stand one
// after the other (unrolled) or run in a scan over stacked parameters.

#include <tessera/types.hpp>

#include <array>
#include <cstdint>
#include <tuple>

namespace transformer {

namespace ts = tessera;

struct dp : ts::axis {};  // splits the batch
struct mp : ts::axis {};  // splits heads and hidden units
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

inline constexpr std::int64_t batch = 16, length = 32, width = 64, heads = 4, head = width / heads, hidden = 4 * width,
                              vocabulary = 64;

// Parameters of a layer, or anything shaped like them: gradients, Adam's moments.
template <class Gain1, class Offset1, class Wq, class Wk, class Wv, class Wo, class Gain2, class Offset2, class Up,
          class UpBias, class Down, class DownBias>
struct layer {
  Gain1 gain1;      // (width)
  Offset1 offset1;  // (width)
  Wq wq;            // (width, width){none, mp}
  Wk wk;            // the same
  Wv wv;            // the same
  Wo wo;            // (width, width){mp, none}
  Gain2 gain2;
  Offset2 offset2;
  Up up;           // (width, hidden){none, mp}
  UpBias up_bias;  // (hidden){mp}
  Down down;       // (hidden, width){mp, none}
  DownBias down_bias;
  static constexpr ts::names<12> names{"gain1", "offset1", "wq", "wk",      "wv",   "wo",
                                       "gain2", "offset2", "up", "up_bias", "down", "down_bias"};
};

// The whole model. Layers: an array of them, or one whose arrays have a first dimension of layers.
template <class Tokens, class Positions, class Layers, class Gain, class Offset, class Head>
struct gpt {
  Tokens tokens;        // (vocabulary, width)
  Positions positions;  // (length, width)
  Layers layers;
  Gain gain;
  Offset offset;
  Head head;  // (width, vocabulary)
  static constexpr ts::names<6> names{"tokens", "positions", "layers", "gain", "offset", "head"};
};

// (batch, length, width){dp, none, none} -> the same.
struct apply_layer {
  using whole = ts::P<dp, ts::none, ts::none>;
  static constexpr auto normed(auto x, auto gain, auto offset) { return ts::layer_norm(x) * gain + offset; }
  // -> (batch, heads, length, head){dp, mp, none, none}
  static constexpr auto split(auto x) { return ts::transpose<0, 2, 1, 3>(ts::reshape<batch, length, heads, head>(x)); }
  constexpr auto operator()(auto p, auto x) const {
    auto const h = normed(x, p.gain1, p.offset1);
    auto const q = split(ts::matmul(h, p.wq)), k = split(ts::matmul(h, p.wk)), v = split(ts::matmul(h, p.wv));
    auto const scores = ts::matmul(q, ts::transpose<0, 1, 3, 2>(k)) * 0.25f;
    auto const earlier = ts::tril(ts::ones<bool, length, length>());
    auto const seen = ts::matmul(ts::softmax(ts::where(earlier, scores, -1e9f)), v);
    auto const joined = ts::reshape<batch, length, width>(ts::transpose<0, 2, 1, 3>(seen));
    auto const y = x + ts::matmul(joined, p.wo, ts::out_sharding<whole>);
    auto const inner = ts::gelu(ts::matmul(normed(y, p.gain2, p.offset2), p.up) + p.up_bias);
    return y + ts::matmul(inner, p.down, ts::out_sharding<whole>) + p.down_bias;
  }
};

// tokens (batch, length){dp, none} -> logits (batch, length, vocabulary){dp, none, none}
struct logits {
  template <class L, std::size_t N>
  static constexpr auto through(std::array<L, N> const& layers, auto x) {
    for (L const& l : layers) x = apply_layer{}(l, x);
    return x;
  }
  static constexpr auto through(auto stacked, auto x) {
    return std::get<0>(ts::scan(
        [](auto x, auto l) {
          return std::tuple{apply_layer{}(l, x), std::tuple{}};
        },
        x, stacked));
  }
  constexpr auto operator()(auto p, auto tokens) const {
    auto const embedded = ts::take<0>(p.tokens, tokens, ts::out_sharding<apply_layer::whole>) + p.positions;
    auto const x = through(p.layers, embedded);
    return ts::matmul(apply_layer::normed(x, p.gain, p.offset), p.head);
  }
};

// Mean cross entropy of the next tokens.
struct loss {
  constexpr auto operator()(auto p, auto tokens, auto next) const {
    auto const picked = ts::one_hot<vocabulary>(next) * ts::log_softmax(logits{}(p, tokens));
    return -ts::sum(picked) / (batch * length);
  }
};

inline constexpr ts::train::adam optimizer;

struct first_state {
  constexpr auto operator()(auto p) const { return optimizer.init(p); }
};

// (p, state, tokens, next, rate) -> (p, state, loss)
struct train_step {
  constexpr auto operator()(auto p, auto state, auto tokens, auto next, auto rate) const {
    auto const [value, gradient] = ts::value_and_grad(loss{})(p, tokens, next);
    auto const [updated, later] = optimizer.update(gradient, state, p, rate);
    return std::tuple{updated, later, value};
  }
};

// The types of parameters and data: of one layer, of N layers stacked in one, of a whole model.
template <class S, std::int64_t... E>
using f32 = ts::array_type<float, ts::shape<E...>, S, grid>;
using none = ts::none;
using vector = f32<ts::P<none>, width>;
using to_heads = f32<ts::P<none, mp>, width, width>;
using one_layer =
    layer<vector, vector, to_heads, to_heads, to_heads, f32<ts::P<mp, none>, width, width>, vector, vector,
          f32<ts::P<none, mp>, width, hidden>, f32<ts::P<mp>, hidden>, f32<ts::P<mp, none>, hidden, width>, vector>;
template <std::int64_t N>
using stacked_vector = f32<ts::P<none, none>, N, width>;
template <std::int64_t N>
using stacked_to_heads = f32<ts::P<none, none, mp>, N, width, width>;
template <std::int64_t N>
using stacked_layers =
    layer<stacked_vector<N>, stacked_vector<N>, stacked_to_heads<N>, stacked_to_heads<N>, stacked_to_heads<N>,
          f32<ts::P<none, mp, none>, N, width, width>, stacked_vector<N>, stacked_vector<N>,
          f32<ts::P<none, none, mp>, N, width, hidden>, f32<ts::P<none, mp>, N, hidden>,
          f32<ts::P<none, mp, none>, N, hidden, width>, stacked_vector<N>>;
template <class Layers>
using gpt_with = gpt<f32<ts::P<none, none>, vocabulary, width>, f32<ts::P<none, none>, length, width>, Layers, vector,
                     vector, f32<ts::P<none, none>, width, vocabulary>>;
template <class Parameters>
using state_of =
    ts::train::adam_state<Parameters, Parameters, ts::array_type<std::int32_t, ts::shape<>, ts::P<>, grid>>;
using token_ids = ts::array_type<std::int32_t, ts::shape<batch, length>, ts::P<dp, none>, grid>;

}  // namespace transformer
