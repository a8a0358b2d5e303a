// SPDX-License-Identifier: Apache-2.0
#pragma once
// The base of what says a layout: P, out_sharding, named_sharding. Where a function takes none, it lands where the
// function takes its place in the source (graph/node.hpp, site), which says so.

namespace tessera {

struct asked_layout {};

}  // namespace tessera
