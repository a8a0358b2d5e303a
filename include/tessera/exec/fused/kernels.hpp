// SPDX-License-Identifier: Apache-2.0
#pragma once
// The compiled kernels of a constexpr plan: one a fused or opaque step, instantiated where this is used.

#include <tessera/exec/device/platform.hpp>
#include <tessera/exec/fused/compiled.hpp>
#include <tessera/exec/fused/kernel.hpp>
#include <tessera/op/base/opaque.hpp>

#if defined(__CUDACC__) || defined(__HIPCC__)
#include <tessera/exec/fused/device.hpp>
#include <tessera/exec/run/opaque_device.hpp>
#endif

#include <array>

namespace tessera {

namespace detail {

// On an accelerator: exec/fused/device.hpp, exec/run/opaque_device.hpp.
template <class Program>
void launch_program(std::string const& label, fused_arguments const& arguments, std::int64_t count,
                    std::int64_t columns);
template <class Op, class T>
void launch_opaque(std::string const& label, opaque_work const& work, std::byte* const* frame);

template <auto const& Plan, int Step>
constexpr fused_kernel kernel_of() {
  fused_kernel kernel;
  if constexpr (Plan.view().steps[Step].kind == step_kind::fused) {
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

template <auto const& Plan, std::size_t... Step>
constexpr auto kernels_of(std::index_sequence<Step...>) {
  return std::array<fused_kernel, sizeof...(Step)>{kernel_of<Plan, static_cast<int>(Step)>()...};
}

template <auto const& Plan>
inline constexpr auto plan_kernels =
    kernels_of<Plan>(std::make_index_sequence<static_cast<std::size_t>(Plan.view().step_count)>{});

}  // namespace detail

// What an executable of Plan, a constexpr object of static storage with a `view()`, is given: one a step.
template <auto const& Plan>
constexpr fused_kernel const* kernels_of() {
  return detail::plan_kernels<Plan>.data();
}

}  // namespace tessera
