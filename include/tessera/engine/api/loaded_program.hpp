// SPDX-License-Identifier: Apache-2.0
#pragma once
// Plans programs at run time, binds and calls them.

#include <tessera/api/loaded_program.hpp>
#include <tessera/engine/api/engine_rules.hpp>
#include <tessera/engine/api/plan_log.hpp>
#include <tessera/engine/api/same_numbers.hpp>
#include <tessera/engine/api/sized_programs.hpp>
#include <tessera/engine/exec/memory/buffer_for.hpp>
#include <tessera/engine/exec/run/bind_effect.hpp>
#include <tessera/engine/exec/run/nan_watch.hpp>
#include <tessera/engine/plan/memory/donate.hpp>
#include <tessera/error/explain_text.hpp>
#include <tessera/exec/device/device.hpp>
#include <tessera/graph/canonical.hpp>
#include <tessera/op/base/relayout.hpp>
#include <tessera/op/elementwise/cast.hpp>
#include <tessera/plan/make/make_plan.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace tessera::detail {

inline stored_array store_given(given_number const& n, mesh_value const& mesh, dtype element, bool asked) {
  return n.of.constant ? n.of.store(n.of.constant, mesh, element, asked) : store_number(n.value, element, asked);
}

// Stores the numbers that are inputs of a program. Inputs after the arguments are the same numbers in other types.
TESSERA_COLD inline void store_numbers(graph_view const& program, std::span<given_number const> numbers,
                                       std::vector<stored_array>& arguments) {
  auto const given = [&](std::int64_t position) -> given_number const& {
    for (given_number const& n : numbers)
      if (n.argument == position) return n;
    throw std::logic_error("tessera: a program reads a number that it was not given.");
  };
  for (int i = 0; i < program.input_count; ++i) {
    node const& n = program[program.inputs[i]];
    number_role const role = number_role_of(n);
    bool const asked = role == number_role::asked;
    if (role == number_role::read) arguments[i] = store_given(given(i), *program.mesh, n.facts.element, false);
    if (role == number_role::promoted || asked)
      arguments.push_back(
          store_given(given(n.attrs.as<argument_params>().position), *program.mesh, n.facts.element, asked));
  }
}

TESSERA_ENGINE loaded_program::loaded_program(plan_view const& plan, std::span<array_value const> results,
                                              fused_kernel const* kernels)
    : run_(plan, kernels), results_(results.begin(), results.end()) {
  for (array_value& facts : results_) {
    facts.weak = false;
    bytes_.push_back(storage_bytes(stored_block(facts, *plan.local.mesh), *plan.local.mesh));
  }
  for (int r = 0; r < plan.local.output_count; ++r)
    for (int a = 0; a < plan.local.input_count; ++a)
      if (may_overwrite(plan, r, a)) donations_.push_back({r, a});
}
TESSERA_ENGINE loaded_program::~loaded_program() = default;

TESSERA_ENGINE std::vector<stored_array> loaded_program::operator()(std::vector<stored_array> arguments,
                                                                    std::span<given_number const> numbers) const {
  if (!numbers.empty()) {
    store_numbers(run_.plan().local, numbers, arguments);
    if (run_.plan().local.mesh->processes && !compared_.exchange(true)) require_same_numbers(run_.plan(), numbers);
  }
  std::vector<stored_array> results(results_.size());
  for (auto const& [r, a] : donations_) {
    buffer& memory = results[r].memory;
    buffer const& given = arguments[a].memory;
    if (!memory && given.unique()) memory = given;
  }
  std::vector<std::byte*> in(arguments.size());
  std::vector<std::byte*> out(results_.size());
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = arguments[i].memory.data();
  for (std::size_t i = 0; i < out.size(); ++i) {
    results[i].facts = results_[i];
    if (!results[i].memory)
      results[i].memory = buffer_for(
          static_cast<std::size_t>(bytes_[i]),
          [&] {
            return "result " + std::to_string(i) + ", " + describe(results_[i], *run_.plan().local.mesh) +
                   ", of the program that ends with " +
                   (run_.step_count() > 0 ? run_.label(run_.step_count() - 1) : "no step");
          },
          results_[i].memory);
    out[i] = results[i].memory.data();
  }
  run_.run(in.data(), nullptr, out.data());
  return results;
}

inline std::vector<array_value> result_facts(graph_view const& global) {
  std::vector<array_value> facts;
  for (int i = 0; i < global.output_count; ++i) facts.push_back(global[global.outputs[i]].facts);
  return facts;
}

TESSERA_ENGINE run_time_program::run_time_program(growable_graph graph, bool share, bool fuse,
                                                  std::span<compiled_plan const> known)
    : global(std::move(graph)),
      planned(make_plan(global.view(), {.share = share, .fuse = fuse})),
      kernels(find_kernels(planned.view(), known)),
      program(planned.view(), result_facts(global.view()), kernels.data()) {}
TESSERA_ENGINE run_time_program::~run_time_program() = default;

TESSERA_ENGINE run_time_program::run_time_program(graph_view const& traced)
    : run_time_program(partitioned(canonical(with_rules(growable_graph::copy_of(traced))))) {}

TESSERA_ENGINE program_cache::program_cache() : programs_(new sized_programs) {}
TESSERA_ENGINE program_cache::~program_cache() { delete programs_; }

TESSERA_ENGINE program_call::program_call() = default;
TESSERA_ENGINE program_call::~program_call() = default;

TESSERA_ENGINE void program_call::give(stored_array const& x) {
  if (!x.memory) gone();
  arguments_.push_back(x);
}
[[noreturn]] inline void on_different_devices() {
  throw std::invalid_argument(
      "tessera: the arrays of one call live on different devices. Fix: device_put them onto one mesh first.");
}
TESSERA_ENGINE void program_call::give(stored_array const& x, concrete_mesh const& mesh) {
  if (!mesh_ || !mesh_->committed())
    mesh_ = !mesh_ || mesh.committed() ? &mesh : mesh_;
  else if (mesh.committed() && !(*mesh_ == mesh))
    on_different_devices();
  give(x);
}
TESSERA_ENGINE void program_call::give_beside(stored_array const& x, concrete_mesh const& where) {
  if (where.committed()) beside_ = &where;
  give(x);
}
TESSERA_ENGINE void program_call::give(number_value const& number) {
  numbers_.push_back({static_cast<int>(arguments_.size()), number});
  arguments_.emplace_back();
}
TESSERA_ENGINE void program_call::give(array_value const& facts, given_constant const& constant) {
  numbers_.push_back({static_cast<int>(arguments_.size()), {}, constant});
  arguments_.push_back({facts, {}});
}
TESSERA_ENGINE void program_call::give(std::span<std::byte const> bytes, dtype element) {
  given_number number{static_cast<int>(arguments_.size()), {}, {}, true, element};
  std::copy(bytes.begin(), bytes.end(), number.bytes.begin());
  numbers_.push_back(number);
  arguments_.push_back(store_element(bytes, element));
}

// The extents that types leave open must follow from the call's arguments, and they must not change the layouts that
// the types of the results have.
inline void require_as_typed(graph_view const& traced, array_value const* typed) {
  for (int id = 0; id < traced.node_count; ++id)
    if (traced[id].facts.size() == dynamic)
      throw std::logic_error("tessera: the arguments do not say all extents of the result of " +
                             std::string(traced[id].op->name) + ": " + describe(traced[id].facts, *traced.mesh) + ".");
  for (int i = 0; i < traced.output_count; ++i)
    if (!traced[traced.outputs[i]].facts.same_spec(typed[i]))
      throw std::logic_error("tessera: result " + std::to_string(i) + " has the layout " +
                             describe(traced[traced.outputs[i]].facts, *traced.mesh) + " and the type " +
                             describe(typed[i], *traced.mesh) + ".");
}

// The program with the sizes of the arguments: traced again with them if the types do not say all.
inline growable_graph with_sizes(unsettled_program const& program, mesh_value const& mesh, array_value const* facts) {
  if (!program.record) {
    growable_graph typed = growable_graph::copy_of(program.typed);
    typed.mesh.processes = mesh.processes;
    return typed;
  }
  builder traced = program.record(mesh, facts);
  if (traced.refused.what.why != reason::none) throw refused_error(traced.refused, mesh);
  require_as_typed(traced.recorded.view(), program.results);
  return std::move(traced.recorded);
}

// The program for arguments of these sizes and layouts.
inline std::shared_ptr<run_time_program const> settled(unsettled_program const& program, mesh_value const& mesh,
                                                       std::vector<stored_array> const& arguments) {
  std::vector<array_value> facts;
  std::vector<by_dim<entry_value>> layouts;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    array_value v = program.typed[program.typed.inputs[static_cast<int>(i)]].facts;
    v.extents = arguments[i].facts.extents;
    facts.push_back(v);
    layouts.push_back(arguments[i].memory ? arguments[i].facts.spec : v.spec);
  }
  growable_graph global = canonical(with_rules(with_sizes(program, mesh, facts.data())));
  layouts.resize(global.inputs.size());  // inputs after the arguments are numbers
  global = partitioned(std::move(global), layouts.data());
  return std::make_shared<run_time_program>(std::move(global), true, true, program.known);
}

TESSERA_ENGINE void program_call::load(unsettled_program const& program, program_cache& cache, mesh_value const& mesh) {
  sized_programs& programs = cache.programs();
  held_ = programs.find(mesh, arguments_);
  if (!held_) {
    told_plan told(programs, mesh, arguments_);
    held_ = programs.keep(mesh, arguments_, settled(program, mesh, arguments_));
    told.tell(*held_, program.known, programs.size());
  }
  program_ = &held_->program;
}

TESSERA_ENGINE void program_call::load_across(graph_view const& traced, std::span<compiled_plan const> known,
                                              program_cache& cache, mesh_value const& mesh) {
  sized_programs& programs = cache.programs();
  held_ = programs.find(mesh, arguments_);
  if (!held_) {
    told_plan told(programs, mesh, arguments_);
    growable_graph global = canonical(with_rules(growable_graph::copy_of(traced)));
    global.mesh.processes = mesh.processes;
    held_ = programs.keep(mesh, arguments_,
                          std::make_shared<run_time_program>(partitioned(std::move(global)), true, true, known));
    told.tell(*held_, known, programs.size());
  }
  program_ = &held_->program;
}

TESSERA_ENGINE void program_call::run(concrete_mesh const& mesh) {
  if (beside_ && beside_->devices() != mesh.devices()) on_different_devices();
  runs_on const here(mesh.devices());
  if (value_watch const watch = value_watch::now())
    results_ = run_watched(watch);
  else
    results_ = (*program_)(std::move(arguments_), numbers_);
}

// Whether a value that is watched for stands in an array; blocks of other processes are theirs to look at.
TESSERA_COLD inline bool is_invalid(value_watch const& watch, stored_array const& x, mesh_value const& mesh) {
  if (!may_be_invalid(x.facts) || x.facts.size() == 0) return false;
  bool const whole = is_addressable(x.facts, mesh);
  buffer const held = whole ? values_on_host(x, mesh) : x.memory;
  std::int64_t const bytes = bytes_of(x.facts.element);
  array_value flat;  // one dimension: what is looked at lies side by side
  flat.element = x.facts.element;
  flat.add_dim(whole ? x.facts.size() : storage_bytes(stored_block(x.facts, mesh), mesh) / bytes);
  strides one;
  one.dim_stride[0] = 1;
  return !first_invalid(watch, held.data(), flat, one).empty();
}

// The program's results; arguments stay as they are, for a second run that finds out.
TESSERA_ENGINE std::vector<stored_array> program_call::run_watched(value_watch const& watch) {
  std::vector<stored_array> const arguments = arguments_;
  auto results = (*program_)(std::move(arguments_), numbers_);
  mesh_value const& mesh = *program_->plan().local.mesh;
  std::int64_t invalid = 0;
  for (stored_array const& x : results) invalid += is_invalid(watch, x, mesh);
  if (auto const* const processes = static_cast<mesh_processes const*>(mesh.processes)) {
    std::vector<std::int64_t> all(processes->all->size());
    processes->all->all_gather(all.data(), &invalid, sizeof invalid, "whether results are finite").wait();
    for (std::int64_t n : all) invalid += n;
  }
  if (invalid) find_invalid(watch, arguments);
  return results;
}

// Runs the program with one step for each operation, and throws what the first invalid value comes from.
TESSERA_ENGINE void program_call::find_invalid(value_watch const& watched, std::vector<stored_array> const& arguments) {
  growable_graph global = held_ ? held_->global : partitioned(canonical(with_rules(growable_graph::copy_of(traced_))));
  mesh_processes const* const processes = static_cast<mesh_processes const*>(global.mesh.processes);
  std::string found;
  std::int64_t order = 0;
  {
    nan_watch watch(watched);
    run_time_program const slowly(std::move(global), true, false);
    (void)slowly.program(arguments, numbers_);
    found = watch.found();
    order = watch.order();
  }
  if (processes) found = first_text(*processes->all, found, "where an invalid value comes from", order);
  throw invalid_value(!found.empty()
                          ? found
                          : "tessera: a result of a program has an invalid value, but none of its steps made "
                            "one when it ran once more. Fix: if a kernel of your own is in it, look there.");
}

TESSERA_ENGINE std::vector<buffer> run_unshared(growable_graph const& global,
                                                std::vector<stored_array> const& arguments) {
  growable_plan const planned = make_plan(global.view(), {.share = false, .fuse = false});
  plan_view const plan = planned.view();
  executable const run(plan);
  std::vector<std::byte*> in, out;
  std::vector<strides> in_at;
  std::vector<buffer> results;
  for (stored_array const& a : arguments) {
    in.push_back(a.memory.data());
    in_at.push_back(own_strides(stored_block(a.facts, global.mesh), global.mesh));
  }
  for (int i = 0; i < plan.local.output_count; ++i) {
    auto const& facts = plan.local[plan.local.outputs[i]].facts;
    results.emplace_back(static_cast<std::size_t>(storage_bytes(facts, global.mesh)));
    out.push_back(results.back().data());
  }
  run.run(in.data(), in_at.data(), out.data());
  return results;
}

TESSERA_ENGINE stored_array run_once(builder b, term result, std::vector<stored_array> const& inputs) {
  if (b.refused.what.why != reason::none) throw refused_error(b.refused, b.recorded.mesh);
  b.recorded.outputs.push_back(result.id);
  run_time_program program(std::move(b.recorded));
  return program.program(inputs)[0];
}

TESSERA_ENGINE stored_array laid_out_now(stored_array const& given, array_value const& wanted, mesh_value const& mesh) {
  if (given.facts.same_spec(wanted)) return given;
  builder b;
  b.recorded.mesh = explicit_twin(mesh);
  term const moved = laid_out_as(b, b.argument(info<ops::argument>, given.facts), wanted);
  return run_once(std::move(b), moved, {given});
}

TESSERA_ENGINE stored_array run_constant(graph_view const& program, refusal const& refused, mesh_value const& mesh,
                                         dtype element, bool asked, bool as_placed) {
  static_assert(op_register<ops::cast>::done);
  if (!refused.what) throw refused_error(refused, *program.mesh);
  builder b;
  b.recorded = with_rules(growable_graph::copy_of(program));
  b.recorded.outputs.clear();
  if (mesh.rank == b.recorded.mesh.rank) b.recorded.mesh.processes = mesh.processes;
  term const result{&b, program.outputs[0]};
  cast_params const to{element, false, asked ? cast_role::asked : cast_role::promotes};
  term const made = result.facts().element == element ? result : b.make<ops::cast>({result}, to);
  b.recorded.outputs.push_back(made.id);
  settle_numbers(b);
  if (b.refused.what.why != reason::none) throw refused_error(b.refused, b.recorded.mesh);
  growable_graph whole = canonical(b.recorded);
  return run_time_program(as_placed ? partitioned(std::move(whole)) : std::move(whole)).program({})[0];
}

}  // namespace tessera::detail
