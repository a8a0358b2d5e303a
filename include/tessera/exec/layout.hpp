// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where each local value of a plan lies while it runs: which address of the frame, and its strides there.

#include <tessera/plan/view.hpp>

#include <stdexcept>
#include <string>
#include <vector>

namespace tessera {

// A value in memory: frame slot, bytes into it, strides in elements.
struct location {
  int slot = -1;  // -1: not in memory
  std::int64_t bytes = 0;
  strides at{};
};

namespace detail {

class locations {
public:
  // `arguments`: strides of each, or null for own_strides.
  locations(plan_view const& plan, strides const* arguments) : plan_(plan), arguments_(arguments) {
    all_.resize(static_cast<std::size_t>(plan.local.node_count));
    for (int id = 0; id < plan.local.node_count; ++id) all_[static_cast<std::size_t>(id)] = find(id);
  }
  location const& operator[](int id) const { return all_[static_cast<std::size_t>(id)]; }

  int arguments() const { return plan_.local.input_count; }
  int arena() const { return plan_.local.input_count + plan_.local.output_count; }
  int scratch() const { return arena() + 1; }
  int slots() const { return arena() + 2; }

private:
  TESSERA_COLD location find(int id) const {
    place const& p = plan_.places[id];
    array_value const& facts = plan_.local[id].facts;
    switch (p.kind) {
      case place_kind::argument:
        return {p.index, 0, arguments_ ? arguments_[p.index] : own_strides(facts, *plan_.local.mesh)};
      case place_kind::result: return {arguments() + p.index, 0, own_strides(facts, *plan_.local.mesh)};
      case place_kind::buffer: return {arena(), p.offset, own_strides(facts, *plan_.local.mesh)};
      case place_kind::view: {
        location at = all_[static_cast<std::size_t>(plan_.local.operand(id, 0))];
        strides const in = at.at;
        if (!view_strides(plan_.local, id, in, at.at))
          throw std::logic_error("tessera: the plan makes a view of " + std::string(plan_.local[id].op->name) +
                                 ", which needs a copy.");
        return at;
      }
      default: return {};
    }
  }

  plan_view plan_;
  strides const* arguments_;
  std::vector<location> all_;
};

}  // namespace detail

}  // namespace tessera
