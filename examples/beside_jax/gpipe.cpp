// SPDX-License-Identifier: Apache-2.0
// A GPipe pipeline: 4 stages of 2 layers on 4 devices, trained by SGD. In turn t stage s works on micro-batch t - s;
// what it has made goes to the next stage, and its gradient comes back.

#include <tessera/tessera.hpp>

#include <cstdio>
#include <tuple>

namespace ts = tessera;

namespace {

struct stage : ts::axis {};
constexpr std::int64_t stages = 4, micro = 8, rows = 16, width = 16, hidden = 32;
using line = ts::mesh<ts::explicit_axis<stage, stages>>;

TESSERA_TREE(weights, up, b, down);

// Of one stage.
constexpr auto init = [](auto key) {
  auto const [k1, k2] = ts::random::split(key);
  return weights{ts::train::lecun_normal<float, width, hidden>(k1), ts::zeros<float, hidden>(),
                 ts::train::lecun_normal<float, hidden, width>(k2)};
};

constexpr auto layers = [](auto p, auto x) { return x + ts::matmul(ts::tanh(ts::matmul(x, p.up) + p.b), p.down); };

// Of micro-batches: (micro, rows, width).
constexpr auto loss = ts::shard_map<ts::in_specs<ts::P<stage>, ts::P<>, ts::P<>>, ts::out_specs<ts::P<>>>(
    [](auto params, auto xs, auto ys) {
      auto const p = ts::tree_map([](auto w) { return w.at(0).get(); }, params);
      auto const here = ts::axis_index<stage>();
      auto const turn = [&](auto came, auto fresh) {
        auto const out = layers(p, ts::where(here == 0, fresh, came));
        return std::tuple{ts::ppermute<stage>(out, ts::perm<ts::send<0, 1>, ts::send<1, 2>, ts::send<2, 3>>), out};
      };
      auto const drain = ts::zeros<float, stages - 1, rows, width>();
      auto const first = ts::pvary<stage>(ts::zeros<float, rows, width>());
      auto const [last, outs] = ts::scan(turn, first, ts::concatenate<0>(xs, drain));
      auto const off = ts::where(here == stages - 1, outs.at(ts::span<stages - 1>()).get() - ys, 0);
      return ts::psum<stage>(ts::sum(off * off) / ys.size());
    });

constexpr ts::train::sgd optimizer;

constexpr auto step = ts::jit([](auto params, auto state, auto xs, auto ys) {
  auto const [value, grads] = ts::value_and_grad(loss)(params, xs, ys);
  auto const [updated, next] = optimizer.update(grads, state, params, 0.1f);
  return std::tuple{updated, next, value};
});

}  // namespace

int main(int argc, char** argv) {
  ts::runtime runtime{argc, argv};
  ts::use_mesh const current{ts::make_mesh<line>(ts::devices())};
  auto params = ts::reshard<ts::P<stage>, line>(ts::vmap(init)(ts::random::split_batch<stages>(ts::random::key(0))));
  auto state = optimizer.init(params);
  auto const xs = ts::asarray(ts::random::normal<float, micro, rows, width>(ts::random::key(1)));
  auto const ys = ts::sin(2 * xs);
  constexpr auto const& sent =
      ts::comm_of<decltype(step), decltype(params), decltype(state), decltype(xs), decltype(ys)>;
  static_assert(sent.count(ts::collective::permute) == 2 * (micro + stages - 1));
  static_assert(sent.count() == sent.count(ts::collective::permute) + 1);  // and the loss

  for (int n = 0; n <= 50; ++n) {
    auto const [updated, next, value] = step(params, state, xs, ys);
    params = updated, state = next;
    if (n % 10 == 0) std::printf("step %d: loss %.4g\n", n, value.item());
  }
  auto const norm = [](auto w) { return ts::sqrt(ts::sum(w * w)).item(); };
  std::printf("norms: up %.4g b %.4g down %.4g\n", norm(params.up), norm(params.b), norm(params.down));
}
