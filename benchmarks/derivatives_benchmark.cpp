// SPDX-License-Identifier: Apache-2.0
// nightly
// Derivatives of W5's loss over 8 devices, its weights split (tp): the gradient, the tangent in a direction, the product of
// the Hessian and a direction (forward over reverse); and of a loop of products (scan): gradient and tangent.
// ctest: of=scan

#include "support/cases.hpp"
#include "support/mlp.hpp"

#include <tuple>

using namespace cases;
using namespace cases::mlp_step;

namespace {

using mesh_type = grid<1, 8>;
using columns = ts::P<ts::none, mp>;
using depth = ts::P<mp, ts::none>;

auto mlp_weights(std::uint64_t seed) {
  return std::tuple{put<columns, mesh_type, width, hidden>(noises(seed, width * hidden, 0.05f)),
                    put<depth, mesh_type, hidden, width>(noises(seed + 1, hidden * width, 0.05f))};
}
struct mlp {
  static constexpr auto loss = mlp_step::loss<none2, false>{};
  decltype(mlp_weights(0)) p = mlp_weights(0), v = mlp_weights(7);
  decltype(put<none2, mesh_type, batch, width>({})) x =
      put<none2, mesh_type, batch, width>(noises(2, batch* width, 1.7f));
  decltype(x) y = put<none2, mesh_type, batch, width>(noises(3, batch* width, 1.7f));
};

// h = tanh(h w), 32 times.
constexpr std::int64_t rows = 64, n = 256;
struct chain_loss {
  constexpr auto operator()(auto w, auto h, auto) const {
    auto const last = ts::fori_loop(
        0, 32, [&](auto, auto now) { return ts::tanh(ts::matmul(now, w)); }, h);
    return ts::mean(last * last);
  }
};
struct chain {
  static constexpr auto loss = chain_loss{};
  decltype(put<none2, mesh_type, n, n>({})) p = put<none2, mesh_type, n, n>(noises(0, n* n, 0.07f));
  decltype(p) v = put<none2, mesh_type, n, n>(noises(7, n* n, 0.07f));
  decltype(put<depth, mesh_type, rows, n>({})) x = put<depth, mesh_type, rows, n>(noises(2, rows*n)), y = x;
};

template <class Case>
struct gradient {
  constexpr auto operator()(auto p, auto x, auto y, auto) const { return ts::grad(Case::loss)(p, x, y); }
};
template <class Case>
struct tangent {
  constexpr auto operator()(auto p, auto x, auto y, auto v) const {
    return ts::jvp(Case::loss, std::make_tuple(p, x, y), std::make_tuple(v, ts::float0{}, ts::float0{}));
  }
};
template <class Case>
struct product {
  constexpr auto operator()(auto p, auto x, auto y, auto v) const {
    return std::get<1>(
        ts::jvp(ts::grad(Case::loss), std::make_tuple(p, x, y), std::make_tuple(v, ts::float0{}, ts::float0{})));
  }
};
template <class P>
struct moved {
  constexpr auto operator()(P const& p, P const& v, float by) const {
    return ts::tree_map([&](auto const& a, auto const& b) { return a + b * by; }, p, v);
  }
};

template <class L, class R>
double dot(L const& l, R const& r) {
  double sum = 0;
  (void)ts::tree_map(
      [&](auto const& a, auto const& b) {
        auto const x = a.to_host(), y = b.to_host();
        for (std::size_t i = 0; i < x.size(); ++i) sum += double(x[i]) * y[i];
        return 0;
      },
      l, r);
  return sum;
}

template <class Case, template <class> class Program>
void timed(benchmark::State& state, std::string const& name) {
  Case const of;
  auto const call = [&] { return ts::jit<Program<Case>>(of.p, of.x, of.y, of.v); };
  measure(
      state, name, 2e-2, [&] { ts::tree_each([](auto const& x) { x.block_until_ready(); }, call()); },
      [&] {
        // Along v: the gradient and the tangent of the loss; of the product with the Hessian, differences of gradients.
        float const h = 1e-2f;
        auto const slope = [&](float by) {
          return dot(ts::jit<gradient<Case>>(moved<decltype(of.p)>{}(of.p, of.v, by), of.x, of.y, of.v), of.v);
        };
        difference d;
        if constexpr (std::is_same_v<Program<Case>, product<Case>>)
          d.add(dot(call(), of.v), (slope(h) - slope(-h)) / (2 * h));
        else if constexpr (std::is_same_v<Program<Case>, tangent<Case>>)
          d.add(std::get<1>(call()).item(), slope(0));
        else
          d.add(dot(call(), of.v), std::get<1>(ts::jit<tangent<Case>>(of.p, of.x, of.y, of.v)).item());
        return d.relative();
      });
}

}  // namespace

int main(int argc, char** argv) {
  return main_of(argc, argv, 8, [] {
    add("derivatives.gradient of=mlp", timed<mlp, gradient>);
    add("derivatives.jvp of=mlp", timed<mlp, tangent>);
    add("derivatives.hvp of=mlp", timed<mlp, product>);
    add("derivatives.gradient of=scan", timed<chain, gradient>);
    add("derivatives.jvp of=scan", timed<chain, tangent>);
    add("derivatives.hvp of=scan", timed<chain, product>);
  });
}
