// SPDX-License-Identifier: Apache-2.0
// operator new of the benchmark programs. In a file of its own: inlined, g++ takes the pair with malloc for a mistake.

#include "heap.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<std::int64_t> count{0};
}

std::int64_t cases::heap_allocations() { return count.load(std::memory_order_relaxed); }

void* operator new(std::size_t bytes) {
  count.fetch_add(1, std::memory_order_relaxed);
  if (void* const data = std::malloc(bytes ? bytes : 1)) return data;
  throw std::bad_alloc();
}
void operator delete(void* data) noexcept { std::free(data); }
void operator delete(void* data, std::size_t) noexcept { std::free(data); }
