// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a stream gets to see.

#include <sstream>
#include <string>

template <class X>
std::string printed(X const& x) {
  std::ostringstream out;
  out << x;
  return out.str();
}
