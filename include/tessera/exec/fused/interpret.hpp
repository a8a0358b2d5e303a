// SPDX-License-Identifier: Apache-2.0
#pragma once
// Fused groups without compilation, on the host: each instruction is a call on 64 lanes. For eager, unfused and
// debugging runs and for sizes known late; a compiled program (exec/fused/compiled.hpp) gives the same bits.

#include <tessera/exec/fused/phases.hpp>
#include <tessera/exec/fused/strip.hpp>
#include <tessera/op/elementwise/cast.hpp>

namespace tessera::detail {

class interpreter {
public:
  static constexpr int lane_bytes = most_register_bytes;
  static constexpr int register_size = (block_size + 8) * lane_bytes;

  interpreter(fused_work const& w, strip_start const* at, std::byte* registers)
      : w_(w), at_(at), shift_(w.shift(0)), registers_(registers), count_(static_cast<int>(w.code.size())) {}

  void run(std::int64_t rows, std::int64_t columns) {
    rows_ = rows;
    if (w_.by_rows) return run_row(columns);
    for (column_ = 0; column_ < columns; column_ += block_size) {
      columns_ = std::min<std::int64_t>(block_size, columns - column_);
      for (int i = 0; i < count_; ++i) evaluate(i);
    }
  }

private:
  instruction const& at(int i) const { return w_.code[static_cast<std::size_t>(i)]; }
  std::byte* lanes(int i) const { return registers_ + i * register_size; }

  void run_row(std::int64_t columns) {
    int const passes = static_cast<int>(w_.needed.size()) / count_;
    for (int p = 0; p < passes; ++p) {
      column_ = 0;
      columns_ = 1;
      bool any = false;
      for (int i = 0; i < count_; ++i)
        if (is_uniform(at(i)) && at(i).kind != code_kind::reduce && w_.phases[static_cast<std::size_t>(i)] == p) {
          evaluate(i);
          if (at(i).kind != code_kind::store) spread(i);
        }
      char const* const needed = w_.needed.data() + p * count_;
      for (int i = 0; i < count_; ++i) any = any || needed[i];
      if (!any) continue;
      for (int s = 0; s < w_.segments; ++s) {
        shift_ = w_.shift(s);
        run_segment(s, columns, needed);
      }
      shift_ = w_.shift(0);
      for (int i = 0; i < count_; ++i)
        if (needed[i] && at(i).kind == code_kind::reduce) {
          std::memcpy(lanes(i), total(i), lane_bytes);
          spread(i);
          settle(i);
        }
    }
  }
  void run_segment(int s, std::int64_t columns, char const* needed) {
    for (int i = 0; i < count_; ++i)
      if (needed[i] && at(i).kind == code_kind::reduce) loops(i).start(lanes(i), block_size);
    for (column_ = 0; column_ < columns; column_ += block_size) {
      columns_ = std::min<std::int64_t>(block_size, columns - column_);
      for (int i = 0; i < count_; ++i) {
        if (!needed[i]) continue;
        if (at(i).kind == code_kind::reduce)
          loops(i).merge(lanes(i), lanes(at(i).a), columns_);
        else
          evaluate(i);
      }
    }
    for (int i = 0; i < count_; ++i)
      if (needed[i] && at(i).kind == code_kind::reduce) {
        loops(i).fold(lanes(i));
        if (s == 0)
          std::memcpy(total(i), lanes(i), lane_bytes);
        else
          loops(i).merge(total(i), lanes(i), 1);
      }
  }
  // What the segments so far give, where lanes end.
  std::byte* total(int i) const { return lanes(i) + block_size * lane_bytes; }
  lane_functions const& loops(int i) const { return lanes_of(at(i).element, at(i).op->reduction); }
  int width(int i) const { return register_bytes(at(i).element); }
  void spread(int i) const { fill_lanes(lanes(i), width(i), 1); }
  strip_shape shape(int operand) const {
    return {rows_, w_.step(operand, w_.rank - 2), columns_, w_.step(operand, w_.rank - 1)};
  }
  std::byte* address(int operand, int bytes) const {
    return at_[operand].address + (shift_[operand] + column_ * w_.step(operand, w_.rank - 1)) * bytes;
  }
  void evaluate(int i) const {
    auto const& it = at(i);
    int const bytes = bytes_of(it.element);
    switch (it.kind) {
      case code_kind::load:
        load_strip(elements_of(it.element), bytes, lanes(i), address(it.a, bytes), width(i), shape(it.a));
        return fill_lanes(lanes(i), width(i), rows_ * columns_);
      case code_kind::store:
        return store_strip(elements_of(it.element), bytes, address(it.b, bytes), lanes(it.a), width(it.a), shape(it.b));
      case code_kind::index:
        index_strip(elements_of(it.element), lanes(i),
                    at_[it.a].index + shift_[it.a] + column_ * w_.step(it.a, w_.rank - 1), width(i), shape(it.a));
        return fill_lanes(lanes(i), width(i), rows_ * columns_);
      case code_kind::literal:
        std::memset(lanes(i), 0, lane_bytes);
        std::memcpy(lanes(i), &w_.literals[static_cast<std::size_t>(it.a)], sizeof(std::int64_t));
        return spread(i);
      default: return compute(i);
    }
  }
  void compute(int i) const {
    auto const& it = at(i);
    void const* in[3]{};
    dtype operand = it.element;
    int k = 0;
    read_registers const read = reads(it);
    for (int r : read.ids)
      if (r >= 0) {
        in[k++] = lanes(r);
        operand = at(r).element;  // of the last: where's first is its condition
      }
    it.op->block(it.element, operand, lanes(i), in, is_uniform(it) ? 1 : block_size);
    if (it.op->bare == &bare_info<ops::cast>) round_to(it.element, reinterpret_cast<float*>(lanes(i)));
    settle(i);
  }
  // What does not fit wraps, though registers are wider.
  void settle(int i) const {
    dtype const element = at(i).element;
    if (wide_integer(element) == element) return;
    with_element(element, [&]<class T>(std::type_identity<T>) {
      if constexpr (std::is_integral_v<T> && !std::is_same_v<T, register_of<T>>) {
        auto* const x = reinterpret_cast<register_of<T>*>(lanes(i));
        for (int j = 0; j < block_size; ++j) x[j] = settled<T>(x[j]);
      }
    });
  }
  // A cast to a 16-bit type rounds, though registers hold float.
  static void round_to(dtype element, float* x) {
    if (element == dtype::bfloat16)
      for (int j = 0; j < block_size; ++j) x[j] = static_cast<float>(bfloat16(x[j]));
    if (element == dtype::float16)
      for (int j = 0; j < block_size; ++j) x[j] = static_cast<float>(float16(x[j]));
  }

  fused_work const& w_;
  strip_start const* at_;
  std::int64_t const* shift_;
  std::byte* registers_;
  int count_;
  std::int64_t rows_ = 1, column_ = 0, columns_ = 0;
};

// The strip function of groups that were not compiled.
inline void interpret_strip(fused_work const& w, strip_start const* at, std::int64_t rows, std::int64_t columns) {
  constexpr std::size_t most = 64;
  if (w.code.size() <= most) {
    alignas(64) std::byte registers[most * interpreter::register_size];
    interpreter(w, at, registers).run(rows, columns);
  } else {
    std::vector<std::byte> registers(w.code.size() * interpreter::register_size);
    interpreter(w, at, registers.data()).run(rows, columns);
  }
}

}  // namespace tessera::detail
