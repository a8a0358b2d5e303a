// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which plans are made while the program runs, and why. A program with sizes that are known only at run time, over Auto
// axes, or on a mesh of several processes is planned at the first call with these sizes, layouts and devices; later calls
// find that plan. All other programs are planned by the compiler.
//   ts::log_plans const on;   until the end of the scope, a line to std::clog for each plan; or TESSERA_LOG_PLANS=1
//   ts::log_plans const on([](ts::plan_record const& made) { ... });
// The function is called in the thread that has made the plan, before the program runs. What it throws leaves the call,
// which then keeps its arguments. Calls that find their plan do nothing more; nothing is sent.
// Source: JAX jax_log_compiles, jax_explain_cache_misses.

#include <string>
#include <utility>

namespace tessera {

// A plan that was just made.
struct plan_record {
  std::string program;       // the operation of its first result, and its line: "mean at train.cpp:40"
  std::string arguments;     // their types, with sizes and layouts: "float32[50@dp,64], float32[64,96@mp]"
  std::string why;           // "the first call", or how this call differs from the last: "argument 0 is ..., was ..."
  double seconds = 0;        // of tracing, planning and binding
  int steps = 0;             // of the plan
  int messages = 0;          // that each run of the plan sends; those of a loop's body count once
  int interpreted = 0;       // fused steps for which no kernel was compiled: they are right, and slower
  int kept = 0;              // the plans of this program that are kept, this one included: at most 100
  std::string text() const;  // all that, as one line
};

namespace detail {
struct plan_listener {
  virtual ~plan_listener() = default;
  virtual void hear(plan_record const& made) = 0;
};
// Without std::function: <functional> alone would add 3 % to the classes of each file.
template <class F>
struct plan_listener_of final : plan_listener {
  explicit plan_listener_of(F f) : told(std::move(f)) {}
  void hear(plan_record const& made) override { told(made); }
  F told;
};
}  // namespace detail

class [[nodiscard]] log_plans {
public:
  log_plans();
  template <class F>
    requires requires(F& f, plan_record const& made) { f(made); }
  explicit log_plans(F told)
      : log_plans(static_cast<detail::plan_listener*>(new detail::plan_listener_of<F>(std::move(told)))) {}
  log_plans(log_plans const&) = delete;
  log_plans& operator=(log_plans const&) = delete;
  ~log_plans();

private:
  explicit log_plans(detail::plan_listener* owned);
  int number_;  // among the listeners
};

}  // namespace tessera
