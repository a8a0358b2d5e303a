// SPDX-License-Identifier: Apache-2.0
// Scopes whose function does not take the values, or whose name is none: one error.

#include <tessera/tessera.hpp>

namespace ts = tessera;

constexpr auto two = [](auto x, auto y) { return x + y; };

int main() {
  auto const v = ts::asarray({1.0f, 2.0f});
  (void)ts::named_scope<"sum">(two)(v, v);
#if TESSERA_MISUSE == 1
  // expect: the name of a scope is empty or contains '/'. Fix: one scope in the other.
  (void)ts::named_scope<"block/sum">(two)(v, v);
#elif TESSERA_MISUSE == 2
  // expect: the name of a scope is empty
  (void)ts::named_scope<"">(two)(v, v);
#elif TESSERA_MISUSE == 3
  // expect: the traced function cannot be called with these arguments
  (void)ts::named_scope<"sum">(two)(v);
#elif TESSERA_MISUSE == 4
  // expect: the traced function cannot be called with these arguments
  (void)ts::jit([](auto x) { return ts::named_scope<"sum">(two)(x); })(v);
#elif TESSERA_MISUSE == 5
  // expect: the traced function cannot be called with these arguments
  (void)ts::named_scope<"sum">(two)(ts::ones<float, 2>());
#elif TESSERA_MISUSE == 6
  // expect: the traced function cannot be called with these arguments
  (void)ts::named_scope<"sum">(v)(v);
#elif TESSERA_MISUSE == 7
  // expect: a scope's name is in <>. Fix: named_scope<"mlp">(f)(x).
  (void)ts::named_scope(two)(v, v);
#elif TESSERA_MISUSE == 8
  // expect: a scope's name is in <>.
  (void)ts::named_scope("sum", two)(v, v);
#elif TESSERA_MISUSE == 9
  // expect: a transformation takes the function, and what it gives takes the values.
  (void)ts::named_scope<"sum">(two, v, v);
#endif
}
