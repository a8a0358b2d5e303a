// SPDX-License-Identifier: Apache-2.0
#pragma once
// All of array that TESSERA_ENGINE is written before.

#include <tessera/array/copy_strided.hpp>
#include <tessera/array/exchange_tensor.hpp>
#include <tessera/array/find_labels.hpp>
#include <tessera/array/from_host.hpp>
#include <tessera/array/host_size.hpp>
#include <tessera/array/no_mesh.hpp>
#include <tessera/array/order_hosts.hpp>
#include <tessera/array/parts.hpp>
#include <tessera/array/placed_mesh.hpp>
#include <tessera/array/sized_mesh.hpp>
#include <tessera/array/take_memory.hpp>
#include <tessera/array/timed.hpp>
#include <tessera/array/to_host.hpp>
