// SPDX-License-Identifier: Apache-2.0
#pragma once
// Binds reductions, copies and assemblies (concatenate, pad, update_slice) as transfers that run in one launch. Each
// element of the result is written by exactly one transfer.

#include <tessera/engine/exec/memory/locations.hpp>
#include <tessera/engine/exec/move/transfer_run.hpp>
#include <tessera/mesh/coordinates.hpp>

#include <vector>

namespace tessera::detail {

// `count` indices of a dimension, `step` apart.
struct strided_range {
  std::int64_t start = 0, count = 0, step = 1;
};

// A transfer between two locations, without loops yet.
inline transfer transfer_between(location const& from, location const& out, dtype element, int scratch) {
  transfer t;
  int const size = bytes_of(element);
  t.element = element;
  t.in_slot = from.slot;
  t.out_slot = out.slot;
  t.scratch_slot = scratch;
  t.in_offset = from.at.offset + from.bytes / size;
  t.out_offset = out.at.offset + out.bytes / size;
  return t;
}

class copy_binder {
public:
  copy_binder(plan_view const& plan, step const& at, locations const& where)
      : plan_(plan),
        where_(where),
        id_(at.node),
        node_(plan.local[at.node]),
        result_(at.exchanges.count ? plan.lists[at.exchanges.first] : at.node),
        out_(where[result_]),
        across_(at.across) {
    if (out_.slot < 0) throw std::logic_error("tessera: a step's result has no memory: " + std::string(node_.op->name));
  }

  TESSERA_COLD std::vector<transfer_work> bind() {
    switch (node_.op->kind) {
      case op_class::reduce: reduce(); break;
      case op_class::concatenate: concatenate(); break;
      case op_class::pad: pad(); break;
      case op_class::update_slice: update_slice(); break;
      default: copy(); break;
    }
    number_tiles(works_.data(), static_cast<int>(works_.size()));
    return std::move(works_);
  }

private:
  mesh_value const& mesh() const { return *plan_.local.mesh; }
  array_value const& facts(int k) const { return plan_.local[plan_.local.operand(id_, k)].facts; }
  location const& operand(int k) const { return where_[plan_.local.operand(id_, k)]; }

  // A transfer from a location to the result, with loops over the distinct blocks.
  TESSERA_COLD transfer begin(location const& from) const {
    if (from.slot < 0) throw std::logic_error("tessera: an operand has no memory: " + std::string(node_.op->name));
    transfer t = transfer_between(from, out_, node_.facts.element, where_.scratch());
    for (int a = 0; a < mesh().rank; ++a)
      if (plan_.local[result_].facts.varying.contains(a))
        t.keep(mesh().held(a), across_.contains(a) ? part_step_[a] : from.at.axis_stride[a], out_.at.axis_stride[a]);
    return t;
  }
  TESSERA_COLD void add(transfer const& t) {
    if (is_in_place(t)) return;
    transfer_work const w = prepare(t);
    if (w.tiles > 0) works_.push_back(w);
  }

  // Whether every element is already where it goes.
  static bool is_in_place(transfer const& t) {
    if (t.in_slot != t.out_slot || t.in_offset != t.out_offset || t.combine != monoid::none) return false;
    return std::all_of(t.kept.begin(), t.kept.end(),
                       [](transfer_dim const& d) { return d.extent == 1 || d.in == d.out; });
  }

  TESSERA_COLD void copy() {
    location from = operand(0);
    strides viewed;
    transfer t;
    if (view_strides(plan_.local, id_, from.at, viewed)) {
      from.at = viewed;
      for (int d = 0; d < node_.facts.rank; ++d)
        t.keep(node_.facts.extent(d), from.at.dim_stride[d], out_.at.dim_stride[d]);
      axis_set apart;
      for (int a = 0; a < mesh().rank; ++a)
        if (from.slot_step[a] != 0) apart |= axis_set::of(a);
      if (!apart.empty()) return each_block(from, t, apart);
      transfer const dims = t;
      t = begin(from);
      for (transfer_dim const& d : dims.kept) t.kept.push_back(d);
    } else if (node_.op->kind == op_class::reshape) {  // the operand's elements, written row-major
      t = begin(from);
      std::int64_t step = 1;
      inplace_list<std::int64_t, max_rank> steps;
      for (int d = facts(0).rank - 1; d >= 0; step *= facts(0).extent(d), --d) steps.push_back(step);
      for (int d = 0; d < facts(0).rank; ++d)
        t.keep(facts(0).extent(d), from.at.dim_stride[d], steps[facts(0).rank - 1 - d]);
    } else {
      throw std::logic_error("tessera: not a copy: " + std::string(node_.op->name));
    }
    if (t.in_slot == t.out_slot && t.in_offset == t.out_offset) return;  // the value is already in the result's memory
    add(t);
  }

  // One transfer for each block that has an address of its own.
  TESSERA_COLD void each_block(location const& from, transfer const& dims, axis_set apart) {
    for (std::int64_t d = 0; d < mesh().devices(apart); ++d) {
      mesh_coordinates const position = coordinates_of(mesh(), d, apart);
      transfer t = transfer_between(from, out_, node_.facts.element, where_.scratch());
      for (int a = 0; a < mesh().rank; ++a) {
        t.in_slot += static_cast<int>(position[a] * from.slot_step[a]);
        if (apart.contains(a))
          t.out_offset += position[a] * out_.at.axis_stride[a];
        else if (plan_.local[result_].facts.varying.contains(a))
          t.keep(mesh().held(a), from.at.axis_stride[a], out_.at.axis_stride[a]);
      }
      for (transfer_dim const& dim : dims.kept) t.kept.push_back(dim);
      add(t);
    }
  }

  // The step may be a reduction and a reduce_scatter: along the latter's axes, each device reads its part of the
  // scattered dimension.
  TESSERA_COLD void find_parts() {
    node const& exchange = plan_.local[result_];
    if (exchange.op->message != collective::reduce_scatter) return;
    collective_params const& over = exchange.attrs.as<collective_params>();
    bool const in_place = node_.facts.rank == facts(0).rank;
    auto const kept_dim = [&](int d) { return in_place || !node_.attrs.as<reduce_params>().dims.contains(d); };
    int dim = -1;
    for (int kept = -1; kept < over.dim;) ++dim, kept += kept_dim(dim);
    std::int64_t step = exchange.facts.extent(static_cast<int>(over.dim)) * operand(0).at.dim_stride[dim];
    entry_value const by = over.order;
    for (int k = by.count() - 1; k >= 0; --k) {
      part_step_[by.axis(k)] = step;
      step *= mesh().size(by.axis(k));
    }
  }
  TESSERA_COLD void reduce() {
    find_parts();
    array_value const& made = plan_.local[result_].facts;
    transfer t = begin(operand(0));
    t.combine = node_.op->reduction;
    for (int a = 0; a < mesh().rank; ++a)
      if (across_.contains(a)) t.reduce(mesh().held(a), operand(0).at.axis_stride[a]);
    int kept = 0;
    extents_list const& dims = node_.attrs.as<reduce_params>().dims;
    bool const all = dims.empty() && node_.facts.rank == 0;
    bool const in_place = node_.facts.rank == facts(0).rank;  // reduced dimensions are kept, with extent 1
    for (int d = 0; d < facts(0).rank; ++d) {
      std::int64_t const stride = operand(0).at.dim_stride[d];
      if (all || dims.contains(d)) {
        t.reduce(facts(0).extent(d), stride);
        kept += in_place;
      } else {
        t.keep(made.extent(kept), stride, out_.at.dim_stride[kept]);
        ++kept;
      }
    }
    add(t);
  }

  TESSERA_COLD void concatenate() {
    int const dim = static_cast<int>(node_.attrs.as<concatenate_params>().dim);
    std::int64_t start = 0;
    int const count = node_.operand_count;
    for (int k = 0; k < count; ++k) {
      transfer t = begin(operand(k));
      t.out_offset += start * out_.at.dim_stride[dim];
      for (int d = 0; d < node_.facts.rank; ++d)
        t.keep(facts(k).extent(d), operand(k).at.dim_stride[d], out_.at.dim_stride[d]);
      start += facts(k).extent(dim);
      add(t);
    }
  }

  // Writes the part `where` of the result from `from`: its elements from first[d] on in each dimension, or one scalar.
  TESSERA_COLD void place(strided_range const* where, location const& from, array_value const& shape,
                          std::int64_t const* first) {
    transfer t = begin(from);
    for (int d = 0; d < node_.facts.rank; ++d) {
      std::int64_t const in = shape.rank == 0 ? 0 : from.at.dim_stride[d];
      if (where[d].count <= 0) return;
      if (shape.rank != 0) t.in_offset += first[d] * in;
      t.out_offset += where[d].start * out_.at.dim_stride[d];
      t.keep(where[d].count, in * (first ? 1 : where[d].step), where[d].step * out_.at.dim_stride[d]);
    }
    add(t);
  }
  // Writes all of the result outside of the box from `from`: in each dimension the parts beside the box, with the
  // earlier dimensions inside it and the later ones whole.
  TESSERA_COLD void place_around(strided_range const* box, location const& from, array_value const& shape) {
    int const rank = node_.facts.rank;
    for (int d = 0; d < rank; ++d) {
      strided_range region[max_rank];
      for (int i = 0; i < rank; ++i) region[i] = i < d ? box[i] : strided_range{0, node_.facts.extent(i), 1};
      std::int64_t const extent = node_.facts.extent(d);
      std::int64_t const end = box[d].count > 0 ? box[d].start + (box[d].count - 1) * box[d].step + 1 : 0;
      std::int64_t const start = box[d].count > 0 ? box[d].start : 0;
      auto const fill = [&](strided_range r) {
        region[d] = r;
        std::int64_t first[max_rank]{};
        for (int i = 0; i < rank; ++i) first[i] = region[i].start;
        place(region, from, shape, shape.rank == 0 ? nullptr : first);
      };
      fill({0, start, 1});
      fill({end, extent - end, 1});
      for (std::int64_t r = 1; r < box[d].step && box[d].count > 1; ++r)
        fill({start + r, box[d].count - 1, box[d].step});
      if (box[d].count <= 0) return;
    }
  }

  TESSERA_COLD void pad() {
    strided_range box[max_rank];
    std::int64_t first[max_rank]{};
    auto const& by = node_.attrs.as<pad_params>();
    auto const given = [](extents_list const& list, int d) { return d < list.size() ? list[d] : 0; };
    for (int d = 0; d < node_.facts.rank; ++d) {
      std::int64_t const low = given(by.low, d), step = given(by.interior, d) + 1;
      std::int64_t const extent = facts(0).extent(d), room = node_.facts.extent(d) - 1 - low;
      first[d] = low < 0 ? (-low + step - 1) / step : 0;  // negative padding removes elements
      std::int64_t const last = room < 0 ? 0 : std::min(extent, room / step + 1);
      box[d] = {low + first[d] * step, std::max<std::int64_t>(0, last - first[d]), step};
    }
    place(box, operand(0), facts(0), first);
    place_around(box, operand(1), array_value{});
  }

  TESSERA_COLD void update_slice() {
    strided_range box[max_rank];
    std::int64_t const first[max_rank]{};
    extents_list const& start = node_.attrs.as<update_slice_params>().start;
    for (int d = 0; d < node_.facts.rank; ++d) box[d] = {start[d], facts(1).extent(d), 1};
    place(box, operand(1), facts(1), first);
    place_around(box, operand(0), facts(0));
  }

  plan_view const& plan_;
  locations const& where_;
  int id_;
  node const& node_;
  int result_;  // the collective's, if the step performs one
  location const& out_;
  axis_set across_;
  by_dim<std::int64_t> part_step_{};  // by mesh axis: distance between the parts of neighboring devices
  std::vector<transfer_work> works_;
};

}  // namespace tessera::detail
