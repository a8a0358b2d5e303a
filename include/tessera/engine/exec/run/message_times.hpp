// SPDX-License-Identifier: Apache-2.0
#pragma once
// When messages to other processes are under way: a collective's begins as soon as what it sends is there and the message
// before it has come, so that it goes on behind the steps in between; a sum that follows a step ends before the first
// step that reads it. One collective at a time is ahead of its step: its staging memory serves the next one.

#include <tessera/plan/base/plan.hpp>
#include <tessera/plan/base/strides.hpp>

#include <algorithm>
#include <vector>

namespace tessera::detail {

class message_times {
public:
  // crosses(s): does step s, or a collective that it does, join devices of several processes?
  template <class Crosses>
  TESSERA_COLD message_times(plan_view const& plan, Crosses const& crosses) : plan_(plan) {
    std::size_t const n = plan.step_count;
    begins_.resize(n);
    ends_.resize(n);
    range(0, plan.own_steps, crosses);
    for (int r = 0; r < plan.region_count; ++r)
      range(plan.regions[r].first_step, plan.regions[r].first_step + plan.regions[r].step_count, crosses);
  }
  // A collective's message is started before this step: its own, or an earlier one.
  int begins(int step) const { return begins_[step]; }
  // The sum of what the step makes is there before this step; the end of its region where no step reads it.
  int ends(int step) const { return ends_[step]; }

private:
  int base(int id) const {
    while (shows_operand(plan_.local[id].op->kind)) id = plan_.local.operand(id, 0);
    return id;
  }
  bool reads(step const& at, int id) const {
    for (int k = 0; k < at.inputs.count; ++k)
      if (base(plan_.lists[at.inputs.first + k]) == id) return true;
    return false;
  }
  template <class Crosses>
  TESSERA_COLD void range(int first, int last, Crosses const& crosses) {
    int free = first;  // no message is ahead of its step from here on
    for (int s = first; s < last; ++s) {
      begins_[s] = ends_[s] = s;
      if (!crosses(s)) continue;
      step const& at = plan_.steps[s];
      if (plan_.local[at.node].op->kind == op_class::collective) {
        int ready = free;
        for (int before = s - 1; before >= ready; --before)
          for (int k = 0; k < plan_.steps[before].outputs.count; ++k)
            if (reads(at, base(plan_.lists[plan_.steps[before].outputs.first + k]))) ready = before + 1;
        begins_[s] = ready;
        free = s + 1;
      } else {
        int const made = plan_.lists[at.exchanges.first];
        int reader = s + 1;
        while (reader < last && !reads(plan_.steps[reader], base(made))) ++reader;
        ends_[s] = reader;
      }
    }
  }

  plan_view const& plan_;
  std::vector<int> begins_, ends_;
};

}  // namespace tessera::detail
