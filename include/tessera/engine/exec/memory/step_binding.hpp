// SPDX-License-Identifier: Apache-2.0
#pragma once
// What every kind of step is bound with and run with. A kind is a struct in its room with
//   static bool takes(step_binding const&);   whether it is what runs the plan's step
//   static Kind bind(step_binding&);          with its addresses worked out
//   void run(step_run const&) const;          nothing is decided or allocated any more
// and a line in engine/exec/run/bound_step.hpp, in whose order they are asked.

#include <tessera/engine/exec/memory/locations.hpp>
#include <tessera/exec/fused/kernel.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace tessera {

class in_process;  // engine/exec/move/in_process.hpp

namespace detail {

// A collective that a step does, counted each time that it runs.
struct done_exchange {
  collective kind{};
  axis_set axes{};
  std::int64_t bytes = 0;  // sent per device under the ring model
};

// Where a message that is a step of its own has its staging memory: a slot of the frame, and whether it is started early.
struct message_staging {
  int slot = -1;
  bool ahead = false;
};

struct step_binding {
  plan_view const& plan;
  step const& at;
  int index;  // of `at` among the plan's steps
  locations const& where;
  in_process const& comm;
  std::vector<int> const& absorbed;   // nodes that a later step computes part by part, where it reads them
  fused_kernel kernel{};              // compiled for this step, or empty
  bool sends = false;                 // to other processes
  message_staging staging{};          // of what sends
  std::vector<done_exchange> done{};  // the collectives of the plan's step; a kind may replace them
  std::int64_t scratch = 0;           // bytes of scratch memory that its launches need
  std::int64_t staged = 0;            // bytes of staging memory

  node const& its_node() const { return plan.local[at.node]; }
  bool is(step_kind kind) const { return at.kind == kind; }
  bool is_collective() const { return its_node().op->kind == op_class::collective; }
  bool is_ragged() const { return is_collective() && its_node().op->message == collective::ragged_all_to_all; }
  void need_scratch(std::int64_t bytes) { scratch = std::max(scratch, bytes); }
};

// The steps of a loop's regions, run again and again.
class region_steps {
public:
  virtual void run(int first, int count, std::byte** frame) const = 0;

protected:
  ~region_steps() = default;
};

struct step_run {
  std::string const& label;
  std::byte** frame;
  in_process& comm;
  region_steps const& regions;
};

}  // namespace detail
}  // namespace tessera
