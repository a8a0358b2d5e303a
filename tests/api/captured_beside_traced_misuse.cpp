// SPDX-License-Identifier: Apache-2.0
// A function that is traced gives a captured array, beside values of its own, to what runs whole functions: once more a
// program could be run there, were it not for these values.

#include <tessera/tessera.hpp>

#include <functional>
#include <tuple>

namespace ts = tessera;

struct dp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>>;

auto const v = ts::asarray({1.f, 2.f, 3.f, 4.f});
auto const count = ts::asarray(0);
auto const flag = ts::asarray(true);
constexpr auto product = [](auto x, auto y) { return ts::sum(x * y); };

int main() {
#if TESSERA_MISUSE == 1
  // expect: traced code captured an array: it has no value while the function is traced.
  constexpr auto f = [](auto c) {
    return ts::while_loop([](auto s) { return std::get<1>(s) < 3; }, [](auto s) { return s; }, std::tuple(c, count));
  };
  (void)ts::jit(f)(v);
#elif TESSERA_MISUSE == 2
  // expect: traced code captured an array: it has no value while the function is traced.
  constexpr auto f = [](auto c) {
    return ts::fori_loop(
        0, 3, [](auto, auto s) { return s; }, std::tuple(c, count));
  };
  (void)ts::jit(f)(v);
#elif TESSERA_MISUSE == 3
  // expect: traced code captured an array: it has no value while the function is traced.
  constexpr auto f = [](auto c) { return ts::scan([](auto s, auto) { return std::pair(s, 0); }, c, v); };
  (void)ts::jit(f)(v);
#elif TESSERA_MISUSE == 4
  // expect: traced code captured an array: it has no value while the function is traced.
  constexpr auto f = [](auto c) {
    return ts::scan([](auto s, auto) { return std::pair(s, 0); }, std::tuple(c, count), c);
  };
  (void)ts::jit(f)(v);
#elif TESSERA_MISUSE == 5
  // expect: traced code captured an array: it has no value while the function is traced.
  constexpr auto f = [](auto c) { return ts::map([](auto t) { return std::get<0>(t); }, std::tuple(c, v)); };
  (void)ts::jit(f)(v);
#elif TESSERA_MISUSE == 6
  // expect: traced code captured an array: it has no value while the function is traced.
  constexpr auto f = [](auto c) {
    return ts::associative_scan([](auto l, auto r) { return ts::tree_map([](auto a, auto b) { return a + b; }, l, r); },
                                std::tuple(c, v));
  };
  (void)ts::jit(f)(v);
#elif TESSERA_MISUSE == 7
  // expect: traced code captured an array: it has no value while the function is traced.
  constexpr auto f = [](auto c) {
    return ts::cond(
        flag, [](auto x) { return x; }, [](auto x) { return x + 1; }, c);
  };
  (void)ts::jit(f)(v);
#elif TESSERA_MISUSE == 8
  // expect: traced code captured an array: it has no value while the function is traced.
  constexpr auto f = [](auto c) {
    return ts::switch_(ts::astype<int>(ts::sum(c)),
                       std::tuple([](auto x, auto) { return x; }, [](auto x, auto y) { return x + y; }), c, v);
  };
  (void)ts::jit(f)(v);
#elif TESSERA_MISUSE == 9
  // expect: traced code captured an array: it has no value while the function is traced.
  constexpr auto f = [](auto c) { return ts::vmap([](auto x, auto y) { return x + y; })(c, v); };
  (void)ts::jit(f)(v);
#elif TESSERA_MISUSE == 10
  // expect: traced code captured an array: it has no value while the function is traced.
  constexpr auto f = [](auto c) { return ts::grad(product)(c, v); };
  (void)ts::jit(f)(v);
#elif TESSERA_MISUSE == 11
  // expect: traced code captured an array: it has no value while the function is traced.
  constexpr auto f = [](auto c) { return std::get<1>(ts::value_and_grad(product)(c, v)); };
  (void)ts::jit(f)(v);
#elif TESSERA_MISUSE == 12
  // expect: traced code captured an array: it has no value while the function is traced.
  constexpr auto f = [](auto c) { return ts::jvp(product, std::tuple(c, v), std::tuple(c, c)); };
  (void)ts::jit(f)(v);
#elif TESSERA_MISUSE == 13
  // expect: traced code captured an array: it has no value while the function is traced.
  constexpr auto f = [](auto c) { return std::get<1>(ts::vjp(product, c, v))(1.0f); };
  (void)ts::jit(f)(v);
#elif TESSERA_MISUSE == 14
  // expect: traced code captured an array: it has no value while the function is traced.
  constexpr auto f = [](auto c) { return ts::hessian(product)(c, v); };
  (void)ts::jit(f)(v);
#elif TESSERA_MISUSE == 15
  // expect: traced code captured an array: it has no value while the function is traced.
  constexpr auto f = [](auto c) { return ts::checkpoint(product)(c, v); };
  (void)ts::jit(f)(v);
#elif TESSERA_MISUSE == 16
  // expect: traced code captured an array: it has no value while the function is traced.
  constexpr auto f = [](auto c) {
    return ts::shard_map<ts::in_specs<ts::P<dp>, ts::P<dp>>, ts::out_specs<ts::P<dp>>, grid>(std::plus<>{})(c, v);
  };
  (void)ts::jit(f)(v);
#elif TESSERA_MISUSE == 17
  // expect: traced code captured an array: it has no value while the function is traced.
  constexpr auto f = [](auto c) {
    return [&] {
      auto [x, y, z] = ts::fori_loop(
          0, 3, [](auto, auto s) { return s; }, std::tuple(c, count, c));
      return x + z;
    }();
  };
  (void)ts::jit(f)(v);
#else
  (void)ts::jit([](auto c) { return c; })(v);
#endif
}
