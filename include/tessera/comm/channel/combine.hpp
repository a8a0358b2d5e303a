// SPDX-License-Identifier: Apache-2.0
#pragma once
// Combines blocks of elements whose type is known at run time.

#include <tessera/graph/monoid.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace tessera::detail {

// out[i] = ((from[0][i] . from[1][i]) . ...) in registers, rounded once. `out` may be one of the inputs.
template <class T, monoid M>
void fold_elements(std::byte* out, std::span<std::byte const* const> from, std::int64_t count) {
  using register_t = register_of<T>;
  constexpr std::int64_t tile = 256;
  auto* const result = reinterpret_cast<T*>(out);
  for (std::int64_t begin = 0; begin < count; begin += tile) {
    std::int64_t const length = count - begin < tile ? count - begin : tile;
    register_t sums[tile];
    auto const* first = reinterpret_cast<T const*>(from[0]) + begin;
    for (std::int64_t i = 0; i < length; ++i) sums[i] = static_cast<register_t>(first[i]);
    for (std::size_t k = 1; k < from.size(); ++k) {
      auto const* const next = reinterpret_cast<T const*>(from[k]) + begin;
      TESSERA_INDEPENDENT
      for (std::int64_t i = 0; i < length; ++i)
        sums[i] = settled<T>(combine<M>(sums[i], static_cast<register_t>(next[i])));
    }
    for (std::int64_t i = 0; i < length; ++i) result[begin + i] = static_cast<T>(sums[i]);
  }
}

using fold_function = void (*)(std::byte* out, std::span<std::byte const* const> from, std::int64_t count);

inline fold_function fold_of(dtype element, monoid combine) {
  return with_element(element, [&]<class T>(std::type_identity<T>) {
    return with_monoid<T>(combine, []<monoid M>(monoid_constant<M>) -> fold_function { return &fold_elements<T, M>; });
  });
}

}  // namespace tessera::detail
