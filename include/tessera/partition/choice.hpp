// SPDX-License-Identifier: Apache-2.0
#pragma once
// Chooses layouts for all values of a program over Auto axes. Without conflicts all given layouts spread at once. If a
// value has two groups of dimensions that compete for one axis (batch and width, if given layouts split both), the
// costs of plans with either group first are compared, and the cheapest is used. The result of an operation that moves
// elements along a split dimension is split in the same way if that costs no more. Source: GSPMD (Xu et al., 2021),
// Shardy (openxla/shardy); the choice by cost is our own.

#include <tessera/partition/laid_out.hpp>
#include <tessera/partition/propagation.hpp>

namespace tessera {
namespace detail {

// Costs(program) has total(layouts of its values); a smaller total is better.
template <class Costs>
class layout_choice {
public:
  constexpr layout_choice(graph_view const& g, by_dim<entry_value> const* given)
      : g_(g), links_(g), groups_(g, links_), regions_(g), start_(g, links_, regions_, given) {
    plans_.resize(most_tried + 1);
  }

  constexpr value_layouts run(growable<int>* grown_from) {
    for (int a = 0; a < g_.mesh->rank; ++a)
      for (int picks = 0; picks < most_picks && pick(a); ++picks) {
      }
    moved_dims const moved(g_);
    if (!grown_from && planned_ && moved.all.empty()) return static_cast<value_layouts&&>(plans_[0]);
    propagation chosen = spread(start_, first_);
    growable<moved_dim> const kept = keep_along(chosen, moved);
    if (!grown_from) return chosen.take();
    propagation told = start_;
    told.tell(*grown_from);
    told = spread(std::move(told), first_);
    for (moved_dim const& m : kept) told.keep(m);
    return told.take();
  }

private:
  static constexpr int most_picks = 3, most_tried = 4;
  // Conflicts over less than 1/`small` of the heaviest conflict's bytes are left as they spread.
  static constexpr std::int64_t small = 4;
  // If keeping all layouts that can be kept costs more, at most this many are compared one by one.
  static constexpr int most_kept = 8;
  struct preference {
    int group = -1, axis = -1;
    axis_set axes{};  // this axis, and those that given layouts have before it
  };
  using preferences = inplace_list<preference, most_picks * max_rank>;
  struct candidate {
    int group = -1;
    std::int64_t weight = 0;  // bytes of the values that this group and another could both split
    axis_set axes{};          // preference::axes
  };
  using candidates = inplace_list<candidate, 16>;

  constexpr propagation spread(propagation p, preferences const& first) const {
    for (preference const& one : first) p.spread(one.group, one.axes);
    p.spread(-1, g_.mesh->axes());
    return p;
  }
  constexpr std::int64_t price(value_layouts const& plan) {
    if (costs_.empty()) costs_.push_back(Costs(g_));
    return costs_[0].total(plan.data());
  }
  // A rough estimate of the bytes that a plan moves: an operand split differently from the result is gathered or
  // exchanged; sums over devices are reduced.
  constexpr std::int64_t estimate(value_layouts const& plan) const {
    std::int64_t bytes = 0;
    growable<std::uint32_t> brought;  // the layout to which a value was brought before; a second reader uses it again
    brought.resize(g_.node_count, ~0u);
    for (link const& l : links_.all) {
      link_place const* const places = links_.places.data() + l.first;
      auto const code = [&](int i) { return plan[places[i].value].items[places[i].dim].code; };
      bool const sums = l.kind == factor_kind::summed;
      std::uint32_t const wanted = code(l.count - 1);
      for (int i = 0; i + 1 < l.count; ++i) {
        if (code(i) == wanted || code(i) == 0 || brought[places[i].value] == wanted) continue;
        brought[places[i].value] = wanted;
        bytes += moved(plan, places[i].value, wanted == 0) * dearest(code(i), wanted);
      }
      if (sums && wanted != 0) bytes += 2 * moved(plan, l.node, false) * dearest(wanted, 0);
    }
    return bytes;
  }
  // The highest price of the axes of two entries.
  constexpr std::int64_t dearest(std::uint32_t x, std::uint32_t y) const {
    if (g_.mesh->prices.items[0] == 0) return 1;
    axis_set const axes = entry_value{x}.axes() | entry_value{y}.axes();
    std::int64_t most = 1;
    for (int a = 0; a < g_.mesh->rank; ++a)
      if (axes.contains(a) && g_.mesh->price(a) > most) most = g_.mesh->price(a);
    return most;
  }
  constexpr std::int64_t moved(value_layouts const& plan, int id, bool whole) const {
    array_value const& facts = g_[id].facts;
    axis_set split;
    for (int d = 0; d < facts.rank && !whole; ++d) split.bits |= plan[id].items[d].axes().bits;
    auto const size = facts.size(), parts = g_.mesh->devices(split);
    return size == dynamic || parts == dynamic ? 1 : size * bytes_of(facts.element) / parts;
  }

  // Gives results the layouts of the operands whose elements they move: along all such dimensions if that costs no
  // more, else along those for which it does not. Returns these dimensions.
  constexpr growable<moved_dim> keep_along(propagation& chosen, moved_dims const& moved) {
    growable<moved_dim> kept;
    if (moved.all.empty()) return kept;
    propagation const before = chosen;
    for (moved_dim const& m : moved.all)
      if (chosen.keep(m)) kept.push_back(m);
    if (kept.empty()) return kept;
    std::int64_t least = price(before.layouts());
    if (price(chosen.layouts()) <= least) return kept;
    kept.clear();
    chosen = before;
    int tried = 0;
    for (moved_dim const& m : moved.all) {
      propagation more = chosen;
      if (!more.keep(m)) continue;
      if (std::int64_t const now = price(more.layouts()); now <= least) {
        least = now;
        chosen = more;
        kept.push_back(m);
      }
      if (++tried == most_kept) break;
    }
    return kept;
  }

  // The groups with a dimension that a given layout splits by the axis.
  constexpr candidates asking(int axis) {
    candidates found;
    for (int id = 0; id < g_.node_count; ++id)
      for (int d = 0; d < g_[id].facts.rank; ++d) {
        entry_value const given = start_.layout(id).items[d];
        if (given.axes().contains(axis)) add(found, groups_.of(id, d), 0, up_to(given, axis));
      }
    return found;
  }
  static constexpr axis_set up_to(entry_value given, int axis) {
    axis_set axes = axis_set::of(axis);
    for (int k = 0; given.axis(k) != axis; ++k) axes |= axis_set::of(given.axis(k));
    return axes;
  }
  static constexpr void add(candidates& list, int group, std::int64_t weight, axis_set axes) {
    for (int i = 0; i < list.size(); ++i)
      if (list[i].group == group) {
        list[i].weight += weight;
        list[i].axes |= axes;
        return;
      }
    if (list.size() < 16) list.push_back({group, weight, axes});
  }
  // The groups that compete for a value that no group chosen earlier decides: the heaviest first.
  constexpr candidates competing(int axis) {
    candidates const asked = asking(axis);
    candidates found;
    if (asked.size() < 2) return found;
    for (int id = 0; id < g_.node_count; ++id) {
      array_value const& facts = g_[id].facts;
      if (facts.rank < 2 || start_.is_given(id)) continue;
      candidates here;
      bool settled = false;
      for (int d = 0; d < facts.rank && !settled; ++d) {
        int const group = groups_.of(id, d);
        if (!start_.could_split(id, d, axis)) continue;
        for (preference const& one : first_) settled = settled || (one.axis == axis && one.group == group);
        for (candidate const& c : asked)
          if (c.group == group) add(here, group, 0, c.axes);
      }
      if (settled || here.size() < 2) continue;
      auto const bytes = facts.size() == dynamic ? 1 : facts.size() * bytes_of(facts.element);
      for (candidate const& c : here) add(found, c.group, bytes, c.axes);
    }
    for (int i = 1; i < found.size(); ++i)
      for (int k = i; k > 0 && found[k].weight > found[k - 1].weight; --k) std::swap(found[k], found[k - 1]);
    return found;
  }
  // Lets one more group go first along the axis, if that is cheaper. The two plans with the lowest estimates are
  // lowered and compared, if the estimates are close.
  constexpr bool pick(int axis) {
    candidates const found = competing(axis);
    if (found.empty() || found[0].weight < heaviest_ / small) return false;
    heaviest_ = std::max(heaviest_, found[0].weight);
    int const tried = found.size() < most_tried ? found.size() : most_tried;
    if (!planned_) plans_[0] = spread(start_, first_).take();
    planned_ = true;
    for (int i = 0; i < tried; ++i) plans_[i + 1] = spread(start_, with(found[i], axis)).take();
    std::int64_t looks[most_tried + 1]{};
    int best = 0, second = -1;
    for (int i = 0; i <= tried; ++i) looks[i] = estimate(plans_[i]);
    for (int i = 1; i <= tried; ++i)
      if (looks[i] < looks[best]) best = i;
    for (int i = 0; i <= tried; ++i)
      if (i != best && 2 * looks[i] < 3 * looks[best] && (second < 0 || looks[i] < looks[second])) second = i;
    if (second >= 0 && price(plans_[second]) < price(plans_[best])) best = second;
    if (best == 0) return false;
    first_ = with(found[best - 1], axis);
    plans_[0] = static_cast<value_layouts&&>(plans_[best]);
    return true;
  }
  // `first_` with one more preference.
  constexpr preferences with(candidate const& one, int axis) const {
    preferences more = first_;
    more.push_back({one.group, axis, one.axes});
    return more;
  }

  graph_view g_;
  links links_;
  dimension_groups groups_;
  program_regions regions_;
  propagation start_;
  preferences first_;
  // The plan of `first_`, if planned_, and the plans compared with it. Not an array: in constant evaluation nvcc 13
  // does not destroy the items of an array member.
  growable<value_layouts> plans_;
  bool planned_ = false;
  growable<Costs> costs_;  // empty until a plan is priced
  std::int64_t heaviest_ = 0;
};

}  // namespace detail

// `given`: the entries of each argument, or null if they are chosen, too. `grown_from`: see propagation::tell.
template <class Costs>
constexpr value_layouts choose_layouts(graph_view const& traced, by_dim<entry_value> const* given = nullptr,
                                       growable<int>* grown_from = nullptr) {
  return detail::layout_choice<Costs>(traced, given).run(grown_from);
}

}  // namespace tessera
