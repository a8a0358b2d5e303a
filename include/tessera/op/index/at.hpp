// SPDX-License-Identifier: Apache-2.0
#pragma once
// x.at(index...): a part of x, as x[...] of numpy. An index is a number, an integer array or traced value, a
// span<start, stop, step>(), `every`, `newaxis` or `ellipsis`; dimensions without an index are whole.
//   x.at(i).get()   x.at(every, tokens).get()   x.at(span<0, to_end, 2>()).get()   x.at(i, ellipsis, newaxis).get()
//   x.at(tokens).set(v)   .add(v)   .multiply(v)   .min(v)   .max(v)      a new value, x unchanged; v broadcasts
//   x.at(tokens).get(out_sharding<P<dp>>)   .get(mode::fill)   .add(v, out_sharding<P<dp, mp>>)
//   x.at(tokens).get(mode::fill, out_sharding<P<dp>>)          both, in this order
//   x.at(tokens).get(mode::fill, fill_value(0))                 0 where a token is outside; out_sharding comes last
// Negative indices count from the end. get moves indices outside of x inside, and the others drop them; a span is cut
// to the array. A number outside that is known while compiling is refused, unless a mode is given; mode::checked throws
// std::out_of_range for any index outside. Dimensions indexed by arrays must be whole, and so must the arrays, unless
// out_sharding is given; with slices and numbers alone the new extents must be divisible. Of several updates of one
// place, set keeps the last and the others apply all. Bytes: of a sharded dimension of which a part is read or written
// those of gather.hpp. Source: JAX 0.10.2 jnp.ndarray.at; surprise 8.

#include <tessera/op/base/out_sharding.hpp>
#include <tessera/op/index/dynamic_slice.hpp>
#include <tessera/op/index/fill_value.hpp>
#include <tessera/op/index/index_entries.hpp>
#include <tessera/op/index/index_op.hpp>
#include <tessera/op/index/index_update.hpp>
#include <tessera/op/index/take.hpp>
#include <tessera/rule/manual.hpp>

#include <concepts>
#include <tuple>
#include <utility>

namespace tessera {

namespace detail {

template <index_mode Mode, class... Index>
struct indexed_by {
  template <Mesh M>
  static constexpr index_params on() {
    index_params entries;
    entries.mode = Mode;
    entries.axes = M::value.of_kind(axis_kind::manual) | M::value.of_kind(axis_kind::unchecked);
    (index_entry_of<Index>::add(entries), ...);
    return entries;
  }
};

// The positions of the operands among the indices.
template <class... Index>
struct operand_places {
  static constexpr std::size_t count = (std::size_t{0} + ... + std::size_t{index_entry_of<Index>::is_operand});
  static constexpr std::array<std::size_t, count + 1> at = [] {
    std::array<std::size_t, count + 1> places{};
    std::size_t n = 0, k = 0;
    ((index_entry_of<Index>::is_operand ? void(places[n++] = k++) : void(++k)), ...);
    return places;
  }();
  template <std::size_t... I>
  static std::index_sequence<at[I]...> list(std::index_sequence<I...>);
  using type = decltype(list(std::make_index_sequence<count>{}));
};

// An index. A number that int32 cannot hold becomes the nearest one that it can, which is outside, too, unless the
// extent is larger.
template <class X, class I>
constexpr I const& index_operand(X const&, I const& index) {
  return index;
}
template <class X, std::integral I>
  requires(!std::same_as<I, bool> && Operand<X>)
constexpr I index_operand(X const& x, I const& index) {
  extents_list extents = operand_traits<X>::type::value.shape();
  if constexpr (requires { x.shape(); }) extents = x.shape();
  auto const most = highest_integer(dtype::int32);
  for (auto extent : extents)
    if (extent == dynamic || extent > most) return index;
  if (std::cmp_greater(index, most)) return static_cast<I>(most);
  if (std::cmp_less(index, lowest_integer(dtype::int32))) return static_cast<I>(lowest_integer(dtype::int32));
  return index;
}

// get, set and the others call the door directly: each call in between would add lines to an error.
template <class X, class Operands, class... Index>
struct indexed_by_operands;
template <class X, std::size_t... K, class... Index>
struct indexed_by_operands<X, std::index_sequence<K...>, Index...> {
  static_assert(sizeof...(Index) <= max_rank, "tessera: at most 8 indices at once.");
  X x;
  std::tuple<Index...> index;

  constexpr auto get(site at = std::source_location::current()) const {
    return invoke<ops::index, params<picks>>(at, x, std::get<K>(index)...);
  }
  template <index_mode Mode>
  constexpr auto get(mode::tag<Mode>, site at = std::source_location::current()) const {
    return invoke<ops::index, params<detail::mode_or(Mode, picks)>>(at, x, index_operand(x, std::get<K>(index))...);
  }
  template <Spec S, Mesh M>
  constexpr auto get(out_sharding_t<S, M>, site at = std::source_location::current()) const {
    return invoke<ops::index, with_out<params<picks>, S, M>>(at, x, std::get<K>(index)...);
  }
  template <index_mode Mode, Spec S, Mesh M>
  constexpr auto get(mode::tag<Mode>, out_sharding_t<S, M>, site at = std::source_location::current()) const {
    return invoke<ops::index, with_out<params<detail::mode_or(Mode, picks)>, S, M>>(
        at, x, index_operand(x, std::get<K>(index))...);
  }
  template <index_mode Mode, class V>
  constexpr auto get(mode::tag<Mode>, fill_value<V> v, site at = std::source_location::current()) const {
    return invoke<filled, params<detail::mode_or(Mode, picks)>>(at, x, index_operand(x, std::get<K>(index))...,
                                                                v.value);
  }
  template <index_mode Mode, class V, Spec S, Mesh M>
  constexpr auto get(mode::tag<Mode>, fill_value<V> v, out_sharding_t<S, M>,
                     site at = std::source_location::current()) const {
    return invoke<filled, with_out<params<detail::mode_or(Mode, picks)>, S, M>>(
        at, x, index_operand(x, std::get<K>(index))..., v.value);
  }

#define TESSERA_INDEX_UPDATE(name)                                                                                  \
  template <class V>                                                                                                \
  constexpr auto name(V const& v, site at = std::source_location::current()) const {                                \
    return invoke<ops::at_##name, params<drops>>(at, x, std::get<K>(index)..., v);                                  \
  }                                                                                                                 \
  template <class V, index_mode Mode>                                                                               \
  constexpr auto name(V const& v, mode::tag<Mode>, site at = std::source_location::current()) const {               \
    return invoke<ops::at_##name, params<detail::mode_of_write(Mode, drops)>>(                                      \
        at, x, index_operand(x, std::get<K>(index))..., v);                                                         \
  }                                                                                                                 \
  template <class V, Spec S, Mesh M>                                                                                \
  constexpr auto name(V const& v, out_sharding_t<S, M>, site at = std::source_location::current()) const {          \
    return invoke<ops::at_##name, with_out<params<drops>, S, M>>(at, x, std::get<K>(index)..., v);                  \
  }                                                                                                                 \
  template <class V, index_mode Mode, Spec S, Mesh M>                                                               \
  constexpr auto name(V const& v, mode::tag<Mode>, out_sharding_t<S, M>, site at = std::source_location::current()) \
      const {                                                                                                       \
    return invoke<ops::at_##name, with_out<params<detail::mode_of_write(Mode, drops)>, S, M>>(                      \
        at, x, index_operand(x, std::get<K>(index))..., v);                                                         \
  }
  TESSERA_INDEX_UPDATE(set)
  TESSERA_INDEX_UPDATE(add)
  TESSERA_INDEX_UPDATE(multiply)
  TESSERA_INDEX_UPDATE(min)
  TESSERA_INDEX_UPDATE(max)
#undef TESSERA_INDEX_UPDATE

private:
  static constexpr index_mode picks{.wrap = true, .refuse_known = true},
      drops{.fill = true, .wrap = true, .refuse_known = true};
  template <index_mode Mode>
  using params = indexed_by<Mode, Index...>;
  using filled = ops::filled<ops::index, detail::index_params>;
};

// x.at(span(1, 3)), where the bounds are values: refused, whatever is done with it. Each call in between would add lines,
// as above.
template <class X, class... Index>
struct indexed_by_values {
  X x;
  std::tuple<Index...> index;

  constexpr auto get(site at = std::source_location::current()) const {
    return refused_as<tessera::written::bounds_as_values>(x, at);
  }
  template <class How>
  constexpr auto get(How const&, site at = std::source_location::current()) const {
    return refused_as<tessera::written::bounds_as_values>(x, at);
  }
  template <class How, Spec S, Mesh M>
  constexpr auto get(How const&, out_sharding_t<S, M>, site at = std::source_location::current()) const {
    return refused_as<tessera::written::bounds_as_values>(x, at);
  }
  template <class How, class V>
  constexpr auto get(How const&, fill_value<V> const&, site at = std::source_location::current()) const {
    return refused_as<tessera::written::bounds_as_values>(x, at);
  }
  template <class How, class V, Spec S, Mesh M>
  constexpr auto get(How const&, fill_value<V> const&, out_sharding_t<S, M>,
                     site at = std::source_location::current()) const {
    return refused_as<tessera::written::bounds_as_values>(x, at);
  }
#define TESSERA_INDEX_UPDATE(name)                                                                                   \
  template <class V>                                                                                                 \
  constexpr auto name(V const&, site at = std::source_location::current()) const {                                   \
    return refused_as<tessera::written::bounds_as_values>(x, at);                                                    \
  }                                                                                                                  \
  template <class V, class How>                                                                                      \
  constexpr auto name(V const&, How const&, site at = std::source_location::current()) const {                       \
    return refused_as<tessera::written::bounds_as_values>(x, at);                                                    \
  }                                                                                                                  \
  template <class V, class How, Spec S, Mesh M>                                                                      \
  constexpr auto name(V const&, How const&, out_sharding_t<S, M>, site at = std::source_location::current()) const { \
    return refused_as<tessera::written::bounds_as_values>(x, at);                                                    \
  }
  TESSERA_INDEX_UPDATE(set)
  TESSERA_INDEX_UPDATE(add)
  TESSERA_INDEX_UPDATE(multiply)
  TESSERA_INDEX_UPDATE(min)
  TESSERA_INDEX_UPDATE(max)
#undef TESSERA_INDEX_UPDATE
};

}  // namespace detail

// The result of x.at(index...). It is not assigned to: arrays do not change.
template <class X, class... Index>
struct indexed
    : std::conditional_t<(detail::has_bounds_as_values<Index> || ...), detail::indexed_by_values<X, Index...>,
                         detail::indexed_by_operands<X, typename detail::operand_places<Index...>::type, Index...>> {
  template <class V>
    requires(!std::is_same_v<V, indexed>)
  constexpr auto operator=(V const&) const { return detail::refused_as<written::indexed_is_assigned>(this->x, site{}); }
  template <class V>
  constexpr auto operator+=(V const&) const {
    return detail::refused_as<written::indexed_is_assigned>(this->x, site{});
  }
  template <class V>
  constexpr auto operator-=(V const&) const {
    return detail::refused_as<written::indexed_is_assigned>(this->x, site{});
  }
  template <class V>
  constexpr auto operator*=(V const&) const {
    return detail::refused_as<written::indexed_is_assigned>(this->x, site{});
  }
  template <class V>
  constexpr auto operator/=(V const&) const {
    return detail::refused_as<written::indexed_is_assigned>(this->x, site{});
  }
};

}  // namespace tessera

#include <tessera/op/shape/broadcast_to.hpp>
