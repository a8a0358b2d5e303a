// SPDX-License-Identifier: Apache-2.0
#pragma once
// Arrays that a program is given as rvalues are released before it runs.

#include <tessera/array/array.hpp>
#include <tessera/trace/tree.hpp>

namespace tessera::detail {

// For arguments given as rvalues, which are not read afterwards.
struct release_arguments {
  template <class X>
  void operator()(X const& x) const {
    if constexpr (is_array<X>) const_cast<X&>(x).release();  // leaves of trees are const
  }
};
template <class X>
void release_if_given(X&& x) {
  if constexpr (!std::is_lvalue_reference_v<X> && !std::is_const_v<X>) tree_each(release_arguments{}, x);
}

}  // namespace tessera::detail
