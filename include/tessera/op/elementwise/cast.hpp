// SPDX-License-Identifier: Apache-2.0
#pragma once
// astype<float>(x): x -> the same values in another element type, attrs.element; weak when attrs.first is not empty.
// Moves 0 bytes. Integers wrap. Float to integer truncates toward zero, anything to bool is x != 0, complex to real drops
// the imaginary part. A literal becomes another literal, and a C++ number another reading of its full value; one that an
// integer type cannot hold is refused where it takes that type from another operand, and wraps where a user writes the cast.

#include <tessera/op/base/door.hpp>
#include <tessera/op/base/elementwise.hpp>

namespace tessera {
namespace ops {

struct maximum;
struct minimum;

// attrs.integer of a cast.
enum class cast_role : std::int64_t {
  promotes,  // an operand takes another one's type
  asked,     // the user wrote it
  number     // of a program's argument that is a C++ number, as it is where it meets no other type
};

struct cast {
  static constexpr std::string_view name = "astype";
  static constexpr op_class kind = op_class::elementwise;
  static constexpr int arity = 1;

  static constexpr verdict rule(rule_input const& in) {
    if (!in[0].unreduced.empty() && !is_inexact(in.attrs.element))
      return refuse(reason::unreduced_operand, -1, in[0].unreduced);
    array_value out = in[0];
    out.element = in.attrs.element;
    out.weak = !in.attrs.first.empty();
    return accept(out);
  }
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    array_value const& operand = x[0].facts();
    if (operand.element == attrs.element && operand.weak == !attrs.first.empty()) return x[0];
    node const& from = b.at(x[0].id);
    if (from.op->kind == op_class::literal) return literal_as(b, from.attrs, attrs);
    if (operand.weak) {
      attributes const spread = from.attrs;
      if (from.op->name == name && spread.integer == static_cast<std::int64_t>(cast_role::number))
        return b.template emit<cast>({term{&b, b.recorded.operands[static_cast<std::size_t>(from.first_operand)]}},
                                     attrs);
      // What repeats a number, or says where it is: the same of the number as another type.
      if (from.op->kind == op_class::broadcast || from.op->kind == op_class::enter || from.op->name == "pvary") {
        op_info const& op = *from.op;
        term const one{&b, b.recorded.operands[static_cast<std::size_t>(from.first_operand)]};
        term const made = b.template make<cast>({one}, attrs);
        return made ? b.emit(op, {made}, spread) : made;
      }
    }
    attributes plain = attrs;
    plain.integer = 0;
    bool const small = is_integer(attrs.element) && wide_integer(attrs.element) != attrs.element;
    return small && is_inexact(operand.element) ? within(b, x[0], plain) : b.template emit<cast>({x[0]}, plain);
  }
  template <class B>
  static constexpr term literal_as(B& b, attributes const& from, attributes const& to) {
    number_value const value = number_value_in(from);
    if (!to.first.empty()) return b.template emit<literal>({}, weak_literal_of(value, to.element));
    attributes made = literal_of(value, to.element);
    bool const asked = to.integer == static_cast<std::int64_t>(cast_role::asked);
    bool const weak = !from.first.empty();
    if (weak ? !asked && !fits(value, to.element) : !literal_fits(from)) {
      made.number = value.real;
      made.integer = value.whole;
      made.second = {2, static_cast<std::int64_t>(value.is)};
    }
    return b.template emit<literal>({}, made);
  }
  // Floats beyond the ends of an integer type without a register of its own become the ends, as XLA's do.
  template <class B>
  static constexpr term within(B& b, term x, attributes const& attrs) {
    attributes wide;
    wide.element = attrs.element == dtype::uint32 ? dtype::int64 : real_of(x.facts().element);
    if (bytes_of(wide.element) < 4) wide.element = dtype::float32;
    x = b.template make<cast>({x}, wide);
    if (!x) return x;
    term const low = number(b, static_cast<double>(lowest_integer(attrs.element)), wide.element);
    term const high = number(b, static_cast<double>(highest_integer(attrs.element)), wide.element);
    x = b.template make<minimum>({b.template make<maximum>({x, low}), high});
    return x ? b.template emit<cast>({x}, attrs) : x;
  }
  template <class R, class T>
  TESSERA_FUNCTION static constexpr R convert(T x) {
    if constexpr (!tessera::detail::is_complex_type<T> || tessera::detail::is_complex_type<R>)
      return static_cast<R>(x);
    else if constexpr (std::is_same_v<R, bool>)
      return x != T{};
    else
      return static_cast<R>(x.real());
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    // give() restores the operand's dtype. Whole numbers have no gradient.
    bool const through = is_inexact(back.operand(0).facts().element) && is_inexact(back.result().facts().element);
    if (through) back.give(0, back.cotangent());
  }
  template <class R>
  struct to {
    template <class T>
    static constexpr R eval(T x) {
      return convert<R>(x);
    }
  };
  static lanes_function block(dtype result, dtype operand) {
    return detail::with_compute_type(operand, [&]<class T>(std::type_identity<T>) {
      return detail::with_compute_type(result, []<class R>(std::type_identity<R>) -> lanes_function {
        return detail::loop_of<cast, detail::lane_loop<to<R>, R, T>>();
      });
    });
  }
};

}  // namespace ops

template <class Element>
struct to_element {
  template <Mesh M>
  static constexpr attributes on() {
    attributes attrs;
    attrs.element = dtype_of<Element>();
    attrs.integer = static_cast<std::int64_t>(ops::cast_role::asked);
    return attrs;
  }
};

template <class Element, class X>
constexpr auto astype(X const& x, site at = std::source_location::current()) {
  return invoke<ops::cast, to_element<Element>>(at, x);
}

}  // namespace tessera

#include <tessera/op/elementwise/arithmetic.hpp>
