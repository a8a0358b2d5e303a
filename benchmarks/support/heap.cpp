// SPDX-License-Identifier: Apache-2.0
// operator new of the benchmark programs. In a file of its own: inlined, g++ takes the pair with malloc for a mistake.
// Large blocks are huge pages, as numpy's and the floors' are: what is copied from and to costs all sides the same.

#include "heap.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace {
std::atomic<std::int64_t> count{0};
constexpr std::size_t huge_page = std::size_t{2} << 20, large = std::size_t{4} << 20;

void* taken(std::size_t bytes) {
  if (bytes < large) return std::malloc(bytes ? bytes : 1);
  std::size_t const pages = (bytes + huge_page - 1) / huge_page * huge_page;
  void* const data = std::aligned_alloc(huge_page, pages);
#if defined(__linux__)
  if (data) madvise(data, pages, MADV_HUGEPAGE);
#endif
  return data;
}
}  // namespace

std::int64_t cases::heap_allocations() { return count.load(std::memory_order_relaxed); }

void* operator new(std::size_t bytes) {
  count.fetch_add(1, std::memory_order_relaxed);
  if (void* const data = taken(bytes)) return data;
  throw std::bad_alloc();
}
void operator delete(void* data) noexcept { std::free(data); }
void operator delete(void* data, std::size_t) noexcept { std::free(data); }
