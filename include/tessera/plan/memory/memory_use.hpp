// SPDX-License-Identifier: Apache-2.0
#pragma once
// The memory that a plan needs on one device, by kind: arguments, results, temporaries at the worst step and, of these,
// what the forward pass keeps for the backward pass. Arguments and results are alive all the time; a donated argument
// whose memory a result takes counts as both. What is in host memory is counted apart. plan/memory/arena.hpp assigns the
// memory that is counted here.

#include <tessera/graph/loop.hpp>
#include <tessera/plan/base/plan.hpp>
#include <tessera/plan/base/strides.hpp>
#include <tessera/plan/cost/cost.hpp>
#include <tessera/plan/lower/link.hpp>

namespace tessera {

// A temporary that is alive at the worst step.
struct held_value {
  array_value block{};  // one device's
  std::int64_t bytes = 0;
  op_info const* made_by = nullptr;
  site at{};
};

// Bytes per device; `dynamic` if sizes are unknown.
struct memory_use {
  static constexpr int shown = 8;

  std::int64_t arguments = 0, results = 0;
  std::int64_t temporaries = 0;               // at the worst step
  std::int64_t kept_for_backward = 0;         // most that the forward pass has made and the backward pass will read
  std::int64_t peak = 0;                      // arguments, results and temporaries
  std::int64_t on_host = 0;                   // the same in host memory, beside these
  std::int64_t to_host = 0, to_device = 0;    // moved in one call; dynamic if that is in a while_loop or a branch
  site at{};                                  // the line of the worst step
  inplace_list<held_value, shown> at_peak{};  // the largest temporaries at that step, the largest first

  constexpr bool known() const { return peak != dynamic; }
  static constexpr memory_use of_unknown_sizes() {
    return {dynamic, dynamic, dynamic, dynamic, dynamic, dynamic, dynamic, dynamic, {}, {}};
  }
};

namespace detail {

// A template, so that it is compiled only where it is used.
template <class Plan>
class memory_reader {
public:
  memory_use use;
  growable<std::int64_t> at_steps;  // temporaries while each step of the program runs

  constexpr explicit memory_reader(Plan const& plan) : p_(plan), g_(plan.local) {
    if (p_.peak_bytes == dynamic) {
      use = memory_use::of_unknown_sizes();
      return;
    }
    std::size_t const nodes = g_.node_count;
    made_.resize(nodes, -1);
    last_.resize(nodes, -1);
    worst_.resize(p_.region_count, {});
    for (int i = 0; i < g_.input_count; ++i)
      (is_on_host(g_.inputs[i]) ? use.on_host : use.arguments) += bytes(g_.inputs[i]);
    for (int i = 0; i < g_.output_count; ++i)
      (is_on_host(g_.outputs[i]) ? use.on_host : use.results) += bytes(g_.outputs[i]);
    peak const worst = walk(0, p_.own_steps, &at_steps);
    use.on_host += worst.on_host;
    moves(0, p_.own_steps, 1);
    use.temporaries = worst.bytes;
    use.peak = use.arguments + use.results + use.temporaries;
    if (worst.step < 0) return;
    use.at = site_of(worst.step);
    collect(0, p_.own_steps, worst.step);
  }

  // The value that names a step, and its line.
  constexpr int value_of(int s) const {
    step const& at = p_.steps[s];
    return at.outputs.count ? p_.lists[at.outputs.first] : at.node;
  }
  constexpr site site_of(int s) const { return g_[value_of(s)].at; }

private:
  struct peak {
    std::int64_t bytes = 0;
    int step = -1;
    std::int64_t on_host = 0;
  };

  constexpr std::int64_t bytes(int id) const { return g_[id].facts.size() * bytes_of(g_[id].facts.element); }
  constexpr int base(int id) const {
    while (shows_operand(g_[id].op->kind)) id = g_.operand(id, 0);
    return id;
  }
  constexpr bool is_on_host(int id) const { return g_[id].facts.memory == memory_kind::host; }
  constexpr bool is_temporary(int id) const {
    return p_.places[id].kind == place_kind::buffer || p_.places[id].kind == place_kind::on_host;
  }
  constexpr bool is_forward(int s) const { return site_of(s).pass == program_pass::forward; }

  // Steps first..first+count-1 of a program or a region.
  constexpr peak walk(int first, int count, growable<std::int64_t>* at_each) {
    for (int s = first; s < first + count; ++s) {
      step const& at = p_.steps[s];
      for (int k = 0; k < at.inputs.count; ++k) last_[base(p_.lists[at.inputs.first + k])] = s;
    }
    peak worst;
    growable<int> alive;
    std::int64_t live = 0, kept = 0, on_host = 0;
    for (int s = first; s < first + count; ++s) {
      step const& at = p_.steps[s];
      for (int k = 0; k < at.outputs.count; ++k) {
        int const id = holder_of(p_.places, p_.lists[at.outputs.first + k]);
        if (!is_temporary(id) || (made_[id] >= first && made_[id] < s)) continue;
        made_[id] = s;
        alive.push_back(id);
        if (is_on_host(id)) {
          on_host += bytes(id);
          continue;
        }
        live += bytes(id);
        if (is_kept(id)) kept += bytes(id);
      }
      peak const within = inside(at);
      std::int64_t const now = live + within.bytes;
      if (now > worst.bytes) worst.bytes = now, worst.step = s;
      if (on_host + within.on_host > worst.on_host) worst.on_host = on_host + within.on_host;
      if (kept > use.kept_for_backward) use.kept_for_backward = kept;
      if (at_each) at_each->push_back(now);
      std::size_t left = 0;
      for (std::size_t i = 0; i < alive.size(); ++i) {
        int const id = alive[i];
        if (last_[id] > s) {
          alive[left++] = id;
          continue;
        }
        (is_on_host(id) ? on_host : live) -= bytes(id);
        if (is_kept(id) && !is_on_host(id)) kept -= bytes(id);
      }
      alive.resize(left);
    }
    return worst;
  }
  constexpr bool is_kept(int id) const { return last_[id] >= 0 && is_forward(made_[id]) && !is_forward(last_[id]); }
  // The temporaries of a loop's largest region, while the loop runs.
  constexpr peak inside(step const& loop) {
    peak most;
    for (int r = loop.region; loop.kind == step_kind::loop && r < end_of(loop); ++r) {
      worst_[r] = walk(p_.regions[r].first_step, p_.regions[r].step_count, nullptr);
      if (worst_[r].bytes > most.bytes) most.bytes = worst_[r].bytes;
      if (worst_[r].on_host > most.on_host) most.on_host = worst_[r].on_host;
    }
    return most;
  }
  // Adds what steps first..first+count-1 move between memories.
  constexpr void moves(int first, int count, std::int64_t times) {
    for (int s = first; s < first + count; ++s) {
      step const& at = p_.steps[s];
      if (at.kind == step_kind::loop) {
        std::int64_t const turns = times_in(g_[at.node]),
                           all = times == dynamic || turns == dynamic ? dynamic : times * turns;
        for (int r = at.region; r < end_of(at); ++r) moves(p_.regions[r].first_step, p_.regions[r].step_count, all);
      } else if (changes_memory(g_, at.node)) {
        std::int64_t& moved = is_on_host(at.node) ? use.to_host : use.to_device;
        moved = moved == dynamic || times == dynamic ? dynamic : moved + times * bytes(at.node);
      }
    }
  }
  constexpr int end_of(step const& loop) const { return loop.region + g_[loop.node].region_count; }

  // Collects the values that are alive while step s of first..first+count-1 runs, for at_peak.
  constexpr void collect(int first, int count, int s) {
    for (int t = first; t <= s && t < first + count; ++t) {
      step const& at = p_.steps[t];
      for (int k = 0; k < at.outputs.count; ++k) {
        int const id = holder_of(p_.places, p_.lists[at.outputs.first + k]);
        if (is_temporary(id) && made_[id] == t && (t == s || last_[id] >= s)) show(id);
      }
    }
    step const& at = p_.steps[s];
    int needy = -1;
    for (int r = at.region; at.kind == step_kind::loop && r < end_of(at); ++r)
      if (worst_[r].step >= 0 && (needy < 0 || worst_[r].bytes > worst_[needy].bytes)) needy = r;
    if (needy >= 0) collect(p_.regions[needy].first_step, p_.regions[needy].step_count, worst_[needy].step);
  }
  constexpr void show(int id) {
    if (is_on_host(id)) return;
    held_value held{g_[id].facts, bytes(id), g_[id].op, g_[id].at};
    held.block.varying = {};
    int at = use.at_peak.size();
    while (at > 0 && use.at_peak[at - 1].bytes < held.bytes) --at;
    if (at == memory_use::shown) return;
    if (use.at_peak.size() < memory_use::shown) use.at_peak.push_back(held);
    for (int i = use.at_peak.size() - 1; i > at; --i) use.at_peak[i] = use.at_peak[i - 1];
    use.at_peak[at] = held;
  }

  Plan p_;
  graph_view g_;
  growable<int> made_, last_;
  growable<peak> worst_;  // by region
};

}  // namespace detail

template <class Plan>
  requires std::is_same_v<Plan, plan_view>
constexpr memory_use memory_use_of(Plan const& plan) { return detail::memory_reader<Plan>(plan).use; }

// Of a refused program: its error has been reported, so its numbers compare as true with anything.
struct refused_memory {
  refused_number arguments, results, temporaries, kept_for_backward, peak, on_host, to_host, to_device;
};

}  // namespace tessera
