// SPDX-License-Identifier: Apache-2.0
// A mixture of experts: 8 experts and 256 tokens over 4 devices. Each token goes to its two best experts by all_to_all,
// as long as they have room, and comes back by another. Trained by Adam on a made-up regression.

#include <tessera/tessera.hpp>

#include <cstdio>
#include <tuple>

namespace {

namespace ts = tessera;

struct ep : ts::axis {};  // splits the experts, and the tokens
using grid = ts::mesh<ts::explicit_axis<ep, 4>>;
using split = ts::P<ep>;
using whole = ts::P<>;

constexpr std::int64_t tokens = 256, width = 16, hidden = 32, experts = 8, capacity = 20;
constexpr int steps = 50;

TESSERA_TREE(parameters, router, up, down);

constexpr auto first_parameters = [](auto key) {
  auto const [router, up, down] = ts::random::split<3>(key);
  constexpr auto apart = ts::out_sharding<split, grid>;
  return parameters{
      .router = 0.1f * ts::random::normal<float, width, experts>(router, ts::out_sharding<whole, grid>),
      .up = ts::random::normal<float, experts, width, hidden>(up, apart) / ts::sqrt(width),
      .down = ts::random::normal<float, experts, hidden, width>(down, apart) / ts::sqrt(hidden),
  };
};

constexpr auto data = [](auto key) {
  auto const [inputs, mixing] = ts::random::split(key);
  auto const x = ts::random::normal<float, tokens, width>(inputs, ts::out_sharding<split, grid>);
  auto const waves = ts::sin(ts::matmul(x, ts::random::normal<float, width, width>(mixing)));
  return std::tuple{x, ts::where(x.at(ts::every, ts::span<0, 1>()).get() > 0, waves, ts::abs(x))};
};

// x: this device's tokens -> what the experts make of them, how even their load is, the share of choices without room
using in = ts::in_specs<parameters<whole, split, split>, split>;
using out = ts::out_specs<split, whole, whole>;
constexpr auto mixture = ts::shard_map<in, out>([](auto p, auto x) {
  auto const odds = ts::softmax(ts::matmul(x, p.router));
  auto const [best, chosen] = ts::top_k<2>(odds);
  auto const gates = best / ts::sum<1>(best, ts::keepdims);
  auto const picked = ts::one_hot<int, experts>(chosen.T());  // (2, tokens, experts): first choices, then second ones
  auto const queue = ts::cumsum<0>(ts::reshape<ts::infer, experts>(picked));
  auto const place = (ts::reshape<2, ts::infer, experts>(queue) - 1) * picked;
  auto const routes = ts::expand_dims<3>(picked) * ts::one_hot<capacity>(place);  // (..., capacity); 0 beyond it

  auto const sent = ts::einsum<"ktec,td->ecd">(routes, x);
  auto const there = ts::all_to_all<ep>(sent, ts::split_dim<0>, ts::concat_dim<1>, ts::tiled);
  auto const made = ts::matmul(ts::gelu(ts::matmul(there, p.up)), p.down);  // by this device's experts
  auto const back = ts::all_to_all<ep>(made, ts::split_dim<1>, ts::concat_dim<0>, ts::tiled);
  auto const y = ts::einsum<"tk,ktec,ecd->td">(gates, routes, back);

  auto const share = ts::pmean<ep>(ts::mean<0>(picked.at(0).get()));
  auto const balance = experts * ts::sum(share * ts::pmean<ep>(ts::mean<0>(odds)));
  return std::tuple{y, balance, 1 - ts::pmean<ep>(ts::sum(routes)) / (2 * x.shape()[0])};
});

constexpr auto loss = [](auto p, auto x, auto y) {
  auto const [out, balance, dropped] = mixture(p, x);
  auto const error = ts::mean(ts::square(out - y));
  return std::tuple{error + 0.01f * balance, std::tuple{error, balance, dropped}};
};

constexpr ts::train::adam optimizer;

constexpr auto step = [](auto p, auto state, auto x, auto y) {
  auto const [value, gradients] = ts::value_and_grad(loss, ts::has_aux)(p, x, y);
  auto const [updated, next] = optimizer.update(gradients, state, p, 1e-2f);
  return std::tuple{updated, next, std::get<1>(value)};
};

}  // namespace

int main(int argc, char** argv) {
  ts::runtime runtime{argc, argv};
  ts::use_mesh const current{ts::make_mesh<grid>(ts::devices())};

  auto const [x, y] = ts::jit<data>(ts::random::key(0));
  auto p = ts::jit<first_parameters>(ts::random::key(1));
  auto state = ts::jit([](auto p) { return optimizer.init(p); })(p);
  constexpr auto const& sent = ts::comm_of<decltype(step), decltype(p), decltype(state), decltype(x), decltype(y)>;
  static_assert(sent.count(ts::collective::all_to_all) == 3);  // there, back, and the gradient of what came back
  for (int n = 0; n <= steps; ++n) {
    auto const [updated, next, facts] = ts::jit<step>(std::move(p), std::move(state), x, y);
    p = updated;
    state = next;
    auto const [error, balance, dropped] = facts;
    if (n % 10 == 0)
      std::printf("step %2d: error %.3f, balance %.3f, dropped %.1f %%\n", n, error.item(), balance.item(),
                  100 * dropped.item());
  }
  std::printf("sum of squared weights %.1f\n", ts::square(ts::train::global_norm(p)).item());
}
