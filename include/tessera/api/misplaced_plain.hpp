// SPDX-License-Identifier: Apache-2.0
#pragma once
// Functions of C++ where a function object belongs, jit(f) and jit<f>(x) with float f(float): one sentence. The name of a function
// template cannot be an argument, whatever is declared here.

#include <tessera/api/misplaced_functions.hpp>

#include <type_traits>

namespace tessera::functions {

template <auto F, class... X>
  requires(!std::is_class_v<decltype(F)>)
constexpr auto jit(X&&...) {
  written::plain_function<decltype(F)>::explain();
  return poisoned<explained<>>{};
}
template <class R, class... A>
constexpr auto jit(R (&)(A...)) {
  written::plain_function<R(A...)>::explain();
  return detail::takes_anything{};
}
// What gives a function; KIND is that of the settings in its angle brackets.
#define TESSERA_PLAIN_FUNCTION(KIND, NAME, ...)    \
  template <KIND... Settings, class R, class... A> \
  constexpr auto NAME(R (&)(A...)) {               \
    __VA_ARGS__;                                   \
    return detail::takes_anything{};               \
  }
TESSERA_PLAIN_FUNCTION(class, vmap, (written::plain_function<R(A...)>::explain()))
TESSERA_PLAIN_FUNCTION(class, checkpoint, (written::plain_function<R(A...)>::explain()))
TESSERA_PLAIN_FUNCTION(class, shard_map, (written::plain_function<R(A...)>::explain()))
TESSERA_PLAIN_FUNCTION(class, auto_axes, (written::plain_function<R(A...)>::explain()))
TESSERA_PLAIN_FUNCTION(class, explicit_axes, (written::plain_function<R(A...)>::explain()))
TESSERA_PLAIN_FUNCTION(class, pmap, (written::plain_function<R(A...)>::explain()))
TESSERA_PLAIN_FUNCTION(class, custom_vjp, (written::plain_function<R(A...)>::explain()))
TESSERA_PLAIN_FUNCTION(class, custom_jvp, (written::plain_function<R(A...)>::explain()))
TESSERA_PLAIN_FUNCTION(int, grad, (written::plain_function<R(A...)>::explain()))
TESSERA_PLAIN_FUNCTION(int, value_and_grad, (written::plain_function<R(A...)>::explain()))
TESSERA_PLAIN_FUNCTION(int, jacfwd, (written::plain_function<R(A...)>::explain()))
TESSERA_PLAIN_FUNCTION(int, jacrev, (written::plain_function<R(A...)>::explain()))
TESSERA_PLAIN_FUNCTION(int, hessian, (written::plain_function<R(A...)>::explain()))
#undef TESSERA_PLAIN_FUNCTION
// What runs it.
#define TESSERA_RUNS_PLAIN_FUNCTION(NAME, ...)                 \
  template <class R, class... A, class X, class... Rest>       \
  constexpr auto NAME(R (&)(A...), X const&, Rest const&...) { \
    __VA_ARGS__;                                               \
    return poisoned<explained<>>{};                            \
  }
TESSERA_RUNS_PLAIN_FUNCTION(map, (written::plain_function<R(A...)>::explain()))
TESSERA_RUNS_PLAIN_FUNCTION(associative_scan, (written::plain_function<R(A...)>::explain()))
TESSERA_RUNS_PLAIN_FUNCTION(vjp, (written::plain_function<R(A...)>::explain()))
TESSERA_RUNS_PLAIN_FUNCTION(linearize, (written::plain_function<R(A...)>::explain()))
#undef TESSERA_RUNS_PLAIN_FUNCTION
template <class R, class... A, class C, class X>
constexpr auto scan(R (&)(A...), C const&, X const&) {
  written::plain_function<R(A...)>::explain();
  return poisoned<explained<>>{};
}
template <class R, class... A, class P, class T>
constexpr auto jvp(R (&)(A...), P const&, T const&) {
  written::plain_function<R(A...)>::explain();
  return poisoned<explained<>>{};
}
template <class L, class U, class R, class... A, class C>
constexpr auto fori_loop(L const&, U const&, R (&)(A...), C const&) {
  written::plain_function<R(A...)>::explain();
  return poisoned<explained<>>{};
}

}  // namespace tessera::functions
