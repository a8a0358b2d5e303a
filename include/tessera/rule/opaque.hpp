// SPDX-License-Identifier: Apache-2.0
#pragma once
// Opaque operations: a kernel on whole working dimensions, once for each element of the batch dimensions, which keep
// their layout. A sharded working dimension is refused, but for a free one. Batch dimensions of all operands stand in one order; an
// unsharded one yields to a name; operands without batch dimensions are shared by the whole batch.
// Source: JAX 0.10.2 jax/_src/lax (sort, cumred, linalg: batch dimensions pass, others must be None); conformance
// surprise 5.

#include <tessera/rule/spec.hpp>

namespace tessera {

// A result of an opaque operation: its working dimensions, where they stand, and their extents.
struct opaque_result {
  dtype element = dtype::float32;
  extents_list dims{}, extents{};
  bool follows = false;  // its element type is operand 0's
};

// What an opaque operation says of itself: the working dimensions of each operand, in the order its kernel sees them.
struct opaque_shape {
  static constexpr int most_operands = 5, most_results = 3;
  verdict refused{};
  extents_list operand[most_operands]{};
  opaque_result result[most_results]{};
  // A working dimension of which the kernel takes any part: of operand `operand`, and of result 0. It keeps its layout.
  struct {
    int operand = -1;
    std::int64_t dim = -1, result = -1;
  } free{};
  // Not 0: the kernel takes up to so many neighbors of the batch at once. Its views have one more dimension, the first.
  std::int64_t panel = 0;
  constexpr bool is_free(int i, std::int64_t d) const { return i == free.operand && d == free.dim; }
  // The kernel launches by itself: it is called for one element of the batch after the other, by the program's thread.
  bool launches = false;
};
using opaque_shape_function = opaque_shape (*)(rule_input const&);

namespace rule {

// One working dimension, the same of all operands and results; negative ones count from the end.
constexpr opaque_shape along_dim(rule_input const& in, std::int64_t dim, int results = 1) {
  opaque_shape shape;
  array_value const& x = in[0];
  auto const d = dim < 0 ? dim + x.rank : dim;
  if (d < 0 || d >= x.rank) {
    shape.refused = refuse(reason::dim_out_of_range, static_cast<int>(dim), {}, dim, x.rank);
    return shape;
  }
  for (int i = 0; i < in.count; ++i) shape.operand[i].push_back(d);
  for (int k = 0; k < results; ++k) {
    shape.result[k].dims.push_back(d);
    shape.result[k].extents.push_back(x.extent(static_cast<int>(d)));
  }
  return shape;
}

// The last `count` dimensions, which operands need not have in common: matrices for 2. Results are as operand 0.
constexpr opaque_shape last_dims(rule_input const& in, int count, int results = 1) {
  opaque_shape shape;
  for (int i = 0; i < in.count; ++i) {
    if (in[i].rank < count) {
      shape.refused = refuse(reason::ranks_disagree, -1, {}, in[i].rank, count);
      shape.refused.operand = i;
      return shape;
    }
    for (int d = in[i].rank - count; d < in[i].rank; ++d) shape.operand[i].push_back(d);
  }
  for (int k = 0; k < results; ++k)
    for (int d = in[0].rank - count; d < in[0].rank; ++d) {
      shape.result[k].dims.push_back(d);
      shape.result[k].extents.push_back(in[0].extent(d));
    }
  return shape;
}

// Square matrices in the last two dimensions of operand i, or the refusal.
constexpr void require_square(opaque_shape& shape, rule_input const& in, int i = 0) {
  array_value const& x = in[i];
  if (!shape.refused || x.rank < 2) return;
  auto const n = x.extent(x.rank - 2), m = x.extent(x.rank - 1);
  if (n == m || n == dynamic || m == dynamic) return;
  shape.refused = refuse(reason::shapes_disagree, x.rank - 1, {}, n, m);
  shape.refused.operand = i;
}

// Dimensions of a value of this rank that are no working dimensions, in order.
constexpr extents_list batch_dims(int rank, extents_list const& working) {
  extents_list batch;
  for (int d = 0; d < rank; ++d)
    if (!working.contains(d)) batch.push_back(d);
  return batch;
}

// Result k.
constexpr verdict opaque(rule_input const& in, opaque_shape const& shape, int k) {
  if (!shape.refused) return shape.refused;
  array_value batch, out;
  bool shaped = false;
  out.weak = in.count > 0 && shape.result[k].follows;
  for (int i = 0; i < in.count; ++i) {
    array_value const& x = in[i];
    verdict v;
    v.operand = i;
    out.varying |= x.varying;
    out.weak = out.weak && x.weak;
    if (!x.unreduced.empty()) {
      v = refuse(reason::unreduced_operand, -1, x.unreduced);
      v.operand = i;
      return v;
    }
    for (auto d : shape.operand[i])
      if (entry_value const entry = x.entry(static_cast<int>(d)); !entry.empty() && !shape.is_free(i, d)) {
        v = refuse(reason::sharded_dim_unsupported, static_cast<int>(d), entry.axes(), x.extent(static_cast<int>(d)));
        v.operand = i;
        return v;
      }
    extents_list const own = batch_dims(x.rank, shape.operand[i]);
    if (own.empty()) continue;
    if (shaped && own.size() != batch.rank) v = refuse(reason::ranks_disagree, -1, {}, batch.rank, own.size());
    for (int b = 0; b < own.size() && v; ++b) {
      auto const d = static_cast<int>(own[b]);
      if (!shaped) {
        batch.extent(b) = x.extent(d);
        batch.entry(b) = x.entry(d);
        continue;
      }
      auto const n = x.extent(d);
      if (n != batch.extent(b) && n != dynamic && batch.extent(b) != dynamic)
        v = refuse(reason::shapes_disagree, d, {}, batch.extent(b), n);
      else if (!x.entry(d).empty() && !batch.entry(b).empty() && !(x.entry(d) == batch.entry(b)))
        v = refuse(reason::dims_disagree, d, x.entry(d).axes() | batch.entry(b).axes());
      if (batch.extent(b) == dynamic) batch.extent(b) = n;
      if (batch.entry(b).empty()) batch.entry(b) = x.entry(d);
    }
    if (!v) {
      v.operand = i;
      return v;
    }
    batch.rank = own.size();
    shaped = true;
  }
  opaque_result const& result = shape.result[k];
  out.element = result.element;
  int const rank = batch.rank + result.dims.size();
  if (rank > max_rank) return refuse(reason::ranks_disagree, -1, {}, rank, max_rank);
  for (int d = 0, b = 0; d < rank; ++d) {
    if (int const w = result.dims.find(d); w >= 0) {
      bool const keeps = k == 0 && shape.free.operand >= 0 && d == shape.free.result;
      out.add_dim(result.extents[w],
                  keeps ? in[shape.free.operand].entry(static_cast<int>(shape.free.dim)) : entry_value{});
    } else {
      out.add_dim(batch.extent(b), batch.entry(b));
      ++b;
    }
  }
  return lawful(out, in.mesh);
}

}  // namespace rule
}  // namespace tessera
