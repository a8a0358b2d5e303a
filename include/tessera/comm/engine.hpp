// SPDX-License-Identifier: Apache-2.0
#pragma once
// All of comm that TESSERA_ENGINE is written before.

#include <tessera/comm/alone_run.hpp>
#include <tessera/comm/channel_run.hpp>
#include <tessera/comm/threads_run.hpp>
#include <tessera/comm/world_run.hpp>
