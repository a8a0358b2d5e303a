// SPDX-License-Identifier: Apache-2.0
#pragma once
// From a node's op pointer back to the op type, in constant evaluation: graphs are values, and kernels are types. The
// function that `op_register<Op>` defines is found through the address of bare_info<Op>.

#include <tessera/base/config.hpp>
#include <tessera/graph/op_info.hpp>

#include <type_traits>

namespace tessera {

TESSERA_ALLOW_NON_TEMPLATE_FRIEND
template <op_info const* Info>
struct op_slot {
  friend constexpr auto op_type_of(op_slot<Info>);
};

// Instantiated wherever an op enters a graph.
template <class Op>
struct op_register {
  static constexpr bool done = true;  // first, because bodies that the addresses below instantiate use it
  friend constexpr auto op_type_of(op_slot<&bare_info<Op>>) { return std::type_identity<Op>{}; }
};

// op_at<&info<ops::add>>, op_at<&planning_info<ops::add>> and op_at<&bare_info<ops::add>> are ops::add.
template <op_info const* Info>
using op_at = typename decltype(op_type_of(op_slot<detail::bare_of(Info)>{}))::type;

}  // namespace tessera
