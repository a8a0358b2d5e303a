// SPDX-License-Identifier: Apache-2.0
#pragma once
// bitcast_convert_type<int32>(x), also bitcast: the same bits in another type. For a narrower type there is a new last
// dimension, the parts of each element, lowest first; for a wider type the last dimension, whose extent is the number
// of parts, is removed. Not for bool or complex.
//   uint32[8@dp] -> uint8[8@dp,4]   bfloat16[8,2] -> float32[8]
// Layouts and bytes are those of shifts and of a sum over the last dimension. No gradient. Source: JAX 0.10.2 lax.

#include <tessera/aval/float_format.hpp>
#include <tessera/op/create/iota.hpp>
#include <tessera/op/elementwise/bitwise.hpp>
#include <tessera/op/elementwise/where.hpp>
#include <tessera/op/reduce/reduce.hpp>
#include <tessera/op/shape/expand_dims.hpp>

#include <bit>
#include <cstring>

namespace tessera {
namespace ops {

// The primitive, between float32 and int32, float64 and int64; its cast_params have the result's element. All other
// casts are shifts of whole numbers.
struct bitcast {
  static constexpr std::string_view name = "bitcast_convert_type";
  static constexpr op_class kind = op_class::elementwise;
  static constexpr int arity = 1;
  static constexpr verdict rule(rule_input const& in) {
    dtype const to = in.attrs.as<cast_params>().element;
    array_value out = in[0];
    auto const whole = is_integer(out.element) ? out.element : to, other = is_integer(out.element) ? to : out.element;
    bool const known =
        (whole == dtype::int32 && other == dtype::float32) || (whole == dtype::int64 && other == dtype::float64);
    if (!known) return refuse(reason::element_unsupported);
    if (!out.unreduced.empty()) return refuse(reason::unreduced_operand, -1, out.unreduced);
    out.element = to;
    out.weak = false;
    return accept(out);
  }
  template <class B>
  static constexpr term build(B& b, term const* operand, int, attributes const& attrs) {
    term const x = operand[0];
    array_value const own = x.facts();
    dtype const from = own.element, to = attrs.as<cast_params>().element;
    if (from == to) return x;
    bool const bits = (is_integer(from) || is_floating(from)) && (is_integer(to) || is_floating(to));
    if (!bits) return b.template refuse<bitcast>(refuse(reason::element_unsupported), own);
    int const before = bytes_of(from), after = bytes_of(to);
    if (before == after) return with_bits(b, bits_of(b, x), to);
    expand_dims_params last{{-1}};
    auto const parts = before > after ? before / after : after / before;
    iota_params places{unsigned_integer(before > after ? before : after), 0, {parts}};
    term shifts = make<iota>(b, {}, places);
    shifts = shifts * number(b, 8.0 * (before > after ? after : before), places.element);
    if (before > after) {
      auto const wide = make<expand_dims>(b, {bits_of(b, x)}, last);
      auto const low = make<shift_right_logical>(b, {wide, shifts});
      return with_bits(b, as(b, low, unsigned_integer(after)), to);
    }
    auto const n = own.rank > 0 ? own.extent(own.rank - 1) : 1;
    if (own.rank == 0 || n != parts)
      return b.template refuse<bitcast>(refuse(reason::shapes_disagree, own.rank - 1, {}, parts, n), own);
    reduce_params over{{own.rank - 1}};
    auto const wide = as(b, bits_of(b, x), unsigned_integer(after));
    return with_bits(b, make<reduce_sum>(b, {make<left_shift>(b, {wide, shifts})}, over), to);
  }
  template <class R, class T>
  TESSERA_FUNCTION static constexpr R convert(T x) {
    if constexpr (sizeof(R) == sizeof(T))
      return std::bit_cast<R>(x);
    else
      return R{};  // never reached: the rule refuses it
  }
  static constexpr bool locally_constant = true;
  static lanes_function block(dtype result, dtype) {
    switch (result) {
      case dtype::float32: return &detail::lane_loop<to<float>, float, std::int32_t>::run;
      case dtype::float64: return &detail::lane_loop<to<double>, double, std::int64_t>::run;
      case dtype::int32: return &detail::lane_loop<to<std::int32_t>, std::int32_t, float>::run;
      default: return &detail::lane_loop<to<std::int64_t>, std::int64_t, double>::run;
    }
  }

  // Named by kernels.
  template <class R>
  struct to {
    template <class T>
    TESSERA_FUNCTION static constexpr R eval(T x) {
      return convert<R>(x);
    }
  };

private:
  template <class B>
  static constexpr term as(B& b, term x, dtype element) {
    return make<cast>(b, {x}, cast_params{element});
  }
  template <class B>
  static constexpr term whole(B& b, std::int64_t value) {
    return number(b, static_cast<double>(value), dtype::int32);
  }
  template <class B>
  static constexpr term same_bits(B& b, term x, dtype element) {
    return x ? b.template emit<bitcast>({x}, cast_params{element}) : x;
  }
  // As unsigned numbers of the same width.
  template <class B>
  static constexpr term bits_of(B& b, term x) {
    dtype const from = x.facts().element;
    if (from == dtype::float64) x = same_bits(b, x, dtype::int64);
    if (is_floating(from) && from != dtype::float64) x = same_bits(b, as(b, x, dtype::float32), dtype::int32);
    if (from == dtype::bfloat16) x = make<shift_right_logical>(b, {x, whole(b, 16)});
    if (from == dtype::float16 || is_float8(from)) x = small_of_single(b, x, small_format(from));
    return as(b, x, unsigned_integer(bytes_of(from)));
  }
  template <class B>
  static constexpr term with_bits(B& b, term x, dtype to) {
    if (!x || is_integer(to)) return as(b, x, to);
    if (to == dtype::float64) return same_bits(b, as(b, x, dtype::int64), to);
    x = as(b, x, dtype::int32);
    if (to == dtype::bfloat16) x = make<left_shift>(b, {x, whole(b, 16)});
    if (to == dtype::float16 || is_float8(to)) return as(b, single_of_small(b, x, small_format(to)), to);
    return as(b, same_bits(b, x, dtype::float32), to);
  }
  // A type of 8 or 16 bits.
  struct small_format {
    int mantissa, bits, dropped;  // dropped: bits of float's mantissa that it does not have
    std::int64_t exponent;        // the bits of its exponent
    std::int64_t special;         // the least that is no number
    std::int64_t bias;            // between the exponents of float and its own
    double unit;                  // its least number
    constexpr explicit small_format(dtype element)
        : mantissa(float_format_of(element).digits - 1), bits(8 * bytes_of(element)), dropped(23 - mantissa) {
      float_format const has = float_format_of(element);
      exponent = ((std::int64_t{1} << (bits - 1 - mantissa)) - 1) << mantissa;
      special = has.has_infinity ? exponent : exponent + (std::int64_t{1} << mantissa) - 1;
      bias = std::int64_t{125 + has.min_exponent} << 23;
      unit = 1;
      for (int e = has.min_exponent - 1 - mantissa; e < 0; ++e) unit /= 2;
    }
    constexpr std::int64_t sign() const { return std::int64_t{1} << (bits - 1); }
    constexpr std::int64_t fraction() const { return (std::int64_t{1} << mantissa) - 1; }
    constexpr std::int64_t least_normal() const { return bias + (std::int64_t{1} << 23); }  // as a float
  };
  // Bits of a float that is one of a small type's -> the bits that it has there.
  template <class B>
  static constexpr term small_of_single(B& b, term x, small_format const& to) {
    auto const sign =
        make<bitwise_and>(b, {make<shift_right_logical>(b, {x, whole(b, 32 - to.bits)}), whole(b, to.sign())});
    auto const size = make<bitwise_and>(b, {x, whole(b, 0x7fffffff)});
    auto const normal = make<right_shift>(b, {size - whole(b, to.bias), whole(b, to.dropped)});
    auto const fraction =
        make<bitwise_and>(b, {make<right_shift>(b, {size, whole(b, to.dropped)}), whole(b, to.fraction())});
    auto const special = make<bitwise_or>(b, {fraction, whole(b, to.special)});
    term const tiny =
        as(b, make<multiply>(b, {same_bits(b, size, dtype::float32), number(b, 1 / to.unit, dtype::float32)}),
           dtype::int32);
    auto const finite = make<where>(b, {make<less>(b, {size, whole(b, to.least_normal())}), tiny, normal});
    auto const all = make<where>(b, {make<less>(b, {size, whole(b, 0x7f800000)}), finite, special});
    return make<bitwise_or>(b, {sign, all});
  }
  // And back, as a float32.
  template <class B>
  static constexpr term single_of_small(B& b, term x, small_format const& from) {
    auto const exponent = make<bitwise_and>(b, {x, whole(b, from.exponent)});
    auto const fraction = make<bitwise_and>(b, {x, whole(b, from.fraction())});
    auto const size_there = make<bitwise_and>(b, {x, whole(b, from.sign() - 1)});
    auto const raised = make<left_shift>(b, {size_there, whole(b, from.dropped)});
    auto const special =
        make<bitwise_or>(b, {make<left_shift>(b, {fraction, whole(b, from.dropped)}), whole(b, 0x7f800000)});
    auto const bits = make<where>(
        b, {make<greater_equal>(b, {size_there, whole(b, from.special)}), special, raised + whole(b, from.bias)});
    auto const tiny = make<multiply>(b, {as(b, fraction, dtype::float32), number(b, from.unit, dtype::float32)});
    term const size =
        make<where>(b, {make<equal>(b, {exponent, whole(b, 0)}), tiny, same_bits(b, bits, dtype::float32)});
    auto const below = make<not_equal>(b, {make<bitwise_and>(b, {x, whole(b, from.sign())}), whole(b, 0)});
    return make<where>(b, {below, -size, size});
  }
};

}  // namespace ops

namespace functions {

template <class Element, class X>
constexpr auto bitcast_convert_type(X const& x, site at = std::source_location::current()) {
  return invoke<ops::bitcast, to_element<Element>>(at, x);
}
template <class Element, class X>
constexpr auto bitcast(X const& x, site at = std::source_location::current()) {
  return invoke<ops::bitcast, to_element<Element>>(at, x);
}

}  // namespace functions

}  // namespace tessera
