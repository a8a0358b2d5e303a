// SPDX-License-Identifier: Apache-2.0
#pragma once
// One collective of a plan as its cost is counted: what it sends by the ring model (rule/ring.hpp), and what for.

#include <tessera/base/config.hpp>
#include <tessera/graph/node.hpp>

namespace tessera {

struct message {
  collective kind{};
  axis_set axes{};
  std::int64_t bytes = 0;  // sent per device, exact; dynamic when a size is
  site at{};               // the user's line that caused it, and the pass
  op_info const* cause = nullptr;
  std::int64_t block = 0;   // bytes of a device's block before it; dynamic when a size is
  std::int64_t group = 0;   // devices of the largest group, where it is within groups of those along the axes
  std::int64_t joined = 1;  // values that it carries: plan/message/join_messages.hpp
  int kin = -1;             // messages of the same one may be joined
  // It is sent so often in one call; dynamic where that is known only then: in a while_loop or one of several branches.
  std::int64_t times = 1;

  constexpr program_pass pass() const { return at.pass; }
  constexpr bool is_bound() const { return kind == collective::ragged_all_to_all; }
  constexpr std::int64_t devices(mesh_value const& mesh) const { return group > 0 ? group : mesh.devices(axes); }
};

namespace detail {
// Up to so many bytes of a device's blocks are joined to one message. All files of a program say the same.
inline constexpr std::int64_t joined_bytes = TESSERA_JOINED_BYTES;

// The rule of joining: each message joins the first messages of its group that leave room for it.
constexpr bool fits_together(std::int64_t block, std::int64_t more, std::int64_t most_bytes) {
  return block + more <= most_bytes;
}
}  // namespace detail

}  // namespace tessera
