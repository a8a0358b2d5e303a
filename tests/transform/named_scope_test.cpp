// SPDX-License-Identifier: Apache-2.0
// Names of scopes: in loops, branches, batches, regions and gradients; in tables, labels, messages and budgets.

#include "support/on_grid.hpp"
#include "support/throws.hpp"

#include <tuple>

namespace {

using namespace on_grid;
using ts::P;

using x_type = ts::array_type<double, ts::shape<8, 4>, P<dp, mp>, grid>;
using w_type = ts::array_type<double, ts::shape<4, 4>, P<mp>, grid>;

constexpr auto layer = [](auto x, auto w) { return ts::matmul(x, w, ts::out_sharding<P<dp>>); };
constexpr auto scoped_loss = [](auto x, auto w) {
  auto const block = [&](auto v) { return ts::tanh(ts::named_scope<"product">(layer)(v, w)); };
  return ts::sum(ts::named_scope<"block">(block)(x) * 3.0);
};
constexpr auto plain_loss = [](auto x, auto w) { return ts::sum(ts::tanh(layer(x, w)) * 3.0); };

// The scope of each operation of F that has one, in order: "product:dot_general block:tanh".
template <class F, class... X>
std::string scopes_of() {
  using traced = ts::trace_of<F, X...>;
  std::string text;
  auto const g = traced::program.view();
  for (int id = 0; id < g.node_count; ++id) {
    if (g[id].at.scope.empty()) continue;
    if (!text.empty()) text += ' ';
    g[id].at.scope.append_to(text);
    text += ':' + std::string(g[id].op->name);
  }
  return text;
}
template <class F, class... X>
std::string scopes_of(F const&, X const&...) {
  return scopes_of<F, ts::signature_of<X>...>();
}
bool says(std::string const& text, std::string const& part) {
  if (text.find(part) != std::string::npos) return true;
  ADD_FAILURE() << "'" << part << "' is not in: " << text;
  return false;
}

TEST(named_scope, nests_and_changes_no_value) {
  EXPECT_EQ(scopes_of(scoped_loss, x_type{}, w_type{}), "block/product:dot_general block:tanh");
  auto const x = put<P<dp, mp>, 8, 4>(0.3);
  auto const w = put<P<mp>, 4, 4>(-0.2);
  EXPECT_EQ(ts::jit(scoped_loss)(x, w).to_host(), ts::jit(plain_loss)(x, w).to_host());
  EXPECT_EQ(scoped_loss(x, w).to_host(), plain_loss(x, w).to_host());
  static_assert(ts::comm_of<decltype(scoped_loss), x_type, w_type>.bytes() ==
                ts::comm_of<decltype(plain_loss), x_type, w_type>.bytes());
}

TEST(named_scope, budgets) {
  constexpr auto step = ts::value_and_grad<0, 1>(scoped_loss);
  using F = decltype(step);
  constexpr auto const& sent = ts::comm_of<F, x_type, w_type>;
  static_assert(sent.bytes_in("block") == sent.bytes_in("product") && sent.bytes_in("block") > 0);
  static_assert(sent.bytes_in("block/product") == sent.bytes_in("block") && sent.bytes_in("product/block") == 0);
  static_assert(sent.bytes_in("block") < sent.bytes() &&
                sent.count_in("block") == sent.count() - 1);  // that of the loss
  static_assert(sent.bytes_in("bloc") == 0 && sent.bytes_in("block/") == 0 && sent.bytes_in("") == 0);
  constexpr auto const& work = ts::work_of<F, x_type, w_type>;
  // Two products of (2, 2) by (2, 4) on each device, forward and for w; that for x is (2, 4) by (4, 2).
  static_assert(work.flops_in("product") == 3 * 2 * 2 * 2 * 4);
  static_assert(work.flops_in("product") < work.flops() && work.bytes_in("product") < work.bytes());
  static_assert(work.bytes_in("product") > 0);
}

// A message that joins sums of two scopes is in the scope around both.
constexpr auto two_sums = [](auto x, auto w) {
  constexpr auto both = [](auto a, auto b) {
    return ts::named_scope<"one">(layer)(a, b) * ts::named_scope<"two">(layer)(a * 2.0, b);
  };
  return ts::named_scope<"both">(both)(x, w);
};
TEST(named_scope, of_joined_messages) {
  constexpr auto const& sent = ts::comm_of<decltype(two_sums), x_type, w_type>;
  static_assert(sent.count() == 1 && sent.messages()[0].joined == 2);
  static_assert(sent.bytes_in("both") == sent.bytes() && sent.bytes_in("one") == 0 && sent.bytes_in("two") == 0);
}

TEST(named_scope, in_tables) {
  using F = decltype(ts::value_and_grad<0, 1>(scoped_loss));
  std::string const table = ts::explain(ts::comm_of<F, x_type, w_type>);
  says(table, " scope\n");
  says(table, "block/product");
  says(table, "outside of scopes");
  says(ts::explain(ts::memory_of<F, x_type, w_type>), "block/product");
  EXPECT_EQ(ts::explain(ts::comm_of<decltype(plain_loss), x_type, w_type>).find(" scope"), std::string::npos);
  auto const page = ts::explain_html<F, x_type, w_type>();
  says(page, "block/product named_scope_test.cpp:");
}

TEST(named_scope, with_unknown_sizes) {
  using rows = ts::array_type<double, ts::shape<ts::dynamic, 4>, P<dp, mp>, grid>;
  constexpr auto const& sent = ts::comm_of<decltype(scoped_loss), rows, w_type>;
  auto const parts = sent.bytes_in("product").at({8});
  EXPECT_EQ(parts, (ts::comm_of<decltype(scoped_loss), x_type, w_type>.bytes_in("product")));
}

constexpr auto sine = [](auto x) { return ts::sin(x); };
constexpr auto cosine = [](auto x) { return ts::cos(x); };

TEST(named_scope, in_loops_branches_batches_and_regions) {
  constexpr auto v = ts::zeros<double, 6>();
  constexpr auto turns = [](auto x) {
    return ts::fori_loop(0, 3, ts::named_scope<"turn">([](auto, auto c) { return ts::sin(c); }), x);
  };
  EXPECT_EQ(scopes_of(turns, v), "turn:sin");
  constexpr auto layers = [](auto x) {
    constexpr auto body = [](auto c, auto s) { return std::tuple{ts::sin(c) * s, s}; };
    return ts::named_scope<"layers">(
        [&](auto y) { return std::get<0>(ts::scan(ts::named_scope<"layer">(body), ts::sum(y), y)); })(x);
  };
  says(scopes_of(layers, v), "layers/layer:sin layers/layer:multiply");
  says(scopes_of([](auto x) { return ts::vmap(ts::named_scope<"each">(cosine))(x); }, v), "each:cos");
  constexpr auto branches = [](auto x) {
    return ts::cond(ts::sum(x) > 0.0, ts::named_scope<"yes">(sine), ts::named_scope<"no">(cosine), x);
  };
  says(scopes_of(branches, v), "no:cos yes:sin");
  constexpr auto mapped = ts::shard_map<ts::in_specs<P<dp>>, ts::out_specs<P<>>>(
      ts::named_scope<"mean">([](auto block) { return ts::pmean<dp>(block); }));
  using rows = ts::array_type<double, ts::shape<8, 4>, P<dp>, grid>;
  constexpr auto const& sent = ts::comm_of<decltype(mapped), rows>;
  static_assert(sent.bytes_in("mean") == sent.bytes() && sent.bytes() > 0);
}

// What is recorded for a gradient has the names of what it is the gradient of.
constexpr auto part_loss = [](auto x) { return ts::sum(ts::named_scope<"part">(sine)(x)); };
constexpr auto again_loss = [](auto x) { return ts::sum(ts::checkpoint(ts::named_scope<"part">(sine))(ts::exp(x))); };
TEST(named_scope, in_gradients) {
  constexpr auto v = ts::zeros<double, 6>();
  says(scopes_of(ts::grad(part_loss), v), "part:sin part:cos");
  says(scopes_of([](auto x) { return ts::jvp(part_loss, std::tuple{x}, std::tuple{x}); }, v), "part:cos");
  says(scopes_of(ts::grad(again_loss), v), "part:cos");
  // A scope around the gradient has both passes.
  says(scopes_of([](auto x) { return ts::named_scope<"whole">(ts::grad(part_loss))(x); }, v), "whole/part:cos");
}

TEST(named_scope, of_functions_that_read_values_around_them) {
  constexpr auto v = ts::zeros<double, 6>();
  EXPECT_EQ(scopes_of([](auto x) { return ts::named_scope<"read">([&] { return ts::sin(x); })(); }, v), "read:sin");
  constexpr auto with_number = [](auto x) {
    return ts::named_scope<"read">([&](double s) { return ts::sin(x) * s; })(2.0);
  };
  says(scopes_of(with_number, v), "read:sin");
  says(scopes_of(with_number, v), "read:multiply");
  EXPECT_EQ(scopes_of([](auto x) { return x + ts::named_scope<"none">([] { return ts::ones<double, 6>(); })(); }, v),
            "");
}

TEST(named_scope, of_trees) {
  constexpr auto v = ts::zeros<double, 6>();
  auto const both = ts::named_scope<"both">([](auto p) {
    auto const [a, b] = p;
    return std::tuple{a + b, std::array{ts::sin(a)}};
  });
  EXPECT_EQ(scopes_of(both, std::tuple{v, v}), "both:add both:sin");
}

// Six names are kept, the outermost ones.
TEST(named_scope, depth) {
  constexpr auto deep = [](auto x) {
    auto const inner =
        ts::named_scope<"e">(ts::named_scope<"f">(ts::named_scope<"g">([](auto y) { return ts::sin(y); })));
    return ts::named_scope<"a">(ts::named_scope<"b">(ts::named_scope<"c">(ts::named_scope<"d">(inner))))(x);
  };
  EXPECT_EQ(scopes_of(deep, ts::zeros<double, 6>()), "a/b/c/d/e/f:sin");
}

// A policy of checkpoint can keep what a scope computes.
constexpr auto all_again = [](auto x) {
  constexpr auto f = [](auto y) { return ts::sin(ts::tanh(y)); };
  return ts::sum(ts::checkpoint(f)(ts::exp(x)));
};
constexpr auto keeps_costly = [](auto x) {
  constexpr auto f = [](auto y) { return ts::sin(ts::named_scope<"costly">([](auto z) { return ts::tanh(z); })(y)); };
  return ts::sum(ts::checkpoint(f, [](ts::saveable const& s) { return s.is_in("costly"); })(ts::exp(x)));
};
template <class F, class X>
int tanh_in_gradient(F const&, X const&) {
  using traced = ts::trace_of<std::remove_cvref_t<decltype(ts::grad(F{}))>, ts::signature_of<X>>;
  int n = 0;
  auto const g = traced::program.view();
  for (int id = 0; id < g.node_count; ++id) n += g[id].op->name == "tanh";
  return n;
}
TEST(named_scope, chosen_by_a_policy) {
  auto const x = put<P<>, 8>(0.25);
  EXPECT_EQ(tanh_in_gradient(all_again, x), 2);
  EXPECT_EQ(tanh_in_gradient(keeps_costly, x), 1);
  EXPECT_EQ(ts::jit(ts::grad(keeps_costly))(x).to_host(), ts::jit(ts::grad(all_again))(x).to_host());
}

struct fails {
  constexpr auto operator()(auto x) const {
    return ts::exp(ts::named_scope<"block">(ts::named_scope<"root">([](auto y) { return ts::sqrt(y); }))(x)) + 1.0;
  }
};
TEST(named_scope, in_messages) {
  ts::debug_nans const watched;
  std::string const text =
      ts::testing::thrown_text<ts::invalid_value>([] { (void)ts::jit<fails>(put<P<dp, mp>, 4, 4>(-1.0)); });
  says(text, "tessera: sqrt, named_scope_test.cpp:");
  says(text, ", in block/root, makes NaN");
}

}  // namespace
