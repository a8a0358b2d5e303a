// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where values live: results in the caller's buffers, temporaries in one arena whose parts are used again once their
// last reader has run. First fit over the temporaries alive; the peak is what one device needs at the worst step.

#include <tessera/plan/plan.hpp>
#include <tessera/plan/view.hpp>

namespace tessera::detail {

class memory_planner {
 public:
  constexpr memory_planner(growable_plan& plan, graph_view local) : p_(plan), g_(local) {
    auto const n = static_cast<std::size_t>(g_.node_count);
    p_.places.resize(n);
    last_use_.resize(n, -1);
    known_ = sizes_known();
    for (int i = 0; i < g_.input_count; ++i) place_of(g_.inputs[i]) = {place_kind::argument, i, 0};
    find_last_uses();
    walk();
    for (int i = 0; i < g_.output_count; ++i) place_of(g_.outputs[i]) = {place_kind::result, i, 0};
  }

 private:
  struct part {
    std::int64_t offset, bytes;
    int node;
  };

  constexpr place& place_of(int id) { return p_.places[static_cast<std::size_t>(id)]; }
  constexpr bool sizes_known() const {
    if (g_.mesh->devices() == dynamic) return false;
    for (int id = 0; id < g_.node_count; ++id)
      if (g_[id].facts.size() == dynamic) return false;
    return true;
  }
  constexpr static bool is_view(op_class kind) {
    return kind == op_class::broadcast || kind == op_class::permute || kind == op_class::reshape ||
           kind == op_class::slice || kind == op_class::shard_slice;
  }

  // Views are read through to the memory beneath them.
  constexpr int base(int id) const {
    while (is_view(g_[id].op->kind)) id = g_.operand(id, 0);
    return id;
  }
  constexpr void find_last_uses() {
    for (int id = 0; id < g_.node_count; ++id)
      if (is_view(g_[id].op->kind)) place_of(id) = {place_kind::view, g_.operand(id, 0), 0};
    for (int s = 0; s < static_cast<int>(p_.steps.size()); ++s) {
      step const& at = p_.steps[static_cast<std::size_t>(s)];
      for (int k = 0; k < at.inputs.count; ++k)
        last_use_[static_cast<std::size_t>(base(p_.lists[static_cast<std::size_t>(at.inputs.first + k)]))] = s;
    }
    for (int i = 0; i < g_.output_count; ++i) last_use_[static_cast<std::size_t>(g_.outputs[i])] = never;
  }

  constexpr void walk() {
    std::int64_t held = 0;  // per device: arguments, and results from the step that writes them on
    for (int i = 0; i < g_.input_count; ++i) held += bytes_per_device(g_.inputs[i]);
    std::int64_t live = 0;
    p_.peak_bytes = held;
    for (int s = 0; s < static_cast<int>(p_.steps.size()); ++s) {
      step const& at = p_.steps[static_cast<std::size_t>(s)];
      for (int k = 0; k < at.outputs.count; ++k) {
        int const id = p_.lists[static_cast<std::size_t>(at.outputs.first + k)];
        if (last_use_[static_cast<std::size_t>(id)] == never) {
          held += bytes_per_device(id);
        } else {
          live += bytes_per_device(id);
          allocate(id);
        }
      }
      if (held + live > p_.peak_bytes) p_.peak_bytes = held + live;
      for (std::size_t i = 0; i < parts_.size();)
        if (last_use_[static_cast<std::size_t>(parts_[i].node)] <= s) {
          live -= bytes_per_device(parts_[i].node);
          for (std::size_t j = i + 1; j < parts_.size(); ++j) parts_[j - 1] = parts_[j];
          parts_.pop_back();
        } else {
          ++i;
        }
    }
    if (!known_) p_.arena_bytes = p_.peak_bytes = dynamic;
  }

  constexpr std::int64_t bytes_per_device(int id) const {
    return known_ ? g_[id].facts.size() * bytes_of(g_[id].facts.element) : 0;
  }
  // parts_ is sorted by offset: the first gap that is large enough, else the end.
  constexpr void allocate(int id) {
    std::int64_t const bytes = known_ ? (storage_bytes(g_[id].facts, *g_.mesh) + 63) / 64 * 64 : 0;
    std::int64_t offset = 0;
    std::size_t before = 0;
    while (before < parts_.size() && parts_[before].offset - offset < bytes) {
      offset = parts_[before].offset + parts_[before].bytes;
      ++before;
    }
    parts_.push_back({});
    for (std::size_t j = parts_.size() - 1; j > before; --j) parts_[j] = parts_[j - 1];
    parts_[before] = {offset, bytes, id};
    place_of(id) = {place_kind::buffer, -1, offset};
    if (offset + bytes > p_.arena_bytes) p_.arena_bytes = offset + bytes;
  }

  static constexpr int never = 1 << 30;

  growable_plan& p_;
  graph_view g_;
  growable<int> last_use_;
  growable<part> parts_;
  bool known_ = true;
};

}  // namespace tessera::detail
