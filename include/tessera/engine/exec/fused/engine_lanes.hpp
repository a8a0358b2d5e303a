// SPDX-License-Identifier: Apache-2.0
#pragma once
// The loops of the library's elementwise operations: what tessera::engine has ready for programs whose ops come without.

#include <tessera/op/ops.hpp>

namespace tessera::detail {

struct engine_entry {
  op_info const* op;
  block_function block;
};
template <class List>
struct engine_table;
template <class... Op>
struct engine_table<boost::mp11::mp_list<Op...>> {
  static constexpr engine_entry entries[sizeof...(Op)]{{&bare_info<Op>, &Op::block}...};
};

// Of an op's bare info; null for one that is not the library's.
TESSERA_COLD inline block_function engine_block(op_info const* op) {
  for (engine_entry const& known : engine_table<engine_ops>::entries)
    if (known.op == op) return known.block;
  return nullptr;
}

}  // namespace tessera::detail
