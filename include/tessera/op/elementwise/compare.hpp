// SPDX-License-Identifier: Apache-2.0
#pragma once
// equal, not_equal, less, less_equal, greater, greater_equal: (x, y) -> bool of the broadcast shape, merged spec.
// logical_and, logical_or, logical_not, whether numbers are 0; isnan, isfinite of floating x. No gradient. Moves 0 bytes.

#include <tessera/op/base/door.hpp>
#include <tessera/op/base/elementwise.hpp>

namespace tessera {
namespace ops {

template <class Op, accepts Domain = accepts::any>
struct comparison : binary<Op, Domain> {
  static constexpr bool gives_bool = true;
  static constexpr bool locally_constant = true;
};

struct equal : comparison<equal> {
  static constexpr std::string_view name = "equal";
  static constexpr bool of_complex = true;
  template <class T>
  TESSERA_FUNCTION static constexpr bool eval(T x, T y) {
    return x == y;
  }
};
struct not_equal : comparison<not_equal> {
  static constexpr std::string_view name = "not_equal";
  static constexpr bool of_complex = true;
  template <class T>
  TESSERA_FUNCTION static constexpr bool eval(T x, T y) {
    return x != y;
  }
};
struct less : comparison<less> {
  static constexpr std::string_view name = "less";
  template <class T>
  TESSERA_FUNCTION static constexpr bool eval(T x, T y) {
    return x < y;
  }
};
struct less_equal : comparison<less_equal> {
  static constexpr std::string_view name = "less_equal";
  template <class T>
  TESSERA_FUNCTION static constexpr bool eval(T x, T y) {
    return x <= y;
  }
};
struct greater : comparison<greater> {
  static constexpr std::string_view name = "greater";
  template <class T>
  TESSERA_FUNCTION static constexpr bool eval(T x, T y) {
    return x > y;
  }
};
struct greater_equal : comparison<greater_equal> {
  static constexpr std::string_view name = "greater_equal";
  template <class T>
  TESSERA_FUNCTION static constexpr bool eval(T x, T y) {
    return x >= y;
  }
};

// Of numbers that are neither whole nor bool, whether they are 0 counts.
template <class B>
constexpr term truth_of(B& b, term x) {
  return is_inexact(x.facts().element) ? tessera::detail::as_dtype(b, x, {dtype::boolean, false}) : x;
}
template <class Op>
struct logical : comparison<Op, accepts::booleans> {
  template <class B>
  static constexpr term build(B& b, term const* x, int count, attributes const& attrs) {
    term const both[]{truth_of(b, x[0]), truth_of(b, x[1])};
    if (!both[0] || !both[1]) return {&b, -1};
    return comparison<Op, accepts::booleans>::build(b, both, count, attrs);
  }
};
struct logical_and : logical<logical_and> {
  static constexpr std::string_view name = "logical_and";
  template <class T>
  TESSERA_FUNCTION static constexpr bool eval(T x, T y) {
    return x && y;
  }
};
struct logical_or : logical<logical_or> {
  static constexpr std::string_view name = "logical_or";
  template <class T>
  TESSERA_FUNCTION static constexpr bool eval(T x, T y) {
    return x || y;
  }
};
struct logical_not : unary<logical_not, accepts::booleans> {
  static constexpr std::string_view name = "logical_not";
  static constexpr bool gives_bool = true;
  template <class B>
  static constexpr term build(B& b, term const* x, int count, attributes const& attrs) {
    auto const truth = truth_of(b, x[0]);
    return truth ? unary<logical_not, accepts::booleans>::build(b, &truth, count, attrs) : truth;
  }
  template <class T>
  TESSERA_FUNCTION static constexpr bool eval(T x) {
    return !x;
  }
  static constexpr bool locally_constant = true;
};

struct isnan : unary<isnan, accepts::floats> {
  static constexpr std::string_view name = "isnan";
  static constexpr bool of_complex = true;
  static constexpr bool gives_bool = true;
  template <class T>
  TESSERA_FUNCTION static constexpr bool eval(T x) {
    return x != x;
  }
  static constexpr bool locally_constant = true;
};
struct isfinite : unary<isfinite, accepts::floats> {
  static constexpr std::string_view name = "isfinite";
  static constexpr bool of_complex = true;
  static constexpr bool gives_bool = true;
  template <class T>
  TESSERA_FUNCTION static constexpr bool eval(T x) {
    return x - x == T(0);  // also of both parts of a complex number
  }
  static constexpr bool locally_constant = true;
};

}  // namespace ops

inline constexpr binary_door<ops::equal> equal;
inline constexpr binary_door<ops::not_equal> not_equal;
inline constexpr binary_door<ops::less> less;
inline constexpr binary_door<ops::less_equal> less_equal;
inline constexpr binary_door<ops::greater> greater;
inline constexpr binary_door<ops::greater_equal> greater_equal;
inline constexpr binary_door<ops::logical_and> logical_and;
inline constexpr binary_door<ops::logical_or> logical_or;
inline constexpr unary_door<ops::logical_not> logical_not;
inline constexpr unary_door<ops::isnan> isnan;
inline constexpr unary_door<ops::isfinite> isfinite;

}  // namespace tessera
