// SPDX-License-Identifier: Apache-2.0
#pragma once
// The tables of a kernel, which say the numbers of blocks: they are copied to the host before the first instance. Devices of
// one process may have tables of their own, and so blocks of their own.

#include <tessera/engine/exec/memory/buffer_for.hpp>
#include <tessera/engine/exec/memory/step_binding.hpp>
#include <tessera/engine/exec/move/transfer_run.hpp>
#include <tessera/exec/memory/blocks.hpp>

#include <vector>

namespace tessera::detail {

// What the tables hold: on a device, by operand, where its numbers begin.
struct table_values {
  std::vector<std::int32_t> all;
  std::vector<std::int32_t const*> begin;
  std::size_t operands = 0;

  std::int32_t const* const* on(std::size_t device) const { return begin.data() + device * operands; }
};

class grid_tables {
public:
  TESSERA_COLD void bind(step_binding const& b, grid_value const& grid) {
    operands_ = static_cast<std::size_t>(grid.inputs);
    for (int k = 0; k < grid.inputs + grid.outputs; ++k)
      for (int d = 0; d < grid.blocks[k].rank; ++d)
        if (grid.blocks[k].at[d].reads()) add(b, grid.blocks[k].at[d].read.value.dim);
    mesh_value const& mesh = *b.plan.local.mesh;
    axis_set over;
    for (table const& t : tables_) over |= t.over;
    std::int64_t devices = 1;
    for (int a = 0; a < mesh.rank; ++a)
      if (over.contains(a) && mesh.held(a) > 1) {
        axes_ |= axis_set::of(a);
        devices *= mesh.held(a);
      }
    coordinates_.resize(static_cast<std::size_t>(devices));
    for (std::int64_t c = 0; c < devices; ++c) {
      std::int64_t rest = c;
      for (int a = mesh.rank - 1; a >= 0; --a) {
        if (!axes_.contains(a)) continue;
        coordinates_[c][a] = rest % mesh.held(a);
        rest /= mesh.held(a);
      }
    }
  }
  bool empty() const { return tables_.empty(); }
  // The mesh axes over which the tables of this process's devices differ.
  axis_set axes() const { return axes_; }
  std::size_t devices() const { return coordinates_.size(); }
  // Elements from the first device's block to that of a device.
  std::int64_t block_of(std::size_t device, strides const& at) const {
    std::int64_t offset = 0;
    for (int a = 0; a < static_cast<int>(max_rank); ++a) offset += coordinates_[device][a] * at.axis_stride[a];
    return offset;
  }

  table_values read(step_run const& r) const {
    table_values made;
    if (empty()) return made;
    auto const bytes = static_cast<std::size_t>(elements_) * sizeof(std::int32_t);
    buffer copy = buffer_for(bytes, [&] { return "the tables of " + r.label; });
    for (table const& t : tables_) {
      std::byte* const ends[]{copy.data() + t.place * std::int64_t{sizeof(std::int32_t)}, r.frame[t.slot] + t.offset,
                              nullptr};
      run_transfers(r.label, {&t.work, 1}, ends);
    }
    made.all.resize(static_cast<std::size_t>(elements_));
    fence();
    copy_bytes(reinterpret_cast<std::byte*>(made.all.data()), copy.data(), bytes, false);
    made.operands = operands_;
    made.begin.resize(operands_ * devices());
    for (std::size_t c = 0; c < devices(); ++c)
      for (table const& t : tables_)
        made.begin[c * operands_ + static_cast<std::size_t>(t.operand)] = made.all.data() + t.place + block_of(c, t.at);
    return made;
  }

private:
  struct table {
    int operand = 0, slot = -1;
    std::int64_t offset = 0, place = 0;  // in bytes; of its copy, in elements
    axis_set over;
    strides at;  // in its copy
    transfer_work work;
  };

  TESSERA_COLD void add(step_binding const& b, int operand) {
    for (table const& t : tables_)
      if (t.operand == operand) return;
    int const id = b.plan.local.operand(b.at.node, operand);
    array_value const& facts = b.plan.local[id].facts;
    mesh_value const& mesh = *b.plan.local.mesh;
    location const& from = b.where[id];
    if (from.slot < 0) throw std::logic_error("tessera: a table of a kernel has no memory.");
    table made;
    made.operand = operand;
    made.slot = from.slot;
    made.offset = from.bytes + from.at.offset * std::int64_t{sizeof(std::int32_t)};
    made.place = elements_;
    made.over = facts.varying;
    made.at = own_strides(facts, mesh);
    transfer t;
    t.element = dtype::int32;
    for (int d = 0; d < facts.rank; ++d) t.keep(facts.extent(d), from.at.dim_stride[d], made.at.dim_stride[d]);
    for (int a = 0; a < mesh.rank; ++a)
      if (facts.varying.contains(a)) t.keep(mesh.held(a), from.at.axis_stride[a], made.at.axis_stride[a]);
    made.work = prepare(t);
    number_tiles(&made.work, 1);
    elements_ += (storage_bytes(facts, mesh) + 63) / 64 * 64 / std::int64_t{sizeof(std::int32_t)};
    tables_.push_back(made);
  }

  std::vector<table> tables_;
  std::vector<by_dim<std::int64_t>> coordinates_;  // by device
  std::size_t operands_ = 0;
  std::int64_t elements_ = 0;
  axis_set axes_;
};

}  // namespace tessera::detail
