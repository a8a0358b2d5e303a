// SPDX-License-Identifier: Apache-2.0
#pragma once
// Opaque steps on an accelerator: one thread for each element of the batch.

#include <tessera/exec/device/launch.hpp>
#include <tessera/exec/fused/kernel.hpp>
#include <tessera/op/base/opaque.hpp>

#include <stdexcept>

#if defined(__CUDACC__)  // a kernel on the device needs the bodies of what it calls
#include <tessera/exec/run/op_kernels.hpp>
#endif

namespace tessera {

namespace detail {

template <class Op, class T>
struct opaque_device {
  using kernel = opaque_kernel<Op, T>;
  opaque_work work;
  std::byte* base[opaque_work::most];
  TESSERA_FUNCTION void operator()(std::int64_t e) const {
    std::byte* at[opaque_work::most];
    for (int k = 0; k < work.operands; ++k) at[k] = base[k] + work.offset(k, e);
    kernel::forms::run(work, e, at, typename kernel::operands{}, typename kernel::results{});
  }
};

template <class Op, class T>
void launch_opaque(std::string const& label, opaque_work const& work, std::byte* const* frame) {
  if constexpr (has_own_types<Op>) {  // on the host, with addresses of the device: it launches by itself
    watched_region const watched(label);
    opaque_kernel<Op, T>::tile(&work, frame, 0);
  } else if constexpr (opaque_kernel<Op, T>::forms::anywhere) {
    opaque_device<Op, T> job{work, {}};
    for (int k = 0; k < work.operands; ++k) job.base[k] = frame[work.operand[k].slot];
    launch_counters.launches.fetch_add(1, std::memory_order_relaxed);
    Kokkos::parallel_for(label, Kokkos::RangePolicy<execution_space, Kokkos::IndexType<std::int64_t>>(0, work.elements),
                         job);
  } else {
    static_cast<void>(work);
    static_cast<void>(frame);
    throw std::logic_error("tessera: " + label +
                           " has a kernel for the host only. Fix: run it where the arrays are in host memory.");
  }
}

}  // namespace detail

}  // namespace tessera
