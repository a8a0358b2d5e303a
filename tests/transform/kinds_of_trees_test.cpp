// SPDX-License-Identifier: Apache-2.0
// Trees of each kind, a tuple, a pair, a named tree, a nest of these, an array, as arguments, carried values, results, tangents and
// cotangents of each function of functions: the leaves are those of a tuple, in jit and outside of it.
// nightly

#include <tessera/tessera.hpp>

#include "support/numbers_of.hpp"

#include <gtest/gtest.h>

#include <array>

namespace {

namespace ts = tessera;
using support::numbers_of;

TESSERA_TREE(layer, weight, bias);

// Trees of two values a, b; the function of functions sees one tree argument.
struct as_tuple {
  static constexpr auto make(auto a, auto b) { return std::tuple{a, b}; }
  static constexpr auto first(auto const& t) { return std::get<0>(t); }
  static constexpr auto second(auto const& t) { return std::get<1>(t); }
};
struct as_pair : as_tuple {
  static constexpr auto make(auto a, auto b) { return std::pair{a, b}; }
};
struct as_array : as_tuple {
  static constexpr auto make(auto a, auto b) { return std::array<decltype(a), 2>{a, b}; }
};
struct as_named {
  static constexpr auto make(auto a, auto b) { return layer<decltype(a), decltype(b)>{a, b}; }
  static constexpr auto first(auto const& t) { return t.weight; }
  static constexpr auto second(auto const& t) { return t.bias; }
};
struct as_nested {
  static constexpr auto make(auto a, auto b) {
    return std::tuple{std::tuple{a}, std::tuple<>{}, layer<decltype(b), std::tuple<>>{b, {}}};
  }
  static constexpr auto first(auto const& t) { return std::get<0>(std::get<0>(t)); }
  static constexpr auto second(auto const& t) { return std::get<2>(t).weight; }
};

template <template <class> class H>
void expect_same_trees() {
  auto const a = ts::asarray({1.0f, 2.0f, 3.0f, 4.0f}), b = ts::asarray({0.5f, -1.0f, 0.25f, 2.0f});
  auto const run = [&]<class K>(K) { return numbers_of(ts::jit([](auto x, auto y) { return H<K>{}(x, y); })(a, b)); };
  auto const eager = [&]<class K>(K) { return numbers_of(H<K>{}(a, b)); };
  auto const wanted = run(as_tuple{});
  EXPECT_FALSE(wanted.empty());
  EXPECT_EQ(run(as_pair{}), wanted) << "pair";
  EXPECT_EQ(run(as_named{}), wanted) << "named";
  EXPECT_EQ(run(as_nested{}), wanted) << "nested";
  EXPECT_EQ(run(as_array{}), wanted) << "array";
  EXPECT_EQ(eager(as_tuple{}), wanted) << "eager tuple";
  EXPECT_EQ(eager(as_pair{}), wanted) << "eager pair";
  EXPECT_EQ(eager(as_named{}), wanted) << "eager named";
  EXPECT_EQ(eager(as_nested{}), wanted) << "eager nested";
  EXPECT_EQ(eager(as_array{}), wanted) << "eager array";
}
#define TREE_TEST(name, ...)                                    \
  template <class K>                                            \
  struct name##_of {                                            \
    constexpr auto operator()(auto x, auto y) const __VA_ARGS__ \
  };                                                            \
  TEST(trees, name) { expect_same_trees<name##_of>(); }

TREE_TEST(grad,
          { return ts::grad([](auto t) { return ts::sum(K::first(t) * K::first(t) * K::second(t)); })(K::make(x, y)); })
TREE_TEST(value_and_grad, {
  return ts::value_and_grad(
      [](auto t) {
        return std::tuple{ts::sum(K::first(t) * K::second(t)), t};
      },
      ts::has_aux)(K::make(x, y));
})
TREE_TEST(vmap, { return ts::vmap([](auto t) { return K::make(K::first(t) + 1, K::second(t) * 2); })(K::make(x, y)); })
TREE_TEST(scan, {
  return ts::scan(
      [](auto c, auto t) {
        return std::tuple{K::make(K::first(c) + K::first(t), K::second(c) * K::second(t)), t};
      },
      K::make(ts::sum(x), ts::sum(y)), K::make(x, y));
})
TREE_TEST(fori, {
  return ts::fori_loop(
      0, 3, [](auto i, auto t) { return K::make(K::second(t), K::first(t) + i); }, K::make(x, y));
})
TREE_TEST(while_loop, {
  return ts::while_loop([](auto t) { return ts::sum(K::first(t)) < 100; },
                        [](auto t) { return K::make(K::first(t) * 2, K::second(t)); }, K::make(x, y));
})
TREE_TEST(cond, {
  return ts::cond(
      ts::sum(x) > 0, [](auto t) { return t; }, [](auto t) { return K::make(K::second(t), K::first(t)); },
      K::make(x, y));
})
TREE_TEST(map,
          { return ts::map([](auto t) { return K::make(K::first(t) - K::second(t), K::first(t)); }, K::make(x, y)); })
TREE_TEST(associative_scan, {
  return ts::associative_scan(
      [](auto p, auto q) { return K::make(K::first(p) * K::first(q), K::second(p) + K::second(q)); }, K::make(x, y));
})
TREE_TEST(checkpoint, {
  return ts::grad([](auto t) {
    return ts::sum(ts::checkpoint([](auto u) { return ts::sin(K::first(u)) * K::second(u); })(t));
  })(K::make(x, y));
})
TREE_TEST(jvp, {
  return ts::jvp([](auto t) { return K::make(K::first(t) * K::second(t), K::first(t)); },
                 std::make_tuple(K::make(x, y)), std::make_tuple(K::make(y, x)));
})
TREE_TEST(vjp, {
  auto const [out, pull] =
      ts::vjp([](auto t) { return K::make(K::first(t) * K::second(t), K::first(t)); }, K::make(x, y));
  return std::tuple{out, pull(K::make(x, y))};
})
TREE_TEST(linearize, {
  auto const [out, push] =
      ts::linearize([](auto t) { return K::make(K::first(t) * K::second(t), K::first(t)); }, K::make(x, y));
  return std::tuple{out, push(K::make(x, y))};
})
TREE_TEST(custom_vjp, {
  return ts::grad(ts::custom_vjp(
      [](auto t) { return ts::sum(K::first(t) * K::second(t)); },
      [](auto t) {
        return std::tuple{ts::sum(K::first(t) * K::second(t)), t};
      },
      [](auto t, auto g) { return std::make_tuple(K::make(g * K::first(t), g * K::second(t))); }))(K::make(x, y));
})
TREE_TEST(barrier, { return ts::optimization_barrier(K::make(x, y)); })
TREE_TEST(jit, { return ts::jit([](auto t) { return K::make(K::second(t), K::first(t)); })(K::make(x, y)); })
TREE_TEST(jacfwd, { return ts::jacfwd([](auto t) { return ts::sum(K::first(t) * K::second(t)); })(K::make(x, y)); })
TREE_TEST(jacrev, {
  return ts::jacrev([](auto t) { return K::make(ts::sum(K::first(t) * K::second(t)), ts::sum(K::first(t))); })(
      K::make(x, y));
})

}  // namespace
