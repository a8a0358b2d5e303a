// SPDX-License-Identifier: Apache-2.0
// What the planner makes of models without a hint inside, from layouts of parameters and data alone, is what the same models
// written by hand over Explicit axes communicate: message for message, byte for byte. An MLP, attention, transformer blocks and
// their gradients under Megatron's split, FSDP and both together.

#include <tessera/tessera.hpp>

namespace {

namespace ts = tessera;
using ts::none;

struct dp : ts::axis {};
struct mp : ts::axis {};
using loose = ts::mesh<ts::auto_axis<dp, 4>, ts::auto_axis<mp, 2>>;
using strict = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
template <class M, class S, std::int64_t... E>
using f32 = ts::array_type<float, ts::shape<E...>, S, M>;

constexpr std::int64_t batch = 64, length = 16, width = 32, heads = 4, hidden = 128;

// How a program says where a value lies: over Explicit axes in the places that need it, over Auto axes nowhere.
struct by_hand {
  template <class S>
  static constexpr auto product(auto x, auto w) {
    return ts::matmul(x, w, ts::out_sharding<S>);
  }
  static constexpr auto gathered(auto w) { return ts::reshard<ts::P<>>(w); }
};
struct planned {
  template <class>
  static constexpr auto product(auto x, auto w) {
    return ts::matmul(x, w);
  }
  static constexpr auto gathered(auto w) { return w; }
};

template <class Wq, class Wk, class Wv, class Wo, class Up, class UpBias, class Down, class Gain>
struct layer {
  Wq wq;
  Wk wk;
  Wv wv;
  Wo wo;
  Up up;
  UpBias up_bias;
  Down down;
  Gain gain;
  static constexpr ts::names<8> names{"wq", "wk", "wv", "wo", "up", "up_bias", "down", "gain"};
};
template <class M, class ToHeads, class FromHeads, class Up, class UpBias, class Down, class Gain>
using layer_of = layer<f32<M, ToHeads, width, width>, f32<M, ToHeads, width, width>, f32<M, ToHeads, width, width>,
                       f32<M, FromHeads, width, width>, f32<M, Up, width, hidden>, f32<M, UpBias, hidden>,
                       f32<M, Down, hidden, width>, f32<M, Gain, width>>;
using plain_layer =
    layer_of<loose, ts::P<>, ts::P<>, ts::P<>, ts::P<>, ts::P<>, ts::P<>>;  // types say nothing of Auto axes

// Parameters as they lie -> whole ones, for the length of a call.
template <class How>
constexpr auto whole(auto const& p) {
  return ts::tree_map([](auto w) { return How::gathered(w); }, p);
}

template <class How>
struct mlp {
  using rows = ts::P<dp, none, none>;
  constexpr auto operator()(auto p, auto x) const {
    return How::template product<rows>(ts::gelu(ts::matmul(x, p.up) + p.up_bias), p.down);
  }
};
template <class How>
struct attention {
  using rows = ts::P<dp, none, none>;
  static constexpr auto split(auto x) {
    return ts::transpose<0, 2, 1, 3>(ts::reshape<batch, length, heads, width / heads>(x));
  }
  constexpr auto operator()(auto p, auto x) const {
    auto const q = split(ts::matmul(x, p.wq)), k = split(ts::matmul(x, p.wk)), v = split(ts::matmul(x, p.wv));
    auto const scores = ts::softmax(ts::matmul(q, ts::transpose<0, 1, 3, 2>(k)) * 0.25f);
    auto const seen = ts::transpose<0, 2, 1, 3>(ts::matmul(scores, v));
    return How::template product<rows>(ts::reshape<batch, length, width>(seen), p.wo);
  }
};
template <class How>
struct block {
  constexpr auto operator()(auto p, auto x) const {
    auto const y = x + attention<How>{}(p, ts::layer_norm(x) * p.gain);
    return y + mlp<How>{}(p, ts::layer_norm(y));
  }
};
template <class How, template <class> class Model, bool Gathers = false>
struct loss {
  constexpr auto operator()(auto p, auto x) const {
    if constexpr (Gathers)
      return ts::mean(ts::square(Model<How>{}(whole<How>(p), x)));
    else
      return ts::mean(ts::square(Model<How>{}(p, x)));
  }
};
template <class How, template <class> class Model, bool Gathers = false>
struct step {
  constexpr auto operator()(auto p, auto x) const {
    auto const result = ts::value_and_grad(loss<How, Model, Gathers>{})(p, x);
    auto const next = ts::tree_map([](auto w, auto g) { return w - g * 0.1f; }, p, std::get<1>(result));
    return std::tuple{next, std::get<0>(result)};
  }
};

template <class A, class B>
constexpr bool same(A const& planned_cost, B const& by_hand_cost) {
  return planned_cost.count() == by_hand_cost.count() && planned_cost.bytes() == by_hand_cost.bytes() &&
         planned_cost.template count<dp>() == by_hand_cost.template count<dp>() &&
         planned_cost.template count<mp>() == by_hand_cost.template count<mp>();
}
using data = f32<loose, ts::P<>, batch, length, width>;
using data_by_hand = f32<strict, ts::P<dp>, batch, length, width>;

// Megatron: products into heads and hidden units split over mp, those out of them contracted over it.
using to_mp = ts::P<none, mp>;
using megatron = layer<to_mp, to_mp, to_mp, ts::P<mp>, to_mp, ts::P<mp>, ts::P<mp>, ts::P<>>;
using megatron_by_hand = layer_of<strict, to_mp, ts::P<mp>, to_mp, ts::P<mp>, ts::P<mp>, ts::P<>>;
template <class Specs, class F, class Out = ts::unspecified>
constexpr auto jitted = ts::jit<ts::in_shardings<Specs, ts::P<dp>>, ts::out_shardings<Out>>(F{});
template <class Specs, class F>
constexpr auto step_jitted =
    ts::jit<ts::in_shardings<Specs, ts::P<dp>>, ts::out_shardings<Specs, ts::unspecified>>(F{});
template <class F>
constexpr auto const& cost_of = ts::comm_of<F, plain_layer, data>;

constexpr auto const& mlp_cost = cost_of<decltype(jitted<megatron, mlp<planned>>)>;
static_assert(mlp_cost.count() == 1 && mlp_cost.count<mp>(ts::collective::all_reduce) == 1);
static_assert(same(mlp_cost, ts::comm_of<mlp<by_hand>, megatron_by_hand, data_by_hand>));

constexpr auto const& attention_cost = cost_of<decltype(jitted<megatron, attention<planned>>)>;
static_assert(attention_cost.count() == 1 && attention_cost.count<mp>(ts::collective::all_reduce) == 1);
static_assert(same(attention_cost, ts::comm_of<attention<by_hand>, megatron_by_hand, data_by_hand>));

constexpr auto const& block_cost = cost_of<decltype(jitted<megatron, block<planned>>)>;
static_assert(block_cost.count<mp>(ts::collective::all_reduce) == 2 && block_cost.count() == 2);

constexpr auto const& step_cost = cost_of<decltype(step_jitted<megatron, step<planned, block>>)>;
static_assert(same(step_cost, ts::comm_of<step<by_hand, block>, megatron_by_hand, data_by_hand>));
static_assert(step_cost.count(ts::collective::all_gather) == 0 && step_cost.count(ts::collective::all_to_all) == 0);

// FSDP: every parameter split over dp, gathered where it is used, its gradient scattered where it came from.
using rows = ts::P<dp>;
using fsdp = layer<rows, rows, rows, rows, rows, rows, rows, rows>;
using fsdp_by_hand = layer_of<strict, rows, rows, rows, rows, rows, rows>;
constexpr auto const& fsdp_cost = cost_of<decltype(step_jitted<fsdp, step<planned, block>>)>;
static_assert(same(fsdp_cost, ts::comm_of<step<by_hand, block, true>, fsdp_by_hand, data_by_hand>));
static_assert(fsdp_cost.count(ts::collective::reduce_scatter) == 8 && fsdp_cost.count(ts::collective::all_gather) == 8);
static_assert(fsdp_cost.count(ts::collective::all_to_all) == 0);

// Both: parameters split over mp as Megatron has them, and over dp along their other dimension.
using both_to = ts::P<dp, mp>;
using both_from = ts::P<mp, dp>;
using both = layer<both_to, both_to, both_to, both_from, both_to, ts::P<mp>, both_from, rows>;
constexpr auto const& both_cost = cost_of<decltype(step_jitted<both, step<planned, block>>)>;
static_assert(both_cost.count(ts::collective::reduce_scatter) == 7 && both_cost.count(ts::collective::all_to_all) == 0);
static_assert(both_cost.count<mp>(ts::collective::all_reduce) == step_cost.count<mp>(ts::collective::all_reduce));
static_assert(both_cost.bytes() <= step_cost.bytes());

}  // namespace
