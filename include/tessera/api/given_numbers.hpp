// SPDX-License-Identifier: Apache-2.0
#pragma once
// C++ numbers among the arguments of a call: stored as the elements that the program reads.

#include <tessera/array/stored_array.hpp>
#include <tessera/trace/enter_numbers.hpp>

#include <array>
#include <cstddef>
#include <span>

namespace tessera::detail {

// A constant of numbers, whose type is behind the functions.
struct given_constant {
  void const* constant = nullptr;
  stored_array (*store)(void const* constant, mesh_value const& mesh, dtype element, bool asked) = nullptr;
  graph_view (*program)(void const* constant) = nullptr;
};
// A number or a constant of numbers among the arguments of a call, and its position.
struct given_number {
  int argument = 0;
  number_value value{};
  given_constant of{};
  bool typed = false;  // it keeps its type: these bytes of this element
  dtype element{};
  std::array<std::byte, 16> bytes{};
};

// Throws if an integer type cannot hold the number.
stored_array store_number(number_value const& n, dtype element, bool asked = false);
// One element, whose bytes these are.
stored_array store_element(std::span<std::byte const> bytes, dtype element);

}  // namespace tessera::detail
