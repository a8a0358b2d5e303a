// SPDX-License-Identifier: Apache-2.0
#pragma once
// The program that the interpreter runs for a fused group: for each pass a list of calls on blocks of lanes. Functions
// are looked up once, when the group is bound.

#include <tessera/engine/exec/fused/find_lanes.hpp>
#include <tessera/engine/exec/fused/strip.hpp>
#include <tessera/exec/fused/lanes_on_device.hpp>
#include <tessera/exec/fused/phases.hpp>
#include <tessera/op/elementwise/cast.hpp>
#ifdef TESSERA_SEPARATE_ENGINE
#include <tessera/engine/exec/fused/engine_lanes.hpp>
#endif

#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>

namespace tessera::detail {

inline constexpr std::int64_t short_row_limit = 32;  // columns

// The compiled loops of an op: its own, or the engine's.
TESSERA_COLD inline block_function block_of(op_info const* op) {
  if (op->block) return op->block;
#ifdef TESSERA_SEPARATE_ENGINE
  return engine_block(bare_of(op));
#else
  return nullptr;
#endif
}

// The element type of an instruction's last operand: the first of `where` is a condition.
TESSERA_COLD inline dtype last_operand(instruction const* code, instruction const& it) {
  dtype operand = it.element;
  for (int r : reads(it).ids)
    if (r >= 0) operand = code[r].element;
  return operand;
}

// The functions that compute an instruction on lanes; `operand` is the element type of its last operand.
struct interpreted_call {
  lanes_function run = nullptr, after = nullptr;  // `after`: applied to the result, in place
};
TESSERA_COLD inline lanes_function loop_of(instruction const& it, dtype operand) {
  block_function const block = block_of(it.op);
  return block ? block(it.element, operand) : nullptr;
}
TESSERA_COLD inline interpreted_call interpreted_call_of(instruction const& it, dtype operand) {
  interpreted_call const call{loop_of(it, operand), settling(it.element, is_op<ops::cast>(it.op))};
  if (!call.run)
    throw std::logic_error(
        "tessera: " + std::string(it.op->name) +
        " has no loop on the host for these elements. Fix: derive it from ops::unary or ops::binary.");
  return call;
}

// Finds the function and the memory of each instruction. Precondition: `w` is prepared.
class lane_binder {
public:
  TESSERA_COLD explicit lane_binder(fused_work& w)
      : w_(w),
        out_(w.lanes),
        count_(static_cast<int>(w.code.size())),
        phases_(w.code.size()),
        slots_(w.code.size(), -1) {
    out_.fixed.resize(w.code.size(), -1);
    out_.kept.resize(w.code.size(), -1);
  }

  TESSERA_COLD void bind() {
    for (int i = 0; i < count_; ++i) {
      phases_[i] = w_.by_rows ? phase_of(w_.code.data(), phases_.data(), i) : 0;
      passes_ = std::max(passes_, phases_[i] + 1);
      slot_bytes_ = std::max(slot_bytes_, lane_count * width(i));
      if (code(i).kind == code_kind::literal)
        spread_literal(i);
      else if (code(i).kind == code_kind::reduce ||
               (code(i).kind != code_kind::store && (is_uniform(code(i)) || constant_load(i))))
        fix(i);
    }
    mark();
    out_.passes.resize(passes_);
    for (int p = 0; p < passes_; ++p) write(p);
    for (lane_pass& pass : out_.passes)
      for (lane_step& s : pass.each)
        if (s.place >= 0) s.place = out_.memory + s.place * slot_bytes_;
    out_.memory += most_slots_ * slot_bytes_;
  }

private:
  instruction const& code(int i) const { return w_.code[i]; }
  int width(int i) const { return register_bytes(code(i).element); }
  bool fixed(int i) const { return out_.fixed[i] >= 0 || code(i).kind == code_kind::literal; }
  // Whether a load reads one value for a whole strip.
  bool constant_load(int i) const {
    if (w_.by_rows || code(i).kind != code_kind::load) return false;
    return w_.step(code(i).a, w_.rank - 1) == 0 && (w_.rows_a_strip == 1 || w_.step(code(i).a, w_.rank - 2) == 0);
  }
  // Reserves memory for a value that all lanes share; for a reduction, its partial results and totals follow.
  TESSERA_COLD void fix(int i) {
    out_.fixed[i] = out_.memory;
    out_.memory += lane_count * width(i);
    if (code(i).kind == code_kind::reduce) out_.memory += lane_program::reduction_bytes;
  }
  TESSERA_COLD void spread_literal(int i) {
    auto const bytes = width(i);
    std::byte value[most_register_bytes]{};
    std::memcpy(value, &w_.literals[code(i).a], sizeof(std::int64_t));
    std::size_t const first = out_.literals.size();
    out_.literal_at.push_back({i, first});
    out_.literals.resize(first + lane_count * bytes);
    for (std::size_t j = 0; j < lane_count; ++j) std::memcpy(out_.literals.data() + first + j * bytes, value, bytes);
  }

  // Finds what each pass computes per block, and which values it keeps for later passes.
  TESSERA_COLD void mark() {
    auto const flags = [&](int n) { return std::make_unique<bool[]>(n); };
    needed_ = flags(passes_ * count_);
    auto const had = flags(count_), kept = flags(count_);
    for (int p = 0; p < passes_; ++p) {
      bool* const now = needed_.get() + p * count_;
      if (w_.by_rows)
        mark_needed(w_.code.data(), phases_.data(), count_, p, now, had.get(), kept.get());
      else
        for (int i = 0; i < count_; ++i) now[i] = !fixed(i);
      for (int i = 0; i < count_; ++i) had[i] = had[i] || now[i];
    }
    for (int i = 0; i < count_; ++i)
      if (kept[i]) {
        out_.kept[i] = out_.kept_bytes;
        out_.kept_bytes += width(i);
      }
  }

  TESSERA_COLD void write(int p) {
    lane_pass& pass = out_.passes[p];
    bool const* const needed = needed_.get() + p * count_;
    std::vector<int> last(w_.code.size(), -1);  // by register: the last instruction of this pass that reads it
    for (int i = 0; i < count_; ++i)
      if (needed[i])
        for (int r : reads(code(i)).ids)
          if (r >= 0) last[r] = i;
    free_.clear();
    int slots = 0;
    for (int i = 0; i < count_; ++i) {
      auto const kind = code(i).kind;
      if (kind == code_kind::literal) continue;
      bool const one = kind != code_kind::reduce && (fixed(i) || code(i).row);
      if (one && phases_[i] == p) pass.once.push_back(step_of(i));
      if (one) continue;
      bool const kept = out_.kept[i] >= 0;
      if (needed[i]) {
        pass.each.push_back(step_of(i));
        if (kind == code_kind::load || kind == code_kind::store) use_block(pass, pass.each.back());
        if (kind == code_kind::reduce) pass.reductions.push_back(pass.each.back());
        if (!kept && kind != code_kind::store && kind != code_kind::reduce) {
          if (free_.empty()) free_.push_back(slots++);
          slots_[i] = pass.each.back().place = free_.back();
          free_.pop_back();
        }
      } else if (kept && last[i] >= 0) {
        lane_step look;
        look.kind = lane_kind::look;
        look.out = i;
        look.width = width(i);
        pass.each.push_back(look);
      }
      for (int r = 0; r <= i; ++r)  // frees registers that no later instruction reads
        if (slots_[r] >= 0 && last[r] <= i) {
          free_.push_back(slots_[r]);
          slots_[r] = -1;
        }
    }
    copy_stored_loads(pass);
    write_through(pass);
    std::fill(slots_.begin(), slots_.end(), -1);
    most_slots_ = std::max(most_slots_, slots);
  }

  TESSERA_COLD lane_step step_of(int i) const {
    auto const& it = code(i);
    lane_step s;
    s.out = i;
    s.width = width(i);
    s.bytes = bytes_of(it.element);
    switch (it.kind) {
      case code_kind::load:
      case code_kind::index:
        s.kind = it.kind == code_kind::load ? lane_kind::load : lane_kind::index;
        s.operand = it.a;
        s.element = &elements_of(it.element);
        break;
      case code_kind::store:
        s.kind = lane_kind::store;
        s.operand = it.b;
        s.in[0] = it.a;
        s.width = width(it.a);
        s.element = &elements_of(it.element);
        break;
      case code_kind::reduce:
        s.kind = lane_kind::reduce;
        s.in[0] = it.a;
        s.reduction = &lanes_of(it.element, it.op->reduction);
        s.after = settling(it.element, false);
        break;
      default: call(s, it); break;
    }
    if (s.operand >= 0) lie(s);
    return s;
  }
  // In short rows, which are one run, the columns of a block of rows are copied to lanes, or from them, at once.
  TESSERA_COLD void use_block(lane_pass& pass, lane_step& s) const {
    if (!w_.by_rows || w_.columns() >= short_row_limit || s.column_step != 1 || s.row_step != w_.columns()) return;
    s.block = pass.block_bytes;
    s.transpose = copy_of_bytes(s.width);
    pass.block_bytes += s.width;
  }
  TESSERA_COLD void lie(lane_step& s) const {
    s.row_step = w_.step(s.operand, w_.rank - 2);
    s.column_step = w_.step(s.operand, w_.rank - 1);
    bool const flat = w_.by_rows || w_.rows_a_strip == 1 || s.row_step == w_.columns();
    s.direct = s.column_step == 1 && flat && s.width == s.bytes;
  }
  // A value that is loaded and stored is copied to a register between: another store may overwrite the operand's memory
  // before.
  TESSERA_COLD static void copy_stored_loads(lane_pass& pass) {
    for (lane_step const& store : pass.each)
      for (lane_step& s : pass.each)
        if (store.kind == lane_kind::store && s.kind == lane_kind::load && s.out == store.in[0]) s.direct = false;
  }
  // A result is computed directly in the memory of its store, unless a later call or load could read what was there.
  TESSERA_COLD void write_through(lane_pass& pass) const {
    for (lane_step const& store : pass.each) {
      if (store.kind != lane_kind::store || !store.direct) continue;
      lane_step* from = nullptr;
      bool reads = false;
      for (lane_step& s : pass.each) {
        if (s.kind == lane_kind::call && s.out == store.in[0]) from = s.place >= 0 && s.operand < 0 ? &s : nullptr;
        if (s.kind == lane_kind::call || s.kind == lane_kind::load || s.kind == lane_kind::index)
          reads = reads || (from && from != &s);
      }
      if (!from || reads) continue;
      from->operand = store.operand;
      lie(*from);
    }
  }
  TESSERA_COLD void call(lane_step& s, instruction const& it) const {
    s.kind = lane_kind::call;
    int k = 0;
    for (int r : reads(it).ids)
      if (r >= 0) s.in[k++] = r;
    interpreted_call const call = interpreted_call_of(it, last_operand(w_.code.data(), it));
    s.run = call.run;
    s.after = call.after;
  }

  fused_work& w_;
  lane_program& out_;
  int count_, passes_ = 1;
  std::vector<int> phases_, slots_, free_;
  std::unique_ptr<bool[]> needed_;
  std::int64_t slot_bytes_ = 0;
  int most_slots_ = 0;
};

}  // namespace tessera::detail
