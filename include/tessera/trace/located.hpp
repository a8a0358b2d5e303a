// SPDX-License-Identifier: Apache-2.0
#pragma once
// An operand of an operator, and the line where it stands.

#include <tessera/trace/invoke.hpp>

namespace tessera {

// An operand and where it was used: operators have no room for a default argument, a converting constructor has.
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

// The same for == and !=, which C++20 also tries with their operands exchanged: only where both operands convert alike
// is the order that was written the better one. A base is as good as a base; a value that is converted is worse.
template <class X>
struct comparand {
  X const* value = nullptr;
  std::source_location at{};
  constexpr comparand() = default;
  constexpr comparand(X const& v, std::source_location s = std::source_location::current()) : value(&v), at(s) {}
};

}  // namespace tessera
