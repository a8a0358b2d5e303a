// SPDX-License-Identifier: Apache-2.0
#pragma once
// Copies that bypass the caches, for arrays that do not fit in them: cache lines that are overwritten are not read
// first. On processors other than x86-64 these are ordinary copies.

#include <tessera/exec/device/machine.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__) && !defined(__CUDA_ARCH__)
#define TESSERA_STREAMS
#endif

namespace tessera::detail {

// The share of the last-level caches that this process can count on. A virtual machine of few cores reports the cache
// of a whole processor, whose other cores fill it too; few processors have more than `most_a_core` for each core.
constexpr std::int64_t cache_share(machine const& m) {
  constexpr std::int64_t most_a_core = std::int64_t{16} << 20;
  if (m.l3 == 0) return most_a_core;
  return std::min(m.l3 * std::max(1, m.cores / m.cores_an_l3), most_a_core * m.cores);
}
// A copy that reads and writes at least this many bytes bypasses the caches. Below this size, writing to the caches is
// up to three times faster; above it, bypassing them is faster by a sixth to two thirds.
inline std::int64_t stream_bytes() { return cache_share(this_machine()); }

// Bytes between a prefetch and its use: what a core reads from memory in about 0.1 us.
inline constexpr std::size_t fetched_ahead = 2048;

#if defined(TESSERA_STREAMS)
// Copies one cache line, in the widest registers of the compiled level. Builtins, because <immintrin.h> takes 0.2 s to
// parse.
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

// Writes a run that is not read soon. With `next`, prefetches `fetched_ahead` bytes ahead: in this run, then from
// `next` on. Without `next`, the input is already in a cache.
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

// Called after the last run, before other threads read what was written.
inline void stream_end() {
#if defined(TESSERA_STREAMS)
  __builtin_ia32_sfence();
#endif
}

}  // namespace tessera::detail
