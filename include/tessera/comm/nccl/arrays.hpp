// SPDX-License-Identifier: Apache-2.0
#pragma once
// If a file of a program includes this header, NCCL carries the program's arrays between its processes, with one GPU
// each.

#include <tessera/comm/channel/data_channel.hpp>
#include <tessera/comm/nccl/channel.hpp>

#include <Kokkos_Core.hpp>

namespace tessera::detail {

// Uses the stream of the program's steps, so that a message begins when its input is computed.
inline std::shared_ptr<channel> nccl_of_steps(std::shared_ptr<channel> over) {
  return nccl_join(std::move(over), Kokkos::Cuda().cuda_stream());
}
inline bool const nccl_carries_arrays = (carry_arrays_by(&nccl_of_steps), true);

}  // namespace tessera::detail
