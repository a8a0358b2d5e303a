// SPDX-License-Identifier: Apache-2.0
#pragma once
// take: (x, integers) -> the elements of x at these places of dimension attrs.first[0], the integers' dimensions in its
// place; without a dimension, of x in row-major order. take_along_axis: one place for each element of the other
// dimensions.
//   take<0>(table, tokens)   take(x, i)   take<1>(x, i, mode::clip)   take<0>(x, i, out_sharding<P<dp>>)
//   take_along_axis<1>(x, order)
// Negative places count from the end. Places outside give NaN, the lowest integer or true; mode::clip moves them inside
// (negative ones to 0); mode::checked throws std::out_of_range. A number that is known to be outside while compiling is
// refused, unless a mode is given. The dimension, and the integers, must be whole, or out_sharding says how the result lies.
// Bytes: with out_sharding a sharded dimension is gathered; else none. Source: JAX 0.10.2 jnp.take, jnp.take_along_axis.

#include <tessera/op/index/check_index.hpp>
#include <tessera/op/index/gather.hpp>
#include <tessera/op/shape/expand_dims.hpp>

namespace tessera {
namespace ops {

struct take {
  static constexpr std::string_view name = "take";
  static constexpr op_class kind = op_class::gather;

  template <class B>
  static constexpr term build(B& b, term const* operands, int, attributes const& attrs) {
    term x = operands[0];
    bool const flat = attrs.first.empty();
    if (flat && x.facts().rank != 1) {
      attributes one;
      one.first.push_back(dynamic);
      x = b.template make<reshape>({x}, one);
      if (!x) return x;
    }
    array_value const facts = x.facts();
    auto const dim = static_cast<int>(flat ? 0 : attrs.first[0] < 0 ? attrs.first[0] + facts.rank : attrs.first[0]);
    if (dim < 0 || dim >= facts.rank)
      return b.template refuse<take>(refuse(reason::dim_out_of_range, -1, {}, attrs.first[0], facts.rank), facts);
    if (verdict const v = detail::judge_index(b, facts, dim, operands[1], attrs); !v)
      return b.template refuse<take>(v, facts);
    attributes to;
    to.integer = attrs.integer & index_mode::of_gather;
    to.has_out = attrs.has_out;
    to.out = attrs.out;
    to.third.push_back(dim);
    int const places = operands[1].facts().rank;
    for (int d = 0; d < facts.rank; ++d) {
      to.first.push_back(d == dim ? 1 : facts.extent(d));
      to.second.push_back(d == dim ? rule::collapsed : d < dim ? d : d - 1 + places);
    }
    return b.template make<gather>({x, operands[1]}, to);
  }
};

struct take_along_axis {
  static constexpr std::string_view name = "take_along_axis";
  static constexpr op_class kind = op_class::gather;

  template <class B>
  static constexpr term build(B& b, term const* operands, int, attributes const& attrs) {
    array_value const x = operands[0].facts(), places = operands[1].facts();
    auto const dim = static_cast<int>(attrs.first[0] < 0 ? attrs.first[0] + x.rank : attrs.first[0]);
    if (x.rank != places.rank)
      return b.template refuse<take_along_axis>(refuse(reason::ranks_disagree, -1, {}, x.rank, places.rank), x, places);
    if (dim < 0 || dim >= x.rank)
      return b.template refuse<take_along_axis>(refuse(reason::dim_out_of_range, -1, {}, attrs.first[0], x.rank), x);
    if (verdict const v = detail::judge_index(b, x, dim, operands[1], attrs); !v)
      return b.template refuse<take_along_axis>(v, x);
    attributes to, gone_x, gone_places;
    to.integer = attrs.integer & index_mode::of_gather;
    to.has_out = attrs.has_out;
    to.out = attrs.out;
    int index_dim = 0;
    for (int d = 0; d < x.rank; ++d) {
      auto const own = x.extent(d), other = places.extent(d);
      if (d == dim) {
        to.third.push_back(to.first.size());
        to.first.push_back(1);
        to.second.push_back(rule::collapsed);
        ++index_dim;
      } else if (own == other || own == dynamic || other == dynamic) {
        to.first.push_back(1);
        to.second.push_back(rule::with_index(index_dim++));
      } else if (other == 1) {  // one place for all of x's dimension
        gone_places.first.push_back(d);
        to.first.push_back(own);
        to.second.push_back(d);
      } else if (own == 1) {
        gone_x.first.push_back(d);
        ++index_dim;
      } else {
        return b.template refuse<take_along_axis>(refuse(reason::shapes_disagree, d, {}, own, other), x, places);
      }
    }
    term both[]{operands[0], operands[1]};
    if (!gone_x.first.empty()) both[0] = b.template make<squeeze>({both[0]}, gone_x);
    if (!gone_places.first.empty()) both[1] = b.template make<squeeze>({both[1]}, gone_places);
    return b.template make<gather>(both, 2, to);
  }
};

}  // namespace ops

// What becomes of an index that is outside.
namespace mode {
template <std::int64_t Bits>
struct tag {};
inline constexpr tag<index_mode::clip> clip{};
inline constexpr tag<index_mode::fill | index_mode::wrap> fill{};
inline constexpr tag<index_mode::fill | index_mode::wrap> drop{};
inline constexpr tag<index_mode::clip | index_mode::wrap> promise_in_bounds{};
inline constexpr tag<index_mode::check> checked{};
}  // namespace mode

namespace detail {
// What a mode asks for, of an operation that does `otherwise` without one.
constexpr std::int64_t mode_bits(std::int64_t mode, std::int64_t otherwise) {
  return mode == index_mode::check ? otherwise | index_mode::check : mode;
}
}  // namespace detail

template <std::int64_t Mode, int... Dim>
struct taken_along {
  static_assert(sizeof...(Dim) < 2, "tessera: take<dimension>(x, i) or take(x, i).");
  template <Mesh M>
  static constexpr attributes on() {
    attributes attrs;
    attrs.first = {Dim...};
    attrs.integer = Mode;
    attrs.axes = M::value.of_kind(axis_kind::manual) | M::value.of_kind(axis_kind::unchecked);
    return attrs;
  }
};

inline constexpr std::int64_t taken_by_default = index_mode::fill | index_mode::wrap | index_mode::refuse_known;

template <int... Dim, class X, class I>
constexpr auto take(X const& x, I const& places, site at = std::source_location::current()) {
  return invoke<ops::take, taken_along<taken_by_default, Dim...>>(at, x, places);
}
template <int... Dim, class X, class I, std::int64_t Mode>
constexpr auto take(X const& x, I const& places, mode::tag<Mode>, site at = std::source_location::current()) {
  return invoke<ops::take, taken_along<detail::mode_bits(Mode, taken_by_default), Dim...>>(at, x, places);
}
template <int... Dim, class X, class I, Spec S, Mesh M>
constexpr auto take(X const& x, I const& places, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::take, with_out<taken_along<taken_by_default, Dim...>, S, M>>(at, x, places);
}
template <int Dim, class X, class I>
constexpr auto take_along_axis(X const& x, I const& places, site at = std::source_location::current()) {
  return invoke<ops::take_along_axis, taken_along<taken_by_default, Dim>>(at, x, places);
}
template <int Dim, class X, class I, std::int64_t Mode>
constexpr auto take_along_axis(X const& x, I const& places, mode::tag<Mode>,
                               site at = std::source_location::current()) {
  return invoke<ops::take_along_axis, taken_along<detail::mode_bits(Mode, taken_by_default), Dim>>(at, x, places);
}
template <int Dim, class X, class I, Spec S, Mesh M>
constexpr auto take_along_axis(X const& x, I const& places, out_sharding_t<S, M>,
                               site at = std::source_location::current()) {
  return invoke<ops::take_along_axis, with_out<taken_along<taken_by_default, Dim>, S, M>>(at, x, places);
}

}  // namespace tessera
