// SPDX-License-Identifier: Apache-2.0
#pragma once
// A ragged_all_to_all step: the host reads and checks sizes and offsets, which determine the rows that move between
// blocks. One tile writes each device's result, in the order of senders.

#include <tessera/comm/channel/mesh_processes.hpp>
#include <tessera/engine/comm/channel/traffic.hpp>
#include <tessera/engine/exec/fused/find_lanes.hpp>
#include <tessera/engine/exec/memory/device_blocks.hpp>
#include <tessera/engine/exec/memory/device_bytes.hpp>
#include <tessera/engine/exec/memory/step_binding.hpp>
#include <tessera/engine/exec/move/bind_copy.hpp>
#include <tessera/engine/exec/move/in_process.hpp>
#include <tessera/engine/spec/position.hpp>
#include <tessera/exec/memory/blocks.hpp>

#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tessera::detail {

struct ragged_step {
  std::vector<transfer_work> copied;  // copies the initial result
  device_blocks x, result, lists[4];
  dtype element{}, list_elements[4]{};
  mesh_value mesh{};
  entry_value axes{};
  axis_set others{};                     // other axes over which results differ
  lane_functions const* sums = nullptr;  // set if rows are added
  std::int64_t rows_in = 0, rows_out = 0, row_bytes = 0, slices = 0;
  std::shared_ptr<channel> others_of_run;  // of the processes along the axes

  static bool takes(step_binding const& b) { return b.is(step_kind::collective) && b.is_ragged(); }
  static ragged_step bind(step_binding& b);
  void run(step_run const& r) const;
};

TESSERA_COLD inline ragged_step ragged_step::bind(step_binding& b) {
  plan_view const& plan = b.plan;
  step const& at = b.at;
  locations const& where = b.where;
  node const& n = plan.local[at.node];
  auto const id_of = [&](int k) { return plan.local.operand(at.node, k); };
  ragged_step made;
  made.mesh = *plan.local.mesh;
  made.axes = n.attrs.as<collective_params>().order;
  if (axis_set const remote = made.axes.axes() & made.mesh.remote(); !remote.empty())
    made.others_of_run = static_cast<mesh_processes const*>(made.mesh.processes)->along(remote);
  made.others = n.facts.varying - made.axes.axes();
  made.element = n.facts.element;
  made.x = bind_blocks(plan, where, id_of(0));
  made.result = bind_blocks(plan, where, at.node);
  for (int k = 0; k < 4; ++k) {
    made.lists[k] = bind_blocks(plan, where, id_of(2 + k));
    made.list_elements[k] = plan.local[id_of(2 + k)].facts.element;
  }
  if (n.attrs.as<collective_params>().adds) made.sums = &lanes_of(n.facts.element, monoid::sum);
  made.rows_in = plan.local[id_of(0)].facts.extent(0);
  made.rows_out = n.facts.extent(0);
  made.row_bytes = bytes_of(n.facts.element);
  for (int d = 1; d < n.facts.rank; ++d) made.row_bytes *= n.facts.extent(d);
  made.slices = plan.local[id_of(2)].facts.extent(0);

  location const &from = where[id_of(1)], &out = where[at.node];
  transfer t = transfer_between(from, out, n.facts.element, where.scratch());
  for (int a = 0; a < made.mesh.rank; ++a)
    if (n.facts.varying.contains(a)) {
      bool const differs = plan.local[id_of(1)].facts.varying.contains(a);
      t.keep(made.mesh.held(a), differs ? from.at.axis_stride[a] : 0, out.at.axis_stride[a]);
    }
  for (int d = 0; d < n.facts.rank; ++d) t.keep(n.facts.extents[d], from.at.dim_stride[d], out.at.dim_stride[d]);
  if (transfer_work const w = prepare(t); w.tiles > 0) made.copied.push_back(w);
  number_tiles(made.copied.data(), static_cast<int>(made.copied.size()));
  return made;
}

class ragged_runner {
public:
  ragged_runner(ragged_step const& s, std::byte* const* frame) : s_(s), frame_(frame) {}

  void run(std::string const& label, traffic& counted) {
    fence();
    std::int64_t const devices = s_.mesh.devices(s_.axes.axes());
    for (std::int64_t g = 0; g < s_.mesh.held_devices(s_.others); ++g) {
      mesh_coordinates group = coordinates_of(s_.mesh.held(), g, s_.others);
      for (int a = 0; a < s_.mesh.rank; ++a) group[a] += s_.mesh.first_held(a);
      find_moves(group, devices, label);
    }
    if (s_.others_of_run) exchange_rows(label);
    if (!s_.copied.empty()) run_transfers(label, {s_.copied.data(), static_cast<int>(s_.copied.size())}, frame_);
    if (!s_.axes.empty()) counted.count(collective::ragged_all_to_all, s_.axes.axes(), most_sent_);
    if constexpr (runs_on_host)
      launch_tiles(label, {&move_tile, this, frame_}, static_cast<std::int64_t>(targets_.size()), moved_);
    else
      for (auto const& target : targets_)
        for (move const& m : target)
          if (s_.sums)
            add_there(m);
          else
            move_bytes(m.to, m.from, m.bytes);
  }

private:
  struct move {
    std::byte* to;
    std::byte const* from;  // null: received from `origin`, `staged` bytes after its first row
    std::size_t bytes;
    int origin = 0;
    std::int64_t staged = 0;
  };
  struct slices {
    std::vector<std::int64_t> list[4];  // input offsets, send sizes, output offsets, recv sizes
  };

  static void move_tile(void const* work, std::byte* const*, std::int64_t tile) {
    auto const& self = *static_cast<ragged_runner const*>(work);
    for (move const& m : self.targets_[tile])
      if (self.s_.sums)
        self.add(m);
      else if (m.bytes > 0)
        std::memcpy(m.to, m.from, m.bytes);
  }
  // Adds the rows to the result, in host memory.
  void add(move const& m) const {
    constexpr std::int64_t most = 512;
    alignas(64) std::byte sum[most * most_register_bytes];
    std::int64_t const size = bytes_of(s_.element), n = static_cast<std::int64_t>(m.bytes) / size;
    for (std::int64_t i = 0; i < n; i += most) {
      std::int64_t const count = std::min(most, n - i);
      s_.sums->start(sum, count);
      s_.sums->add(sum, m.to + i * size, 1, count);
      s_.sums->add(sum, m.from + i * size, 1, count);
      s_.sums->element->scatter(m.to + i * size, 1, sum, count);
    }
  }
  void add_there(move const& m) const {
    std::vector<std::byte> to(m.bytes), from(m.bytes);
    fence();
    copy_bytes(to.data(), m.to, m.bytes, false);
    copy_bytes(from.data(), m.from, m.bytes, false);
    add({to.data(), from.data(), m.bytes, 0, 0});
    copy_bytes(m.to, to.data(), m.bytes, true);
  }

  mesh_coordinates device(mesh_coordinates const& at, std::int64_t position) const {
    return moved_along(s_.mesh, at, s_.axes, position);
  }
  // The coordinates among this process' devices.
  mesh_coordinates held(mesh_coordinates at) const {
    for (int a = 0; a < s_.mesh.rank; ++a) at[a] -= s_.mesh.first_held(a);
    return at;
  }
  // The process of a device, as a rank of the channel.
  int rank_of(mesh_coordinates const& at) const {
    int rank = 0;
    axis_set const remote = s_.axes.axes() & s_.mesh.remote();
    for (int a = 0; a < s_.mesh.rank; ++a)
      if (remote.contains(a))
        rank = rank * static_cast<int>(s_.mesh.processes->sizes[a]) + static_cast<int>(at[a] / s_.mesh.held(a));
    return rank;
  }
  bool is_here(int rank) const { return !s_.others_of_run || rank == s_.others_of_run->rank(); }

  std::vector<std::int64_t> numbers(int k, mesh_coordinates const& at) const {
    std::size_t const n = s_.slices;
    std::vector<std::int64_t> wide(n);
    std::byte const* const list = s_.lists[k].of(frame_, held(at));
    if (s_.list_elements[k] == dtype::int64) {
      copy_bytes(reinterpret_cast<std::byte*>(wide.data()), list, n * 8, false);
    } else {
      std::vector<std::int32_t> narrow(n);
      copy_bytes(reinterpret_cast<std::byte*>(narrow.data()), list, n * 4, false);
      wide.assign(narrow.begin(), narrow.end());
    }
    return wide;
  }
  // The lists of all devices of a group (they differ over the axes only), including those of other processes.
  std::vector<slices> lists_of(mesh_coordinates const& group, std::int64_t devices, std::string const& label) const {
    std::vector<slices> all(devices);
    std::size_t const n = s_.slices, each = 4 * n;
    std::vector<std::int64_t> own;
    for (std::int64_t d = 0; d < devices; ++d)
      if (mesh_coordinates const at = device(group, d); is_here(rank_of(at)))
        for (int k = 0; k < 4; ++k) {
          auto& list = all[d].list[k] = numbers(k, at);
          own.insert(own.end(), list.begin(), list.end());
        }
    if (!s_.others_of_run) return all;
    std::vector<std::int64_t> from_all(own.size() * s_.others_of_run->size());
    s_.others_of_run->all_gather(from_all.data(), own.data(), static_cast<std::int64_t>(own.size() * 8), label).wait();
    std::vector<std::size_t> next(s_.others_of_run->size(), 0);
    for (std::int64_t d = 0; d < devices; ++d) {
      std::size_t const rank = rank_of(device(group, d));
      auto from = from_all.begin() + static_cast<std::ptrdiff_t>(rank * own.size() + next[rank]);
      for (auto& list : all[d].list) {
        list.assign(from, from + static_cast<std::ptrdiff_t>(n));
        from += static_cast<std::ptrdiff_t>(n);
      }
      next[rank] += each;
    }
    return all;
  }

  // Finds the rows that the devices of a group send each other.
  void find_moves(mesh_coordinates const& group, std::int64_t devices, std::string const& label) {
    std::vector<slices> const all = lists_of(group, devices, label);
    std::int64_t const each = s_.slices / devices;
    std::vector<std::int64_t> sent(devices, 0);
    for (std::int64_t to = 0; to < devices; ++to) {
      mesh_coordinates const receiver = device(group, to);
      int const there = rank_of(receiver);
      std::byte* const result = is_here(there) ? s_.result.of(frame_, held(receiver)) : nullptr;
      if (result) targets_.emplace_back();
      for (std::int64_t from = 0; from < devices; ++from) {
        mesh_coordinates const sender = device(group, from);
        int const origin = rank_of(sender);
        std::byte const* const source = is_here(origin) ? s_.x.of(frame_, held(sender)) : nullptr;
        for (std::int64_t i = 0; i < each; ++i) {
          slices const& sends = all[from];
          std::size_t const out = to * each + i, in = from * each + i;
          std::int64_t const begin = sends.list[0][out], rows = sends.list[1][out], target = sends.list[2][out];
          check("device " + std::to_string(from) + " sends", begin, rows, s_.rows_in, out);
          check("device " + std::to_string(to) + " receives", target, rows, s_.rows_out, in);
          if (all[to].list[3][in] != rows)
            throw std::out_of_range("tessera: ragged_all_to_all: device " + std::to_string(from) + " sends " +
                                    std::to_string(rows) + " rows, and device " + std::to_string(to) + " expects " +
                                    std::to_string(all[to].list[3][in]) + " (slice " + std::to_string(in) +
                                    " of recv_sizes). Fix: recv_sizes is all_to_all of send_sizes.");
          std::int64_t const bytes = rows * s_.row_bytes;
          if (from != to) sent[from] += bytes;
          if (result) moved_ += 2 * bytes;
          if (source && !result) {
            auto& rows_there = outgoing_[there];
            std::size_t const at = rows_there.size();
            rows_there.resize(at + bytes);
            copy_bytes(rows_there.data() + at, source + begin * s_.row_bytes, bytes, false);
          }
          if (!result) continue;
          move m{result + target * s_.row_bytes, nullptr, static_cast<std::size_t>(bytes), origin, 0};
          if (source)
            m.from = source + begin * s_.row_bytes;
          else
            m.staged = std::exchange(incoming_[origin], incoming_[origin] + bytes);
          targets_.back().push_back(m);
        }
      }
    }
    for (std::int64_t bytes : sent) most_sent_ = std::max(most_sent_, bytes);
  }
  // Exchanges rows with the other processes; the rows of each sender are contiguous.
  void exchange_rows(std::string const& label) {
    std::size_t const ranks = s_.others_of_run->size();
    std::vector<message_part> sends(ranks), receives(ranks);
    std::vector<std::byte> out;
    for (auto const& [rank, rows] : outgoing_) {
      sends[rank] = {static_cast<std::int64_t>(out.size()), static_cast<std::int64_t>(rows.size())};
      out.insert(out.end(), rows.begin(), rows.end());
    }
    std::int64_t all = 0;
    for (auto const& [rank, bytes] : incoming_) {
      receives[rank] = {all, bytes};
      all += bytes;
    }
    received_ = buffer(all);
    std::vector<std::byte> on_host(runs_on_host ? 0 : all);
    std::byte* const in = runs_on_host ? received_.data() : on_host.data();
    s_.others_of_run->exchange(in, receives, out.data(), sends, label).wait();
    if (!runs_on_host) copy_bytes(received_.data(), in, on_host.size(), true);
    for (auto& target : targets_)
      for (move& m : target)
        if (!m.from) m.from = received_.data() + receives[m.origin].offset + m.staged;
  }
  static void check(std::string const& who, std::int64_t begin, std::int64_t rows, std::int64_t all,
                    std::size_t slice) {
    if (begin >= 0 && rows >= 0 && begin <= all && rows <= all - begin) return;
    throw std::out_of_range("tessera: ragged_all_to_all: " + who + " rows " + std::to_string(begin) + " to " +
                            std::to_string(begin + rows) + " of " + std::to_string(all) + " (slice " +
                            std::to_string(slice) + "). Fix: offsets and sizes that stay inside.");
  }

  ragged_step const& s_;
  std::byte* const* frame_;
  std::vector<std::vector<move>> targets_;
  std::int64_t moved_ = 0, most_sent_ = 0;
  std::map<int, std::vector<std::byte>> outgoing_;  // rows by receiving rank
  std::map<int, std::int64_t> incoming_;            // bytes by sending rank
  buffer received_{};
};

inline void ragged_step::run(step_run const& r) const { ragged_runner(*this, r.frame).run(r.label, r.comm.counted()); }

}  // namespace tessera::detail
