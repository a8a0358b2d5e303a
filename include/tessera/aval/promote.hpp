// SPDX-License-Identifier: Apache-2.0
#pragma once
// The dtype of an operation on two: the lattice of promotion.

#include <tessera/aval/complex.hpp>
#include <tessera/aval/dtype.hpp>
#include <tessera/aval/half.hpp>

#include <array>

namespace tessera {

struct weak_dtype {
  dtype element;
  bool weak = false;  // of a literal: yields to any array's dtype of its kind or above
  constexpr bool operator==(weak_dtype const&) const = default;
};

// Whether they have a dtype in common: a float of 8 bits has none with another inexact one, unless that is weak. A program
// says with astype where 8 bits are enough, as in JAX.
constexpr bool promotes(weak_dtype l, weak_dtype r) {
  bool const small = (is_float8(l.element) && !l.weak) || (is_float8(r.element) && !r.weak);
  return !small || l.element == r.element || !is_inexact(l.element) || !is_inexact(r.element) ||
         (l.weak != r.weak && !is_complex(l.element) && !is_complex(r.element));
}

// The dtype of an operation on both. Source: JAX's type promotion lattice (docs "Type promotion semantics"), 64-bit
// types enabled. float16 with bfloat16 gives float32, uint64 with a signed integer a weak float32.
constexpr weak_dtype promote(weak_dtype l, weak_dtype r) {
  if (l.element == r.element) return {l.element, l.weak && r.weak};
  auto const rank = [](dtype d) { return d == dtype::boolean ? 0 : is_integer(d) ? 1 : is_floating(d) ? 2 : 3; };
  if (l.weak != r.weak) {
    auto const [strong, weak] = l.weak ? std::array{r, l} : std::array{l, r};
    if (rank(strong.element) >= rank(weak.element)) return strong;
    // A weak literal of a higher kind: its own dtype, still weak (bool or int array with a float literal: float32).
    return {weak.element, true};
  }
  if (is_integer(l.element) && is_integer(r.element)) {
    int const left = bytes_of(l.element), right = bytes_of(r.element);
    if (is_unsigned(l.element) == is_unsigned(r.element)) return {left < right ? r.element : l.element, l.weak};
    int const all = is_unsigned(l.element) ? 2 * left : left, most = is_unsigned(r.element) ? 2 * right : right;
    int const bytes = all < most ? most : all;
    return bytes > 8 ? weak_dtype{dtype::float32, true} : weak_dtype{signed_integer(bytes), l.weak};
  }
  dtype higher = l.element < r.element ? r.element : l.element;
  if (is_floating(l.element) && is_floating(r.element) && higher == dtype::bfloat16) higher = dtype::float32;
  if (higher == dtype::complex64 && (l.element == dtype::float64 || r.element == dtype::float64))
    higher = dtype::complex128;
  return {higher, l.weak};
}

}  // namespace tessera
