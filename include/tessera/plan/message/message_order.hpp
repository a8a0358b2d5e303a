// SPDX-License-Identifier: Apache-2.0
#pragma once
// The order of the steps of a program over several processes. A step that waits for a message comes after steps that do
// not need it, until these have taken as long as the message may take. So the steps of one layer's gradient come
// between the start of another layer's sum and its use. The rates are rough: a network moves one byte while a process
// computes 32 flops or accesses 8 bytes of memory, and every message takes at least as long as 64 KiB.

#include <tessera/plan/base/plan.hpp>
#include <tessera/plan/base/strides.hpp>
#include <tessera/plan/fuse/convolutions.hpp>
#include <tessera/rule/contraction.hpp>
#include <tessera/rule/device_groups.hpp>

namespace tessera::detail {

// Whether the step, or a collective that it does, joins devices of several processes.
constexpr bool crosses_processes(plan_view const& plan, step const& at) {
  axis_set const remote = plan.local.mesh->remote();
  if (remote.empty()) return false;
  for (int i = -1; i < at.exchanges.count; ++i) {
    node const& n = plan.local[i < 0 ? at.node : plan.lists[at.exchanges.first + i]];
    if (n.op->kind == op_class::collective && !(axes_crossed(n.attrs) & remote).empty()) return true;
  }
  return false;
}

class message_order {
public:
  // Orders the program's own steps, before memory is planned.
  constexpr explicit message_order(growable_plan& plan) : p_(plan), v_(plan.view()), g_(v_.local) {
    std::size_t const n = v_.step_count;
    waits_.resize(n);
    work_.resize(n);
    first_.resize(n + 1, 0);
    bool any = false;
    for (int s = 0; s < v_.step_count; ++s) {
      step const& at = v_.steps[s];
      bool const crosses = crosses_processes(v_, at), collective = g_[at.node].op->kind == op_class::collective;
      waits_[s] = !crosses ? none : collective ? before : after;
      any = any || crosses;
      work_[s] = work(at);
      if (work_[s] < 0) return;  // sizes are unknown
    }
    if (!any) return;
    find_readers();
    arrange();
  }

private:
  enum message : int {
    none,
    before,  // the step is the message: it starts when its operands are there and ends when the message is complete
    after,   // the message sends what the step has computed; its readers wait for it
  };
  constexpr int base(int id) const {
    while (shows_operand(g_[id].op->kind)) id = g_.operand(id, 0);
    return id;
  }
  constexpr std::int64_t bytes(int id) const {
    array_value const& v = g_[id].facts;
    return v.size() == dynamic ? -1 : v.size() * bytes_of(v.element) * g_.mesh->held_devices(v.varying);
  }
  // The work of a step, in bytes of the network.
  constexpr std::int64_t work(step const& at) const {
    std::int64_t touched = 0;
    for (span_of const& list : {at.inputs, at.outputs})
      for (int k = 0; k < list.count; ++k) {
        std::int64_t const own = bytes(base(v_.lists[list.first + k]));
        if (own < 0) return -1;
        touched += own;
      }
    int const product = product_of(g_, at);
    if (product < 0) return touched / 8;
    node const& n = g_[product];
    std::int64_t const multiplied =
        rule::multiplications(n.attrs.as<dot_params>(), g_[g_.operand(product, 0)].facts, n.facts);
    return touched / 8 + multiplied * g_.mesh->held_devices(n.facts.varying) / 16;
  }
  // Finds the readers of each step, all of them later steps: one list per step.
  constexpr void find_readers() {
    growable<int> made_by;
    made_by.resize(g_.node_count, -1);
    needs_.resize(v_.step_count, 0);
    growable<int> from, to;
    int effect = -1;
    auto const edge = [&](int maker, int reader) {
      if (maker < 0 || maker == reader) return;
      from.push_back(maker);
      to.push_back(reader);
      ++first_[maker + 1];
      ++needs_[reader];
    };
    for (int s = 0; s < v_.step_count; ++s) {
      step const& at = v_.steps[s];
      for (int k = 0; k < at.inputs.count; ++k) edge(made_by[base(v_.lists[at.inputs.first + k])], s);
      for (int k = 0; k < at.outputs.count; ++k) made_by[v_.lists[at.outputs.first + k]] = s;
      if (at.kind != step_kind::effect && at.kind != step_kind::loop) continue;
      edge(effect, s);  // output keeps its order
      effect = s;
    }
    for (int s = 0; s < v_.step_count; ++s) first_[s + 1] += first_[s];
    growable<int> next = first_;
    readers_.resize(to.size());
    for (std::size_t e = 0; e < to.size(); ++e) readers_[next[from[e]]++] = to[e];
  }

  static constexpr int far = 24;  // steps; a result that is computed earlier stays in memory longer

  // Work that must be done since the message began before the step is worth running; 0: run it now.
  constexpr std::int64_t missing(int s) const {
    std::int64_t const since = done_ - began_[s];
    return began_[s] < 0 || since >= price_[s] ? 0 : price_[s] - since;
  }
  constexpr void arrange() {
    int const n = v_.step_count;
    began_.resize(n, -1);
    price_.resize(n, 0);
    growable<step> made;
    made.reserve(n);
    growable<int> written;
    written.resize(n, 0);
    int first = 0;  // all before it are written
    while (static_cast<int>(made.size()) < n) {
      while (written[first]) ++first;
      // The first `before` step that is ready starts its message at once, and no other does.
      for (int s = first; s < n; ++s)
        if (!written[s] && needs_[s] == 0 && waits_[s] == before) {
          if (began_[s] < 0) begin(s, s);
          break;
        }
      int chosen = -1, otherwise = -1;
      std::int64_t least = 0;
      for (int s = first, seen = 0; s < n && chosen < 0 && seen < far; ++s) {
        if (written[s]) continue;
        ++seen;
        if (needs_[s] != 0) continue;
        bool const later = waits_[s] == before && began_[s] < 0;
        std::int64_t const left = later ? std::int64_t{1} << 62 : missing(s);
        if (left == 0) chosen = s;
        if (otherwise < 0 || left < least) {
          otherwise = s;
          least = left;
        }
      }
      if (chosen < 0) chosen = otherwise;
      written[chosen] = 1;
      made.push_back(v_.steps[chosen]);
      if (waits_[chosen] != before) done_ += work_[chosen];
      for (int r = first_[chosen]; r < first_[chosen + 1]; ++r) {
        int const reader = readers_[r];
        --needs_[reader];
        if (waits_[chosen] == after) begin(reader, chosen);
      }
    }
    p_.steps = std::move(made);
  }
  // Marks a message of step `sent` as in flight, for which step `waiting` waits.
  constexpr void begin(int waiting, int sent) {
    began_[waiting] = done_;
    std::int64_t total = 65536;
    step const& at = v_.steps[sent];
    for (int k = 0; k < at.outputs.count; ++k) total += bytes(v_.lists[at.outputs.first + k]);
    price_[waiting] = total;
  }

  growable_plan& p_;
  plan_view v_;
  graph_view g_;
  growable<std::int64_t> work_, began_, price_;
  growable<int> waits_, first_, readers_, needs_;
  std::int64_t done_ = 0;
};

}  // namespace tessera::detail
