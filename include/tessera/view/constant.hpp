// SPDX-License-Identifier: Apache-2.0
#pragma once
// Printing and drawing of constants, as the arrays that asarray makes of them.

#include <tessera/api/asarray.hpp>
#include <tessera/view/array.hpp>

namespace tessera {

namespace functions {

template <ConstantValue X>
auto visualize(X const& x) {
  return visualize(asarray(x));
}
template <ConstantValue X>
void visualize_array_sharding(X const& x, std::ostream& out) {
  visualize_array_sharding(asarray(x), out);
}
template <ConstantValue X>
void visualize_array_sharding(X const& x) {
  visualize_array_sharding(asarray(x));
}

}  // namespace functions

template <class Traits, ConstantValue X>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, X const& x) {
  return out << asarray(x);
}

}  // namespace tessera
