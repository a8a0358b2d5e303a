// SPDX-License-Identifier: Apache-2.0
#pragma once
// Collectives over the mapped axis, alone or among others: reductions, moves and copies of the batch dimension. Part of
// transform/batch.hpp. Source: JAX jax/_src/lax/parallel.py (batching rules).

#include <tessera/op/create/iota.hpp>
#include <tessera/op/elementwise/arithmetic.hpp>
#include <tessera/op/index/slice.hpp>
#include <tessera/op/reduce/reduce.hpp>
#include <tessera/op/shape/concatenate.hpp>
#include <tessera/transform/batch_values.hpp>

namespace tessera::detail {

class batch_collectives : protected batch_values {
protected:
  using batch_values::batch_values;

  static constexpr axis_set named_by(node const& n) {
    switch (n.attrs.kind()) {
      case params_kind::collective: return n.attrs.as<collective_params>().joined();
      case params_kind::shard_map: return n.attrs.as<shard_map_params>().axes;
      case params_kind::effect: return n.attrs.as<effect_params>().axes;
      default: return {};
    }
  }
  constexpr bool joins(node const& n) const { return !(named_by(n) & mapped_axis()).empty(); }
  // Whether its result differs between elements.
  static constexpr bool joined_differs(node const& n) {
    return n.op->message != collective::all_reduce && n.op->message != collective::all_gather;
  }

  constexpr term joined(batch_node const& n) const {
    if (n.op().kind == op_class::axis_index) return in_layout(position(n));
    batch_operand const& x = n.x[0];
    if (n.op().kind == op_class::identity) return seen_otherwise(n);
    collective_params const& over = n.attrs().as<collective_params>();
    bool const alone = over.order.count() == 1;
    if (over.table && n.op().message != collective::permute) return refused(n);  // within groups
    switch (n.op().message) {
      case collective::all_reduce: return reduced(n);
      case collective::all_gather: return gathered(n);
      case collective::reduce_scatter: return scattered(n);
      case collective::all_to_all: return alone ? exchanged(n) : refused(n);
      case collective::permute: return alone ? moved(n) : refused(n);
      case collective::ragged_all_to_all: return refused(n);
      case collective::none: break;
    }
    return alone && !x.mapped ? in_layout(split(x.now, static_cast<int>(over.dim))) : refused(n);
  }

private:
  // A cast that only changes types along the mapped axis.
  constexpr term seen_otherwise(batch_node const& n) const {
    attributes const rest = without_axis(n.attrs());
    return rest.as<collective_params>().axes.empty() ? n.x[0].now : b_.emit(n.op(), {n.x[0].now}, rest);
  }
  constexpr attributes over_one(attributes attrs, int axis, int dim) const {
    attrs = without_axis(attrs);
    collective_params over = attrs.as<collective_params>();
    over.order = only(axis);
    over.dim = dim;
    attrs.set(over);
    return attrs;
  }
  constexpr term reduced(batch_node const& n) const {
    term made = n.x[0].now;
    monoid const by = n.op().reduction;
    if (n.x[0].mapped) {
      reduce_params over{{0}};
      made = by == monoid::max   ? make<ops::reduce_max>(b_, {made}, over)
             : by == monoid::min ? make<ops::reduce_min>(b_, {made}, over)
                                 : make<ops::reduce_sum>(b_, {made}, over);
    } else if (by == monoid::sum) {
      made = made * number(b_, static_cast<double>(size_), made.facts().element);
    }
    attributes const rest = without_axis(n.attrs());
    return made && !rest.as<collective_params>().axes.empty() ? b_.emit(n.op(), {made}, rest) : made;
  }
  // Several axes: the minor ones first.
  constexpr term gathered(batch_node const& n) const {
    entry_value const axes = n.attrs().as<collective_params>().order;
    auto const dim = static_cast<int>(n.attrs().as<collective_params>().dim);
    term made = whole(n.x[0]);
    bool batch = true;
    for (int k = axes.count() - 1; k >= 0 && made; --k)
      if (axes.axis(k) == axis_) {
        made = merged(first_to(with_whole_batch(made), dim), dim);
        batch = false;
      } else {
        made = b_.emit(n.op(), {made}, over_one(n.attrs(), axes.axis(k), dim + (batch ? 1 : 0)));
      }
    return made;
  }
  // Several axes: the major ones first.
  constexpr term scattered(batch_node const& n) const {
    entry_value const axes = n.attrs().as<collective_params>().order;
    auto const dim = static_cast<int>(n.attrs().as<collective_params>().dim);
    term made = whole(n.x[0]);
    reduce_params over{{0}};
    for (int k = 0; k < axes.count() && made; ++k)
      made = axes.axis(k) == axis_ ? in_layout(split(make<ops::reduce_sum>(b_, {made}, over), dim))
                                   : b_.emit(n.op(), {made}, over_one(n.attrs(), axes.axis(k), dim + 1));
    return made;
  }
  // [from, ..., to * s, ..., c, ...] -> [to, ..., s, ..., from * c, ...].
  constexpr term exchanged(batch_node const& n) const {
    collective_params const& along = n.attrs().as<collective_params>();
    auto const cut = static_cast<int>(along.dim), grown = static_cast<int>(along.concat_dim);
    term const parts = split(with_whole_batch(whole(n.x[0])), cut + 1);  // [to, from, ..., s, ..., c, ...]
    if (!parts) return parts;
    extents_list order{0};
    for (int d = 0; d < parts.facts().rank - 2; ++d) {
      if (d == grown) order.push_back(1);
      order.push_back(d + 2);
    }
    return in_layout(merged(permuted(parts, order), grown + 1));
  }
  // Elements of the batch in another order, zeros where none comes: contiguous runs stay together.
  constexpr term moved(batch_node const& n) const {
    term const rows = with_whole_batch(whole(n.x[0]));
    if (!rows) return rows;
    array_value const facts = rows.facts();
    collective_params const& along = n.attrs().as<collective_params>();
    auto const count = along.table[0];
    std::int32_t const* const source = along.table + 1 + (along.backwards ? count : 0);
    growable<term> parts;
    for (std::int32_t to = 0; to < count;) {
      std::int32_t run = 1;
      bool const none = source[to] < 0;
      while (to + run < count && source[to + run] == (none ? -1 : source[to] + run)) ++run;
      array_value shape = facts;
      shape.extent(0) = run;
      slice_params at;
      for (int d = 0; d < facts.rank; ++d) {
        at.start.push_back(d == 0 && !none ? source[to] : 0);
        at.limit.push_back(d == 0 ? (none ? 0 : source[to]) + run : facts.extent(d));
      }
      parts.push_back(none ? zeros(shape) : make<ops::slice>(b_, {rows}, at));
      to += run;
    }
    return in_layout(one_after_the_other(parts));
  }
  constexpr term one_after_the_other(growable<term> parts) const {
    while (parts.size() > 1) {
      growable<term> fewer;
      for (std::size_t i = 0; i < parts.size(); i += builder::max_operands) {
        std::size_t const left = parts.size() - i;
        int const count = left < std::size_t{builder::max_operands} ? static_cast<int>(left) : builder::max_operands;
        fewer.push_back(count == 1 ? parts[i] : make<ops::concatenate>(b_, parts.data() + i, count));
      }
      parts = fewer;
    }
    return parts[0];
  }
  constexpr term zeros(array_value const& shape) const {
    attributes const wide{broadcast_params{{}, shape.shape()}, layout_of(shape)};
    return make<ops::broadcast_to>(b_, {number(b_, 0, shape.element)}, wide);
  }
  // The position along the axes in order, the first one major.
  constexpr term position(batch_node const& n) const {
    entry_value const axes = n.attrs().as<collective_params>().order;
    term sum{};
    for (int k = 0; k < axes.count(); ++k) {
      int const axis = axes.axis(k);
      attributes const rest = without_axis(n.attrs());
      collective_params here = rest.as<collective_params>();
      here.axes = axis_set::of(axis);
      here.order = only(axis);
      iota_params counted{dtype::int32, 0, {size_}};
      term const own = axis == axis_ ? make<ops::iota>(b_, {}, counted) : b_.emit(n.op(), {}, here);
      if (k == 0) {
        sum = own;
        continue;
      }
      auto const size = static_cast<double>(axis == axis_ ? size_ : b_.mesh().size(axis));
      sum = sum * number(b_, size, dtype::int32) + own;
    }
    return sum;
  }
};

}  // namespace tessera::detail
