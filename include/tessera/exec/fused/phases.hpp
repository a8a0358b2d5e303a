// SPDX-License-Identifier: Apache-2.0
#pragma once
// The passes over a row that a fused group with row reductions takes: pass p reads results of the reductions of
// earlier passes, so what a later pass needs of an earlier one is computed again. Used by compiler and interpreter.

#include <tessera/plan/base/plan.hpp>

#include <algorithm>
#include <array>

namespace tessera::detail {

// One value for a whole row, or for everything.
constexpr bool is_uniform(instruction const& i) { return i.row || i.kind == code_kind::literal; }

constexpr bool has_rows(instruction const* code, int count) {
  for (int i = 0; i < count; ++i)
    if (code[i].row || code[i].kind == code_kind::reduce) return true;
  return false;
}

// The registers instruction i reads, as a list of at most three.
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

// Whether the code reads register `load` as one value a row: then that is how it is loaded, wherever else it is used.
constexpr bool read_by_rows(instruction const* code, int count, int load) {
  for (int i = 0; i < count; ++i) {
    if (!code[i].row || code[i].kind == code_kind::reduce) continue;
    read_registers const read = reads(code[i]);
    for (int r : read.ids)
      if (r == load) return true;
  }
  return false;
}

// The first pass in which instruction i's value can be had. A reduction's is the pass after the one that runs it.
constexpr int phase_of(instruction const* code, int const* phases, int i) {
  int phase = 0;
  read_registers const read = reads(code[i]);
  for (int r : read.ids)
    if (r >= 0 && phases[r] > phase) phase = phases[r];
  return code[i].kind == code_kind::reduce ? phase + 1 : phase;
}

// needed[i]: pass p computes the elements of instruction i. True for the pass' reductions and stores, too. What an
// earlier pass has computed is kept, not computed again: `kept[i]` is set then and `had` says what was computed before
// pass p and is worth it; elements in memory are loaded again. Without `had`, everything is computed again.
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

// Instruction i of one element costs no more than reading it would: a light operation, of one register's load at most.
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

// Which passes compute what, and what is kept between them (Keep) or computed again.
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
