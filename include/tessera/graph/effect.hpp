// SPDX-License-Identifier: Apache-2.0
#pragma once
// Operations of class `effect`. With `act`: a step that calls it on the host, for each device along the axes of its
// effect_params, in mesh order, with the operands' blocks. It is kept even if its result, which has no elements, is not
// read. Without `act`: the result is operand 0, available when all operands have been computed; nothing is fused across
// it.

#include <tessera/graph/node.hpp>
#include <tessera/mesh/coordinates.hpp>

#include <cstddef>
#include <string>

namespace tessera {

struct effect_operand {
  array_value facts{};
  std::byte const* data = nullptr;  // row-major, in host memory
};
struct effect_call {
  attributes const* attrs = nullptr;
  effect_operand const* operands = nullptr;
  int count = 0;
  std::int64_t device = 0;  // position of the device along these axes
  mesh_value const* mesh = nullptr;
  mesh_coordinates at{};  // mesh coordinates of the device; 0 along other axes
  // If the devices of several processes print: `text` receives the output, and `ready` gives it to the process that
  // prints.
  std::string* text = nullptr;
  std::string const* ready = nullptr;
  std::string_view label{};  // of the step: its operation and line
};

}  // namespace tessera
