// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reshards that movement ops insert before and after themselves, so that in a graph each of them works on whole
// dimensions: data that moves between devices moves in a reshard, with its own bytes.

#include <tessera/graph/builder.hpp>
#include <tessera/graph/op_names.hpp>

namespace tessera {

namespace detail {

// x in the layout of `like`, a value of the same rank.
template <class B>
constexpr term laid_out_as(B& b, term x, array_value like) {
  if (!x || (x.facts().same_spec(like) && x.facts().unreduced == like.unreduced && x.facts().reduced == like.reduced))
    return x;
  attributes to;
  to.has_out = true;
  to.out = layout_of(like);
  return make<ops::reshard>(b, {x}, to);
}

// x with the dimensions in `dims` whole on every device. Axes of size 1 are kept.
template <class B>
constexpr term with_whole_dims(B& b, term x, axis_set dims) {
  if (!x) return x;
  array_value facts = x.facts();
  axis_set several;
  for (int a = 0; a < b.mesh().rank; ++a)
    if (b.mesh().size(a) != 1) several |= axis_set::of(a);
  for (int d = 0; d < facts.rank; ++d)
    if (dims.contains(d)) facts.entry(d) = without(facts.entry(d), several);
  return laid_out_as(b, x, facts);
}

// Emits the primitive Op, whose rule is applied to its original operands; it runs on operands whose `dims` are whole,
// and its result gets the layout of the rule.
template <class Op, class B>
constexpr term emit_on_whole_dims(B& b, term const* x, int count, attributes const& attrs, axis_set dims) {
  array_value facts[builder::max_operands]{};
  array_value const* pointers[builder::max_operands]{};
  for (int i = 0; i < count; ++i) {
    facts[i] = x[i].facts();
    pointers[i] = &facts[i];
  }
  verdict const judged = Op::rule({b.mesh(), pointers, count, attrs});
  if (!judged)
    return b.template refuse<Op>(judged, facts[0], facts[judged.operand > 0 ? judged.operand : count > 1 ? 1 : 0]);
  term local[builder::max_operands]{};
  for (int i = 0; i < count; ++i) {
    local[i] = with_whole_dims(b, x[i], dims);
    if (!local[i]) return local[i];
  }
  return laid_out_as(b, b.emit(info<Op>, local, count, attrs), judged.result);
}

}  // namespace detail
}  // namespace tessera
