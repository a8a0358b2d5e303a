// SPDX-License-Identifier: Apache-2.0
#pragma once
// x.at(1, span(0, 3)).set(v): a new array with a part replaced, x unchanged; also add, multiply, min, max.
// x.at(1, span(0, 3)).get(): the part. A number drops its dimension; a span gives one whose extent the type does not know
// and that is not split; `every` and dimensions without an index stay as they are.
// An index is a number, a span [start, stop) or `every`, one for each leading dimension; numbers and ends may be run-time
// values and count from the end when negative. With an array, newaxis, ellipsis or span<...>() among them: op/index/at.hpp.
// v (a number or an array) broadcasts to the part; its dtype becomes x's. get(mode::fill), add(v, out_sharding<...>) and
// their like: op/index/at.hpp, for numbers and `every`. A number outside is moved inside by get, and the others leave x as it is;
// a span is cut to what is there; mode::checked throws std::out_of_range for both.
// A changed array has x's type. Bytes: a part of a sharded dimension gathers that dimension, as comm_of of the same
// update_slice shows. Source: JAX jax.numpy.ndarray.at.

#include <tessera/api/loaded_program.hpp>
#include <tessera/op/ops.hpp>

namespace tessera {

struct index_span {
  std::int64_t start = 0, stop = 0;
  bool whole = false;
  bool single = false;
  constexpr index_span(std::int64_t from, std::int64_t to) : start(from), stop(to) {}
  constexpr index_span(every_index) : whole(true) {}
  constexpr index_span(std::int64_t one) : start(one), stop(one + 1), single(true) {}
};

constexpr index_span span(std::int64_t start, std::int64_t stop) { return {start, stop}; }

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

}  // namespace detail

template <ArrayType A, class... Index>
class indexed_update<array<A>, Index...> {
  using checked_mode = mode::tag<index_mode::check>;

public:
  static_assert(sizeof...(Index) <= A::rank,
                "tessera: more indices than the array has dimensions. Fix: at most one index a dimension.");
  static_assert(A::value.memory == memory_kind::device,
                "tessera: an array in host memory cannot be computed on. Fix: device_put(x, on_device{}) first.");

  indexed_update(array<A> x, std::initializer_list<index_span> index, std::tuple<Index...> given)
      : x_(std::move(x)), given_(given) {
    auto const shape = x_.shape();
    int d = 0;
    for (index_span part : index) {
      std::int64_t const n = shape[d];
      index_span const asked = part;
      if (part.whole) part = {0, n};
      if (part.start < 0) part.start += n;
      if (part.single) part.stop = part.start + 1;
      if (part.stop < 0) part.stop += n;
      if (part.start < 0 || part.stop > n || (part.single && part.start >= n)) {
        if (outside_.empty())
          outside_ = detail::outside_text(
              part.single ? std::to_string(asked.start)
                          : "[" + std::to_string(asked.start) + ", " + std::to_string(asked.stop) + ")",
              d, n);
        dropped_ = dropped_ || part.single;
        nothing_ = nothing_ || (part.single && n == 0);
        part.start = std::clamp<std::int64_t>(part.start, 0, part.single && n > 0 ? n - 1 : n);
        part.stop = part.single ? std::min(part.start + 1, n) : std::clamp<std::int64_t>(part.stop, part.start, n);
      }
      if (part.stop < part.start) part.stop = part.start;
      starts_.push_back(part.start);
      extents_.push_back(part.stop - part.start);
      if (!part.single) kept_.push_back(part.stop - part.start);
      ++d;
    }
    for (; d < shape.size(); ++d) {
      starts_.push_back(0);
      extents_.push_back(shape[d]);
      kept_.push_back(shape[d]);
    }
  }

  template <class V>
  array<A> set(V const& v) const {
    return updated(v, [](builder&, term, term value) { return value; });
  }
  template <class V>
  array<A> add(V const& v) const {
    return updated(v, [](builder& b, term old, term value) { return b.template make<ops::add>({old, value}); });
  }
  template <class V>
  array<A> multiply(V const& v) const {
    return updated(v, [](builder& b, term old, term value) { return b.template make<ops::multiply>({old, value}); });
  }
  template <class V>
  array<A> min(V const& v) const {
    return updated(v, [](builder& b, term old, term value) { return b.template make<ops::minimum>({old, value}); });
  }
  template <class V>
  array<A> max(V const& v) const {
    return updated(v, [](builder& b, term old, term value) { return b.template make<ops::maximum>({old, value}); });
  }

  // Throws std::out_of_range where there is no element to be moved to.
  auto get() const {
    if (nothing_) throw std::out_of_range(outside_);
    using part_type = array_type_of<detail::indexed_facts<A, Index...>, typename A::mesh>;
    std::vector<stored_array> const inputs{x_.stored()};
    builder b;
    b.recorded.mesh = detail::explicit_twin(x_.mesh().value());
    term const x = b.argument(info<ops::argument>, inputs[0].facts);
    term part = b.make<ops::slice>({detail::with_whole_dims(b, x, cut())}, bounds());
    attributes to;
    to.first = kept_;
    if (part) part = b.make<ops::reshape>({part}, to);
    array_value wanted = detail::indexed_facts<A, Index...>::of(inputs[0].facts);
    for (int d = 0; d < wanted.rank; ++d) wanted.extents[static_cast<std::size_t>(d)] = kept_[d];
    if (part) part = detail::laid_out_as(b, part, wanted);
    return array<part_type>(x_.mesh(), detail::run_once(std::move(b), part, inputs));
  }

  auto get(checked_mode) const {
    inside();
    return get();
  }
  // With a mode or a layout: of numbers and `every`, judged as in traced code.
  template <class How>
  auto get(How how) const {
    return as_operands().get(how);
  }
#define TESSERA_INDEX_UPDATE(name)                \
  template <class V>                              \
  array<A> name(V const& v, checked_mode) const { \
    inside();                                     \
    return name(v);                               \
  }                                               \
  template <class V, class How>                   \
  auto name(V const& v, How how) const {          \
    return as_operands().name(v, how);            \
  }
  TESSERA_INDEX_UPDATE(set)
  TESSERA_INDEX_UPDATE(add)
  TESSERA_INDEX_UPDATE(multiply)
  TESSERA_INDEX_UPDATE(min)
  TESSERA_INDEX_UPDATE(max)
#undef TESSERA_INDEX_UPDATE

private:
  void inside() const {
    if (!outside_.empty()) throw std::out_of_range(outside_);
  }
  auto as_operands() const {
    static_assert((!std::is_same_v<Index, index_span> && ...),
                  "tessera: a span of run-time numbers has no mode and no layout. Fix: span<start, stop>(), or reshard "
                  "the result.");
    return indexed<array<A>, Index...>{{x_, given_}};
  }
  // The dimensions of which a part is read or written: when they are split, that takes the whole dimension.
  axis_set cut() const {
    axis_set dims;
    for (int d = 0; d < starts_.size(); ++d)
      if (extents_[d] != x_.stored().facts.extent(d)) dims |= axis_set::of(d);
    return dims;
  }
  attributes bounds() const {
    attributes part;
    part.first = starts_;
    for (int d = 0; d < starts_.size(); ++d) part.second.push_back(starts_[d] + extents_[d]);
    return part;
  }

  template <class V, class Combine>
  array<A> updated(V const& v, Combine const& combine) const {
    if (dropped_) return x_;
    auto const stored = [&] {
      if constexpr (std::is_arithmetic_v<V>)
        return detail::store_number(number_value_of(v), x_.stored().facts.element);
      else
        return detail::store_operand(v);
    };
    std::vector<stored_array> const inputs{x_.stored(), stored()};
    builder b;
    b.recorded.mesh = detail::explicit_twin(x_.mesh().value());
    term const x = b.argument(info<ops::argument>, inputs[0].facts);
    term value = b.argument(info<ops::argument>, inputs[1].facts);
    attributes to;
    to.element = inputs[0].facts.element;
    if (value.facts().element != to.element) value = b.make<ops::cast>({value}, to);
    to = {};
    to.second = kept_;
    if (value) value = b.make<ops::broadcast_to>({value}, to);
    to = {};
    to.first = extents_;
    if (value) value = b.make<ops::reshape>({value}, to);
    term const whole = detail::with_whole_dims(b, x, cut());
    term const old = b.make<ops::slice>({whole}, bounds());
    attributes where;
    where.first = starts_;
    term updated = combine(b, old, value);
    if (updated && old) updated = detail::laid_out_as(b, updated, array_value(old.facts()));
    term result = b.make<ops::update_slice>({whole, updated}, where);
    if (result) result = detail::laid_out_as(b, result, inputs[0].facts);
    return array<A>(x_.mesh(), detail::run_once(std::move(b), result, inputs));
  }

  array<A> x_;
  std::tuple<Index...> given_;
  std::string outside_;  // of the first index that is, or empty
  bool dropped_ = false, nothing_ = false;
  extents_list starts_{}, extents_{}, kept_{};
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
