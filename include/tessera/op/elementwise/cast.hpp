// SPDX-License-Identifier: Apache-2.0
#pragma once
// astype<float>(x): x -> the same values in another element type.    astype(x, y): in the element type of y.
// Moves 0 bytes. Integers wrap. Float to integer truncates toward zero, what lies beyond the type becomes its end and
// NaN 0; anything to bool is x != 0, complex to real drops the imaginary part. A literal becomes another literal, and a
// C++ number another reading of its full value; one that an integer type cannot hold is refused where it takes that
// type from another operand, and wraps where a user writes the cast.

#include <tessera/aval/half.hpp>
#include <tessera/op/base/door.hpp>
#include <tessera/op/base/elementwise.hpp>
#include <tessera/trace/enter_numbers.hpp>

#include <limits>

namespace tessera {
namespace ops {

struct maximum;
struct minimum;

// x without its fraction; NaN is 0, and what R cannot hold its end. Selections, so that loops become vector code.
template <class R, class T>
TESSERA_FUNCTION constexpr R whole_part(T x) {
  constexpr R least = std::numeric_limits<R>::min(), most = std::numeric_limits<R>::max();
  constexpr T low = static_cast<T>(least), end = static_cast<T>(most / 2 + 1) * 2;  // both exact
  R const inside = static_cast<R>(((x >= low) & (x < end)) ? x : T(0));
  return x >= end ? most : x < low ? least : inside;
}

// Its loops, in a class template so that only who names them compiles them.
template <class Self>
struct cast_loops {
  static lanes_function block(dtype result, dtype operand) {
    return detail::with_compute_type(operand, [&]<class T>(std::type_identity<T>) -> lanes_function {
      if constexpr (std::is_same_v<T, double> || std::is_same_v<T, complex128>)
        if (rounds_once(result))
          return detail::loop_of<Self, detail::lane_loop<typename Self::toward_half, float, T>>();
      return detail::with_compute_type(result, []<class R>(std::type_identity<R>) -> lanes_function {
        return detail::loop_of<Self, detail::lane_loop<typename Self::template to<R>, R, T>>();
      });
    });
  }
};

struct cast : cast_loops<cast> {
  static constexpr std::string_view name = "astype";
  static constexpr op_class kind = op_class::elementwise;
  static constexpr int arity = 1;

  static constexpr verdict rule(rule_input const& in) {
    auto const& to = in.attrs.as<cast_params>();
    if (!in[0].unreduced.empty() && !is_inexact(to.element))
      return refuse(reason::unreduced_operand, -1, in[0].unreduced);
    array_value out = in[0];
    out.element = to.element;
    out.weak = to.weak;
    return accept(out);
  }
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    array_value const& operand = x[0].facts();
    auto const& to = attrs.as<cast_params>();
    if (operand.element == to.element && operand.weak == to.weak) return x[0];
    node const& from = b.at(x[0].id);
    if (from.op->kind == op_class::literal) {
      term const made =
          b.template emit<literal>({}, tessera::detail::cast_literal(from.attrs.as<literal_params>(), to));
      if constexpr (requires { b.literal_casts; })
        if (b.keeps_literal_casts) b.literal_casts.push_back({made.id, x[0].id, to});
      return made;
    }
    if (operand.weak) {
      attributes const spread = from.attrs;
      if (from.op->name == name && spread.as<cast_params>().role == cast_role::number)
        return b.template emit<cast>({term{&b, b.recorded.operands[from.first_operand]}}, attrs);
      // What repeats a number, or says where it is: the same of the number as another type.
      if (from.op->kind == op_class::broadcast || from.op->kind == op_class::enter || from.op->name == "pvary") {
        op_info const& op = *from.op;
        term const one{&b, b.recorded.operands[from.first_operand]};
        array_value repeated = operand;
        auto const made = make<cast>(b, {one}, attrs);
        if (!made) return made;
        repeated.element = made.facts().element;
        repeated.weak = made.facts().weak;
        return {&b, b.push(op, &made.id, 1, spread, repeated)};  // not emit: a constant that was made has no rules
      }
    }
    cast_params const plain{to.element, to.weak};
    bool const small = is_integer(to.element) && wide_integer(to.element) != to.element;
    return small && is_inexact(operand.element) ? within(b, x[0], plain) : b.template emit<cast>({x[0]}, plain);
  }
  // Floats beyond the ends of an integer type without a register of its own become the ends, as XLA's do.
  template <class B>
  static constexpr term within(B& b, term x, cast_params const& to) {
    cast_params wide;
    wide.element = to.element == dtype::uint32 ? dtype::int64 : wide_float(real_of(x.facts().element));
    x = make<cast>(b, {x}, wide);
    if (!x) return x;
    auto const low = number(b, static_cast<double>(lowest_integer(to.element)), wide.element);
    auto const high = number(b, static_cast<double>(highest_integer(to.element)), wide.element);
    x = make<minimum>(b, {make<maximum>(b, {x, low}), high});
    return x ? b.template emit<cast>({x}, to) : x;
  }
  template <class R, class T>
  TESSERA_FUNCTION static constexpr R convert(T x) {
    if constexpr (std::is_same_v<T, bool> && std::is_arithmetic_v<R>)
      return x ? R{1} : R{0};  // g++ 12 does not vectorize a conversion from bool
    else if constexpr (tessera::detail::is_complex_type<T> && std::is_integral_v<R> && !std::is_same_v<R, bool>)
      return convert<R>(x.real());
    else if constexpr (std::is_floating_point_v<T> && std::is_integral_v<R> && !std::is_same_v<R, bool>)
      return whole_part<R>(x);
    else if constexpr (!tessera::detail::is_complex_type<T> || tessera::detail::is_complex_type<R>)
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
  // What becomes a float16 or float of 8 bits when it is stored: the float that rounds to the same one as x.
  struct toward_half {
    template <class T>
    static constexpr float eval(T x) {
      return tessera::detail::toward_odd(convert<double>(x));
    }
  };
};

}  // namespace ops

template <class Element>
struct to_element {
  using element_asked = Element;
  template <Mesh M>
  static constexpr cast_params on() {
    return {dtype_of<Element>(), false, cast_role::asked};
  }
};

namespace functions {

template <class Element, class X>
constexpr auto astype(X const& x, site at = std::source_location::current()) {
  return invoke<ops::cast, to_element<Element>>(at, x);
}
template <class X, class Y>
  requires(!std::is_same_v<Y, site>)
constexpr auto astype(X const& x, Y const&, site at = std::source_location::current()) {
  if constexpr (Operand<Y>) {
    return astype<element_of<operand_traits<Y>::type::value.element>>(x, at);
  } else {
    error::not_an_array<ops::cast, error::given<Y>>::explain();
    return x;
  }
}

}  // namespace functions

}  // namespace tessera

#include <tessera/op/elementwise/arithmetic.hpp>
