// SPDX-License-Identifier: Apache-2.0
#pragma once
// The cost of a choice of layouts for all values of a program: the bytes that a device sends when the program is
// lowered with them, and the operations of its matrix products, converted to bytes.

#include <tessera/partition/laid_out.hpp>
#include <tessera/plan/lower/link.hpp>
#include <tessera/plan/lower/lower.hpp>

namespace tessera::detail {

// The cost per device and call: bytes sent, operations of matrix products.
struct program_cost {
  // Operations that take as long as sending a byte: thousands on some accelerators, a hundred on two processors.
  static constexpr std::int64_t work_for_a_byte = 256;
  // Assumed where unknown: iterations of a loop, bytes of a message.
  static constexpr std::int64_t some_turns = 8, some_bytes = std::int64_t{1} << 20;

  std::int64_t bytes = 0, work = 0;
  std::int64_t priced = 0;  // bytes, weighted by the prices of the axes along which they are sent

  constexpr program_cost() = default;
  constexpr explicit program_cost(lowering const& program) {
    for (message const& m : program.messages) {
      bytes += m.bytes == dynamic ? some_bytes : m.bytes;
      priced += m.bytes == dynamic ? some_bytes : price_of(program.mesh(), m);
    }
    for (node const& n : program.local.nodes) {
      if (n.op->kind == op_class::dot) work += 2 * multiplications_of(program, n);
      if (n.op->kind != op_class::loop) continue;
      std::int64_t turns = times_in(n);
      if (turns == dynamic) turns = n.attrs.as<loop_shape>().kind == loop_kind::branch ? 1 : some_turns;
      for (int r = 0; r < n.region_count; ++r) {
        program_cost const part(program.regions[n.first_region + r]);
        bytes += turns * part.bytes;
        priced += turns * part.priced;
        work += turns * part.work;
      }
    }
  }
  constexpr std::int64_t in_bytes(std::int64_t for_a_byte = work_for_a_byte) const {
    return priced + work / for_a_byte;
  }

private:
  static constexpr std::int64_t price_of(mesh_value const& mesh, message const& m) {
    return m.group > 0 ? m.bytes : bytes_priced(mesh, m.kind, m.block, m.axes);
  }
  static constexpr std::int64_t multiplications_of(lowering const& program, node const& n) {
    array_value const& x = program.facts(program.local.operands[n.first_operand]);
    return rule::multiplications(n.attrs.as<dot_params>(), x, n.facts);
  }
};

class layout_costs {
public:
  constexpr explicit layout_costs(graph_view const& traced) : twin_(on_twin(growable_graph::copy_of(traced))) {}

  // The cost with these layouts, one per value.
  constexpr std::int64_t total(by_dim<entry_value> const* layouts) {
    for (std::size_t id = 0; id < twin_.nodes.size(); ++id) twin_.nodes[id].facts.spec = layouts[id];
    follow_bodies(twin_);
    return program_cost(lower(twin_.view())).in_bytes();
  }

private:
  growable_graph twin_;
};

}  // namespace tessera::detail
