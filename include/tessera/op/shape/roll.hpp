// SPDX-License-Identifier: Apache-2.0
#pragma once
// roll: x -> its elements moved attrs.first[k] places along dimension attrs.second[k], those that leave at the end coming
// back at the start; without a dimension, in row-major order.
//   roll<1, 0>(x)   roll<-2, -1>(x)   roll<3>(x)
// Two slices and a concatenation, so a sharded dimension must divide in both parts. Bytes: such a dimension is gathered
// first, (n-1) local blocks; others move nothing. Source: JAX 0.10.2 jnp.roll.

#include <tessera/op/index/slice.hpp>
#include <tessera/op/shape/concatenate.hpp>
#include <tessera/op/shape/reshape.hpp>

namespace tessera {
namespace ops {

struct roll {
  static constexpr std::string_view name = "roll";
  static constexpr op_class kind = op_class::concatenate;

  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    array_value const operand = x[0].facts();
    term result = x[0];
    if (attrs.second.empty() && operand.rank != 1) {
      attributes flat, back;
      flat.first.push_back(dynamic);
      for (int d = 0; d < operand.rank; ++d) back.first.push_back(operand.extent(d));
      // Only rows are split: they were before and are again, whatever the extents.
      back.has_out = operand.sharded_axes() == operand.entry(0).axes() && operand.unreduced.empty();
      back.out = layout_of(operand);
      result = b.template make<reshape>({result}, flat);
      result = result ? along(b, result, 0, attrs.first[0]) : result;
      return result ? b.template make<reshape>({result}, back) : result;
    }
    if (attrs.second.empty()) return along(b, result, 0, attrs.first[0]);
    for (int k = 0; k < attrs.second.size(); ++k) {
      auto const d = static_cast<int>(attrs.second[k] < 0 ? attrs.second[k] + operand.rank : attrs.second[k]);
      if (d < 0 || d >= operand.rank)
        return b.template refuse<roll>(refuse(reason::dim_out_of_range, -1, {}, attrs.second[k], operand.rank),
                                       operand);
      result = along(b, result, d, attrs.first[k]);
      if (!result) return result;
    }
    return result;
  }

private:
  template <class B>
  static constexpr term along(B& b, term x, int d, std::int64_t shift) {
    array_value const facts = x.facts();
    auto const n = facts.extent(d);
    if (n == 0 || n == 1 || shift == 0) return x;
    auto const front = n == dynamic ? dynamic : ((shift % n) + n) % n;
    if (front == 0) return x;
    auto const cut = n == dynamic ? dynamic : n - front;
    array_value parts[]{facts, facts};
    parts[0].extent(d) = front;
    parts[1].extent(d) = cut;
    for (auto const& part : parts)
      if (verdict const v = rule::divides(part, b.mesh()); !v) return b.template refuse<roll>(v, facts);
    term const whole = detail::with_whole_dims(b, x, axis_set::of(d));
    attributes last, first, joined;
    last.integer = first.integer = d + 1;
    last.first.push_back(cut);
    last.second.push_back(n);
    first.first.push_back(0);
    first.second.push_back(cut);
    joined.integer = d;
    term const ends[]{b.template make<slice>({whole}, last), b.template make<slice>({whole}, first)};
    return detail::laid_out_as(b, b.template make<concatenate>(ends, 2, joined), facts);
  }
};

}  // namespace ops

template <std::int64_t Shift, int... Dims>
struct rolled_by {
  template <Mesh M>
  static constexpr attributes on() {
    attributes attrs;
    attrs.second = {Dims...};
    attrs.first.push_back(Shift);
    while (attrs.first.size() < attrs.second.size()) attrs.first.push_back(Shift);
    return attrs;
  }
};
// By the same number of places along each of Dims.
template <std::int64_t Shift, int... Dims, class X>
constexpr auto roll(X const& x, site at = std::source_location::current()) {
  return invoke<ops::roll, rolled_by<Shift, Dims...>>(at, x);
}

}  // namespace tessera

#include <tessera/op/base/foundation.hpp>
