// SPDX-License-Identifier: Apache-2.0
#pragma once
// The loops of the library's elementwise operations, which tessera::engine has for programs whose operations come
// without loops.

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

// The loop of an op, given its bare info; null for operations that are not the library's.
TESSERA_COLD inline block_function engine_block(op_info const* op) {
  for (engine_entry const& known : engine_table<engine_ops>::entries)
    if (known.op == op) return known.block;
  return nullptr;
}

}  // namespace tessera::detail
