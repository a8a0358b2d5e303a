// SPDX-License-Identifier: Apache-2.0
#pragma once
// Parameters that ops along one dimension share, and a shift along it.

#include <tessera/base/config.hpp>
#include <tessera/graph/literal.hpp>
#include <tessera/rule/own_params.hpp>
#include <tessera/rule/params.hpp>

namespace tessera {
namespace ops {

struct pad;

struct along_one_params {
  dimension dim{};
  bool reverse = false;  // from the end; sort: descending
  TESSERA_FUNCTION static constexpr void fields(auto& p, auto&& each) { each(p.dim, p.reverse); }
};
// x with each element at the position after its own along the dimension, and `first` at the first one.
template <class B>
constexpr term one_later(B& b, term x, along_one_params const& along, double first) {
  if (!x) return x;
  pad_params by;
  int const rank = x.facts().rank;
  for (int d = 0; d < rank; ++d) {
    std::int64_t const step = d == along.dim || d - rank == along.dim ? (along.reverse ? -1 : 1) : 0;
    by.low.push_back(step);
    by.high.push_back(-step);
    by.interior.push_back(0);
  }
  return make<pad>(b, {x, number(*x.graph, first, x.facts().element)}, by);
}

}  // namespace ops
}  // namespace tessera
