// SPDX-License-Identifier: Apache-2.0
#pragma once
// Values that only one chain of steps writes and reads: each thread keeps its part of them in its own memory, so that
// it stays in the core's cache and the arena is not used.

#include <tessera/engine/exec/memory/locations.hpp>
#include <tessera/engine/exec/run/chain.hpp>
#include <tessera/engine/exec/run/walked_step.hpp>

#include <algorithm>
#include <vector>

namespace tessera::detail {

template <class F>
void each_operand(fused_work& w, F const& f) {
  walked_step const s = walked(w);
  std::size_t k = 0;
  for (auto& o : w.operands)
    if (o.slot >= 0) f(o.slot, s, s.operands[k++]);
}
template <class F>
void each_operand(product_work& w, F const& f) {
  walked_step const s = walked(w);
  f(w.what.a_slot, s, s.operands[0]);
  f(w.what.b_slot, s, s.operands[1]);
  f(w.what.c_slot, s, s.operands[2]);
}

class chain_memory {
public:
  // `most`: the bytes that a thread may keep.
  chain_memory(plan_view const& plan, locations const& where, std::int64_t most)
      : plan_(plan), where_(where), most_(most) {}

  // each_work(f): calls f(work) for each step of the chain. Operands that threads keep get slots from `first_slot` on.
  template <class EachWork>
  TESSERA_COLD void keep(step_chain& chain, int first_slot, EachWork const& each_work) {
    for (region const& r : regions_of(chain)) {
      kept_region made{first_slot + static_cast<int>(chain.kept.size()), chain.kept_bytes, {}};
      std::int64_t size = 0;
      std::vector<byte_range> all(chain.parts, {r.end, r.begin});
      auto const each_within = [&](auto const& f) {
        each_work([&](auto& work) {
          each_operand(work, [&](int& slot, walked_step const& s, walked_operand const& o) {
            auto const parts = slot == where_.arena() ? part_ranges(s, o, chain.parts) : std::vector<byte_range>{};
            if (!parts.empty() && parts[0].begin >= r.begin && parts[0].begin < r.end) f(slot, parts);
          });
        });
      };
      each_within([&](int&, std::vector<byte_range> const& parts) {
        for (std::size_t p = 0; p < all.size(); ++p)
          all[p] = {std::min(all[p].begin, parts[p].begin / 64 * 64), std::max(all[p].end, parts[p].end)};
      });
      for (byte_range const& part : all) {
        made.begin.push_back(part.begin);
        size = std::max(size, (part.end - part.begin + 63) / 64 * 64);
      }
      if (size <= 0 || chain.kept_bytes + size > most_) continue;
      each_within([&](int& slot, std::vector<byte_range> const&) { slot = made.slot; });
      chain.kept_bytes += size;
      chain.kept.push_back(std::move(made));
    }
  }

private:
  struct region {
    std::int64_t begin, end;
    bool only_here;
  };

  int base(int id) const {
    while (shows_operand(plan_.local[id].op->kind)) id = plan_.local.operand(id, 0);
    return id;
  }
  template <class F>
  void each(span_of list, F const& f) const {
    for (int k = 0; k < list.count; ++k) f(base(plan_.lists[list.first + k]));
  }
  // The regions of the arena that only the chain's steps use.
  TESSERA_COLD std::vector<region> regions_of(step_chain const& chain) const {
    std::vector<bool> read_elsewhere(plan_.local.node_count), written(read_elsewhere);
    auto const in_chain = [&](int s) { return s >= chain.first && s < chain.first + chain.count; };
    for (int s = 0; s < plan_.step_count; ++s) {
      if (!in_chain(s)) each(plan_.steps[s].inputs, [&](int id) { read_elsewhere[id] = true; });
      if (in_chain(s)) each(plan_.steps[s].outputs, [&](int id) { written[id] = true; });
    }
    std::vector<region> all;
    auto const add = [&](int id) {
      id = holder_of(plan_.places, id);
      place const& at = plan_.places[id];
      if (at.kind != place_kind::buffer) return;
      region made{at.offset, at.offset + storage_bytes(plan_.local[id].facts, *plan_.local.mesh),
                  written[id] && !read_elsewhere[id]};
      for (std::size_t k = 0; k < all.size();)  // buffers that overlap are one region
        if (all[k].begin < made.end && made.begin < all[k].end) {
          made = {std::min(made.begin, all[k].begin), std::max(made.end, all[k].end),
                  made.only_here && all[k].only_here};
          all[k] = all.back();
          all.pop_back();
          k = 0;
        } else {
          ++k;
        }
      all.push_back(made);
    };
    for (int s = chain.first; s < chain.first + chain.count; ++s) {
      each(plan_.steps[s].inputs, add);
      each(plan_.steps[s].outputs, add);
    }
    std::erase_if(all, [](region const& r) { return !r.only_here; });
    return all;
  }

  plan_view const& plan_;
  locations const& where_;
  std::int64_t most_;
};

}  // namespace tessera::detail
