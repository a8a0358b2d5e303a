// SPDX-License-Identifier: Apache-2.0
#pragma once
// Interprets fused groups with short rows: a lane is a row, and a block of rows is computed column by column, so that a
// call on lanes serves many rows. The columns of a row are combined in the order of the 64 lanes of other rows: same bits.

#include <tessera/engine/exec/fused/lane_program.hpp>
#include <tessera/engine/exec/fused/row_memory.hpp>

#include <algorithm>
#include <cstring>
#include <vector>

namespace tessera::detail {

// Whether a group's rows are fewer elements than a call on them is worth, and enough rows to fill lanes. A compiled
// group keeps rows that are whole runs, and operations without a loop of their own. Precondition: `w` is prepared.
TESSERA_COLD inline bool has_short_rows(fused_work const& w, compiled_strip const* compiled) {
  constexpr std::int64_t fewest_rows = 4;
  std::int64_t const columns = w.columns();
  if (!w.by_rows || columns == 0 || columns >= short_row_limit || w.rows() < fewest_rows) return false;
  if (!compiled) return true;
  bool const in_runs = std::all_of(w.operands.begin(), w.operands.end(), [&](fused_operand const& o) {
    return o.slot < 0 || o.step[w.rank - 1] == 0 || o.step[w.rank - 1] == 1;
  });
  if (compiled->rows && in_runs && w.segments == 1 && columns % compiled->stride == 0) return false;
  return std::all_of(w.code.begin(), w.code.end(), [&](instruction const& it) {
    return it.kind != code_kind::compute || loop_of(it, last_operand(w.code.data(), it));
  });
}

class rows_in_lanes {
public:
  rows_in_lanes(fused_work const& w, strip_start const* starts, std::byte** at)
      : w_(w), p_(w.lanes), starts_(starts), at_(at) {}

  void run(std::int64_t rows, std::int64_t columns) {
    columns_ = columns;
    parts_ = std::min<std::int64_t>(columns, block_size);
    std::size_t reductions = 0;
    std::int64_t blocks = 1;
    for (lane_pass const& pass : p_.passes) {
      reductions = std::max(reductions, pass.reductions.size());
      blocks = std::max(blocks, pass.block_bytes);
    }
    std::int64_t const most_rows = std::min(most_elements / columns, most_block_bytes / (blocks * columns));
    most_ = std::clamp<std::int64_t>(most_rows / stride * stride, stride, lane_count);
    std::int64_t const kept = p_.kept_bytes * most_ * columns * w_.segments;
    partials_ = p_.memory + (kept + 63) / 64 * 64;
    blocks_ = partials_ + static_cast<std::int64_t>(reductions) * partial_bytes();
    whole_ = blocks_ + blocks * columns * most_;
    memory_ = row_memory(whole_ + columns * most_ * most_register_bytes);
    for (auto const& l : p_.literal_at) at_[l.out] = const_cast<std::byte*>(p_.literals.data()) + l.first;
    for (row_ = 0; row_ < rows; row_ += rows_) {
      rows_ = std::min(most_, rows - row_);
      lanes_ = (rows_ + stride - 1) / stride * stride;
      for (std::size_t i = 0; i < p_.fixed.size(); ++i)
        if (p_.fixed[i] >= 0) at_[i] = memory_ + p_.fixed[i];
      for (lane_pass const& pass : p_.passes) run_pass(pass);
    }
  }

private:
  void run_pass(lane_pass const& pass) {
    column_ = segment_ = 0;
    for (lane_step const& s : pass.once) step(s, at_[s.out]);
    if (pass.each.empty()) return;
    for (segment_ = 0; segment_ < w_.segments; ++segment_) {
      start(pass);
      for (; column_ < columns_; ++column_)
        for (lane_step const& s : pass.each) step(s, place(s));
      column_ = 0;
      for (lane_step const& s : pass.each)
        if (s.block >= 0 && s.kind == lane_kind::store) write_block(s);
      for (lane_step const& s : pass.reductions) fold(s);
    }
    for (lane_step const& s : pass.reductions) {
      at_[s.out] = result(s);
      if (s.after) s.after(at_[s.out], nullptr, lanes_);
    }
  }
  // Runs a step on one column; `to` is where its lanes are.
  void step(lane_step const& s, std::byte* to) {
    switch (s.kind) {
      case lane_kind::call: {
        void const* const in[3]{at_[s.in[0]], at_[s.in[1]], at_[s.in[2]]};
        s.run(at_[s.out] = to, in, lanes_);
        if (s.after) s.after(to, nullptr, lanes_);
        break;
      }
      case lane_kind::load:
        if (s.block >= 0) {
          at_[s.out] = block(s) + column_ * lanes_ * s.width;
          break;
        }
        s.element->gather(at_[s.out] = to, address(s), s.row_step, rows_);
        if (rows_ != lanes_) fill_lanes(to, s.width, rows_, lanes_);
        break;
      case lane_kind::index:
        s.element->count_up(at_[s.out] = to, starts_[s.operand].index + offset(s), s.row_step, lanes_);
        break;
      case lane_kind::look: at_[s.out] = to; break;
      case lane_kind::reduce: s.reduction->merge(partial(s, column_ % block_size), at_[s.in[0]], lanes_); break;
      case lane_kind::store:
        if (s.block >= 0)
          std::memcpy(block(s) + column_ * lanes_ * s.width, at_[s.in[0]], lanes_ * s.width);
        else
          s.element->scatter(address(s), s.row_step, at_[s.in[0]], rows_);
        break;
    }
  }

  void start(lane_pass const& pass) {
    std::byte* next = memory_ + partials_;
    for (lane_step const& s : pass.reductions) {
      at_[s.out] = next;
      next += partial_bytes();
      s.reduction->start(partial(s, 0), parts_ * lanes_);
    }
    for (lane_step const& s : pass.each)
      if (s.block >= 0 && s.kind == lane_kind::load) read_block(s);
  }
  // All columns of a block of rows to lanes, and back. Elements that are no registers become those before, after it.
  void read_block(lane_step const& s) const {
    std::byte const* rows = address(s);
    if (s.width != s.bytes) {
      s.element->gather(memory_ + whole_, rows, 1, rows_ * columns_);
      rows = memory_ + whole_;
    }
    s.transpose(block(s), rows, {columns_, lanes_, 1, rows_, 1, columns_});
    if (rows_ == lanes_) return;
    for (std::int64_t c = 0; c < columns_; ++c) fill_lanes(block(s) + c * lanes_ * s.width, s.width, rows_, lanes_);
  }
  void write_block(lane_step const& s) const {
    bool const registers = s.width == s.bytes;
    std::byte* const rows = registers ? address(s) : memory_ + whole_;
    s.transpose(rows, block(s), {rows_, columns_, 1, columns_, 1, lanes_});
    if (!registers) s.element->scatter(address(s), 1, rows, rows_ * columns_);
  }
  std::byte* block(lane_step const& s) const { return memory_ + blocks_ + s.block * columns_ * most_; }
  // Combines the columns of a segment as a tree, and the segments in order.
  void fold(lane_step const& s) {
    std::int64_t left = parts_;
    for (std::int64_t half = block_size / 2; half > 0; left = std::min(left, half), half /= 2)
      for (std::int64_t i = half; i < left; ++i) s.reduction->merge(partial(s, i - half), partial(s, i), lanes_);
    if (segment_ == 0)
      std::memcpy(result(s), partial(s, 0), lanes_ * s.width);
    else
      s.reduction->merge(result(s), partial(s, 0), lanes_);
  }
  std::int64_t partial_bytes() const { return parts_ * most_ * most_register_bytes; }
  std::byte* partial(lane_step const& s, std::int64_t i) const { return at_[s.out] + i * lanes_ * s.width; }
  std::byte* result(lane_step const& s) const { return memory_ + p_.fixed[s.out]; }

  std::int64_t offset(lane_step const& s) const {
    return w_.shift(segment_)[s.operand] + row_ * s.row_step + column_ * s.column_step;
  }
  std::byte* address(lane_step const& s) const { return starts_[s.operand].address + offset(s) * s.bytes; }
  std::byte* place(lane_step const& s) const {
    if (s.kind == lane_kind::store || s.kind == lane_kind::reduce) return nullptr;
    if (s.place >= 0) return memory_ + s.place;
    std::int64_t const column = segment_ * columns_ + column_;
    return memory_ + p_.memory + (p_.kept[s.out] * columns_ * w_.segments + column * s.width) * most_;
  }

  static constexpr std::int64_t stride = 16;                  // a lanes_function takes multiples of it
  static constexpr std::int64_t most_elements = 2048;         // of a block of rows
  static constexpr std::int64_t most_block_bytes = 48 << 10;  // a core's first cache has them
  fused_work const& w_;
  lane_program const& p_;
  strip_start const* starts_;
  std::byte** at_;  // by instruction: the address of its lanes; of a reduction under way, of its partial results
  std::byte* memory_ = nullptr;
  std::int64_t columns_ = 1, parts_ = 1, most_ = lane_count, partials_ = 0, blocks_ = 0, whole_ = 0;
  std::int64_t rows_ = 1, lanes_ = stride, row_ = 0, column_ = 0;
  int segment_ = 0;
};

// The strip function of groups with short rows.
inline void interpret_short_rows(fused_work const& w, strip_start const* starts, std::int64_t rows,
                                 std::int64_t columns) {
  constexpr std::size_t most = 128;
  if (w.code.size() <= most) {
    std::byte* at[most];
    rows_in_lanes(w, starts, at).run(rows, columns);
  } else {
    std::vector<std::byte*> at(w.code.size());
    rows_in_lanes(w, starts, at.data()).run(rows, columns);
  }
}

}  // namespace tessera::detail
