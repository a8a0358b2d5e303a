// SPDX-License-Identifier: Apache-2.0
#pragma once
// What steps that are ready to run read of other devices' blocks: from their loops, steps and addresses, and from where
// testing/placement.hpp says that blocks lie. Nothing here knows which collectives a plan has.

#include <tessera/engine/exec/move/in_process.hpp>
#include <tessera/engine/exec/run/bind.hpp>
#include <tessera/testing/placement.hpp>

#include <map>
#include <optional>
#include <set>

namespace support {

namespace ts = tessera;

// By device: elements that it takes part in from others, one for each element and each other device; and over which axes.
struct crossings {
  std::vector<std::int64_t> bytes;
  ts::axis_set axes{};
};

// Arguments and results by their slot in the frame; other memory is not known.
class crossing_counter {
public:
  crossing_counter(std::vector<ts::testing::placement> slots, std::int64_t devices) : slots_(std::move(slots)) {
    seen_.bytes.resize(static_cast<std::size_t>(devices));
  }

  // False: a step reads or writes memory that is not known, or is of a kind that is not read here.
  bool read(ts::detail::bound_plan const& plan) {
    for (auto const& step : plan.steps)
      if (!std::visit([&](auto const& work) { return read(work); }, step.work)) return false;
    return true;
  }
  crossings const& seen() const { return seen_; }

private:
  struct place {
    int slot;
    std::int64_t position;
  };
  bool known(int slot) const { return slot >= 0 && slot < static_cast<int>(slots_.size()); }
  // One element of a result and all that it is made of.
  void element(place out, std::vector<place> const& in, std::int64_t bytes) {
    for (std::size_t d = 0; d < seen_.bytes.size(); ++d) {
      auto const device = static_cast<std::int64_t>(d);
      if (at(out).owner(device, out.position) != device) continue;
      meet(device, in, bytes);
    }
  }
  void meet(std::int64_t device, std::vector<place> const& in, std::int64_t bytes) {
    std::set<std::int64_t> others;
    for (place const& p : in)
      if (auto const owner = at(p).owner(device, p.position); owner != device) others.insert(owner);
    for (auto other : others) seen_.axes |= at(in[0]).between(device, other);
    seen_.bytes[device] += bytes * static_cast<std::int64_t>(others.size());
  }
  ts::testing::placement const& at(place p) const { return slots_[p.slot]; }

  // f(offsets) for each index of some loops: each loop has an extent, and a step for each operand.
  struct loop {
    std::int64_t extent;
    std::vector<std::int64_t> steps;
  };
  template <class F>
  static void walk(std::vector<loop> const& loops, std::vector<std::int64_t> at, F const& f, std::size_t k = 0) {
    if (k == loops.size()) return f(at);
    for (std::int64_t i = 0; i < loops[k].extent; ++i) {
      walk(loops, at, f, k + 1);
      for (std::size_t o = 0; o < at.size(); ++o) at[o] += loops[k].steps[o];
    }
  }

  bool read(ts::detail::transfer_work const& w) {
    auto const& t = w.what;
    if (!known(t.in_slot) || !known(t.out_slot)) return false;
    std::vector<loop> kept, reduced;
    for (auto const& d : t.kept) kept.push_back({d.extent, {d.out, d.in}});
    kept.push_back({w.inner.rows, {w.inner.row_out, w.inner.row_in}});
    kept.push_back({w.inner.columns, {w.inner.column_out, w.inner.column_in}});
    for (auto const& d : t.reduced) reduced.push_back({d.extent, {0, d.in}});
    walk(kept, {t.out_offset, t.in_offset}, [&](std::vector<std::int64_t> const& one) {
      std::vector<place> in;
      walk(reduced, one, [&](std::vector<std::int64_t> const& each) { in.push_back({t.in_slot, each[1]}); });
      element({t.out_slot, one[0]}, in, ts::bytes_of(t.element));
    });
    return true;
  }
  bool read(std::vector<ts::detail::transfer_work> const& works) {
    for (auto const& w : works)
      if (!read(w)) return false;
    return true;
  }
  bool read(ts::detail::copy_step const& s) { return read(s.works); }
  bool read(ts::detail::nothing_step const&) { return true; }
  bool read(ts::detail::exchange_step const& s) { return s.ready.before.empty() && read(s.ready.works); }

  bool read(ts::detail::product_step const& s) {
    auto const& w = s.work;
    auto const& p = w.what;
    if (!known(p.a_slot) || !known(p.b_slot) || !known(p.c_slot)) return false;
    std::vector<loop> outer, inner;
    auto const as_loop = [](ts::product_dim const& d) { return loop{d.extent, {d.c, d.a, d.b}}; };
    for (auto const& d : p.batch) outer.push_back(as_loop(d));
    outer.push_back(as_loop(w.m));
    outer.push_back(as_loop(w.n));
    inner.push_back(as_loop(w.k));
    for (auto const& d : p.k) inner.push_back(as_loop(d));
    walk(outer, {p.c_offset, p.a_offset, p.b_offset}, [&](std::vector<std::int64_t> const& one) {
      std::vector<place> in;
      walk(inner, one, [&](std::vector<std::int64_t> const& each) {
        in.push_back({p.a_slot, each[1]});
        in.push_back({p.b_slot, each[2]});
      });
      element({p.c_slot, one[0]}, in, ts::bytes_of(p.element));
    });
    return true;
  }

  // A row that goes on over other devices gives each of its reductions their parts.
  bool read(ts::detail::fused_step const& step) {
    for (ts::fused_work const& w : step.works)
      if (!read(w)) return false;
    return true;
  }
  bool read(ts::fused_work const& w) {
    for (auto const& o : w.operands)
      if (o.slot >= 0 && !known(o.slot)) return false;
    std::vector<loop> loops;
    std::vector<std::int64_t> start;
    for (auto const& o : w.operands) start.push_back(o.offset);
    for (int i = 0; i < w.rank; ++i) {
      loops.push_back({w.extent[i], {}});
      for (auto const& o : w.operands) loops.back().steps.push_back(o.step[i]);
    }
    std::vector<loop> row;
    if (w.by_rows) {
      row.push_back(loops.back());
      loops.pop_back();
    }
    std::int64_t reduced = 0;
    for (auto const& i : w.code)
      if (i.kind == ts::code_kind::reduce) reduced += ts::bytes_of(i.element);
    walk(loops, start, [&](std::vector<std::int64_t> const& one) {
      std::vector<place> in, out;
      for (int s = 0; s < w.segments; ++s)
        walk(row, one, [&](std::vector<std::int64_t> const& each) {
          for (int k = 0; k < w.inputs + w.outputs; ++k) {
            auto const& o = w.operands[k];
            auto const shift = w.segments > 1 ? w.shift(s)[k] : 0;
            (k < w.inputs ? in : out).push_back({o.slot, each[k] + shift});
          }
        });
      if (w.segments == 1) {
        for (place const& o : out) element(o, in, ts::bytes_of(w.operands[w.inputs].element));
        return;
      }
      for (std::size_t d = 0; d < seen_.bytes.size(); ++d) {
        auto const device = static_cast<std::int64_t>(d);
        bool mine = false;
        for (place const& p : in) mine = mine || at(p).owner(device, p.position) == device;
        if (mine) meet(device, in, reduced);
      }
    });
    return true;
  }
  template <class Other>
  bool read(Other const&) {
    return false;
  }

  std::vector<ts::testing::placement> slots_;
  crossings seen_;
};

// Of a plan of this global graph; nothing where it keeps values in memory of its own.
inline std::optional<crossings> crossings_of(ts::plan_view const& plan, ts::graph_view global) {
  std::vector<ts::testing::placement> slots;
  ts::mesh_value const& mesh = *global.mesh;
  for (int i = 0; i < global.input_count; ++i)
    slots.emplace_back(global[global.inputs[i]].facts, mesh, plan.local[plan.local.inputs[i]].facts.varying);
  for (int i = 0; i < global.output_count; ++i)
    slots.emplace_back(global[global.outputs[i]].facts, mesh, plan.local[plan.local.outputs[i]].facts.varying);
  crossing_counter counter(std::move(slots), mesh.devices(mesh.axes()));
  if (!counter.read(ts::detail::bind(plan, nullptr, nullptr, ts::local_communicator()))) return {};
  return counter.seen();
}

}  // namespace support
