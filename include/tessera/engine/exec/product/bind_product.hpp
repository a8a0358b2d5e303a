// SPDX-License-Identifier: Apache-2.0
#pragma once
// Binds a matrix product step of a plan as a product over strides: contracted, batch, and free dimensions of both
// operands.

#include <tessera/engine/exec/memory/locations.hpp>
#include <tessera/engine/exec/product/gemm.hpp>

namespace tessera::detail {

// The result has batch, free first, free second dimensions, in this order. If the step performs the collective that
// follows, the axes that it sums over are contracted, too, and the parts that it scatters are dimensions of the result.
TESSERA_COLD inline product bind_product(plan_view const& plan, step const& at, locations const& where) {
  node const& n = plan.local[at.node];
  mesh_value const& mesh = *plan.local.mesh;
  int const ids[]{plan.local.operand(at.node, 0), plan.local.operand(at.node, 1)};
  int const out_id = at.exchanges.count ? plan.lists[at.exchanges.first] : at.node;
  location const &a = where[ids[0]], &b = where[ids[1]], &c = where[out_id];
  array_value const &x = plan.local[ids[0]].facts, &y = plan.local[ids[1]].facts, &result = plan.local[out_id].facts;
  bool const scatters = plan.local[out_id].op->message == collective::reduce_scatter;
  collective_params const exchange = scatters ? plan.local[out_id].attrs.as<collective_params>() : collective_params{};
  dot_params const& dims_of = n.attrs.as<dot_params>();
  if (a.slot < 0 || b.slot < 0 || c.slot < 0) throw std::logic_error("tessera: an operand of a product has no memory.");
  std::int64_t const size = bytes_of(n.facts.element), own = bytes_of(x.element);
  auto const in = [](strides const& s, std::int64_t d) { return s.dim_stride[d]; };
  product p;
  p.element = n.facts.element;
  p.wide = dims_of.wide;
  p.half = x.element;
  p.a_slot = a.slot;
  p.b_slot = b.slot;
  p.c_slot = c.slot;
  p.a_offset = a.at.offset + a.bytes / own;
  p.b_offset = b.at.offset + b.bytes / own;
  p.c_offset = c.at.offset + c.bytes / size;
  for (int m = 0; m < mesh.rank; ++m) {
    if (at.across.contains(m)) {
      p.k.push_back({mesh.held(m), a.at.axis_stride[m], b.at.axis_stride[m], 0});
      if (!scatters && result.varying.contains(m)) p.batch.push_back({mesh.held(m), 0, 0, c.at.axis_stride[m]});
    } else if (result.varying.contains(m)) {
      p.batch.push_back({mesh.held(m), a.at.axis_stride[m], b.at.axis_stride[m], c.at.axis_stride[m], a.slot_step[m],
                         b.slot_step[m]});
    }
  }
  int out = 0;
  // Adds the result's next dimension, along which the operands have strides in_a and in_b.
  auto const next = [&](product::dims& dims, std::int64_t in_a, std::int64_t in_b) {
    std::int64_t length = result.extent(out);
    dims.push_back({length, in_a, in_b, in(c.at, out)});
    for (int i = exchange.order.count() - 1; scatters && out == exchange.dim && i >= 0; --i) {
      int const axis = exchange.order.axis(i);
      dims.push_back({mesh.size(axis), length * in_a, length * in_b, c.at.axis_stride[axis]});
      length *= mesh.size(axis);
    }
    ++out;
  };
  axis_set used_x, used_y;
  for (int i = 0; i < dims_of.lhs_batch.size(); ++i) {
    auto const dx = static_cast<int>(dims_of.lhs_batch[i]), dy = static_cast<int>(dims_of.rhs_batch[i]);
    next(p.batch, in(a.at, dx), in(b.at, dy));
    used_x |= axis_set::of(dx);
    used_y |= axis_set::of(dy);
  }
  for (int i = 0; i < dims_of.lhs_contracting.size(); ++i) {
    auto const dx = static_cast<int>(dims_of.lhs_contracting[i]), dy = static_cast<int>(dims_of.rhs_contracting[i]);
    p.k.push_back({x.extent(dx), in(a.at, dx), in(b.at, dy), 0});
    used_x |= axis_set::of(dx);
    used_y |= axis_set::of(dy);
  }
  for (int d = 0; d < x.rank; ++d)
    if (!used_x.contains(d)) next(p.m, in(a.at, d), 0);
  for (int d = 0; d < y.rank; ++d)
    if (!used_y.contains(d)) next(p.n, 0, in(b.at, d));
  return p;
}

}  // namespace tessera::detail
