// SPDX-License-Identifier: Apache-2.0
// Newton's method for multinomial logistic regression: Hessian-vector products are jvp over grad, steps are found by
// conjugate gradients and shortened by a line search. Data is split over 8 devices; sums over it go over the mesh.

#include <tessera/functions.hpp>
#include <tessera/tessera.hpp>

#include <cstdio>
#include <tuple>

namespace ts = tessera;

namespace {

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 8>>;
inline constexpr auto by_rows = ts::out_sharding<ts::P<dp>, line>;

constexpr std::int64_t rows = 1024, features = 12, classes = 5, steps = 7;

constexpr auto loss = [](auto w, auto x, auto y) {
  auto const log_p = ts::log_softmax(ts::matmul(x, w));
  return -ts::mean(ts::sum<1>(ts::one_hot<classes>(y) * log_p)) + 1e-3f * ts::sum(w * w);
};

constexpr auto conjugate_gradients(auto a, auto b) {  // the d with a(d) = b
  auto const far = [&](auto state) {
    auto const [d, r, p, turns] = state;
    return (ts::vdot(r, r) > 1e-4f * ts::vdot(b, b)) & (turns < 50);
  };
  auto const turn = [&](auto state) {
    auto const [d, r, p, turns] = state;
    auto const ap = a(p);
    auto const alpha = ts::vdot(r, r) / ts::vdot(p, ap);
    auto const next_r = r - alpha * ap;
    auto const beta = ts::vdot(next_r, next_r) / ts::vdot(r, r);
    return std::tuple{d + alpha * p, next_r, next_r + beta * p, turns + 1};
  };
  auto const [d, r, p, turns] = ts::while_loop(far, turn, std::tuple{ts::zeros_like(b), b, b, 0});
  return std::tuple{d, turns};
}

constexpr auto line_search(auto f, auto w, auto d, auto slope) {  // halves a step until the loss falls enough
  auto const too_long = [&](auto t) { return f(w + t * d) > f(w) + 1e-4f * t * slope; };
  auto const half = [](auto t) { return t / 2; };
  return ts::while_loop(too_long, half, 1.0f);
}

TESSERA_TREE(record, loss, gradient, turns, t);

constexpr auto newton(auto start, auto x, auto y) {
  auto const f = [&](auto w) { return loss(w, x, y); };
  auto const step = [&](auto w) {
    auto const [value, g] = ts::value_and_grad(f)(w);
    auto const hessian = [&](auto v) { return std::get<1>(ts::jvp(ts::grad(f), w, v)); };
    auto const [newton_d, turns] = conjugate_gradients(hessian, -g);
    auto const newton_slope = ts::vdot(newton_d, g);
    auto const found = [&, newton_d = newton_d] { return std::tuple{newton_d, newton_slope}; };
    auto const steepest = [g = g] { return std::tuple{-g, -ts::vdot(g, g)}; };
    auto const [d, slope] = ts::cond(newton_slope < 0, found, steepest);
    auto const t = line_search(f, w, d, slope);
    return std::tuple{w + t * d, record{value, ts::norm(g), turns, t}};
  };
  return ts::scan<steps>(step, start);
}

constexpr auto solve = [](auto key) {
  auto const [a, b, c, d] = ts::random::split<4>(key);
  auto const x = ts::random::normal<float, rows, features>(a, by_rows);
  auto const truth = 2 * ts::random::normal<float, features, classes>(b);
  auto const y = ts::random::categorical(c, ts::matmul(x, truth));
  auto const [w, history] = newton(3 * ts::random::normal<float, features, classes>(d), x, y);
  return std::tuple{w, history, ts::mean(ts::argmax<1>(ts::matmul(x, w)) == y)};
};

constexpr auto small = [](auto key) {
  auto const [a, b, c, d, e] = ts::random::split<5>(key);
  auto const x = ts::random::normal<float, 64, 3>(a, by_rows);
  auto const w = ts::random::normal<float, 3, classes>(b);
  auto const y = ts::random::randint<ts::int32, 64>(c, 0, classes, by_rows);
  auto const hessian = ts::reshape<w.size(), w.size()>(ts::hessian(loss)(w, x, y));
  auto const logits = [&](auto w) { return ts::log_softmax(ts::matmul(x, w)); };
  auto const v = ts::random::normal_like(d, w);
  auto const u = ts::random::normal<float, 64, classes>(e, by_rows);
  auto const [value, along] = ts::linearize(logits, w);
  auto const [same, back] = ts::vjp(logits, w);
  return std::tuple{ts::eigvalsh(hessian).at(-1).get(), ts::sum(along(v) * u), ts::vdot(v, std::get<0>(back(u)))};
};

}  // namespace

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  ts::use_mesh const current{ts::make_mesh<line>(ts::devices())};
  auto const [w, history, accuracy] = ts::jit<solve>(ts::random::key(0));
  auto const h = ts::device_get(history);
  for (int i = 0; i < steps; ++i)
    std::printf("loss %.4f  gradient %.1e  %2d turns  step %.3f\n", h.loss[i], h.gradient[i], h.turns[i], h.t[i]);
  auto const [largest, forward, backward] = ts::jit<small>(ts::random::key(1));
  std::printf("accuracy %.3f  norm %.3f  largest eigenvalue %.4f\n", accuracy.item(), ts::norm(w).item(),
              largest.item());
  std::printf("<Jv, u> %.3f  <v, J'u> %.3f\n", forward.item(), backward.item());
}
