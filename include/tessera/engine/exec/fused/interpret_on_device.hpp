// SPDX-License-Identifier: Apache-2.0
#pragma once
// Interprets fused groups on an accelerator: each instruction is a launch over all elements of some rows, with
// registers in the accelerator's memory. Slower than a compiled program, which reads and writes memory once; the bits
// are the same.

#include <tessera/engine/exec/fused/device_lanes.hpp>
#include <tessera/engine/exec/fused/lane_program.hpp>
#include <tessera/exec/fused/fused_arguments.hpp>

#include <cstring>
#include <vector>

namespace tessera::detail {

class device_interpreter {
public:
  device_interpreter(std::string const& label, fused_work const& w, device_fused_work const& d, std::byte* const* frame)
      : label_(label), w_(w) {
    at_.arguments = arguments_of(w, d, frame, more_);
  }

  void run() {
    // A row of an elementwise group is one element; other rows have the columns of their blocks, at least one lane.
    reduced_ = w_.by_rows ? w_.columns() * w_.segments : 1;
    at_.columns = w_.by_rows ? std::max<std::int64_t>(1, w_.columns()) : 1;
    at_.lanes_a_row = std::max<std::int64_t>(1, reduced_);
    if (!w_.by_rows) {  // adds a loop with one column
      at_.arguments.extent[at_.arguments.rank] = 1;
      ++at_.arguments.rank;
    }
    std::int64_t rows = 1;
    for (int i = 0; i < w_.rank - (w_.by_rows ? 1 : 0); ++i) rows *= w_.extent[i];
    std::int64_t const at_once = std::max<std::int64_t>(1, most_lanes / at_.lanes_a_row);
    for (at_.first = 0; at_.first < rows; at_.first += at_once) run_rows(std::min(at_once, rows - at_.first));
  }

private:
  static constexpr std::int64_t most_lanes = 1 << 18;

  void run_rows(std::int64_t rows) {
    lanes_ = rows * at_.lanes_a_row;
    std::vector<std::int64_t> place;
    std::int64_t bytes = 0;
    for (auto const& it : w_.code) {
      place.push_back(bytes);
      if (it.kind != code_kind::store) bytes += (lanes_ * register_bytes(it.element) + 63) / 64 * 64;
    }
    buffer const memory(bytes + 1);
    std::vector<std::byte*> at;
    for (std::int64_t p : place) at.push_back(memory.data() + p);
    for (std::size_t i = 0; i < w_.code.size(); ++i) run(i, rows, at);
  }
  void run(std::size_t i, std::int64_t rows, std::vector<std::byte*> const& at) const {
    instruction const& it = w_.code[i];
    bool const none = w_.by_rows && reduced_ == 0;  // rows without elements: only per-row values move
    switch (it.kind) {
      case code_kind::literal: return literal(it, at[i]);
      case code_kind::compute: return compute(it, at[i], at);
      case code_kind::load:
        if (none && !it.row) return;
        return with_element(it.element, [&]<class T>(std::type_identity<T>) {
          launch_elements(label_, lanes_, lanes_load<T>{at_, it.a, reinterpret_cast<register_of<T>*>(at[i])});
        });
      case code_kind::index:
        return with_element(it.element, [&]<class T>(std::type_identity<T>) {
          launch_elements(label_, lanes_, lanes_index<T>{at_, it.a, reinterpret_cast<register_of<T>*>(at[i])});
        });
      case code_kind::reduce:
        return with_element(it.element, [&]<class T>(std::type_identity<T>) {
          using A = register_of<T>;
          int const threads = threads_for_row(w_.columns());
          launch_teams(label_, rows, threads, threads * static_cast<int>(sizeof(A)),
                       lanes_reduce<T>{at_.lanes_a_row, w_.columns(), w_.segments, threads, it.op->reduction,
                                       reinterpret_cast<A*>(at[i]), reinterpret_cast<A const*>(at[it.a])});
        });
      case code_kind::store:
        if (none && !it.row) return;
        return with_element(it.element, [&]<class T>(std::type_identity<T>) {
          std::int64_t const each = it.row ? at_.lanes_a_row : 1;
          launch_elements(label_, lanes_ / each,
                          lanes_store<T>{at_, it.b, each, reinterpret_cast<register_of<T> const*>(at[it.a])});
        });
      default: return;
    }
  }
  void literal(instruction const& it, std::byte* out) const {
    std::int64_t const bits = w_.literals[it.a];
    auto const repeat = [&](auto value) {
      using word = decltype(value);
      std::memcpy(&value, &bits, std::min(sizeof value, sizeof bits));
      launch_elements(label_, lanes_, lanes_repeat<word>{value, reinterpret_cast<word*>(out)});
    };
    switch (register_bytes(it.element)) {
      case 1: return repeat(std::uint8_t{});
      case 4: return repeat(std::uint32_t{});
      case 8: return repeat(std::uint64_t{});
      default: return repeat(wide_word{});
    }
  }
  void compute(instruction const& it, std::byte* out, std::vector<std::byte*> const& at) const {
    void const* in[3]{};
    dtype operand = it.element;
    int k = 0;
    for (int r : reads(it).ids)
      if (r >= 0) {
        in[k++] = at[r];
        operand = w_.code[r].element;  // of the last operand: the first of `where` is a condition
      }
    interpreted_call const call = interpreted_call_of(it, operand);
    call.run(out, in, lanes_);
    if (call.after) call.after(out, nullptr, lanes_);
  }

  std::string const& label_;
  fused_work const& w_;
  buffer more_{};
  device_lanes at_{};
  std::int64_t reduced_ = 1, lanes_ = 0;
};

}  // namespace tessera::detail
