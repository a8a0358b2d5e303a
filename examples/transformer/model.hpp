// SPDX-License-Identifier: Apache-2.0
#pragma once
// A small GPT and its training step, as one would write it: batch over dp, heads and hidden units over mp. Layers stand one
// after the other (unrolled) or run in a scan over stacked parameters.

#include <tessera/nn.hpp>

#include <array>
#include <cstdint>
#include <tuple>

namespace transformer {

namespace ts = tessera;
namespace nn = tessera::nn;
using ts::none;

struct dp : ts::axis {};  // splits the batch
struct mp : ts::axis {};  // splits heads and hidden units
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

inline constexpr std::int64_t batch = 16, length = 32, width = 64, heads = 4, head = width / heads, hidden = 4 * width,
                              vocabulary = 64;

template <class S, std::int64_t... E>
using f32 = ts::array_type<float, ts::shape<E...>, S, grid>;
using vector = f32<ts::P<none>, width>;
using to_heads = f32<ts::P<none, mp>, width, width>;
using whole = ts::P<dp, none, none>;

TESSERA_TREE(layer, norm1, wq, wk, wv, wo, norm2, up, down);
inline constexpr layer one_layer{
    .norm1 = nn::layer_norm<vector>(),
    .wq = nn::linear<to_heads>(nn::no_bias),
    .wk = nn::linear<to_heads>(nn::no_bias),
    .wv = nn::linear<to_heads>(nn::no_bias),
    .wo = nn::linear<f32<ts::P<mp, none>, width, width>>(nn::no_bias),
    .norm2 = nn::layer_norm<vector>(),
    .up = nn::linear<f32<ts::P<none, mp>, width, hidden>>(),
    .down = nn::linear<f32<ts::P<mp, none>, hidden, width>>(),
};

// The whole model. Layers: a std::array of them, or one whose arrays have a first dimension of layers.
TESSERA_TREE(gpt, tokens, positions, layers, norm, head);
template <class Layers>
constexpr auto gpt_of(Layers layers) {
  return gpt{
      .tokens = nn::embedding<f32<ts::P<none, none>, vocabulary, width>>(),
      .positions = nn::parameter<f32<ts::P<none, none>, length, width>>(nn::initializers::normal(0.1)),
      .layers = layers,
      .norm = nn::layer_norm<vector>(),
      .head = nn::linear<f32<ts::P<none, none>, width, vocabulary>>(nn::no_bias),
  };
}
template <std::size_t N>
inline constexpr auto unrolled = gpt_of(nn::repeated<N>(one_layer));
template <std::size_t N>
inline constexpr auto scanned = gpt_of(nn::stacked<N>(one_layer));

// (batch, length, width){dp, none, none} -> the same.
struct apply_layer {
  static constexpr auto split(auto x) { return ts::transpose<0, 2, 1, 3>(ts::reshape<batch, length, heads, head>(x)); }
  constexpr auto operator()(auto p, auto x) const {
    auto const h = p.norm1(x);
    auto const q = split(p.wq(h)), k = split(p.wk(h)), v = split(p.wv(h));  // (batch, heads, length, head)
    auto const scores = ts::matmul(q, ts::transpose<0, 1, 3, 2>(k)) * 0.25f;
    auto const earlier = ts::tril(ts::ones<bool, length, length>());
    auto const seen = ts::matmul(ts::softmax(ts::where(earlier, scores, -1e9f)), v);
    auto const joined = ts::reshape<batch, length, width>(ts::transpose<0, 2, 1, 3>(seen));
    auto const y = x + p.wo(joined, ts::out_sharding<whole>);
    return y + p.down(ts::gelu(p.up(p.norm2(y))), ts::out_sharding<whole>);
  }
};

// tokens (batch, length){dp, none} -> logits (batch, length, vocabulary){dp, none, none}
struct logits {
  constexpr auto operator()(auto p, auto tokens) const {
    auto const x = p.tokens(tokens, ts::out_sharding<whole>) + p.positions;
    return p.head(p.norm(nn::through(apply_layer{}, p.layers, x)));
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

// The types of parameters, of the optimizer's state and of data.
template <std::size_t N>
using unrolled_types = nn::types_of<decltype(unrolled<N>)>;
template <std::size_t N>
using scanned_types = nn::types_of<decltype(scanned<N>)>;
template <class Parameters>
using state_of =
    ts::train::adam_state<Parameters, Parameters, ts::array_type<std::int32_t, ts::shape<>, ts::P<>, grid>>;
using token_ids = ts::array_type<std::int32_t, ts::shape<batch, length>, ts::P<dp, none>, grid>;

}  // namespace transformer
