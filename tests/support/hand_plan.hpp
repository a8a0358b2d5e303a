// SPDX-License-Identifier: Apache-2.0
#pragma once
// Plans written by hand, for tests of what runs plans: no tracing, no planner. Usable while compiling.

#include <tessera/graph/literal.hpp>
#include <tessera/plan/base/strides.hpp>

#include <cstddef>
#include <initializer_list>
#include <span>

namespace support {

namespace ts = tessera;

constexpr ts::mesh_value mesh_of(std::initializer_list<std::int64_t> sizes) {
  constexpr std::string_view names[]{"a", "b", "c", "d"};
  ts::mesh_value m;
  for (auto s : sizes) {
    auto const at = static_cast<std::size_t>(m.rank++);
    m.sizes[at] = s;
    m.kinds[at] = ts::axis_kind::explicit_;
    m.names[at] = names[at];
  }
  return m;
}

constexpr ts::array_value block(ts::dtype element, std::initializer_list<std::int64_t> extents,
                                ts::axis_set varying = {}) {
  ts::array_value v;
  v.element = element;
  for (auto e : extents) v.add_dim(e);
  v.varying = varying;
  return v;
}
constexpr ts::array_value block(std::initializer_list<std::int64_t> extents, ts::axis_set varying = {}) {
  return block(ts::dtype::float32, extents, varying);
}

struct hand_plan {
  ts::growable_plan plan{};

  constexpr explicit hand_plan(ts::mesh_value const& mesh = {}) { plan.local.mesh = mesh; }

  constexpr int node(ts::op_info const& op, std::initializer_list<int> operands, ts::array_value const& facts,
                     ts::attributes const& attrs = {}) {
    ts::node n{&op, static_cast<int>(plan.local.operands.size()), static_cast<int>(operands.size()), attrs, facts, {}};
    for (int id : operands) plan.local.operands.push_back(id);
    plan.local.nodes.push_back(n);
    plan.places.push_back({});
    return static_cast<int>(plan.local.nodes.size()) - 1;
  }
  constexpr int argument(ts::array_value const& facts) {
    int const id = node(ts::info<ts::ops::argument>, {}, facts);
    place(id, {ts::place_kind::argument, static_cast<int>(plan.local.inputs.size())});
    plan.local.inputs.push_back(id);
    return id;
  }
  constexpr int literal(double value, ts::dtype element = ts::dtype::float32) {
    ts::literal_params said;
    said.element = element;
    said.number = value;
    said.integer = static_cast<std::int64_t>(value);
    ts::array_value facts;
    facts.element = element;
    return node(ts::info<ts::ops::literal>, {}, facts, said);
  }
  constexpr int view(ts::op_info const& op, int operand, ts::array_value const& facts,
                     ts::attributes const& attrs = {}) {
    int const id = node(op, {operand}, facts, attrs);
    place(id, {ts::place_kind::view, operand});
    return id;
  }
  constexpr void place(int id, ts::place const& at) { plan.places[id] = at; }
  constexpr int result(int id) {
    place(id, {ts::place_kind::result, static_cast<int>(plan.local.outputs.size())});
    plan.local.outputs.push_back(id);
    return id;
  }
  constexpr int buffer(int id) {
    place(id, {ts::place_kind::buffer, -1, plan.arena_bytes});
    auto const& facts = plan.local.nodes[id].facts;
    plan.arena_bytes += (ts::storage_bytes(facts, plan.local.mesh) + 63) / 64 * 64;
    return id;
  }
  constexpr void step(ts::step_kind kind, int id) { plan.steps.push_back({kind, id, {}, 0, {}, {}, {}, {}}); }

  // A fused step; registers are what `emit` returns.
  constexpr void fuse(int space, std::initializer_list<int> inputs, std::initializer_list<int> outputs) {
    fuse(space, std::span(inputs.begin(), inputs.size()), std::span(outputs.begin(), outputs.size()));
  }
  constexpr void fuse(int space, std::span<int const> inputs, std::span<int const> outputs) {
    ts::step s{ts::step_kind::fused, space, {}, 0, {}, {}, {}, {}};
    s.inputs = {static_cast<int>(plan.lists.size()), static_cast<int>(inputs.size())};
    for (int id : inputs) plan.lists.push_back(id);
    s.outputs = {static_cast<int>(plan.lists.size()), static_cast<int>(outputs.size())};
    for (int id : outputs) plan.lists.push_back(id);
    s.code = {static_cast<int>(plan.code.size()), 0};
    plan.steps.push_back(s);
  }
  constexpr int emit(ts::instruction const& i) {
    plan.code.push_back(i);
    return plan.steps.back().code.count++;
  }
  constexpr int load(int input, ts::dtype element = ts::dtype::float32, bool row = false) {
    return emit({ts::code_kind::load, nullptr, element, row, input, -1, -1});
  }
  template <class Op>
  constexpr int run(ts::dtype element, bool row, int a, int b = -1, int c = -1) {
    static_assert(ts::op_register<Op>::done);
    return emit({ts::code_kind::compute, &ts::info<Op>, element, row, a, b, c});
  }
  template <class Op>
  constexpr int run(int a, int b = -1, int c = -1) {
    return run<Op>(ts::dtype::float32, false, a, b, c);
  }
  constexpr int reduce(ts::op_info const& op, int a, ts::dtype element = ts::dtype::float32) {
    return emit({ts::code_kind::reduce, &op, element, true, a, -1, -1});
  }
  constexpr void store(int a, int output, ts::dtype element = ts::dtype::float32, bool row = false) {
    emit({ts::code_kind::store, nullptr, element, row, a, output, -1});
  }
};

// The same as an object of static storage.
template <ts::plan_size Size>
struct frozen_plan {
  ts::graph<Size.local> local;
  std::array<ts::step, Size.steps> steps{};
  std::array<int, Size.lists> lists{};
  std::array<ts::instruction, Size.code> code{};
  std::array<ts::place, Size.local.nodes> places{};
  std::int64_t arena_bytes;

  constexpr explicit frozen_plan(ts::growable_plan const& p) : local(p.local), arena_bytes(p.arena_bytes) {
    for (std::size_t i = 0; i < Size.steps; ++i) steps[i] = p.steps[i];
    for (std::size_t i = 0; i < Size.lists; ++i) lists[i] = p.lists[i];
    for (std::size_t i = 0; i < Size.code; ++i) code[i] = p.code[i];
    for (std::size_t i = 0; i < Size.local.nodes; ++i) places[i] = p.places[i];
  }
  constexpr ts::plan_view view() const {
    return {local.view(),
            steps.data(),
            static_cast<int>(Size.steps),
            lists.data(),
            code.data(),
            places.data(),
            nullptr,
            0,
            arena_bytes,
            0,
            0,
            static_cast<int>(Size.steps)};
  }
};

// Maker::plan() is a constexpr function that returns a growable_plan.
template <class Maker>
struct frozen {
  static constexpr frozen_plan<Maker::plan().size()> plan{Maker::plan()};
};

}  // namespace support
