// SPDX-License-Identifier: Apache-2.0
#pragma once
// x.at(index...) as an operation: slices, then a gather where indices are arrays or not known.

#include <tessera/op/index/dynamic_slice.hpp>
#include <tessera/op/index/index_entries.hpp>
#include <tessera/op/index/index_plan.hpp>
#include <tessera/op/index/take.hpp>
#include <tessera/op/shape/broadcast_to.hpp>
#include <tessera/rule/manual.hpp>

namespace tessera {
namespace ops {

struct flip;

// (x, index operands...), with entries as in detail::index_entry.
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
    if (!arrays && !asked.mode.wrap)
      for (int k = 0; k + 1 < count; ++k) given[k] = from_the_front(b, given[k], asked.mode.fill);
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
  // A number below 0, which is outside, as one that is not read as counting from the end.
  template <class B>
  static constexpr term from_the_front(B& b, term place, bool fill) {
    if (!place || is_unsigned(place.facts().element)) return place;
    if (bytes_of(place.facts().element) < 4)
      place = make<cast>(b, {place}, cast_params{dtype::int32, false, cast_role::asked});
    dtype const element = place.facts().element;
    auto const zero = number(b, 0.0, element);
    if (!fill) return make<maximum>(b, {place, zero});
    double const outside = element == dtype::int64 ? 0x1p62 : static_cast<double>(highest_integer(element));
    return make<where>(b, {make<less>(b, {place, zero}), number(b, outside, element), place});
  }
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
  // The layout before new dimensions: the requested one, but along windows that of y, where y is split.
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
    int picked = 0, made = 0;  // dimensions of the gather, and of the requested result
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
}  // namespace tessera
