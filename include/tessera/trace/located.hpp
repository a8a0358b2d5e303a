// SPDX-License-Identifier: Apache-2.0
#pragma once
// An operand of an operator, with its source line.

#include <tessera/trace/invoke.hpp>

namespace tessera {

// An operand with its source line. Operators cannot have a default argument; a converting constructor can.
template <class X>
struct located {
  X const& value;
  site at;
  constexpr located(X const& v, std::source_location s = std::source_location::current()) : value(v), at(s) {}
};

// The variable on the left of x += y.
template <class X>
struct assigned {
  X& variable;
  site at;
  constexpr assigned(X& v, std::source_location s = std::source_location::current()) : variable(v), at(s) {}
};

// The same for == and !=, which C++20 also tries with exchanged operands. Overload resolution prefers the written order
// only if both operands have equal conversions; two conversions to a base are equal, and a converting constructor is
// worse.
template <class X>
struct comparand {
  X const* value = nullptr;
  std::source_location at{};
  constexpr comparand() = default;
  constexpr comparand(X const& v, std::source_location s = std::source_location::current()) : value(&v), at(s) {}
};

}  // namespace tessera
