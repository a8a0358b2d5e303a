// SPDX-License-Identifier: Apache-2.0
#pragma once
// Collectives within groups of devices as transfers between blocks of one process. A reduction is computed once per
// group, by its first member, and copied to the others. If the blocks of a group are not at equal distances, the
// operands are first copied to scratch memory.

#include <tessera/engine/comm/channel/exchange.hpp>
#include <tessera/engine/exec/move/transfer.hpp>
#include <tessera/engine/spec/position.hpp>

namespace tessera::detail {

class group_transfers {
public:
  // Transfers of one phase run together, after those of the previous phase.
  std::vector<std::vector<transfer>> phases;
  std::int64_t scratch_bytes = 0;

  TESSERA_COLD group_transfers(exchange const& e, int out_slot, int in_slot, int scratch_slot)
      : e_(e), out_{out_slot, &e.out_at}, in_{in_slot, &e.in_at} {
    switch (e.kind) {
      case collective::all_gather: gather(); break;
      case collective::all_to_all: swap(); break;
      case collective::all_reduce:
      case collective::reduce_scatter: combine(scratch_slot); break;
      default: break;
    }
  }

private:
  // Memory with a block for each position: at strides `at`, or, in scratch memory, at multiples of block_step.
  struct side {
    int slot = 0;
    strides const* at = nullptr;
    std::int64_t block_step = 0;  // 0: the strides of the axes apply
  };
  static std::int64_t dim_step(side const& s, int d) { return s.at->dim_stride[d]; }

  std::int64_t offset_of(side const& s, std::int64_t position) const {
    if (s.block_step > 0) return s.at->offset + position * s.block_step;
    std::int64_t offset = s.at->offset;
    mesh_coordinates const device = moved_along(e_.mesh, {}, e_.axes, position);
    for (int a = 0; a < e_.mesh.rank; ++a) offset += device[a] * s.at->axis_stride[a];
    return offset;
  }
  // Copies the block of one position to another, over all other axes and over `extents`.
  TESSERA_COLD transfer between(side const& from, std::int64_t source, side const& to, std::int64_t target,
                                array_value const& extents) const {
    transfer t;
    t.element = e_.in.element;
    t.in_slot = from.slot;
    t.out_slot = to.slot;
    t.in_offset = offset_of(from, source);
    t.out_offset = offset_of(to, target);
    for (int a = 0; a < e_.mesh.rank; ++a)
      if (e_.out.varying.contains(a) && !e_.axes.axes().contains(a))
        t.keep(e_.mesh.size(a), from.at->axis_stride[a], to.at->axis_stride[a]);
    for (int d = 0; d < extents.rank; ++d) t.keep(extents.extent(d), dim_step(from, d), dim_step(to, d));
    return t;
  }

  TESSERA_COLD void gather() {
    auto& all = phases.emplace_back();
    for (auto const& g : e_.groups)
      for (std::int64_t const target : g)
        for (std::size_t k = 0; k < g.size(); ++k) {
          transfer t = between(in_, g[k], out_, target, e_.in);
          t.out_offset += static_cast<std::int64_t>(k) * e_.in.extent(e_.dim) * dim_step(out_, e_.dim);
          all.push_back(t);
        }
  }
  TESSERA_COLD void swap() {
    auto& all = phases.emplace_back();
    array_value piece = e_.in;
    piece.extent(e_.dim) = e_.in.extent(e_.dim) / e_.parts();
    for (auto const& g : e_.groups)
      for (std::size_t to = 0; to < g.size(); ++to)
        for (std::size_t from = 0; from < g.size(); ++from) {
          transfer t = between(in_, g[from], out_, g[to], piece);
          t.in_offset += static_cast<std::int64_t>(to) * piece.extent(e_.dim) * dim_step(in_, e_.dim);
          t.out_offset += static_cast<std::int64_t>(from) * piece.extent(e_.other_dim) * dim_step(out_, e_.other_dim);
          all.push_back(t);
        }
  }

  // Finds the distance between neighbors of the group; false if it differs.
  bool even_step(std::vector<std::int64_t> const& g, std::int64_t& step) const {
    step = g.size() > 1 ? offset_of(in_, g[1]) - offset_of(in_, g[0]) : 0;
    for (std::size_t k = 2; k < g.size(); ++k)
      if (offset_of(in_, g[k]) - offset_of(in_, g[k - 1]) != step) return false;
    return true;
  }
  TESSERA_COLD void combine(int scratch_slot) {
    std::int64_t step = 0, first = 0;
    bool even = true;
    for (auto const& g : e_.groups) even = even && even_step(g, step);
    side from = in_;
    if (!even) {
      from = scratch_side(scratch_slot);
      auto& staged = phases.emplace_back();
      for (auto const& g : e_.groups)
        for (std::int64_t const source : g) staged.push_back(between(in_, source, from, first++, e_.in));
    }
    first = 0;
    auto& sums = phases.emplace_back();
    std::vector<transfer> copies;
    bool const scatters = e_.kind == collective::reduce_scatter;
    for (auto const& g : e_.groups) {
      if (even) even_step(g, step);
      for (std::size_t k = 0; k < g.size(); ++k) {
        if (k > 0 && !scatters) {
          copies.push_back(between(out_, g[0], out_, g[k], e_.out));
          continue;
        }
        transfer t = between(from, even ? g[0] : first, out_, g[k], e_.out);
        if (scatters) t.in_offset += static_cast<std::int64_t>(k) * e_.out.extent(e_.dim) * dim_step(from, e_.dim);
        t.combine = e_.combine;
        t.in_order = true;
        t.reduce(static_cast<std::int64_t>(g.size()), even ? step : from.block_step);
        sums.push_back(t);
      }
      first += static_cast<std::int64_t>(g.size());
    }
    if (!copies.empty()) phases.push_back(std::move(copies));
  }
  // The blocks of all positions one after the other; each has the blocks along the other axes, row-major.
  TESSERA_COLD side scratch_side(int slot) {
    scratch_ = {};
    std::int64_t step = 1;
    for (int d = e_.in.rank - 1; d >= 0; --d) {
      scratch_.dim_stride[d] = step;
      step *= e_.in.extent(d);
    }
    for (int a = e_.mesh.rank - 1; a >= 0; --a)
      if (e_.in.varying.contains(a) && !e_.axes.axes().contains(a)) {
        scratch_.axis_stride[a] = step;
        step *= e_.mesh.size(a);
      }
    scratch_bytes = step * e_.positions() * bytes_of(e_.in.element);
    return {slot, &scratch_, step};
  }

  exchange const& e_;
  side out_, in_;
  strides scratch_{};
};

}  // namespace tessera::detail
