// SPDX-License-Identifier: Apache-2.0
// Derivatives and batches whose functions, tangents, cotangents or rules do not fit: of arrays, of constants, and in jit one error.

#include <tessera/tessera.hpp>

#include <tuple>

namespace ts = tessera;

int main() {
  auto const a = ts::asarray(1.0f);
  auto const v = ts::asarray({1.0f, 2.0f, 3.0f, 4.0f});
  auto const w = ts::asarray({1.0f, 2.0f, 3.0f, 4.0f, 5.0f});
  (void)ts::grad([](auto n, auto x) { return n * x; })(3.0f, a);
  (void)ts::grad([](auto x) { return std::tuple{x, x}; }, ts::has_aux)(a);
  (void)ts::jacfwd([](auto x) { return std::tuple{x * 2, x}; }, ts::has_aux)(v);
  (void)std::get<1>(ts::vjp([](auto x) { return ts::sum(x); }, w))(a);
#if TESSERA_MISUSE == 1
  // expect: the operation is not defined for this element type.
  (void)ts::grad([](auto n, auto x) { return n * x; })(3, a);
#elif TESSERA_MISUSE == 2
  // expect: the operation is not defined for this element
  (void)ts::grad([](auto n, auto x) { return n * x; })(3, ts::zeros<float>());
#elif TESSERA_MISUSE == 3
  // expect: the operation is not defined for this element
  (void)ts::jit([](auto p) { return ts::grad([](auto n, auto x) { return n * x; })(3, p); })(a);
#elif TESSERA_MISUSE == 4
  // expect: with has_aux the function returns a pair. Fix: return std::tuple{result, aux}.
  (void)ts::grad([](auto x) { return x; }, ts::has_aux)(a);
#elif TESSERA_MISUSE == 5
  // expect: with has_aux the function returns a pair. Fix: return
  (void)ts::grad([](auto x) { return x; }, ts::has_aux)(ts::zeros<float>());
#elif TESSERA_MISUSE == 6
  // expect: with has_aux the function returns a pair. Fix: return
  (void)ts::jit([](auto p) { return ts::grad([](auto x) { return x; }, ts::has_aux)(p); })(a);
#elif TESSERA_MISUSE == 7
  // expect: with has_aux the function returns a pair.
  (void)ts::vjp([](auto x) { return x; }, ts::has_aux, a);
#elif TESSERA_MISUSE == 8
  // expect: with has_aux the function returns a pair.
  (void)ts::vjp([](auto x) { return x; }, ts::has_aux, ts::zeros<float>());
#elif TESSERA_MISUSE == 9
  // expect: with has_aux the function returns a
  (void)ts::jit([](auto p) { return std::get<0>(ts::vjp([](auto x) { return x; }, ts::has_aux, p)); })(a);
#elif TESSERA_MISUSE == 10
  // expect: with has_aux the function returns a pair.
  (void)ts::jvp([](auto x) { return x; }, std::tuple{a}, std::tuple{a}, ts::has_aux);
#elif TESSERA_MISUSE == 11
  // expect: with has_aux the function returns a
  (void)ts::jvp([](auto x) { return x; }, std::tuple{ts::zeros<float>()}, std::tuple{ts::zeros<float>()}, ts::has_aux);
#elif TESSERA_MISUSE == 12
  // expect: with has_aux the function returns a pair.
  (void)ts::jacfwd([](auto x) { return x; }, ts::has_aux)(v);
#elif TESSERA_MISUSE == 13
  // expect: with has_aux the function returns a pair.
  (void)ts::jacfwd([](auto x) { return x; }, ts::has_aux)(ts::zeros<float, 4>());
#elif TESSERA_MISUSE == 14
  // expect: given_tree<...> has another structure than needed_tree<...>: the body of a loop returns the structure of init
  (void)ts::jvp([](auto x) { return x; }, std::tuple{a}, std::tuple{a, a});
#elif TESSERA_MISUSE == 15
  // expect: given_tree<...> has another structure than
  (void)ts::jvp([](auto x) { return x; }, std::tuple{ts::zeros<float>()},
                std::tuple{ts::zeros<float>(), ts::zeros<float>()});
#elif TESSERA_MISUSE == 16
  // expect: given_tree<...> has another structure than needed_tree<...>: the body of a loop returns the structure of init
  (void)std::get<1>(ts::vjp([](auto x) { return x; }, a))(std::tuple{a, a});
#elif TESSERA_MISUSE == 17
  // expect: given_tree<...> has another structure than
  (void)std::get<1>(ts::vjp([](auto x) { return x; }, ts::zeros<float>()))(
      std::tuple{ts::zeros<float>(), ts::zeros<float>()});
#elif TESSERA_MISUSE == 18
  // expect: given_tree<...> has another structure than needed_tree<...>: the body of a loop returns the structure of init
  (void)std::get<1>(ts::linearize([](auto x) { return x; }, a))(a, a);
#elif TESSERA_MISUSE == 19
  // expect: given_tree<...> has another structure than
  (void)std::get<1>(ts::linearize([](auto x) { return x; }, ts::zeros<float>()))(ts::zeros<float>(),
                                                                                 ts::zeros<float>());
#elif TESSERA_MISUSE == 20
  // expect: the traced function cannot be called with these arguments.
  (void)ts::jacfwd([](auto x, auto) { return x; })(v);
#elif TESSERA_MISUSE == 21
  // expect: the traced function cannot be called with these arguments.
  (void)ts::jacfwd([](auto x, auto) { return x; })(ts::zeros<float, 4>());
#elif TESSERA_MISUSE == 22
  // expect: what stands here is neither an array nor a number.
  (void)ts::jacrev([](auto) { return "a"; })(v);
#elif TESSERA_MISUSE == 23
  // expect: what stands here is neither an array nor a number.
  (void)ts::jacrev([](auto) { return "a"; })(ts::zeros<float, 4>());
#elif TESSERA_MISUSE == 24
  // expect: the traced function cannot be called with these arguments.
  (void)ts::hessian([](auto x, auto) { return ts::sum(x); })(v);
#elif TESSERA_MISUSE == 25
  // expect: the traced function cannot be called with these arguments.
  (void)ts::hessian([](auto x, auto) { return ts::sum(x); })(ts::zeros<float, 4>());
#elif TESSERA_MISUSE == 26
  // expect: a rule takes other arguments or gives another type than it must: fwd(x...) of custom_vjp
  (void)ts::grad(ts::custom_vjp([](auto x) { return x; },
                                [](auto x) {
                                  return std::tuple{x, x};
                                },
                                [](auto g) { return std::tuple{g}; }))(a);
#elif TESSERA_MISUSE == 27
  // expect: a rule takes other arguments or gives another type than it must
  (void)ts::grad(ts::custom_vjp([](auto x) { return x; },
                                [](auto x, auto) {
                                  return std::tuple{x, x};
                                },
                                [](auto, auto g) { return std::tuple{g}; }))(a);
#elif TESSERA_MISUSE == 28
  // expect: a rule takes other arguments or gives another type than it must
  (void)ts::jvp(ts::custom_jvp([](auto x) { return x; },
                               [](auto p) {
                                 return std::tuple{std::get<0>(p), std::get<0>(p)};
                               }),
                std::tuple{a}, std::tuple{a});
#elif TESSERA_MISUSE == 29
  // expect: the shapes do not fit each other.
  (void)ts::vmap([](auto x, auto y) { return x + y; })(v, w);
#elif TESSERA_MISUSE == 30
  // expect: the shapes do not fit each
  (void)ts::vmap([](auto x, auto y) { return x + y; })(ts::zeros<float, 4>(), ts::zeros<float, 5>());
#endif
}
