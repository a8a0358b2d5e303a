// SPDX-License-Identifier: Apache-2.0
#pragma once
// The location of each local value of a plan at run time: a slot of the frame, and strides.

#include <tessera/engine/exec/memory/relays.hpp>
#include <tessera/engine/plan/memory/body_reads.hpp>

#include <stdexcept>
#include <string>
#include <vector>

namespace tessera {

// A value in memory: frame slot, offset in bytes, strides in elements. `slot_step`: by axis, the distance in slots to
// the next block's address (engine/exec/memory/relays.hpp).
struct location {
  int slot = -1;  // -1: not in memory
  std::int64_t bytes = 0;
  strides at{};
  by_dim<std::int64_t> slot_step{};
};

namespace detail {

// Whether the body of a kernel reads what the block of result k held before.
inline bool is_added_to(plan_view const& plan, plan_region const& body, int k) {
  return body_reads(plan, body, loop_of(plan.local, body.node).sliced + k);
}
// Whether the devices of this process work on blocks of other numbers, since each has a table of its own.
inline bool differs_by_device(plan_view const& plan, int kernel, block_value const& block) {
  mesh_value const& mesh = *plan.local.mesh;
  for (int d = 0; d < block.rank; ++d) {
    if (!block.at[d].reads()) continue;
    int const table = plan.local.operand(kernel, block.at[d].read.value.dim);
    if (mesh.held_devices(plan.local[table].facts.varying) > 1) return true;
  }
  return false;
}
// Whether the body of a kernel reads the blocks of operand k, or writes output k, in the memory of the whole array. If not,
// blocks are copied.
inline bool is_read_in_place(plan_view const& plan, int kernel, int k) {
  block_value const block = blocks_of_kernel(loop_of(plan.local, kernel), k);
  return block.divides() && !differs_by_device(plan, kernel, block);
}
inline bool is_written_in_place(plan_view const& plan, plan_region const& body, int k) {
  loop_shape const& kernel = loop_of(plan.local, body.node);
  if (k >= kernel.grid->outputs) return false;
  block_value const block = blocks_of_kernel(kernel, kernel.grid->inputs + k);
  if (block.summed || !block.divides() || !block.is_run()) return false;
  return !is_added_to(plan, body, k) && !differs_by_device(plan, body.node, block);
}

class locations {
public:
  // `arguments`: the strides of each argument, or null for own_strides.
  locations(plan_view const& plan, strides const* arguments)
      : plan_(plan), arguments_(arguments), relays_(relay_finder(plan).find()) {
    all_.resize(plan.local.node_count);
    find_slots();
    for (int id = 0; id < plan.local.node_count; ++id) all_[id] = find(id);
  }
  location const& operator[](int id) const { return all_[id]; }

  int arguments() const { return plan_.local.input_count; }
  int arena() const { return plan_.local.input_count + plan_.local.output_count; }
  int scratch() const { return arena() + 1; }
  int on_host() const { return arena() + 2; }  // temporaries in host memory
  // The slot of memory for messages to other processes.
  int staging(int part) const { return arena() + 3 + part; }
  static int staging_parts(plan_view const& plan) { return 2 + plan.region_count; }
  int slots() const {
    return first_relay() + (relays_.empty() ? 0 : relays_.back().first + 2 * relays_.back().positions());
  }

  std::vector<relay> const& relays() const { return relays_; }
  int first_relay() const { return first_region_slot() + plan_.region_slots; }

private:
  int first_region_slot() const { return staging(staging_parts(plan_)); }
  TESSERA_COLD location find(int id) const {
    place const& p = plan_.places[id];
    array_value const& facts = plan_.local[id].facts;
    for (relay const& r : relays_)
      if (id == r.in || id == r.out) return handed_on(id, r);
    switch (p.kind) {
      case place_kind::argument:
        return {p.index, 0, arguments_ ? arguments_[p.index] : own_strides(facts, *plan_.local.mesh)};
      case place_kind::result: return {arguments() + p.index, 0, own_strides(facts, *plan_.local.mesh)};
      case place_kind::buffer: return {arena(), p.offset, own_strides(facts, *plan_.local.mesh)};
      case place_kind::on_host: return {on_host(), p.offset, own_strides(facts, *plan_.local.mesh)};
      case place_kind::view: {
        location at = all_[plan_.local.operand(id, 0)];
        strides const in = at.at;
        if (!view_strides(plan_.local, id, in, at.at))
          throw std::logic_error("tessera: the plan makes a view of " + std::string(plan_.local[id].op->name) +
                                 ", which needs a copy.");
        return at;
      }
      case place_kind::within: return within(id, p.index);
      case place_kind::slot: return in_region(id, slots_.at(p.index));
      default: return {};
    }
  }

  // The part of an assembled value that operand id is.
  TESSERA_COLD location within(int id, int whole) const {
    int k = 0;
    while (plan_.local.operand(whole, k) != id) ++k;
    by_dim<std::int64_t> first{};
    operand_start(plan_.local, whole, k, first);
    location at = find(whole);
    for (int d = 0; d < plan_.local[whole].facts.rank; ++d) at.at.offset += first[d] * at.at.dim_stride[d];
    return at;
  }

  location handed_on(int id, relay const& r) const {
    location at{first_relay() + r.first + (id == r.out ? r.positions() : 0), 0,
                own_strides(plan_.local[id].facts, *plan_.local.mesh), r.slot_step};
    for (int k = 0; k < r.axes.count(); ++k) at.at.axis_stride[r.axes.axis(k)] = 0;
    return at;
  }

  struct region_slot {
    int region = -1, input = -1, output = -1;
  };
  TESSERA_COLD void find_slots() {
    slots_.resize(plan_.region_slots);
    for (int r = 0; r < plan_.region_count; ++r) {
      plan_region const& region = plan_.regions[r];
      int slot = region.first_slot;
      for (int k = 0; k < region.inputs.count; ++k) slots_[slot++] = {r, k, -1};
      for (int k = 0; k < region.outputs.count; ++k) slots_[slot++] = {r, -1, k};
    }
  }
  // A value that a region reads from outside has the same location inside. Slices have the strides of the whole value;
  // their address changes with each iteration.
  TESSERA_COLD location in_region(int id, region_slot const& s) const {
    plan_region const& region = plan_.regions[s.region];
    node const& loop = plan_.local[region.node];
    loop_shape const shape = loop.attrs.as<loop_shape>();
    array_value const& facts = plan_.local[id].facts;
    auto const operand = [&](int k) { return all_[plan_.local.operand(region.node, k)]; };
    if (s.input >= 0 && s.input < region.captures) return operand(region.first_capture + s.input);
    location at{first_region_slot() + plan_.places[id].index, 0, own_strides(facts, *plan_.local.mesh)};
    int const k = s.input >= 0 ? s.input - region.captures : s.output;
    if (shape.kind == loop_kind::grid) {
      bool const read = s.input >= 0 && k < shape.sliced && is_read_in_place(plan_, region.node, k);
      if (read) at.at = in_block(blocks_of_kernel(shape, k), operand(k).at);
      if (s.input < 0 && is_written_in_place(plan_, region, k))
        at.at.axis_stride = all_[region.node + k].at.axis_stride;
      return at;
    }
    if (k < shape.carried || shape.kind == loop_kind::while_) return at;
    if (s.input < 0) {  // one iteration's or branch's blocks are as far apart as those of the whole result
      at.at.axis_stride = all_[region.node + k].at.axis_stride;  // the results' nodes are consecutive
      return at;
    }
    if (shape.kind == loop_kind::branch) return at;
    strides const whole = operand(k).at;
    at.at = whole;
    for (std::size_t d = 0; d + 1 < max_rank; ++d) at.at.dim_stride[d] = whole.dim_stride[d + 1];
    at.at.dim_stride[max_rank - 1] = 0;
    return at;
  }

  // The strides of a block in an array; squeezed dimensions have none.
  static strides in_block(block_value const& block, strides const& whole) {
    strides at = whole;
    at.dim_stride = {};
    int seen = 0;
    for (int d = 0; d < block.rank; ++d)
      if (!block.squeezed[d]) at.dim_stride[seen++] = whole.dim_stride[d];
    return at;
  }

  plan_view plan_;
  strides const* arguments_;
  std::vector<relay> relays_;
  std::vector<location> all_;
  std::vector<region_slot> slots_;
};

}  // namespace detail

}  // namespace tessera
