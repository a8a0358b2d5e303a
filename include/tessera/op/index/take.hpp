// SPDX-License-Identifier: Apache-2.0
#pragma once
// take: (x, integers) -> the elements of x at these places of a dimension, which the dimensions of the integers
// replace; without a dimension, of x in row-major order. take_along_axis: one place for each element of the other
// dimensions.
//   take<0>(table, tokens)   take(x, i)   take<1>(x, i, mode::clip)   take<0>(x, i, out_sharding<P<dp>>)
//   take<0>(x, i, mode::clip, out_sharding<P<dp>>)                    both, in this order
//   take<0>(x, i, fill_value(0))   take<0>(x, i, mode::fill, fill_value(0), out_sharding<P<dp>>)
//   take_along_axis<1>(x, order)
// Negative places count from the end. Places outside give NaN, the lowest signed or highest unsigned integer, or true, or
// fill_value; mode::clip moves them inside (take: negative ones to 0); mode::checked throws std::out_of_range. A number
// that is known to be outside while compiling is refused, unless a mode is given. The dimension and the integers must be
// whole, or out_sharding gives the layout of the result. Bytes: with out_sharding those of a gather of split dimensions
// (gather.hpp); otherwise none.
// Source: JAX 0.10.2 jnp.take, jnp.take_along_axis.

#include <tessera/op/index/check_index.hpp>
#include <tessera/op/index/fill_value.hpp>
#include <tessera/op/index/gather.hpp>
#include <tessera/op/shape/expand_dims.hpp>
#include <tessera/op/shape/reshape.hpp>

namespace tessera {
namespace ops {

// The dimension; without one the array is flattened. Along `axes` each device checks its own indices.
struct take_params {
  extents_list dim{};
  index_mode mode{};
  axis_set axes{};
  static constexpr void fields(auto& p, auto&& each) {
    each(p.dim, p.axes, p.mode.fill, p.mode.wrap, p.mode.zeros, p.mode.refuse_known, p.mode.check);
  }
};

struct take {
  static constexpr std::string_view name = "take";
  static constexpr op_class kind = op_class::gather;

  template <class B>
  static constexpr term build(B& b, term const* operands, int, attributes const& attrs) {
    term x = operands[0];
    auto const [named, mode, axes] = attrs.as<take_params>();
    bool const flat = named.empty();
    if (flat && !(x = flattened(b, x))) return x;
    array_value const facts = x.facts();
    auto const dim = static_cast<int>(flat ? 0 : named[0] < 0 ? named[0] + facts.rank : named[0]);
    if (dim < 0 || dim >= facts.rank)
      return b.template refuse<take>(refuse(reason::dim_out_of_range, -1, {}, named[0], facts.rank), facts);
    if (verdict const v = detail::judge_index(b, facts, dim, operands[1], mode, axes); !v)
      return b.template refuse<take>(v, facts);
    indexing_params windows;
    windows.mode = mode.of_gather();
    windows.indexed.push_back(dim);
    int const places = operands[1].facts().rank;
    for (int d = 0; d < facts.rank; ++d) {
      windows.window.push_back(d == dim ? 1 : facts.extent(d));
      windows.runs_along.push_back(d == dim ? rule::collapsed : d < dim ? d : d - 1 + places);
    }
    attributes to = attrs;
    to.set(windows);
    return make<gather>(b, {x, operands[1]}, to);
  }
};

struct take_along_axis {
  static constexpr std::string_view name = "take_along_axis";
  static constexpr op_class kind = op_class::gather;

  template <class B>
  static constexpr term build(B& b, term const* operands, int, attributes const& attrs) {
    array_value const x = operands[0].facts(), places = operands[1].facts();
    auto const [named, mode, axes] = attrs.as<take_params>();
    auto const dim = static_cast<int>(named[0] < 0 ? named[0] + x.rank : named[0]);
    if (x.rank != places.rank)
      return b.template refuse<take_along_axis>(refuse(reason::ranks_disagree, -1, {}, x.rank, places.rank), x, places);
    if (dim < 0 || dim >= x.rank)
      return b.template refuse<take_along_axis>(refuse(reason::dim_out_of_range, -1, {}, named[0], x.rank), x);
    if (verdict const v = detail::judge_index(b, x, dim, operands[1], mode, axes); !v)
      return b.template refuse<take_along_axis>(v, x);
    indexing_params windows;
    windows.mode = mode.of_gather();
    squeeze_params gone_x, gone_places;
    int index_dim = 0;
    for (int d = 0; d < x.rank; ++d) {
      auto const own = x.extent(d), other = places.extent(d);
      if (d == dim) {
        windows.indexed.push_back(windows.window.size());
        windows.window.push_back(1);
        windows.runs_along.push_back(rule::collapsed);
        ++index_dim;
      } else if (own == other || own == dynamic || other == dynamic) {
        windows.window.push_back(1);
        windows.runs_along.push_back(rule::with_index(index_dim++));
      } else if (other == 1) {  // one place for all of x's dimension
        gone_places.dims.push_back(d);
        windows.window.push_back(own);
        windows.runs_along.push_back(d);
      } else if (own == 1) {
        gone_x.dims.push_back(d);
        ++index_dim;
      } else {
        return b.template refuse<take_along_axis>(refuse(reason::shapes_disagree, d, {}, own, other), x, places);
      }
    }
    term both[]{operands[0], operands[1]};
    if (!gone_x.dims.empty()) both[0] = make<squeeze>(b, {both[0]}, gone_x);
    if (!gone_places.dims.empty()) both[1] = make<squeeze>(b, {both[1]}, gone_places);
    attributes to = attrs;
    to.set(windows);
    return make<gather>(b, both, 2, to);
  }
};

}  // namespace ops

// What happens to an index outside.
namespace mode {
template <index_mode Mode>
struct tag {
  // Indices below 0 do not count from the end: they are outside. Source: JAX's wrap_negative_indices=False.
  static constexpr auto no_wrap() {
    return tag<index_mode{.fill = Mode.fill, .promised = Mode.promised, .check = Mode.check}>{};
  }
};
inline constexpr tag<index_mode{.wrap = true}> clip{};
inline constexpr tag<index_mode{.fill = true, .wrap = true}> fill{};
inline constexpr tag<index_mode{.fill = true, .wrap = true}> drop{};
inline constexpr tag<index_mode{.wrap = true, .promised = true}> promise_in_bounds{};
inline constexpr tag<index_mode{.check = true}> checked{};
}  // namespace mode

namespace detail {
// The mode's behavior, for an operation whose default is `otherwise`.
constexpr index_mode mode_or(index_mode mode, index_mode otherwise) {
  if (mode.check) {
    otherwise.check = true;
    return otherwise;
  }
  return mode.of_gather();
}
// The same for take, which clips negative places to 0, as jnp.take does.
constexpr index_mode mode_of_take(index_mode mode, index_mode otherwise) {
  bool const clips = !mode.check && !mode.fill && !mode.promised;
  mode.wrap = !clips;
  return mode_or(mode, otherwise);
}
// The same for operations that write, which drop indices outside under promise_in_bounds.
constexpr index_mode mode_of_write(index_mode mode, index_mode otherwise) {
  mode.fill = mode.fill || mode.promised;
  return mode_or(mode, otherwise);
}
}  // namespace detail

template <index_mode Mode, int... Dim>
struct taken_along {
  static_assert(sizeof...(Dim) < 2, "tessera: take<dimension>(x, i) or take(x, i).");
  template <Mesh M>
  static constexpr ops::take_params on() {
    return {extents_list{Dim...}, Mode, M::value.of_kind(axis_kind::manual) | M::value.of_kind(axis_kind::unchecked)};
  }
};

inline constexpr index_mode taken_by_default{.fill = true, .wrap = true, .refuse_known = true};

namespace functions {

template <int... Dim, class X, class I>
constexpr auto take(X const& x, I const& places, site at = std::source_location::current()) {
  return invoke<ops::take, taken_along<taken_by_default, Dim...>>(at, x, places);
}
template <int... Dim, class X, class I, index_mode Mode>
constexpr auto take(X const& x, I const& places, mode::tag<Mode>, site at = std::source_location::current()) {
  return invoke<ops::take, taken_along<detail::mode_of_take(Mode, taken_by_default), Dim...>>(at, x, places);
}
template <int... Dim, class X, class I, Spec S, Mesh M>
constexpr auto take(X const& x, I const& places, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::take, with_out<taken_along<taken_by_default, Dim...>, S, M>>(at, x, places);
}
template <int... Dim, class X, class I, index_mode Mode, Spec S, Mesh M>
constexpr auto take(X const& x, I const& places, mode::tag<Mode>, out_sharding_t<S, M>,
                    site at = std::source_location::current()) {
  return invoke<ops::take, with_out<taken_along<detail::mode_of_take(Mode, taken_by_default), Dim...>, S, M>>(at, x,
                                                                                                              places);
}
template <int... Dim, class X, class I, class V>
constexpr auto take(X const& x, I const& places, fill_value<V> v, site at = std::source_location::current()) {
  return invoke<ops::filled<ops::take, ops::take_params>, taken_along<taken_by_default, Dim...>>(at, x, places,
                                                                                                 v.value);
}
template <int... Dim, class X, class I, index_mode Mode, class V>
constexpr auto take(X const& x, I const& places, mode::tag<Mode>, fill_value<V> v,
                    site at = std::source_location::current()) {
  return invoke<ops::filled<ops::take, ops::take_params>,
                taken_along<detail::mode_of_take(Mode, taken_by_default), Dim...>>(at, x, places, v.value);
}
template <int... Dim, class X, class I, class V, Spec S, Mesh M>
constexpr auto take(X const& x, I const& places, fill_value<V> v, out_sharding_t<S, M>,
                    site at = std::source_location::current()) {
  return invoke<ops::filled<ops::take, ops::take_params>, with_out<taken_along<taken_by_default, Dim...>, S, M>>(
      at, x, places, v.value);
}
template <int... Dim, class X, class I, index_mode Mode, class V, Spec S, Mesh M>
constexpr auto take(X const& x, I const& places, mode::tag<Mode>, fill_value<V> v, out_sharding_t<S, M>,
                    site at = std::source_location::current()) {
  return invoke<ops::filled<ops::take, ops::take_params>,
                with_out<taken_along<detail::mode_of_take(Mode, taken_by_default), Dim...>, S, M>>(at, x, places,
                                                                                                   v.value);
}
template <int Dim, class X, class I>
constexpr auto take_along_axis(X const& x, I const& places, site at = std::source_location::current()) {
  return invoke<ops::take_along_axis, taken_along<taken_by_default, Dim>>(at, x, places);
}
template <int Dim, class X, class I, index_mode Mode>
constexpr auto take_along_axis(X const& x, I const& places, mode::tag<Mode>,
                               site at = std::source_location::current()) {
  return invoke<ops::take_along_axis, taken_along<detail::mode_or(Mode, taken_by_default), Dim>>(at, x, places);
}
template <int Dim, class X, class I, Spec S, Mesh M>
constexpr auto take_along_axis(X const& x, I const& places, out_sharding_t<S, M>,
                               site at = std::source_location::current()) {
  return invoke<ops::take_along_axis, with_out<taken_along<taken_by_default, Dim>, S, M>>(at, x, places);
}
template <int Dim, class X, class I, index_mode Mode, Spec S, Mesh M>
constexpr auto take_along_axis(X const& x, I const& places, mode::tag<Mode>, out_sharding_t<S, M>,
                               site at = std::source_location::current()) {
  return invoke<ops::take_along_axis, with_out<taken_along<detail::mode_or(Mode, taken_by_default), Dim>, S, M>>(
      at, x, places);
}

template <int Dim, class X, class I, class V>
constexpr auto take_along_axis(X const& x, I const& places, fill_value<V> v,
                               site at = std::source_location::current()) {
  return invoke<ops::filled<ops::take_along_axis, ops::take_params>, taken_along<taken_by_default, Dim>>(at, x, places,
                                                                                                         v.value);
}
template <int Dim, class X, class I, index_mode Mode, class V>
constexpr auto take_along_axis(X const& x, I const& places, mode::tag<Mode>, fill_value<V> v,
                               site at = std::source_location::current()) {
  return invoke<ops::filled<ops::take_along_axis, ops::take_params>,
                taken_along<detail::mode_or(Mode, taken_by_default), Dim>>(at, x, places, v.value);
}

}  // namespace functions

}  // namespace tessera
