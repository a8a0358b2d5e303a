// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the steps of a plan compute and read on one device: floating-point operations and bytes of memory, a constant.
//   flops  a product: two for each multiplication and addition of the local blocks, eight where they are complex;
//          elementwise operations and reductions: one for each element, whatever the operation; copies: none
//   bytes  of each step's operands, once, and of its results; what is broadcast, and what a view shows twice, once
// Kernels of opaque operations (linear algebra, transforms, sorting, a user's own) say nothing of their flops: `counted` is
// false, their bytes are in.

#include <tessera/graph/loop.hpp>
#include <tessera/plan/base/plan.hpp>
#include <tessera/plan/base/strides.hpp>
#include <tessera/plan/cost/cost.hpp>
#include <tessera/plan/lower/link.hpp>
#include <tessera/rule/contraction.hpp>

namespace tessera {

struct step_work {
  step_kind kind{};
  bool counted = true;
  site at{};
  std::int64_t flops = 0, bytes = 0;  // of one time
  std::int64_t times = 1;             // in one call; dynamic where that is known only then
};

namespace detail {

// A template, so that only who asks compiles it.
template <class Plan>
class work_counter {
public:
  growable<step_work> steps;
  constexpr explicit work_counter(Plan const& plan) : p_(plan), g_(plan.local) { walk(0, p_.own_steps, 1); }

private:
  // The program's steps, or a region's; what a loop runs stands behind it.
  constexpr void walk(int first, int count, std::int64_t times) {
    for (int s = first; s < first + count; ++s) {
      step const& at = p_.steps[s];
      if (at.kind != step_kind::loop) {
        steps.push_back(work(at, times));
        continue;
      }
      node const& loop = g_[at.node];
      std::int64_t const turns = times_in(loop), all = times == dynamic || turns == dynamic ? dynamic : times * turns;
      for (int r = at.region; r < at.region + loop.region_count; ++r)
        walk(p_.regions[r].first_step, p_.regions[r].step_count, all);
    }
  }
  constexpr step_work work(step const& s, std::int64_t times) const {
    step_work made;
    made.kind = s.kind;
    made.times = times;
    made.at = g_[s.outputs.count ? p_.lists[s.outputs.first] : s.node].at;
    node const& n = g_[s.node];
    switch (s.kind) {
      case step_kind::fused: made.flops = of_group(s); break;
      case step_kind::dot:
        made.flops = (is_complex(n.facts.element) ? 8 : 2) *
                     rule::multiplications(n.attrs.as<dot_params>(), g_[g_.operand(s.node, 0)].facts, n.facts);
        break;
      case step_kind::reduce: made.flops = elements(g_.operand(s.node, 0)); break;
      case step_kind::gather:
        if (n.op->kind == op_class::scatter && n.op->reduction != monoid::none)
          made.flops = elements(g_.operand(s.node, n.operand_count - 1));
        break;
      case step_kind::opaque: made.counted = n.op->cuts_windows; break;
      case step_kind::collective: return made;  // its bytes are a message's
      default: break;
    }
    for (int k = 0; k < s.outputs.count; ++k) made.bytes += bytes(p_.lists[s.outputs.first + k]);
    for (int k = 0; k < s.inputs.count; ++k) made.bytes += read_first(s, k) ? bytes(p_.lists[s.inputs.first + k]) : 0;
    return made;
  }

  constexpr std::int64_t elements(int id) const { return g_[id].facts.size(); }
  constexpr std::int64_t bytes(int id) const {
    std::int64_t const shown = elements(id) * bytes_of(g_[id].facts.element);
    int const from = base(id);
    std::int64_t const there = elements(from) * bytes_of(g_[from].facts.element);
    return shown < there ? shown : there;
  }
  constexpr int base(int id) const {
    while (shows_operand(g_[id].op->kind)) id = g_.operand(id, 0);
    return id;
  }
  // Is input k the first of the step's that lies in its memory?
  constexpr bool read_first(step const& s, int k) const {
    int const own = base(p_.lists[s.inputs.first + k]);
    for (int j = 0; j < k; ++j)
      if (base(p_.lists[s.inputs.first + j]) == own) return false;
    return true;
  }

  constexpr std::int64_t of_group(step const& s) const {
    std::int64_t const all = elements(s.node);
    array_value const& space = g_[s.node].facts;
    std::int64_t const last = space.rank ? space.extent(space.rank - 1) : 1, rows = last > 0 ? all / last : 0;
    std::int64_t sum = 0;
    for (int i = s.code.first; i < s.code.first + s.code.count; ++i) {
      if (p_.code[i].kind == code_kind::compute) sum += p_.code[i].row ? rows : all;
      if (p_.code[i].kind == code_kind::reduce) sum += all;
    }
    return sum;
  }

  Plan p_;
  graph_view g_;
};

}  // namespace detail

// Of a whole program, with what it communicates. Sums are `dynamic` where a while_loop or the choice of a branch decides.
template <Mesh M, std::size_t Steps, std::size_t Messages>
class program_work {
public:
  using mesh = M;
  constexpr program_work(detail::work_counter<plan_view> const& counted, communication<M, Messages> const& sent)
      : sent_(sent) {
    for (std::size_t i = 0; i != Steps; ++i) steps_[i] = counted.steps[i];
  }

  constexpr std::array<step_work, Steps> const& steps() const { return steps_; }
  constexpr communication<M, Messages> const& communicates() const { return sent_; }
  constexpr std::int64_t flops() const {
    return sum([](step_work const& s) { return s.flops; });
  }
  constexpr std::int64_t flops(program_pass pass) const {
    return sum([pass](step_work const& s) { return s.at.pass == pass ? s.flops : 0; });
  }
  constexpr std::int64_t flops(step_kind kind) const {
    return sum([kind](step_work const& s) { return s.kind == kind ? s.flops : 0; });
  }
  constexpr std::int64_t bytes() const {
    return sum([](step_work const& s) { return s.bytes; });
  }
  // The number of steps with unknown flops.
  constexpr std::int64_t uncounted() const {
    return sum([](step_work const& s) { return s.counted ? 0 : 1; });
  }

private:
  template <class Number>
  constexpr std::int64_t sum(Number number) const {
    std::int64_t total = 0;
    for (step_work const& s : steps_) {
      std::int64_t const own = number(s);
      if (own == 0) continue;
      if (s.times == dynamic) return dynamic;
      total += own * s.times;
    }
    return total;
  }

  std::array<step_work, Steps> steps_{};
  communication<M, Messages> sent_{};
};

// Of a refused program: its error has been said.
struct refused_work {
  constexpr refused_number flops() const { return {}; }
  constexpr refused_number flops(program_pass) const { return {}; }
  constexpr refused_number flops(step_kind) const { return {}; }
  constexpr refused_number bytes() const { return {}; }
  constexpr refused_number uncounted() const { return {}; }
};

}  // namespace tessera
