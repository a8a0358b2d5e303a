// SPDX-License-Identifier: Apache-2.0
#pragma once
// x.at(1, span(0, 3)).set(v): a new array with a part replaced, x unchanged; also add, multiply, min, max, and get.
// An index is a number, a span [start, stop) or `every`, one for each leading dimension; numbers and ends may be run-time
// values and count from the end when negative. v (a number or an array) broadcasts to the part; its dtype becomes x's.
// The result has x's type. Bytes: a part of a sharded dimension gathers that dimension, as comm_of of the same
// update_slice shows. Source: JAX jax.numpy.ndarray.at.

#include <tessera/api/program.hpp>
#include <tessera/error/explain_text.hpp>
#include <tessera/op/ops.hpp>

namespace tessera {

struct index_span {
  std::int64_t start = 0, stop = 0;
  bool whole = false;
  bool single = false;
  constexpr index_span(std::int64_t from, std::int64_t to) : start(from), stop(to) {}
  constexpr index_span(std::int64_t one) : start(one), stop(one + 1), single(true) {}
  static constexpr index_span everything() {
    index_span s(0, 0);
    s.whole = true;
    return s;
  }
};

constexpr index_span span(std::int64_t start, std::int64_t stop) { return {start, stop}; }
inline constexpr index_span every = index_span::everything();

template <ArrayType A>
class indexed_update<array<A>> {
public:
  indexed_update(array<A> x, std::initializer_list<index_span> index) : x_(std::move(x)) {
    auto const shape = x_.shape();
    if (static_cast<int>(index.size()) > shape.size())
      throw std::invalid_argument("tessera: " + std::to_string(index.size()) + " indices for an array of rank " +
                                  std::to_string(shape.size()) + ". Fix: at most one index a dimension.");
    int d = 0;
    for (index_span part : index) {
      std::int64_t const n = shape[d];
      if (part.whole) part = {0, n};
      if (part.start < 0) {
        part.start += n;
        if (part.single) part.stop = part.start + 1;
      }
      if (part.stop < 0) part.stop += n;
      if (part.start < 0 || part.stop > n || part.start > part.stop)
        throw std::out_of_range("tessera: index [" + std::to_string(part.start) + ", " + std::to_string(part.stop) +
                                ") of dimension " + std::to_string(d) + ", which has " + std::to_string(n) +
                                " elements. Fix: an index inside it.");
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

private:
  template <class V, class Combine>
  array<A> updated(V const& v, Combine const& combine) const {
    auto const mesh = x_.mesh().value();
    std::vector<stored_array> const inputs{x_.stored(), detail::store_operand(v)};
    builder b;
    b.recorded.mesh = mesh;
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
    attributes part;
    part.first = starts_;
    for (int d = 0; d < starts_.size(); ++d) part.second.push_back(starts_[d] + extents_[d]);
    axis_set cut;  // a part of a split dimension is read and written in the whole dimension
    for (int d = 0; d < starts_.size(); ++d)
      if (extents_[d] != inputs[0].facts.extent(d)) cut |= axis_set::of(d);
    term const whole = detail::with_whole_dims(b, x, cut);
    term const old = b.make<ops::slice>({whole}, part);
    attributes where;
    where.first = starts_;
    term updated = combine(b, old, value);
    if (updated && old) updated = detail::laid_out_as(b, updated, array_value(old.facts()));
    term result = b.make<ops::update_slice>({whole, updated}, where);
    if (result) result = detail::laid_out_as(b, result, inputs[0].facts);
    if (b.refused.what.why != reason::none) throw refused_error(b.refused, mesh);
    b.recorded.outputs.push_back(result.id);
    detail::run_time_program program(std::move(b.recorded));
    return array<A>(x_.mesh(), program.program(inputs)[0]);
  }

  array<A> x_;
  extents_list starts_{}, extents_{}, kept_{};
};

template <ArrayType A>
template <class... Index>
indexed_update<array<A>> array<A>::at(Index... index) const {
  return {*this, {index_span(index)...}};
}

}  // namespace tessera
