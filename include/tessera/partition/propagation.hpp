// SPDX-License-Identifier: Apache-2.0
#pragma once
// Layouts over Auto axes for every value of a program: from those that are given (arguments, with_sharding_constraint) along
// the factors of its operations, forwards and backwards, until nothing changes. What only passes elements on comes first,
// then the dimensions that other operations pass, then those that they sum. A layout only ever grows, and never against
// one that is given; places of one factor that disagree keep what they have.
// Source: Shardy's propagation by operation priority (openxla/shardy), GSPMD (Xu et al., 2021), section 3.5.

#include <tessera/partition/links.hpp>
#include <tessera/partition/regions.hpp>

namespace tessera {

// The layout of each value of a program.
using value_layouts = growable<by_dim<entry_value>>;

namespace detail {

class propagation {
public:
  // `given`: entries of each argument, or null: they are chosen, too. `grown_from`: if not null, gets of each value the one
  // that its first axis came from, -1 where it came from none.
  constexpr propagation(graph_view const& g, by_dim<entry_value> const* given, growable<int>* grown_from = nullptr)
      : g_(g), links_(g), regions_(g), automatic_(g.mesh->of_kind(axis_kind::automatic)), grown_from_(grown_from) {
    if (grown_from) grown_from->resize(static_cast<std::size_t>(g.node_count), -1);
    start(given);
    settle(true, false);
    settle(false, false);
    settle(false, true);
  }
  constexpr value_layouts take() { return static_cast<value_layouts&&>(at_); }

private:
  // The axes that a value may be split by.
  constexpr axis_set may_use(int id) const {
    region_axes const& r = regions_.of(id);
    return ((automatic_ - r.opened) | r.closed) - r.manual;
  }
  constexpr void start(by_dim<entry_value> const* given) {
    at_.reserve(static_cast<std::size_t>(g_.node_count));
    given_.resize(static_cast<std::size_t>(g_.node_count), false);
    for (int id = 0; id < g_.node_count; ++id) {
      at_.push_back(g_[id].facts.spec);
      if (is_constraint(id)) constrain(id);
      if (g_[id].op->kind == op_class::leave) suggest(id, g_[id].attrs.out);
    }
    for (int id = 0; id < g_.node_count; ++id)
      if (g_[id].op->kind == op_class::enter) suggest(g_.operand(id, 0), g_[id].attrs.out);
    for (int i = 0; given && i < g_.input_count; ++i) {
      at_[g_.inputs[i]] = given[i];
      given_[g_.inputs[i]] = true;
    }
  }
  // with_sharding_constraint over Auto axes: that is the layout, dimensions that it leaves out are not split.
  constexpr bool is_constraint(int id) const { return g_[id].op->kind == op_class::identity && g_[id].attrs.has_out; }
  constexpr void constrain(int id) {
    node const& n = g_[id];
    given_[id] = true;
    for (int d = 0; d < n.facts.rank; ++d) {
      entry_value const wish = n.attrs.out[d];
      entry_value all;
      for (int k = 0; wish.axis(k) >= 0; ++k)
        if (may_use(id).contains(wish.axis(k))) all.append(wish.axis(k));
      entry_value const typed = n.facts.entry(d);
      for (int k = 0; typed.axis(k) >= 0; ++k) all.append(typed.axis(k));
      at_[id].items[d] = all;
    }
  }

  // What a border of shard_map splits is best split so outside of it, where nothing else is known.
  constexpr void suggest(int id, spec_value const& spec) {
    array_value const& facts = g_[id].facts;
    if (given_[id]) return;
    axis_set used;
    for (int d = 0; d < facts.rank; ++d) used |= at_[id].items[d].axes();
    for (int d = 0; d < facts.rank; ++d) {
      entry_value const wish = spec[d];
      if (!at_[id].items[d].empty() || wish.empty() || !may_use(id).contains(wish.axes())) continue;
      if (!(used & wish.axes()).empty() || !parts_evenly(facts.extent(d), g_.mesh->devices(wish.axes()))) continue;
      at_[id].items[d] = wish;
      used |= wish.axes();
    }
  }

  constexpr void settle(bool plain, bool sums) {
    constexpr int patience = 16;  // each turn but the last splits something more
    int const count = static_cast<int>(links_.all.size());
    for (int turn = 0; turn < patience; ++turn) {
      bool changed = false;
      for (int l = 0; l < count; ++l) changed = agree(links_.all[l], plain, sums) || changed;
      for (int l = count - 1; l >= 0; --l) changed = agree(links_.all[l], plain, sums) || changed;
      if (!changed) return;
    }
  }

  // The part of a dimension's entry that belongs to the factor at `p`; false: the dimension is split in another way.
  constexpr bool read(link_place const& p, std::int64_t extent, entry_value& own) const {
    entry_value const entry = at_[p.value].items[p.dim];
    if (p.before == 1 && p.outside.empty() && extent == g_[p.value].facts.extent(p.dim)) {
      own = entry;
      return true;
    }
    std::int64_t before = 1;
    int k = 0;
    while (entry.axis(k) >= 0 && p.outside.contains(entry.axis(k))) ++k;
    for (; before < p.before; ++k) {
      if (entry.axis(k) < 0) {
        own = {};
        return true;  // nothing is split yet: it may come
      }
      before *= g_.mesh->size(entry.axis(k));
    }
    if (before != p.before) return false;
    std::int64_t left = extent;
    own = {};
    for (; entry.axis(k) >= 0 && left != 1; ++k) {
      auto const parts = g_.mesh->size(entry.axis(k));
      if (left == dynamic || parts == dynamic || left % parts != 0) break;
      left /= parts;
      own.append(entry.axis(k));
    }
    return true;
  }
  // One axis more at the end of the entry: true where that splits it.
  constexpr bool grow(link_place const& p, std::int64_t extent, int axis) {
    if (given_[p.value] || !may_use(p.value).contains(axis)) return false;
    array_value const& facts = g_[p.value].facts;
    entry_value& entry = at_[p.value].items[p.dim];
    for (int d = 0; d < facts.rank; ++d)
      if (at_[p.value].items[d].axes().contains(axis)) return false;
    if (facts.unreduced.contains(axis) || facts.varying.contains(axis)) return false;
    auto const parts = g_.mesh->size(axis), whole = facts.extent(p.dim);
    auto const had = g_.mesh->devices(entry.axes() - p.outside);
    if (parts == dynamic || whole == dynamic || had == dynamic || whole % (g_.mesh->devices(entry.axes()) * parts) != 0)
      return false;
    if (had < p.before || (p.before * extent) % (had * parts) != 0) return false;
    entry.append(axis);
    return true;
  }
  constexpr bool agree(link const& l, bool plain, bool sums) {
    if ((plain && !l.plain) || (!sums && l.kind == factor_kind::summed)) return false;
    bool any = false;
    for (int i = 0; i < l.count; ++i) {
      link_place const& p = links_.places[l.first + i];
      any = any || at_[p.value].items[p.dim].code != 0;
    }
    if (!any) return false;
    bool changed = false;
    for (int k = 0; k < entry_value::most; ++k) {
      int axis = -1, from = -1;
      bool clash = false;
      for (int i = 0; i < l.count && !clash; ++i) {
        entry_value own;
        if (!read(links_.places[l.first + i], l.extent, own)) continue;
        int const next = own.axis(k);
        clash = next >= 0 && axis >= 0 && next != axis;
        if (next >= 0 && from < 0) from = links_.places[l.first + i].value;
        if (next >= 0) axis = next;
      }
      if (axis < 0 || clash) return changed;
      bool grown = false;
      for (int i = 0; i < l.count; ++i) {
        link_place const& p = links_.places[l.first + i];
        entry_value own;
        if (!read(p, l.extent, own) || own.count() != k || !grow(p, l.extent, axis)) continue;
        grown = true;
        if (grown_from_ && (*grown_from_)[p.value] < 0) (*grown_from_)[p.value] = from;
      }
      changed = changed || grown;
    }
    return changed;
  }

  graph_view g_;
  links links_;
  program_regions regions_;
  axis_set automatic_;
  value_layouts at_;
  growable<bool> given_;
  growable<int>* grown_from_;
};

}  // namespace detail
}  // namespace tessera
