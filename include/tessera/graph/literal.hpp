// SPDX-License-Identifier: Apache-2.0
#pragma once
// A scalar constant written in the program, and the arguments of a program.

#include <tessera/aval/number.hpp>
#include <tessera/graph/builder.hpp>

namespace tessera {
namespace ops {

// An input: its facts are given. It has no rule and no transpose.
struct argument {
  static constexpr std::string_view name = "argument";
  static constexpr op_class kind = op_class::argument;
};

// Stands for an operation in the refusal of a call that must be written differently (base/written_otherwise.hpp).
template <template <class...> class Written>
struct otherwise {
  static constexpr std::string_view name = "call";
  static constexpr op_class kind = op_class::argument;
};

// () -> element[]
struct literal {
  static constexpr std::string_view name = "literal";
  static constexpr op_class kind = op_class::literal;
  static constexpr verdict rule(rule_input const& in) {
    auto const& given = in.attrs.as<literal_params>();
    array_value v;
    v.element = given.element;
    v.weak = given.weak;
    return accept(v);
  }
};

}  // namespace ops

static_assert(op_register<ops::argument>::done && op_register<ops::literal>::done);  // an error may name them

// The C++ number of a literal.
constexpr number_value number_value_in(literal_params const& literal) {
  bool const real = literal.fits && is_inexact(literal.element);
  return {real ? number_value::form::real : literal.form, literal.number, literal.integer};
}
constexpr literal_params literal_of(number_value const& n, dtype element) {
  literal_params made;
  made.element = element;
  if (is_inexact(element))
    made.number = real_of(n);
  else
    made.integer = integer_in(n, element);
  return made;
}
// A weak literal with its full value; `element` is its type if it meets no other type.
constexpr literal_params weak_literal_of(number_value const& n, dtype element) {
  literal_params made;
  made.element = element;
  made.weak = true;
  if (is_inexact(element)) {
    made.number = real_of(n);
  } else {
    if (n.is == number_value::form::natural) made.form = n.is;
    made.integer = n.whole;
  }
  return made;
}
// Whether the number of this literal fits its element type.
constexpr bool literal_fits(literal_params const& literal) {
  return literal.weak ? fits(number_value_in(literal), literal.element) : literal.fits;
}

namespace detail {
// A cast of a literal, as a literal. If the number does not fit, it is kept for the refusal.
constexpr literal_params cast_literal(literal_params const& from, cast_params const& to) {
  number_value const value = number_value_in(from);
  if (to.weak) return weak_literal_of(value, to.element);
  literal_params made = literal_of(value, to.element);
  bool const asked = to.role == cast_role::asked;
  if (from.weak ? !asked && !fits(value, to.element) : !literal_fits(from)) {
    made.number = value.real;
    made.integer = value.whole;
    made.fits = false;
    made.form = value.is;
  }
  return made;
}
}  // namespace detail

// A weakly typed scalar, like a literal in the user's code: x * 0.5.
constexpr term number(builder& b, double value) {
  literal_params made;
  made.weak = true;
  made.number = value;
  return b.emit(info<ops::literal>, {}, made);
}
// A scalar of this dtype.
constexpr term number(builder& b, double value, dtype element) {
  literal_params made;
  made.element = element;
  if (is_inexact(element))
    made.number = value;
  else
    made.integer = static_cast<std::int64_t>(value);
  return b.emit(info<ops::literal>, {}, made);
}

}  // namespace tessera
