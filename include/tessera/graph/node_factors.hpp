// SPDX-License-Identifier: Apache-2.0
#pragma once
// The factors of a node, by the class of its operation: rule/factors.hpp.

#include <tessera/graph/graph.hpp>
#include <tessera/rule/factors.hpp>
#include <tessera/rule/op_factors.hpp>

namespace tessera {
namespace detail {

// Whether slice, concatenate, pad or update_slice moves elements along dimension d.
constexpr bool moves_along(op_class kind, rule_input const& in, array_value const& result, int d) {
  auto const given = [d](extents_list const& list, std::int64_t otherwise) {
    return d < list.size() ? list[d] : otherwise;
  };
  switch (kind) {
    case op_class::slice: {
      auto const& part = in.attrs.as<slice_params>();
      return given(part.start, 0) != 0 || given(part.stride, 1) != 1 || result.extent(d) != in[0].extent(d);
    }
    case op_class::concatenate: return d == in.attrs.as<concatenate_params>().dim;
    case op_class::pad: {
      auto const& by = in.attrs.as<pad_params>();
      return given(by.low, 0) != 0 || given(by.high, 0) != 0 || given(by.interior, 0) != 0;
    }
    default: return given(in.attrs.as<update_slice_params>().start, 0) != 0 || in[1].extent(d) != result.extent(d);
  }
}
// Whether a collective of the user's program changes its block along dimension d.
constexpr bool exchanges_along(op_info const& op, attributes const& attrs, int d) {
  if (op.kind == op_class::collective && op.message == collective::none) return false;
  collective_params const& over = attrs.as<collective_params>();
  switch (op.message) {
    case collective::all_reduce:
    case collective::permute: return false;
    case collective::all_to_all: return over.dim == d || over.concat_dim == d;
    case collective::ragged_all_to_all: return true;
    default: return over.dim == d;
  }
}

}  // namespace detail

// The factors of an operation; of the borders of shard_map: those of the axes that stay outside. Loops, and values
// without dimensions, have none.
constexpr factor_map factors_of(op_info const& op, rule_input const& in, array_value const& result) {
  namespace of = rule::factors;
  switch (op.kind) {
    case op_class::iota: return of::of_result(in, result);
    case op_class::elementwise:
    case op_class::roll:
    case op_class::reshard:
    case op_class::identity:
    case op_class::mesh_cast:
    case op_class::enter:
    case op_class::leave: return of::elementwise(in, result);
    case op_class::reduce: return of::reduced(in, result, op.reduction != monoid::none);
    case op_class::dot: return of::product(in, result);
    case op_class::broadcast: return of::broadcast(in, result);
    case op_class::permute: return of::permuted(in, result);
    case op_class::reshape: return of::reshaped(in, result);
    case op_class::slice:
    case op_class::concatenate:
    case op_class::pad:
    case op_class::update_slice:
      return of::assembled(in, result, [&](int d) { return detail::moves_along(op.kind, in, result, d); });
    case op_class::collective:
    case op_class::shard_slice:
      return of::assembled(in, result, [&](int d) { return detail::exchanges_along(op, in.attrs, d); });
    case op_class::gather: return of::indexed(in, result, false);
    case op_class::scatter: return of::indexed(in, result, true, op.reduction != monoid::none);
    case op_class::opaque: {
      op_info const& call = op.call ? *op.call : op;
      return of::opaque(in, call.shape(in), result, op.result);
    }
    case op_class::effect:
      if (!op.act) return of::assembled(in, result, [](int) { return false; });
      [[fallthrough]];
    default: return {in, result};
  }
}

}  // namespace tessera
