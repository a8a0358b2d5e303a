// SPDX-License-Identifier: Apache-2.0
#pragma once
// A planned program bound to sizes, called with stored arrays: jit and eager operations run it for all types.

#include <tessera/api/given_numbers.hpp>
#include <tessera/array/array.hpp>
#include <tessera/array/device_put.hpp>
#include <tessera/array/stored_array.hpp>
#include <tessera/exec/run/executable.hpp>
#include <tessera/exec/run/known_kernels.hpp>
#include <tessera/graph/builder.hpp>
#include <tessera/plan/base/plan.hpp>
#include <tessera/plan/cost/partitioned.hpp>

#include <atomic>
#include <span>
#include <utility>
#include <vector>

namespace tessera::detail {

class loaded_program {
public:
  // `results`: the global facts of the results. The plan must outlive this.
  loaded_program(plan_view const& plan, std::span<array_value const> results, fused_kernel const* kernels);
  loaded_program(loaded_program const&) = delete;
  loaded_program& operator=(loaded_program const&) = delete;
  ~loaded_program();

  // Arguments are donated: results may overwrite memory that nothing else shares. `numbers`: the arguments that are C++
  // numbers, and have no memory yet.
  std::vector<stored_array> operator()(std::vector<stored_array> arguments,
                                       std::span<given_number const> numbers = {}) const;
  plan_view const& plan() const { return run_.plan(); }

private:
  executable run_;
  std::vector<array_value> results_;
  std::vector<std::int64_t> bytes_;
  std::vector<std::pair<int, int>> donations_;  // result, argument: the result may be written to the argument's memory
  mutable std::atomic<bool> compared_{false};   // numbers of the first call, by all processes
};

// A program planned at run time: it owns its graph and plan. `known`: kernels that were compiled for it.
struct run_time_program {
  growable_graph global;
  growable_plan planned;
  std::vector<fused_kernel> kernels;
  loaded_program program;

  explicit run_time_program(growable_graph graph, bool share = true, bool fuse = true,
                            std::span<compiled_plan const> known = {});
  // Of a trace without unknown sizes.
  explicit run_time_program(graph_view const& traced);
  ~run_time_program();
};

// Makes a program at a call, if its type leaves sizes or layouts over Auto axes open: in the layouts of its arguments and,
// if sizes are open, traced again with them by the same rules.
struct unsettled_program {
  graph_view typed;                                                     // traced with the types,
  array_value const* results;                                           // of which its results have these facts
  builder (*record)(mesh_value const& mesh, array_value const* facts);  // null: the types say all sizes
  std::span<compiled_plan const> known;
};
// The last called programs of one trace, one for each set of sizes and layouts.
class sized_programs;
class program_cache {
public:
  program_cache();
  program_cache(program_cache const&) = delete;
  program_cache& operator=(program_cache const&) = delete;
  ~program_cache();
  sized_programs& programs() { return *programs_; }

private:
  sized_programs* programs_;
};

struct value_watch;  // engine/exec/run/nan_watch.hpp

// One call: arguments one by one, the program, its results.
class program_call {
public:
  program_call();
  program_call(program_call const&) = delete;
  program_call& operator=(program_call const&) = delete;
  ~program_call();

  // Throw if the array has no memory; with a mesh: if another argument has another mesh. Among arrays without a mesh in
  // their type, the device of a committed one takes precedence.
  void give(stored_array const& x);
  void give(stored_array const& x, concrete_mesh const& mesh);
  // An array without a mesh, for a program on one.
  void give_beside(stored_array const& x, concrete_mesh const& where);
  // Numbers only have a position among the arguments: the program chooses their elements.
  void give(number_value const& number);
  void give(array_value const& facts, given_constant const& constant);
  // A number that keeps its type.
  void give(std::span<std::byte const> bytes, dtype element);

  // The program of this trace on a mesh whose devices belong to several processes.
  void load_across(graph_view const& traced, std::span<compiled_plan const> known, program_cache& cache,
                   mesh_value const& mesh);

  // The mesh of the arrays, or null.
  concrete_mesh const* mesh() const { return mesh_; }

  // The program, and what was traced of it: both must outlive the call; or it is found by the sizes and layouts of the
  // arguments.
  void load(loaded_program const& program, graph_view const& traced) {
    program_ = &program;
    traced_ = traced;
  }
  void load(unsettled_program const& program, program_cache& cache, mesh_value const& mesh);

  void run(concrete_mesh const& mesh);
  stored_array take(std::size_t result) { return std::move(results_[result]); }

private:
  std::vector<stored_array> run_watched(value_watch const& watch);
  void find_invalid(value_watch const& watch, std::vector<stored_array> const& arguments);

  concrete_mesh const* mesh_ = nullptr;
  concrete_mesh const* beside_ = nullptr;  // the device of an array without a mesh
  loaded_program const* program_ = nullptr;
  graph_view traced_{};  // without nodes: held_ has the program
  std::shared_ptr<run_time_program const> held_;
  std::vector<stored_array> arguments_, results_;
  std::vector<given_number> numbers_;
};

// The debug mode in which nothing is shared: every device stores and computes everything itself. The blocks of every
// device, one after the other in mesh order, for each result. Steps are neither fused nor compiled.
std::vector<buffer> run_unshared(growable_graph const& global, std::vector<stored_array> const& arguments);

// Runs the program recorded in `b` once. Throws its refusal.
stored_array run_once(builder b, term result, std::vector<stored_array> const& inputs);

// The same value in another layout, which may name Auto axes. law: shares the memory if nothing has to move.
stored_array laid_out_now(stored_array const& given, array_value const& wanted, mesh_value const& mesh);

// The values of a constant's program, computed, as `element`; on `mesh` if the constant has one. as_placed: in the
// layout over Auto axes of its constraints and shard_maps, which is not in its type. Throws its refusal.
stored_array run_constant(graph_view const& program, refusal const& refused, mesh_value const& mesh, dtype element,
                          bool asked, bool as_placed);

template <ConstantValue X>
stored_array store_constant(X const& x, mesh_value const& mesh = {}, dtype element = X::type::value.element,
                            bool asked = false, bool as_placed = false) {
  if constexpr (is_grown<X>)
    return run_constant(x.program.view(), x.why, mesh, element, asked, as_placed);
  else
    return run_constant(x.program.view(), refusal_of_constant(x), mesh, element, asked, as_placed);
}

template <class X>
stored_array store_operand(X const& x) {
  if constexpr (is_array<X>) {
    if (x.is_released()) gone();
    return x.stored();
  } else if constexpr (is_host_view<X>) {
    return device_put(x).stored();
  } else if constexpr (TypedNumber<X>) {
    return store_element(std::as_bytes(std::span(&x, 1)), dtype_of<X>());
  } else {
    return store_constant(x);
  }
}

}  // namespace tessera::detail
