// SPDX-License-Identifier: Apache-2.0
#pragma once
// Copies past the caches: of arrays that do not fit in them, so that lines which are about to be overwritten are not
// read first. Elsewhere than on x86-64 these are ordinary copies.

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__) && !defined(__CUDA_ARCH__)
#include <emmintrin.h>
#endif

namespace tessera::detail {

// Read and written: from here on a copy streams.
inline constexpr std::int64_t stream_bytes = std::int64_t{16} << 20;

inline void stream_run(std::byte* to, std::byte const* from, std::size_t bytes) {
#if defined(__SSE2__) && !defined(__CUDA_ARCH__)
  constexpr std::size_t line = 64, part = sizeof(__m128i);
  std::size_t const head = (line - reinterpret_cast<std::uintptr_t>(to) % line) % line;
  if (bytes >= head + line) {
    std::memcpy(to, from, head);
    to += head, from += head, bytes -= head;
    for (; bytes >= line; to += line, from += line, bytes -= line)
      for (std::size_t k = 0; k < line; k += part)
        _mm_stream_si128(reinterpret_cast<__m128i*>(to + k),
                         _mm_loadu_si128(reinterpret_cast<__m128i const*>(from + k)));
  }
#endif
  std::memcpy(to, from, bytes);
}

// After the last run: others may read what was written.
inline void stream_end() {
#if defined(__SSE2__) && !defined(__CUDA_ARCH__)
  _mm_sfence();
#endif
}

}  // namespace tessera::detail
