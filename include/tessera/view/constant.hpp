// SPDX-License-Identifier: Apache-2.0
#pragma once
// Printing of constants: their values are computed as an array first.

#include <tessera/api/asarray.hpp>
#include <tessera/view/array.hpp>

namespace tessera {

template <class Traits, ConstantValue X>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, X const& x) {
  return out << asarray(x);
}

}  // namespace tessera
