// SPDX-License-Identifier: Apache-2.0
#pragma once
// Contractions: result dimensions are batch, then lhs free, then rhs free. Parameters: first = lhs contracted
// dimensions, second = rhs contracted ones, third = lhs batch dimensions followed by the rhs ones.
// Source: JAX 0.10.2 jax/_src/lax/lax.py, _dot_general_sharding_rule and _dot_general_shape_rule; conformance
// surprises 3 and 4.

#include <tessera/rule/spec.hpp>

namespace tessera::rule {

// Dimensions of an operand that are neither batch nor contracted, in order.
constexpr extents_list free_dims(array_value const& x, extents_list const& contracted, extents_list const& batch,
                                 int from) {
  extents_list result;
  int const batches = batch.size() / 2;
  for (int d = 0; d < x.rank; ++d) {
    bool taken = contracted.contains(d);
    for (int k = 0; k < batches; ++k) taken = taken || batch[from + k] == d;
    if (!taken) result.push_back(d);
  }
  return result;
}

namespace detail {

constexpr verdict dims_clash(reason why, int lhs, int rhs, axis_set axes, std::int64_t size = 0,
                             std::int64_t other = 0) {
  verdict v = refuse(why, lhs, axes, size, other);
  v.rhs_dim = rhs;
  return v;
}

constexpr bool extents_differ(std::int64_t l, std::int64_t r) { return l != r && l != dynamic && r != dynamic; }

}  // namespace detail

constexpr verdict contract(rule_input const& in) {
  array_value const &lhs = in[0], &rhs = in[1];
  attributes const& a = in.attrs;
  int const batches = a.third.size() / 2;
  if (lhs.element != rhs.element) return refuse(reason::elements_disagree);
  if (a.first.size() != a.second.size()) return refuse(reason::ranks_disagree, -1, {}, a.first.size(), a.second.size());
  for (int k = 0; k < 2 * batches + 2 * a.first.size(); ++k) {
    bool const on_batch = k < 2 * batches;
    int const c = k - 2 * batches;
    bool const left = on_batch ? k < batches : c < a.first.size();
    auto const d = on_batch ? a.third[k] : left ? a.first[c] : a.second[c - a.first.size()];
    if (d < 0 || d >= (left ? lhs : rhs).rank)
      return refuse(reason::dim_out_of_range, static_cast<int>(d), {}, d, (left ? lhs : rhs).rank);
  }
  for (int i = 0; i < 2; ++i)
    if (!in[i].unreduced.empty()) {
      verdict v = refuse(reason::unreduced_operand, -1, in[i].unreduced);
      v.operand = i;
      return v;
    }

  array_value out;
  out.element = lhs.element;
  out.weak = lhs.weak && rhs.weak;
  out.varying = lhs.varying | rhs.varying;
  for (int k = 0; k < batches; ++k) {
    int const l = static_cast<int>(a.third[k]), r = static_cast<int>(a.third[batches + k]);
    if (detail::extents_differ(lhs.extent(l), rhs.extent(r)))
      return detail::dims_clash(reason::shapes_disagree, l, r, {}, lhs.extent(l), rhs.extent(r));
    entry_value const le = lhs.entry(l), re = rhs.entry(r);
    if (!a.has_out && !le.empty() && !re.empty() && !(le == re))
      return detail::dims_clash(reason::dims_disagree, l, r, le.axes() | re.axes());
    out.add_dim(lhs.extent(l) == dynamic ? rhs.extent(r) : lhs.extent(l), le);  // the first operand's layout, as in JAX
  }
  axis_set both_sides;
  verdict pending = accept(out);
  for (int k = 0; k < a.first.size(); ++k) {
    int const l = static_cast<int>(a.first[k]), r = static_cast<int>(a.second[k]);
    if (detail::extents_differ(lhs.extent(l), rhs.extent(r)))
      return detail::dims_clash(reason::shapes_disagree, l, r, {}, lhs.extent(l), rhs.extent(r));
    entry_value const le = lhs.entry(l), re = rhs.entry(r);
    if (!(le == re) && !a.out.unreduced.empty() && a.has_out)
      return detail::dims_clash(reason::unreduced_operand, l, r, a.out.unreduced);
    if (le.empty() || re.empty()) continue;
    if (!(le == re)) {
      if (a.has_out) continue;
      return detail::dims_clash(reason::dims_disagree, l, r, le.axes() | re.axes());
    }
    both_sides |= le.axes();
    if (!a.has_out && pending) pending = detail::dims_clash(reason::needs_out_sharding, l, r, le.axes());
  }
  extents_list const lhs_free = free_dims(lhs, a.first, a.third, 0),
                     rhs_free = free_dims(rhs, a.second, a.third, batches);
  if (batches + lhs_free.size() + rhs_free.size() > max_rank)
    return refuse(reason::ranks_disagree, -1, {}, batches + lhs_free.size() + rhs_free.size(), max_rank);
  for (auto d : lhs_free) out.add_dim(lhs.extent(static_cast<int>(d)), lhs.entry(static_cast<int>(d)));
  for (auto d : rhs_free) out.add_dim(rhs.extent(static_cast<int>(d)), rhs.entry(static_cast<int>(d)));
  if (a.has_out) {
    if (!a.out.unreduced.empty() && !(a.out.unreduced == both_sides))
      return detail::dims_clash(reason::unreduced_operand, a.first.empty() ? -1 : static_cast<int>(a.first[0]),
                                a.second.empty() ? -1 : static_cast<int>(a.second[0]), a.out.unreduced);
    for (int d = 0; d < out.rank; ++d) out.entry(d) = {};
    return with_spec(out, a.out, in.mesh);
  }
  if (!pending) {
    pending.result = out;  // what the out_sharding would be about
    return pending;
  }
  return lawful(out, in.mesh);
}

}  // namespace tessera::rule
