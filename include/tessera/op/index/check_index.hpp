// SPDX-License-Identifier: Apache-2.0
#pragma once
// Handles an index outside before anything is read: it is refused while compiling if its value is known, and under
// mode::checked it throws std::out_of_range at run time, with the index, its dimension and the extent.

#include <tessera/aval/dtype.hpp>
#include <tessera/graph/effect.hpp>
#include <tessera/graph/literal.hpp>
#include <tessera/rule/indexing.hpp>
#include <tessera/trace/invoke.hpp>

#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace tessera {
namespace detail {

// x's value, if it is a literal integer.
template <class B>
constexpr bool is_literal(B& b, term x, std::int64_t& value) {
  node const& n = b.at(x.id);
  if (n.op->kind != op_class::literal || !is_integer(n.facts.element)) return false;
  auto const& literal = n.attrs.template as<literal_params>();
  value = literal.integer;
  return literal.fits && literal.form == number_value::form::whole;
}

inline std::string outside_text(std::string const& index, std::int64_t dim, std::int64_t extent) {
  return "tessera: index " + index + " of dimension " + std::to_string(dim) + ", which has " + std::to_string(extent) +
         " elements. Fix: " +
         (extent > 0 ? "an index from " + std::to_string(-extent) + " to " + std::to_string(extent - 1) + "."
                     : "an array that has some.");
}

template <class T>
std::int64_t as_int64(std::byte const* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  return std::in_range<std::int64_t>(value) ? static_cast<std::int64_t>(value) : most;
}
// Element i; a number that int64 cannot hold becomes its largest.
inline std::int64_t integer_at(effect_operand const& x, std::int64_t i) {
  std::byte const* const at = x.data + i * bytes_of(x.facts.element);
  switch (x.facts.element) {
    case dtype::int8: return as_int64<std::int8_t>(at);
    case dtype::int16: return as_int64<std::int16_t>(at);
    case dtype::int32: return as_int64<std::int32_t>(at);
    case dtype::uint8: return as_int64<std::uint8_t>(at);
    case dtype::uint16: return as_int64<std::uint16_t>(at);
    case dtype::uint32: return as_int64<std::uint32_t>(at);
    case dtype::uint64: return as_int64<std::uint64_t>(at);
    default: return as_int64<std::int64_t>(at);
  }
}

}  // namespace detail

namespace ops {

// Integers of a dimension of some extent -> nothing. An effect: it throws.
struct check_index {
  static constexpr std::string_view name = "check_index";
  static constexpr op_class kind = op_class::effect;
  static constexpr verdict rule(rule_input const& in) {
    if (!is_integer(in[0].element)) return refuse(reason::element_unsupported);
    if (!in[0].unreduced.empty()) return refuse(reason::unreduced_operand, -1, in[0].unreduced);
    array_value nothing;
    nothing.element = dtype::int32;
    nothing.add_dim(0);
    return accept(nothing);
  }
  static void act(effect_call const& call) {
    auto const& [axes, extent, dim, text, checks] = call.attrs->as<effect_params>();
    effect_operand const& index = call.operands[0];
    for (std::int64_t i = 0; i < index.facts.size(); ++i) {
      auto const value = detail::integer_at(index, i);
      if (value < -extent || value >= extent)
        throw std::out_of_range(detail::outside_text(std::to_string(value), dim, extent));
    }
  }
};

}  // namespace ops

namespace detail {

// The index `given` of dimension d; along `axes` each device checks its own.
template <class B>
constexpr verdict judge_index(B& b, array_value const& x, int d, term given, index_mode mode, axis_set axes) {
  auto const n = x.extent(d);
  std::int64_t value = 0;
  bool const known = n != dynamic && is_literal(b, given, value);
  if (known && value >= -n && value < n) return {};
  if (known && mode.refuse_known && std::is_constant_evaluated())
    return refuse(reason::index_out_of_range, d, {}, value, n);
  if (mode.check) (void)make<ops::check_index>(b, {given}, effect_params{axes, n, d});
  return {};
}

}  // namespace detail
}  // namespace tessera
