// SPDX-License-Identifier: Apache-2.0
#pragma once
// A buffer whose allocation error tells its purpose.

#include <tessera/engine/exec/memory/no_memory.hpp>
#include <tessera/exec/memory/buffer.hpp>

namespace tessera::detail {

// `text()` gives the purpose; it is called only if there is no memory.
template <class Text>
buffer buffer_for(std::size_t bytes, Text const& text, memory_kind where = memory_kind::device) {
  try {
    return buffer(bytes, where);
  } catch (no_memory const& error) {
    throw no_memory(error, text());
  }
}

}  // namespace tessera::detail
