// SPDX-License-Identifier: Apache-2.0
#pragma once
// Operations that templates of the stages below op name: declared here, defined by op before such a template is
// instantiated. Elementwise ones are declared in graph/engine_ops.hpp.

#include <tessera/graph/engine_ops.hpp>

namespace tessera::ops {

struct broadcast_to;     // op/shape/broadcast_to.hpp
struct identity;         // op/base/identity.hpp
struct pcast_unreduced;  // op/base/varying.hpp
struct permute;          // op/shape/permute.hpp
struct psum;             // op/base/varying.hpp
struct pvary;            // op/base/varying.hpp
struct reduce_sum;       // op/reduce/reduce_sum.hpp
struct reshard;          // op/shape/reshard.hpp

}  // namespace tessera::ops
