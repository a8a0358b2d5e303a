// SPDX-License-Identifier: Apache-2.0
// A training loop's assignments, p = next, of trees of other types than the variable's: parameters without a mesh, states that
// were made outside of jit, keys, trees of another structure; and of results that were refused, of which nothing more is said.

#include <tessera/tessera.hpp>

#include <cstdio>
#include <tuple>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;
TESSERA_TREE(parameters, w, b);
TESSERA_TREE(fewer, w);

constexpr ts::train::adam optimizer{};
struct init {
  constexpr auto operator()(auto key) const {
    return parameters{ts::random::normal<float, 4, 2>(key), ts::zeros<float, 2>()};
  }
};
struct loss {
  constexpr auto operator()(auto p, auto x) const { return ts::mean(ts::square(ts::matmul(x, p.w) + p.b)); }
};
struct step {
  constexpr auto operator()(auto p, auto state, auto x) const {
    auto const [value, slope] = ts::value_and_grad(loss{})(p, x);
    auto const [next, next_state] = optimizer.update(slope, state, p, 0.1f);
    return std::tuple{next, next_state, value};
  }
};

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const mesh = ts::make_mesh<line>(ts::devices());
  ts::use_mesh const here{mesh};
  auto const key = ts::device_put(ts::random::key(0));
  auto const x = ts::device_put<ts::P<dp>>(ts::ones<float, 8, 4>(), mesh);
  auto const started = ts::jit<ts::out_shardings<ts::P<>>, line>(init{})(key);
  auto const at_start = ts::jit([](auto p) { return optimizer.init(p); })(started);
  auto p = started;
  auto state = at_start;
  auto next_key = key;
  for (int i = 0; i < 2; ++i) {
    auto const [next, next_state, value] = ts::jit<step>(p, state, x);
    p = next;
    state = next_state;
    std::tie(p, state) = std::tuple{next, next_state};
    next_key = std::get<0>(ts::random::split(next_key));
  }
#if TESSERA_MISUSE == 1
  // expect: a variable keeps its type (lhs), and what is assigned to it has another (rhs).
  // expect-fix: component
  auto q = ts::jit(init{})(key);
  q = std::get<0>(ts::jit<step>(q, at_start, x));
#elif TESSERA_MISUSE == 2
  // expect: the type of a constant, as zeros, a key or draws make it outside of jit, is what it is made by
  auto s = optimizer.init(started);
  s = std::get<1>(ts::jit<step>(started, s, x));
#elif TESSERA_MISUSE == 3
  // expect: the type of a constant, as zeros, a key or draws make it outside of jit, is what it is made by
  auto k = ts::random::key(0);
  k = std::get<0>(ts::random::split(k));
#elif TESSERA_MISUSE == 4
  // expect: the trees have different structures.
  p = fewer{started.w};
#elif TESSERA_MISUSE == 5
  // expect: the shapes do not fit each other.
  auto const [next, next_state, value] =
      ts::jit([](auto p, auto state, auto x) { return step{}(p, state, ts::transpose(x)); })(p, state, x);
  p = next;
  state = next_state;
  std::tie(p, state) = std::tuple{next, next_state};
  std::printf("%.3f\n", value.item());
#elif TESSERA_MISUSE == 6
  // expect: the type of a constant, as zeros, a key or draws make it outside of jit, is what it is made by
  auto z = ts::zeros<float, 4>();
  z = ts::asarray(ts::ones<float, 4>());
#endif
}
