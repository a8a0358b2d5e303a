// SPDX-License-Identifier: Apache-2.0
#pragma once
// Copies past the caches: of arrays that do not fit in them, so that lines which are about to be overwritten are not
// read first. Elsewhere than on x86-64 these are ordinary copies.

#include <tessera/exec/device/machine.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__) && !defined(__CUDA_ARCH__)
#define TESSERA_STREAMS
#endif

namespace tessera::detail {

// Of the last caches, what this process' cores can count on. A virtual machine of few cores is shown the cache of a whole
// processor, whose other cores fill it too; few processors have more than this for each of their cores.
constexpr std::int64_t cache_share(machine const& m) {
  constexpr std::int64_t most_a_core = std::int64_t{16} << 20;
  if (m.l3 == 0) return most_a_core;
  return std::min(m.l3 * std::max(1, m.cores / m.cores_an_l3), most_a_core * m.cores);
}
// Read and written: from here on a copy streams. What the caches hold is faster to write there, by up to three times;
// past that, streaming is faster by a sixth to two thirds.
inline std::int64_t stream_bytes() { return cache_share(this_machine()); }

// So many bytes before they are needed, reading them begins: 0.1 us at what a core reads in a second.
inline constexpr std::size_t fetched_ahead = 2048;

#if defined(TESSERA_STREAMS)
// One cache line, in the widest registers there are. By builtins: <immintrin.h> takes 0.2 s to read.
inline void stream_line(std::byte* to, std::byte const* from) {
#if defined(__AVX512F__)
  constexpr std::size_t part = 64;
#elif defined(__AVX__)
  constexpr std::size_t part = 32;
#else
  constexpr std::size_t part = 16;
#endif
  typedef long long words __attribute__((vector_size(part)));
  for (std::size_t k = 0; k < 64; k += part) {
    words moved;
    std::memcpy(&moved, from + k, part);
    auto* const at = reinterpret_cast<words*>(to + k);
#if defined(__clang__)
    __builtin_nontemporal_store(moved, at);
#elif defined(__AVX512F__)
    __builtin_ia32_movntdq512(at, moved);
#elif defined(__AVX__)
    __builtin_ia32_movntdq256(at, moved);
#else
    __builtin_ia32_movntdq(at, moved);
#endif
  }
}
#endif

// Writes a run that is not read soon. With `next`: reading is so far ahead of writing, in this run and then in the one
// there; without, the run is in a cache.
inline void stream_run(std::byte* to, std::byte const* from, std::size_t bytes, std::byte const* next = nullptr) {
#if defined(TESSERA_STREAMS)
  constexpr std::size_t line = 64;
  std::size_t const head = (line - reinterpret_cast<std::uintptr_t>(to) % line) % line;
  if (bytes >= head + line) {
    std::memcpy(to, from, head);
    to += head, from += head, bytes -= head;
    auto const move = [&](std::size_t count, std::byte const* ahead) {
      for (std::size_t const end = bytes - count; bytes >= end + line; to += line, from += line, bytes -= line) {
        if (ahead) __builtin_prefetch(ahead), ahead += line;
        stream_line(to, from);
      }
    };
    if (next && bytes > fetched_ahead) move(bytes - fetched_ahead, from + fetched_ahead);
    move(bytes, next);
  }
#endif
  std::memcpy(to, from, bytes);
}

// After the last run: others may read what was written.
inline void stream_end() {
#if defined(TESSERA_STREAMS)
  __builtin_ia32_sfence();
#endif
}

}  // namespace tessera::detail
