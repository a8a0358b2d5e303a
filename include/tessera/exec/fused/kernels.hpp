// SPDX-License-Identifier: Apache-2.0
#pragma once
// The compiled kernels of a constexpr plan: one a fused or opaque step, instantiated where this is used. With
// TESSERA_KERNELS=engine fused steps have none: tessera::engine interprets them.

#include <tessera/exec/fused/compiled.hpp>
#include <tessera/exec/run/executable.hpp>

#ifndef TESSERA_KERNELS
#define TESSERA_KERNELS compiled
#endif

namespace tessera {

namespace detail {

enum class kernels : std::uint8_t { compiled, engine };
inline constexpr bool kernels_from_engine = kernels::TESSERA_KERNELS == kernels::engine && runs_on_host;
static_assert(has_engine || kernels::TESSERA_KERNELS == kernels::compiled,
              "tessera: TESSERA_KERNELS=engine, and this file is compiled without an engine. Fix: link the target to "
              "tessera::engine.");

template <auto const& Plan, int Step>
constexpr fused_kernel kernel_of() {
  fused_kernel kernel;
  if constexpr (Plan.view().steps[Step].kind == step_kind::fused && !kernels_from_engine) {
    using program = program_of<Plan, Step>;
    if constexpr (runs_on_host)
      kernel.strip = &compiled<program>::strip;
    else
      kernel.launch = &launch_program<program>;
  }
  if constexpr (Plan.view().steps[Step].kind == step_kind::opaque) {
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

template <auto const& Plan, std::size_t... Step>
constexpr auto kernels_of(std::index_sequence<Step...>) {
  return std::array<fused_kernel, sizeof...(Step)>{kernel_of<Plan, static_cast<int>(Step)>()...};
}

template <auto const& Plan>
inline constexpr auto plan_kernels =
    kernels_of<Plan>(std::make_index_sequence<static_cast<std::size_t>(Plan.view().step_count)>{});

}  // namespace detail

// What an executable of Plan, a constexpr object of static storage with a `view()`, is given: one a step, or null.
template <auto const& Plan>
constexpr fused_kernel const* kernels_of() {
  if constexpr (detail::kernels_from_engine && !detail::has_opaque_step(Plan.view()))
    return nullptr;
  else
    return detail::plan_kernels<Plan>.data();
}

}  // namespace tessera
