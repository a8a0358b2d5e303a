// SPDX-License-Identifier: Apache-2.0
#pragma once
// Ranks with one GPU each, joined by NCCL, which then carries a program's arrays. Compiled by nvcc.

#include <tessera/comm/nccl/arrays.hpp>
#include <tessera/comm/nccl/channel.hpp>

namespace tessera {

// A channel of the ranks of `over`, for buffers in the memory of the current device, one device per rank. A message
// begins after the earlier work of `stream` and runs in a stream of its own; wait() blocks the host. `over` joins the
// ranks and reports missing ones; it may carry host memory at the same time. All ranks of `over` call it.
inline std::shared_ptr<channel> nccl_channel(std::shared_ptr<channel> over, cudaStream_t stream) {
  return detail::nccl_join(std::move(over), stream);
}

}  // namespace tessera
