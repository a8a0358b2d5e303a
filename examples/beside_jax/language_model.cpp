// SPDX-License-Identifier: Apache-2.0
// A language model of three layers that learns to continue arithmetic sequences: a scan, AdamW with warmup and cosine
// decay, gradients clipped by their global norm. FSDP over dp, tensor parallel over mp: parameters are split over both,
// in float32; a layer gathers its own over dp, in bfloat16, and once more in its backward pass (remat).

#include <tessera/tessera.hpp>

#include <cstdio>
#include <tuple>

namespace {

namespace ts = tessera;
using ts::none, ts::P;

struct dp : ts::axis {};  // splits the batch, and parameters where they are stored
struct mp : ts::axis {};  // splits heads, hidden units and the vocabulary
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

constexpr std::int64_t batch = 16, length = 16, width = 64, heads = 4, head = 16, hidden = 256, vocabulary = 32,
                       layers = 3;
constexpr int steps = 60;

TESSERA_TREE(layer, qkv, out, up, down);
TESSERA_TREE(model, tokens, positions, layers, odds);

using used = layer<P<none, none, mp>, P<mp>, P<none, mp>, P<mp>>;
constexpr auto by_batch = ts::out_sharding<P<dp>>;

template <class Spec, std::int64_t... Extents>
constexpr auto matrix(auto key) {
  return ts::random::normal<float, Extents...>(key, ts::out_sharding<Spec, grid>) / ts::sqrt(width);
}

constexpr auto first_parameters = [](auto key) {
  auto const [tokens, positions, odds, a, b, c, d] = ts::random::split<7>(key);
  return model{
      .tokens = matrix<P<dp, mp>, vocabulary, width>(tokens),
      .positions = matrix<P<dp, mp>, length, width>(positions),
      .layers = layer{.qkv = matrix<P<none, dp, none, mp>, layers, width, 3, heads, head>(a),
                      .out = matrix<P<none, mp, none, dp>, layers, heads, head, width>(b),
                      .up = matrix<P<none, dp, mp>, layers, width, hidden>(c),
                      .down = matrix<P<none, mp, dp>, layers, hidden, width>(d)},
      .odds = matrix<P<dp, mp>, width, vocabulary>(odds),
  };
};

constexpr ts::train::precision_policy<float, ts::bfloat16, float> policy;

constexpr auto norm = [](auto x) { return policy.compute(ts::layer_norm(ts::astype<float>(x))); };

constexpr auto block = ts::checkpoint([](auto x, auto stored) {  // x: (batch, length, width) in bfloat16
  auto const p = ts::reshard<used>(policy.compute(stored));
  auto const [q, k, v] = ts::unstack(ts::einsum<"btd,dihf->ibthf">(norm(x), p.qkv));
  auto const seen = ts::dot_product_attention(q, k, v, ts::causal);
  auto const y = x + ts::einsum<"bthf,hfd->btd">(seen, p.out, by_batch);
  auto const z = y + ts::dot(ts::gelu(ts::matmul(norm(y), p.up)), p.down, by_batch);
  return std::tuple{z, std::tuple{}};
});

constexpr auto loss = [](auto p, auto tokens) {
  auto const [table, positions, odds] =
      ts::reshard<std::tuple<P<>, P<>, P<none, mp>>>(policy.compute(std::tuple{p.tokens, p.positions, p.odds}));
  auto const x = table.at(tokens.at(ts::every, ts::span<0, length>()).get()).get(by_batch) + positions;
  auto const [y, nothing] = ts::scan(block, x, p.layers);
  auto const logits = ts::dot(norm(y), odds, ts::preferred<float>);  // (batch, length, vocabulary): dp, none, mp
  auto const next = ts::one_hot<vocabulary>(tokens.at(ts::every, ts::span<1, ts::to_end>()).get());
  return -ts::sum(next * ts::log_softmax(logits)) / (batch * length);
};

constexpr ts::train::warmup_cosine schedule{.peak = 1e-2, .warmup = 10, .steps = steps};
constexpr auto optimizer = ts::train::adamw(0.01);

constexpr auto step = [](auto p, auto state, auto key) {
  auto const [starts, strides] = ts::random::split(key);
  auto const start = ts::random::randint<int, batch, 1>(starts, 0, vocabulary, ts::out_sharding<P<dp>, grid>);
  auto const stride = ts::random::randint<int, batch, 1>(strides, 1, 6, ts::out_sharding<P<dp>, grid>);
  auto const tokens = (start + stride * ts::arange<length + 1>()) % vocabulary;
  auto const [value, gradients] = ts::value_and_grad(loss)(p, tokens);
  auto const clipped = ts::train::clip_by_global_norm(gradients, 1.0);
  auto const [updated, next] = optimizer.update(clipped, state, p, schedule(state.steps));
  return std::tuple{updated, next, value};
};

}  // namespace

int main(int argc, char** argv) {
  ts::runtime runtime{argc, argv};
  ts::use_mesh const current{ts::make_mesh<grid>(ts::devices())};

  auto p = ts::jit<first_parameters>(ts::random::key(2));
  auto state = ts::jit([](auto p) { return optimizer.init(p); })(p);
  constexpr auto const& sent = ts::comm_of<decltype(step), decltype(p), decltype(state), decltype(ts::random::key(1))>;
  static_assert(sent.count<dp>(ts::collective::all_gather) == layers * (4 + 4) + 3);  // four weights, in both passes
  for (int n = 0; n <= steps; ++n) {
    auto const key = ts::random::fold_in(ts::random::key(1), n);
    auto const [updated, next, value] = ts::jit<step>(std::move(p), std::move(state), key);
    p = updated;
    state = next;
    if (n % 12 == 0) std::printf("step %2d: loss %.2f\n", n, value.item());
  }
  std::printf("norm of the parameters %.1f\n", ts::train::global_norm(p).item());
}
