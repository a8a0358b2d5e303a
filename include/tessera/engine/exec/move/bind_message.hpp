// SPDX-License-Identifier: Apache-2.0
#pragma once
// Binds a collective over axes along which devices belong to several processes, as one message. Moves: each part of a
// block is traced back to its source, as in engine/exec/move/bind_moves.hpp. Sums: each process first adds up its own
// blocks, so that it sends one block for all its devices. Every process computes the same parts in the same order, so
// messages do not describe them.

#include <tessera/comm/channel/data_channel.hpp>
#include <tessera/engine/exec/move/bind_exchange.hpp>
#include <tessera/engine/exec/move/bind_moves.hpp>
#include <tessera/engine/exec/move/message_writer.hpp>

#include <algorithm>
#include <map>

namespace tessera::detail {

class message_binder : message_writer {
public:
  using message_writer::message_writer;

  // Binds a step that is a collective, or a chain of moves.
  TESSERA_COLD message_step bind() {
    node const& n = plan_.local[at_.node];
    collective const kind = n.op->message;
    bool const grouped = table_of(n.attrs) != nullptr;
    made_.kind = kind;
    made_.counted = kind;
    made_.axes = axes_crossed(n.attrs);
    std::int64_t block = 0;
    for (int k = 0; k < n.operand_count; ++k) block += facts(operand(k)).size() * bytes_of(n.facts.element);
    device_groups const groups{kind == collective::permute ? nullptr : table_of(n.attrs)};
    made_.bytes = bytes_sent(kind, block, groups ? groups.largest() : mesh_.devices(made_.axes));
    if (at_.kind == step_kind::collective && !grouped && !processes_.reproducible) {
      if (kind == collective::all_reduce) return reduce_all(n), finish();
      if (kind == collective::reduce_scatter) return scatter(n), finish();
    }
    if (kind == collective::all_reduce || kind == collective::reduce_scatter)
      combine_in_order();
    else
      move(moves());
    return finish();
  }
  // After a step has added up this process' parts of `id`, adds those of the other processes.
  TESSERA_COLD message_step bind_sum_of(int id) {
    node const& n = plan_.local[id];
    made_.kind = collective::all_reduce;
    made_.axes = axes_joined(n.attrs);
    made_.over = joining(made_.axes & mesh_.remote());
    made_.combine = n.op->reduction;
    made_.element = n.facts.element;
    sum_in_place(id);
    return finish();
  }

private:
  static std::shared_ptr<channel> carrying(std::shared_ptr<channel> const& processes) {
    return runs_on_host ? processes : data_channel(processes);
  }
  std::shared_ptr<channel> joining(axis_set axes) const { return carrying(processes_.along(axes)); }

  struct part {
    mesh_coordinates device{};
    std::int64_t start[max_rank]{}, at[max_rank]{}, size[max_rank]{};
  };
  // Reduced in place if the blocks are contiguous, else in staging memory.
  TESSERA_COLD void sum_in_place(int id) {
    if (lies_together(id)) return sum_of(whole_of(id));
    strides const dense = packed_strides(facts(id));
    std::int64_t const elements = facts(id).size() * mesh_.held_devices(facts(id).varying);
    std::int64_t const to = reserve(elements, made_.element), size = bytes_of(made_.element);
    transfer in = between(where_[id].slot, begin_of(id), slot_, to, made_.element);
    transfer out = between(slot_, to, where_[id].slot, begin_of(id), made_.element);
    over_blocks(in, facts(id), where_[id].at, dense);
    over_blocks(out, facts(id), dense, where_[id].at);
    made_.before.push_back({prepare(in)});
    made_.after.push_back({prepare(out)});
    sum_of({slot_, to * size, elements * size});
  }
  // Adds up this process' blocks, in the result or in staging memory; then a message adds those of all processes.
  TESSERA_COLD void reduce_all(node const& n) {
    axis_set const axes = n.attrs.as<collective_params>().axes;
    made_.over = joining(axes & mesh_.remote());
    made_.combine = n.op->reduction;
    made_.element = n.facts.element;
    bool const staged = ahead_ || at_.outputs.count > 1 || !lies_together(at_.node);
    if (!staged && mesh_.held_devices(axes) == 1 && alike(operand(0), at_.node)) {  // one block: no local sum
      sum_of(whole_of(at_.node));
      made_.in = whole_of(operand(0));
      return;
    }
    auto& own = made_.before.emplace_back();
    if (staged) made_.after.emplace_back();
    std::int64_t const first = staging_;
    for (int k = 0; k < at_.outputs.count; ++k) {
      int const in = operand(k), out = output(k);
      array_value const& sum = facts(out);
      strides const &from = where_[in].at, dense = packed_strides(sum), &to = staged ? dense : where_[out].at;
      std::int64_t const at = staged ? reserve(sum.size() * mesh_.held_devices(sum.varying), made_.element) : 0;
      transfer t = between(where_[in].slot, begin_of(in), staged ? slot_ : where_[out].slot,
                           staged ? at : begin_of(out), made_.element);
      for (int a = 0; a < mesh_.rank; ++a) {
        if (sum.varying.contains(a)) t.keep(mesh_.held(a), from.axis_stride[a], to.axis_stride[a]);
        if (axes.contains(a) && !sum.varying.contains(a)) t.reduce(mesh_.held(a), from.axis_stride[a]);
      }
      for (int d = 0; d < sum.rank; ++d) t.keep(sum.extent(d), from.dim_stride[d], to.dim_stride[d]);
      t.combine = made_.combine;
      t.in_order = true;
      own.push_back(prepare(t));
      if (!staged) continue;
      transfer back = between(slot_, at, where_[out].slot, begin_of(out), made_.element);
      over_blocks(back, sum, dense, where_[out].at);
      made_.after.back().push_back(prepare(back));
    }
    if (staged)
      sum_of({slot_, first, staging_ - first});
    else
      sum_of(whole_of(at_.node));
  }
  // All elements of a run are reduced with those of the other processes.
  void sum_of(message_step::byte_run const& run) {
    made_.count = run.bytes / bytes_of(made_.element);
    made_.out = made_.in = run;
  }
  // Whether both values are contiguous with the same order of elements.
  bool alike(int in, int out) const {
    return lies_together(in) && lies_together(out) && whole_of(in).bytes == whole_of(out).bytes;
  }
  bool lies_together(int id) const {
    return same_elements(where_[id].at, own_strides(facts(id), mesh_), facts(id), mesh_);
  }
  message_step::byte_run whole_of(int id) const {
    auto const size = bytes_of(facts(id).element);
    return {where_[id].slot, begin_of(id) * size,
            block_stride(facts(id)) * mesh_.held_devices(facts(id).varying) * size};
  }

  // Adds up this process' blocks, with the parts for one process together; the message then gives each process its own
  // part.
  TESSERA_COLD void scatter(node const& n) {
    auto const& over = n.attrs.as<collective_params>();
    axis_set const axes = over.order.axes(), remote = axes & mesh_.remote();
    int const in = operand(0), out = at_.node, dim = static_cast<int>(over.dim);
    array_value const& part = facts(out);
    made_.over = joining(remote);
    made_.combine = n.op->reduction;
    made_.element = n.facts.element;
    // By axis: the distance between the parts of neighboring devices in the operand.
    by_dim<std::int64_t> step{};
    std::int64_t length = part.extent(dim) * where_[in].at.dim_stride[dim];
    for (int k = over.order.count() - 1; k >= 0; --k) {
      step[over.order.axis(k)] = length;
      length *= mesh_.size(over.order.axis(k));
    }
    // One device per process along the axes, and contiguous parts: sent from the operand's memory.
    if (!ahead_ && mesh_.held_devices(axes | facts(in).varying) == 1 &&
        is_run(box_of_block(in), facts(in).extents.items, facts(in).rank) &&
        is_run(box_of_block(out), part.extents.items, part.rank) && leads(facts(in), dim) && remote.size() == 1) {
      sum_of({where_[out].slot, begin_of(out) * bytes_of(made_.element), part.size() * bytes_of(made_.element)});
      made_.in = {where_[in].slot, begin_of(in) * bytes_of(made_.element), facts(in).size() * bytes_of(made_.element)};
      return;
    }
    // In staging memory, ordered by process, by device, by element.
    std::int64_t processes = 1, blocks = mesh_.held_devices(part.varying);
    for (int a = 0; a < mesh_.rank; ++a)
      if (remote.contains(a)) processes *= processes_.sizes[a];
    made_.count = blocks * part.size();
    std::int64_t const sum = reserve(processes * made_.count, made_.element), own = reserve(made_.count, made_.element);
    strides const dense = packed_strides(part);
    transfer t = between(where_[in].slot, begin_of(in), slot_, sum, made_.element);
    std::int64_t to = processes * made_.count;
    for (int a = 0; a < mesh_.rank; ++a)
      if (remote.contains(a)) {
        to /= processes_.sizes[a];
        t.keep(processes_.sizes[a], step[a] * mesh_.held(a), to);
      }
    for (int a = 0; a < mesh_.rank; ++a) {
      std::int64_t const from = where_[in].at.axis_stride[a];
      if (part.varying.contains(a)) t.keep(mesh_.held(a), axes.contains(a) ? step[a] : from, dense.axis_stride[a]);
      if (axes.contains(a)) t.reduce(mesh_.held(a), from);
    }
    for (int d = 0; d < part.rank; ++d) t.keep(part.extent(d), where_[in].at.dim_stride[d], dense.dim_stride[d]);
    t.combine = made_.combine;
    t.in_order = true;
    made_.before.push_back({prepare(t)});
    auto const size = bytes_of(made_.element);
    made_.in = {slot_, sum * size, processes * made_.count * size};
    made_.out = {slot_, own * size, made_.count * size};
    transfer back = between(slot_, own, where_[out].slot, begin_of(out), made_.element);
    over_blocks(back, part, dense, where_[out].at);
    made_.after.push_back({prepare(back)});
  }

  // The box of this process' only block.
  box box_of_block(int id) const { return {begin_of(id), where_[id].slot, where_[id].at}; }
  // Whether all dimensions before `dim` have extent 1.
  static bool leads(array_value const& v, int dim) {
    for (int d = 0; d < dim; ++d)
      if (v.extent(d) != 1) return false;
    return true;
  }

  std::vector<int> moves() const {
    if (at_.kind == step_kind::collective) return {at_.node};
    return {plan_.lists + at_.exchanges.first, plan_.lists + at_.exchanges.first + at_.exchanges.count};
  }

  TESSERA_COLD void move(std::vector<int> const& chain) {
    made_.over = carrying(processes_.all);
    made_.element = facts(chain.back()).element;
    made_.before.emplace_back();
    made_.after.emplace_back();
    int const from = plan_.local.operand(chain.front(), 0), to = chain.back();
    array_value const& result = facts(to);
    each_block(result.varying, [&](int receiver, mesh_coordinates const& device) {
      std::vector<part> parts(1);
      parts[0].device = device;
      for (int d = 0; d < result.rank; ++d) parts[0].size[d] = result.extent(d);
      for (auto k = chain.size(); k-- > 0;) {
        std::vector<part> earlier;
        for (part const& p : parts) back(chain[k], p, earlier);
        parts = std::move(earlier);
      }
      for (part& p : parts) {
        if (p.device[0] == nowhere) {
          if (receiver == processes_.me()) clear(to, device, p);
          continue;
        }
        // If all devices along an axis have the same block, the receiver's process has it, too.
        for (int a = 0; a < mesh_.rank; ++a)
          if (!facts(from).varying.contains(a)) p.device[a] = device[a];
        int const sender = processes_.owner(mesh_, p.device), me = processes_.me();
        carry(sender, receiver, sender == me ? box_of(from, p.device, p.start) : box{},
              receiver == me ? box_of(to, device, p.at) : box{}, p.size, result.rank);
      }
    });
    pack();
  }
  static constexpr std::int64_t nowhere = -1;
  void clear(int id, mesh_coordinates const& device, part const& p) {
    box const to = box_of(id, device, p.at);
    transfer t = copied(to, to, p.size, facts(id).rank);
    t.combine = monoid::sum;  // an empty sum: zeros
    t.reduce(0, 0);
    here().push_back(prepare(t));
  }

  // Adds the source of part p of the move's result to `before`: the device and the position in its block.
  TESSERA_COLD void back(int id, part p, std::vector<part>& before) const {
    node const& n = plan_.local[id];
    if (n.attrs.kind() == params_kind::exchange) {
      p.device = collectives::permute::source(mesh_, n.attrs.as<exchange_params>(), p.device);
      return before.push_back(p);
    }
    collective_params const& along = n.attrs.as<collective_params>();
    if (n.op->message == collective::permute) {
      if (along.order.empty()) {  // from_first
        for (int a = 0; a < mesh_.rank; ++a)
          if (along.axes.contains(a)) p.device[a] = 0;
        return before.push_back(p);
      }
      auto const* const sources = along.table + 1 + (along.backwards ? along.table[0] : 0);
      std::int64_t const source = sources[position_along(mesh_, p.device, along.order)];
      if (source < 0)
        p.device[0] = nowhere;
      else
        p.device = moved_along(mesh_, p.device, along.order, source);
      return before.push_back(p);
    }
    bool const gather = n.op->message == collective::all_gather;
    auto const own_group = members(along, p.device);
    std::int64_t const position = own_position(own_group, along, p.device);
    int const grown = static_cast<int>(gather ? along.dim : along.concat_dim);
    auto const parts =
        own_group.empty() ? mesh_.devices(along.order.axes()) : static_cast<std::int64_t>(own_group.size());
    std::int64_t const piece = n.facts.extent(grown) / parts;
    if (!gather && along.dim != grown) p.start[along.dim] += position * n.facts.extent(static_cast<int>(along.dim));
    std::int64_t const end = p.start[grown] + p.size[grown];
    for (std::int64_t from = p.start[grown]; from < end;) {
      std::int64_t const sender = from / piece, next = std::min(end, (sender + 1) * piece);
      part q = p;
      q.at[grown] = p.at[grown] + from - p.start[grown];
      q.size[grown] = next - from;
      q.start[grown] = from - sender * piece;
      if (!gather && along.dim == grown) q.start[grown] += position * piece;
      q.device = moved_along(mesh_, p.device, along.order, own_group.empty() ? sender : own_group[sender]);
      before.push_back(q);
      from = next;
    }
  }
  // The positions in the device's group, in order; empty if all devices along the axes are one group.
  std::vector<std::int64_t> members(collective_params const& along, mesh_coordinates const& device) const {
    std::vector<std::int64_t> all;
    device_groups const groups{along.table};
    if (!groups) return all;
    std::int64_t const own = position_along(mesh_, device, along.order);
    for (int g = 0; g < groups.count(); ++g)
      for (int k = 0; k < groups.size(g); ++k)
        if (groups.member(g, k) == own) {
          for (int m = 0; m < groups.size(g); ++m) all.push_back(groups.member(g, m));
          return all;
        }
    return all;
  }
  std::int64_t own_position(std::vector<std::int64_t> const& group, collective_params const& along,
                            mesh_coordinates const& device) const {
    std::int64_t const own = position_along(mesh_, device, along.order);
    for (std::size_t k = 0; k < group.size(); ++k)
      if (group[k] == own) return static_cast<std::int64_t>(k);
    return own;
  }

  // Sums in the order of the devices: this process receives each device's part and adds them in order. Used within
  // groups, and if the result must not depend on the grid of processes.
  TESSERA_COLD void combine_in_order() {
    node const& n = plan_.local[at_.node];
    collective_params along = n.attrs.as<collective_params>();
    bool const scatters = n.op->message == collective::reduce_scatter;
    if (along.order.empty())
      for (int a = 0; a < mesh_.rank; ++a)
        if (along.axes.contains(a)) along.order.append(a);
    made_.over = carrying(processes_.all);
    made_.element = n.facts.element;
    made_.before.emplace_back();
    made_.after.emplace_back();
    std::vector<transfer_work> sums;
    for (int k = 0; k < at_.outputs.count; ++k) {
      int const in = operand(k), out = output(k);
      array_value const& result = facts(out);
      strides const dense = row_major(result.extents.items, result.rank);
      std::int64_t const elements = result.size();
      each_block(result.varying, [&](int receiver, mesh_coordinates const& device) {
        auto const group = members(along, device);
        auto const parts = group.empty() ? mesh_.devices(along.order.axes()) : static_cast<std::int64_t>(group.size());
        std::int64_t start[max_rank]{};
        if (scatters)
          start[along.dim] = own_position(group, along, device) * result.extent(static_cast<int>(along.dim));
        bool const here = receiver == processes_.me();
        std::int64_t const staged = here ? reserve(parts * elements, made_.element) : 0;
        for (std::int64_t m = 0; m < parts; ++m) {
          mesh_coordinates source = moved_along(mesh_, device, along.order, group.empty() ? m : group[m]);
          for (int a = 0; a < mesh_.rank; ++a)
            if (!facts(in).varying.contains(a)) source[a] = device[a];
          int const sender = processes_.owner(mesh_, source);
          carry(sender, receiver, sender == processes_.me() ? box_of(in, source, start) : box{},
                box{staged + m * elements, slot_, dense}, result.extents.items, result.rank);
        }
        if (!here) return;
        transfer t = between(slot_, staged, where_[out].slot, block_at(out, device), made_.element);
        for (int d = 0; d < result.rank; ++d)
          t.keep(result.extent(d), dense.dim_stride[d], where_[out].at.dim_stride[d]);
        t.reduce(parts, elements);
        t.combine = n.op->reduction;
        t.in_order = true;
        sums.push_back(prepare(t));
      });
    }
    pack();
    made_.after.push_back(std::move(sums));
    made_.kind = collective::all_to_all;
  }
};

TESSERA_COLD inline message_step message_step::bind(step_binding& b) {
  message_step made = message_binder(b.plan, b.at, b.where, b.staging.slot, 0, b.staging.ahead).bind();
  b.staged = made.staging_bytes;
  b.need_scratch(made.scratch_bytes);
  if (b.is(step_kind::collective)) b.done = {{made.counted, made.axes, made.bytes}};
  return made;
}

}  // namespace tessera::detail
