// SPDX-License-Identifier: Apache-2.0
// Settings in angle brackets, and those of other functions.

#include <tessera/tessera.hpp>

#include <functional>
#include <tuple>

namespace ts = tessera;

constexpr auto body = [](auto s, auto r) { return std::pair(s + r, r); };
constexpr auto pair = [](auto a) { return std::tuple(ts::sum(a), a); };

int main() {
  auto const x = ts::zeros<float, 4, 4>();
  auto const v = ts::zeros<float, 4>();
#if TESSERA_MISUSE == 1
  // expect: settings stand behind the values, not in angle brackets.
  (void)ts::sum<0, ts::keepdims>(x);
#elif TESSERA_MISUSE == 2
  // expect: settings stand behind the values, not in angle brackets.
  (void)ts::max<ts::keepdims>(x);
#elif TESSERA_MISUSE == 3
  // expect: settings stand behind the values, not in angle brackets.
  (void)ts::logsumexp<1, ts::keepdims>(x);
#elif TESSERA_MISUSE == 4
  // expect: settings stand behind the values, not in angle brackets.
  (void)ts::sort<ts::descending>(x);
#elif TESSERA_MISUSE == 5
  // expect: settings stand behind the values, not in angle brackets.
  (void)ts::argsort<0, ts::descending>(x);
#elif TESSERA_MISUSE == 6
  // expect: settings stand behind the values, not in angle brackets.
  (void)ts::cumsum<0, ts::reverse>(x);
#elif TESSERA_MISUSE == 7
  // expect: settings stand behind the values, not in angle brackets.
  (void)ts::scan<ts::reverse>(body, v, x);
#elif TESSERA_MISUSE == 8
  // expect: settings stand behind the values, not in angle brackets.
  (void)ts::associative_scan<0, ts::reverse>(std::plus<>{}, x);
#elif TESSERA_MISUSE == 9
  // expect: settings stand behind the values, not in angle brackets.
  (void)ts::grad<ts::has_aux>(pair)(x);
#elif TESSERA_MISUSE == 10
  // expect: settings stand behind the values, not in angle brackets.
  (void)ts::value_and_grad<ts::has_aux>(pair)(x);
#elif TESSERA_MISUSE == 11
  // expect: settings stand behind the values, not in angle brackets.
  (void)ts::meshgrid<ts::by_matrix>(v, v);
#elif TESSERA_MISUSE == 12
  // expect: settings stand behind the values, not in angle brackets.
  (void)ts::searchsorted<ts::after_equals>(v, v);
#elif TESSERA_MISUSE == 13
  // expect: settings stand behind the values, not in angle brackets.
  (void)ts::slice<ts::starts<1, 0>, ts::limits<4, 2>>(x);
#elif TESSERA_MISUSE == 14
  // expect: settings stand behind the values, not in angle brackets.
  (void)ts::jit([](auto a) { return ts::sum<0, ts::keepdims>(a); })(x);
#elif TESSERA_MISUSE == 15
  // expect: the function does not have this setting.
  (void)ts::sort(x, ts::reverse);
#elif TESSERA_MISUSE == 16
  // expect: the function does not have this setting.
  (void)ts::cumsum<0>(x, ts::keepdims);
#elif TESSERA_MISUSE == 17
  // expect: the function does not have this setting.
  (void)ts::sum<0>(x, ts::reverse);
#elif TESSERA_MISUSE == 18
  // expect: the function does not have this setting.
  (void)ts::argmax<0>(x, ts::descending);
#elif TESSERA_MISUSE == 19
  // expect: the function does not have this setting.
  (void)ts::jit([](auto a) { return ts::sort(a, ts::keepdims); })(x);
#else
  (void)ts::scan(body, v, x, ts::reverse);
  (void)ts::cumsum<0>(x, ts::reversed);
  (void)ts::sum<0>(x, ts::keepdims);
  (void)ts::slice(x, ts::starts<1, 0>, ts::limits<4, 2>);
#endif
}
