// SPDX-License-Identifier: Apache-2.0
// A transformer decoder of two layers, heads and hidden units split over mp. It reads a prompt and writes on, token by
// token, in a loop with a cache of keys and values: greedily, and by sampling from the likeliest tokens at some
// temperature. Each layer sends two sums over mp.

#include <tessera/tessera.hpp>

#include <cstdio>
#include <iostream>
#include <tuple>

namespace {

namespace ts = tessera;
using ts::none;

struct mp : ts::axis {};  // splits heads and hidden units
using grid = ts::mesh<ts::explicit_axis<mp, 8>>;

constexpr std::int64_t batch = 4, length = 24, width = 64, heads = 8, head = 8, hidden = 128, vocabulary = 50,
                       layers = 2;

TESSERA_TREE(layer_weights, qkv, out, up, down);
TESSERA_TREE(parameters, tokens, positions, layers);

template <class Spec, std::int64_t... Extents>
constexpr auto matrix(auto key) {
  return ts::random::normal<float, Extents...>(key, ts::out_sharding<Spec, grid>) / ts::sqrt(width);
}

constexpr auto first_parameters = [](auto key) {
  auto const [a, b, c, d, e, f] = ts::random::split<6>(key);
  return parameters{
      .tokens = matrix<ts::P<>, vocabulary, width>(a),
      .positions = matrix<ts::P<>, length, width>(b),
      .layers =
          layer_weights{
              .qkv = matrix<ts::P<none, none, mp>, layers, 3, heads, width, head>(c),
              .out = matrix<ts::P<none, mp>, layers, heads, head, width>(d),
              .up = matrix<ts::P<none, none, mp>, layers, width, hidden>(e),
              .down = matrix<ts::P<none, mp>, layers, hidden, width>(f),
          },
  };
};

constexpr auto first_prompt = [](auto key) {
  return ts::random::randint<int, batch, 4>(key, 0, vocabulary, ts::out_sharding<ts::P<>, grid>);
};

// Tokens (batch) at a position -> the cache with them, and the logits of the next ones.
constexpr auto decode = [](auto p, auto cache, auto token, auto position) {
  constexpr auto whole = ts::out_sharding<ts::P<>>;
  auto const layer = [&](auto x, auto p_and_cache) {
    auto const [p, cache] = p_and_cache;
    auto const [old_keys, old_values] = cache;  // (batch, heads, length, head)
    auto const [q, k, v] = ts::unstack(ts::einsum<"bd,ihdf->ibhf">(ts::layer_norm(x), p.qkv));
    auto const keys = old_keys.at(ts::every, ts::every, position).set(k);
    auto const values = old_values.at(ts::every, ts::every, position).set(v);
    auto const scores = ts::einsum<"bhf,bhtf->bht">(q, keys) / ts::sqrt(head);
    auto const weights = ts::softmax(ts::where(ts::arange<length>() <= position, scores, -1e30f));
    auto const seen = ts::einsum<"bht,bhtf->bhf">(weights, values);
    auto const y = x + ts::einsum<"bhf,hfd->bd">(seen, p.out, whole);
    auto const z = y + ts::dot(ts::gelu(ts::matmul(ts::layer_norm(y), p.up)), p.down, whole);
    return std::tuple{z, std::tuple{keys, values}};
  };
  auto const x = p.tokens.at(token).get() + p.positions.at(position).get();
  auto const [y, next] = ts::scan(layer, x, std::tuple{p.layers, cache});
  return std::tuple{next, ts::matmul(ts::layer_norm(y), p.tokens.T())};
};

constexpr auto likeliest = [](auto, auto logits) { return ts::argmax<-1>(logits); };

constexpr auto sample = [](auto key, auto logits) {
  auto const [best, tokens] = ts::top_k<10>(logits);
  auto const choice = ts::random::categorical(key, best / 0.8f);
  return ts::squeeze<1>(ts::take_along_axis<1>(tokens, ts::expand_dims<1>(choice)));
};

constexpr auto generate = [](auto choose, auto p, auto prompt, auto key) {
  constexpr auto read = prompt.shape()[1];
  auto const turn = [&](auto i, auto carry) {
    auto const [cache, tokens] = carry;
    auto const [next, logits] = decode(p, cache, tokens.at(ts::every, i).get(), i);
    auto const chosen = choose(ts::random::fold_in(key, i), logits);
    auto const following = ts::where(i + 1 < read, tokens.at(ts::every, i + 1).get(), chosen);
    return std::tuple{next, tokens.at(ts::every, i + 1).set(following)};
  };
  auto const empty =
      ts::zeros<float, layers, batch, heads, length, head>(ts::out_sharding<ts::P<none, none, mp>, grid>);
  auto const tokens = ts::pad(prompt, 0, ts::low<0, 0>, ts::high<0, length - read>);
  auto const [cache, written] = ts::fori_loop(0, length - 1, turn, std::tuple{std::tuple{empty, empty}, tokens});
  auto const [keys, values] = cache;
  return std::tuple{written, ts::norm(keys), ts::norm(values)};
};

void print(char const* name, auto const& result) {
  auto const [tokens, keys, values] = result;
  std::printf("%s: norm of the keys %.2f, of the values %.2f\n", name, keys.item(), values.item());
  std::cout << tokens.at(ts::span(0, 3)).get() << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  ts::runtime runtime{argc, argv};
  ts::use_mesh const current{ts::make_mesh<grid>(ts::devices())};

  auto const p = ts::jit<first_parameters>(ts::random::key(0));
  auto const prompt = ts::jit<first_prompt>(ts::random::key(1));
  auto const key = ts::random::key(2);
  constexpr auto const& sent =
      ts::comm_of<decltype(generate), decltype(likeliest), decltype(p), decltype(prompt), decltype(key)>;
  static_assert(sent.count() == (length - 1) * layers * 2 + 1);  // two sums in each layer, and the norms
  print("greedy", ts::jit<generate>(likeliest, p, prompt, key));
  print("sampled", ts::jit<generate>(sample, p, prompt, key));
}
