// SPDX-License-Identifier: Apache-2.0
#pragma once
// Interprets fused groups on the host: each instruction is a call on a block of lanes. Used for eager, unfused and
// debugging runs, for sizes that are known only at run time, and for quick compilation; a compiled program
// (exec/fused/compiled.hpp) gives the same bits.

#include <tessera/engine/exec/fused/lane_program.hpp>
#include <tessera/engine/exec/fused/row_memory.hpp>
#include <tessera/engine/exec/fused/strip.hpp>

namespace tessera::detail {

class interpreter {
public:
  interpreter(fused_work const& w, strip_start const* starts, std::byte** at)
      : w_(w), p_(w.lanes), starts_(starts), shift_(w.shift(0)), at_(at) {}

  void run(std::int64_t rows, std::int64_t columns) {
    segment_lanes_ = (columns + lane_count - 1) / lane_count * lane_count;
    std::int64_t const kept = w_.by_rows ? p_.kept_bytes * segment_lanes_ * w_.segments : 0;
    memory_ = row_memory(p_.memory + kept);
    for (std::size_t i = 0; i < p_.fixed.size(); ++i)
      if (p_.fixed[i] >= 0) at_[i] = memory_ + p_.fixed[i];
    for (auto const& l : p_.literal_at) at_[l.out] = const_cast<std::byte*>(p_.literals.data()) + l.first;
    if (w_.by_rows) {
      used_ = std::min(lane_count, whole(columns));
      for (row_ = 0; row_ < rows; ++row_) run_row(columns);
    } else {
      rows_ = rows;
      used_ = std::min(lane_count, whole(rows * columns));
      lane_pass const& pass = p_.passes[0];
      run_once(pass);
      for (column_ = 0; column_ < columns; column_ += columns_) {
        columns_ = std::min(lane_count, columns - column_);
        run_block(pass);
      }
    }
  }

private:
  static std::int64_t whole(std::int64_t lanes) { return (lanes + stride - 1) / stride * stride; }

  void run_row(std::int64_t columns) {
    for (lane_pass const& pass : p_.passes) {
      column_ = segment_ = 0;
      run_once(pass);
      if (pass.each.empty()) continue;
      for (segment_ = 0; segment_ < w_.segments; ++segment_) {
        shift_ = w_.shift(segment_);
        for (lane_step const& s : pass.reductions) s.reduction->start(partial(s), block_size);
        for (column_ = 0; column_ < columns; column_ += columns_) {
          columns_ = std::min(lane_count, columns - column_);
          run_block(pass);
        }
        for (lane_step const& s : pass.reductions) {
          s.reduction->fold(partial(s));
          if (segment_ == 0)
            std::memcpy(total(s), partial(s), most_register_bytes);
          else
            s.reduction->merge(total(s), partial(s), 1);
        }
      }
      shift_ = w_.shift(0);
      for (lane_step const& s : pass.reductions) {
        std::memcpy(at_[s.out], total(s), most_register_bytes);
        if (s.after) s.after(at_[s.out], nullptr, 1);
        fill_lanes(at_[s.out], s.width, 1, used_);
      }
    }
  }
  std::byte* partial(lane_step const& s) const { return at_[s.out] + lane_count * s.width; }
  std::byte* total(lane_step const& s) const { return partial(s) + block_size * most_register_bytes; }

  strip_shape shape(lane_step const& s) const { return {rows_, s.row_step, columns_, s.column_step}; }
  std::int64_t offset(lane_step const& s) const {
    return shift_[s.operand] + row_ * s.row_step + column_ * s.column_step;
  }
  std::byte* address(lane_step const& s) const { return starts_[s.operand].address + offset(s) * s.bytes; }

  // Computes the values that are the same in all lanes.
  void run_once(lane_pass const& pass) {
    for (lane_step const& s : pass.once) {
      if (s.kind == lane_kind::store) {
        s.element->scatter(address(s), 1, at_[s.in[0]], 1);
        continue;
      }
      if (s.kind == lane_kind::load)
        s.element->gather(at_[s.out], address(s), 1, 1);
      else
        call(s, at_[s.out], stride);
      fill_lanes(at_[s.out], s.width, 1, used_);
    }
  }
  void call(lane_step const& s, std::byte* out, std::int64_t lanes) const {
    void const* const in[3]{at_[s.in[0]], at_[s.in[1]], at_[s.in[2]]};
    s.run(out, in, lanes);
    if (s.after) s.after(out, nullptr, lanes);
  }

  void run_block(lane_pass const& pass) {
    std::int64_t const count = rows_ * columns_, lanes = whole(count);
    bool const full = count == lanes;
    for (lane_step const& s : pass.each) {
      switch (s.kind) {
        case lane_kind::call: call(s, at_[s.out] = s.direct && full ? address(s) : place(s), lanes); break;
        case lane_kind::load:
          if (s.direct && full) {
            at_[s.out] = address(s);
            break;
          }
          load_strip(s.element->gather, s.bytes, at_[s.out] = memory_ + s.place, address(s), s.width, shape(s));
          if (!full) fill_lanes(at_[s.out], s.width, count, lanes);
          break;
        case lane_kind::index:
          index_strip(*s.element, at_[s.out] = memory_ + s.place, starts_[s.operand].index + offset(s), s.width,
                      shape(s));
          if (!full) fill_lanes(at_[s.out], s.width, count, lanes);
          break;
        case lane_kind::look: at_[s.out] = place(s); break;
        case lane_kind::reduce: {
          std::int64_t const whole = count / block_size * block_size;
          if (whole) s.reduction->merge_whole(partial(s), at_[s.in[0]], whole);
          if (whole != count) s.reduction->merge(partial(s), at_[s.in[0]] + whole * s.width, count - whole);
          break;
        }
        case lane_kind::store:
          if (std::byte* const to = address(s); to != at_[s.in[0]])
            store_strip(s.element->scatter, s.bytes, to, at_[s.in[0]], s.width, shape(s));
          break;
      }
    }
  }
  std::byte* place(lane_step const& s) const {
    if (s.place >= 0) return memory_ + s.place;
    std::int64_t const lanes = segment_lanes_ * w_.segments;
    return memory_ + p_.memory + p_.kept[s.out] * lanes + (segment_ * segment_lanes_ + column_) * s.width;
  }

  static constexpr std::int64_t stride = 16;  // a lanes_function takes multiples of it
  fused_work const& w_;
  lane_program const& p_;
  strip_start const* starts_;
  std::int64_t const* shift_;
  std::byte** at_;  // by instruction: the address of its lanes
  std::byte* memory_ = nullptr;
  std::int64_t rows_ = 1, row_ = 0, column_ = 0, columns_ = 1, segment_lanes_ = 0;
  std::int64_t used_ = lane_count;  // lanes to fill with a value that all lanes share
  int segment_ = 0;
};

// The strip function of groups that were not compiled.
inline void interpret_strip(fused_work const& w, strip_start const* starts, std::int64_t rows, std::int64_t columns) {
  constexpr std::size_t most = 128;
  if (w.code.size() <= most) {
    std::byte* at[most];
    interpreter(w, starts, at).run(rows, columns);
  } else {
    std::vector<std::byte*> at(w.code.size());
    interpreter(w, starts, at.data()).run(rows, columns);
  }
}

}  // namespace tessera::detail
