// SPDX-License-Identifier: Apache-2.0
#pragma once
// Searches the layouts of a program's numbered leaves for those with the cheapest plan.

#include <tessera/api/best_layout.hpp>
#include <tessera/engine/plan/path/known_paths.hpp>
#include <tessera/op/shape/reshard.hpp>
#include <tessera/plan/cost/partitioned.hpp>
#include <tessera/plan/make/make_plan.hpp>

#include <algorithm>
#include <optional>

namespace tessera {
namespace detail {

inline std::string spec_text(by_dim<entry_value> const& entries, int rank, mesh_value const& mesh) {
  while (rank > 0 && entries.items[rank - 1].empty()) --rank;
  std::string text = "P<";
  for (int d = 0; d < rank; ++d) {
    entry_value const entry = entries.items[d];
    text += d ? ", " : "";
    if (entry.count() != 1) text += entry.empty() ? "none" : "axes<";
    for (int k = 0; k < entry.count(); ++k) text += (k ? ", " : "") + std::string(mesh.name(entry.axis(k)));
    if (entry.count() > 1) text += ">";
  }
  return text + ">";
}

class layout_searcher {
public:
  using layouts = std::vector<by_dim<entry_value>>;  // of each number

  layout_searcher(layout_question const& question, layout_goal const& goal) : q_(question), goal_(goal) {
    builder b;
    b.recorded = growable_graph::copy_of(question.traced);
    for (std::size_t i = 0; i < question.outputs.size(); ++i) {
      if (question.outputs[i] < 0) continue;
      attributes free;
      free.has_out = true;
      term const result{&b, b.recorded.outputs[i]};
      constraints_.push_back({b.emit<ops::with_sharding_constraint>({result}, free).id, question.outputs[i]});
      b.recorded.outputs[i] = constraints_.back().node;
    }
    graph_ = std::move(b.recorded);
    if (question.prices.items[0] != 0) graph_.mesh.prices = question.prices;
    paths_.emplace(graph_.mesh);
    for (std::size_t i = 0; i < question.inputs.size(); ++i)
      see(question.inputs[i], graph_.nodes[graph_.inputs[i]].facts);
    for (int a = 0; a < graph_.mesh.rank; ++a)
      if (graph_.mesh.of_kind(axis_kind::automatic).contains(a) && graph_.mesh.size(a) > 1) axes_.push_back(a);
  }

  layout_answer run() {
    std::vector<layouts> starts{whole()};
    for (unsigned chosen = 1; chosen < 1u << axes_.size(); ++chosen) {
      starts.push_back(split(chosen, false));
      starts.push_back(split(chosen, true));
    }
    std::vector<std::pair<price, std::size_t>> order;
    for (std::size_t i = 0; i < starts.size(); ++i) order.push_back({priced(starts[i]), i});
    std::sort(order.begin(), order.end());
    layouts best = starts[order[0].second];
    price least = order[0].first;
    for (std::size_t i = 0; i < std::min<std::size_t>(descents, order.size()); ++i) {
      layouts at = starts[order[i].second];
      price const found = descended(at, order[i].first);
      if (!(found < least)) continue;
      least = found;
      best = at;
    }
    layout_answer answer;
    for (std::size_t k = 0; k < best.size(); ++k)
      answer.specs.push_back(spec_text(best[k], facts_[k].rank, graph_.mesh));
    growable_graph const laid = laid_out(best);
    answer.cost = program_cost(lower(laid.view(), true, nullptr, &*paths_));
    answer.peak_bytes = make_plan(laid.view()).peak_bytes;
    answer.fits = answer.peak_bytes <= goal_.memory;
    answer.plans = plans_;
    return answer;
  }

private:
  static constexpr std::size_t descents = 3;
  struct constraint {
    int node, number;
  };
  // Compared in this order: bytes over the memory budget, cost of the plan, bytes that the arguments take.
  struct price {
    std::int64_t over = 0, cost = 0, stored = 0;
    auto operator<=>(price const&) const = default;
  };

  void see(int number, array_value const& facts) {
    if (number < 0) return;
    std::size_t const k = number;
    if (facts_.size() <= k) {
      facts_.resize(k + 1);
      is_result_.resize(k + 1, false);
    }
    facts_[k] = facts;
    for (int out : q_.outputs) is_result_[k] = is_result_[k] || out == number;
  }
  layouts whole() const { return layouts(facts_.size()); }
  bool divides(std::size_t k, int d, entry_value entry) const {
    return parts_evenly(facts_[k].extent(d), graph_.mesh.devices(entry.axes()));
  }
  // Arguments (data) are split along their first dimension over the chosen axes. If `results`, leaves that are also
  // results are split along the first dimension that these axes divide.
  layouts split(unsigned chosen, bool results) const {
    layouts made = whole();
    for (std::size_t k = 0; k < facts_.size(); ++k) {
      if (is_result_[k] && !results) continue;
      int const last = is_result_[k] ? facts_[k].rank : std::min(1, facts_[k].rank);
      bool done = false;
      for (int d = 0; d < last && !done; ++d) {
        entry_value entry;
        for (std::size_t i = 0; i < axes_.size(); ++i)
          if (chosen >> i & 1u) entry.append(axes_[i]);
        done = divides(k, d, entry);
        if (done) made[k].items[d] = entry;
      }
    }
    return made;
  }
  // All layouts of a leaf: each axis splits one dimension, or none.
  std::vector<by_dim<entry_value>> all(std::size_t k) const {
    std::vector<by_dim<entry_value>> found{{}};
    for (int a : axes_) {
      std::size_t const before = found.size();
      for (std::size_t i = 0; i < before; ++i)
        for (int d = 0; d < facts_[k].rank; ++d) {
          by_dim<entry_value> more = found[i];
          more.items[d].append(a);
          if (divides(k, d, more.items[d])) found.push_back(more);
        }
    }
    return found;
  }

  growable_graph laid_out(layouts const& at) {
    for (constraint const& c : constraints_) {
      spec_value& out = graph_.nodes[c.node].attrs.out;
      auto const& facts = facts_[c.number];
      out.rank = facts.rank;
      for (int d = 0; d < facts.rank; ++d) out.entries.items[d] = at[c.number].items[d];
    }
    std::vector<by_dim<entry_value>> given;
    for (int number : q_.inputs) given.push_back(number < 0 ? by_dim<entry_value>{} : at[number]);
    return partitioned(graph_, given.data());
  }
  price priced(layouts const& at) {
    ++plans_;
    growable_graph const laid = laid_out(at);
    price p;
    p.cost = program_cost(lower(laid.view(), true, nullptr, &*paths_)).in_bytes(goal_.work_for_a_byte);
    for (int i = 0; i < laid.view().input_count; ++i) {
      array_value const& facts = laid.nodes[laid.inputs[i]].facts;
      p.stored += facts.size() * bytes_of(facts.element) / laid.mesh.devices(facts.sharded_axes());
    }
    if (goal_.memory != std::numeric_limits<std::int64_t>::max())
      p.over = std::max<std::int64_t>(0, make_plan(laid.view()).peak_bytes - goal_.memory);
    return p;
  }
  // Tries all layouts of one leaf after the other, the largest leaf first, until no change lowers the price.
  price descended(layouts& at, price least) {
    std::vector<std::size_t> order;
    for (std::size_t k = 0; k < facts_.size(); ++k) order.push_back(k);
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return facts_[a].size() > facts_[b].size(); });
    for (bool improved = true; improved;) {
      improved = false;
      for (std::size_t k : order)
        for (auto const& tried : all(k)) {
          layouts other = at;
          other[k] = tried;
          price const found = priced(other);
          if (!(found < least)) continue;
          least = found;
          at = other;
          improved = true;
        }
    }
    return least;
  }

  layout_question const& q_;
  layout_goal goal_;
  growable_graph graph_;
  std::vector<constraint> constraints_;
  std::vector<array_value> facts_;  // of each number
  std::vector<bool> is_result_;
  std::vector<int> axes_;
  std::optional<known_paths> paths_;
  int plans_ = 0;
};

}  // namespace detail
}  // namespace tessera
