// SPDX-License-Identifier: Apache-2.0
#pragma once
// Layouts over Auto axes for every value of a program: from the given ones (arguments, with_sharding_constraint) along
// the factors of its operations, forward and backward, until nothing changes. Operations that only pass elements on
// come first, then the dimensions that other operations pass through, then those that they sum. A layout only grows,
// and never contradicts a given one; if the places of one factor disagree, they keep their layouts. The caller chooses
// which axes spread through which groups of dimensions.
// Source: Shardy's propagation by operation priority (openxla/shardy), GSPMD (Xu et al., 2021), section 3.5.

#include <tessera/partition/dimension_groups.hpp>
#include <tessera/partition/moved_dims.hpp>
#include <tessera/partition/regions.hpp>
#include <tessera/partition/updates.hpp>

namespace tessera {

// The layout of each value of a program.
using value_layouts = growable<by_dim<entry_value>>;

namespace detail {

class propagation {
public:
  // `given`: the entries of each argument, or null if they are chosen, too.
  constexpr propagation(graph_view const& g, links const& tied, program_regions const& regions,
                        by_dim<entry_value> const* given)
      : g_(g), links_(&tied), regions_(&regions), automatic_(g.mesh->of_kind(axis_kind::automatic)) {
    start(given);
    open_.resize(links_->all.size(), false);
    for (int id = 0; id < g_.node_count; ++id)
      if (is_split(id)) touch(id);
  }
  constexpr by_dim<entry_value> const& layout(int id) const { return at_[id]; }
  constexpr bool is_given(int id) const { return closed_[id] == all_dims; }
  // For each value, `grown_from` gets the value from which its first axis came, or -1.
  constexpr void tell(growable<int>& grown_from) {
    grown_from.resize(g_.node_count, -1);
    grown_from_ = &grown_from;
  }
  constexpr value_layouts const& layouts() const { return at_; }
  constexpr value_layouts take() { return static_cast<value_layouts&&>(at_); }

  // Spreads `axes` through the dimensions of a group (-1: all), as far as they can.
  constexpr void spread(int group, axis_set axes) {
    for (int level = 0; level < 3; ++level) settle(group, axes, level);
  }
  // Gives a result's dimension the layout of its operand's, if nothing else splits it. True if it is split now.
  constexpr bool keep(moved_dim const& m) {
    entry_value const from = at_[m.operand].items[m.operand_dim];
    if (from.empty() || !at_[m.value].items[m.dim].empty()) return false;
    link_place to;
    to.value = m.value;
    to.dim = m.dim;
    bool changed = false;
    for (int k = 0; from.axis(k) >= 0; ++k) {
      if (!grow(to, g_[m.value].facts.extent(m.dim), from.axis(k), m.operand)) break;
      changed = true;
    }
    if (changed) spread(-1, g_.mesh->axes());
    return changed;
  }
  // Whether types and extents allow this axis to split that dimension of a value.
  constexpr bool could_split(int id, int dim, int axis) const {
    array_value const& facts = g_[id].facts;
    return !is_closed(id, dim) && may_use(id).contains(axis) && !facts.unreduced.contains(axis) &&
           !facts.varying.contains(axis) && parts_evenly(facts.extent(dim), g_.mesh->size(axis));
  }

private:
  static constexpr int most_places = 64;
  static constexpr int all_dims = ~0;
  constexpr bool is_closed(int id, int dim) const { return (closed_[id] >> dim & 1) != 0; }
  // The axes by which a value may be split.
  constexpr axis_set may_use(int id) const {
    region_axes const& r = regions_->of(id);
    return ((automatic_ - r.opened) | r.closed) - r.manual;
  }
  constexpr void start(by_dim<entry_value> const* given) {
    at_.reserve(g_.node_count);
    closed_.resize(g_.node_count, 0);
    for (int id = 0; id < g_.node_count; ++id) {
      at_.push_back(g_[id].facts.spec);
      if (is_constraint(id)) constrain(id);
      if (g_[id].op->kind == op_class::leave) suggest(id, g_[id].attrs.out);
    }
    for (int id = 0; id < g_.node_count; ++id)
      if (g_[id].op->kind == op_class::enter) suggest(g_.operand(id, 0), g_[id].attrs.out);
    for (int i = 0; given && i < g_.input_count; ++i) {
      at_[g_.inputs[i]] = given[i];
      closed_[g_.inputs[i]] = all_dims;
    }
    begin_updates();
  }
  // A result that updates an argument starts with the argument's layout.
  constexpr void begin_updates() {
    updates found(g_);
    for (int i = 0; i < g_.output_count; ++i) {
      int const id = g_.outputs[i];
      if (closed_[id] != 0) continue;
      int const source = found.source_of(
          id, [&](int x) { return closed_[x] == all_dims && is_split(x) && g_[x].facts.same_spec(g_[id].facts); });
      if (source < 0) continue;
      axis_set added;
      for (int d = 0; d < g_[id].facts.rank; ++d) added |= at_[source].items[d].axes() - at_[id].items[d].axes();
      if (may_use(id).contains(added) && (added & (g_[id].facts.unreduced | g_[id].facts.varying)).empty())
        at_[id] = at_[source];
    }
  }
  // with_sharding_constraint over Auto axes gives the layout: dimensions without an entry are not split. Unconstrained
  // dimensions may be split further than their type says.
  constexpr bool is_constraint(int id) const { return g_[id].op->kind == op_class::identity && g_[id].attrs.has_out; }
  constexpr void constrain(int id) {
    node const& n = g_[id];
    closed_[id] = all_dims;
    for (int d = 0; d < n.facts.rank; ++d) {
      entry_value const wish = n.attrs.out[d];
      if (wish.is_open()) {
        closed_[id] &= ~(1 << d);
        continue;
      }
      entry_value all = n.facts.entry(d);
      for (int k = 0; wish.axis(k) >= 0; ++k)
        if (may_use(id).contains(wish.axis(k))) all.append(wish.axis(k));
      at_[id].items[d] = all;
    }
  }

  // The layout at a border of shard_map is also used outside of it, if nothing else is known.
  constexpr void suggest(int id, spec_value const& spec) {
    array_value const& facts = g_[id].facts;
    axis_set used;
    for (int d = 0; d < facts.rank; ++d) used |= at_[id].items[d].axes();
    for (int d = 0; d < facts.rank; ++d) {
      entry_value const wish = spec[d];
      if (is_closed(id, d) || !at_[id].items[d].empty() || wish.empty() || !may_use(id).contains(wish.axes())) continue;
      if (!(used & wish.axes()).empty() || !parts_evenly(facts.extent(d), g_.mesh->devices(wish.axes()))) continue;
      at_[id].items[d] = wish;
      used |= wish.axes();
    }
  }

  // Level 0: operations that only pass elements on; 1: dimensions that other operations pass through; 2: those that
  // they sum.
  static constexpr int level_of(link const& l) { return l.plain ? 0 : l.kind == factor_kind::summed ? 2 : 1; }
  constexpr void settle(int group, axis_set axes, int level) {
    constexpr int patience = 32;  // each iteration but the last splits something more
    int const count = static_cast<int>(links_->all.size());
    link const* const all = links_->all.data();
    bool* const open = open_.data();
    for (int turn = 0; turn < patience; ++turn) {
      bool changed = false;
      for (int i = 0; i < count; ++i) {
        int const l = turn % 2 ? count - 1 - i : i;
        if (!open[l] || (group >= 0 && all[l].group != group) || level_of(all[l]) > level) continue;
        open[l] = false;
        changed = agree(l, axes) || changed;
      }
      if (!changed) return;
    }
  }
  constexpr bool is_split(int id) const {
    int const rank = g_.nodes[id].facts.rank;
    entry_value const* const entries = at_.data()[id].items;
    for (int d = 0; d < rank; ++d)
      if (entries[d].code != 0) return true;
    return false;
  }
  // Reopens the links of a value whose layout has grown.
  constexpr void touch(int value) {
    int const* const mine = links_->of_value.data();
    int const end = links_->first_of[value + 1];
    for (int i = links_->first_of[value]; i < end; ++i) open_[mine[i]] = true;
  }

  // Reads the axes of the factor at `p` from its dimension's entry. False: the dimension is split in a way that does
  // not fit the factors.
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
        return true;  // not split so far yet; that may change
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
  // Appends an axis to the entry at `p`; value `from` has it. True if it was appended.
  constexpr bool grow(link_place const& p, std::int64_t extent, int axis, int from) {
    if (is_closed(p.value, p.dim) || !may_use(p.value).contains(axis)) return false;
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
    touch(p.value);
    if (grown_from_ && (*grown_from_)[p.value] < 0) (*grown_from_)[p.value] = from;
    return true;
  }
  // Makes the places of a link alike, as far as they do not contradict each other. True if a place is split further.
  constexpr bool agree(int id, axis_set axes) {
    link const& l = links_->all.data()[id];
    link_place const* const places = links_->places.data() + l.first;
    by_dim<entry_value>* const at = at_.data();
    std::uint32_t longest = 0, first = at[places[0].value].items[places[0].dim].code;
    bool alike = true;
    for (int i = 0; i < l.count; ++i) {
      std::uint32_t const code = at[places[i].value].items[places[i].dim].code;
      alike = alike && code == first;
      if (code > longest) longest = code;
    }
    if (longest == 0 || (alike && l.whole_dims)) return false;
    return l.whole_dims && all_begin(l, longest) ? extend(id, longest, axes) : agree_in_part(id, axes);
  }
  // Whether the entries of all places are prefixes of the longest one. An entry with more axes is a larger number.
  constexpr bool all_begin(link const& l, std::uint32_t longest) const {
    link_place const* const places = links_->places.data() + l.first;
    for (int i = 0; i < l.count; ++i) {
      std::uint32_t const code = at_.data()[places[i].value].items[places[i].dim].code;
      std::uint32_t mask = 0;
      while (mask < code) mask = mask << 4 | 15u;
      if ((longest & mask) != code) return false;
    }
    return true;
  }
  constexpr bool extend(int id, std::uint32_t longest, axis_set axes) {
    link const& l = links_->all.data()[id];
    link_place const* const places = links_->places.data() + l.first;
    bool changed = false;
    int from = -1;
    for (int i = 0; i < l.count && from < 0; ++i)
      if (at_.data()[places[i].value].items[places[i].dim].code == longest) from = places[i].value;
    for (int i = 0; i < l.count; ++i) {
      std::uint32_t const code = at_.data()[places[i].value].items[places[i].dim].code;
      std::uint32_t rest = longest;
      for (auto own = code; own; own >>= 4) rest >>= 4;
      for (; rest; rest >>= 4) {
        int const axis = static_cast<int>(rest & 15u) - 1;
        if (!axes.contains(axis)) {
          open_[id] = true;
          break;
        }
        if (!grow(places[i], l.extent, axis, from)) break;
        changed = true;
      }
    }
    return changed;
  }
  // The same for factors of dimensions, and for places that contradict each other.
  constexpr bool agree_in_part(int id, axis_set axes) {
    link const& l = links_->all.data()[id];
    link_place const* const places = links_->places.data() + l.first;
    entry_value own[most_places];
    bool readable[most_places]{};
    int const count = l.count < most_places ? l.count : most_places;
    for (int i = 0; i < count; ++i) readable[i] = read(places[i], l.extent, own[i]);
    bool changed = false;
    for (int k = 0; k < entry_value::most; ++k) {
      int axis = -1, from = -1;
      for (int i = 0; i < count; ++i) {
        if (!readable[i]) continue;
        int const next = own[i].axis(k);
        if (next >= 0 && axis >= 0 && next != axis) return changed;
        if (next >= 0 && from < 0) from = places[i].value;
        if (next >= 0) axis = next;
      }
      if (axis < 0) return changed;
      if (!axes.contains(axis)) {
        open_[id] = true;
        return changed;
      }
      for (int i = 0; i < count; ++i)
        if (readable[i] && own[i].count() == k && grow(places[i], l.extent, axis, from)) {
          own[i].append(axis);
          changed = true;
        }
    }
    return changed;
  }

  graph_view g_;
  links const* links_;
  program_regions const* regions_;
  axis_set automatic_;
  value_layouts at_;
  growable<int>* grown_from_ = nullptr;
  growable<int> closed_;  // by value: bits of dimensions whose layout is given
  growable<bool> open_;   // by link: one of its places has changed
};

}  // namespace detail
}  // namespace tessera
