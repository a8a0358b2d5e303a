// SPDX-License-Identifier: Apache-2.0
#pragma once
// Channels that carry arrays where they lie in an accelerator's memory, each made over one that has brought the processes
// together and goes on carrying what the host says. Without them arrays go through the host's memory.

#include <tessera/comm/channel/channel.hpp>

namespace tessera::detail {

// A channel of the same ranks in the same order, whose messages carry memory of the accelerator. All ranks call it.
using data_channel_maker = std::shared_ptr<channel> (*)(std::shared_ptr<channel> over);

// What makes them in programs that are bound from here on; null: nothing. comm/nccl/arrays.hpp gives NCCL's.
void carry_arrays_by(data_channel_maker make);

// The one of these ranks, who all ask for the same ones in the same order; one for as long as `over` is used. `over` itself
// where nothing makes any.
std::shared_ptr<channel> data_channel(std::shared_ptr<channel> const& over);

// Without those made so far, before what they stand on ends.
void drop_data_channels();

}  // namespace tessera::detail
