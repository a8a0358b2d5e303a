// SPDX-License-Identifier: Apache-2.0
#pragma once
// The element types that an operation with a kernel of its own takes and gives, and its shape.

#include <tessera/op/base/door.hpp>
#include <tessera/op/base/elementwise.hpp>

namespace tessera {

template <class... T>
struct opaque_types {};

namespace detail {

template <class Op>
inline constexpr bool has_own_types = false;
template <class Op>
  requires requires { Op::own_types; }
inline constexpr bool has_own_types<Op> = true;

template <class Op, class T>
constexpr auto opaque_results() {
  if constexpr (requires { typename Op::template results<T>; })
    return typename Op::template results<T>{};
  else
    return opaque_types<T>{};
}
template <class Op, class T, std::size_t... I>
constexpr auto opaque_operands(std::index_sequence<I...>) {
  if constexpr (requires { typename Op::template operands<T>; })
    return typename Op::template operands<T>{};
  else
    return opaque_types<std::enable_if_t<(I < 99), T>...>{};
}
template <class... T>
constexpr dtype nth_dtype(opaque_types<T...>, int k) {
  constexpr dtype all[]{dtype_of<T>()...};
  return all[k];
}

// Has Op kernels for wide floats only? Others are computed as float32.
template <class Op>
inline constexpr bool has_wide_floats = requires {
  requires Op::wide_floats;
};

// f(std::type_identity<T>) for the storage type of an element type that Op accepts and that has a kernel: see
// `widened`.
template <class Op, class F>
constexpr void with_accepted(dtype element, F&& f) {
  auto const one = [&]<class T>(std::type_identity<T> t) {
    if constexpr (ops::accepted_by<Op>(Op::domain, dtype_of<T>()) &&
                  !(has_wide_floats<Op> && wide_float(dtype_of<T>()) != dtype_of<T>()))
      if (dtype_of<T>() == element) f(t);
  };
  one(std::type_identity<bool>{});
  one(std::type_identity<std::int32_t>{});
  one(std::type_identity<std::int64_t>{});
  one(std::type_identity<std::uint64_t>{});
  one(std::type_identity<float16>{});
  one(std::type_identity<bfloat16>{});
  one(std::type_identity<float>{});
  one(std::type_identity<double>{});
  one(std::type_identity<complex64>{});
  one(std::type_identity<complex128>{});
}

template <class Op>
constexpr opaque_shape opaque_shape_of(rule_input const& in) {
  if constexpr (has_own_types<Op>) {
    return Op::shape(in);
  } else {
    opaque_shape shape;
    if (!ops::accepted_by<Op>(Op::domain, in[0].element)) {
      shape.refused = refuse(reason::element_unsupported);
      return shape;
    }
    shape = Op::shape(in);
    with_accepted<Op>(in[0].element, [&]<class T>(std::type_identity<T>) {
      auto const operands = opaque_operands<Op, T>(std::make_index_sequence<Op::arity>{});
      for (int i = 0; i < in.count && shape.refused; ++i)
        if (in[i].element != nth_dtype(operands, i)) {
          shape.refused = refuse(reason::elements_disagree);
          shape.refused.operand = i;
        }
      for (int k = 0; k < Op::result_count; ++k) {
        shape.result[k].element = nth_dtype(opaque_results<Op, T>(), k);
        shape.result[k].follows = nth_dtype(opaque_results<Op, double>(), k) == dtype::float64;
      }
    });
    return shape;
  }
}

// Emitted of operands in type `wide`; its result in their own type again, if it `follows` them. Of integers those that are of
// the first operand's type are cast, of floats all operands.
template <class Emitted, class B>
constexpr term computed_in(dtype wide, bool follows, B& b, term const* operands, int count, attributes const& attrs) {
  weak_dtype const own = dtype_of_term(operands[0]);
  term all[builder::max_operands]{};
  for (int i = 0; i < count; ++i) {
    bool const cast = is_floating(own.element) || operands[i].facts().element == own.element;
    all[i] = cast ? as_dtype(b, operands[i], {wide, false}) : operands[i];
    if (!all[i]) return all[i];
  }
  auto const result = b.template emit<Emitted>(all, count, attrs);
  return follows ? as_dtype(b, result, own) : result;
}
// Brings the operands of a kernel that takes one type to the one they have in common, for kernels of floats to an inexact
// one. False if one is refused.
template <class Op, class B>
constexpr bool in_one_dtype(B& b, term* x, int count) {
  if constexpr (has_own_types<Op> || requires { typename Op::template operands<float>; }) return true;
  if (count == 0) return true;
  return Op::domain == ops::accepts::floats ? promote_dtypes_inexact(b, x, count) : promote_dtypes(b, x, count);
}
// Result K of Op, whose kernels have the integers with registers only, no floats of 8 bits, and with Op::wide_floats none
// of 16: others are computed in a wider type. `Emitted` is Op or its part, the emitted op.
template <class Emitted, class Op, int K, class B>
constexpr term widened(B& b, term const* given, int count, attributes const& attrs) {
  term operands[builder::max_operands]{};
  for (int i = 0; i < count; ++i) operands[i] = given[i];
  if (!in_one_dtype<Op>(b, operands, count)) return {&b, -1};
  if constexpr (!has_own_types<Op> && ops::accepted(Op::domain, dtype::float32)) {
    if (dtype const own = operands[0].facts().element; is_float8(own) || (has_wide_floats<Op> && is_floating(own))) {
      constexpr bool follows = nth_dtype(opaque_results<Op, float>(), K) == dtype::float32;
      return computed_in<Emitted>(wide_float(own), follows, b, operands, count, attrs);
    }
  }
  if constexpr (!has_own_types<Op> && ops::accepted(Op::domain, dtype::int32)) {
    dtype const own = count > 0 ? operands[0].facts().element : dtype::boolean, wide = wide_integer(own);
    if (own != wide) {
      constexpr bool follows = nth_dtype(opaque_results<Op, std::int32_t>(), K) == dtype::int32 &&
                               nth_dtype(opaque_results<Op, std::int64_t>(), K) == dtype::int64;
      if (count > 0) return computed_in<Emitted>(wide, follows, b, operands, count, attrs);
    }
  }
  return b.template emit<Emitted>(operands, count, attrs);
}

}  // namespace detail
}  // namespace tessera
