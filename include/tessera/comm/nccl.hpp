// SPDX-License-Identifier: Apache-2.0
#pragma once
// Ranks that have a GPU each, joined by NCCL, which then carries a program's arrays. Compiled by nvcc.

#include <tessera/comm/nccl/arrays.hpp>
#include <tessera/comm/nccl/channel.hpp>

namespace tessera {

// The same ranks as `over`, whose messages carry memory of the device that is current here: one for each rank. They begin
// when what `stream` was given before is done, and go on in a stream of their own; wait() is for the host. `over` brings the
// ranks together and says who is missing; it may be used for host memory at the same time. All ranks of `over` call it.
inline std::shared_ptr<channel> nccl_channel(std::shared_ptr<channel> over, cudaStream_t stream) {
  return detail::nccl_join(std::move(over), stream);
}

}  // namespace tessera
