// SPDX-License-Identifier: Apache-2.0
#pragma once
// Neighboring elements that one thread of an accelerator reads and writes at once: each 128 bytes a warp needs are then a
// quarter of the instructions.

#include <tessera/base/config.hpp>

#include <cstddef>
#include <cstdint>

namespace tessera::detail {

inline constexpr int group_size = 4;

template <class T>
struct alignas(sizeof(T) * group_size < 16 ? sizeof(T) * group_size : 16) element_group {
  T at[group_size];
};

// Whether `count` elements, `step` apart, are one aligned group.
template <class T>
TESSERA_FUNCTION bool is_group(T const* first, std::int64_t step, int count) {
  return step == 1 && count == group_size && reinterpret_cast<std::uintptr_t>(first) % alignof(element_group<T>) == 0;
}

// Calls use(k, element) for `count` elements, 1 at least, and for the rest of the group with the first element.
template <class T, class Use>
TESSERA_FUNCTION void load_group(T const* first, std::int64_t step, int count, Use const& use) {
  if (is_group(first, step, count)) {
    element_group<T> const group = *reinterpret_cast<element_group<T> const*>(first);
    TESSERA_UNROLL
    for (int k = 0; k < group_size; ++k) use(k, group.at[k]);
  } else {
    TESSERA_UNROLL
    for (int k = 0; k < group_size; ++k) use(k, first[k < count ? k * step : 0]);
  }
}
// Stores value(k) for k < count.
template <class T, class Value>
TESSERA_FUNCTION void store_group(T* first, std::int64_t step, int count, Value const& value) {
  if (is_group(first, step, count)) {
    element_group<T> group;
    TESSERA_UNROLL
    for (int k = 0; k < group_size; ++k) group.at[k] = value(k);
    *reinterpret_cast<element_group<T>*>(first) = group;
  } else {
    TESSERA_UNROLL
    for (int k = 0; k < group_size; ++k)
      if (k < count) first[k * step] = value(k);
  }
}

}  // namespace tessera::detail
