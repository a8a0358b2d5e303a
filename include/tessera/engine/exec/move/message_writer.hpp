// SPDX-License-Identifier: Apache-2.0
#pragma once
// Assembles a message between processes from parts of blocks: the byte runs and the copies that it needs.
// engine/exec/move/bind_message.hpp gives the parts.

#include <tessera/engine/exec/move/bind_copy.hpp>
#include <tessera/engine/exec/move/channel_message.hpp>
#include <tessera/mesh/coordinates.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace tessera::detail {

class message_writer {
public:
  // `slot`: of the staging memory; `staging`: its first free byte. `ahead`: the message is started early, and the
  // result's memory may have another value until it has arrived, so only staging memory is written before.
  message_writer(plan_view const& plan, step const& at, locations const& where, int slot, std::int64_t staging,
                 bool ahead)
      : plan_(plan),
        at_(at),
        where_(where),
        mesh_(*plan.local.mesh),
        processes_(static_cast<mesh_processes const&>(*mesh_.processes)),
        slot_(slot),
        staging_(staging),
        first_(staging),
        ahead_(ahead) {}

protected:
  // A part of a block in this process' memory; `lies`: its strides.
  struct box {
    std::int64_t begin = 0;
    int slot = -1;
    strides lies{};
  };

  message_step finish() {
    for (auto* phases : {&made_.before, &made_.after})
      for (auto& phase : *phases) {
        phase.erase(std::remove_if(phase.begin(), phase.end(), [](transfer_work const& w) { return w.tiles == 0; }),
                    phase.end());
        for (auto& w : phase) {
          if (phase.size() > 1) without_splits(w);
          made_.scratch_bytes = std::max(made_.scratch_bytes, w.scratch_bytes);
        }
        number_tiles(phase.data(), static_cast<int>(phase.size()));
      }
    made_.staging_slot = slot_;
    made_.staging_bytes = staging_ - first_;
    return std::move(made_);
  }
  // Reserves staging memory; returns its beginning, in elements.
  std::int64_t reserve(std::int64_t elements, dtype element) {
    std::int64_t const size = bytes_of(element), begin = staging_;
    staging_ += (elements * size + 63) / 64 * 64;
    return begin / size;
  }
  transfer between(int in_slot, std::int64_t in, int out_slot, std::int64_t out, dtype element) const {
    transfer t;
    t.element = element;
    t.in_slot = in_slot;
    t.out_slot = out_slot;
    t.scratch_slot = where_.scratch();
    t.in_offset = in;
    t.out_offset = out;
    return t;
  }
  std::int64_t begin_of(int id) const {
    location const& l = where_[id];
    return l.at.offset + l.bytes / bytes_of(plan_.local[id].facts.element);
  }
  array_value const& facts(int id) const { return plan_.local[id].facts; }
  int operand(int k) const { return plan_.local.operand(at_.node, k); }
  int output(int k) const { return k == 0 ? at_.node : plan_.lists[at_.outputs.first + k]; }

  strides packed_strides(array_value const& v) const {
    strides s = own_strides(v, mesh_);
    std::int64_t const padded = block_stride(v);
    for (auto& step : s.axis_stride) step = padded == 0 ? 0 : step / padded * v.size();
    return s;
  }
  void over_blocks(transfer& t, array_value const& v, strides const& in, strides const& out) const {
    for (int a = 0; a < mesh_.rank; ++a)
      if (v.varying.contains(a)) t.keep(mesh_.held(a), in.axis_stride[a], out.axis_stride[a]);
    for (int d = 0; d < v.rank; ++d) t.keep(v.extent(d), in.dim_stride[d], out.dim_stride[d]);
  }

  // Calls f(process, device) for every distinct block over `varying` of every process.
  template <class F>
  void each_block(axis_set varying, F const& f) const {
    mesh_value const own = mesh_.held();
    for (int p = 0; p < processes_.count(); ++p) {
      mesh_coordinates const at = processes_.position(p);
      for (std::int64_t k = 0; k < own.devices(varying); ++k) {
        mesh_coordinates device = coordinates_of(own, k, varying);
        for (int a = 0; a < mesh_.rank; ++a) device[a] += at[a] * own.size(a);
        f(p, device);
      }
    }
  }
  // The offset of the device's block of `id` in this process' memory.
  std::int64_t block_at(int id, mesh_coordinates const& device) const {
    std::int64_t at = begin_of(id);
    for (int a = 0; a < mesh_.rank; ++a)
      if (facts(id).varying.contains(a)) at += (device[a] - mesh_.first_held(a)) * where_[id].at.axis_stride[a];
    return at;
  }

  box box_of(int id, mesh_coordinates const& device, std::int64_t const* start) const {
    box b{block_at(id, device), where_[id].slot, where_[id].at};
    for (int d = 0; d < facts(id).rank; ++d) b.begin += start[d] * b.lies.dim_stride[d];
    return b;
  }
  static strides row_major(std::int64_t const* size, int rank) {
    strides dense;
    std::int64_t step = 1;
    for (int d = rank - 1; d >= 0; step *= size[d], --d) dense.dim_stride[d] = step;
    return dense;
  }
  transfer copied(box const& from, box const& to, std::int64_t const* size, int rank) const {
    transfer t = between(from.slot, from.begin, to.slot, to.begin, made_.element);
    for (int d = 0; d < rank; ++d) t.keep(size[d], from.lies.dim_stride[d], to.lies.dim_stride[d]);
    return t;
  }
  static bool is_run(box const& b, std::int64_t const* size, int rank) {
    std::int64_t expected = 1;
    for (int d = rank - 1; d >= 0; expected *= size[d], --d)
      if (size[d] != 1 && b.lies.dim_stride[d] != expected) return false;
    return true;
  }

  // A part that this process sends to another one, or receives from it.
  struct carried_part {
    box mine{};
    std::int64_t size[max_rank]{};
    int rank = 0;
    std::int64_t elements = 0;
  };
  using carried = std::vector<carried_part>;

  // The moves within this process: before the message, or after it if the result's memory is not free yet.
  std::vector<transfer_work>& here() { return (ahead_ ? made_.after : made_.before).front(); }

  // Adds a part that process `sender` sends to `receiver`. All processes call this in the same order.
  TESSERA_COLD void carry(int sender, int receiver, box const& from, box const& to, std::int64_t const* size,
                          int rank) {
    int const me = processes_.me();
    std::int64_t elements = 1;
    for (int d = 0; d < rank; ++d) elements *= size[d];
    if (elements == 0 || (sender != me && receiver != me)) return;
    if (sender == receiver) return here().push_back(prepare(copied(from, to, size, rank)));
    bool const sends = sender == me;
    carried& all = carried_[{sends, processes_.ranks[sends ? receiver : sender]}];
    carried_part p{sends ? from : to, {}, rank, elements};
    std::copy(size, size + rank, p.size);
    if (is_run(p.mine, size, rank)) {  // adjacent runs become one part
      p.rank = 1;
      p.size[0] = elements;
      p.mine.lies = row_major(p.size, 1);
      if (!all.empty() && all.back().rank == 1 && all.back().mine.lies.dim_stride[0] == 1 &&
          all.back().mine.slot == p.mine.slot && all.back().mine.begin + all.back().elements == p.mine.begin) {
        all.back().elements += elements;
        all.back().size[0] += elements;
        return;
      }
    }
    all.push_back(p);
  }
  // A single run is sent from where it is; several parts are packed in staging memory.
  TESSERA_COLD void pack() {
    auto const size = bytes_of(made_.element);
    for (auto const& [way, parts] : carried_) {
      auto const [sends, peer] = way;
      auto& pieces = sends ? made_.sends : made_.receives;
      carried_part const& first = parts.front();
      bool const in_place = sends || !ahead_ || first.mine.slot == slot_;
      if (in_place && parts.size() == 1 && is_run(first.mine, first.size, first.rank)) {
        pieces.push_back({peer, {first.mine.slot, first.mine.begin * size, first.elements * size}});
        continue;
      }
      std::int64_t elements = 0;
      for (carried_part const& p : parts) elements += p.elements;
      std::int64_t at = reserve(elements, made_.element);
      pieces.push_back({peer, {slot_, at * size, elements * size}});
      for (carried_part const& p : parts) {
        box const staged{at, slot_, row_major(p.size, p.rank)};
        at += p.elements;
        auto& works = sends ? made_.before.front() : made_.after.front();
        works.push_back(
            prepare(sends ? copied(p.mine, staged, p.size, p.rank) : copied(staged, p.mine, p.size, p.rank)));
      }
    }
    carried_.clear();
  }

  plan_view const& plan_;
  step const& at_;
  locations const& where_;
  mesh_value const& mesh_;
  mesh_processes const& processes_;
  int slot_;
  std::int64_t staging_, first_;
  bool ahead_;
  std::map<std::pair<bool, int>, carried> carried_;  // by direction (true: sent) and the peer's rank
  message_step made_{};
};

}  // namespace tessera::detail
