// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is said of the parts that a process has of an array: definitions of view/array.hpp.

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
