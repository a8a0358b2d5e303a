// SPDX-License-Identifier: Apache-2.0
#pragma once
// A scalar constant written in the program, and the arguments of a program.

#include <tessera/aval/number.hpp>
#include <tessera/graph/builder.hpp>

namespace tessera {
namespace ops {

// An input: its facts are given. Never judged, has no transpose. attrs.integer of one that is a C++ number: number_role.
struct argument {
  static constexpr std::string_view name = "argument";
  static constexpr op_class kind = op_class::argument;
};

// () -> element[]; attrs.element, attrs.number (of complex: the real part) or attrs.integer (bool: 0 or 1); weak when
// attrs.first is not empty. A weak one has the full value of the C++ number, which attrs.second says more of: 1, it is
// unsigned; in a literal that is not weak: 2 and its number_value::form, it does not fit attrs.element.
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

// What a literal was as a C++ number.
constexpr number_value number_value_in(attributes const& literal) {
  number_value n;
  bool const misfit = literal.second.size() == 2;
  n.is = misfit                        ? static_cast<number_value::form>(literal.second[1])
         : is_inexact(literal.element) ? number_value::form::real
         : !literal.second.empty()     ? number_value::form::natural
                                       : number_value::form::whole;
  n.real = literal.number;
  n.whole = literal.integer;
  return n;
}
constexpr attributes literal_of(number_value const& n, dtype element) {
  attributes attrs;
  attrs.element = element;
  if (is_inexact(element))
    attrs.number = real_of(n);
  else
    attrs.integer = integer_in(n, element);
  return attrs;
}
// A weak literal, at its full value; `element` is what it is where it meets no other type.
constexpr attributes weak_literal_of(number_value const& n, dtype element) {
  attributes attrs;
  attrs.element = element;
  attrs.first.push_back(1);
  if (is_inexact(element)) {
    attrs.number = real_of(n);
  } else {
    if (n.is == number_value::form::natural) attrs.second.push_back(1);
    attrs.integer = n.whole;
  }
  return attrs;
}
// Does the number of this literal fit the element type that it has?
constexpr bool literal_fits(attributes const& literal) {
  if (literal.first.empty()) return literal.second.size() < 2;
  return fits(number_value_in(literal), literal.element);
}

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
