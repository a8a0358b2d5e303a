// SPDX-License-Identifier: Apache-2.0
// A layer of causal ring attention with grouped queries (4 query heads share 2 of keys and values), trained by Adam.
// The sequence is split over 8 devices; keys and values go round the ring, gradients of parameters are summed over it.
// Result and gradient are compared with dense attention on whole arrays.

#include <tessera/tessera.hpp>

#include <cstdio>
#include <tuple>

namespace ts = tessera;

namespace {

struct sp : ts::axis {};
using ring = ts::mesh<ts::explicit_axis<sp, 8>>;

constexpr std::int64_t length = 128, width = 16, heads = 4, groups = 2, size = 8;

constexpr auto ring_attention = ts::shard_map<ts::out_specs<ts::P<sp>>>([](auto all_q, auto k, auto v) {
  constexpr int n = ts::axis_size<sp>(all_q);
  constexpr auto block = all_q.shape()[0];
  auto const here = ts::axis_index<sp>();
  auto const q = ts::reshape<block, groups, heads / groups, size>(all_q) / ts::sqrt(size);

  // The block of keys and values of device `origin` into a running softmax.
  auto const fold = [&](auto state, auto k, auto v, auto origin) {
    auto const [out, total, top] = state;
    auto const queries = here * block + ts::arange<block>();
    auto const keys = origin * block + ts::arange<block>();
    auto const seen = ts::reshape<block, 1, 1, 1>(queries) >= keys;
    auto const scores = ts::where(seen, ts::einsum<"tghd,sgd->tghs">(q, k), -1e30f);
    auto const higher = ts::maximum(top, ts::max<-1>(scores, ts::keepdims));
    auto const weights = ts::exp(scores - higher);
    auto const shrink = ts::exp(top - higher);
    return std::tuple{out * shrink + ts::einsum<"tghs,sgd->tghd">(weights, v),
                      total * shrink + ts::sum<-1>(weights, ts::keepdims), higher};
  };
  auto const turn = [&](auto i, auto carry) {
    auto const [state, old_k, old_v] = carry;
    auto const [k, v] = ts::ppermute<sp>(std::tuple{old_k, old_v}, ts::rotate<1>);
    return std::tuple{fold(state, k, v, (here - i) % n), k, v};
  };
  auto const zeros = ts::zeros_like(q);
  auto const none = ts::sum<-1>(zeros, ts::keepdims);
  auto const own = fold(std::tuple{zeros, none, none - 1e30f}, k, v, here);
  auto const [last, last_k, last_v] = ts::fori_loop(1, n, turn, std::tuple{own, k, v});
  auto const [out, total, top] = last;
  return ts::reshape<block, heads, size>(out / total);
});

constexpr auto dense_attention = [](auto q, auto k, auto v) { return ts::dot_product_attention(q, k, v, ts::causal); };

TESSERA_TREE(parameters, q, k, v, o);

constexpr auto first_parameters = [](auto key) {
  auto const [q, k, v, o] = ts::random::split<4>(key);
  return parameters{ts::random::normal<float, width, heads, size>(q) / ts::sqrt(width),
                    ts::random::normal<float, width, groups, size>(k) / ts::sqrt(width),
                    ts::random::normal<float, width, groups, size>(v) / ts::sqrt(width),
                    ts::random::normal<float, heads, size, width>(o) / ts::sqrt(heads * size)};
};

constexpr auto layer(auto attention, auto p, auto x) {
  auto const project = [&](auto w) { return ts::einsum<"td,dhk->thk">(x, w); };
  return ts::einsum<"thk,hkd->td">(attention(project(p.q), project(p.k), project(p.v)), p.o);
}

constexpr auto loss = [](auto p, auto x, auto y, auto attention) {
  return ts::mean(ts::square(layer(attention, p, x) - y));
};

constexpr ts::train::adam optimizer;

constexpr auto step = [](auto p, auto state, auto x, auto y) {
  auto const [value, gradient] = ts::value_and_grad(loss)(p, x, y, ring_attention);
  auto const [updated, next] = optimizer.update(gradient, state, p, 1e-2);
  return std::tuple{updated, next, value};
};

constexpr auto differences = [](auto p, auto x, auto y) {
  auto const [whole_x, whole_y] = ts::reshard<ts::P<>>(std::tuple{x, y});
  auto const forward = layer(ring_attention, p, x) - layer(dense_attention, p, whole_x);
  auto const ring = ts::grad(loss)(p, x, y, ring_attention);
  auto const dense = ts::grad(loss)(p, whole_x, whole_y, dense_attention);
  auto const apart = ts::tree_map([](auto a, auto b) { return ts::max(ts::abs(a - b)); }, ring, dense);
  return std::tuple{ts::max(ts::abs(forward)), ts::tree_reduce(ts::maximum, apart)};
};

}  // namespace

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  ts::use_mesh const current{ts::make_mesh<ring>(ts::devices())};
  auto const [of_data, of_parameters] = ts::random::split(ts::random::key(0));
  auto const whole_x = ts::random::normal<float, length, width>(of_data);
  auto const whole_y = ts::cumsum<0>(whole_x) / ts::expand_dims<1>(ts::arange<float, 1, length + 1>());
  auto const [x, y] = ts::device_put<ts::P<sp>, ring>(std::tuple{whole_x, whole_y});
  auto p = ts::jit<ts::out_shardings<ts::P<>>, ring>(first_parameters)(of_parameters);
  auto state = ts::jit([](auto p) { return optimizer.init(p); })(p);
  constexpr auto const& cost = ts::comm_of<decltype(step), decltype(p), decltype(state), decltype(x), decltype(y)>;
  static_assert(cost.count(ts::collective::permute) == 4 * 7 && cost.count(ts::collective::all_reduce) == 1);
  for (int i = 0; i <= 60; ++i) {
    auto const [updated, next, value] = ts::jit<step>(std::move(p), std::move(state), x, y);
    p = updated;
    state = next;
    if (i % 15 == 0) std::printf("step %2d  loss %.4f\n", i, value.item());
  }
  auto const [forward, gradient] = ts::jit<differences>(p, x, y);
  std::printf("result %s to dense attention\n", forward.item() < 1e-5f ? "equal" : "NOT EQUAL");
  std::printf("gradient %s to dense attention's\n", gradient.item() < 1e-5f ? "equal" : "NOT EQUAL");
  std::printf("checksum %.2f\n", ts::sum(ts::abs(p.q)).item());
}
