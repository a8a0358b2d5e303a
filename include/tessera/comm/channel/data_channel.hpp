// SPDX-License-Identifier: Apache-2.0
#pragma once
// Channels that carry arrays in device memory. Each is built on a channel between hosts, which joins the processes and
// still carries host data. Without a data channel, arrays are copied through host memory.

#include <tessera/comm/channel/channel.hpp>

namespace tessera::detail {

// Returns a channel of the same ranks in the same order, for buffers in device memory. All ranks call it.
using data_channel_maker = std::shared_ptr<channel> (*)(std::shared_ptr<channel> over);

// Sets the maker of data channels for programs that are bound later; null: none. comm/nccl/arrays.hpp sets NCCL's.
void carry_arrays_by(data_channel_maker make);

// The data channel of `over`, or `over` itself if there is no maker. It is made once and kept as long as `over` is
// used. All ranks call it for the same channels in the same order.
std::shared_ptr<channel> data_channel(std::shared_ptr<channel> const& over);

// Releases all data channels, before the channels below them end.
void drop_data_channels();

}  // namespace tessera::detail
