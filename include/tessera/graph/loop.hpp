// SPDX-License-Identifier: Apache-2.0
#pragma once
// Nodes that run regions: scan, while_loop, a branch of cond or switch_. Their parameters: loop_shape, rule/params.hpp.
//   operands  initial carried values, arrays to take slices of, the selector of a branch, then what the regions read
//             from outside
//   regions   scan: its body, (carried..., slices...) -> (carried..., what is stacked...); while_loop: its condition,
//             then its body; branch: one for each choice
//   results   nodes of op loop_result: last carried values, then stacked ones; of a branch: what it gives

#include <tessera/graph/graph.hpp>

namespace tessera {}  // namespace tessera
