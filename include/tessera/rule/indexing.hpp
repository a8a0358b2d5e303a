// SPDX-License-Identifier: Apache-2.0
#pragma once
// gather, scatter: windows of operand 0 at places given by index arrays, with lax.gather's dimension numbers.
//   window[d]      extent of the window along dimension d of operand 0
//   runs_along[d]  the result's dimension that corresponds to d; or `collapsed`: indexed and removed; or with_index(i):
//                  it corresponds to dimension i of the index arrays
//   indexed[k]     the dimension of operand 0 that index operand k indexes
// Index operands are 1, 2, ...: arrays of one shape, or scalars. The result's other dimensions are those of the index
// arrays, in order. A scatter's last operand has the shape of the gather's result.
// Dimensions along which windows are selected must be whole, and index arrays too, except along batch dimensions; else
// out_sharding is needed.
// Source: JAX 0.10.2 jax/_src/lax/slicing.py (_gather_spec_computation, _scatter_spec_computation); surprise 8.

#include <tessera/rule/spec.hpp>

namespace tessera {

namespace rule {

inline constexpr std::int64_t collapsed = -1;
constexpr std::int64_t with_index(int index_dim) { return -2 - index_dim; }

// The dimensions that correspond to each dimension of a gather's result: of operand 0, of the index arrays, or of both.
struct window_map {
  int rank = 0;
  by_dim<int> source{}, index{};  // -1: none
  by_dim<bool> indexed{};         // by dimension of operand 0: index operands select windows along it
};

constexpr window_map windows_of(indexing_params const& a, int rank, int index_rank) {
  window_map map;
  map.rank = index_rank;
  for (int d = 0; d < rank; ++d) map.rank += a.runs_along[d] >= 0;
  for (int r = 0, i = 0; r < map.rank && r < max_rank; ++r) {
    map.source[r] = a.runs_along.find(r);
    map.index[r] = map.source[r] < 0 ? i++ : -1;
    if (map.index[r] >= 0)
      if (int const batch = a.runs_along.find(with_index(map.index[r])); batch >= 0) map.source[r] = batch;
  }
  for (auto d : a.indexed) map.indexed[d] = true;
  return map;
}

// The index operand with dimensions; operand 1 if all are scalars.
constexpr array_value const& indices_of(rule_input const& in, int count) {
  for (int k = 1; k <= count; ++k)
    if (in[k].rank != 0) return in[k];
  return in[count > 0 ? 1 : 0];
}

// The gather's result for `count` index operands, without attrs.out. check: layouts must fit.
constexpr verdict picked(rule_input const& in, int count, bool check) {
  array_value const& x = in[0];
  indexing_params const& a = in.attrs.as<indexing_params>();
  if (a.window.size() != x.rank || a.runs_along.size() != x.rank || a.indexed.size() != count)
    return refuse(reason::ranks_disagree, -1, {}, x.rank, a.window.size());
  array_value const none{};
  array_value const& index = count > 0 ? indices_of(in, count) : none;
  int const index_rank = count > 0 ? index.rank : 0;
  array_value out = x;
  for (int k = 1; k <= count; ++k) {
    verdict v;
    if (in[k].element == dtype::boolean)
      v = refuse(reason::mask_as_index);
    else if (!is_integer(in[k].element))
      v = refuse(reason::element_unsupported);
    else if (!in[k].unreduced.empty())
      v = refuse(reason::unreduced_operand, -1, in[k].unreduced);
    else if (in[k].rank != 0 && in[k].rank != index_rank)
      v = refuse(reason::ranks_disagree, -1, {}, index_rank, in[k].rank);
    for (int i = 0; v && in[k].rank != 0 && i < index_rank; ++i) {
      if (in[k].extent(i) != index.extent(i) && in[k].extent(i) != dynamic && index.extent(i) != dynamic)
        v = refuse(reason::shapes_disagree, i, {}, index.extent(i), in[k].extent(i));
      else if (check && !(in[k].entry(i) == index.entry(i)))
        v = refuse(reason::dims_disagree, i, index.entry(i).axes() | in[k].entry(i).axes());
    }
    v.operand = k;
    if (!v) return v;
    out.varying |= in[k].varying;
  }
  window_map const map = windows_of(a, x.rank, index_rank);
  if (map.rank > max_rank) return refuse(reason::ranks_disagree, -1, {}, map.rank, max_rank);
  for (int d = 0; d < x.rank; ++d) {
    auto const n = x.extent(d), window = a.window[d];
    if (n != dynamic && window != dynamic && (window < 0 || window > n))
      return refuse(reason::index_out_of_range, d, {}, window, n);
    bool const part = window != n || (a.runs_along[d] == collapsed);
    if (check && part && a.runs_along[d] >= collapsed && !x.entry(d).empty())
      return refuse(reason::needs_out_sharding, d, x.entry(d).axes());
  }
  out.rank = 0;
  out.spec = {};
  for (int r = 0; r < map.rank; ++r) {
    int const from = map.source[r], i = map.index[r];
    entry_value const own = from < 0 ? entry_value{} : x.entry(from);
    if (i < 0) {
      out.add_dim(a.window[from], own);
      continue;
    }
    entry_value const named = index.entry(i);
    bool const agree = from >= 0 && (own == named || own.empty() || named.empty());
    if (check && !named.empty() && !agree)
      return refuse(reason::needs_out_sharding, from >= 0 ? from : i, own.axes() | named.axes());
    if (check && !own.empty() && !agree) return refuse(reason::needs_out_sharding, from, own.axes() | named.axes());
    if (from >= 0 && x.extent(from) != index.extent(i) && x.extent(from) != dynamic && index.extent(i) != dynamic)
      return refuse(reason::shapes_disagree, from, {}, x.extent(from), index.extent(i));
    out.add_dim(index.extent(i), named.empty() ? own : named);
  }
  return accept(out);
}

constexpr verdict gather(rule_input const& in) {
  verdict v = picked(in, in.count - 1, !in.attrs.has_out);
  if (!v) return v;
  if (in.attrs.has_out) return with_spec(v.result, in.attrs.out, in.mesh);
  return lawful(v.result, in.mesh);
}

// Operand 0 with the last operand written or combined where the index operands say.
constexpr verdict scatter(rule_input const& in) {
  array_value const &x = in[0], &updates = in[in.count - 1];
  bool const check = !in.attrs.has_out;
  verdict const fits = picked(in, in.count - 2, check);
  if (!fits) return fits;
  verdict v;
  array_value out = x;
  if (updates.rank != fits.result.rank)
    v = refuse(reason::ranks_disagree, -1, {}, fits.result.rank, updates.rank);
  else if (updates.element != x.element)
    v = refuse(reason::elements_disagree);
  else if (!(updates.unreduced == x.unreduced))
    v = refuse(reason::unreduced_operand, -1, updates.unreduced | x.unreduced);
  for (int r = 0; v && r < updates.rank; ++r) {
    auto const want = fits.result.extent(r), given = updates.extent(r);
    if (want != given && want != dynamic && given != dynamic)
      v = refuse(reason::shapes_disagree, r, {}, want, given);
    else if (check && !(updates.entry(r) == fits.result.entry(r)))
      v = refuse(reason::needs_out_sharding, r, updates.entry(r).axes() | fits.result.entry(r).axes());
  }
  v.operand = in.count - 1;
  if (!v) return v;
  out.varying |= fits.result.varying | updates.varying;
  if (in.attrs.has_out) return with_spec(out, in.attrs.out, in.mesh);
  return lawful(out, in.mesh);
}
// The same for a scatter that is not linear, which refuses partial sums.
constexpr verdict scatter_into_finished(rule_input const& in) {
  if (!in[0].unreduced.empty()) return refuse(reason::unreduced_operand, -1, in[0].unreduced);
  return scatter(in);
}

}  // namespace rule
}  // namespace tessera
