// SPDX-License-Identifier: Apache-2.0
#pragma once
// Binds several consecutive collectives that move blocks as one copy: devices of one process read each other's memory,
// so no intermediate memory is needed. Each part of a result's block is traced back to its source.

#include <tessera/collective/permute.hpp>
#include <tessera/engine/exec/move/bind_copy.hpp>
#include <tessera/engine/spec/position.hpp>

namespace tessera::detail {

class move_binder {
public:
  move_binder(plan_view const& plan, step const& at, locations const& where)
      : plan_(plan),
        mesh_(plan.local.mesh->held()),
        moves_(plan.lists + at.exchanges.first),
        count_(at.exchanges.count),
        from_(where[plan.local.operand(at.node, 0)]),
        to_(where[moves_[count_ - 1]]),
        scratch_(where.scratch()) {
    if (from_.slot < 0 || to_.slot < 0) throw std::logic_error("tessera: moved blocks have no memory.");
  }

  TESSERA_COLD std::vector<transfer_work> bind() {
    axis_set const own = plan_.local[result()].facts.varying;
    for (std::int64_t d = 0; d < mesh().devices(own); ++d) follow(coordinates_of(mesh(), d, own));
    number_tiles(works_.data(), static_cast<int>(works_.size()));
    return std::move(works_);
  }

private:
  // Elements of a device's block from `start` on; in the result they begin at `at` and have extents `size`.
  struct part {
    mesh_coordinates device{};
    std::int64_t start[max_rank]{}, at[max_rank]{}, size[max_rank]{};
  };

  mesh_value const& mesh() const { return mesh_; }
  int result() const { return moves_[count_ - 1]; }

  TESSERA_COLD void follow(mesh_coordinates const& device) {
    array_value const& facts = plan_.local[result()].facts;
    part whole{device};
    for (int d = 0; d < facts.rank; ++d) whole.size[d] = facts.extent(d);
    std::vector<part> parts{whole};
    for (int k = count_ - 1; k >= 0; --k) {
      std::vector<part> before;
      for (part const& p : parts) back(moves_[k], p, before);
      parts = std::move(before);
    }
    for (part const& p : parts) copy(device, p);
  }

  // Adds the source of part p before move `id` to `before`.
  TESSERA_COLD void back(int id, part p, std::vector<part>& before) const {
    node const& n = plan_.local[id];
    if (n.op->message == collective::permute) {
      p.device = collectives::permute::source(mesh(), n.attrs.as<exchange_params>(), p.device);
      return before.push_back(p);
    }
    collective_params const& along = n.attrs.as<collective_params>();
    entry_value const axes = along.order;
    bool const gather = n.op->message == collective::all_gather;
    int const grown = static_cast<int>(gather ? along.dim : along.concat_dim);
    std::int64_t const piece = n.facts.extent(grown) / mesh().devices(axes.axes());
    if (!gather) {
      int const cut = static_cast<int>(along.dim);
      std::int64_t const own = position_along(mesh(), p.device, axes);
      if (cut != grown) p.start[cut] += own * n.facts.extent(cut);
    }
    std::int64_t const end = p.start[grown] + p.size[grown];
    for (std::int64_t from = p.start[grown]; from < end;) {
      std::int64_t const sender = from / piece, next = std::min(end, (sender + 1) * piece);
      part q = p;
      q.at[grown] = p.at[grown] + from - p.start[grown];
      q.size[grown] = next - from;
      q.start[grown] = from - sender * piece;
      if (!gather && along.dim == grown) q.start[grown] += position_along(mesh(), p.device, axes) * piece;
      q.device = moved_along(mesh(), p.device, axes, sender);
      before.push_back(q);
      from = next;
    }
  }

  TESSERA_COLD void copy(mesh_coordinates const& device, part const& p) {
    array_value const& facts = plan_.local[result()].facts;
    array_value const& source = plan_.local[plan_.local.operand(moves_[0], 0)].facts;
    transfer t = transfer_between(from_, to_, facts.element, scratch_);
    for (int a = 0; a < mesh().rank; ++a) {
      if (source.varying.contains(a)) t.in_offset += p.device[a] * from_.at.axis_stride[a];
      if (facts.varying.contains(a)) t.out_offset += device[a] * to_.at.axis_stride[a];
    }
    for (int d = 0; d < facts.rank; ++d) {
      t.in_offset += p.start[d] * from_.at.dim_stride[d];
      t.out_offset += p.at[d] * to_.at.dim_stride[d];
      t.keep(p.size[d], from_.at.dim_stride[d], to_.at.dim_stride[d]);
    }
    transfer_work const w = prepare(t);
    if (w.tiles > 0) works_.push_back(w);
  }

  plan_view const& plan_;
  mesh_value mesh_;  // only the devices of this process
  int const* moves_;
  int count_;
  location const &from_, &to_;
  int scratch_;
  std::vector<transfer_work> works_;
};

}  // namespace tessera::detail
