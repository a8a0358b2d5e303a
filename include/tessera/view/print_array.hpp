// SPDX-License-Identifier: Apache-2.0
#pragma once
// The text of an array's values as numpy and JAX print them:
//   [[0. 1. 2.]
//    [3. 4. 5.]]
// In an array of more than 1000 elements the middle of every long dimension is "...".

#include <tessera/aval/dtype.hpp>
#include <tessera/aval/value.hpp>
#include <tessera/base/config.hpp>

#include <string>

namespace tessera {

struct print_options {
  int precision = 8;  // digits after the point
  std::int64_t threshold = 1000;
  std::int64_t edge_items = 3;
  std::size_t line_width = 75;
};

namespace detail {
// For elements of this type, row-major; the extents multiply to their number.
std::string values_text(dtype element, void const* values, extents_list const& extents, print_options const& options);
}  // namespace detail

// values: row-major; the extents multiply to their number.
template <class T>
std::string array_text(T const* values, extents_list const& extents, print_options const& options = {}) {
  return detail::values_text(dtype_of<T>(), values, extents, options);
}

}  // namespace tessera
