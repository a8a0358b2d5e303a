// SPDX-License-Identifier: Apache-2.0
#pragma once
// A relay: a value that a scan carries, and whose blocks each iteration only moves from device to device, by a
// ppermute. On the host the blocks stay where they are: each position along the ppermute's axes has an address in the
// frame, and each iteration permutes these addresses. Only steps that take an address for each block may read them:
// products, fused steps and copies.

#include <tessera/exec/device/platform.hpp>
#include <tessera/graph/loop.hpp>
#include <tessera/plan/base/strides.hpp>

#include <vector>

namespace tessera::detail {

struct relay {
  int loop = -1, carried = -1;  // the loop's step, and its carried value
  int in = -1, out = -1;        // the value at the start and at the end of an iteration
  int step = -1;                // of the ppermute
  int first = 0;       // index of the first address of `in`, after the program's own slots; those of `out` follow
  entry_value axes{};  // major first
  std::vector<std::int64_t> source;  // by position: the position whose block it receives
  by_dim<std::int64_t> slot_step{};  // by axis: slots from one position to the next
  bool is_read = false;              // whether a step reads the result after the loop
  int positions() const { return static_cast<int>(source.size()); }
};

class relay_finder {
public:
  TESSERA_COLD explicit relay_finder(plan_view const& plan) : p_(plan) {}

  TESSERA_COLD std::vector<relay> find() {
    for (int s = 0; runs_on_host && s < p_.step_count; ++s)
      if (p_.steps[s].kind == step_kind::loop) find_in(s);
    int first = 0;
    for (relay& r : all_) {
      r.first = first;
      first += 2 * r.positions();
    }
    return std::move(all_);
  }

private:
  TESSERA_COLD void find_in(int loop) {
    step const& at = p_.steps[loop];
    loop_shape const& shape = loop_of(p_.local, at.node);
    if (shape.kind != loop_kind::scan || shape.length == dynamic) return;
    plan_region const& body = p_.regions[at.region];
    for (int k = 0; k < shape.carried; ++k) {
      relay r;
      r.loop = loop;
      r.carried = k;
      r.in = p_.lists[body.inputs.first + body.captures + k];
      r.out = p_.lists[body.outputs.first + k];
      if (!handed_on(r, body) || !read_by_blocks(r, body)) continue;
      int const result = p_.lists[at.outputs.first + k];
      r.is_read = p_.places[result].kind != place_kind::buffer || is_read(result);
      all_.push_back(std::move(r));
    }
  }
  // Whether a step of the body moves r.in to r.out and does nothing else. Fills in r.
  TESSERA_COLD bool handed_on(relay& r, plan_region const& body) const {
    for (int s = body.first_step; s < body.first_step + body.step_count; ++s) {
      step const& at = p_.steps[s];
      if (at.kind != step_kind::collective || at.outputs.count != 1 || p_.lists[at.outputs.first] != r.out) continue;
      node const& n = p_.local[at.node];
      if (n.op->message != collective::permute || n.attrs.kind() != params_kind::collective || n.operand_count != 1 ||
          p_.local.operand(at.node, 0) != r.in)
        return false;
      collective_params const& over = n.attrs.as<collective_params>();
      if (!(over.order.axes() & p_.local.mesh->remote()).empty()) return false;
      std::int32_t const* const sources = over.table + 1 + (over.backwards ? over.table[0] : 0);
      r.source.assign(sources, sources + over.table[0]);
      for (auto from : r.source)
        if (from < 0) return false;  // this position receives zeros
      r.step = s;
      r.axes = over.order;
      std::int64_t slots = 1;
      for (int k = r.axes.count() - 1; k >= 0; --k) {
        r.slot_step[r.axes.axis(k)] = slots;
        slots *= p_.local.mesh->size(r.axes.axis(k));
      }
      array_value const &in = p_.local[r.in].facts, &out = p_.local[r.out].facts;
      return in.varying.contains(r.axes.axes()) && in.varying == out.varying;
    }
    return false;
  }
  // How x is a view of `of`: not at all, with the blocks still separate, or otherwise.
  enum class shows : std::uint8_t { nothing, blocks, more };
  shows shown(int x, int of) const {
    shows how = shows::blocks;
    for (; x != of; x = p_.local.operand(x, 0)) {
      auto const kind = p_.local[x].op->kind;
      if (!shows_operand(kind)) return shows::nothing;
      if (kind == op_class::shard_slice) how = shows::more;
    }
    return how;
  }
  bool is_read(int of) const {
    for (int s = 0; s < p_.step_count; ++s)
      for (int k = 0; k < p_.steps[s].inputs.count; ++k)
        if (shown(p_.lists[p_.steps[s].inputs.first + k], of) != shows::nothing) return true;
    return false;
  }
  TESSERA_COLD bool read_by_blocks(relay const& r, plan_region const& body) const {
    for (int value : {r.in, r.out}) {
      for (int s = 0; s < p_.step_count; ++s) {
        step const& at = p_.steps[s];
        for (int k = 0; k < at.inputs.count; ++k) {
          shows const how = shown(p_.lists[at.inputs.first + k], value);
          if (how == shows::nothing || s == r.step) continue;
          bool const inside = s >= body.first_step && s < body.first_step + body.step_count;
          if (!inside || how == shows::more || !takes_blocks(at, r)) return false;
        }
      }
      for (int k = 0; k < body.outputs.count; ++k)
        if (k != r.carried && shown(p_.lists[body.outputs.first + k], value) != shows::nothing) return false;
    }
    return true;
  }
  bool takes_blocks(step const& at, relay const& r) const {
    if (!(at.across & r.axes.axes()).empty()) return false;
    auto const kind = p_.local[at.node].op->kind;
    bool const copies = at.kind == step_kind::copy && at.exchanges.count == 0 && kind == op_class::identity &&
                        !changes_memory(p_.local, at.node);
    return at.kind == step_kind::fused || at.kind == step_kind::dot || copies;
  }

  plan_view const& p_;
  std::vector<relay> all_;
};

}  // namespace tessera::detail
