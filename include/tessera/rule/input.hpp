// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a rule is asked about: the mesh, the operands' facts, the operation's own parameters.

#include <tessera/rule/verdict.hpp>

#include <bit>

namespace tessera {

// The parameters of an operation as plain data. Each op says in its header what it keeps in which field.
struct attributes {
  extents_list first{}, second{}, third{};
  spec_value out{};  // out_sharding, when has_out
  bool has_out = false;
  dtype element = dtype::float32;
  double number = 0;
  std::int64_t integer = 0;
  axis_set axes{};
  std::int32_t const* table = nullptr;  // its length, then its numbers: a constant
  // `number` by its bits: 0 is not -0, and NaN is itself.
  constexpr bool operator==(attributes const& other) const {
    return same_number(other) && first == other.first && second == other.second && third == other.third &&
           out == other.out && has_out == other.has_out && element == other.element && axes == other.axes &&
           table == other.table;
  }
  // What tells most of those apart that differ.
  constexpr bool same_number(attributes const& other) const {
    return integer == other.integer &&
           std::bit_cast<std::uint64_t>(number) == std::bit_cast<std::uint64_t>(other.number);
  }
};

struct rule_input {
  mesh_value const& mesh;
  array_value const* const* operands;
  int count;
  attributes const& attrs;

  constexpr array_value const& operator[](int i) const { return *operands[i]; }
};

using rule_function = verdict (*)(rule_input const&);

}  // namespace tessera
