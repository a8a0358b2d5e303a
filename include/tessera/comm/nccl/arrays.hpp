// SPDX-License-Identifier: Apache-2.0
#pragma once
// NCCL carries the arrays of a program of several processes, a GPU each, that reads this header in one of its files.

#include <tessera/comm/channel/data_channel.hpp>
#include <tessera/comm/nccl/channel.hpp>

#include <Kokkos_Core.hpp>

namespace tessera::detail {

// In the stream of the program's steps, so that a message begins when what it sends is made.
inline std::shared_ptr<channel> nccl_of_steps(std::shared_ptr<channel> over) {
  return nccl_join(std::move(over), Kokkos::Cuda().cuda_stream());
}
inline bool const nccl_carries_arrays = (carry_arrays_by(&nccl_of_steps), true);

}  // namespace tessera::detail
