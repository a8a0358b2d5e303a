// SPDX-License-Identifier: Apache-2.0
#pragma once
// gather: (x, indices...) -> windows of x at the places that integer arrays name; scatter*: (x, indices..., updates) ->
// x with the updates written, added, multiplied or combined by min or max there. take, x.at(...) and dynamic_slice are
// composed of them; their parameters are those of rule/indexing.hpp. attrs.out, if given, is the result's layout.
// Bytes: split dimensions that are indexed are gathered, or the devices that hold the elements read or write them, and
// what is read is added up; others move nothing. Split updates with a monoid are gathered, or the results of all devices
// are combined. What sends less.
// Source: JAX 0.10.2 lax.gather, lax.scatter. Differs: each index column is an operand of its own; of several updates
// of one place, all of a min or max that equal it share its gradient.

#include <tessera/graph/backward.hpp>
#include <tessera/op/base/door.hpp>
#include <tessera/op/base/relayout.hpp>
#include <tessera/rule/indexing.hpp>

namespace tessera {
namespace ops {

struct gather;
struct scatter_add;
struct iota;
struct multiply;
struct divide;
struct equal;
struct minimum;
struct where;
struct broadcast_to;

}  // namespace ops

namespace detail {

// attrs for the same windows in the layout of `like`; a fill becomes zeros.
constexpr attributes windows_in_layout(attributes attrs, array_value const& like, axis_set unreduced) {
  attrs.has_out = true;
  attrs.out = layout_of(like);
  attrs.out.unreduced = unreduced;
  attrs.out.reduced = {};
  indexing_params windows = attrs.as<indexing_params>();
  windows.mode.zeros = windows.mode.zeros || windows.mode.fill;
  attrs.set(windows);
  return attrs;
}

// Operand 0, the index operands of the node whose transpose is asked for, and `last` when it is there.
template <class Op, class B>
constexpr term on_same_indices(B& back, int indices, term first, term last, attributes const& attrs) {
  term all[builder::max_operands]{first};
  for (int k = 1; k <= indices; ++k) all[k] = back.operand(k);
  int count = indices + 1;
  if (last.graph) all[count++] = last;
  return make<Op>(back.graph(), all, count, attrs);
}

// Places of uint64 in int64; places that it cannot hold become its end, which is outside, too.
template <class B>
constexpr term signed_places(B& b, term x) {
  literal_params last;
  last.element = dtype::uint64;
  last.integer = highest_integer(dtype::int64);
  auto const kept = make<ops::minimum>(b, {x, b.template emit<ops::literal>({}, last)});
  return make<ops::cast>(b, {kept}, cast_params{dtype::int64});
}
// Op with operands 1 ... till - 1 as places, in int32, or in int64 if they need it.
template <class Op, class B>
constexpr term with_places(B& b, term const* operands, int count, int till, attributes const& attrs) {
  term all[builder::max_operands]{};
  for (int i = 0; i < count; ++i) {
    all[i] = operands[i];
    dtype const own = operands[i].facts().element;
    cast_params to;
    to.element = wide_integer(own);
    if (i == 0 || i >= till) continue;
    if (own == dtype::uint64) all[i] = signed_places(b, operands[i]);
    if (to.element != own) all[i] = make<ops::cast>(b, {operands[i]}, to);
    if (!all[i]) return all[i];
  }
  return b.template emit<Op>(all, count, attrs);
}

template <class B>
constexpr term constant_like(B& back, array_value like, double value, dtype element, axis_set unreduced = {}) {
  attributes wide = broadcast_params{{}, like.shape()};
  wide.has_out = like.rank > 0;
  wide.out = layout_of(like);
  wide.out.unreduced = unreduced;
  wide.out.reduced = {};
  return make<ops::broadcast_to>(back, {number(back.graph(), value, element)}, wide);
}

}  // namespace detail

namespace ops {

struct gather {
  static constexpr std::string_view name = "gather";
  static constexpr op_class kind = op_class::gather;
  static constexpr verdict rule(rule_input const& in) { return rule::gather(in); }
  template <class B>
  static constexpr term build(B& b, term const* x, int count, attributes const& attrs) {
    return detail::with_places<gather>(b, x, count, count, attrs);
  }

  template <class B>
  static constexpr void transpose(B& back, int) {
    array_value const x = back.operand(0).facts();
    array_value const ct = back.cotangent().facts();
    attributes const to = detail::windows_in_layout(back.attrs(), x, ct.unreduced);
    auto const none = detail::constant_like(back, x, 0, ct.element, ct.unreduced);
    back.give(0, detail::on_same_indices<scatter_add>(back, back.operand_count() - 1, none, back.cotangent(), to));
  }
};

// The cotangent's windows at the places of the updates.
template <class B>
constexpr term windows_of_cotangent(B& back, term ct) {
  int const last = back.operand_count() - 1;
  attributes const to =
      detail::windows_in_layout(back.attrs(), back.operand(last).facts(), ct ? ct.facts().unreduced : axis_set{});
  return ct ? detail::on_same_indices<gather>(back, last - 1, ct, {}, to) : ct;
}

// Later updates of one place replace earlier ones.
struct scatter {
  static constexpr std::string_view name = "scatter";
  static constexpr op_class kind = op_class::scatter;
  static constexpr verdict rule(rule_input const& in) { return rule::scatter(in); }
  template <class B>
  static constexpr term build(B& b, term const* x, int count, attributes const& attrs) {
    return detail::with_places<scatter>(b, x, count, count - 1, attrs);
  }

  template <class B>
  static constexpr void transpose(B& back, int) {
    int const last = back.operand_count() - 1;
    array_value const updates = back.operand(last).facts(), ct = back.cotangent().facts();
    if (back.wants(0)) {
      auto const none = detail::constant_like(back, updates, 0, ct.element, ct.unreduced);
      attributes to = back.attrs();
      to.has_out = true;
      to.out = layout_of(ct);
      back.give(0, detail::on_same_indices<scatter>(back, last - 1, back.cotangent(), none, to));
    }
    if (!back.wants(last)) return;
    term own = windows_of_cotangent(back, back.cotangent());
    auto const winners = own ? won(back, updates, ct) : own;
    if (winners) {
      auto const none = number(back.graph(), 0.0, own.facts().element);
      own = make<where>(back, {winners, own, none});
    }
    back.give(last, own);
  }

private:
  // The updates that are kept: each writes its own number and reads whether it is still there. No term: all are kept.
  template <class B>
  static constexpr term won(B& back, array_value updates, array_value result) {
    attributes const forward = back.attrs();
    int const last = back.operand_count() - 1;
    int index_rank = 0;
    for (int k = 1; k < last; ++k)
      if (back.operand(k).facts().rank > index_rank) index_rank = back.operand(k).facts().rank;
    rule::window_map const map = rule::windows_of(forward.as<indexing_params>(), result.rank, index_rank);
    term numbers{};
    std::int64_t step = 1;
    for (int r = updates.rank - 1; r >= 0; --r) {
      if (map.index[r] < 0 || map.source[r] >= 0) continue;
      attributes counted{iota_params{dtype::int32, r, updates.shape()}, layout_of(updates)};
      counted.out.unreduced = counted.out.reduced = {};
      term own = make<iota>(back, {}, counted);
      own = own * number(back.graph(), static_cast<double>(step), dtype::int32);
      numbers = numbers.graph ? make<add>(back, {numbers, own}) : own;
      step *= updates.extent(r);
    }
    if (!numbers.graph || !numbers) return {};
    auto const none = detail::constant_like(back, result, -1, dtype::int32);
    attributes const there = detail::windows_in_layout(forward, result, {});
    auto const written = detail::on_same_indices<scatter>(back, last - 1, none, numbers, there);
    attributes const here = detail::windows_in_layout(forward, updates, {});
    auto const found = written ? detail::on_same_indices<gather>(back, last - 1, written, {}, here) : written;
    return found ? make<equal>(back, {found, numbers}) : found;
  }
};

struct scatter_add {
  static constexpr std::string_view name = "scatter_add";
  static constexpr op_class kind = op_class::scatter;
  static constexpr monoid reduction = monoid::sum;
  static constexpr verdict rule(rule_input const& in) { return rule::scatter(in); }
  template <class B>
  static constexpr term build(B& b, term const* x, int count, attributes const& attrs) {
    return detail::with_places<scatter_add>(b, x, count, count - 1, attrs);
  }

  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, back.cotangent());
    int const last = back.operand_count() - 1;
    if (back.wants(last)) back.give(last, windows_of_cotangent(back, back.cotangent()));
  }
};

struct scatter_mul {
  static constexpr std::string_view name = "scatter_mul";
  static constexpr op_class kind = op_class::scatter;
  static constexpr monoid reduction = monoid::product;
  static constexpr verdict rule(rule_input const& in) { return rule::scatter_into_finished(in); }
  template <class B>
  static constexpr term build(B& b, term const* x, int count, attributes const& attrs) {
    return detail::with_places<scatter_mul>(b, x, count, count - 1, attrs);
  }

  // A gradient by the updates only if all indices are scalars: the product of the other updates at the same place is
  // not kept.
  template <class B>
  static constexpr void transpose(B& back, int) {
    int const last = back.operand_count() - 1;
    attributes const forward = back.attrs();
    auto const x = back.operand(0), updates = back.operand(last);
    attributes to = forward;
    to.has_out = true;
    to.out = layout_of(back.cotangent().facts());
    if (back.wants(0))
      back.give(0, detail::on_same_indices<scatter_mul>(back, last - 1, back.cotangent(), updates, to));
    if (!back.wants(last)) return;
    for (int k = 1; k < last; ++k)
      if (back.operand(k).facts().rank != 0) {
        back.graph().template refuse<scatter_mul>(refuse(reason::not_differentiable), x.facts());
        return;
      }
    back.give(last, windows_of_cotangent(back, back.cotangent() * x));
  }
};

// All elements that equal the extreme share the gradient.
template <class Self, monoid How>
struct scatter_extreme {
  static constexpr op_class kind = op_class::scatter;
  static constexpr monoid reduction = How;
  static constexpr verdict rule(rule_input const& in) { return rule::scatter_into_finished(in); }
  template <class B>
  static constexpr term build(B& b, term const* x, int count, attributes const& attrs) {
    return detail::with_places<Self>(b, x, count, count - 1, attrs);
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    int const last = back.operand_count() - 1;
    auto const result = back.result();
    dtype const element = back.cotangent().facts().element;
    array_value const facts = result.facts();
    auto const one = number(back.graph(), 1.0, element), none = number(back.graph(), 0.0, element);
    auto const x = detail::laid_out_as(back.graph(), back.operand(0), facts);
    auto const kept = x ? make<where>(back, {make<equal>(back, {x, result}), one, none}) : x;
    auto const seen = windows_of_cotangent(back, result);
    auto const hit = seen ? make<where>(back, {make<equal>(back, {back.operand(last), seen}), one, none}) : seen;
    attributes const there = detail::windows_in_layout(back.attrs(), facts, {});
    auto const count = hit ? detail::on_same_indices<scatter_add>(back, last - 1, kept, hit, there) : hit;
    auto const ct = back.cotangent();
    term const share = count ? ct / count : count;
    if (!share) return;
    if (back.wants(0)) back.give(0, share * kept);
    if (back.wants(last)) {
      auto const own = windows_of_cotangent(back, share);
      if (own) back.give(last, own * hit);
    }
  }
};
struct scatter_min : scatter_extreme<scatter_min, monoid::min> {
  static constexpr std::string_view name = "scatter_min";
};
struct scatter_max : scatter_extreme<scatter_max, monoid::max> {
  static constexpr std::string_view name = "scatter_max";
};

}  // namespace ops
}  // namespace tessera

#include <tessera/op/base/foundation.hpp>
#include <tessera/op/create/iota.hpp>
#include <tessera/op/elementwise/compare.hpp>
#include <tessera/op/elementwise/where.hpp>
