// SPDX-License-Identifier: Apache-2.0
#pragma once
// Blocks of dimensions whose extent is not divisible by their axes: padding is added, cut off, and masked before
// elements are combined. Masked elements are the monoid's identity: 0 in a sum or a matrix product.

#include <tessera/op/create/iota.hpp>
#include <tessera/op/elementwise/compare.hpp>
#include <tessera/op/elementwise/where.hpp>
#include <tessera/op/index/slice.hpp>
#include <tessera/op/shape/pad.hpp>
#include <tessera/plan/lower/lowering.hpp>
#include <tessera/plan/path/block_layout.hpp>

#include <limits>

namespace tessera::detail {

// The identity of `how`, as a literal.
constexpr literal_params identity_literal(monoid how, dtype element) {
  literal_params made;
  made.element = element;
  bool const one = how == monoid::product || how == monoid::logical_and;
  bool const extreme = how == monoid::max || how == monoid::min, highest = how == monoid::min;
  if (is_inexact(element)) {
    double const inf = std::numeric_limits<double>::infinity();
    made.number = extreme ? (highest ? inf : -inf) : one;
  } else {
    made.integer = extreme ? (highest ? highest_integer(element) : lowest_integer(element)) : one;
  }
  return made;
}

constexpr int scalar_literal(lowering& l, literal_params const& literal) {
  static_assert(op_register<ops::literal>::done);
  array_value facts;
  facts.element = literal.element;
  return l.emit(planning_info<ops::literal>, nullptr, 0, literal, facts);
}

// x, a block of `whole`, whose dimension `dim` is split by `by`, with its padding replaced by the identity of `how`.
constexpr int without_padding(lowering& l, int x, int dim, array_value const& whole, entry_value by, monoid how) {
  if (!is_padded(whole, dim, by, l.mesh())) return x;
  static_assert(op_register<ops::iota>::done && op_register<ops::less>::done && op_register<ops::where>::done);
  array_value const facts = l.facts(x);
  auto const extent = whole.extent(dim);
  array_value index = facts, flag = facts;
  index.element = extent < std::int64_t{1} << 30 ? dtype::int32 : dtype::int64;
  flag.element = dtype::boolean;
  iota_params along;
  along.dim = dim;
  along.split = by;
  literal_params limit;
  limit.element = index.element;
  limit.integer = extent;
  int const compared[]{l.emit(planning_info<ops::iota>, nullptr, 0, along, index, by.axes()), scalar_literal(l, limit)};
  int const scalar = l.scalar_of(x);
  int const chosen[]{l.emit(planning_info<ops::less>, compared, 2, {}, flag), scalar < 0 ? x : scalar,
                     scalar_literal(l, identity_literal(how, facts.element))};
  return l.emit(planning_info<ops::where>, chosen, 3, {}, facts);
}

// `extent` elements of x along `dim`, from `start` on.
constexpr int cut(lowering& l, int x, int dim, std::int64_t start, std::int64_t extent) {
  static_assert(op_register<ops::slice>::done);
  array_value facts = l.facts(x);
  if (facts.extent(dim) == extent) return x;
  facts.extent(dim) = extent;
  slice_params part;
  for (int d = 0; d < facts.rank; ++d) {
    part.start.push_back(d == dim ? start : 0);
    part.limit.push_back(part.start[d] + facts.extent(d));
  }
  return l.view(planning_info<ops::slice>, x, part, facts);
}

// x padded with zeros at the end of `dim`, up to `extent`.
constexpr int grown(lowering& l, int x, int dim, std::int64_t extent) {
  static_assert(op_register<ops::pad>::done);
  array_value facts = l.facts(x);
  if (facts.extent(dim) == extent) return x;
  pad_params by;
  for (int d = 0; d < facts.rank; ++d) {
    by.low.push_back(0);
    by.high.push_back(d == dim ? extent - facts.extent(d) : 0);
  }
  facts.extent(dim) = extent;
  if (int const scalar = l.scalar_of(x); scalar >= 0) return l.filled(scalar, facts);
  int ids[]{x, scalar_literal(l, identity_literal(monoid::sum, facts.element))};
  return l.emit_step(planning_info<ops::pad>, ids, 2, by, facts);
}

}  // namespace tessera::detail
