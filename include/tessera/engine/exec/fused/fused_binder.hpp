// SPDX-License-Identifier: Apache-2.0
#pragma once
// Binds a fused step of a plan: its loops and addresses, ready for the interpreter or its compiled program.

#include <tessera/engine/exec/fused/interpret.hpp>
#include <tessera/engine/exec/fused/rows_in_lanes.hpp>
#include <tessera/engine/exec/fused/run_strip.hpp>
#include <tessera/engine/exec/fused/strip_binder.hpp>
#include <tessera/engine/exec/memory/locations.hpp>
#include <tessera/exec/fused/prepare_fused.hpp>
#include <tessera/plan/fuse/seams.hpp>

namespace tessera::detail {

// A literal as the first 8 bytes of a register of `element`; any further bytes are 0: see literal_as.
TESSERA_COLD inline std::int64_t literal_register(node const& n, dtype element) {
  std::int64_t bits = 0;
  with_element(element, [&]<class T>(std::type_identity<T>) {
    using A = register_of<T>;
    using R = typename real_type<A>::type;
    auto const& said = n.attrs.as<literal_params>();
    A const value = is_inexact(said.element) ? static_cast<R>(said.number) : static_cast<R>(said.integer);
    A stored = settled<T>(value);
    if constexpr (rounds_once(dtype_of<T>()))
      if (is_inexact(said.element)) stored = toward_odd(said.number);  // so that the store rounds once
    std::memcpy(&bits, &stored, std::min(sizeof(A), sizeof(bits)));
  });
  return bits;
}

class fused_binder {
public:
  // A box of the space: a group that reads pieces of concatenations is one work for each.
  struct box {
    by_dim<std::int64_t> begin{}, extent{};
  };
  // The boxes between the seams of the concatenations that the step reads; the whole space if it reads none.
  TESSERA_COLD static std::vector<box> boxes_of(plan_view const& plan, step const& at) {
    array_value const& space = plan.local[at.node].facts;
    box whole;
    for (int d = 0; d < space.rank; ++d) whole.extent[d] = space.extent(d);
    std::vector<box> boxes{whole};
    for (int k = 0; at.pieces > 0 && k < at.loaded(); ++k) {
      int const id = plan.lists[at.inputs.first + k];
      if (plan.places[id].kind != place_kind::pieces) continue;
      seams const meet(plan.local, id);
      for (std::int64_t seam : meet.at) cut(boxes, meet.dim, seam);
    }
    return boxes;
  }

  TESSERA_COLD fused_binder(plan_view const& plan, step const& at, locations const& where, box const& within)
      : plan_(plan), step_(at), where_(where), box_(within) {
    space_ = plan.local[at.node].facts;
    for (int k = 0; k < at.outputs.count; ++k) space_.varying |= facts(at.outputs, k).varying;
    for (int a = 0; a < mesh().rank; ++a)
      if (space_.varying.contains(a) && !at.across.contains(a)) {
        axes_.push_back(a);
        loop(mesh().held(a));
      }
    for (int d = 0; d < space_.rank; ++d) loop(box_.extent[d]);
    instruction const* const code = plan.code + at.code.first;
    work_.code.assign(code, code + at.code.count);
    work_.by_rows = has_rows(code, at.code.count);
    work_.segments = static_cast<int>(mesh().held_devices(at.across));
    for (int i = 0; i < at.code.count; ++i)
      if (code[i].kind == code_kind::load && read_by_rows(code, at.code.count, i)) work_.code[i].row = true;
    if (work_.by_rows && space_.rank == 0) loop(1);
    work_.inputs = at.loaded();
    work_.outputs = at.outputs.count;
  }

  // `launched`: a compiled program of the accelerator runs the group; otherwise the host's, or nothing is compiled.
  TESSERA_COLD fused_work bind(compiled_strip const* compiled, bool launched) {
    if (compiled) compiled = &compiled->at(running_level());
    for (int k = 0; k < step_.loaded(); ++k) operand(plan_.lists[step_.inputs.first + k]);
    for (int k = 0; k < step_.outputs.count; ++k) operand(plan_.lists[step_.outputs.first + k]);
    for (auto& i : work_.code) {
      if (i.kind == code_kind::literal) {
        work_.literals.push_back(literal_register(plan_.local[i.a], i.element));
        i.a = static_cast<int>(work_.literals.size()) - 1;
      } else if (i.kind == code_kind::index) {
        fused_operand o;
        strides const value = index_strides(plan_.local[i.b], mesh());
        o.offset = value.offset;
        for (int a = 0; a < axes_.size(); ++a) o.step[a] = value.axis_stride[axes_[a]];
        for (int d = 0; d < space_.rank; ++d) {
          o.step[axes_.size() + d] = value.dim_stride[d];
          o.offset += box_.begin[d] * value.dim_stride[d];
        }
        add(o, value);
        i.a = static_cast<int>(work_.operands.size()) - 1;
      } else if (i.kind == code_kind::store) {
        i.b += work_.inputs;
      }
    }
    for (int s = 0; s < work_.segments; ++s)
      for (strides const& at : lies_) work_.shifts.push_back(shift(at, s));
    if (launched) {
      prepare(work_, false, true);
      return std::move(work_);
    }
    bool const short_rows = prepare_for(compiled);
    work_.strip = work_.compiled ? &run_strip : short_rows ? &interpret_short_rows : &interpret_strip;
    if (work_.compiled)
      strip_binder(work_).bind();
    else
      lane_binder(work_).bind();
    return std::move(work_);
  }

private:
  mesh_value const& mesh() const { return *plan_.local.mesh; }
  array_value const& facts(span_of list, int k) const { return plan_.local[plan_.lists[list.first + k]].facts; }
  void loop(std::int64_t extent) { work_.extent[work_.rank++] = extent; }

  // Prepares the work for its compiled program or the interpreter, which also runs short rows. Returns whether it has
  // those.
  TESSERA_COLD bool prepare_for(compiled_strip const* compiled) {
    if (compiled && work_.by_rows && work_.columns() < short_row_limit) {
      fused_work interpreted = work_;
      prepare(interpreted, true);
      if (has_short_rows(interpreted, compiled)) {
        work_ = std::move(interpreted);
        return true;
      }
    }
    work_.compiled = compiled;
    prepare(work_, !compiled);
    return !compiled && has_short_rows(work_, nullptr);
  }

  // An operand has the dimensions of the space, or none, or all but the last (one value per row).
  TESSERA_COLD void operand(int id) {
    by_dim<std::int64_t> begin = box_.begin;
    if (plan_.places[id].kind == place_kind::pieces) id = piece_in_box(id, begin);
    array_value const& own = plan_.local[id].facts;
    location const& at = where_[id];
    fused_operand o;
    o.slot = at.slot;
    o.element = own.element;
    o.offset = at.at.offset + at.bytes / bytes_of(own.element);
    for (int a = 0; a < axes_.size(); ++a) {
      o.step[a] = at.at.axis_stride[axes_[a]];
      o.slots[a] = at.slot_step[axes_[a]];
    }
    for (int d = 0; d < own.rank && d < space_.rank; ++d)
      if (own.extent(d) != 1 || space_.extent(d) == 1) {
        o.step[axes_.size() + d] = at.at.dim_stride[d];
        o.offset += begin[d] * at.at.dim_stride[d];
      }
    if (at.slot < 0)
      throw std::logic_error("tessera: a step reads a value that has no memory: " +
                             std::string(plan_.local[id].op->name));
    add(o, at.at);
  }
  // Cuts the boxes that have elements on both sides of a seam.
  TESSERA_COLD static void cut(std::vector<box>& boxes, int dim, std::int64_t seam) {
    for (std::size_t i = 0, count = boxes.size(); i < count; ++i) {
      std::int64_t const begin = boxes[i].begin[dim], end = begin + boxes[i].extent[dim];
      if (seam <= begin || seam >= end) continue;
      box behind = boxes[i];
      behind.begin[dim] = seam;
      behind.extent[dim] = end - seam;
      boxes[i].extent[dim] = seam - begin;
      boxes.push_back(behind);
    }
  }
  // The operand of a concatenation that has the elements of the box; `begin` becomes the box's place in it.
  TESSERA_COLD int piece_in_box(int id, by_dim<std::int64_t>& begin) const {
    seams const meet(plan_.local, id);
    return plan_.local.operand(id, meet.operand_at(begin[meet.dim]));
  }
  void add(fused_operand const& o, strides const& lies) {
    work_.operands.push_back(o);
    lies_.push_back(lies);
  }
  // The distance in elements from a row's first block to its segment s; the last axis varies fastest.
  std::int64_t shift(strides const& at, std::int64_t s) const {
    std::int64_t elements = 0;
    for (int a = mesh().rank - 1; a >= 0; --a)
      if (step_.across.contains(a)) {
        elements += s % mesh().held(a) * at.axis_stride[a];
        s /= mesh().held(a);
      }
    return elements;
  }

  plan_view const& plan_;
  step const& step_;
  locations const& where_;
  box box_;
  array_value space_{};
  inplace_list<int, max_rank> axes_;
  std::vector<strides> lies_;  // of each operand
  fused_work work_{};
};

}  // namespace tessera::detail
