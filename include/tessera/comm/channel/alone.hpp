// SPDX-License-Identifier: Apache-2.0
#pragma once
// A channel of one rank: what a program has that was not started as several processes.

#include <tessera/comm/channel/channel.hpp>

namespace tessera {

std::shared_ptr<channel> alone();

}  // namespace tessera
