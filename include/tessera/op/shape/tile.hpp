// SPDX-License-Identifier: Apache-2.0
#pragma once
// tile<2, 1>(x): x repeated a number of times along each dimension; fewer numbers than dimensions count from the last,
// more add dimensions. Repeated dimensions must not be sharded. Moves 0 bytes.
// Source: JAX 0.10.2 jnp.tile.

#include <tessera/op/shape/broadcast_to.hpp>
#include <tessera/op/shape/expand_dims.hpp>

namespace tessera {
namespace ops {

struct tile_params {
  extents_list times{};
  static constexpr void fields(auto& p, auto&& each) { each(p.times); }
};
struct tile {
  static constexpr std::string_view name = "tile";
  static constexpr op_class kind = op_class::broadcast;

  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    array_value const operand = x[0].facts();
    extents_list const given = attrs.as<tile_params>().times;
    int const rank = operand.rank > given.size() ? operand.rank : given.size();
    array_value wide = operand, out = operand;  // every repeated dimension is (times, extent) in `wide`
    wide.rank = out.rank = 0;
    wide.spec = out.spec = {};
    broadcast_params places;
    int repeated = 0;
    for (int d = 0; d < rank; ++d) {
      int const from = d - (rank - operand.rank), at = d - (rank - given.size());
      auto const times = at < 0 ? 1 : given[at];
      repeated += from >= 0 && times != 1;
    }
    if (rank + repeated > max_rank)
      return b.template refuse<tile>(refuse(reason::ranks_disagree, -1, {}, rank + repeated, max_rank), operand);
    for (int d = 0; d < rank; ++d) {
      int const from = d - (rank - operand.rank), at = d - (rank - given.size());
      auto const times = at < 0 ? 1 : given[at];
      auto const n = from < 0 ? 1 : operand.extent(from);
      entry_value const entry = from < 0 ? entry_value{} : operand.entry(from);
      if (times != 1 && !entry.empty())
        return b.template refuse<tile>(refuse(reason::sharded_dim_unsupported, from, entry.axes()), operand);
      if (from < 0 || times != 1) wide.add_dim(times);
      if (from >= 0) {
        places.dims.push_back(wide.rank);
        wide.add_dim(n, entry);
      }
      out.add_dim(n == dynamic ? dynamic : times * n, entry);
    }
    if (repeated == 0 && rank == operand.rank) return x[0];
    for (int d = 0; d < wide.rank; ++d) places.shape.push_back(wide.extent(d));
    auto const spread = make<broadcast_to>(b, {x[0]}, places);
    return spread ? make<reshape>(b, {spread}, expand_dims::shape_and_layout(out)) : spread;
  }
};

}  // namespace ops

template <std::int64_t... Times>
struct repeated_by {
  static_assert(((Times >= 0) && ...), "tessera: tile repeats a number of times that is not negative.");
  template <Mesh M>
  static constexpr ops::tile_params on() {
    return {extents_list{Times...}};
  }
};
namespace functions {

template <std::int64_t... Times, class X>
constexpr auto tile(X const& x, site at = std::source_location::current()) {
  return invoke<ops::tile, repeated_by<Times...>>(at, x);
}

}  // namespace functions

}  // namespace tessera
