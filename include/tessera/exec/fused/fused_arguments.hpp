// SPDX-License-Identifier: Apache-2.0
#pragma once
// The arguments of a launch of a fused group on an accelerator: passed by value, or copied to the device once.
// A kernel calls base, offset, step, literal and shift of either form.

#include <tessera/exec/device/device_launch.hpp>
#include <tessera/exec/fused/fused_work.hpp>
#include <tessera/exec/memory/buffer.hpp>

#include <string>

namespace tessera {
namespace detail {

// The parts of a fused_work that device code reads, copied to the device when the work is bound.
struct device_fused_work {
  buffer memory{};
  fused_operand const* operands = nullptr;
  std::int64_t const* literals = nullptr;
  std::int64_t const* shifts = nullptr;
};

// The loops of one launch.
struct fused_loops {
  int rank = 0;
  std::int64_t extent[fused_operand::max_loops]{};
  std::int64_t const* shifts = nullptr;
  int segments = 1, count = 0;  // of shifts: segments x operands

  TESSERA_FUNCTION std::int64_t shift(int segment, int operand) const {
    return segment == 0 ? 0 : shifts[segment * count + operand];
  }
};

// The arguments of one launch of any group: loops and base addresses by value, the rest in device memory.
struct fused_arguments : fused_loops {
  static constexpr int most = 64;
  fused_operand const* operands = nullptr;
  std::int64_t const* literals = nullptr;
  std::byte* bases[most]{};
  std::byte* const* more = nullptr;  // base addresses of operands from `most` on, in device memory

  TESSERA_FUNCTION std::byte* base(std::int64_t operand) const {
    return operand < most ? bases[operand] : more[operand - most];
  }
  TESSERA_FUNCTION std::int64_t offset(std::int64_t operand) const { return operands[operand].offset; }
  TESSERA_FUNCTION std::int64_t step(std::int64_t operand, int loop) const { return operands[operand].step[loop]; }
  TESSERA_FUNCTION std::int64_t literal(int which) const { return literals[which]; }
};

// The same for a group of few operands, all by value.
template <int Operands, int Literals>
struct value_arguments : fused_loops {
  std::byte* bases[Operands + 1]{};
  std::int64_t offsets[Operands + 1]{}, literals[Literals + 1]{};
  std::int64_t steps[Operands + 1][fused_operand::max_loops]{};

  value_arguments(fused_work const& w, fused_arguments const& a) : fused_loops(a) {
    for (int k = 0; k < Operands; ++k) {
      bases[k] = a.bases[k];
      offsets[k] = w.operands[k].offset;
      for (int i = 0; i < a.rank; ++i) steps[k][i] = w.operands[k].step[i];
    }
    for (int k = 0; k < Literals; ++k) literals[k] = w.literals[k];
  }
  TESSERA_FUNCTION std::byte* base(int operand) const { return bases[operand]; }
  TESSERA_FUNCTION std::int64_t offset(int operand) const { return offsets[operand]; }
  TESSERA_FUNCTION std::int64_t step(int operand, int loop) const { return steps[operand][loop]; }
  TESSERA_FUNCTION std::int64_t literal(int which) const { return literals[which]; }
};

inline device_fused_work upload(fused_work const& w) {
  device_fused_work on_device;
  if constexpr (!runs_on_host) {
    std::size_t const operand_bytes = w.operands.size() * sizeof(fused_operand);
    std::size_t const literal_bytes = w.literals.size() * sizeof(std::int64_t);
    std::size_t const shift_bytes = w.shifts.size() * sizeof(std::int64_t);
    on_device.memory = buffer(operand_bytes + literal_bytes + shift_bytes + 1);
    std::vector<std::byte> staged(operand_bytes + literal_bytes + shift_bytes);
    if (operand_bytes) std::memcpy(staged.data(), w.operands.data(), operand_bytes);
    if (literal_bytes) std::memcpy(staged.data() + operand_bytes, w.literals.data(), literal_bytes);
    if (shift_bytes) std::memcpy(staged.data() + operand_bytes + literal_bytes, w.shifts.data(), shift_bytes);
    if (!staged.empty()) copy_to_device(on_device.memory.data(), staged.data(), staged.size());
    on_device.operands = reinterpret_cast<fused_operand const*>(on_device.memory.data());
    on_device.literals = reinterpret_cast<std::int64_t const*>(on_device.memory.data() + operand_bytes);
    on_device.shifts = on_device.literals + w.literals.size();
  } else {
    static_cast<void>(w);
  }
  return on_device;
}

// `more` holds the base addresses that do not fit in the arguments; it must live until the launch.
inline fused_arguments arguments_of(fused_work const& w, device_fused_work const& d, std::byte* const* frame,
                                    buffer& more) {
  fused_arguments a;
  a.rank = w.rank;
  for (int i = 0; i < w.rank; ++i) a.extent[i] = w.extent[i];
  a.operands = d.operands;
  a.literals = d.literals;
  a.shifts = d.shifts;
  a.segments = w.segments;
  a.count = static_cast<int>(w.operands.size());
  std::vector<std::byte*> others;
  for (std::size_t k = 0; k < w.operands.size(); ++k) {
    std::byte* const at = w.operands[k].slot >= 0 ? frame[w.operands[k].slot] : nullptr;
    if (k < static_cast<std::size_t>(fused_arguments::most))
      a.bases[k] = at;
    else
      others.push_back(at);
  }
  if (!others.empty()) {
    more = buffer(others.size() * sizeof(std::byte*));
    copy_to_device(more.data(), others.data(), more.size());
    a.more = reinterpret_cast<std::byte* const*>(more.data());
  }
  return a;
}

inline void launch_fused(std::string const& label, fused_launch launch, fused_work const& w, device_fused_work const& d,
                         std::byte* const* frame) {
  std::int64_t count = 1;
  for (int i = 0; i < w.rank - (w.by_rows ? 1 : 0); ++i) count *= w.extent[i];
  buffer more;
  launch(label, w, arguments_of(w, d, frame, more), count, w.columns());
}

}  // namespace detail
}  // namespace tessera
