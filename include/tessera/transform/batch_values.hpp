// SPDX-License-Identifier: Apache-2.0
#pragma once
// Values of a batch while a program is rewritten for it: the position and layout of the batch dimension, and copies of
// values without it. Part of transform/batch.hpp.

#include <tessera/op/base/relayout.hpp>
#include <tessera/op/shape/broadcast_to.hpp>
#include <tessera/op/shape/permute.hpp>
#include <tessera/op/shape/reshape.hpp>

namespace tessera::detail {

// A value of the recorded part: `one` for one element of the batch, `now` the new value, with the batch as first
// dimension if `mapped`.
struct batch_operand {
  term now{};
  bool mapped = false;
  array_value one{};
};
struct batch_node {
  node const& recorded;
  batch_operand x[builder::max_operands];
  constexpr attributes const& attrs() const { return recorded.attrs; }
  constexpr op_info const& op() const { return *recorded.op; }
  constexpr int count() const { return recorded.operand_count; }
};

class batch_values {
public:
  // axis: the position of the mapped axis in the mesh of the recorded part, -1 if it has no name; size and entry: of
  // the batch dimension.
  constexpr batch_values(builder& b, int axis, std::int64_t size, entry_value entry)
      : b_(b), axis_(axis), size_(size), entry_(entry) {}

protected:
  constexpr axis_set mapped_axis() const { return axis_ < 0 ? axis_set{} : axis_set::of(axis_); }
  constexpr array_value without_axis(array_value facts) const {
    facts.varying = facts.varying - mapped_axis();
    facts.unreduced = facts.unreduced - mapped_axis();
    facts.reduced = facts.reduced - mapped_axis();
    return facts;
  }
  constexpr attributes without_axis(attributes attrs) const {
    if (attrs.kind() == params_kind::collective) {
      collective_params over = attrs.as<collective_params>();
      over.axes = over.axes - mapped_axis();
      over.unchecked = over.unchecked - mapped_axis();
      attrs.set(over);
    } else if (attrs.kind() == params_kind::shard_map) {
      shard_map_params border = attrs.as<shard_map_params>();
      border.axes = border.axes - mapped_axis();
      attrs.set(border);
    } else if (attrs.kind() == params_kind::effect) {
      effect_params what = attrs.as<effect_params>();
      what.axes = what.axes - mapped_axis();
      attrs.set(what);
    }
    attrs.out.unreduced = attrs.out.unreduced - mapped_axis();
    attrs.out.reduced = attrs.out.reduced - mapped_axis();
    return attrs;
  }
  // The facts of a batch of such values.
  constexpr array_value batch_of(array_value const& one) const {
    bool const free = (one.sharded_axes() & entry_.axes()).empty();
    return tessera::with_dim(without_axis(one), 0, size_, free ? entry_ : entry_value{});
  }
  static constexpr extents_list shifted(extents_list const& dims) {
    extents_list more;
    for (auto d : dims) more.push_back(d + 1);
    return more;
  }
  static constexpr extents_list with_first(std::int64_t first, extents_list const& rest) {
    extents_list all{first};
    for (auto x : rest) all.push_back(x);
    return all;
  }
  // A layout with one more dimension.
  static constexpr spec_value with_dim(spec_value spec, int at, entry_value entry) {
    // g++ 12 at -O3 warns of indices that follow from the rank.
    for (int d = max_rank - 1; d >= 0; --d) {
      if (d > at)
        spec.entries[d] = spec.entries[d - 1];
      else if (d == at)
        spec.entries[d] = entry;
      else if (d >= spec.rank)
        spec.entries[d] = {};
    }
    spec.rank = (spec.rank < at ? at : spec.rank) + 1;
    return spec;
  }
  constexpr term refused(batch_node const& n) const {
    return b_.refuse(refuse(reason::not_mappable), n.op(), without_axis(n.recorded.facts));
  }

  constexpr term permuted(term x, extents_list const& order) const {
    bool in_order = true;
    for (int d = 0; d < order.size(); ++d) in_order = in_order && order[d] == d;
    if (in_order || !x) return x;
    return make<ops::permute>(b_, {x}, permute_params{order});
  }
  constexpr term to_front(term x, int dim) const {
    extents_list order;  // g++ 12 at -O3 takes order{dim} for uninitialized
    order.push_back(dim);
    for (int d = 0; x && d < x.facts().rank; ++d)
      if (d != dim) order.push_back(d);
    return permuted(x, order);
  }
  constexpr term first_to(term x, int dim) const {
    extents_list order;
    for (int d = 1; x && d <= dim; ++d) order.push_back(d);
    order.push_back(0);
    for (int d = dim + 1; x && d < x.facts().rank; ++d) order.push_back(d);
    return permuted(x, order);
  }
  // The batch dimension in the layout of the arguments' batch dimension.
  constexpr term in_layout(term x) const {
    if (!x || x.facts().entry(0) == entry_) return x;
    array_value like = x.facts();
    like.entry(0) = entry_;
    return laid_out_as(b_, x, like);
  }
  constexpr term with_whole_batch(term x) const { return with_whole_dims(b_, x, axis_set::of(0)); }
  // x as a batch of equal values like `one`; its own dimensions, if any, are the last ones of these.
  constexpr term spread(term x, bool is_batch, array_value const& one) const {
    if (!x) return x;
    array_value const own = x.facts(), all = batch_of(one);
    if (is_batch && own.rank == all.rank) return x;
    broadcast_params places{{}, all.shape()};
    int const shift = all.rank - own.rank;
    for (int d = 0; d < own.rank; ++d) places.dims.push_back(is_batch && d == 0 ? 0 : d + shift);
    attributes to{places, layout_of(all)};
    for (int d = 0; d < own.rank; ++d) to.out.entries[static_cast<int>(places.dims[d])] = own.entry(d);
    to.out.unreduced = own.unreduced;
    to.out.reduced = own.reduced;
    return make<ops::broadcast_to>(b_, {x}, to);
  }
  // The value with its batch dimension, copied for each element if it has none.
  constexpr term whole(batch_operand const& x) const { return x.mapped ? x.now : spread(x.now, false, x.one); }
  constexpr term reshaped(term x, array_value const& to) const {
    attributes const shape{reshape_params{to.shape()}, layout_of(to)};
    return x ? make<ops::reshape>(b_, {x}, shape) : x;
  }
  // Merges dimensions dim and dim + 1, of which the first is a batch.
  constexpr term merged(term x, int dim) const {
    if (!x) return x;
    array_value joined = without_dim(x.facts(), dim);
    auto& extent = joined.extent(dim);
    extent = extent == dynamic || size_ == dynamic ? dynamic : size_ * extent;
    return reshaped(x, joined);
  }
  // x[..., n * s, ...] -> [n, ..., s, ...].
  constexpr term split(term x, int dim) const {
    if (!x) return x;
    array_value parts = tessera::with_dim(x.facts(), dim, size_);
    auto& extent = parts.extent(dim + 1);
    extent = extent == dynamic || size_ == dynamic ? dynamic : extent / size_;
    return to_front(reshaped(x, parts), dim);
  }

  builder& b_;
  int axis_;
  std::int64_t size_;
  entry_value entry_;
};

}  // namespace tessera::detail
