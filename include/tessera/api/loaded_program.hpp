// SPDX-License-Identifier: Apache-2.0
#pragma once
// A planned program bound to sizes, called with stored arrays: what jit and eager operations run.

#include <tessera/api/numbers.hpp>
#include <tessera/array/array.hpp>
#include <tessera/array/device_put.hpp>
#include <tessera/error/explain_text.hpp>
#include <tessera/exec/fused/known_kernels.hpp>
#include <tessera/exec/move/in_process.hpp>
#include <tessera/exec/run/executable.hpp>
#include <tessera/op/base/relayout.hpp>
#include <tessera/plan/donate.hpp>
#include <tessera/plan/make_plan.hpp>

#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace tessera::detail {

class loaded_program {
public:
  // `results`: the global facts of the results. The plan must outlive this.
  loaded_program(plan_view const& plan, std::span<array_value const> results, fused_kernel const* kernels)
      : run_(plan, kernels), results_(results.begin(), results.end()) {
    for (array_value& facts : results_) {
      facts.weak = false;
      bytes_.push_back(storage_bytes(stored_block(facts, *plan.local.mesh), *plan.local.mesh));
    }
    for (int r = 0; r < plan.local.output_count; ++r)
      for (int a = 0; a < plan.local.input_count; ++a)
        if (may_overwrite(plan, r, a)) donations_.push_back({r, a});
  }

  // Arguments are given up: memory that nobody else holds may be overwritten by results. `numbers`: of those arguments
  // that are C++ numbers, and so have no memory yet.
  std::vector<stored_array> operator()(std::vector<stored_array> arguments,
                                       std::span<given_number const> numbers = {}) const {
    if (!numbers.empty()) store_numbers(run_.plan().local, numbers, arguments);
    std::vector<stored_array> results(results_.size());
    for (auto const& [r, a] : donations_) {
      buffer& memory = results[static_cast<std::size_t>(r)].memory;
      buffer const& given = arguments[static_cast<std::size_t>(a)].memory;
      if (!memory && given.unique()) memory = given;
    }
    std::vector<std::byte*> in(arguments.size());
    std::vector<std::byte*> out(results_.size());
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = arguments[i].memory.data();
    for (std::size_t i = 0; i < out.size(); ++i) {
      results[i].facts = results_[i];
      if (!results[i].memory) results[i].memory = buffer(static_cast<std::size_t>(bytes_[i]));
      out[i] = results[i].memory.data();
    }
    run_.run(in.data(), nullptr, out.data());
    return results;
  }

private:
  executable run_;
  std::vector<array_value> results_;
  std::vector<std::int64_t> bytes_;
  std::vector<std::pair<int, int>> donations_;  // result, argument: the result may be written where the argument lies
};

inline std::vector<array_value> result_facts(graph_view const& global) {
  std::vector<array_value> facts;
  for (int i = 0; i < global.output_count; ++i) facts.push_back(global[global.outputs[i]].facts);
  return facts;
}

// A program planned at run time: it owns its graph and plan. `known`: kernels that were compiled for it.
struct run_time_program {
  growable_graph global;
  growable_plan planned;
  std::vector<fused_kernel> kernels;
  loaded_program program;

  explicit run_time_program(growable_graph graph, bool share = true, bool fuse = true,
                            std::span<compiled_plan const> known = {})
      : global(std::move(graph)),
        planned(make_plan(global.view(), share, fuse)),
        kernels(find_kernels(planned.view(), known)),
        program(planned.view(), result_facts(global.view()), kernels.data()) {}
};

// The programs of one trace, by the sizes they were planned for: the last hundred that were used. Any thread may ask;
// programs are planned by whoever needs them, while others go on.
class sized_programs {
public:
  using held = std::shared_ptr<run_time_program const>;

  held find(mesh_value const& mesh, std::vector<stored_array> const& arguments) {
    std::lock_guard const lock(guard_);
    return look(mesh, arguments);
  }
  // The one that another thread kept meanwhile, where one did.
  held keep(mesh_value const& mesh, std::vector<stored_array> const& arguments, held program) {
    std::lock_guard const lock(guard_);
    if (held known = look(mesh, arguments)) return known;
    entry made{{}, std::move(program), ++uses_};
    for (int a = 0; a < mesh.rank; ++a) made.sizes.push_back(mesh.size(a));
    for (stored_array const& x : arguments)
      for (int d = 0; d < x.facts.rank; ++d) made.sizes.push_back(x.facts.extent(d));
    last_ = programs_.size();
    if (last_ == most) {
      last_ = 0;
      for (std::size_t i = 1; i < most; ++i)
        if (programs_[i].used < programs_[last_].used) last_ = i;
      programs_[last_] = std::move(made);
    } else {
      programs_.push_back(std::move(made));
    }
    return programs_[last_].program;
  }
  std::size_t size() {
    std::lock_guard const lock(guard_);
    return programs_.size();
  }

  static constexpr std::size_t most = 100;

private:
  struct entry {
    std::vector<std::int64_t> sizes;
    held program;
    std::uint64_t used = 0;
    bool is_for(mesh_value const& mesh, std::vector<stored_array> const& arguments) const {
      std::size_t i = 0;
      for (int a = 0; a < mesh.rank; ++a)
        if (sizes[i++] != mesh.size(a)) return false;
      for (stored_array const& x : arguments)
        for (int d = 0; d < x.facts.rank; ++d)
          if (sizes[i++] != x.facts.extent(d)) return false;
      return true;
    }
  };

  // The last one is found without a look at the others.
  held look(mesh_value const& mesh, std::vector<stored_array> const& arguments) {
    for (std::size_t k = 0; k < programs_.size(); ++k) {
      std::size_t const i = (last_ + k) % programs_.size();
      if (!programs_[i].is_for(mesh, arguments)) continue;
      last_ = i;
      programs_[i].used = ++uses_;
      return programs_[i].program;
    }
    return nullptr;
  }

  std::mutex guard_;
  std::vector<entry> programs_;
  std::size_t last_ = 0;
  std::uint64_t uses_ = 0;
};

// The debug mode in which nothing is shared: every device stores and computes everything itself. The blocks of every
// device, one after the other in mesh order, for each result. Steps are neither fused nor compiled.
inline std::vector<buffer> run_unshared(growable_graph const& global, std::vector<stored_array> const& arguments) {
  growable_plan const planned = make_plan(global.view(), false, false);
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

// The mesh with all axes Explicit: how values really are laid out, which a type does not say of Auto axes.
inline mesh_value explicit_twin(mesh_value mesh) {
  for (int a = 0; a < mesh.rank; ++a) mesh.kinds[static_cast<std::size_t>(a)] = axis_kind::explicit_;
  return mesh;
}

// Runs what `b` has recorded, once. Throws its refusal.
inline stored_array run_once(builder b, term result, std::vector<stored_array> const& inputs) {
  if (b.refused.what.why != reason::none) throw refused_error(b.refused, b.recorded.mesh);
  b.recorded.outputs.push_back(result.id);
  run_time_program program(std::move(b.recorded));
  return program.program(inputs)[0];
}

// The same value in another layout, which may name Auto axes. law: shares the memory when nothing has to move.
inline stored_array laid_out_now(stored_array const& given, array_value const& wanted, mesh_value const& mesh) {
  if (given.facts.same_spec(wanted)) return given;
  builder b;
  b.recorded.mesh = explicit_twin(mesh);
  term const moved = laid_out_as(b, b.argument(info<ops::argument>, given.facts), wanted);
  return run_once(std::move(b), moved, {given});
}

template <ConstantValue X>
refusal refusal_in_constant(X const& x) {
  if constexpr (is_grown<X>)
    return x.why;
  else
    return refusal_of_constant(x);
}

// A constant's little program, without its result. Throws what it was refused for.
template <ConstantValue X>
growable_graph program_of_constant(X const& x) {
  if (refusal const why = refusal_in_constant(x); !why.what) throw refused_error(why, x.program.mesh);
  growable_graph graph;
  graph.mesh = x.program.mesh;
  for (node const& n : x.program.nodes) graph.nodes.push_back(n);
  for (int id : x.program.operands) graph.operands.push_back(id);
  for (graph_region const& r : x.program.regions) graph.regions.push_back(r);
  for (int id : x.program.region_values) graph.region_values.push_back(id);
  return graph;
}
// Its values, computed, as `element`.
inline stored_array run_constant(growable_graph graph, int result, dtype element, bool asked) {
  static_assert(op_register<ops::cast>::done);
  builder b;
  b.recorded = std::move(graph);
  attributes to;
  to.element = element;
  if (asked) to.integer = static_cast<std::int64_t>(ops::cast_role::asked);
  term const made = b.facts(result).element == element ? term{&b, result} : b.make<ops::cast>({term{&b, result}}, to);
  b.recorded.outputs.push_back(made.id);
  settle_numbers(b);
  if (b.refused.what.why != reason::none) throw refused_error(b.refused, b.recorded.mesh);
  return run_time_program(canonical(b.recorded)).program({})[0];
}
template <ConstantValue X>
stored_array store_constant(X const& x, dtype element = X::type::value.element, bool asked = false) {
  return run_constant(program_of_constant(x), x.program.outputs[0], element, asked);
}

template <class X>
stored_array store_operand(X const& x) {
  if constexpr (is_array<X>) {
    if (x.is_released()) gone();
    return x.stored();
  } else if constexpr (is_host_view<X>) {
    return device_put(x).stored();
  } else {
    return store_constant(x);
  }
}

// The device mesh of the arrays among a call's leaves whose type has M; throws when two differ.
template <Mesh M>
struct find_mesh {
  device_mesh<M>* found;
  bool* any;
  template <class X>
  void operator()(X const& x) const {
    if constexpr (is_array<X>) {
      if constexpr (std::is_same_v<typename X::mesh_type, M>) {
        if (*any && !(*found == x.mesh()))
          throw std::invalid_argument(
              "tessera: the arrays of one call live on different devices. Fix: device_put them onto one mesh first.");
        *found = x.mesh();
        *any = true;
      }
    }
  }
};

}  // namespace tessera::detail
