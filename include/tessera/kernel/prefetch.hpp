// SPDX-License-Identifier: Apache-2.0
#pragma once
// The tables of a kernel: operands whose spec is scalar_prefetch. An index map reads them as table(i, j), with one number made of
// program ids for each dimension of the table; that the table has this element is checked while compiling. What it holds
// there is known when the kernel runs, and compared with the array's blocks before the first instance.
// Source: JAX 0.10.2 pallas.tpu.PrefetchScalarGridSpec, where tables come first among operands and nothing is checked.

#include <tessera/control/carried_types.hpp>
#include <tessera/kernel/blocks.hpp>

namespace tessera::detail {

struct grid_table {
  int operand = 0;
  extents_list shape{};
  grid_value const* grid = nullptr;

  template <class... I>
    requires(std::is_convertible_v<I, grid_index>&&...)
  constexpr grid_index operator()(I const&... i) const {
    grid_index const at[]{grid_index(i)..., grid_index{}};
    bool inside = static_cast<int>(sizeof...(I)) == shape.size();
    grid_index flat;
    for (int d = 0; d < shape.size() && inside; ++d) {
      flat = flat * shape[d] + at[d];
      inside = at[d].reads() || (most_of(at[d], *grid, true) >= 0 && most_of(at[d], *grid, false) < shape[d]);
    }
    grid_index made = grid_index::read_from(operand, flat);
    made.outside_table = !inside;
    return made;
  }
};

// The tables of a kernel on operands X.
template <class Grid, class In, class... X>
struct tables_of_call;
template <class Grid, class... In, class... X>
struct tables_of_call<Grid, in_block_specs<In...>, X...> {
  static constexpr std::size_t count = (std::size_t{0} + ... + std::size_t{std::is_same_v<In, scalar_prefetch>});
  static constexpr std::array<grid_table, count> all = [] {
    std::array<grid_table, count> found{};
    std::size_t n = 0;
    int k = 0;
    ((std::is_same_v<In, scalar_prefetch> ? void(found[n++] = {k++, type_of_leaf<X>::value.shape(), &Grid::value})
                                          : void(++k)),
     ...);
    return found;
  }();
  static constexpr axis_set varying =
      (axis_set{} | ... | (std::is_same_v<In, scalar_prefetch> ? type_of_leaf<X>::value.varying : axis_set{}));
  static constexpr bool numbers =
      ((!std::is_same_v<In, scalar_prefetch> || type_of_leaf<X>::value.element == dtype::int32) && ...);
};

}  // namespace tessera::detail
