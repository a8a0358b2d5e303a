// SPDX-License-Identifier: Apache-2.0
#pragma once
// A transformer layer, without gains and offsets, and the layouts that it is usually split by.

#include <tessera/types.hpp>

#include <cstdint>
#include <tuple>

namespace parallel_layer {

namespace ts = tessera;
using ts::none;
using ts::P;

struct dp : ts::axis {};
struct mp : ts::axis {};
struct np : ts::axis {};

struct sizes {
  std::int64_t batch, length, width, heads, head, hidden;

  constexpr std::int64_t inner() const { return heads * head; }
  constexpr std::int64_t weights() const { return 4 * width * inner() + 2 * width * hidden; }
  constexpr std::int64_t tokens() const { return batch * length; }
  constexpr std::int64_t activations() const { return tokens() * width; }
};

// Residual: the layout of x (batch, length, width); Inner: of q, k, v (3, batch, heads, length, head); Hidden: of the hidden
// units (batch, length, hidden).
template <class Residual, class Inner, class Hidden>
struct layer {
  constexpr auto operator()(auto p, auto x) const {
    auto const& [wqkv, wo, up, down] = p;
    auto const qkv = ts::einsum<"bsd,dchk->cbhsk">(ts::rms_norm(x), wqkv, ts::out_sharding<Inner>);
    auto const [q, k, v] = ts::unstack<0>(qkv);
    auto const scores = ts::matmul(q, ts::transpose<0, 1, 3, 2>(k)) * 0.125f;
    auto const seen = ts::matmul(ts::softmax(scores), v);
    auto const y = x + ts::einsum<"bhsk,hkd->bsd">(seen, wo, ts::out_sharding<Residual>);
    auto const units = ts::gelu(ts::matmul(ts::rms_norm(y), up, ts::out_sharding<Hidden>));
    return y + ts::matmul(units, down, ts::out_sharding<Residual>);
  }
};
template <class Layer>
struct squares {
  constexpr auto operator()(auto p, auto x) const {
    auto const y = Layer{}(p, x);
    return ts::sum(y * y);
  }
};
// The layer's values are not kept for the backward pass.
template <class Layer>
struct again {
  constexpr auto operator()(auto p, auto x) const {
    return ts::checkpoint([](auto p, auto x) { return Layer{}(p, x); })(p, x);
  }
};
template <class Layer>
using forward_and_backward = decltype(ts::grad<0, 1>(squares<Layer>{}));

// A way to split it: on a mesh, the weights (width, 3, heads, head), (heads, head, width), (width, hidden), (hidden, width) and
// x in these layouts.
template <sizes N, class M, class Layer, class Qkv, class Out, class Up, class Down, class Rows>
struct way {
  using mesh = M;
  using run = Layer;
  template <class S, std::int64_t... E>
  using f32 = ts::array_type<float, ts::shape<E...>, S, M>;
  using weights = std::tuple<f32<Qkv, N.width, 3, N.heads, N.head>, f32<Out, N.heads, N.head, N.width>,
                             f32<Up, N.width, N.hidden>, f32<Down, N.hidden, N.width>>;
  using rows = f32<Rows, N.batch, N.length, N.width>;
};

template <sizes N, class M>
using data_parallel = way<N, M, layer<P<dp>, P<none, dp>, P<dp>>, P<>, P<>, P<>, P<>, P<dp>>;
template <sizes N, class M, template <class> class Run = std::type_identity_t>
using fully_sharded = way<N, M, Run<layer<P<dp>, P<none, dp>, P<dp>>>, P<dp>, P<none, none, dp>, P<dp>, P<dp>, P<dp>>;
template <sizes N, class M>
using tensor_parallel =
    way<N, M, layer<P<dp>, P<none, dp, mp>, P<dp, none, mp>>, P<none, none, mp>, P<mp>, P<none, mp>, P<mp>, P<dp>>;
template <sizes N, class M>
using sequence_parallel = way<N, M, layer<P<dp, mp>, P<none, dp, mp>, P<dp, none, mp>>, P<none, none, mp>, P<mp>,
                              P<none, mp>, P<mp>, P<dp, mp>>;
// The weights' blocks over np (width) and mp (heads, hidden units).
template <sizes N, class M>
using in_two_dimensions = way<N, M, layer<P<dp, none, np>, P<none, dp, mp>, P<dp, none, mp>>, P<np, none, mp>,
                              P<mp, none, np>, P<np, mp>, P<mp, np>, P<dp, none, np>>;

}  // namespace parallel_layer
