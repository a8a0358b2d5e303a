// SPDX-License-Identifier: Apache-2.0
#pragma once
// Lists what the passes of a compiled group load, keep, reduce and store, when the group is bound.

#include <tessera/engine/exec/fused/find_lanes.hpp>
#include <tessera/engine/exec/fused/strip.hpp>
#include <tessera/exec/fused/phases.hpp>

namespace tessera::detail {

// Precondition: `w` is prepared.
class strip_binder {
public:
  TESSERA_COLD explicit strip_binder(fused_work& w) : w_(w), out_(w.lanes) {}

  TESSERA_COLD void bind() {
    auto const count = static_cast<int>(w_.code.size());
    out_.fixed.resize(w_.code.size(), -1);
    out_.kept.resize(w_.code.size(), -1);
    std::vector<int> phases(w_.code.size());
    for (int i = 0; i < count; ++i) {
      auto const& it = code(i);
      std::int64_t const width = register_bytes(it.element);
      phases[i] = phase_of(w_.code.data(), phases.data(), i);
      if (it.kind == code_kind::literal) {
        out_.literal_at.push_back({i, out_.literals.size()});
        out_.literals.resize(out_.literals.size() + most_register_bytes);
        std::memcpy(out_.literals.data() + out_.literal_at.back().first, &w_.literals[it.a], sizeof(std::int64_t));
      } else if (it.kind == code_kind::reduce) {
        fix(i, block_size * width + most_register_bytes);
      } else if (it.kind == code_kind::store) {
        if (!it.row) fix(i, stream_size * width);
      } else if (is_uniform(it)) {
        fix(i, most_register_bytes);
      } else if (it.kind == code_kind::load || it.kind == code_kind::index) {
        bool const by_many = w_.repeats || (!w_.by_rows && w_.rows_a_strip > 1);
        fix(i, (by_many ? stream_size : block_size) * width);
      } else if (w_.compiled->kept[i]) {
        out_.kept[i] = out_.kept_bytes;
        out_.kept_bytes += width;
      }
    }
    for (int p = 0; p < w_.compiled->pass_count; ++p) {
      bool const* const needed = w_.compiled->passes[p].needed;
      lane_pass pass;
      for (int i = 0; i < count; ++i) {
        auto const kind = code(i).kind;
        bool const moves = kind == code_kind::load || kind == code_kind::store;
        if (moves && code(i).row && phases[i] == p) pass.once.push_back(step_of(i));
        if (out_.kept[i] >= 0 && (needed[i] || read_in(needed, i))) pass.each.push_back(step_of(i));
        if (!needed[i]) continue;
        if (moves || kind == code_kind::index) pass.each.push_back(step_of(i));
        pass.stores = pass.stores || kind == code_kind::store;
        if (kind == code_kind::reduce) pass.reductions.push_back(step_of(i));
      }
      out_.passes.push_back(std::move(pass));
    }
  }

private:
  instruction const& code(int i) const { return w_.code[i]; }
  void fix(int i, std::int64_t bytes) {
    out_.fixed[i] = out_.memory;
    out_.memory += (bytes + 63) / 64 * 64;
  }
  bool read_in(bool const* needed, int i) const {
    for (int k = i + 1; k < static_cast<int>(w_.code.size()); ++k)
      if (needed[k])
        for (int r : reads(code(k)).ids)
          if (r == i) return true;
    return false;
  }
  TESSERA_COLD lane_step step_of(int i) const {
    auto const& it = code(i);
    lane_step s;
    s.out = i;
    s.place = out_.fixed[i];
    s.width = register_bytes(it.element);
    s.bytes = bytes_of(it.element);
    s.in[0] = it.a;
    switch (it.kind) {
      case code_kind::load: s.kind = lane_kind::load, s.operand = it.a; break;
      case code_kind::index: s.kind = lane_kind::index, s.operand = it.a; break;
      case code_kind::store: s.kind = lane_kind::store, s.operand = it.b; break;
      case code_kind::reduce: s.kind = lane_kind::reduce; break;
      default: s.kind = lane_kind::look; break;
    }
    if (s.kind == lane_kind::reduce) {
      s.reduction = &lanes_of(it.element, it.op->reduction);
      s.after = settling(it.element, false);
    }
    if (s.operand >= 0) {
      s.element = &elements_of(it.element);
      s.row_step = w_.step(s.operand, w_.rank - 2);
      s.column_step = w_.step(s.operand, w_.rank - 1);
      s.direct = it.kind != code_kind::index && s.column_step == 1;
      if (it.kind != code_kind::index && !it.row) s.width = s.bytes;
    }
    return s;
  }

  fused_work& w_;
  lane_program& out_;
};

}  // namespace tessera::detail
