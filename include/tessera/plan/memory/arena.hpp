// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where values are stored: results in the caller's buffers, temporaries in one arena of device memory and one of host
// memory, whose parts are reused after their last reader has run. First fit over the temporaries alive; the peak is the memory that one device needs at the
// worst step. Products and fused steps may run device by device (engine/exec/run/chain.hpp). So a part that such a step
// has read last is reused by the next one only if it has the same size: the same devices' blocks are then in the same
// places. What a fused step computes for a concatenation, a padding or a slice that is replaced, and nothing else reads,
// is computed within the memory of that.

#include <tessera/plan/base/plan.hpp>
#include <tessera/plan/base/strides.hpp>
#include <tessera/plan/lower/link.hpp>

namespace tessera::detail {

class memory_planner {
public:
  // `regions`: the plans of the regions of its loops. first_strided: that of the lowering.
  constexpr memory_planner(growable_plan& plan, graph_view local, growable<growable_plan> const& regions,
                           int first_strided)
      : p_(plan), g_(local), regions_(regions), first_strided_(first_strided) {
    std::size_t const n = g_.node_count;
    p_.places.resize(n);
    last_use_.resize(n, -1);
    known_ = sizes_known();
    for (int i = 0; i < g_.input_count; ++i) p_.places[g_.inputs[i]] = {place_kind::argument, i, 0};
    for (int i = 0; i < g_.output_count; ++i) p_.places[g_.outputs[i]] = {place_kind::result, i, 0};
    for (int i = 0; i < g_.output_count; ++i) write_directly(g_.outputs[i], i);
    find_last_uses();
    place_parts();
    walk();
    for (int id = 0; id < g_.node_count; ++id) {
      if (p_.places[id].kind != place_kind::nowhere) continue;
      if (shows_operand(g_.nodes[id].op->kind) && p_.places[g_.operand(id, 0)].kind != place_kind::nowhere)
        p_.places[id] = {place_kind::view, g_.operand(id, 0), 0};
      else if (g_.nodes[id].op->kind == op_class::concatenate)
        p_.places[id] = {place_kind::pieces, -1, 0};
    }
  }

private:
  struct part {
    std::int64_t offset, bytes;
    int node;
    bool read = false;  // for the last time, by the previous step
  };
  struct arena {
    growable<part> parts{};  // in use, sorted by offset
    std::int64_t bytes = 0;
  };

  constexpr bool sizes_known() const {
    if (g_.mesh->devices() == dynamic) return false;
    for (int id = 0; id < g_.node_count; ++id)
      if (g_.nodes[id].facts.size() == dynamic) return false;
    return true;
  }

  // If a result has another value's elements in the same order, that value is computed in the result's memory, and the
  // copy does nothing.
  constexpr void write_directly(int output, int result) {
    int from = output;
    while (is_seen(from)) from = g_.operand(from, 0);
    array_value const &own = g_.nodes[from].facts, &wanted = g_.nodes[output].facts;
    if (!known_ || from == output || p_.places[from].kind != place_kind::nowhere || !is_computed(from) ||
        (result >= first_strided_ && is_carried(g_, from)) || own.element != wanted.element ||
        !(own.varying == wanted.varying) || own.size() != wanted.size())
      return;
    strides lies;
    if (seen_strides(output, from, lies) && same_elements(lies, own_strides(wanted, *g_.mesh), wanted, *g_.mesh))
      p_.places[from] = {place_kind::result, result, 0};
  }
  constexpr bool is_seen(int id) const {
    return (g_.nodes[id].op->kind == op_class::identity && !changes_memory(g_, id)) ||
           shows_operand(g_.nodes[id].op->kind);
  }
  // The strides of value `id` in the memory of `from`, of which it is a view or a copy.
  constexpr bool seen_strides(int id, int from, strides& out) const {
    if (id == from) return out = own_strides(g_.nodes[from].facts, *g_.mesh), true;
    strides beneath;
    return seen_strides(g_.operand(id, 0), from, beneath) && view_strides(g_, id, beneath, out);
  }
  constexpr bool is_computed(int id) const {
    int const* const lists = p_.lists.data();
    for (step const& at : p_.steps)
      for (int k = 0; k < at.outputs.count; ++k)
        if (lists[at.outputs.first + k] == id) return true;
    return false;
  }

  // The value whose memory id reads, through views.
  constexpr int base(int id) const {
    while (shows_operand(g_.nodes[id].op->kind)) id = g_.operand(id, 0);
    return id;
  }
  constexpr void find_last_uses() {
    int s = 0;
    for (step const& at : p_.steps) {
      for (int k = 0; k < at.inputs.count; ++k) last_use_[base(p_.lists[at.inputs.first + k])] = s;
      ++s;
    }
  }

  static constexpr std::int64_t least_run = 16;  // elements: rows that are shorter are computed apart, and copied

  // Places what one fused step computes and one assembly reads within the memory of that assembly.
  constexpr void place_parts() {
    if (!known_) return;
    growable<int> readers;
    growable<bool> fused;
    for (step const& at : p_.steps) {
      bool const lives = last_use_[at.node] >= 0 || p_.places[at.node].kind == place_kind::result;
      if (at.kind != step_kind::copy || at.exchanges.count > 0 || !lives) continue;
      if (readers.empty()) count_readers(readers, fused);
      for (int k = 0; k < g_.nodes[at.node].operand_count; ++k) {
        int const x = g_.operand(at.node, k);
        if (p_.places[x].kind == place_kind::nowhere && fused[x] && readers[x] == 1 && fits_within(at.node, k))
          p_.places[x] = {place_kind::within, at.node, 0};
      }
    }
  }
  // By node: how many inputs of steps read its memory; whether a fused step computes it.
  constexpr void count_readers(growable<int>& readers, growable<bool>& fused) const {
    readers.resize(g_.node_count, 0);
    fused.resize(g_.node_count, false);
    for (step const& at : p_.steps) {
      for (int k = 0; k < at.inputs.count; ++k) ++readers[base(p_.lists[at.inputs.first + k])];
      for (int k = 0; k < at.outputs.count && at.kind == step_kind::fused; ++k)
        fused[p_.lists[at.outputs.first + k]] = true;
    }
  }
  constexpr bool fits_within(int whole, int k) const {
    array_value const &own = g_.nodes[g_.operand(whole, k)].facts, &all = g_.nodes[whole].facts;
    by_dim<std::int64_t> first{};
    if (own.rank != all.rank || !(own.varying == all.varying) || !operand_start(g_, whole, k, first)) return false;
    std::int64_t run = 1;
    int d = own.rank - 1;
    for (; d >= 0 && own.extent(d) == all.extent(d); --d) run *= own.extent(d);
    return d < 0 || run * own.extent(d) >= least_run;
  }
  // Arguments and results of a call are alive all the time, a temporary from its step to its last reader.
  constexpr void walk() {
    std::int64_t held = 0, live = 0;
    auto const counted = [&](int id) { return is_on_host(id) ? 0 : bytes_per_device(id); };
    for (int i = 0; i < g_.input_count; ++i) held += counted(g_.inputs[i]);
    for (int i = 0; i < g_.output_count; ++i) held += counted(g_.outputs[i]);
    p_.peak_bytes = held;
    int s = 0;
    for (step& at : p_.steps) {
      bool const by_parts = at.kind == step_kind::dot || at.kind == step_kind::fused;
      if (!by_parts) drop_read();
      for (int k = 0; k < at.outputs.count; ++k) {
        int const id = holder_of(p_.places.data(), p_.lists[at.outputs.first + k]);
        if (p_.places[id].kind != place_kind::nowhere) continue;
        live += counted(id);
        allocate(id);
      }
      std::int64_t const inside = at.kind == step_kind::loop ? work_inside(at) : 0;
      if (held + live + inside > p_.peak_bytes) p_.peak_bytes = held + live + inside;
      drop_read();
      live -= read_last(device_, s);
      read_last(host_, s);
      if (!by_parts) drop_read();
      ++s;
    }
    p_.arena_bytes = known_ ? device_.bytes : dynamic;
    p_.host_bytes = known_ ? host_.bytes : dynamic;
    if (!known_) p_.peak_bytes = dynamic;
  }

  // Marks the parts that step s has read last. Returns their values' bytes per device.
  constexpr std::int64_t read_last(arena& memory, int s) {
    std::int64_t bytes = 0;
    part* const parts = memory.parts.data();
    int const* const last_use = last_use_.data();
    for (std::size_t i = 0, count = memory.parts.size(); i < count; ++i)
      if (parts[i].node < 0) {
        parts[i].read = true;
      } else if (last_use[parts[i].node] <= s) {
        bytes += bytes_per_device(parts[i].node);
        parts[i].read = true;
      }
    return bytes;
  }
  constexpr void drop_read() {
    drop_read(device_.parts);
    drop_read(host_.parts);
  }
  static constexpr void drop_read(growable<part>& all) {
    std::size_t kept = 0;
    part* const parts = all.data();
    for (std::size_t i = 0, count = all.size(); i < count; ++i)
      if (!parts[i].read && kept++ != i) parts[kept - 1] = parts[i];
    all.resize(kept);
  }

  constexpr bool is_on_host(int id) const { return g_.nodes[id].facts.memory == memory_kind::host; }

  constexpr std::int64_t bytes_per_device(int id) const {
    return known_ ? g_.nodes[id].facts.size() * bytes_of(g_.nodes[id].facts.element) : 0;
  }
  // Reserves memory for the temporaries of a loop's regions while it runs. Returns their peak bytes per device.
  constexpr std::int64_t work_inside(step& loop) {
    node const& n = g_.nodes[loop.node];
    std::int64_t bytes = 0, on_host = 0, temporaries = 0;
    for (int r = 0; known_ && r < n.region_count; ++r) {
      growable_plan const& part = regions_[n.first_region + r];
      std::int64_t given = 0;
      for (growable<int> const* const list : {&part.local.inputs, &part.local.outputs})
        for (int id : *list) {
          array_value const& facts = part.local.nodes[id].facts;
          if (facts.memory == memory_kind::device) given += facts.size() * bytes_of(facts.element);
        }
      if (part.arena_bytes > bytes) bytes = part.arena_bytes;
      if (part.host_bytes > on_host) on_host = part.host_bytes;
      if (part.peak_bytes - given > temporaries) temporaries = part.peak_bytes - given;
    }
    loop.workspace = reserve(
        device_,
        (bytes + 63) / 64 * 64 + answer_bytes(n.attrs.as<loop_shape>(), g_.mesh->held_devices(g_.mesh->axes())), -1);
    if (on_host > 0) loop.on_host = reserve(host_, (on_host + 63) / 64 * 64, -1);
    return temporaries;
  }
  constexpr void allocate(int id) {
    std::int64_t const bytes = known_ ? (storage_bytes(g_.nodes[id].facts, *g_.mesh) + 63) / 64 * 64 : 0;
    if (is_on_host(id))
      p_.places[id] = {place_kind::on_host, -1, reserve(host_, bytes, id)};
    else
      p_.places[id] = {place_kind::buffer, -1, reserve(device_, bytes, id)};
  }
  // Takes a part of equal size that was read last, else the first gap that is large enough, else the end.
  constexpr std::int64_t reserve(arena& memory, std::int64_t bytes, int id) {
    for (part& p : memory.parts)
      if (p.read && p.bytes == bytes) {
        p = {p.offset, bytes, id};
        return p.offset;
      }
    std::int64_t offset = 0;
    std::size_t before = 0;
    std::size_t const count = memory.parts.size();
    memory.parts.push_back({});
    part* const parts = memory.parts.data();
    while (before < count && parts[before].offset - offset < bytes) {
      offset = parts[before].offset + parts[before].bytes;
      ++before;
    }
    for (std::size_t j = count; j > before; --j) parts[j] = parts[j - 1];
    parts[before] = {offset, bytes, id};
    if (offset + bytes > memory.bytes) memory.bytes = offset + bytes;
    return offset;
  }

  growable_plan& p_;
  graph_view g_;
  growable<growable_plan> const& regions_;
  int first_strided_;
  growable<int> last_use_;
  arena device_, host_;
  bool known_ = true;
};

}  // namespace tessera::detail
