// SPDX-License-Identifier: Apache-2.0
#pragma once
// Finds the loops of exec/fused/lanes.hpp by element type and instruction level. In a header of its own, since naming
// them compiles all of them.

#include <tessera/exec/fused/element_loops.hpp>
#include <tessera/exec/fused/lanes.hpp>
#include <tessera/exec/fused/patch.hpp>

namespace tessera::detail {

inline copy_function copy_of_bytes(int bytes, bool stream = false, level instructions = running_level()) {
  return with_word(bytes, [=]<class Word>(std::type_identity<Word>) -> copy_function {
    return with_level(instructions, [stream]<class L>(L) -> copy_function {
      return stream ? at_level<L::value, &stream_patch<Word>> : at_level<L::value, &copy_patch<Word>>;
    });
  });
}

inline copy_function copy_of(dtype element, bool stream = false, level instructions = running_level()) {
  return copy_of_bytes(bytes_of(element), stream, instructions);
}

TESSERA_COLD inline element_functions const& elements_of(dtype element, level instructions = running_level()) {
  return *with_level(instructions, [element]<class L>(L) {
    return with_element(element, []<class T>(std::type_identity<T>) { return &element_table<T, L::value>; });
  });
}
TESSERA_COLD inline lane_functions const& lanes_of(dtype element, monoid m, level instructions = running_level()) {
  return *with_level(instructions, [=]<class L>(L) {
    return with_element(element, [m]<class T>(std::type_identity<T>) {
      return with_monoid<T>(m, []<monoid M>(monoid_constant<M>) { return &lane_table<T, M, L::value>; });
    });
  });
}

}  // namespace tessera::detail
