// SPDX-License-Identifier: Apache-2.0
#pragma once
// pad: (x, scalar) -> x with elements of that value added before, after and between those of each
// dimension; negative numbers remove.
//   pad(x, 0.0, low<0, 1>, high<8, 1>)   pad(x, 0.0, high<8>)   pad(x, 0.0, interior<1>)    dimensions not given: 0
// Sharded dimensions stay sharded and their new extent must divide. Bytes: as slice.
// Source: JAX 0.10.2 lax.pad.

#include <tessera/op/index/slice.hpp>

namespace tessera {
namespace ops {

struct reduce_sum;
struct negative;

struct pad {
  static constexpr std::string_view name = "pad";
  static constexpr op_class kind = op_class::pad;
  static constexpr verdict rule(rule_input const& in) { return rule::pad(in); }

  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    array_value const operand = x[0].facts();
    term both[]{x[0], x[1]};
    if (both[1].facts().element != operand.element) both[1] = make<cast>(b, {x[1]}, cast_params{operand.element});
    bool const zero = is_zero(b.at(both[1].id));
    if (!operand.unreduced.empty() && !zero)
      return b.template refuse<pad>(refuse(reason::unreduced_operand, -1, operand.unreduced), operand, both[1].facts());
    pad_params const given = attrs.as<pad_params>();
    pad_params whole;
    axis_set changed;
    for (int d = 0; d < operand.rank; ++d) {
      whole.low.push_back(rule::detail::at_or(given.low, d, 0));
      whole.high.push_back(rule::detail::at_or(given.high, d, 0));
      whole.interior.push_back(rule::detail::at_or(given.interior, d, 0));
      if (whole.low[d] != 0 || whole.high[d] != 0 || whole.interior[d] != 0) changed |= axis_set::of(d);
    }
    auto const dims = std::max({given.low.size(), given.high.size(), given.interior.size()});
    if (dims > operand.rank)
      return b.template refuse<pad>(refuse(reason::ranks_disagree, -1, {}, operand.rank, dims), operand);
    if (changed.empty()) return x[0];
    return detail::emit_on_whole_dims<pad>(b, both, 2, whole, changed);
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    array_value const x = back.operand(0).facts();
    pad_params const forward = back.attrs().template as<pad_params>();
    pad_params crop;
    slice_params part;  // negative padding removed elements: zeros take their place, then the operand's are picked
    for (int d = 0; d < x.rank; ++d) {
      auto const low = forward.low[d], high = forward.high[d];
      crop.low.push_back(low < 0 ? -low : 0);
      crop.high.push_back(high < 0 && high != rule::unknown_padding ? -high : 0);
      part.start.push_back(low > 0 ? low : 0);
      auto const n = x.extent(d);
      part.limit.push_back(n == dynamic ? dynamic
                                        : part.start[d] + (n > 0 ? (n - 1) * (forward.interior[d] + 1) + 1 : 0));
      part.stride.push_back(forward.interior[d] + 1);
    }
    auto const zero = number(back.graph(), 0.0, back.cotangent().facts().element);
    term own = make<pad>(back, {back.cotangent(), zero}, crop);
    own = own ? make<slice>(back, {own}, part) : own;
    back.give(0, own);
    if (!back.wants(1) || !own) return;
    reduce_params all;
    for (int d = 0; d < x.rank; ++d) all.dims.push_back(d);
    auto const total = make<reduce_sum>(back, {back.cotangent()}, all);
    auto const inside = make<reduce_sum>(back, {own}, all);
    term const outside = total && inside ? total + -inside : total;
    back.give(1, outside);
  }

private:
  static constexpr bool is_zero(node const& value) {
    if (value.op->kind != op_class::literal) return false;
    auto const& literal = value.attrs.as<literal_params>();
    return literal.number == 0 && literal.integer == 0;
  }
};

}  // namespace ops

template <std::int64_t... Count>
struct low_t {};
template <std::int64_t... Count>
struct high_t {};
template <std::int64_t... Count>
struct interior_t {};
template <std::int64_t... Count>
inline constexpr low_t<Count...> low{};
template <std::int64_t... Count>
inline constexpr high_t<Count...> high{};
template <std::int64_t... Count>
inline constexpr interior_t<Count...> interior{};

namespace detail {

template <std::int64_t... N>
constexpr auto padding_of(low_t<N...>) {
  return &pad_params::low;
}
template <std::int64_t... N>
constexpr auto padding_of(high_t<N...>) {
  return &pad_params::high;
}
template <std::int64_t... N>
constexpr auto padding_of(interior_t<N...>) {
  return &pad_params::interior;
}
template <template <std::int64_t...> class Kind, std::int64_t... N>
constexpr extents_list extents_in(Kind<N...>) {
  return {N...};
}
template <class T>
concept Padding = requires {
  padding_of(T{});
};

template <class T, class... Given>
inline constexpr int times_given = (0 + ... + (padding_of(T{}) == padding_of(Given{}) ? 1 : 0));
// None of the three twice.
template <class... Given>
concept Paddings = (Padding<Given> && ...) && ((times_given<Given, Given...> == 1) && ...);

// Of low, high and interior those that are given, in any order.
template <class... Given>
struct padded_by {
  template <Mesh M>
  static constexpr pad_params on() {
    pad_params all;
    ((all.*padding_of(Given{}) = extents_in(Given{})), ...);
    return all;
  }
};

}  // namespace detail

namespace functions {

template <class X, class V, detail::Padding A>
constexpr auto pad(X const& x, V const& value, A, site at = std::source_location::current()) {
  return invoke<ops::pad, detail::padded_by<A>>(at, x, value);
}
template <class X, class V, class A, class B>
  requires detail::Paddings<A, B>
constexpr auto pad(X const& x, V const& value, A, B, site at = std::source_location::current()) {
  return invoke<ops::pad, detail::padded_by<A, B>>(at, x, value);
}
template <class X, class V, class A, class B, class C>
  requires detail::Paddings<A, B, C>
constexpr auto pad(X const& x, V const& value, A, B, C, site at = std::source_location::current()) {
  return invoke<ops::pad, detail::padded_by<A, B, C>>(at, x, value);
}

}  // namespace functions

}  // namespace tessera

#include <tessera/op/base/foundation.hpp>
