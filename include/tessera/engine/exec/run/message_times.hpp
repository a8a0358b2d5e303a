// SPDX-License-Identifier: Apache-2.0
#pragma once
// The times of messages to other processes. A collective begins as soon as its operands are computed and the previous
// collective is finished, so that it overlaps the steps between; a sum that follows a step ends before the first step
// that reads it, or before the message of a collective that reads it begins. At most one collective is started early:
// the next one uses the same staging memory.

#include <tessera/plan/base/plan.hpp>
#include <tessera/plan/base/strides.hpp>

#include <algorithm>
#include <vector>

namespace tessera::detail {

class message_times {
public:
  // crosses(s): whether step s, or a collective that it performs, connects devices of several processes.
  template <class Crosses>
  TESSERA_COLD message_times(plan_view const& plan, Crosses const& crosses) : plan_(plan) {
    std::size_t const n = plan.step_count;
    begins_.resize(n);
    ends_.resize(n);
    range(0, plan.own_steps, crosses);
    for (int r = 0; r < plan.region_count; ++r)
      range(plan.regions[r].first_step, plan.regions[r].first_step + plan.regions[r].step_count, crosses);
  }
  // The step before which a collective's message is started: its own or an earlier one.
  int begins(int step) const { return begins_[step]; }
  // The step before which a step's sum must be finished; the end of its region if no step reads the sum.
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
    int free = first;  // the previous collective has finished before this step
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
      }
    }
    for (int s = first; s < last; ++s) {
      step const& at = plan_.steps[s];
      if (plan_.local[at.node].op->kind == op_class::collective || !crosses(s)) continue;
      int const made = base(plan_.lists[at.exchanges.first]);
      ends_[s] = last;
      for (int reader = s + 1; reader < last; ++reader)
        if (begins_[reader] < ends_[s] && reads(plan_.steps[reader], made)) ends_[s] = begins_[reader];
    }
  }

  plan_view const& plan_;
  std::vector<int> begins_, ends_;
};

}  // namespace tessera::detail
