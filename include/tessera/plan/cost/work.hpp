// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the steps of a plan compute and access on one device: floating-point operations and bytes of memory, a constant.
//   flops  matrix products: two per multiplication and addition of the local blocks, eight if complex;
//          elementwise operations and reductions: one per element, whatever the operation; copies: none
//   bytes  each step's results, and each of its operands once; repeated elements of broadcasts and views count once;
//          a kernel: the blocks that it fetches and writes (rule/grid_traffic.hpp), nothing for the steps of its body
// The flops of opaque kernels (linear algebra, transforms, sorting, user kernels) are unknown: `counted` is false;
// their bytes are counted.

#include <tessera/graph/loop.hpp>
#include <tessera/plan/base/plan.hpp>
#include <tessera/plan/base/strides.hpp>
#include <tessera/plan/cost/cost.hpp>
#include <tessera/plan/fuse/convolutions.hpp>
#include <tessera/plan/lower/link.hpp>
#include <tessera/rule/contraction.hpp>
#include <tessera/rule/grid_traffic.hpp>

namespace tessera {

struct step_work {
  step_kind kind{};
  bool counted = true;
  site at{};
  std::int64_t flops = 0, bytes = 0;  // of one run of the step
  std::int64_t times = 1;             // runs in one call; dynamic if known at run time only
};

namespace detail {

// A template, so that it is compiled only where it is used.
template <class Plan>
class work_counter {
public:
  growable<step_work> steps;
  constexpr explicit work_counter(Plan const& plan) : p_(plan), g_(plan.local) { walk(0, p_.own_steps, 1, false); }
  // One run of a region of a kernel.
  constexpr work_counter(Plan const& plan, plan_region const& body) : p_(plan), g_(plan.local) {
    walk(body.first_step, body.step_count, 1, true);
  }

private:
  // Adds the steps of the program or of a region; the steps that a loop runs take its place.
  constexpr void walk(int first, int count, std::int64_t times, bool in_kernel) {
    for (int s = first; s < first + count; ++s) {
      step const& at = p_.steps[s];
      if (at.kind != step_kind::loop) {
        steps.push_back(work(at, times));
        if (in_kernel) steps.back().bytes = 0;
        continue;
      }
      node const& loop = g_[at.node];
      bool const kernel = loop.attrs.template as<loop_shape>().kind == loop_kind::grid;
      if (kernel && !in_kernel) steps.push_back(blocks_of(at, times));
      std::int64_t const turns = times_in(loop), all = times == dynamic || turns == dynamic ? dynamic : times * turns;
      for (int r = at.region; r < at.region + loop.region_count; ++r)
        walk(p_.regions[r].first_step, p_.regions[r].step_count, all, in_kernel || kernel);
    }
  }
  // What a kernel fetches and writes.
  constexpr step_work blocks_of(step const& s, std::int64_t times) const {
    step_work made;
    made.kind = s.kind;
    made.times = times;
    made.at = g_[s.node].at;
    loop_shape const& kernel = g_[s.node].attrs.template as<loop_shape>();
    grid_value const grid = batched_grid(*kernel.grid, kernel.batches);
    for (int k = 0; k < grid.inputs + grid.outputs; ++k) {
      int const id = k < grid.inputs ? g_.operand(s.node, k) : p_.lists[s.outputs.first + k - grid.inputs];
      block_value const blocks = blocks_of_kernel(kernel, k);
      std::int64_t const moved = traffic_of(grid, blocks).count * elements_of(blocks) * bytes_of(g_[id].facts.element);
      made.bytes += blocks.summed ? 2 * moved : moved;  // what is there is read, too
    }
    return made;
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
      case step_kind::convolution: made.flops = of_product(product_of(g_, s)); break;
      case step_kind::reduce: made.flops = elements(g_.operand(s.node, 0)); break;
      case step_kind::gather:
        if (n.op->kind == op_class::scatter && n.op->reduction != monoid::none)
          made.flops = elements(g_.operand(s.node, n.operand_count - 1));
        break;
      case step_kind::opaque: made.counted = n.op->cuts_windows; break;
      case step_kind::collective: return made;  // its bytes belong to a message
      default: break;
    }
    for (int k = 0; k < s.outputs.count; ++k) made.bytes += bytes(p_.lists[s.outputs.first + k]);
    for (int k = 0; k < s.inputs.count; ++k) made.bytes += read_first(s, k) ? bytes(p_.lists[s.inputs.first + k]) : 0;
    return made;
  }

  constexpr std::int64_t of_product(int id) const {
    node const& n = g_[id];
    return (is_complex(n.facts.element) ? 8 : 2) *
           rule::multiplications(n.attrs.as<dot_params>(), g_[g_.operand(id, 0)].facts, n.facts);
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
  // Whether input k is the first of the step's inputs in its memory. The pieces of a concatenation are inputs, too.
  constexpr bool read_first(step const& s, int k) const {
    int const own = base(p_.lists[s.inputs.first + k]);
    if (p_.places[own].kind == place_kind::pieces) return false;
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

// The work of a whole program, with its communication. Sums are `dynamic` if a while_loop or the choice of a branch
// decides.
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
  // Of the steps in named_scope<"attention">, also as "block/attention". A step that computes operations of several
  // scopes is in that of its first result.
  constexpr std::int64_t flops_in(std::string_view scope) const {
    return sum([scope](step_work const& s) { return s.at.scope.contains(scope) ? s.flops : 0; });
  }
  constexpr std::int64_t bytes_in(std::string_view scope) const {
    return sum([scope](step_work const& s) { return s.at.scope.contains(scope) ? s.bytes : 0; });
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

// Of a refused program: its error has been reported.
struct refused_work {
  constexpr refused_number flops() const { return {}; }
  constexpr refused_number flops(program_pass) const { return {}; }
  constexpr refused_number flops(step_kind) const { return {}; }
  constexpr refused_number bytes() const { return {}; }
  constexpr refused_number flops_in(std::string_view) const { return {}; }
  constexpr refused_number bytes_in(std::string_view) const { return {}; }
  constexpr refused_number uncounted() const { return {}; }
};

}  // namespace tessera
