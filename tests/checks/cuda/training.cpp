// SPDX-License-Identifier: Apache-2.0
// What most programs are made of: operations on arrays, and a step that draws, differentiates and updates.

#include <tessera/tessera.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 2>, ts::explicit_axis<mp, 2>>;
using weights = ts::array<ts::array_type<float, ts::shape<16, 8>, ts::P<ts::none, mp>, grid>>;
using batch = ts::array<ts::array_type<float, ts::shape<32, 16>, ts::P<dp, ts::none>, grid>>;

struct loss {
  constexpr auto operator()(auto w, auto x, auto key) const {
    auto const h = ts::gelu(ts::matmul(ts::train::dropout(key, x, 0.1), w));
    auto const whole = ts::reshard<ts::P<dp, ts::none>>(h);
    auto const [largest, at] = ts::top_k<2>(ts::sort(whole));
    return ts::mean(ts::log_softmax(whole)) + ts::mean(ts::cumsum<1>(largest)) + ts::mean(ts::astype<float>(at));
  }
};
struct step {
  constexpr auto operator()(auto w, auto x, auto key) const {
    auto const [value, gradient] = ts::value_and_grad(loss{})(w, x, key);
    constexpr ts::train::adam optimizer{};
    return std::tuple{optimizer.update(gradient, optimizer.init(w), w, 0.01f), value};
  }
};

auto train(weights const& w, batch const& x) { return ts::jit<step>(w, x, ts::random::key(1)); }
auto one_by_one(batch const& x) { return ts::sum<0>(ts::exp(x) + x * 2).to_host(); }
