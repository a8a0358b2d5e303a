// SPDX-License-Identifier: Apache-2.0
#pragma once
// Operations of class `effect`. With `act`: a step that calls it, on the host, for each device along the axes of its effect_params, in
// mesh order, with the operands' blocks; it is kept whether or not its result, which has no elements, is read. Without:
// operand 0 as it is, once all operands have been computed; nothing is fused across it.

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
  std::int64_t device = 0;  // its position along these axes
  mesh_value const* mesh = nullptr;
  mesh_coordinates at{};  // of that device; along other axes 0
  // Where the devices of several processes print: takes what would be printed; has it, for the one that prints it.
  std::string* text = nullptr;
  std::string const* ready = nullptr;
};

}  // namespace tessera
