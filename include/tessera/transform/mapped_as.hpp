// SPDX-License-Identifier: Apache-2.0
#pragma once
// What vmap maps over in place of an argument. A type that is more than a tree, an array of keys, specializes it:
//   struct mapped_as<T> : std::true_type { static constexpr auto of(T const& x, site at); };

#include <type_traits>

namespace tessera::detail {

template <class X>
struct mapped_as : std::false_type {};

}  // namespace tessera::detail
