// SPDX-License-Identifier: Apache-2.0
#pragma once
// x.at(index...): part of x, as x[...] of numpy picks it. An index is a number or an integer array or traced value, a
// span<start, stop, step>(), `every`, `newaxis` or `ellipsis`; dimensions without one are whole.
//   x.at(i).get()   x.at(every, tokens).get()   x.at(span<0, to_end, 2>()).get()   x.at(i, ellipsis, newaxis).get()
//   x.at(tokens).set(v)   .add(v)   .multiply(v)   .min(v)   .max(v)      a new value, x unchanged; v broadcasts
//   x.at(tokens).get(out_sharding<P<dp>>)   .get(mode::fill)   .add(v, out_sharding<P<dp, mp>>)
// Negative indices count from the end. Those outside are moved inside by get, and dropped by the others; a span is cut to
// what is there. A number that is outside and known while compiling is refused, unless a mode is given; mode::checked
// throws std::out_of_range for any that is outside. What is picked
// by arrays must be whole, and so must they, else out_sharding; slices and numbers alone need extents that divide.
// Several updates of one place: set keeps the last, the others take all. Bytes: sharded dimensions of which a part is
// picked are gathered. Source: JAX 0.10.2 jnp.ndarray.at; surprise 8.

#include <tessera/op/base/out_sharding.hpp>
#include <tessera/op/index/dynamic_slice.hpp>
#include <tessera/op/index/index_plan.hpp>
#include <tessera/op/index/index_update.hpp>
#include <tessera/op/index/take.hpp>
#include <tessera/rule/manual.hpp>

#include <concepts>
#include <tuple>
#include <utility>

namespace tessera {
namespace ops {

struct flip;

// (x, index operands...), entries as detail::index_entry says.
struct index {
  static constexpr std::string_view name = "index";
  static constexpr op_class kind = op_class::gather;

  template <class B>
  static constexpr term build(B& b, term const* operands, int count, attributes const& attrs) {
    array_value const x = operands[0].facts();
    term given[builder::max_operands]{};
    for (int k = 1; k < count; ++k) given[k - 1] = operands[k];
    int const index_rank = detail::join_indices<index>(b, x, given, count - 1);
    if (index_rank < 0) return {&b, -1};
    bool const arrays = index_rank > 0;
    auto const asked = attrs.as<detail::index_params>();
    detail::index_plan p = detail::read_index(x, asked, arrays);
    if (!p.what) return b.template refuse<index>(p.what, x);
    axis_set picked;
    for (int d = 0; d < x.rank; ++d) {
      int const k = p.operand[d];
      if (k == 0) continue;
      if (verdict const v = detail::judge_index(b, x, d, given[k - 1], asked.mode, asked.axes); !v)
        return b.template refuse<index>(v, x);
      picked |= axis_set::of(d);
      std::int64_t value = 0;
      if (arrays || x.extent(d) == dynamic || x.extent(d) == 0 || !detail::is_literal(b, given[k - 1], value)) continue;
      if (asked.mode.fill && (value < -x.extent(d) || value >= x.extent(d))) continue;
      p.start[d] = detail::inside(value, x.extent(d), x.extent(d) - 1);
      p.limit[d] = p.start[d] + 1;
      p.operand[d] = 0;
      p.cut |= axis_set::of(d);
    }
    term y = attrs.has_out ? detail::with_whole_dims(b, operands[0], p.cut | picked) : operands[0];
    if (arrays && !attrs.has_out)
      for (int d = 0; d < x.rank; ++d)
        if ((p.cut | p.flipped).contains(d) && !x.entry(d).empty())
          return b.template refuse<index>(refuse(reason::needs_out_sharding, d, x.entry(d).axes()), x);
    y = sliced(b, y, p);
    if (!y) return y;
    array_value const left = y.facts();
    extents_list sizes;
    term all[builder::max_operands]{y};
    for (int d = 0; d < x.rank; ++d) sizes.push_back(picked.contains(d) ? 1 : left.extent(d));
    if (arrays) {
      indexing_params windows = detail::windows_in_order(p, x, sizes, index_rank);
      for (int d = 0; d < x.rank; ++d)
        if (int const k = p.operand[d]; k > 0) {
          all[windows.indexed.size() + 1] = given[k - 1];
          windows.indexed.push_back(d);
        }
      windows.mode = asked.mode.of_gather();
      attributes to = windows;
      if (attrs.has_out) {
        to.has_out = true;
        to.out = layout_of_gather(b, all, to, p, attrs.out);
      }
      y = make<gather>(b, all, windows.indexed.size() + 1, to);
    } else if (count > 1) {
      auto const zero = number(b, 0.0, dtype::int32);
      for (int d = 0; d < x.rank; ++d) {
        int const k = p.operand[d];
        all[d + 1] = k > 0 ? given[k - 1] : zero;
      }
      y = make<dynamic_slice>(b, all, x.rank + 1, dynamic_slice_params{sizes, asked.mode.fill});
    }
    if (!y) return y;
    array_value made = y.facts();
    if (!arrays) {
      array_value const whole = made;
      made.rank = 0;
      made.spec = {};
      for (int item : p.order)
        if (item >= 0) made.add_dim(whole.extent(item), whole.entry(item));
    }
    made = detail::with_fresh(p, made, index_rank);
    verdict placed = accept(made);
    if (attrs.has_out) placed = rule::with_spec(made, attrs.out, b.mesh());
    if (!placed) return b.template refuse<index>(placed, x);
    if (!made.same_shape(y.facts())) y = make<reshape>(b, {y}, expand_dims::shape_and_layout(made));
    return detail::laid_out_as(b, y, placed.result);
  }

private:
  template <class B>
  static constexpr term sliced(B& b, term y, detail::index_plan const& p) {
    if (!y) return y;
    int const rank = y.facts().rank;
    flip_params turned;
    for (int d = 0; d < rank; ++d)
      if (p.flipped.contains(d)) turned.dims.push_back(d);
    if (!turned.dims.empty()) y = make<flip>(b, {y}, turned);
    if (!y || p.cut.empty()) return y;
    return make<slice>(b, {y}, slice_params{p.start, p.limit, p.step});
  }
  // Before new dimensions: as asked, but along windows as y, where that is split.
  template <class B>
  static constexpr spec_value layout_of_gather(B& b, term const* all, attributes const& to, detail::index_plan const& p,
                                               spec_value const& asked) {
    array_value facts[builder::max_operands]{};
    array_value const* pointers[builder::max_operands]{};
    int const count = to.as<indexing_params>().indexed.size();
    int index_rank = 0;
    for (int i = 0; i <= count; ++i) {
      facts[i] = all[i].facts();
      pointers[i] = &facts[i];
      if (i == 0) continue;
      if (facts[i].rank > index_rank) index_rank = facts[i].rank;
      for (int d = 0; d < facts[i].rank; ++d) facts[i].entry(d) = {};
    }
    verdict const free = rule::picked({b.mesh(), pointers, count + 1, to}, count, false);
    if (!free) return layout_of(facts[0]);
    spec_value spec = layout_of(free.result);
    spec.unreduced = facts[0].unreduced;
    if (!rule::with_spec(detail::with_fresh(p, free.result, index_rank), asked, b.mesh())) return spec;
    axis_set const taken = free.result.sharded_axes();
    int picked = 0, made = 0;  // dimensions of the gather, and of what is asked
    for (int item : p.order) {
      if (item == detail::index_plan::fresh) {
        ++made;
        continue;
      }
      for (int k = item == detail::index_plan::arrays ? index_rank : 1; k > 0; --k, ++picked, ++made)
        if (entry_value& own = spec.entries[picked]; own.empty())
          own = rule::leading(asked[made], b.mesh().axes() - taken);
    }
    return spec;
  }
};

}  // namespace ops

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

template <class I>
inline constexpr bool is_upward = true;
template <std::int64_t Start, std::int64_t Stop, std::int64_t Step>
inline constexpr bool is_upward<static_span<Start, Stop, Step>> = Step == 1;

// Where the operands stand among the indices.
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

// An index; a number that int32 cannot hold as the nearest that it can, which is outside, too, where no extent is larger.
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

// get and its kin call the door themselves: each call in between would be lines of an error's text.
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

#define TESSERA_INDEX_UPDATE(name)                                                                         \
  template <class V>                                                                                       \
  constexpr auto name(V const& v, site at = std::source_location::current()) const {                       \
    return invoke<ops::at_##name, written<drops>>(at, x, std::get<K>(index)..., v);                        \
  }                                                                                                        \
  template <class V, index_mode Mode>                                                                      \
  constexpr auto name(V const& v, mode::tag<Mode>, site at = std::source_location::current()) const {      \
    return invoke<ops::at_##name, written<detail::mode_of_write(Mode, drops)>>(                            \
        at, x, index_operand(x, std::get<K>(index))..., v);                                                \
  }                                                                                                        \
  template <class V, Spec S, Mesh M>                                                                       \
  constexpr auto name(V const& v, out_sharding_t<S, M>, site at = std::source_location::current()) const { \
    return invoke<ops::at_##name, with_out<written<drops>, S, M>>(at, x, std::get<K>(index)..., v);        \
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
  template <index_mode Mode>
  struct written : params<Mode> {
    static_assert((is_upward<Index> && ...),
                  "tessera: a part that is written has stride 1. Fix: index with arange<...>().");
  };
};

}  // namespace detail

// What x.at(index...) gives.
template <class X, class... Index>
struct indexed : detail::indexed_by_operands<X, typename detail::operand_places<Index...>::type, Index...> {};

}  // namespace tessera

#include <tessera/op/shape/broadcast_to.hpp>
