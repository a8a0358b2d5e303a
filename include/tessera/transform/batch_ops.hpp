// SPDX-License-Identifier: Apache-2.0
#pragma once
// The operation on a batch, for each class of operations. Part of transform/batch.hpp.

#include <tessera/op/elementwise/where.hpp>
#include <tessera/op/shape/expand_dims.hpp>
#include <tessera/op/shape/pad.hpp>
#include <tessera/rule/contraction.hpp>
#include <tessera/rule/indexing.hpp>
#include <tessera/rule/opaque.hpp>
#include <tessera/transform/batch_collectives.hpp>

namespace tessera::detail {

class batch_ops : protected batch_collectives {
protected:
  using batch_collectives::batch_collectives;

  // At least one operand is a batch; the result is one.
  constexpr term on_batches(batch_node const& n) const {
    attributes attrs = without_axis(n.attrs());
    bool const own_way =
        n.op().kind == op_class::dot || n.op().kind == op_class::gather || n.op().kind == op_class::scatter;
    if (attrs.has_out && !own_way)
      attrs.out = with_dim(attrs.out, 0, is_hint(n) ? entry_value{entry_value::open} : entry_of_batch(n));
    term x[builder::max_operands]{};
    for (int k = 0; k < n.count(); ++k) x[k] = n.x[k].now;
    switch (n.op().kind) {
      case op_class::elementwise: join_shapes(n, x); break;
      case op_class::identity:
        if (n.op().rule) break;
        return {&b_, b_.push(n.op(), &x[0].id, 1, attrs, facts_as_said(x[0], n.recorded.facts))};
      case op_class::reduce: {
        reduce_params over = attrs.as<reduce_params>();
        over.dims = shifted(over.dims);
        attrs.set(over);
        break;
      }
      case op_class::permute:
        attrs.set(permute_params{with_first(0, shifted(attrs.as<permute_params>().order))});
        break;
      case op_class::broadcast: {
        broadcast_params to = attrs.as<broadcast_params>();
        to.dims = with_first(0, shifted(to.dims));
        to.shape = with_first(size_, to.shape);
        attrs.set(to);
        break;
      }
      case op_class::reshape: attrs.set(reshape_params{with_first(size_, attrs.as<reshape_params>().shape)}); break;
      case op_class::slice: {
        slice_params part = attrs.as<slice_params>();
        part.start = with_first(0, part.start);
        part.limit = with_first(size_, part.limit);
        if (!part.stride.empty()) part.stride = with_first(1, part.stride);
        attrs.set(part);
        break;
      }
      case op_class::roll: attrs = attrs.counted_on(); break;
      case op_class::mesh_cast:
      case op_class::reshard: break;
      case op_class::enter:
      case op_class::leave:
        if (!(entry_.axes() & attrs.as<shard_map_params>().axes).empty()) return refused(n);
        break;
      case op_class::concatenate:
        for (int k = 0; k < n.count(); ++k) x[k] = whole(n.x[k]);
        attrs.set(concatenate_params{attrs.as<concatenate_params>().dim + 1});
        break;
      case op_class::update_slice:
        for (int k = 0; k < n.count(); ++k) x[k] = whole(n.x[k]);
        attrs.set(update_slice_params{with_first(0, attrs.as<update_slice_params>().start)});
        break;
      case op_class::pad: return padded(n, attrs);
      case op_class::dot: return product(n, attrs);
      case op_class::gather:
      case op_class::scatter: return picked(n, attrs);
      case op_class::opaque: return opaque(n, attrs);
      case op_class::effect: return effect(n, attrs);
      case op_class::collective:
      case op_class::shard_slice: {
        if (n.op().message == collective::ragged_all_to_all) return refused(n);
        collective_params along = attrs.as<collective_params>();
        ++along.dim;
        ++along.concat_dim;
        attrs.set(along);
        break;
      }
      default: return refused(n);
    }
    return emit(n, x, attrs);
  }
  // where(pred, x, y) for a batch of scalars pred; x and y are batches of values like this one.
  constexpr term choice(term pred, array_value const& one, term x, term y) const {
    return pred && x && y ? make<ops::where>(b_, {spread(pred, true, one), x, y}) : term{&b_, -1};
  }

private:
  // Once for each element, in order; a barrier once for the batch.
  constexpr term effect(batch_node const& n, attributes const& attrs) const {
    if (!n.op().rule) return n.x[0].now;  // the original of the clone does it
    term x[builder::max_operands]{};
    for (int k = 0; k < n.count(); ++k) x[k] = n.op().act && n.x[k].mapped ? with_whole_batch(n.x[k].now) : n.x[k].now;
    if (!n.op().act) x[0] = whole(n.x[0]);
    if (!n.op().act) return emit(n, x, attrs);
    term last{&b_, -1};
    for (std::int64_t i = 0; i < size_; ++i) {
      term one[builder::max_operands]{};
      for (int k = 0; k < n.count(); ++k) one[k] = n.x[k].mapped ? element(x[k], i) : x[k];
      last = emit(n, one, attrs);
      if (!last) break;
    }
    return last;
  }
  // Element i of a batch that is whole on each device.
  constexpr term element(term x, std::int64_t i) const {
    if (!x) return x;
    term const one = make<ops::slice>(b_, {x}, slice_in_dim_params{0, i, i + 1});
    return one ? make<ops::squeeze>(b_, {one}, ops::squeeze_params{{0}}) : one;
  }
  constexpr term emit(batch_node const& n, term const* x, attributes const& attrs) const {
    for (int k = 0; k < n.count(); ++k)
      if (!x[k]) return {&b_, -1};
    return b_.emit(n.op(), x, n.count(), attrs);
  }
  // A constraint over Auto axes, which does not constrain the batch. Source: JAX 0.10.2 pjit.py,
  // _sharding_constraint_batcher.
  constexpr bool is_hint(batch_node const& n) const {
    return n.op().kind == op_class::identity && rule::is_planned(b_.mesh());
  }
  static constexpr entry_value entry_of_batch(batch_node const& n) {
    for (int k = 0; k < n.count(); ++k)
      if (n.x[k].mapped) return n.x[k].now.facts().entry(0);
    return {};
  }
  static constexpr array_value facts_as_said(term x, array_value const& said) {
    array_value all = x.facts();
    all.element = said.element;
    all.weak = said.weak;
    return all;
  }
  // Scalars combine with any shape, batches of scalars do not.
  constexpr void join_shapes(batch_node const& n, term* x) const {
    array_value const& result = n.recorded.facts;
    for (int k = 0; k < n.count(); ++k) {
      bool const scalars = result.rank == 0;  // of three operands each may be the one that decides the shape
      bool const joins = n.x[k].one.rank == 0 && (n.x[k].mapped ? scalars : !scalars || n.count() < 3);
      if (!joins) x[k] = spread(x[k], n.x[k].mapped, result);
    }
  }

  // The batch comes first among the batch dimensions if both operands have one, otherwise first among the free
  // dimensions of its operand.
  constexpr term product(batch_node const& n, attributes attrs) const {
    batch_operand const &l = n.x[0], &r = n.x[1];
    dot_params dims = attrs.as<dot_params>();
    int const batches = dims.lhs_batch.size();
    bool const both = l.mapped && r.mapped;
    if (l.mapped) {
      dims.lhs_batch = shifted(dims.lhs_batch);
      dims.lhs_contracting = shifted(dims.lhs_contracting);
    }
    if (r.mapped) {
      dims.rhs_batch = shifted(dims.rhs_batch);
      dims.rhs_contracting = shifted(dims.rhs_contracting);
    }
    if (both) {
      dims.lhs_batch = with_first(0, dims.lhs_batch);
      dims.rhs_batch = with_first(0, dims.rhs_batch);
    }
    attrs.set(dims);
    int const lhs_free = l.one.rank - batches - dims.lhs_contracting.size();
    int const at = both ? 0 : batches + (l.mapped ? 0 : lhs_free);
    if (attrs.has_out) attrs.out = with_dim(attrs.out, at, entry_of_batch(n));
    return to_front(b_.emit(n.op(), {l.now, r.now}, attrs), at);
  }

  constexpr term padded(batch_node const& n, attributes attrs) const {
    batch_operand const &x = n.x[0], &fill = n.x[1];
    pad_params by = attrs.as<pad_params>();
    by.low = with_first(0, by.low);
    by.high = with_first(0, by.high);
    by.interior = with_first(0, by.interior);
    attrs.set(by);
    if (!fill.mapped) return b_.emit(n.op(), {x.now, fill.now}, attrs);
    // Each element of the batch has its own fill value: written where the result has no element of x.
    array_value inside = x.one;
    inside.element = dtype::boolean;
    term const data = b_.emit(n.op(), {whole(x), number(b_, 0, x.one.element)}, attrs);
    term const ones = spread(number(b_, 1, dtype::boolean), false, inside);
    term const taken = b_.emit(n.op(), {ones, number(b_, 0, dtype::boolean)}, attrs);
    if (!data || !taken) return {&b_, -1};
    return make<ops::where>(b_, {taken, data, spread(fill.now, true, n.recorded.facts)});
  }

  constexpr term picked(batch_node const& n, attributes attrs) const {
    bool const puts = n.op().kind == op_class::scatter;
    int const last = n.count() - 1, end = puts ? last : n.count();  // indices are operands 1 to end - 1
    bool by_index = false;
    array_value const* shape = nullptr;  // of the index arrays
    for (int k = 1; k < end; ++k) {
      by_index = by_index || n.x[k].mapped;
      if (n.x[k].one.rank != 0) shape = &n.x[k].one;
    }
    bool const of_batch = puts || n.x[0].mapped;
    term x[builder::max_operands]{};
    for (int k = 1; k < end; ++k) {
      batch_operand const& i = n.x[k];
      bool const as_it_is = !by_index || (i.one.rank == 0 && !i.mapped);
      x[k] = as_it_is ? i.now : spread(i.now, i.mapped, shape ? *shape : i.one);
    }
    x[0] = of_batch ? whole(n.x[0]) : n.x[0].now;
    if (puts) x[last] = whole(n.x[last]);
    // A dimension of the result moves by one; a dimension of the indices does if these are batches.
    indexing_params windows = attrs.as<indexing_params>();
    extents_list& along = windows.runs_along;
    for (int d = 0; d < along.size(); ++d)
      if (along[d] >= 0)
        ++along[d];
      else if (along[d] != rule::collapsed && by_index)
        --along[d];
    if (of_batch) {
      windows.window = with_first(by_index ? 1 : size_, windows.window);
      along = with_first(by_index ? rule::with_index(0) : 0, along);
      windows.indexed = shifted(windows.indexed);
    }
    attrs.set(windows);
    attrs.has_out = true;  // the layout of one element's result, which was judged
    attrs.out = layout_of(batch_of(n.recorded.facts));
    return emit(n, x, attrs);
  }

  // The same working dimensions, moved by one, with or without parameters: read from the op's own shape.
  constexpr term opaque(batch_node const& n, attributes const& attrs) const {
    array_value before[builder::max_operands]{}, facts[builder::max_operands]{};
    array_value const *was_seen[builder::max_operands]{}, *seen[builder::max_operands]{};
    term x[builder::max_operands]{};
    for (int k = 0; k < n.count(); ++k) {
      before[k] = without_axis(n.x[k].one);
      was_seen[k] = &before[k];
    }
    opaque_shape const was = n.op().shape({b_.mesh(), was_seen, n.count(), attrs});
    auto const shared = [&](int k) { return before[k].rank == was.operand[k].size(); };  // by the whole batch
    bool all_shared = true;
    for (int k = 0; k < n.count(); ++k) all_shared = all_shared && shared(k);
    // Whether the same dimensions are worked on as before, counted from the end.
    auto const same_dims = [&](opaque_shape const& is) {
      bool same = is.refused.why == reason::none;
      for (int k = 0; k < n.count() && same; ++k) {
        same = is.operand[k].size() == was.operand[k].size();
        for (int d = 0; d < was.operand[k].size() && same; ++d)
          same = is.operand[k][d] == was.operand[k][d] + facts[k].rank - before[k].rank;
      }
      for (int r = 0; r < opaque_shape::most_results && same; ++r) {
        same = is.result[r].dims.size() == was.result[r].dims.size();
        for (int d = 0; d < was.result[r].dims.size() && same; ++d)
          same = is.result[r].dims[d] == was.result[r].dims[d] + facts[0].rank - before[0].rank;
      }
      return same;
    };
    // Operands that are worked on as wholes: once for the batch where the operation takes that, else one for each element.
    for (bool const for_each : {false, true}) {
      if (for_each && !all_shared) break;
      for (int k = 0; k < n.count(); ++k) {
        if (shared(k) && n.x[k].mapped && !all_shared) return refused(n);
        bool const once = shared(k) && k > 0 && !for_each;  // results have the type of operand 0
        x[k] = once ? n.x[k].now : whole(n.x[k]);
        if (!x[k]) return x[k];
        facts[k] = x[k].facts();
        seen[k] = &facts[k];
      }
      for (attributes const& tried : {attrs, attrs.counted_on()})
        if (same_dims(n.op().shape({b_.mesh(), seen, n.count(), tried}))) return b_.emit(n.op(), x, n.count(), tried);
    }
    return refused(n);
  }
};

}  // namespace tessera::detail
