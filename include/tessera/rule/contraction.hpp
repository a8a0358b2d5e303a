// SPDX-License-Identifier: Apache-2.0
#pragma once
// Contractions: result dimensions are batch, then lhs free, then rhs free.
// Source: JAX 0.10.2 jax/_src/lax/lax.py, _dot_general_sharding_rule and _dot_general_shape_rule; conformance
// surprises 3 and 4.

#include <tessera/rule/spec.hpp>

namespace tessera::rule {

// The multiplications of a product: one per element of the result and per element of the contracted dimensions of its
// first operand. Unknown extents count as one.
constexpr std::int64_t multiplications(dot_params const& dims, array_value const& lhs, array_value const& product) {
  std::int64_t all = 1;
  auto const times = [&all](std::int64_t extent) { all *= extent == dynamic ? 1 : extent; };
  for (int d = 0; d < product.rank; ++d) times(product.extent(d));
  for (auto d : dims.lhs_contracting) times(lhs.extent(static_cast<int>(d)));
  return all;
}

// Dimensions of an operand that are neither batch nor contracted, in order.
constexpr extents_list free_dims(array_value const& x, extents_list const& contracted, extents_list const& batch) {
  extents_list result;
  for (int d = 0; d < x.rank; ++d) {
    if (!contracted.contains(d) && !batch.contains(d)) result.push_back(d);
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
  dot_params const& dims = in.attrs.as<dot_params>();
  int const batches = dims.lhs_batch.size();
  if (lhs.element != rhs.element || (dims.wide && !is_half(lhs.element))) return refuse(reason::elements_disagree);
  if (dims.lhs_contracting.size() != dims.rhs_contracting.size())
    return refuse(reason::ranks_disagree, -1, {}, dims.lhs_contracting.size(), dims.rhs_contracting.size());
  if (dims.rhs_batch.size() != batches) return refuse(reason::ranks_disagree, -1, {}, batches, dims.rhs_batch.size());
  for (auto const* list : {&dims.lhs_batch, &dims.rhs_batch, &dims.lhs_contracting, &dims.rhs_contracting})
    for (auto d : *list) {
      int const rank = list == &dims.lhs_batch || list == &dims.lhs_contracting ? lhs.rank : rhs.rank;
      if (d < 0 || d >= rank) return refuse(reason::dim_out_of_range, static_cast<int>(d), {}, d, rank);
    }
  for (int i = 0; i < 2; ++i)
    if (!in[i].unreduced.empty()) {
      verdict v = refuse(reason::unreduced_operand, -1, in[i].unreduced);
      v.operand = i;
      return v;
    }

  array_value out;
  out.element = dims.wide ? dtype::float32 : lhs.element;
  out.weak = lhs.weak && rhs.weak;
  out.varying = lhs.varying | rhs.varying;
  for (int k = 0; k < batches; ++k) {
    int const l = static_cast<int>(dims.lhs_batch[k]), r = static_cast<int>(dims.rhs_batch[k]);
    if (detail::extents_differ(lhs.extent(l), rhs.extent(r)))
      return detail::dims_clash(reason::shapes_disagree, l, r, {}, lhs.extent(l), rhs.extent(r));
    entry_value const le = lhs.entry(l), re = rhs.entry(r);
    if (!a.has_out && !le.empty() && !re.empty() && !(le == re))
      return detail::dims_clash(reason::dims_disagree, l, r, le.axes() | re.axes());
    out.add_dim(lhs.extent(l) == dynamic ? rhs.extent(r) : lhs.extent(l), le);  // the first operand's layout, as in JAX
  }
  axis_set both_sides;
  verdict pending = accept(out);
  for (int k = 0; k < dims.lhs_contracting.size(); ++k) {
    int const l = static_cast<int>(dims.lhs_contracting[k]), r = static_cast<int>(dims.rhs_contracting[k]);
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
  extents_list const lhs_free = free_dims(lhs, dims.lhs_contracting, dims.lhs_batch),
                     rhs_free = free_dims(rhs, dims.rhs_contracting, dims.rhs_batch);
  if (batches + lhs_free.size() + rhs_free.size() > max_rank)
    return refuse(reason::ranks_disagree, -1, {}, batches + lhs_free.size() + rhs_free.size(), max_rank);
  for (auto d : lhs_free) out.add_dim(lhs.extent(static_cast<int>(d)), lhs.entry(static_cast<int>(d)));
  for (auto d : rhs_free) out.add_dim(rhs.extent(static_cast<int>(d)), rhs.entry(static_cast<int>(d)));
  if (a.has_out) {
    if (!a.out.unreduced.empty() && !(a.out.unreduced == both_sides))
      return detail::dims_clash(
          reason::unreduced_operand, dims.lhs_contracting.empty() ? -1 : static_cast<int>(dims.lhs_contracting[0]),
          dims.rhs_contracting.empty() ? -1 : static_cast<int>(dims.rhs_contracting[0]), a.out.unreduced);
    for (int d = 0; d < out.rank; ++d) out.entry(d) = {};
    return with_spec(out, a.out, in.mesh);
  }
  if (!pending) {
    pending.result = out;  // the result that an out_sharding would apply to
    return pending;
  }
  return lawful(out, in.mesh);
}

}  // namespace tessera::rule
