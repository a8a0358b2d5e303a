// SPDX-License-Identifier: Apache-2.0
#pragma once
// The data with which every kind of step is bound and run. A kind is a struct in its folder with
//   static bool takes(step_binding const&);   whether it runs this step of the plan
//   static Kind bind(step_binding&);          computes the addresses
//   void run(step_run const&) const;          decides and allocates nothing
// and a line in engine/exec/run/bound_step.hpp; the kinds are tried in the order of these lines.

#include <tessera/engine/exec/memory/locations.hpp>
#include <tessera/exec/fused/kernel.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace tessera {

class in_process;  // engine/exec/move/in_process.hpp

namespace detail {

// A collective that a step performs, counted in each run.
struct done_exchange {
  collective kind{};
  axis_set axes{};
  std::int64_t bytes = 0;  // sent per device under the ring model
};

// The staging memory of a message that is a step of its own: a slot of the frame, and whether the message is started
// early.
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
  fused_kernel kernel{};              // compiled for this step, or empty
  bool sends = false;                 // to other processes
  message_staging staging{};          // of a message
  std::vector<done_exchange> done{};  // the step's collectives; a kind may replace them
  std::int64_t scratch = 0;           // bytes of scratch memory for its launches
  std::int64_t staged = 0;            // bytes of staging memory

  node const& its_node() const { return plan.local[at.node]; }
  bool is(step_kind kind) const { return at.kind == kind; }
  bool is_collective() const { return its_node().op->kind == op_class::collective; }
  bool is_ragged() const { return is_collective() && its_node().op->message == collective::ragged_all_to_all; }
  void need_scratch(std::int64_t bytes) { scratch = std::max(scratch, bytes); }
};

// Runs the steps of a loop's regions.
class region_steps {
public:
  virtual void run(int first, int count, std::byte** frame) const = 0;
  virtual int slots() const = 0;                   // of a frame
  virtual std::int64_t scratch_bytes() const = 0;  // of the memory that steps share

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
