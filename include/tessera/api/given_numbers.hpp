// SPDX-License-Identifier: Apache-2.0
#pragma once
// C++ numbers among the arguments of a call: stored as the elements that the program reads.

#include <tessera/array/stored_array.hpp>
#include <tessera/trace/enter_numbers.hpp>

#include <span>

namespace tessera::detail {

// A number or a constant of numbers among the arguments of a call, and its position.
struct given_number {
  int argument = 0;
  number_value value{};
  void const* constant = nullptr;
  stored_array (*store)(void const* constant, mesh_value const& mesh, dtype element, bool asked) = nullptr;
};

// Throws if an integer type cannot hold the number.
stored_array store_number(number_value const& n, dtype element, bool asked = false);
// One element, whose bytes these are.
stored_array store_element(std::span<std::byte const> bytes, dtype element);

}  // namespace tessera::detail
