// SPDX-License-Identifier: Apache-2.0
#pragma once
// Binds a loop or branch: the frame's slots of its regions' values, and the addresses that each iteration puts there.

#include <tessera/comm/channel/mesh_processes.hpp>
#include <tessera/engine/exec/memory/step_binding.hpp>
#include <tessera/engine/spec/position.hpp>
#include <tessera/graph/loop.hpp>

#include <vector>

namespace tessera::detail {

// The place of a value: an address of the frame and an offset in bytes.
struct frame_place {
  int slot = -1;
  std::int64_t bytes = 0;
  std::byte* of(std::byte* const* frame) const { return frame[slot] + bytes; }
};

struct loop_step {
  struct steps {
    int first = 0, count = 0;
  };
  struct carried_value {
    frame_place begin, end;  // of the first value, which is overwritten, and the last
    std::int64_t bytes = 0;
    std::vector<int> in_slots;  // in the regions that read it
    int out_slot = -1;
  };
  // A carried value whose blocks do not move: engine/exec/memory/relays.hpp.
  struct handed_value {
    struct block {
      int position;
      std::int64_t offset, end;  // in bytes: from its position's address; from `end` of the value
    };
    frame_place begin, end;
    int first_slot = -1;
    std::vector<std::int64_t> source, offset;  // by position: the source's position, and the bytes to its initial block
    std::vector<block> blocks;                 // copied after the loop if a step reads the result
    std::int64_t block_bytes = 0;
  };
  struct moving_slice {
    frame_place all;
    std::int64_t step = 0;  // bytes between the slices of consecutive iterations
    int slot = -1;
  };
  struct given_result {
    frame_place at;
    std::vector<int> slots;  // one for each branch
  };

  loop_shape shape{};
  std::vector<steps> regions;
  std::vector<carried_value> carried;
  std::vector<handed_value> handed;
  std::vector<moving_slice> slices;  // the inputs, then the results
  std::vector<given_result> results;
  frame_place answer;        // a branch's selector, or a while_loop's conditions:
  std::int64_t answers = 1;  // one bool for each block of the condition
  dtype selector = dtype::int32;
  int answer_slot = -1;
  std::shared_ptr<channel> others;  // the processes that must agree on the condition

  static bool takes(step_binding const& b) { return b.is(step_kind::loop); }
  static loop_step bind(step_binding& b);
  void run(step_run const& r) const;
};

class loop_binder {
public:
  TESSERA_COLD loop_binder(plan_view const& plan, step const& at, locations const& where)
      : p_(plan), at_(at), where_(where), node_(plan.local[at.node]) {
    made_.shape = node_.attrs.as<loop_shape>();
  }

  TESSERA_COLD loop_step bind() {
    for (int r = 0; r < node_.region_count; ++r) made_.regions.push_back({region(r).first_step, region(r).step_count});
    loop_shape const& s = made_.shape;
    if (s.kind == loop_kind::branch) {
      branches();
    } else {
      for (int k = 0; k < s.carried; ++k) {
        relay const* const handed = relay_of(k);
        handed ? hand_on(*handed) : carry(k);
      }
      plan_region const& body = region(s.body());
      for (int k = 0; k < s.sliced; ++k) {
        int const all = p_.local.operand(at_.node, s.carried + k);
        slice(all, input_slot(body, s.carried + k));
      }
      for (int k = s.carried; k < body.outputs.count; ++k) slice(p_.lists[at_.outputs.first + k], output_slot(body, k));
    }
    if (s.kind == loop_kind::while_) {
      made_.answer = {where_.arena(), at_.workspace};
      int const condition = p_.lists[region(0).outputs.first];
      made_.answer_slot = slot_of(condition);
      if (axis_set const over = p_.local[condition].facts.varying & p_.local.mesh->remote(); !over.empty())
        made_.others = static_cast<mesh_processes const&>(*p_.local.mesh->processes).along(over);
      made_.answers = p_.local.mesh->held_devices(p_.local[condition].facts.varying);
    }
    return std::move(made_);
  }

private:
  plan_region const& region(int r) const { return p_.regions[at_.region + r]; }
  int slot_of(int id) const { return where_[id].slot; }
  // The slot of a region's input k, not counting values read from outside.
  int input_slot(plan_region const& r, int k) const { return slot_of(p_.lists[r.inputs.first + r.captures + k]); }
  int output_slot(plan_region const& r, int k) const { return slot_of(p_.lists[r.outputs.first + k]); }
  frame_place place_of(int id) const {
    if (where_[id].slot < 0) throw std::logic_error("tessera: a value of a loop has no memory.");
    return {where_[id].slot, where_[id].bytes};
  }

  relay const* relay_of(int k) const {
    for (relay const& r : where_.relays())
      if (&plan_step(r.loop) == &at_ && r.carried == k) return &r;
    return nullptr;
  }
  step const& plan_step(int s) const { return p_.steps[s]; }
  TESSERA_COLD void hand_on(relay const& r) {
    int const last = p_.lists[at_.outputs.first + r.carried];
    mesh_value const mesh = p_.local.mesh->held();
    array_value const& facts = p_.local[last].facts;
    strides const lies = own_strides(facts, mesh);
    int const size = bytes_of(facts.element);
    auto const bytes_to = [&](mesh_coordinates const& at, axis_set axes) {
      std::int64_t elements = 0;
      for (int a = 0; a < mesh.rank; ++a)
        if (axes.contains(a)) elements += at[a] * lies.axis_stride[a];
      return elements * size;
    };
    loop_step::handed_value h;
    h.begin = place_of(p_.local.operand(at_.node, r.carried));
    h.end = place_of(last);
    h.first_slot = where_.first_relay() + r.first;
    h.source = r.source;
    axis_set const over = r.axes.axes();
    for (std::int64_t p = 0; p < r.positions(); ++p)
      h.offset.push_back(bytes_to(moved_along(mesh, {}, r.axes, p), over));
    h.block_bytes = facts.size() * size;
    for (std::int64_t d = 0; r.is_read && d < mesh.devices(facts.varying); ++d) {
      mesh_coordinates const at = coordinates_of(mesh, d, facts.varying);
      h.blocks.push_back({static_cast<int>(position_along(mesh, at, r.axes)), bytes_to(at, facts.varying - over),
                          bytes_to(at, facts.varying)});
    }
    made_.handed.push_back(std::move(h));
  }
  TESSERA_COLD void carry(int k) {
    loop_step::carried_value c;
    c.begin = place_of(p_.local.operand(at_.node, k));
    c.end = place_of(p_.lists[at_.outputs.first + k]);
    c.bytes = storage_bytes(p_.local[p_.lists[at_.outputs.first + k]].facts, *p_.local.mesh);
    for (int r = 0; r < node_.region_count; ++r) c.in_slots.push_back(input_slot(region(r), k));
    c.out_slot = output_slot(region(made_.shape.body()), k);
    made_.carried.push_back(std::move(c));
  }
  TESSERA_COLD void slice(int all, int slot) {
    made_.slices.push_back({place_of(all), where_[all].at.dim_stride[0] * bytes_of(p_.local[all].facts.element), slot});
  }
  TESSERA_COLD void branches() {
    int const selector = p_.local.operand(at_.node, 0);
    made_.answer = place_of(selector);
    made_.answer.bytes += where_[selector].at.offset * bytes_of(p_.local[selector].facts.element);
    made_.selector = p_.local[selector].facts.element;
    for (int k = 0; k < region(0).outputs.count; ++k) {
      loop_step::given_result given{place_of(p_.lists[at_.outputs.first + k]), {}};
      for (int r = 0; r < node_.region_count; ++r) given.slots.push_back(output_slot(region(r), k));
      made_.results.push_back(std::move(given));
    }
  }

  plan_view p_;
  step const& at_;
  locations const& where_;
  node const& node_;
  loop_step made_;
};

TESSERA_COLD inline loop_step loop_step::bind(step_binding& b) { return loop_binder(b.plan, b.at, b.where).bind(); }

}  // namespace tessera::detail
