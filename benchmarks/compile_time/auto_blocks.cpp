// SPDX-License-Identifier: Apache-2.0
// What the planner takes: two transformer blocks and their gradient over Auto axes, parameters and batch over one of them, so
// that plans are compared. About 450 values.
// goal: 3 times Kokkos_Core.hpp
// budget: 4.5 times Kokkos_Core.hpp, 0.7 GB

#include <tessera/tessera.hpp>

#include <array>

namespace ts = tessera;
struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::auto_axis<dp, 4>, ts::auto_axis<mp, 2>>;
template <std::int64_t... E>
using f32 = ts::array_type<float, ts::shape<E...>, ts::P<>, grid>;

constexpr std::int64_t batch = 64, length = 16, width = 32, heads = 4, hidden = 128;

template <class Square, class Up, class Down>
struct layer {
  Square wq, wk, wv, wo;
  Up up;
  Down down;
  static constexpr ts::names<6> names{"wq", "wk", "wv", "wo", "up", "down"};
};
struct block {
  static constexpr auto split(auto x) {
    return ts::transpose<0, 2, 1, 3>(ts::reshape<batch, length, heads, width / heads>(x));
  }
  constexpr auto operator()(auto p, auto x) const {
    auto const h = ts::layer_norm(x);
    auto const q = split(ts::matmul(h, p.wq)), k = split(ts::matmul(h, p.wk)), v = split(ts::matmul(h, p.wv));
    auto const seen = ts::matmul(ts::softmax(ts::matmul(q, ts::transpose<0, 1, 3, 2>(k)) * 0.25f), v);
    auto const y = x + ts::matmul(ts::reshape<batch, length, width>(ts::transpose<0, 2, 1, 3>(seen)), p.wo);
    return y + ts::matmul(ts::gelu(ts::matmul(ts::layer_norm(y), p.up)), p.down);
  }
};
struct step {
  constexpr auto operator()(auto p, auto x) const {
    auto const gradient = ts::grad(
        [](auto q, auto y) { return ts::mean(ts::square(block{}(std::get<1>(q), block{}(std::get<0>(q), y)))); })(p, x);
    return ts::tree_map([](auto w, auto g) { return w - g * 0.1f; }, p, gradient);
  }
};
using parameters = std::array<layer<f32<width, width>, f32<width, hidden>, f32<hidden, width>>, 2>;
using rows = ts::P<dp>;
constexpr auto planned = ts::jit<ts::in_shardings<rows, rows>, ts::out_shardings<rows>>(step{});
constexpr auto const& cost = ts::comm_of<decltype(planned), parameters, f32<batch, length, width>>;
static_assert(cost.count(ts::collective::all_gather) == 12 && cost.count(ts::collective::reduce_scatter) == 12);
static_assert(cost.count() == 24);
