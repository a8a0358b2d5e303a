// SPDX-License-Identifier: Apache-2.0
#pragma once
// Runs compiled fused groups: gives the loops of each pass the contiguous runs of a strip. Elements that are not
// contiguous are gathered into 64 lanes, or scattered from them, as they are: the loops convert them. Values that a later
// pass needs are kept for the row.

#include <tessera/engine/exec/fused/row_memory.hpp>
#include <tessera/engine/exec/fused/strip.hpp>

namespace tessera::detail {

class strip_runner {
public:
  strip_runner(fused_work const& w, strip_start const* starts, std::byte** at)
      : w_(w), p_(w.lanes), starts_(starts), shift_(w.shift(0)), at_(at) {}

  void run(std::int64_t rows, std::int64_t columns, std::byte* few, std::int64_t few_bytes) {
    if (p_.kept_bytes > 0) segment_lanes_ = (columns + block_size - 1) / block_size * block_size;
    std::int64_t const bytes = p_.memory + p_.kept_bytes * segment_lanes_ * w_.segments;
    memory_ = bytes <= few_bytes ? few : row_memory(bytes);
    use_lanes();
    for (auto const& l : p_.literal_at) at_[l.out] = const_cast<std::byte*>(p_.literals.data()) + l.first;
    bool const one_block = !w_.by_rows && rows * columns <= lane_count;
    std::int64_t const unit = columns < block_size ? w_.compiled->stride : block_size;
    bool const whole_runs = w_.runs && columns % unit == 0;
    if (w_.compiled->rows && whole_runs && w_.segments == 1 && (rows == 1 || !one_block)) {
      for (std::size_t i = 0; i < p_.kept.size(); ++i)
        if (p_.kept[i] >= 0) at_[i] = memory_ + p_.memory + p_.kept[i] * segment_lanes_;
      return w_.compiled->rows(w_, starts_, at_, rows, columns);
    }
    if (w_.compiled->rows && w_.runs && w_.segments == 1 && columns >= unit && may_repeat(rows)) {
      w_.compiled->rows(w_, starts_, at_, rows, columns / unit * unit);
      return last_block(rows, columns - unit, unit);
    }
    if (one_block) rows_ = rows;
    for (std::int64_t const last = one_block ? 1 : rows; row_ < last; ++row_)
      for (int p = 0; p < w_.compiled->pass_count; ++p) pass(p_.passes[p], w_.compiled->passes[p], columns);
  }

private:
  void use_lanes() {
    for (std::size_t i = 0; i < p_.fixed.size(); ++i)
      if (p_.fixed[i] >= 0) at_[i] = memory_ + p_.fixed[i];
  }
  // Whether the last block of a row may be computed after the others, some elements again: no operand is overwritten.
  bool may_repeat(std::int64_t rows) const {
    if (w_.by_rows || w_.streams || rows == 1) return false;
    for (int out = w_.inputs; out < w_.inputs + w_.outputs; ++out)
      for (int in = 0; in < w_.inputs; ++in)
        if (starts_[out].address == starts_[in].address) return false;
    return true;
  }
  // The last `count` columns, from `first` on.
  void last_block(std::int64_t rows, std::int64_t first, std::int64_t count) {
    constexpr std::size_t most = 64;
    if (w_.operands.size() > most) {
      std::vector<strip_start> later(w_.operands.size());
      return last_block(rows, first, count, later.data());
    }
    strip_start later[most];
    last_block(rows, first, count, later);
  }
  void last_block(std::int64_t rows, std::int64_t first, std::int64_t count, strip_start* later) {
    for (std::size_t k = 0; k < w_.operands.size(); ++k) {
      auto const& o = w_.operands[k];
      std::int64_t const ahead = first * o.step[w_.rank - 1];
      later[k] = {starts_[k].address ? starts_[k].address + ahead * bytes_of(o.element) : nullptr,
                  starts_[k].index + ahead};
    }
    use_lanes();
    w_.compiled->rows(w_, later, at_, rows, count);
  }

  void pass(lane_pass const& pass, compiled_strip::pass const& loops, std::int64_t columns) {
    column_ = 0;
    columns_ = 1;
    for (lane_step const& s : pass.once)
      if (s.kind == lane_kind::load) s.element->gather(at_[s.out], address(s), 1, 1);
    if (loops.once) loops.once(w_, at_, 1);
    for (lane_step const& s : pass.once)
      if (s.kind == lane_kind::store) s.element->scatter(address(s), 1, at_[s.in[0]], 1);
    if (!loops.each) return;
    for (segment_ = 0; segment_ < w_.segments; ++segment_) {
      shift_ = w_.shift(segment_);
      segment(pass, loops, columns);
    }
    segment_ = 0;
    shift_ = w_.shift(0);
    for (lane_step const& s : pass.reductions) {
      if (w_.segments > 1) std::memcpy(at_[s.out], total(s), most_register_bytes);
      if (s.after) s.after(at_[s.out], nullptr, 1);
    }
  }
  void segment(lane_pass const& pass, compiled_strip::pass const& loops, std::int64_t columns) {
    for (lane_step const& s : pass.reductions) s.reduction->start_block(at_[s.out]);
    bool const streams = w_.streams && pass.stores;
    for (column_ = 0; column_ < columns; column_ += columns_) {
      std::int64_t const left = columns - column_;
      bool const run = w_.runs && rows_ == 1 && (left >= block_size || left % w_.compiled->stride == 0);
      if (run) {  // all contiguous elements but the last ones
        columns_ = left < block_size ? left : left / block_size * block_size;
        if (streams || w_.repeats) columns_ = std::min(columns_, stream_size);
        for (lane_step const& s : pass.each)
          at_[s.out] = s.kind == lane_kind::look                         ? kept(s)
                       : s.kind == lane_kind::store && streams           ? memory_ + s.place
                       : s.kind == lane_kind::load && s.column_step == 0 ? repeated(s)
                       : s.kind == lane_kind::index                      ? counted(s)
                                                                         : address(s);
      } else {
        columns_ = std::min<std::int64_t>(block_size, left);
        for (lane_step const& s : pass.each) fetch(s);
      }
      loops.each(w_, at_, rows_ * columns_);
      if (!run || streams)
        for (lane_step const& s : pass.each)
          if (s.kind == lane_kind::store) deliver(s, run);
    }
    for (lane_step const& s : pass.reductions) {
      s.reduction->fold(at_[s.out]);
      if (w_.segments == 1) continue;
      if (segment_ == 0)
        std::memcpy(total(s), at_[s.out], most_register_bytes);
      else
        s.reduction->merge(total(s), at_[s.out], 1);
    }
  }

  // Before a block: sets the address that each load reads from and each store writes to. Lanes past the end repeat the
  // first.
  void fetch(lane_step const& s) {
    if (s.kind == lane_kind::look) {
      at_[s.out] = kept(s);
      return;
    }
    strip_shape const lies{rows_, s.row_step, columns_, s.column_step};
    std::int64_t const count = lies.count();
    std::byte* const lanes = at_[s.out] = memory_ + s.place;
    if (s.direct && count % block_size == 0 && lies.flat()) {
      at_[s.out] = address(s);
      return;
    }
    if (s.kind == lane_kind::store) return;
    if (s.kind == lane_kind::load)
      load_strip(s.element->pack, s.bytes, lanes, address(s), s.width, lies);
    else
      index_strip(*s.element, lanes, starts_[s.operand].index + offset(s), s.width, lies);
    if (std::int64_t const end = (count + block_size - 1) / block_size * block_size; end != count)
      fill_lanes(lanes, s.width, count, end);
  }
  // After a block: writes stores that are not contiguous, or that bypass the caches.
  void deliver(lane_step const& s, bool run) const {
    if (run)
      stream_run(address(s), at_[s.out], columns_ * s.bytes);
    else if (at_[s.out] == memory_ + s.place)
      store_strip(s.element->unpack, s.bytes, address(s), at_[s.out], s.width,
                  {rows_, s.row_step, columns_, s.column_step});
  }

  // One value of memory, repeated in the lanes of a piece. Later pieces of a row are no longer than the first and reuse
  // it.
  std::byte* repeated(lane_step const& s) const {
    if (column_ == 0) s.element->pack(memory_ + s.place, address(s), 0, columns_);
    return memory_ + s.place;
  }

  // An index in the lanes of a piece; a constant one is reused in the same way.
  std::byte* counted(lane_step const& s) const {
    if (column_ == 0 || s.column_step != 0)
      s.element->count_up(memory_ + s.place, starts_[s.operand].index + offset(s), s.column_step, columns_);
    return memory_ + s.place;
  }

  std::byte* total(lane_step const& s) const { return at_[s.out] + block_size * s.width; }
  std::byte* kept(lane_step const& s) const {
    std::int64_t const lanes = segment_lanes_ * w_.segments;
    return memory_ + p_.memory + p_.kept[s.out] * lanes + (segment_ * segment_lanes_ + column_) * s.width;
  }
  std::int64_t offset(lane_step const& s) const {
    return shift_[s.operand] + row_ * s.row_step + column_ * s.column_step;
  }
  std::byte* address(lane_step const& s) const { return starts_[s.operand].address + offset(s) * s.bytes; }

  fused_work const& w_;
  lane_program const& p_;
  strip_start const* starts_;
  std::int64_t const* shift_;
  std::byte** at_;  // by instruction: the address of its lanes or value
  std::byte* memory_ = nullptr;
  std::int64_t rows_ = 1, row_ = 0, column_ = 0, columns_ = 1, segment_lanes_ = 0;
  int segment_ = 0;
};

// The strip function of groups that were compiled.
inline void run_strip(fused_work const& w, strip_start const* starts, std::int64_t rows, std::int64_t columns) {
  constexpr std::size_t most = 64;
  alignas(64) std::byte few[8192];
  if (w.code.size() <= most) {
    std::byte* at[most];
    strip_runner(w, starts, at).run(rows, columns, few, sizeof(few));
  } else {
    std::vector<std::byte*> at(w.code.size());
    strip_runner(w, starts, at.data()).run(rows, columns, few, sizeof(few));
  }
}

}  // namespace tessera::detail
