// SPDX-License-Identifier: Apache-2.0
#pragma once
// A few dimensions of elements in memory, contiguous or not: what kernels of opaque operations read and write.

#include <tessera/base/config.hpp>
#include <tessera/base/loops.hpp>

#include <cstdint>

namespace tessera {

// x(i), x(i, j), ...: as many indices as dimensions. Steps are in elements and may be 0 where nothing is written.
template <class T>
struct dense_view {
  T* elements = nullptr;
  std::int64_t const* extents = nullptr;
  std::int64_t const* steps = nullptr;
  int dims = 0;

  TESSERA_FUNCTION int rank() const { return dims; }
  TESSERA_FUNCTION std::int64_t extent(int d) const { return extents[d]; }
  TESSERA_FUNCTION std::int64_t step(int d) const { return steps[d]; }
  TESSERA_FUNCTION std::int64_t size() const {
    std::int64_t product = 1;
    for (int d = 0; d < dims; ++d) product *= extents[d];
    return product;
  }
  // Row-major, without gaps.
  TESSERA_FUNCTION bool contiguous() const {
    std::int64_t expected = 1;
    for (int d = dims - 1; d >= 0; --d) {
      if (extents[d] != 1 && steps[d] != expected) return false;
      expected *= extents[d];
    }
    return true;
  }
  template <class... I>
  TESSERA_FUNCTION T& operator()(I... i) const {
    std::int64_t at = 0;
    int d = 0;
    ((at += static_cast<std::int64_t>(i) * steps[d++]), ...);
    return elements[at];
  }
  // The element at this place of a row-major walk.
  TESSERA_FUNCTION T& at(std::int64_t flat) const {
    std::int64_t from = 0;
    detail::unravel(extents, dims, flat, [&](int d, std::int64_t i) { from += i * steps[d]; });
    return elements[from];
  }
};

}  // namespace tessera
