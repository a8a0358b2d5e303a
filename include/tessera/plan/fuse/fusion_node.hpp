// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the plan decides about each local node: how it is computed, and with which other nodes.

#include <tessera/graph/graph.hpp>

namespace tessera::detail {

enum class role : std::uint8_t {
  given,     // arguments: in memory before the program starts
  constant,  // literals and indices: instructions wherever they are used
  view,      // strides over memory; a row value broadcast to full shape is also a register of its group
  fused,     // an instruction of a group
  alone,     // a step of its own
  pieces,    // a concatenation that its readers read piece by piece: pieces.hpp
  absorbed,  // computed by the step of the collective or the convolution that reads it
  part,      // another result of the step that computes its operand
};

struct fusion_node {
  role is = role::given;
  bool row = false;      // one value per row of the space
  bool stored = false;   // needs memory
  int depth = -1;        // of the step that computes it
  int space = -1;        // a node whose local shape is the group's space
  int group = -1;        // parent in the forest of groups; a root names the group
  int value = -1;        // the node that computes it, through views that stay in registers
  int size = 0;          // of a space: the number of nodes that compute in it
  bool apart = false;    // starts a new group: its operands are loaded
  int readers = 0;       // how often it is an operand or an output
  int takes = -1;        // of a collective: the operand that its step also computes
  int convolution = -1;  // of the result of one: its position in the list of convolutions
  axis_set across;       // of a space: the axes along which its rows extend
};

}  // namespace tessera::detail
