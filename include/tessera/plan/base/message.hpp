// SPDX-License-Identifier: Apache-2.0
#pragma once
// One collective of a plan, for its cost: the bytes that it sends by the ring model (rule/ring.hpp), and its cause.

#include <tessera/base/config.hpp>
#include <tessera/graph/node.hpp>

namespace tessera {

struct message {
  collective kind{};
  axis_set axes{};
  std::int64_t bytes = 0;  // sent per device, exact; dynamic if a size is
  site at{};               // the user's line that caused it, and its pass
  op_info const* cause = nullptr;
  std::int64_t block = 0;   // bytes of a device's block before it; dynamic if a size is
  std::int64_t group = 0;   // if it is within replica groups along the axes: devices of the largest group
  std::int64_t joined = 1;  // values that it carries: plan/message/join_messages.hpp
  int kin = -1;             // messages with equal numbers may be joined
  // How often it is sent in one call; dynamic if that is known at run time only: in a while_loop or one of several
  // branches.
  std::int64_t times = 1;

  constexpr program_pass pass() const { return at.pass; }
  constexpr bool is_bound() const { return kind == collective::ragged_all_to_all; }
  constexpr std::int64_t devices(mesh_value const& mesh) const { return group > 0 ? group : mesh.devices(axes); }
};

namespace detail {
// Blocks of a device of up to this many bytes together are joined to one message. The same in all files of a program.
inline constexpr std::int64_t joined_bytes = TESSERA_JOINED_BYTES;

// The rule of joining: a message joins the first message of its group that has room for it.
constexpr bool fits_together(std::int64_t block, std::int64_t more, std::int64_t most_bytes) {
  return block + more <= most_bytes;
}
}  // namespace detail

}  // namespace tessera
