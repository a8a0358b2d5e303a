// SPDX-License-Identifier: Apache-2.0
#pragma once
// Attaches the planning rules of the library's operations to a program. Other programs only name these operations.

#include <tessera/control/control.hpp>
#include <tessera/graph/graph.hpp>
#include <tessera/manual/manual.hpp>
#include <tessera/op/ops.hpp>
#include <tessera/transform/axis_kinds.hpp>

#include <unordered_map>

namespace tessera::detail {

using infos_by_bare = std::unordered_map<op_info const*, op_info const*>;
template <class... Op>
infos_by_bare infos_of(boost::mp11::mp_list<Op...>) {
  return {{&bare_info<Op>, &planning_info<Op>}...};
}

// The program with rules for its operations; it can be transformed after this.
TESSERA_COLD inline growable_graph with_rules(growable_graph program) {
  static infos_by_bare const infos = infos_of(boost::mp11::mp_append<engine_ops, engine_ruled_ops>{});
  for (int id = 0; id < static_cast<int>(program.nodes.size()); ++id)
    if (auto const known = infos.find(program.nodes[id].op); known != infos.end()) program.nodes[id].op = known->second;
  return program;
}

}  // namespace tessera::detail
