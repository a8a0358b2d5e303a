// SPDX-License-Identifier: Apache-2.0
#pragma once
// x.at(1, span(0, 3)).set(v): a new array with a part replaced, x unchanged; also add, multiply, min, max.
// x.at(1, span(0, 3)).get(): the part. A number removes its dimension; a span keeps it, with an extent that the type
// does not have, not split; `every` and dimensions without an index do not change. An index is a number, a span [start,
// stop) or `every`, one for each leading dimension; numbers and ends may be run-time values, and negative ones count
// from the end. op/index/at.hpp has indices with an array, newaxis, ellipsis or span<...>(), and get(mode::fill),
// add(v, out_sharding<...>) and similar calls with numbers and `every`. v (a number or an array) broadcasts to the part
// and takes x's dtype. get moves a number outside of x inside, and the others do not change x; a span is cut to the
// array; mode::checked throws std::out_of_range for both. A changed array has x's type. Bytes: for a part of a sharded
// dimension that dimension is gathered, as comm_of of the same update_slice shows. Source: JAX jax.numpy.ndarray.at.

#include <tessera/api/loaded_program.hpp>
#include <tessera/op/ops.hpp>

namespace tessera {

struct index_span {
  std::int64_t start = 0, stop = 0;
  bool whole = false;
  bool single = false;
  constexpr index_span(std::int64_t from, std::int64_t to) : start(from), stop(to) {}
  constexpr index_span(every_index) : whole(true) {}
  // A number that int64 cannot hold becomes its end, which is outside, too.
  template <std::integral I>
    requires(!std::same_as<I, bool>)
  constexpr index_span(I one)
      : start(one > I{} && static_cast<std::uint64_t>(one) > to_end ? to_end : static_cast<std::int64_t>(one)),
        single(true) {}
};

namespace functions {

constexpr index_span span(std::int64_t start, std::int64_t stop) { return {start, stop}; }

}  // namespace functions

namespace detail {

// The facts of x.at(Index...).get(): Facts<A, Index...>::facts, for array_type_of.
template <ArrayType A, class... Index>
struct indexed_facts {
  static constexpr array_value of(array_value const& x) {
    constexpr bool single[]{std::is_integral_v<Index>..., false};
    constexpr bool cut[]{std::is_same_v<Index, index_span>..., false};
    array_value part = x;
    part.rank = 0;
    part.weak = false;
    for (auto& entry : part.spec) entry = {};
    for (int d = 0; d < x.rank; ++d) {
      bool const indexed = d < static_cast<int>(sizeof...(Index));
      if (indexed && single[d]) continue;
      bool const spanned = indexed && cut[d];
      part.add_dim(spanned ? dynamic : x.extent(d));
      if (!spanned) part.entry(part.rank - 1) = x.entry(d);
    }
    return part;
  }
  static constexpr array_value facts = of(A::value);
};

// The error of a value V that does not broadcast to x.at(Index...), as far as types say, or void.
template <ArrayType A, class V, class... Index>
constexpr auto refusal_of_part() {
  if constexpr (Operand<V> && !std::is_arithmetic_v<V> && !(std::is_same_v<Index, index_span> || ...)) {
    using part = indexed_facts<A, Index...>;
    using value = typename operand_traits<V>::type;
    return []<std::size_t... D>(std::index_sequence<D...>) {
      if constexpr (((part::facts.extent(D) == dynamic) || ...)) {
        return std::type_identity<void>{};
      } else {
        using J = judged<ops::broadcast_to, broadcast_into<shape<part::facts.extent(D)...>>, value>;
        if constexpr (J::accepted)
          return std::type_identity<void>{};
        else
          return std::type_identity<tessera::error_of<ops::broadcast_to, J>>{};
      }
    }
    (std::make_index_sequence<part::facts.rank>{});
  } else {
    return std::type_identity<void>{};
  }
}
template <ArrayType A, class V, class... Index>
using part_refused = typename decltype(refusal_of_part<A, V, Index...>())::type;

enum class part_update : std::uint8_t { set, add, multiply, min, max };

// The part of an array that indices select: one for each leading dimension.
class array_part {
public:
  array_part(extents_list const& shape, std::initializer_list<index_span> index);
  ~array_part();

  // A number is outside: nothing is changed.
  bool dropped() const { return dropped_; }
  // Throws std::out_of_range for an index outside.
  void require_inside() const;

  // facts_of: from the facts of an array to those of its part, if extents need not be known.
  stored_array get(stored_array const& x, mesh_value const& mesh, array_value (*facts_of)(array_value const&)) const;
  stored_array updated(stored_array const& x, stored_array const& value, mesh_value const& mesh, part_update how) const;

private:
  axis_set cut(array_value const& facts) const;
  slice_params bounds() const;

  std::string outside_;  // of the first index outside, or empty
  bool dropped_ = false, nothing_ = false;
  extents_list starts_{}, extents_{}, kept_{};
};

}  // namespace detail

template <ArrayType A, class... Index>
class indexed_update<array<A>, Index...> {
  using checked_mode = mode::tag<index_mode{.check = true}>;

public:
  static_assert(sizeof...(Index) <= A::rank,
                "tessera: more indices than the array has dimensions. Fix: at most one index a dimension.");
  static_assert(A::value.memory == memory_kind::device,
                "tessera: an array in host memory cannot be computed on. Fix: device_put(x, on_device{}) first.");

  indexed_update(array<A> x, std::initializer_list<index_span> index, std::tuple<Index...> given)
      : x_(std::move(x)), given_(given), part_(x_.shape(), index) {}

  template <class V>
  array<A> set(V const& v) const {
    detail::error_or_silence<detail::part_refused<A, V, Index...>>::explain();
    return updated(v, detail::part_update::set);
  }
  template <class V>
  array<A> add(V const& v) const {
    detail::error_or_silence<detail::part_refused<A, V, Index...>>::explain();
    return updated(v, detail::part_update::add);
  }
  template <class V>
  array<A> multiply(V const& v) const {
    detail::error_or_silence<detail::part_refused<A, V, Index...>>::explain();
    return updated(v, detail::part_update::multiply);
  }
  template <class V>
  array<A> min(V const& v) const {
    detail::error_or_silence<detail::part_refused<A, V, Index...>>::explain();
    return updated(v, detail::part_update::min);
  }
  template <class V>
  array<A> max(V const& v) const {
    detail::error_or_silence<detail::part_refused<A, V, Index...>>::explain();
    return updated(v, detail::part_update::max);
  }

  // Throws std::out_of_range if there is no element to move to.
  auto get() const {
    using part_type = array_type_of<detail::indexed_facts<A, Index...>, typename A::mesh>;
    return array<part_type>(x_.mesh(),
                            part_.get(x_.stored(), x_.mesh().value(), &detail::indexed_facts<A, Index...>::of));
  }

  auto get(checked_mode) const {
    part_.require_inside();
    return get();
  }
  // With a mode, a layout or both: for numbers and `every`, judged as in traced code.
  template <class... How>
    requires(sizeof...(How) > 0)
  auto get(How... how) const { return as_operands().get(how...); }
#define TESSERA_INDEX_UPDATE(name)                \
  template <class V>                              \
  array<A> name(V const& v, checked_mode) const { \
    part_.require_inside();                       \
    return name(v);                               \
  }                                               \
  template <class V, class... How>                \
    requires(sizeof...(How) > 0)                  \
  auto name(V const& v, How... how) const { return as_operands().name(v, how...); }
  TESSERA_INDEX_UPDATE(set)
  TESSERA_INDEX_UPDATE(add)
  TESSERA_INDEX_UPDATE(multiply)
  TESSERA_INDEX_UPDATE(min)
  TESSERA_INDEX_UPDATE(max)
#undef TESSERA_INDEX_UPDATE

  // Arrays do not change.
  template <class V>
    requires(!std::is_same_v<V, indexed_update>)
  void operator=(V const&) const { written::indexed_is_assigned<V>::explain(); }
  template <class V>
  void operator+=(V const&) const {
    written::indexed_is_assigned<V>::explain();
  }
  template <class V>
  void operator-=(V const&) const {
    written::indexed_is_assigned<V>::explain();
  }
  template <class V>
  void operator*=(V const&) const {
    written::indexed_is_assigned<V>::explain();
  }
  template <class V>
  void operator/=(V const&) const {
    written::indexed_is_assigned<V>::explain();
  }

private:
  auto as_operands() const {
    static_assert((!std::is_same_v<Index, index_span> && ...),
                  "tessera: a span of run-time numbers has no mode and no layout. Fix: span<start, stop>(), or reshard "
                  "the result.");
    return indexed<array<A>, Index...>{{x_, given_}};
  }
  template <class V>
  array<A> updated(V const& v, detail::part_update how) const {
    if constexpr (!Operand<V>) {
      error::not_an_array<ops::update_slice, error::given<V>>::explain();
      return x_;
    } else if constexpr (!std::is_void_v<detail::part_refused<A, V, Index...>>) {
      return x_;
    } else {
      return with_value(v, how);
    }
  }
  template <class V>
  array<A> with_value(V const& v, detail::part_update how) const {
    if (part_.dropped()) return x_;
    auto const value = [&] {
      if constexpr (std::is_arithmetic_v<V>)
        return detail::store_number(number_value_of(v), x_.stored().facts.element);
      else
        return detail::store_operand(v);
    }();
    return array<A>(x_.mesh(), part_.updated(x_.stored(), value, x_.mesh().value(), how));
  }

  array<A> x_;
  std::tuple<Index...> given_;
  detail::array_part part_;
};

template <ArrayType A>
template <class... Index>
auto array<A>::at(Index... index) const {
  if constexpr ((std::is_convertible_v<Index, index_span> && ...))
    return indexed_update<array, Index...>(*this, {index_span(index)...}, std::tuple<Index...>(index...));
  else
    return indexed<array, Index...>{{*this, {index...}}};
}

}  // namespace tessera
