// SPDX-License-Identifier: Apache-2.0
#pragma once
// Binds a gather or scatter step of a plan. A scatter first copies x, then writes into the copy.

#include <tessera/engine/exec/fused/find_lanes.hpp>
#include <tessera/engine/exec/memory/step_binding.hpp>
#include <tessera/engine/exec/move/bind_copy.hpp>
#include <tessera/engine/exec/move/index_device.hpp>
#include <tessera/rule/indexing.hpp>

#include <vector>

namespace tessera::detail {

struct index_step {
  std::vector<transfer_work> copied;  // copies x to the result of a scatter
  index_work work;

  static bool takes(step_binding const& b) { return b.is(step_kind::gather); }
  static index_step bind(step_binding& b);
  void run(step_run const& r) const {
    if (!copied.empty()) run_transfers(r.label, {copied.data(), static_cast<int>(copied.size())}, r.frame);
    if constexpr (runs_on_host)
      launch_tiles(r.label, {&index_tile, &work, r.frame}, work.tiles, work.bytes);
    else
      launch_indexed(r.label, work, r.frame);
  }
};

class index_binder {
public:
  index_binder(plan_view const& plan, step const& at, locations const& where)
      : plan_(plan),
        where_(where),
        id_(at.node),
        node_(plan.local[at.node]),
        windows_(node_.attrs.as<indexing_params>()) {}

  TESSERA_COLD index_step bind() {
    index_step s;
    index_work& w = s.work;
    w.writes = node_.op->kind == op_class::scatter;
    w.element = node_.facts.element;
    w.combine = node_.op->reduction;
    w.wraps = windows_.mode.wrap;
    w.drops = windows_.mode.fill;
    w.zeros = windows_.mode.zeros;
    int const streams = node_.operand_count - (w.writes ? 2 : 1);
    location const from = in_memory(operand(0)), out = in_memory(id_);
    location const& x = w.writes ? out : from;
    location const y = w.writes ? in_memory(operand(streams + 1)) : out;
    auto const size = bytes_of(w.element);
    w.x_slot = x.slot;
    w.y_slot = y.slot;
    w.x_offset = x.at.offset + x.bytes / size;
    w.y_offset = y.at.offset + y.bytes / size;
    int index_rank = 0;
    for (int k = 1; k <= streams; ++k) {
      auto const& facts = plan_.local[operand(k)].facts;
      index_rank = std::max(index_rank, facts.rank);
      location const at = in_memory(operand(k));
      auto const d = static_cast<int>(windows_.indexed[k - 1]);
      auto const n = whole(d);
      w.streams.push_back({at.slot, facts.element == dtype::int64, at.at.offset + at.bytes / bytes_of(facts.element), n,
                           n - windows_.window[d], x.at.dim_stride[d]});
      if (w.writes && windows_.runs_along[d] == rule::collapsed && w.cut < 0) w.cut = k - 1;
    }
    loops(w, x, y, streams, index_rank);
    if (w.writes) s.copied = copy(from, out);
    finish(w);
    return s;
  }

private:
  int operand(int k) const { return plan_.local.operand(id_, k); }
  std::int64_t whole(int d) const { return plan_.local[operand(0)].facts.extent(d); }
  location in_memory(int id) const {
    if (where_[id].slot < 0)
      throw std::logic_error("tessera: an operand has no memory: " + std::string(plan_.local[id].op->name));
    return where_[id];
  }

  TESSERA_COLD void loops(index_work& w, location const& x, location const& y, int streams, int index_rank) const {
    mesh_value const& mesh = *plan_.local.mesh;
    auto const& facts = plan_.local[operand(0)].facts;
    auto const stream_step = [&](index_loop& l, auto const& step) {
      for (int k = 0; k < streams; ++k) l.index[k] = step(where_[operand(k + 1)], operand(k + 1));
    };
    auto& apart = w.writes ? w.apart : w.meeting;
    for (int a = 0; a < mesh.rank; ++a) {
      if (!node_.facts.varying.contains(a)) continue;
      index_loop l{mesh.held(a), x.at.axis_stride[a], y.at.axis_stride[a], {}};
      stream_step(l, [&](location const& at, int) { return at.at.axis_stride[a]; });
      apart.push_back(l);
    }
    rule::window_map const map = rule::windows_of(windows_, facts.rank, index_rank);
    transfer::dims window;
    for (int r = 0; r < map.rank; ++r) {
      int const d = map.source[r], i = map.index[r];
      std::int64_t const in_y = y.at.dim_stride[r], in_x = d < 0 ? 0 : x.at.dim_stride[d];
      if (i < 0) {
        window.push_back({windows_.window[d], w.writes ? in_y : in_x, w.writes ? in_x : in_y});
        continue;
      }
      std::int64_t extent = 1;
      for (int k = 1; k <= streams; ++k)
        if (auto const& f = plan_.local[operand(k)].facts; f.rank != 0) extent = f.extent(i);
      index_loop l{extent, in_x, in_y, {}};
      stream_step(
          l, [&](location const& at, int id) { return plan_.local[id].facts.rank == 0 ? 0 : at.at.dim_stride[i]; });
      (d >= 0 ? apart : w.meeting).push_back(l);
    }
    simplify(
        window, [](transfer_dim const& d) { return magnitude(d.out); }, false);
    transfer_dim columns{1, 1, 1}, rows{1, 0, 0};
    if (!window.empty()) columns = window[window.size() - 1], --window.count;
    if (!window.empty()) rows = window[window.size() - 1], --window.count;
    w.window = {rows.extent, rows.out, rows.in, columns.extent, columns.out, columns.in};
    w.outer = window;
    w.outer_count = extents_product(window);
    auto const joins = [streams](index_loop const& outer, index_loop const& inner) {
      bool run = one_run(outer, inner, &index_loop::x, &index_loop::y);
      for (int k = 0; k < streams; ++k) run = run && outer.index[k] == inner.index[k] * inner.extent;
      return run;
    };
    join_loops(w.apart, joins);
    join_loops(w.meeting, joins);
  }

  // Copies x to the result.
  TESSERA_COLD std::vector<transfer_work> copy(location const& from, location const& out) const {
    transfer t = transfer_between(from, out, node_.facts.element, where_.scratch());
    mesh_value const& mesh = *plan_.local.mesh;
    for (int a = 0; a < mesh.rank; ++a)
      if (node_.facts.varying.contains(a)) t.keep(mesh.held(a), from.at.axis_stride[a], out.at.axis_stride[a]);
    for (int d = 0; d < node_.facts.rank; ++d)
      t.keep(node_.facts.extent(d), from.at.dim_stride[d], out.at.dim_stride[d]);
    std::vector<transfer_work> works{prepare(t)};
    if (works[0].tiles == 0) works.clear();
    number_tiles(works.data(), static_cast<int>(works.size()));
    return works;
  }

  TESSERA_COLD static void finish(index_work& w) {
    for (auto const& l : w.apart) w.apart_count *= l.extent;
    for (auto const& l : w.meeting) w.meeting_count *= l.extent;
    w.copy = copy_of(w.element);
    if (w.writes && w.combine != monoid::none) w.lanes = &lanes_of(w.element, w.combine);
    std::int64_t const moved = w.apart_count * w.meeting_count * w.window_size();
    w.bytes = (2 + (w.lanes ? 1 : 0)) * moved * bytes_of(w.element);
    if (moved == 0) return;
    if (!w.writes) {
      w.a_tile = std::clamp<std::int64_t>(tile_elements / w.window_size(), 1, w.meeting_count);
      w.tiles = pieces(w.meeting_count, w.a_tile);
      return;
    }
    // Each element of x belongs to one tile, which applies its updates in order, so the result does not depend on the
    // number of tiles.
    if (w.cut >= 0 && w.meeting_count > 1)
      w.ranges = std::clamp<std::int64_t>(w.meeting_count * w.window_size() / tile_elements, 1,
                                          std::min<std::int64_t>(host_threads(), w.streams[w.cut].extent));
    if (w.apart_count >= host_threads()) w.ranges = 1;
    if (w.ranges == 1) w.cut = -1;
    w.tiles = w.apart_count * w.ranges;
  }

  plan_view const& plan_;
  locations const& where_;
  int id_;
  node const& node_;
  indexing_params const& windows_;
};

TESSERA_COLD inline index_step index_step::bind(step_binding& b) { return index_binder(b.plan, b.at, b.where).bind(); }

}  // namespace tessera::detail
