// SPDX-License-Identifier: Apache-2.0
#pragma once
// Definitions of view/array.hpp: the titles of the parts of an array that a process holds.

#include <tessera/view/array.hpp>

namespace tessera::detail {

TESSERA_ENGINE std::string parts_title(std::string_view type) {
  std::string text(type);
  text += ", its parts in process ";
  text += std::to_string(process_index());
  text += " of ";
  return text += std::to_string(process_count());
}
TESSERA_ENGINE std::string part_title(region const& index, device const& where) {
  std::string text = "\n[";
  for (int d = 0; d < index.size(); ++d) {
    if (d) text += ", ";
    text += std::to_string(index[d].start);
    text += ":";
    text += std::to_string(index[d].stop);
  }
  text += "] on ";
  text += to_string(where);
  return text += "\n";
}

}  // namespace tessera::detail
