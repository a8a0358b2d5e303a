// SPDX-License-Identifier: Apache-2.0
#pragma once
// A channel of one rank, for a program that runs as a single process.

#include <tessera/comm/channel/channel.hpp>

namespace tessera {

std::shared_ptr<channel> alone();

}  // namespace tessera
