// SPDX-License-Identifier: Apache-2.0
#pragma once
// The factors of each class of operations.

#include <tessera/rule/contraction.hpp>
#include <tessera/rule/factors.hpp>
#include <tessera/rule/indexing.hpp>
#include <tessera/rule/opaque.hpp>

#include <numeric>

namespace tessera {
namespace rule::factors {

// Gives each dimension of a tensor the factor of the result's dimension of the same index.
constexpr void same_dims(factor_map& map, int tensor, int rank) {
  for (int d = 0; d < rank; ++d)
    if (map.first(map.result(), d) >= 0) map.put(tensor, d, map.first(map.result(), d));
}
constexpr factor_map of_result(rule_input const& in, array_value const& result) {
  factor_map map(in, result);
  for (int d = 0; d < result.rank; ++d) map.put(in.count, d, map.add(factor_kind::passed, result.extent(d)));
  return map;
}

// Operands of the result's rank have its factors; the others are scalars and have none.
constexpr factor_map elementwise(rule_input const& in, array_value const& result) {
  factor_map map = of_result(in, result);
  for (int k = 0; k < in.count; ++k)
    if (in[k].rank == result.rank) same_dims(map, k, result.rank);
  return map;
}

// The dimensions in reduce_params are summed.
constexpr factor_map reduced(rule_input const& in, array_value const& result, bool sums) {
  factor_map map = of_result(in, result);
  for (int d = 0, r = 0; d < in[0].rank; ++d)
    map.put(0, d,
            in.attrs.as<reduce_params>().dims.contains(d)
                ? map.add(sums ? factor_kind::summed : factor_kind::whole, in[0].extent(d))
                : map.first(1, r++));
  return map;
}

constexpr factor_map product(rule_input const& in, array_value const& result) {
  dot_params const& a = in.attrs.as<dot_params>();
  factor_map map = of_result(in, result);
  int out = a.lhs_batch.size();
  for (int k = 0; k < a.lhs_batch.size(); ++k) {
    map.put(0, static_cast<int>(a.lhs_batch[k]), map.first(2, k));
    map.put(1, static_cast<int>(a.rhs_batch[k]), map.first(2, k));
  }
  for (auto d : rule::free_dims(in[0], a.lhs_contracting, a.lhs_batch))
    map.put(0, static_cast<int>(d), map.first(2, out++));
  for (auto d : rule::free_dims(in[1], a.rhs_contracting, a.rhs_batch))
    map.put(1, static_cast<int>(d), map.first(2, out++));
  for (int k = 0; k < a.lhs_contracting.size(); ++k) {
    int const f = map.add(factor_kind::summed, in[0].extent(static_cast<int>(a.lhs_contracting[k])));
    map.put(0, static_cast<int>(a.lhs_contracting[k]), f);
    map.put(1, static_cast<int>(a.rhs_contracting[k]), f);
  }
  return map;
}

// Operand dimension i becomes result dimension dims[i]; a repeated dimension has no factor.
constexpr factor_map broadcast(rule_input const& in, array_value const& result) {
  factor_map map = of_result(in, result);
  for (int i = 0; i < in[0].rank; ++i) {
    auto const d = static_cast<int>(in.attrs.as<broadcast_params>().dims[i]);
    if (in[0].extent(i) == result.extent(d)) map.put(0, i, map.first(1, d));
  }
  return map;
}

constexpr factor_map permuted(rule_input const& in, array_value const& result) {
  factor_map map = of_result(in, result);
  for (int d = 0; d < result.rank; ++d)
    map.put(0, static_cast<int>(in.attrs.as<permute_params>().order[d]), map.first(1, d));
  return map;
}

// Equal dimensions of both shapes, in order, share a factor. In a group of dimensions of equal size on both sides, the
// major parts that divide both share factors, and the rest is whole.
constexpr factor_map reshaped(rule_input const& in, array_value const& result) {
  array_value const& x = in[0];
  factor_map map(in, result);
  auto const alone = [&map](int tensor, int d, std::int64_t extent) {
    map.put(tensor, d, map.add(factor_kind::whole, extent));
  };
  int i = 0, j = 0;
  while (i < x.rank || j < result.rank) {
    if (i < x.rank && j < result.rank && x.extent(i) == result.extent(j)) {
      int const f = map.add(factor_kind::passed, x.extent(i));
      map.put(0, i++, f);
      map.put(1, j++, f);
      continue;
    }
    int const i0 = i, j0 = j;
    std::int64_t left = 1, right = 1;
    bool known = true;
    do {
      bool const take_left = i < x.rank && (left <= right || j == result.rank);
      auto const extent = take_left ? x.extent(i++) : result.extent(j++);
      known = known && extent != dynamic;
      (take_left ? left : right) *= extent;
    } while ((left != right || !known) && (i < x.rank || j < result.rank));
    int p = i0, q = j0;
    std::int64_t l = p < i ? x.extent(p) : 1, r = q < j ? result.extent(q) : 1;
    while (known && left == right && left > 0) {
      while (l == 1 && p + 1 < i) l = x.extent(++p);
      while (r == 1 && q + 1 < j) r = result.extent(++q);
      auto const shared = std::gcd(l, r);
      if (shared == 1) break;
      int const f = map.add(factor_kind::passed, shared);
      map.put(0, p, f);
      map.put(1, q, f);
      l /= shared;
      r /= shared;
      if (l > 1 && r > 1) break;
    }
    for (int d = i0; d < i; ++d)
      if (map.first(0, d) < 0) alone(0, d, x.extent(d));
    for (int d = j0; d < j; ++d)
      if (map.first(1, d) < 0) alone(1, d, result.extent(d));
  }
  return map;
}

// Every operand of the result's rank has its factors, except along dimensions d with whole(d).
template <class Whole>
constexpr factor_map assembled(rule_input const& in, array_value const& result, Whole&& whole) {
  factor_map map(in, result);
  for (int d = 0; d < result.rank; ++d) {
    bool const alone = whole(d);
    int const f = map.add(alone ? factor_kind::whole : factor_kind::passed, result.extent(d));
    map.put(in.count, d, f);
    for (int k = 0; k < in.count; ++k)
      if (in[k].rank == result.rank) map.put(k, d, alone ? map.add(factor_kind::whole, in[k].extent(d)) : f);
  }
  return map;
}

// Windows of operand 0: whole along dimensions where windows are selected. writes: a scatter; combines: a scatter
// with a monoid.
constexpr factor_map indexed(rule_input const& in, array_value const& result, bool writes, bool combines = false) {
  indexing_params const& a = in.attrs.as<indexing_params>();
  array_value const& x = in[0];
  int const indices = in.count - (writes ? 2 : 1);
  int index_rank = 0;
  for (int k = 1; k <= indices; ++k)
    if (in[k].rank > index_rank) index_rank = in[k].rank;
  rule::window_map const windows = rule::windows_of(a, x.rank, index_rank);
  factor_map map(in, result);
  int const picked = writes ? in.count - 1 : in.count;  // the tensor with the windows
  array_value const& parts = writes ? in[in.count - 1] : result;
  int own[max_rank]{};  // the factors of operand 0's dimensions
  for (int d = 0; d < x.rank; ++d) own[d] = -1;
  for (int r = 0; r < windows.rank; ++r) {
    int const d = windows.source.items[r], i = windows.index.items[r];
    bool const through = d >= 0 && (i >= 0 || a.window[d] == x.extent(d));
    // An index dimension that corresponds to none of operand 0 passes through a gather; a scatter combines over it.
    factor_kind const gone = combines ? factor_kind::summed : factor_kind::whole;
    factor_kind const how = through  ? factor_kind::passed
                            : d >= 0 ? factor_kind::whole
                                     : (writes ? gone : factor_kind::passed);
    int const f = map.add(how, parts.extent(r));
    map.put(picked, r, f);
    if (through) own[d] = f;
    for (int k = 1; i >= 0 && k <= indices; ++k)
      if (in[k].rank == index_rank) map.put(k, i, f);
  }
  for (int d = 0; d < x.rank; ++d) {
    int const f = own[d] >= 0 ? own[d] : map.add(factor_kind::whole, x.extent(d));
    map.put(0, d, f);
    if (writes) map.put(map.result(), d, f);
  }
  return map;
}

// Batch dimensions and a free one pass through, working dimensions are whole. which: the number of the result.
constexpr factor_map opaque(rule_input const& in, opaque_shape const& shape, array_value const& result, int which) {
  factor_map map(in, result);
  inplace_list<int, max_rank> batch;
  int free = -1;
  for (int d = 0; d < result.rank; ++d) {
    bool const working = shape.result[which].dims.contains(d);
    bool const any = which == 0 && shape.free.operand >= 0 && d == shape.free.result;
    int const f = map.add(working && !any ? factor_kind::whole : factor_kind::passed, result.extent(d));
    map.put(in.count, d, f);
    if (!working) batch.push_back(f);
    if (any) free = f;
  }
  for (int k = 0; k < in.count; ++k)
    for (int d = 0, b = 0; d < in[k].rank; ++d) {
      bool const working = shape.operand[k].contains(d) || b >= batch.size();
      if (free >= 0 && shape.is_free(k, d))
        map.put(k, d, free);
      else
        map.put(k, d, working ? map.add(factor_kind::whole, in[k].extent(d)) : batch[b++]);
    }
  return map;
}

}  // namespace rule::factors
}  // namespace tessera
