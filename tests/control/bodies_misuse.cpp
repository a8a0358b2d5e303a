// SPDX-License-Identifier: Apache-2.0
// Loops and branches whose functions return another structure than they must, or no value, or decide by what decides nothing, or
// go over what they cannot: of arrays, of constants, and in jit one error, not one for each line of the library.

#include <tessera/tessera.hpp>

#include <tuple>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;
constexpr auto on_line() { return ts::zeros<float, 4>(ts::out_sharding<ts::P<dp>, line>); }

int main() {
  auto const a = ts::asarray(1.0f);
  auto const v = ts::asarray({1.0f, 2.0f, 3.0f, 4.0f});
  auto const w = ts::asarray({1.0f, 2.0f, 3.0f, 4.0f, 5.0f});
  (void)ts::while_loop([](auto i) { return i < 3; }, [](auto i) { return i + 1; }, a);
  (void)ts::scan([](auto c, auto x) { return std::tuple{c + x, x}; }, a, v);
  (void)ts::switch_(1, std::tuple{[](auto x) { return x; }, [](auto x) { return -x; }}, a);
  (void)ts::associative_scan([](auto x, auto y) { return x + y; }, w);
  (void)ts::jit([](auto c) {
    return ts::fori_loop(
        0, 3, [](auto, auto d) { return ts::reshard<ts::P<>>(d + on_line()); }, c);
  });
#if TESSERA_MISUSE == 1
  // expect: given_tree<...> has another structure than needed_tree<...>: the body of a loop returns the structure of init
  (void)ts::while_loop([](auto i) { return i < 3; }, [](auto i) { return std::tuple{i, i}; }, a);
#elif TESSERA_MISUSE == 2
  // expect: given_tree<...> has another structure than
  (void)ts::while_loop([](auto i) { return i < 3; }, [](auto i) { return std::tuple{i, i}; }, ts::zeros<float>());
#elif TESSERA_MISUSE == 3
  // expect: given_tree<...> has another structure than
  (void)ts::jit([](auto p) {
    return ts::while_loop([](auto i) { return i < 3; }, [](auto i) { return std::tuple{i, i}; }, p);
  })(a);
#elif TESSERA_MISUSE == 4
  // expect: given_tree<...> has another structure than needed_tree<...>: the body of a loop returns the structure of init
  (void)ts::fori_loop(
      0, 3,
      [](auto i, auto x) {
        return std::tuple{x, i};
      },
      a);
#elif TESSERA_MISUSE == 5
  // expect: given_tree<...> has another structure than
  (void)ts::fori_loop(
      0, 3,
      [](auto i, auto x) {
        return std::tuple{x, i};
      },
      ts::zeros<float>());
#elif TESSERA_MISUSE == 6
  // expect: given_tree<...> has another structure than
  (void)ts::jit([](auto p) {
    return ts::fori_loop(
        0, 3,
        [](auto i, auto x) {
          return std::tuple{x, i};
        },
        p);
  })(a);
#elif TESSERA_MISUSE == 7
  // expect: given_tree<...> has another structure than needed_tree<...>: the body of a loop returns the structure of init
  (void)ts::scan([](auto c, auto x) { return std::tuple{std::tuple{c, c}, x}; }, a, v);
#elif TESSERA_MISUSE == 8
  // expect: given_tree<...> has another structure than
  (void)ts::scan(
      [](auto c, auto x) {
        return std::tuple{std::tuple{c, c}, x};
      },
      ts::zeros<float>(), ts::zeros<float, 4>());
#elif TESSERA_MISUSE == 9
  // expect: given_tree<...> has another structure than
  (void)ts::jit([](auto p, auto q) {
    return ts::scan([](auto c, auto x) { return std::tuple{std::tuple{c, c}, x}; }, p, q);
  })(a, v);
#elif TESSERA_MISUSE == 10
  // expect: given_tree<...> has another structure than needed_tree<...>: the body of a loop returns the structure of init
  (void)ts::cond(
      a < 1, [](auto a) { return a; },
      [](auto a) {
        return std::tuple{a, a};
      },
      a);
#elif TESSERA_MISUSE == 11
  // expect: given_tree<...> has another structure than
  (void)ts::cond(
      ts::zeros<float>() < 1, [](auto a) { return a; },
      [](auto a) {
        return std::tuple{a, a};
      },
      ts::zeros<float>());
#elif TESSERA_MISUSE == 12
  // expect: given_tree<...> has another structure than
  (void)ts::jit([](auto p) {
    return ts::cond(
        p < 1, [](auto a) { return a; },
        [](auto a) {
          return std::tuple{a, a};
        },
        p);
  })(a);
#elif TESSERA_MISUSE == 13
  // expect: given_tree<...> has another structure than needed_tree<...>: the body of a loop returns the structure of init
  (void)ts::associative_scan([](auto a, auto b) { return std::tuple{a, b}; }, v);
#elif TESSERA_MISUSE == 14
  // expect: given_tree<...> has another structure than
  (void)ts::associative_scan([](auto a, auto b) { return std::tuple{a, b}; }, ts::zeros<float, 4>());
#elif TESSERA_MISUSE == 15
  // expect: given_tree<...> has another structure than
  (void)ts::jit([](auto q) { return ts::associative_scan([](auto a, auto b) { return std::tuple{a, b}; }, q); })(v);
#elif TESSERA_MISUSE == 16
  // expect: what stands here is neither an array nor a number.
  (void)ts::while_loop([](auto i) { return i < 3; }, [](auto) { return "a"; }, a);
#elif TESSERA_MISUSE == 17
  // expect: what stands here is neither an array nor a
  (void)ts::while_loop([](auto i) { return i < 3; }, [](auto) { return "a"; }, ts::zeros<float>());
#elif TESSERA_MISUSE == 18
  // expect: what stands here is neither an array nor a number.
  (void)ts::map([](auto) { return "a"; }, v);
#elif TESSERA_MISUSE == 19
  // expect: what stands here is neither an array nor a
  (void)ts::map([](auto) { return "a"; }, ts::zeros<float, 4>());
#elif TESSERA_MISUSE == 20
  // expect: what stands here is neither an array nor a number.
  (void)ts::while_loop([](auto i) { return std::tuple{i < 3}; }, [](auto i) { return i + 1; }, a);
#elif TESSERA_MISUSE == 21
  // expect: what stands here is neither an array nor a
  (void)ts::while_loop([](auto i) { return std::tuple{i < 3}; }, [](auto i) { return i + 1; }, ts::zeros<float>());
#elif TESSERA_MISUSE == 22
  // expect: the operation is not defined for this element type.
  (void)ts::while_loop([](auto i) { return i; }, [](auto i) { return i + 1; }, a);
#elif TESSERA_MISUSE == 23
  // expect: the operation is not defined for this element
  (void)ts::while_loop([](auto i) { return i; }, [](auto i) { return i + 1; }, ts::zeros<float>());
#elif TESSERA_MISUSE == 24
  // expect: the numbers of dimensions do not fit each other.
  (void)ts::while_loop([](auto i) { return i < 3; }, [](auto i) { return i + 1; }, v);
#elif TESSERA_MISUSE == 25
  // expect: the numbers of dimensions do not fit each
  (void)ts::while_loop([](auto i) { return i < 3; }, [](auto i) { return i + 1; }, ts::zeros<float, 4>());
#elif TESSERA_MISUSE == 26
  // expect: what stands here is neither an array nor a number.
  (void)ts::cond(
      std::tuple{a < 1}, [](auto a) { return a; }, [](auto a) { return a; }, a);
#elif TESSERA_MISUSE == 27
  // expect: what stands here is neither an array nor a
  (void)ts::cond(
      std::tuple{ts::zeros<float>() < 1}, [](auto a) { return a; }, [](auto a) { return a; }, ts::zeros<float>());
#elif TESSERA_MISUSE == 28
  // expect: the operation is not defined for this element type.
  (void)ts::cond(
      ts::asarray(ts::complex64(1)), [](auto a) { return a; }, [](auto a) { return a; }, a);
#elif TESSERA_MISUSE == 29
  // expect: the operation is not defined for this element
  (void)ts::cond(
      ts::zeros<ts::complex64>(), [](auto a) { return a; }, [](auto a) { return a; }, ts::zeros<float>());
#elif TESSERA_MISUSE == 30
  // expect: the branches of switch_ stand in one std::tuple, one or more. Fix: switch_(i, std::tuple{f, g}, x).
  (void)ts::switch_(
      1, [](auto a) { return a; }, [](auto a) { return -a; }, a);
#elif TESSERA_MISUSE == 31
  // expect: the branches of switch_ stand in one std::tuple, one or
  (void)ts::switch_(
      1, [](auto a) { return a; }, [](auto a) { return -a; }, ts::zeros<float>());
#elif TESSERA_MISUSE == 32
  // expect: the branches of switch_ stand in one std::tuple
  (void)ts::switch_(1, std::tuple<>{}, a);
#elif TESSERA_MISUSE == 33
  // expect: the branches of switch_ stand in one
  (void)ts::switch_(1, std::tuple<>{}, ts::zeros<float>());
#elif TESSERA_MISUSE == 34
  // expect: the operation names a dimension that the array does not have, or one twice.
  (void)ts::scan([](auto c, auto x) { return std::tuple{c + x, x}; }, a, a);
#elif TESSERA_MISUSE == 35
  // expect: the operation names a dimension that the array does not
  (void)ts::scan([](auto c, auto x) { return std::tuple{c + x, x}; }, ts::zeros<float>(), ts::zeros<float>());
#elif TESSERA_MISUSE == 36
  // expect: the shapes do not fit each other.
  (void)ts::scan([](auto c, auto x) { return std::tuple{c + std::get<0>(x), c}; }, a, std::tuple{v, w});
#elif TESSERA_MISUSE == 37
  // expect: the shapes do not fit each
  (void)ts::scan(
      [](auto c, auto x) {
        return std::tuple{c + std::get<0>(x), c};
      },
      ts::zeros<float>(), std::tuple{ts::zeros<float, 4>(), ts::zeros<float, 5>()});
#elif TESSERA_MISUSE == 38
  // expect: the shapes do not fit each other.
  (void)ts::associative_scan([](auto a, auto) { return a; }, std::tuple{v, w});
#elif TESSERA_MISUSE == 39
  // expect: the shapes do not fit each
  (void)ts::associative_scan([](auto a, auto) { return a; }, std::tuple{ts::zeros<float, 4>(), ts::zeros<float, 5>()});
#elif TESSERA_MISUSE == 40
  // expect: the operation names a dimension that the array does not have, or one twice.
  (void)ts::associative_scan<3>([](auto a, auto b) { return a + b; }, v);
#elif TESSERA_MISUSE == 41
  // expect: the operation names a dimension that the array does not
  (void)ts::associative_scan<3>([](auto a, auto b) { return a + b; }, ts::zeros<float, 4>());
#elif TESSERA_MISUSE == 42
  // expect: the body of a loop returns carried values of other types than it began with
  // expect-fix: reshard_init
  (void)ts::fori_loop(
      0, 3, [](auto, auto c) { return ts::reshard<ts::P<dp>, line>(c); }, v);
#elif TESSERA_MISUSE == 43
  // expect: the body of a loop returns carried values of other types than it began with
  (void)ts::while_loop([](auto c) { return ts::sum(c) < 3; }, [](auto c) { return c + on_line(); }, v);
#elif TESSERA_MISUSE == 44
  // expect: the body of a loop returns carried values of other types than it began with
  (void)ts::scan([](auto c, auto x) { return std::tuple{c + on_line(), x}; }, v, v);
#endif
}
