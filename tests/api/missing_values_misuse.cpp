// SPDX-License-Identifier: Apache-2.0
// Transformations without their function or without its arguments, and draws without a key or the values of their distribution.

#include <tessera/functions.hpp>
#include <tessera/tessera.hpp>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

namespace ts = tessera;

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const x = ts::asarray({1.f, 2.f, 3.f});
  auto const key = ts::random::key(0);
  auto const f = [](auto a) { return ts::sum(a); };
#if TESSERA_MISUSE == 1
  // expect: a function or a value is missing. Fix: jit(f)(x), grad(f)(x)
  (void)ts::vmap(f)();
#elif TESSERA_MISUSE == 2
  // expect: the function has no argument of the number that grad names. Fix: grad<0>(f)(x)
  (void)ts::grad(f)();
#elif TESSERA_MISUSE == 3
  // expect: the function has no argument of the number that grad names. Fix: grad<0>(f)(x)
  (void)ts::value_and_grad(f)();
#elif TESSERA_MISUSE == 4
  // expect: the function has no argument of the number that grad names. Fix: grad<0>(f)(x)
  (void)ts::jacfwd(f)();
#elif TESSERA_MISUSE == 5
  // expect: the function has no argument of the number that grad names. Fix: grad<0>(f)(x)
  (void)ts::hessian(f)();
#elif TESSERA_MISUSE == 6
  // expect: the traced function cannot be called with these arguments. Fix: give it as many as it takes
  (void)ts::jit(f)();
#elif TESSERA_MISUSE == 7
  // expect: the traced function cannot be called with these arguments. Fix: give it as many as it takes
  (void)ts::vjp(f);
#elif TESSERA_MISUSE == 8
  // expect: the traced function cannot be called with these arguments. Fix: give it as many as it takes
  (void)ts::checkpoint(f)();
#elif TESSERA_MISUSE == 9
  // expect: a function or a value is missing. Fix: jit(f)(x), grad(f)(x)
  (void)ts::jvp(f);
#elif TESSERA_MISUSE == 10
  // expect: a function or a value is missing. Fix: jit(f)(x), grad(f)(x)
  (void)ts::jvp(f, x);
#elif TESSERA_MISUSE == 11
  // expect: a function or a value is missing. Fix: jit(f)(x), grad(f)(x)
  (void)ts::cond(true, f);
#elif TESSERA_MISUSE == 12
  // expect: a function or a value is missing. Fix: jit(f)(x), grad(f)(x)
  (void)ts::switch_(1);
#elif TESSERA_MISUSE == 13
  // expect: a function or a value is missing. Fix: jit(f)(x), grad(f)(x)
  (void)ts::while_loop(f);
#elif TESSERA_MISUSE == 14
  // expect: a function or a value is missing. Fix: jit(f)(x), grad(f)(x)
  (void)ts::fori_loop(0, 3);
#elif TESSERA_MISUSE == 15
  // expect: a function or a value is missing. Fix: jit(f)(x), grad(f)(x)
  (void)ts::scan(f);
#elif TESSERA_MISUSE == 16
  // expect: a function or a value is missing. Fix: jit(f)(x), grad(f)(x)
  (void)ts::map(f);
#elif TESSERA_MISUSE == 17
  // expect: a function or a value is missing. Fix: jit(f)(x), grad(f)(x)
  (void)ts::associative_scan(f);
#elif TESSERA_MISUSE == 18
  // expect: a function or a value is missing. Fix: jit(f)(x), grad(f)(x)
  (void)ts::tree_map(f);
#elif TESSERA_MISUSE == 19
  // expect: a function or a value is missing. Fix: jit(f)(x), grad(f)(x)
  (void)ts::jit();
#elif TESSERA_MISUSE == 20
  // expect: a function or a value is missing. Fix: jit(f)(x), grad(f)(x)
  (void)ts::grad();
#elif TESSERA_MISUSE == 21
  // expect: a function or a value is missing. Fix: jit(f)(x), grad(f)(x)
  (void)ts::vmap();
#elif TESSERA_MISUSE == 22
  // expect: random numbers are drawn from a key and the values of their distribution. Fix: auto const key = random::key(0)
  (void)ts::random::permutation(key);
#elif TESSERA_MISUSE == 23
  // expect: random numbers are drawn from a key and the values of their distribution. Fix: auto const key = random::key(0)
  (void)ts::random::choice(key);
#elif TESSERA_MISUSE == 24
  // expect: random numbers are drawn from a key and the values of their distribution. Fix: auto const key = random::key(0)
  (void)ts::random::randint<int, 3>(key);
#elif TESSERA_MISUSE == 25
  // expect: random numbers are drawn from a key and the values of their distribution. Fix: auto const key = random::key(0)
  (void)ts::random::randint<int, 3>(key, 0);
#elif TESSERA_MISUSE == 26
  // expect: random numbers are drawn from a key and the values of their distribution. Fix: auto const key = random::key(0)
  (void)ts::random::uniform<float, 3>(key, 0);
#elif TESSERA_MISUSE == 27
  // expect: random numbers are drawn from a key and the values of their distribution. Fix: auto const key = random::key(0)
  (void)ts::random::beta<float, 3>(key, 1.0);
#elif TESSERA_MISUSE == 28
  // expect: random numbers are drawn from a key and the values of their distribution. Fix: auto const key = random::key(0)
  (void)ts::random::normal<float, 3>();
#elif TESSERA_MISUSE == 29
  // expect: random numbers are drawn from a key and the values of their distribution. Fix: auto const key = random::key(0)
  (void)ts::random::normal<float, 3>(0);
#elif TESSERA_MISUSE == 30
  // expect: random numbers are drawn from a key and the values of their distribution. Fix: auto const key = random::key(0)
  (void)ts::random::exponential<float, 3>(x);
#elif TESSERA_MISUSE == 31
  // expect: random numbers are drawn from a key and the values of their distribution. Fix: auto const key = random::key(0)
  (void)ts::random::fold_in(key);
#elif TESSERA_MISUSE == 32
  // expect: random numbers are drawn from a key and the values of their distribution. Fix: auto const key = random::key(0)
  (void)ts::random::split();
#elif TESSERA_MISUSE == 33
  // expect: random numbers are drawn from a key and the values of their distribution. Fix: auto const key = random::key(0)
  (void)ts::random::split_batch<3>(x);
#elif TESSERA_MISUSE == 34
  // expect: random numbers are drawn from a key and the values of their distribution. Fix: auto const key = random::key(0)
  (void)ts::random::key();
#elif TESSERA_MISUSE == 35
  // expect: random numbers are drawn from a key and the values of their distribution. Fix: auto const key = random::key(0)
  (void)ts::random::permutation(5, key);
#elif TESSERA_MISUSE == 36
  // expect: random numbers are drawn from a key and the values of their distribution. Fix: auto const key = random::key(0)
  (void)ts::random::categorical(key);
#elif TESSERA_MISUSE == 37
  // expect: random numbers are drawn from a key and the values of their distribution. Fix: auto const key = random::key(0)
  (void)ts::jit([](auto k) { return ts::random::permutation(ts::random::wrap_key_data(k)); })(key.data);
#elif TESSERA_MISUSE == 38
  // expect: numbers that say what an operation does stand in angle brackets.
  (void)ts::random::split_batch(key, 3);
#endif
  (void)(ts::random::permutation(key, x) + ts::random::uniform<float, 3>(key, 0, 1));
}
