// SPDX-License-Identifier: Apache-2.0
#pragma once
// Programs of one device: shard_map and its collectives.

#include <tessera/manual/all_gather.hpp>
#include <tessera/manual/all_to_all.hpp>
#include <tessera/manual/async.hpp>
#include <tessera/manual/axis_index.hpp>
#include <tessera/manual/axis_index_groups.hpp>
#include <tessera/manual/pbroadcast.hpp>
#include <tessera/manual/pcast.hpp>
#include <tessera/manual/ppermute.hpp>
#include <tessera/manual/psum.hpp>
#include <tessera/manual/psum_scatter.hpp>
#include <tessera/manual/pvary.hpp>
#include <tessera/manual/ragged_all_to_all.hpp>
#include <tessera/manual/shard_map.hpp>
