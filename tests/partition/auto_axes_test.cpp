// SPDX-License-Identifier: Apache-2.0
// Programs over Auto axes: what the planner's layouts communicate is that of the versions written by hand; values are those of
// whole arrays, however arguments lie; loops, branches, vmap, gradients, shard_map, auto_axes and explicit_axes among them.

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace {

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using loose = ts::mesh<ts::auto_axis<dp, 4>, ts::auto_axis<mp, 2>>;
using strict = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
using mixed = ts::mesh<ts::explicit_axis<dp, 4>, ts::auto_axis<mp, 2>>;
template <class Shape, class M = loose, class S = ts::P<>>
using floats = ts::array_type<float, Shape, S, M>;

template <std::int64_t... N>
std::vector<float> numbers(float scale) {
  std::vector<float> v(static_cast<std::size_t>((N * ...)));
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = scale * (static_cast<float>((i * 7 + 3) % 11) - 5);
  return v;
}
template <class X>
std::vector<float> values(X const& x) {
  auto const host = x.to_host();
  return {host.data(), host.data() + x.size()};
}
void expect_close(std::vector<float> const& got, std::vector<double> const& want) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], want[i], 1e-4 * (1 + std::fabs(want[i]))) << i;
}
template <class X, class Y>
void expect_same(X const& x, Y const& y) {
  auto const a = values(x), b = values(y);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-4f * (1 + std::fabs(b[i]))) << i;
}
auto on_loose() { return ts::make_mesh<loose>(ts::devices()); }

struct mlp {
  constexpr auto operator()(auto x, auto w, auto v) const { return ts::matmul(ts::maximum(ts::matmul(x, w), 0.0f), v); }
};
using megatron = ts::in_shardings<ts::P<dp>, ts::P<ts::none, mp>, ts::P<mp>>;

// One all_reduce over mp of a device's rows, as Megatron's; a reduce_scatter where the result is split over mp, too.
constexpr auto split_by_both = ts::jit<megatron>(mlp{});
constexpr auto const& megatron_cost = ts::comm_of<decltype(split_by_both), floats<ts::shape<8, 16>>,
                                                  floats<ts::shape<16, 32>>, floats<ts::shape<32, 16>>>;
static_assert(megatron_cost.count() == 1 && megatron_cost.count<mp>(ts::collective::all_reduce) == 1);
static_assert(megatron_cost.bytes() == 2 * 16 * 4);
constexpr auto scattered = ts::jit<megatron, ts::out_shardings<ts::P<ts::axes<dp, mp>>>>(mlp{});
constexpr auto const& scattered_cost =
    ts::comm_of<decltype(scattered), floats<ts::shape<8, 16>>, floats<ts::shape<16, 32>>, floats<ts::shape<32, 16>>>;
static_assert(scattered_cost.count() == 1 && scattered_cost.count<mp>(ts::collective::reduce_scatter) == 1);

struct mlp_loss {
  constexpr auto operator()(auto w, auto v, auto x) const { return ts::mean(ts::square(mlp{}(x, w, v))); }
};
// FSDP: parameters split over dp are gathered where they are used, their gradients scattered where they come from. Nothing
// else moves but the loss.
struct fsdp_step {
  constexpr auto operator()(auto w, auto v, auto x) const {
    auto const [loss, gradients] = ts::value_and_grad<0, 1>(mlp_loss{})(w, v, x);
    return std::make_tuple(w - std::get<0>(gradients) * 0.1f, v - std::get<1>(gradients) * 0.1f, loss);
  }
};
constexpr auto fsdp =
    ts::jit<ts::in_shardings<ts::P<dp>, ts::P<dp>, ts::P<dp>>, ts::out_shardings<ts::P<dp>, ts::P<dp>, ts::P<>>>(
        fsdp_step{});
constexpr auto const& fsdp_cost =
    ts::comm_of<decltype(fsdp), floats<ts::shape<16, 32>>, floats<ts::shape<32, 16>>, floats<ts::shape<256, 16>>>;
static_assert(fsdp_cost.count(ts::collective::reduce_scatter) == 2);
static_assert(fsdp_cost.count(ts::collective::all_gather) <= 3 && fsdp_cost.count(ts::collective::all_to_all) == 0);

// Heads over mp, batch over dp: attention itself moves nothing, its output projection one all_reduce.
struct attention {
  constexpr auto operator()(auto x, auto wq, auto wk, auto wv, auto wo) const {
    auto const heads = [](auto t) { return ts::reshape<8, 4, 2, 8>(t); };
    auto const q = heads(ts::matmul(x, wq)), k = heads(ts::matmul(x, wk)), v = heads(ts::matmul(x, wv));
    auto const scores = ts::softmax<-1>(ts::einsum<"bqhd,bkhd->bhqk">(q, k) * 0.25f);
    auto const mixed_values = ts::einsum<"bhqk,bkhd->bqhd">(scores, v);
    return ts::matmul(ts::reshape<8, 4, 16>(mixed_values), wo);
  }
};
constexpr auto heads_over_mp =
    ts::jit<ts::in_shardings<ts::P<dp>, ts::P<ts::none, mp>, ts::P<ts::none, mp>, ts::P<ts::none, mp>, ts::P<mp>>>(
        attention{});
using projection = floats<ts::shape<16, 16>>;
constexpr auto const& attention_cost =
    ts::comm_of<decltype(heads_over_mp), floats<ts::shape<8, 4, 16>>, projection, projection, projection, projection>;
static_assert(attention_cost.count() == 1 && attention_cost.count<mp>(ts::collective::all_reduce) == 1);

std::vector<double> whole_mlp(std::vector<float> const& x, std::vector<float> const& w, std::vector<float> const& v) {
  std::vector<double> y(8 * 16);
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t k = 0; k < 32; ++k) {
      double h = 0;
      for (std::size_t l = 0; l < 16; ++l) h += static_cast<double>(x[i * 16 + l]) * w[l * 32 + k];
      for (std::size_t j = 0; j < 16; ++j) y[i * 16 + j] += std::fmax(h, 0.0) * v[k * 16 + j];
    }
  return y;
}

TEST(auto_axes, arguments_may_lie_in_any_way) {
  auto const mesh = on_loose();
  auto const x = numbers<8, 16>(0.1f), w = numbers<16, 32>(0.2f), v = numbers<32, 16>(0.3f);
  auto const want = whole_mlp(x, w, v);
  auto const run = [&]<class A, class B, class C>(ts::in_shardings<A, B, C>) {
    auto const y =
        ts::jit<mlp>(ts::device_put<A>(ts::host<8, 16>(x), mesh), ts::device_put<B>(ts::host<16, 32>(w), mesh),
                     ts::device_put<C>(ts::host<32, 16>(v), mesh));
    expect_close(values(y), want);
    return y.sharding().text();
  };
  EXPECT_NE(run(megatron{}).find("spec=P('dp', None)"), std::string::npos);
  EXPECT_NE(run(ts::in_shardings<ts::P<>, ts::P<ts::none, mp>, ts::P<>>{}).find("spec=P("), std::string::npos);
  run(ts::in_shardings<ts::P<mp, dp>, ts::P<dp, mp>, ts::P<mp, dp>>{});
  run(ts::in_shardings<ts::P<ts::axes<dp, mp>>, ts::P<>, ts::P<ts::none, ts::axes<mp, dp>>>{});
  EXPECT_NE(run(ts::in_shardings<ts::P<>, ts::P<>, ts::P<>>{}).find("spec=P(None, None)"), std::string::npos);
}

// What is unconstrained of h comes from x; what is `none` is whole.
template <class S>
struct hinted_mlp {
  constexpr auto operator()(auto x, auto w, auto v) const {
    auto const h = ts::with_sharding_constraint<S>(ts::maximum(ts::matmul(x, w), 0.0f));
    return std::make_tuple(ts::matmul(h, v), h);
  }
};
template <class S>
inline constexpr auto with_hint = ts::jit<ts::in_shardings<ts::P<dp>, ts::P<>, ts::P<>>>(hinted_mlp<S>{});
template <class S>
inline constexpr auto const& cost_with_hint =
    ts::comm_of<decltype(with_hint<S>), floats<ts::shape<8, 16>>, floats<ts::shape<16, 32>>, floats<ts::shape<32, 16>>>;
static_assert(cost_with_hint<ts::P<ts::unconstrained, ts::unconstrained>>.count() == 0);
static_assert(cost_with_hint<ts::P<ts::unconstrained, mp>>.count<dp>() == 0);
static_assert(cost_with_hint<ts::P<ts::none, mp>>.count<dp>() > 0);

TEST(auto_axes, a_constraint_may_leave_dimensions_to_the_planner) {
  auto const mesh = on_loose();
  auto const x = numbers<8, 16>(0.1f), w = numbers<16, 32>(0.2f), v = numbers<32, 16>(0.3f);
  auto const lies = [&]<class S>(S) {
    auto const [y, h] = with_hint<S>(ts::device_put<ts::P<>>(ts::host<8, 16>(x), mesh),
                                     ts::device_put<ts::P<>>(ts::host<16, 32>(w), mesh),
                                     ts::device_put<ts::P<>>(ts::host<32, 16>(v), mesh));
    expect_close(values(y), whole_mlp(x, w, v));
    return h.sharding().spec().text();
  };
  EXPECT_EQ(lies(ts::P<ts::unconstrained, mp>{}), "P('dp', 'mp')");
  EXPECT_EQ(lies(ts::P<ts::unconstrained, ts::none>{}), "P('dp', None)");
  EXPECT_EQ(lies(ts::P<ts::none, mp>{}), "P(None, 'mp')");
  EXPECT_EQ(lies(ts::P<dp, ts::unconstrained>{}), "P('dp', None)");
}
// A constraint on each element of a batch says nothing of the batch.
struct hinted_batch {
  constexpr auto operator()(auto x) const {
    return ts::vmap([](auto row) { return ts::with_sharding_constraint<ts::P<mp>>(row * 2.0f); })(x);
  }
};
constexpr auto batch_step = ts::jit<ts::in_shardings<ts::P<dp>>>(hinted_batch{});
static_assert(ts::comm_free<decltype(batch_step), floats<ts::shape<8, 16>>>);

TEST(auto_axes, specs_print_what_is_unconstrained) {
  EXPECT_EQ(ts::describe(ts::P<ts::unconstrained, mp, ts::none>{}), "P(UNCONSTRAINED, 'mp', None)");
  EXPECT_TRUE((ts::named(ts::P<ts::unconstrained, mp>{}) == ts::P<ts::unconstrained, mp>{}));
  EXPECT_FALSE((ts::named(ts::P<ts::unconstrained>{}) == ts::P<mp>{}));
  EXPECT_THROW((ts::concrete_sharding(on_loose(), ts::named(ts::P<ts::unconstrained>{}).value)), std::invalid_argument);
}

TEST(auto_axes, in_and_out_shardings_say_where_results_are) {
  auto const mesh = on_loose();
  auto const x = numbers<8, 16>(0.1f), w = numbers<16, 32>(0.2f), v = numbers<32, 16>(0.3f);
  auto const y =
      scattered(ts::device_put<ts::P<>>(ts::host<8, 16>(x), mesh), ts::device_put<ts::P<dp>>(ts::host<16, 32>(w), mesh),
                ts::device_put<ts::P<>>(ts::host<32, 16>(v), mesh));
  expect_close(values(y), whole_mlp(x, w, v));
  EXPECT_NE(y.sharding().text().find("spec=P(('dp', 'mp'), None)"), std::string::npos) << y.sharding().text();
}

template <class W, class V>
struct two_layers {
  W w;
  V v;
  static constexpr ts::names<2> names{"w", "v"};
};
struct tree_step {
  constexpr auto operator()(auto p, auto x) const {
    auto const [loss, gradient] =
        ts::value_and_grad([](auto q, auto y) { return ts::mean(ts::square(mlp{}(y, q.w, q.v))); })(p, x);
    return std::tuple{ts::tree_map([](auto a, auto g) { return a - g * 0.1f; }, p, gradient), loss};
  }
};
// A tree of specs for a tree of arrays, within it one spec for all arrays of a part.
TEST(auto_axes, trees_of_specs) {
  auto const mesh = on_loose();
  auto const put = [&](auto host) { return ts::device_put<ts::P<>>(host, mesh); };
  auto const x = put(ts::host<8, 16>(numbers<8, 16>(0.1f)));
  auto const w = put(ts::host<16, 32>(numbers<16, 32>(0.1f)));
  auto const v = put(ts::host<32, 16>(numbers<32, 16>(0.1f)));
  using parameters = two_layers<decltype(w), decltype(v)>;
  using specs = two_layers<ts::P<ts::none, mp>, ts::P<mp>>;
  constexpr auto step = ts::jit<ts::in_shardings<std::tuple<specs, ts::P<dp>>, ts::P<dp>>,
                                ts::out_shardings<std::tuple<specs, specs>, ts::unspecified>>([](auto both, auto y) {
    auto const [p, loss] = tree_step{}(std::get<0>(both), y);
    return std::tuple{std::tuple{p, p}, loss};
  });
  auto const [both, loss] = step(std::tuple{parameters{w, v}, x}, x);
  auto const [p, again] = both;
  EXPECT_EQ(p.w.sharding().spec().text(), "P(None, 'mp')");
  EXPECT_EQ(again.v.sharding().spec().text(), "P('mp', None)");
  auto const [plain, plain_loss] = ts::jit<tree_step>(parameters{w, v}, x);
  expect_same(p.w, plain.w);
  expect_same(p.v, plain.v);
  EXPECT_NEAR(loss.item(), plain_loss.item(), 1e-5f);
}

TEST(auto_axes, operations_outside_jit_are_planned) {
  auto const mesh = on_loose();
  auto const x = ts::device_put<ts::P<dp>>(ts::host<8, 16>(numbers<8, 16>(0.5f)), mesh);
  auto const y = ts::device_put<ts::P<ts::none, mp>>(ts::host<8, 16>(numbers<8, 16>(0.25f)), mesh);
  auto const z = x * y + 1.0f;
  auto const a = numbers<8, 16>(0.5f), b = numbers<8, 16>(0.25f);
  std::vector<double> want;
  for (std::size_t i = 0; i < a.size(); ++i) want.push_back(static_cast<double>(a[i]) * b[i] + 1);
  expect_close(values(z), want);
  EXPECT_NE(z.sharding().text().find("spec=P('dp', 'mp')"), std::string::npos) << z.sharding().text();
}

// The same function on arrays without a mesh is the reference of what follows.
struct looped {
  constexpr auto operator()(auto x, auto w) const {
    auto const turn = [](auto carried, auto slice) {
      auto const next = ts::tanh(ts::matmul(carried, slice));
      return std::make_tuple(next, ts::sum<0>(next));
    };
    auto const [last, rows] = ts::scan(turn, x, w);
    auto const grown = ts::while_loop([](auto c) { return std::get<0>(c) < 3; },
                                      [](auto c) { return std::make_tuple(std::get<0>(c) + 1, std::get<1>(c) * 1.5f); },
                                      std::make_tuple(ts::sum(ts::zeros_like(x)), last));
    auto const chosen = ts::cond(
        ts::sum(x) > 0.0f, [](auto a) { return a * 2.0f; }, [](auto a) { return a - 1.0f; }, std::get<1>(grown));
    return std::make_tuple(chosen, rows);
  }
};
struct looped_loss {
  constexpr auto operator()(auto x, auto w) const {
    auto const turn = [](auto carried, auto slice) {
      auto const next = ts::remat([](auto c, auto s) { return ts::tanh(ts::matmul(c, s)); })(carried, slice);
      return std::make_tuple(next, ts::sum<0>(next));
    };
    auto const [last, rows] = ts::scan(turn, x, w);
    return ts::sum(ts::square(last)) + ts::sum(rows);
  }
};

TEST(auto_axes, loops_branches_and_their_gradients) {
  auto const mesh = on_loose();
  auto const x = numbers<8, 16>(0.1f), w = numbers<3, 16, 16>(0.05f);
  auto const x0 = ts::device_put(ts::host<8, 16>(x));
  auto const w0 = ts::device_put(ts::host<3, 16, 16>(w));
  auto const want = ts::jit<looped>(x0, w0);
  auto const slopes = ts::jit(ts::grad<0, 1>(looped_loss{}))(x0, w0);
  auto const run = [&]<class A, class B>(ts::in_shardings<A, B>) {
    auto const xs = ts::device_put<A>(ts::host<8, 16>(x), mesh);
    auto const ws = ts::device_put<B>(ts::host<3, 16, 16>(w), mesh);
    auto const got = ts::jit<looped>(xs, ws);
    expect_same(std::get<0>(got), std::get<0>(want));
    expect_same(std::get<1>(got), std::get<1>(want));
    auto const g = ts::jit(ts::grad<0, 1>(looped_loss{}))(xs, ws);
    expect_same(std::get<0>(g), std::get<0>(slopes));
    expect_same(std::get<1>(g), std::get<1>(slopes));
  };
  run(ts::in_shardings<ts::P<dp>, ts::P<ts::none, ts::none, mp>>{});
  run(ts::in_shardings<ts::P<ts::none, mp>, ts::P<ts::none, dp>>{});
  run(ts::in_shardings<ts::P<mp, dp>, ts::P<>>{});
}

struct rowwise {
  constexpr auto operator()(auto x, auto w) const {
    auto const row = [](auto r, auto m) { return ts::softmax<-1>(ts::matmul(r, m)); };
    return ts::vmap<ts::in_axes<0, ts::unmapped>>(row)(x, w);
  }
};
struct curvature {
  constexpr auto operator()(auto x) const {
    auto const f = [](auto a) { return ts::sum(ts::sin(a) * a); };
    auto const slope = [f](auto a) { return ts::sum(ts::square(ts::grad(f)(a))); };
    return ts::grad(slope)(x);
  }
};
struct blocks_inside {
  constexpr auto operator()(auto x, auto w) const {
    auto const y = ts::matmul(x, w);
    auto const z = ts::shard_map<ts::in_specs<ts::P<dp>>, ts::out_specs<ts::P<dp>>, ts::axis_names<dp>>(
        [](auto block) { return block - ts::pmean<dp>(block); })(y);
    return ts::sin(z) + y;
  }
};
struct blocks_whole {
  constexpr auto operator()(auto x, auto w) const {
    auto const y = ts::matmul(x, w);
    auto const rows = ts::reshape<4, 2, 16>(y);
    return ts::sin(ts::reshape<8, 16>(rows - ts::mean<0>(rows, ts::keepdims))) + y;
  }
};

TEST(auto_axes, vmap_second_derivatives_and_shard_map_inside) {
  auto const mesh = on_loose();
  auto const x = numbers<8, 16>(0.1f), w = numbers<16, 16>(0.2f);
  auto const x0 = ts::device_put(ts::host<8, 16>(x));
  auto const w0 = ts::device_put(ts::host<16, 16>(w));
  auto const xs = ts::device_put<ts::P<dp, mp>>(ts::host<8, 16>(x), mesh);
  auto const ws = ts::device_put<ts::P<ts::none, mp>>(ts::host<16, 16>(w), mesh);
  expect_same(ts::jit<rowwise>(xs, ws), ts::jit<rowwise>(x0, w0));
  expect_same(ts::jit<curvature>(xs), ts::jit<curvature>(x0));
  expect_same(ts::jit<blocks_inside>(xs, ws), ts::jit<blocks_whole>(x0, w0));
}

struct product_chosen {
  constexpr auto operator()(auto x, auto w) const {
    auto const f = ts::auto_axes<ts::out_shardings<ts::P<dp, mp>>>([](auto a, auto b) {
      static_assert(ts::type_text<decltype(a)> == "float32[8,16]");
      return ts::matmul(a, b);
    });
    return f(x, w);
  }
};
struct product_written {
  constexpr auto operator()(auto x, auto w) const { return ts::matmul(x, w, ts::out_sharding<ts::P<dp, mp>>); }
};
using split_x = floats<ts::shape<8, 16>, strict, ts::P<dp, mp>>;
using split_w = floats<ts::shape<16, 16>, strict, ts::P<mp>>;
static_assert(ts::comm_of<product_chosen, split_x, split_w>.bytes() ==
              ts::comm_of<product_written, split_x, split_w>.bytes());
struct loss_of_chosen {
  constexpr auto operator()(auto x, auto w) const { return ts::sum(ts::square(product_chosen{}(x, w))); }
};
struct loss_of_written {
  constexpr auto operator()(auto x, auto w) const { return ts::sum(ts::square(product_written{}(x, w))); }
};

TEST(auto_axes, parts_of_a_program_over_other_kinds_of_axes) {
  auto const x = numbers<8, 16>(0.1f), w = numbers<16, 16>(0.2f);
  auto const mesh = ts::make_mesh<strict>(ts::devices());
  auto const xs = ts::device_put<ts::P<dp, mp>>(ts::host<8, 16>(x), mesh);
  auto const ws = ts::device_put<ts::P<mp>>(ts::host<16, 16>(w), mesh);
  auto const y = ts::jit<product_chosen>(xs, ws);
  static_assert(ts::type_text<decltype(y)> == "float32[8@dp,16@mp]");
  expect_same(y, ts::jit<product_written>(xs, ws));
  auto const g = ts::jit(ts::grad<0, 1>(loss_of_chosen{}))(xs, ws);
  auto const h = ts::jit(ts::grad<0, 1>(loss_of_written{}))(xs, ws);
  expect_same(std::get<0>(g), std::get<0>(h));
  expect_same(std::get<1>(g), std::get<1>(h));

  auto const auto_mesh = on_loose();
  auto const xa = ts::device_put<ts::P<mp>>(ts::host<8, 16>(x), auto_mesh);
  auto const wa = ts::device_put<ts::P<>>(ts::host<16, 16>(w), auto_mesh);
  auto const by_rows = ts::explicit_axes<ts::in_shardings<ts::P<dp>, ts::P<ts::none, mp>>>([](auto a, auto b) {
    auto const product = ts::matmul(a, b);
    static_assert(ts::type_text<decltype(product)> == "float32[8@dp,16@mp]");
    return product;
  });
  auto const z = by_rows(xa, wa);
  static_assert(ts::type_text<decltype(z)> == "float32[8,16]");
  expect_same(z, y);
  EXPECT_NE(z.sharding().text().find("spec=P('dp', 'mp')"), std::string::npos) << z.sharding().text();
}

// Sizes known at run time: bytes are a polynomial in them, layouts are chosen when they are known.
using any_rows = ts::mesh<ts::auto_axis<dp, ts::dynamic>, ts::auto_axis<mp, 2>>;
constexpr auto const& rows_cost = ts::comm_of<decltype(split_by_both), floats<ts::shape<ts::dynamic, 16>, any_rows>,
                                              floats<ts::shape<16, 32>, any_rows>, floats<ts::shape<32, 16>, any_rows>>;
static_assert(rows_cost.count() == 1 && rows_cost.at({4, 8}).bytes() == 128 && rows_cost.at({2, 8}).bytes() == 256);

TEST(auto_axes, explicit_axes_of_a_mixed_mesh_stay_in_the_type) {
  auto const x = numbers<8, 16>(0.1f), w = numbers<16, 16>(0.2f);
  auto const mesh = ts::make_mesh<mixed>(ts::devices());
  auto const xs = ts::device_put<ts::P<dp, mp>>(ts::host<8, 16>(x), mesh);
  auto const ws = ts::device_put<ts::P<ts::none, mp>>(ts::host<16, 16>(w), mesh);
  auto const y = ts::jit([](auto a, auto b) { return ts::matmul(a, b); })(xs, ws);
  static_assert(ts::type_text<decltype(y)> == "float32[8@dp,16]");
  EXPECT_NE(y.sharding().text().find("spec=P('dp', "), std::string::npos) << y.sharding().text();
  expect_same(y, ts::matmul(ts::device_put(ts::host<8, 16>(x)), ts::device_put(ts::host<16, 16>(w))));
}

}  // namespace
