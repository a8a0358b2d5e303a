// SPDX-License-Identifier: Apache-2.0
#pragma once
// The error for host data whose size is not that of its shape.

#include <tessera/array/host.hpp>

#include <stdexcept>
#include <string>

namespace tessera::detail {

[[noreturn]] TESSERA_ENGINE void wrong_size(std::size_t have, std::int64_t need, extents_list const& extents) {
  std::string shape;
  for (int d = 0; d < extents.size(); ++d) shape += (d ? ", " : "") + std::to_string(extents[d]);
  throw std::invalid_argument("tessera: host data has " + std::to_string(have) + " elements, its shape (" + shape +
                              ") needs " + std::to_string(need) + ". Fix: give as many elements as the shape has.");
}

}  // namespace tessera::detail
