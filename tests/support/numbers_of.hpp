// SPDX-License-Identifier: Apache-2.0
#pragma once
// The elements of each leaf of a tree of float32 arrays and constants, in order.

#include <tessera/tessera.hpp>

#include <vector>

namespace support {

template <class Tree>
std::vector<std::vector<float>> numbers_of(Tree const& results) {
  std::vector<std::vector<float>> all;
  tessera::tree_map(
      [&](auto const& x) {
        all.push_back(tessera::asarray(x).to_host());
        return 0;
      },
      results);
  return all;
}

}  // namespace support
