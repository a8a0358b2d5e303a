// SPDX-License-Identifier: Apache-2.0
#pragma once
// pad: (x, scalar) -> x with elements of that value added: attrs.first before, attrs.second after and attrs.third
// between those of each dimension; negative numbers remove.
//   pad(x, 0.0, low<0, 1>, high<8, 1>)   pad(x, 0.0, low<0>, high<0>, interior<1>)    dimensions not given: 0
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
    if (both[1].facts().element != operand.element) {
      attributes to;
      to.element = operand.element;
      both[1] = b.template make<cast>({x[1]}, to);
    }
    node const& value = b.at(both[1].id);
    bool const zero = value.op->kind == op_class::literal && value.attrs.number == 0 && value.attrs.integer == 0;
    if (!operand.unreduced.empty() && !zero)
      return b.template refuse<pad>(refuse(reason::unreduced_operand, -1, operand.unreduced), operand, both[1].facts());
    attributes whole;
    axis_set changed;
    for (int d = 0; d < operand.rank; ++d) {
      whole.first.push_back(rule::detail::at_or(attrs.first, d, 0));
      whole.second.push_back(rule::detail::at_or(attrs.second, d, 0));
      whole.third.push_back(rule::detail::at_or(attrs.third, d, 0));
      if (whole.first[d] != 0 || whole.second[d] != 0 || whole.third[d] != 0) changed |= axis_set::of(d);
    }
    if (attrs.first.size() > operand.rank || attrs.second.size() > operand.rank || attrs.third.size() > operand.rank)
      return b.template refuse<pad>(refuse(reason::ranks_disagree, -1, {}, operand.rank, attrs.first.size()), operand);
    if (changed.empty()) return x[0];
    return detail::emit_on_whole_dims<pad>(b, both, 2, whole, changed);
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    array_value const x = back.operand(0).facts();
    attributes const forward = back.attrs();
    attributes crop, part;  // negative padding removed elements: zeros take their place, then the operand's are picked
    for (int d = 0; d < x.rank; ++d) {
      auto const low = forward.first[d], high = forward.second[d];
      crop.first.push_back(low < 0 ? -low : 0);
      crop.second.push_back(high < 0 && high != rule::unknown_padding ? -high : 0);
      part.first.push_back(low > 0 ? low : 0);
      auto const n = x.extent(d);
      part.second.push_back(n == dynamic ? dynamic
                                         : part.first[d] + (n > 0 ? (n - 1) * (forward.third[d] + 1) + 1 : 0));
      part.third.push_back(forward.third[d] + 1);
    }
    term const zero = number(back.graph(), 0.0, back.cotangent().facts().element);
    term own = back.template make<pad>({back.cotangent(), zero}, crop);
    own = own ? back.template make<slice>({own}, part) : own;
    back.give(0, own);
    if (!back.wants(1) || !own) return;
    attributes all;
    for (int d = 0; d < x.rank; ++d) all.first.push_back(d);
    term const total = back.template make<reduce_sum>({back.cotangent()}, all);
    term const inside = back.template make<reduce_sum>({own}, all);
    term const outside =
        total && inside ? back.template make<add>({total, back.template make<negative>({inside})}) : total;
    back.give(1, outside);
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

template <class Low, class High, class Interior>
struct padded_by;
template <std::int64_t... Low, std::int64_t... High, std::int64_t... Interior>
struct padded_by<low_t<Low...>, high_t<High...>, interior_t<Interior...>> {
  template <Mesh M>
  static constexpr attributes on() {
    attributes attrs;
    attrs.first = {Low...};
    attrs.second = {High...};
    attrs.third = {Interior...};
    return attrs;
  }
};

template <class X, class V, std::int64_t... Low, std::int64_t... High>
constexpr auto pad(X const& x, V const& value, low_t<Low...>, high_t<High...>,
                   site at = std::source_location::current()) {
  return invoke<ops::pad, padded_by<low_t<Low...>, high_t<High...>, interior_t<>>>(at, x, value);
}
template <class X, class V, std::int64_t... Low, std::int64_t... High, std::int64_t... Interior>
constexpr auto pad(X const& x, V const& value, low_t<Low...>, high_t<High...>, interior_t<Interior...>,
                   site at = std::source_location::current()) {
  return invoke<ops::pad, padded_by<low_t<Low...>, high_t<High...>, interior_t<Interior...>>>(at, x, value);
}

}  // namespace tessera

#include <tessera/op/base/foundation.hpp>
