// SPDX-License-Identifier: Apache-2.0
#pragma once
// The compiled kernels of a constexpr plan: one per fused or opaque step, instantiated where this is used. With
// TESSERA_KERNELS=engine fused steps have none, and tessera::engine interprets them.

#include <tessera/exec/device/platform.hpp>
#include <tessera/exec/fused/compiled.hpp>
#include <tessera/exec/fused/kernel.hpp>
#include <tessera/op/base/opaque.hpp>

#if defined(TESSERA_ACCELERATOR)
#include <tessera/exec/fused/fused_arguments.hpp>
#include <tessera/exec/fused/fused_on_device.hpp>
#include <tessera/exec/fused/lanes_on_device.hpp>
#include <tessera/exec/run/opaque_device.hpp>
#endif

#include <array>

#ifndef TESSERA_KERNELS
#define TESSERA_KERNELS compiled
#endif

namespace tessera {

namespace detail {

// Defined for accelerators in exec/fused/fused_on_device.hpp and exec/run/opaque_device.hpp.
template <class Program>
void launch_program(std::string const& label, fused_work const& work, fused_arguments const& arguments,
                    std::int64_t count, std::int64_t columns);
template <class Op, class T>
void launch_opaque(std::string const& label, opaque_work const& work, std::byte* const* frame);

enum class kernels : std::uint8_t { compiled, engine };
inline constexpr bool kernels_from_engine = kernels::TESSERA_KERNELS == kernels::engine && runs_on_host;
static_assert(has_engine || kernels::TESSERA_KERNELS == kernels::compiled,
              "tessera: TESSERA_KERNELS=engine, and this file is compiled without an engine. Fix: link the target to "
              "tessera::engine.");

// Whether two fused steps have the same kernel type. For literals and indices only the kind counts.
constexpr bool same_code(plan_view const& left, step const& l, plan_view const& right, step const& r) {
  if (l.kind != step_kind::fused || r.kind != step_kind::fused || l.code.count != r.code.count ||
      l.loaded() != r.loaded() || l.outputs.count != r.outputs.count)
    return false;
  for (int i = 0; i < l.code.count; ++i) {
    instruction const &x = left.code[l.code.first + i], &y = right.code[r.code.first + i];
    if (x.kind != y.kind || x.element != y.element || x.row != y.row || bare_of(x.op) != bare_of(y.op)) return false;
    bool const node_named = x.kind == code_kind::literal || x.kind == code_kind::index;
    if (!node_named && (x.a != y.a || x.b != y.b || x.c != y.c)) return false;
  }
  return true;
}

// For a fused step, the first step with the same code, whose kernel it shares; or no_kernel: the engine interprets it.
// The engine interprets code whose steps together are at most 1/128 of a plan's fused work and take about a
// microsecond, because compiling it would cost more than it gains. Plans of unknown sizes and steps of loops always
// have kernels.
inline constexpr int no_kernel = -1;
struct step_kernels {
  static constexpr std::int64_t few = 16 * 1024, part = 128;  // elements times instructions

  template <std::size_t Count>
  static constexpr std::array<int, Count> choose(plan_view const& plan, bool sized) {
    std::array<int, Count> chosen{};
    std::array<std::int64_t, Count> work{};
    std::array<bool, Count> in_loop{};
    std::int64_t all = 0;
    for (std::size_t s = 0; s < Count; ++s) {
      step const& at = plan.steps[s];
      chosen[s] = static_cast<int>(s);
      if (at.kind != step_kind::fused) continue;
      std::size_t first = 0;
      while (first < s && !same_code(plan, at, plan, plan.steps[first])) ++first;
      chosen[s] = static_cast<int>(first);
      array_value const& space = plan.local[at.node].facts;
      std::int64_t const own = space.size() * plan.local.mesh->devices(space.varying) * at.code.count;
      work[first] += own;
      all += own;
      if (static_cast<int>(s) >= plan.own_steps) in_loop[first] = true;
    }
    for (std::size_t s = 0; s < Count && sized && has_engine && runs_on_host; ++s) {
      std::size_t const first = chosen[s];
      bool const small = work[first] <= few && work[first] <= all / part;
      if (plan.steps[s].kind == step_kind::fused && small && !in_loop[first]) chosen[s] = no_kernel;
    }
    return chosen;
  }
};

template <auto const& Plan, int Step>
constexpr fused_kernel kernel_of() {
  fused_kernel kernel;
  if constexpr (Step == no_kernel) {
    return kernel;
  } else if constexpr (Plan.view().steps[Step].kind == step_kind::fused) {
    using program = program_of<Plan, Step>;
    if constexpr (runs_on_host)
      kernel.strip = &compiled<program>::value;
    else
      kernel.launch = &launch_program<program>;
  } else if constexpr (Plan.view().steps[Step].kind == step_kind::opaque) {
    constexpr plan_view plan = Plan.view();
    constexpr step at = plan.steps[Step];
    using Op = op_at<plan.local[at.node].op>;
    using T = element_of<plan.local[plan.lists[at.inputs.first]].facts.element>;
    if constexpr (runs_on_host)
      kernel.tile = &opaque_kernel<Op, T>::tile;
    else
      kernel.opaque = &launch_opaque<Op, T>;
  }
  return kernel;
}

constexpr bool has_opaque_step(plan_view const& plan) {
  for (int s = 0; s < plan.step_count; ++s)
    if (plan.steps[s].kind == step_kind::opaque) return true;
  return false;
}

template <auto const& Plan, bool Sized>
struct plan_kernels {
  static constexpr std::size_t count = Plan.view().step_count;
  static constexpr std::array<int, count> chosen = [] {
    auto all = step_kernels::choose<count>(Plan.view(), Sized);
    for (std::size_t s = 0; s < count && kernels_from_engine; ++s)
      if (Plan.view().steps[s].kind == step_kind::fused) all[s] = no_kernel;
    return all;
  }();
  template <std::size_t... Step>
  static constexpr std::array<fused_kernel, count> make(std::index_sequence<Step...>) {
    return {kernel_of<Plan, chosen[Step]>()...};
  }
  static constexpr std::array<fused_kernel, count> value = make(std::make_index_sequence<count>{});
};

}  // namespace detail

// The kernels for an executable of Plan, a constexpr object of static storage with a `view()`: one per step, or null if
// no step has one. Sized: the plan's sizes are those that it runs with.
template <auto const& Plan, bool Sized = true>
constexpr fused_kernel const* kernels_of() {
  if constexpr (detail::kernels_from_engine && !detail::has_opaque_step(Plan.view()))
    return nullptr;
  else
    return detail::plan_kernels<Plan, Sized>::value.data();
}

}  // namespace tessera
