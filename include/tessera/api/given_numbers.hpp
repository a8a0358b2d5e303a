// SPDX-License-Identifier: Apache-2.0
#pragma once
// C++ numbers that are given to a program when it runs: stored as the elements that the program reads them as.

#include <tessera/array/stored_array.hpp>
#include <tessera/trace/enter_numbers.hpp>

namespace tessera::detail {

// A number or a constant of numbers among the arguments of a call, and its position.
struct given_number {
  int argument = 0;
  number_value value{};
  void const* constant = nullptr;
  stored_array (*store)(void const* constant, mesh_value const& mesh, dtype element, bool asked) = nullptr;
};

// Throws where an integer type would have to hold what it cannot.
stored_array store_number(number_value const& n, dtype element, bool asked = false);

}  // namespace tessera::detail
