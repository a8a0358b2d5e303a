// SPDX-License-Identifier: Apache-2.0
#pragma once
// The one dtype that operands are brought to before an operation. Source: JAX 0.10.2 jax/_src/numpy/util.py
// promote_dtypes, promote_dtypes_inexact.

#include <tessera/aval/promote.hpp>
#include <tessera/graph/builder.hpp>

namespace tessera {
namespace ops {
struct cast;  // op/elementwise/cast.hpp
}  // namespace ops

namespace detail {

constexpr weak_dtype dtype_of_term(term x) { return {x.facts().element, x.facts().weak}; }

// The dtype that operands have in common.
constexpr weak_dtype joint_dtype(term const* x, int count) {
  weak_dtype joint = dtype_of_term(x[0]);
  for (int i = 1; i < count; ++i) joint = promote(joint, dtype_of_term(x[i]));
  return joint;
}
// The floating dtype of integers and bool, and an inexact one itself.
constexpr weak_dtype as_inexact(weak_dtype of) {
  if (is_inexact(of.element)) return of;
  return {of.weak ? dtype::float32 : tessera::inexact(of.element), of.weak};
}

// x in this dtype; as weak as it was, if it has the dtype already.
template <class B>
constexpr term as_dtype(B& b, term x, weak_dtype to) {
  return x && x.facts().element != to.element ? make<ops::cast>(b, {x}, cast_params{to.element, to.weak}) : x;
}
// All of x; false if one of them is refused.
template <class B>
constexpr bool all_as_dtype(B& b, term* x, int count, weak_dtype to) {
  for (int i = 0; i < count; ++i)
    if (!(x[i] = as_dtype(b, x[i], to))) return false;
  return true;
}
// Sets `joint` to the dtype that operands have in common; false if there is none: the first without one is refused.
template <class B>
constexpr bool join_dtypes(B& b, term const* x, int count, weak_dtype& joint) {
  joint = dtype_of_term(x[0]);
  for (int i = 1; i < count; ++i) {
    weak_dtype const own = dtype_of_term(x[i]);
    if (!promotes(joint, own)) {
      verdict why = refuse(reason::elements_disagree);
      why.operand = i;
      b.template refuse<ops::cast>(why, x[0].facts(), x[i].facts());
      return false;
    }
    joint = promote(joint, own);
  }
  return true;
}
// Brings all of x to the dtype that they have in common, or to an inexact one; false if one of them is refused.
template <class B>
constexpr bool promote_dtypes(B& b, term* x, int count) {
  weak_dtype joint{};
  return join_dtypes(b, x, count, joint) && all_as_dtype(b, x, count, joint);
}
template <class B>
constexpr bool promote_dtypes_inexact(B& b, term* x, int count) {
  weak_dtype joint{};
  return join_dtypes(b, x, count, joint) && all_as_dtype(b, x, count, as_inexact(joint));
}
// x as an array whose dtype does not yield to others.
template <class B>
constexpr term as_strong(B& b, term x) {
  return x && x.facts().weak ? make<ops::cast>(b, {x}, cast_params{x.facts().element}) : x;
}
// x in the floating dtype of its own.
template <class B>
constexpr term as_inexact(B& b, term x) {
  return x ? as_dtype(b, x, as_inexact(dtype_of_term(x))) : x;
}

}  // namespace detail
}  // namespace tessera
