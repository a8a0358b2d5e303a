// SPDX-License-Identifier: Apache-2.0
#pragma once
// Copies a program without inputs into another one. Parts that were copied before, and that can be read here, are not
// copied again: the results of one loop of constants share it wherever they are used.

#include <tessera/graph/builder.hpp>

namespace tessera {
namespace detail {

class joining {
public:
  constexpr joining(builder& b, growable_graph const& from) : b_(b), from_(from.view()) {
    if (b.recorded.mesh.rank == 0) b.recorded.mesh = from.mesh;
    growable<int> last;  // by first node of a part: its last node; a part is a node or a whole loop
    for (int id = 0; id < from_.node_count; ++id) {
      last.push_back(id);
      if (from_[id].region_count) last[from_.part(id, 0).first_node] = id;
    }
    moved_.resize(last.size(), -1);
    site const kept = b.here;
    for (int id = 0; id < from_.node_count; id = last[id] + 1)
      if (!find(id, last[id])) write(id, last[id]);
    b.here = kept;
  }
  constexpr term output() const { return {&b_, at(from_.outputs[0])}; }

private:
  constexpr int at(int id) const { return moved_[id]; }

  // Whether the part first..last has been copied already.
  constexpr bool find(int first, int last) {
    for (joined_part const& known : b_.joined) {
      if (known.count != last - first + 1) continue;
      for (int id = first; id <= last; ++id) moved_[id] = known.first + id - first;
      bool same = true;
      for (int id = first; same && id <= last; ++id) same = equal(id, at(id));
      if (same) return true;
    }
    return false;
  }
  constexpr bool equal(int id, int other) const {
    node const& n = from_[id];
    node const& m = b_.at(other);
    if (n.op != m.op || n.op->act || n.operand_count != m.operand_count || n.region_count != m.region_count ||
        !(n.attrs == m.attrs) || !(n.facts == m.facts))
      return false;
    for (int k = 0; k < n.operand_count; ++k)
      if (at(from_.operand(id, k)) != b_.recorded.operands[m.first_operand + k]) return false;
    for (int r = 0; r < n.region_count; ++r) {
      graph_region const& p = from_.part(id, r);
      graph_region const& q = b_.recorded.regions[m.first_region + r];
      if (p.node_count != q.node_count || !same_values(p.first_input, p.input_count, q.first_input, q.input_count) ||
          !same_values(p.first_output, p.output_count, q.first_output, q.output_count))
        return false;
    }
    return true;
  }
  constexpr bool same_values(int from, int count, int in, int known) const {
    if (count != known) return false;
    for (int i = 0; i < count; ++i)
      if (at(from_.region_values[from + i]) != b_.recorded.region_values[in + i]) return false;
    return true;
  }

  constexpr void write(int first, int last) {
    b_.joined.push_back({b_.size(), last - first + 1});
    for (int id = first; id <= last; ++id) {
      node const& n = from_[id];
      growable<int> operands;
      for (int k = 0; k < n.operand_count; ++k) operands.push_back(at(from_.operand(id, k)));
      b_.here = n.at;
      moved_[id] = b_.push(*n.op, operands.data(), n.operand_count, n.attrs, n.facts);
      if (!n.region_count) continue;
      growable<graph_region> parts;
      for (int r = 0; r < n.region_count; ++r) {
        graph_region part = from_.part(id, r);
        part.first_node += at(id) - id;
        part.first_input = values(part.first_input, part.input_count);
        part.first_output = values(part.first_output, part.output_count);
        parts.push_back(part);
      }
      b_.recorded.nodes.back().first_region = static_cast<int>(b_.recorded.regions.size());
      b_.recorded.nodes.back().region_count = n.region_count;
      for (graph_region const& part : parts) b_.recorded.regions.push_back(part);
    }
  }
  constexpr int values(int from, int count) {
    int const first = static_cast<int>(b_.recorded.region_values.size());
    for (int i = 0; i < count; ++i) b_.recorded.region_values.push_back(at(from_.region_values[from + i]));
    return first;
  }

  builder& b_;
  graph_view from_;
  growable<int> moved_;  // by node of the program: its copy
};

}  // namespace detail

constexpr term join(builder& b, growable_graph const& from) { return detail::joining(b, from).output(); }

}  // namespace tessera
