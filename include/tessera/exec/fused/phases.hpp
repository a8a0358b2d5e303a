// SPDX-License-Identifier: Apache-2.0
#pragma once
// The passes over a row in a fused group with row reductions. Pass p reads results of the reductions of earlier passes;
// it keeps or recomputes the other values of earlier passes. Used by compiled code and by the interpreter.

#include <tessera/plan/base/plan.hpp>

#include <algorithm>
#include <array>

namespace tessera::detail {

// Whether the instruction has one value for a whole row, or for all elements.
constexpr bool is_uniform(instruction const& i) { return i.row || i.kind == code_kind::literal; }

constexpr bool has_rows(instruction const* code, int count) {
  for (int i = 0; i < count; ++i)
    if (code[i].row || code[i].kind == code_kind::reduce) return true;
  return false;
}

// The registers that an instruction reads, at most three.
struct read_registers {
  int ids[3]{-1, -1, -1};
};
constexpr read_registers reads(instruction const& i) {
  switch (i.kind) {
    case code_kind::compute: return {{i.a, i.b, i.c}};
    case code_kind::reduce:
    case code_kind::store: return {{i.a, -1, -1}};
    default: return {};
  }
}

// Whether the code reads register `load` as one value per row; it is then loaded so for all its uses.
constexpr bool read_by_rows(instruction const* code, int count, int load) {
  for (int i = 0; i < count; ++i) {
    if (!code[i].row || code[i].kind == code_kind::reduce) continue;
    read_registers const read = reads(code[i]);
    for (int r : read.ids)
      if (r == load) return true;
  }
  return false;
}

// The first pass in which the value of instruction i is available. For a reduction it is the pass after the one that
// runs it.
constexpr int phase_of(instruction const* code, int const* phases, int i) {
  int phase = 0;
  read_registers const read = reads(code[i]);
  for (int r : read.ids)
    if (r >= 0 && phases[r] > phase) phase = phases[r];
  return code[i].kind == code_kind::reduce ? phase + 1 : phase;
}

// needed[i]: pass p computes the elements of instruction i; true also for the pass' reductions and stores. `had` lists
// the values that earlier passes computed and that are worth keeping: pass p reads them and sets `kept[i]`. Loads are
// repeated. Without `had`, everything is computed again.
template <class Flag>
constexpr void mark_needed(instruction const* code, int const* phases, int count, int p, Flag* needed,
                           bool const* had = nullptr, bool* kept = nullptr) {
  for (int i = 0; i < count; ++i) needed[i] = false;
  for (int i = count - 1; i >= 0; --i) {
    bool const reduces = code[i].kind == code_kind::reduce && phases[i] == p + 1;
    bool const stores = code[i].kind == code_kind::store && !code[i].row && phases[i] == p;
    if (reduces || stores) needed[i] = true;
    if (!needed[i]) continue;
    read_registers const read = reads(code[i]);
    for (int r : read.ids) {
      if (r < 0 || is_uniform(code[r]) || code[r].kind == code_kind::reduce) continue;
      if (had && had[r] && code[r].kind == code_kind::compute)
        kept[r] = true;
      else
        needed[r] = true;
    }
  }
}

// Whether computing instruction i for one element costs no more than reading it: a light operation with at most one
// load.
template <class Program>
constexpr bool is_light(int i) {
  int loads = 0;
  read_registers const read = reads(Program::code[i]);
  for (int r : read.ids) {
    if (r < 0 || is_uniform(Program::code[r])) continue;
    if (Program::code[r].kind != code_kind::load || bytes_of(Program::code[r].element) < 4) return false;
    ++loads;
  }
  return Program::light[i] && loads <= 1;
}

// Which pass computes which instructions, and which values are kept between passes (Keep).
template <class Program, bool Keep>
struct row_passes {
  static constexpr int size = Program::size;
  using flags = std::array<bool, size>;
  std::array<int, size> phase{};
  int passes = 1;
  flags needed[size + 1]{};
  flags kept{};

  constexpr row_passes() {
    for (int i = 0; i < size; ++i) {
      phase[i] = phase_of(Program::code, phase.data(), i);
      passes = std::max(passes, phase[i] + 1);
    }
    flags had{};
    for (int p = 0; p < passes; ++p) {
      auto& now = needed[p];
      mark_needed(Program::code, phase.data(), size, p, now.data(), Keep ? had.data() : nullptr, kept.data());
      for (int i = 0; i < size; ++i)
        if (now[i] && !is_light<Program>(i)) had[i] = true;
    }
    if (!Program::by_rows)
      for (int i = 0; i < size; ++i) needed[0][i] = !is_uniform(Program::code[i]);
  }
};

}  // namespace tessera::detail
