// SPDX-License-Identifier: Apache-2.0
#pragma once
// A scalar constant written in the program, and the arguments of a program.

#include <tessera/graph/builder.hpp>

namespace tessera {
namespace ops {

// An input: its facts are given. Never judged, has no transpose.
struct argument {
  static constexpr std::string_view name = "argument";
  static constexpr op_class kind = op_class::argument;
};

// () -> element[]; attrs.element, attrs.number (of complex: the real part) or attrs.integer (bool: 0 or 1); weak when attrs.first is not empty.
struct literal {
  static constexpr std::string_view name = "literal";
  static constexpr op_class kind = op_class::literal;
  static constexpr verdict rule(rule_input const& in) {
    array_value v;
    v.element = in.attrs.element;
    v.weak = !in.attrs.first.empty();
    return accept(v);
  }
};

}  // namespace ops

static_assert(op_register<ops::argument>::done && op_register<ops::literal>::done);  // an error may name them

// A weakly typed scalar, as a literal in the user's code is: x * 0.5.
constexpr term number(builder& b, double value) {
  attributes attrs;
  attrs.first.push_back(1);
  attrs.number = value;
  return b.emit(info<ops::literal>, {}, attrs);
}
// A scalar of exactly this dtype.
constexpr term number(builder& b, double value, dtype element) {
  attributes attrs;
  attrs.element = element;
  if (is_inexact(element))
    attrs.number = value;
  else
    attrs.integer = static_cast<std::int64_t>(value);
  return b.emit(info<ops::literal>, {}, attrs);
}

}  // namespace tessera
