// SPDX-License-Identifier: Apache-2.0
#pragma once
// A mesh over half of the processes and of eight devices: each process has that of its half.

#include "support/on_grid.hpp"

namespace halves {

using half_of_grid =
    on_grid::ts::mesh<on_grid::ts::explicit_axis<on_grid::dp, 2>, on_grid::ts::explicit_axis<on_grid::mp, 2>>;

inline bool there_are() { return tessera::device_count() == 8 && tessera::process_count() % 2 == 0; }
inline int own() { return 2 * tessera::process_index() / tessera::process_count(); }
inline auto mesh_of_own() {
  auto const all = tessera::devices();
  auto const first = all.begin() + 4 * own();
  return tessera::make_mesh<half_of_grid>(std::vector<tessera::device>(first, first + 4));
}

}  // namespace halves
