// SPDX-License-Identifier: Apache-2.0
#pragma once
// Records nodes of a program again, with other values as operands: what the backward pass of a loop or branch
// recomputes.

#include <tessera/graph/builder.hpp>
#include <tessera/graph/node_map.hpp>

namespace tessera {

class cloner {
public:
  // Takes the place of an effect, which only the original performs.
  static constexpr op_info acted{"acted", op_class::effect};

  // Clones nodes from `first` on; others may have a substitute, too. With `acts` clones perform effects.
  constexpr cloner(builder& b, int first, bool acts = false) : b_(b), moved_(first, b.size(), itself), acts_(acts) {}

  // The node in the place of node `id`: itself, if it is not cloned.
  constexpr int at(int id) const {
    int const other = moved_.at(id);
    return other == itself ? id : other;
  }
  constexpr void stand_for(int id, int other) { moved_[id] = other; }
  // Clones one node. A node that runs regions is cloned after all nodes of these regions.
  constexpr void clone(int id) {
    node const n = b_.at(id);
    growable<int> operands;
    for (int k = 0; k < n.operand_count; ++k) operands.push_back(at(b_.recorded.operands[n.first_operand + k]));
    site const kept = b_.here;
    b_.here = n.at;
    if (b_.here.pass == program_pass::forward) b_.here.pass = program_pass::recomputed;
    int const made = b_.push(n.op->act && !acts_ ? acted : *n.op, operands.data(), n.operand_count, n.attrs, n.facts);
    b_.here = kept;
    stand_for(id, made);
    if (!n.region_count) return;
    int const first = static_cast<int>(b_.recorded.regions.size());
    for (int r = 0; r < n.region_count; ++r) {
      graph_region part = b_.recorded.regions[n.first_region + r];
      part.first_node = at(part.first_node);
      part.first_input = values(part.first_input, part.input_count);
      part.first_output = values(part.first_output, part.output_count);
      b_.recorded.regions.push_back(part);
    }
    b_.recorded.nodes.back().first_region = first;
    b_.recorded.nodes.back().region_count = n.region_count;
  }

private:
  constexpr int values(int from, int count) {
    int const first = static_cast<int>(b_.recorded.region_values.size());
    for (int i = 0; i < count; ++i) b_.recorded.region_values.push_back(at(b_.recorded.region_values[from + i]));
    return first;
  }

  static constexpr int itself = -2;
  builder& b_;
  detail::node_map<int> moved_;
  bool acts_;
};

}  // namespace tessera
