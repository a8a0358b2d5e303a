// SPDX-License-Identifier: Apache-2.0
#pragma once
// Allocates memory from the system once and keeps it: a warmed-up program neither allocates nor touches new pages. Size
// classes: four per power of two, rounded up to multiples of 64 bytes, or of 2 MiB huge pages for blocks of 2 MiB and
// more. Any thread may take blocks and give them back.

#include <tessera/engine/exec/memory/no_memory.hpp>
#include <tessera/exec/device/device_launch.hpp>
#include <tessera/exec/memory/counts.hpp>

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace tessera::detail {

class memory_pool;

struct memory_block {
  std::byte* data = nullptr;
  memory_pool* home = nullptr;   // null: a lent_block
  memory_block* next = nullptr;  // in its class' list of free blocks
  int size_class = 0;
  std::atomic<int> references{0};
};

// Memory of another owner, kept alive by `keeper`.
struct lent_block : memory_block {
  std::shared_ptr<void const> keeper;
};

inline constexpr std::size_t huge_page = std::size_t{2} << 20;
inline constexpr std::size_t most_bytes = std::size_t{1} << 46;  // more than any machine has

// class_of(n) is the first class whose bytes_in is at least n.
constexpr std::size_t bytes_in(int size_class) {
  std::size_t const base = std::size_t{64} << (size_class / 4);
  std::size_t const bytes = base + base / 4 * (size_class % 4);
  std::size_t const unit = bytes < huge_page ? 64 : huge_page;
  return (bytes + unit - 1) / unit * unit;
}
constexpr int class_of(std::size_t bytes) {
  if (bytes <= 64) return 0;
  int const power = static_cast<int>(std::bit_width(bytes - 1)) - 7;  // 64 << power < bytes <= 128 << power
  int guess = 4 * power;
  while (bytes_in(guess) < bytes) ++guess;
  while (guess > 0 && bytes_in(guess - 1) >= bytes) --guess;
  return guess;
}

// Throws std::logic_error if Kokkos does not run, which executes every program and counts the threads.
inline void require_runtime() {
  if (Kokkos::is_initialized()) return;
  throw std::logic_error(
      "tessera: an array is made, and " +
      std::string(Kokkos::is_finalized() ? "the runtime has ended" : "no runtime has started") +
      ". Fix: ts::runtime runtime{argc, argv}; as the first line of main, which lives as long as the program.");
}

class memory_pool {
public:
  explicit memory_pool(bool on_accelerator) : on_accelerator_(on_accelerator) {}

  // A block of at least `bytes`, with one reference.
  memory_block* take(std::size_t bytes) {
    if (bytes > most_bytes) throw no_memory(bytes, counts());
    int const size_class = class_of(bytes);
    memory_block* block = nullptr;
    {
      std::lock_guard const lock(mutex_);
      auto& waiting = waiting_.at(size_class);
      block = waiting;
      if (block) {
        waiting = block->next;
        count_live(size_class);
      }
    }
    if (!block) block = from_system(size_class, bytes);
    block->references.store(1, std::memory_order_relaxed);
    return block;
  }
  void give_back(memory_block* block) {
    std::lock_guard const lock(mutex_);
    auto& waiting = waiting_[block->size_class];
    block->next = waiting;
    waiting = block;
    --counts_.live_buffers;
    counts_.live_bytes -= static_cast<std::int64_t>(bytes_in(block->size_class));
  }
  // Returns the free blocks to the system.
  void release_unused() {
    std::lock_guard const lock(mutex_);
    for (auto& waiting : waiting_)
      while (waiting) {
        memory_block* const block = std::exchange(waiting, waiting->next);
        counts_.held_bytes -= static_cast<std::int64_t>(bytes_in(block->size_class));
        deallocate(block->data);
        delete block;
      }
  }
  memory_counts counts() const {
    std::lock_guard const lock(mutex_);
    return counts_;
  }

private:
  memory_block* from_system(int size_class, std::size_t wanted) {
    require_runtime();
    std::size_t const bytes = bytes_in(size_class);
    void* data = allocate(bytes);
    if (!data) {
      release_unused();
      data = allocate(bytes);
    }
    if (!data) throw no_memory(wanted, counts());
    auto* const block = new (std::nothrow) memory_block;
    if (!block) {
      deallocate(data);
      throw std::bad_alloc();
    }
    block->data = static_cast<std::byte*>(data);
    block->home = this;
    block->size_class = size_class;
    std::lock_guard const lock(mutex_);
    count_live(size_class);
    ++counts_.system_allocations;
    counts_.held_bytes += static_cast<std::int64_t>(bytes);
    return block;
  }
  // Called only when a block was obtained.
  void count_live(int size_class) {
    ++counts_.live_buffers;
    counts_.live_bytes += static_cast<std::int64_t>(bytes_in(size_class));
  }
  void deallocate(void* data) const {
    if (on_accelerator_)
      free_on_device(data);
    else
      std::free(data);
  }
  void* allocate(std::size_t bytes) const {
    if (on_accelerator_) return allocate_on_device(bytes);
    if (bytes < huge_page) return std::aligned_alloc(64, bytes);
    void* const data = std::aligned_alloc(huge_page, bytes);
#if defined(__linux__)
    if (data) madvise(data, bytes, MADV_HUGEPAGE);
#endif
    return data;
  }

  bool on_accelerator_;
  mutable std::mutex mutex_;
  std::array<memory_block*, 168> waiting_{};  // free blocks; enough classes for most_bytes
  memory_counts counts_{};
};

// Never destroyed: arrays of static lifetime may outlive it.
inline memory_pool& pool_of(bool accelerator) {
  static memory_pool* const host = new memory_pool(false);
  static memory_pool* const device = runs_on_host ? host : new memory_pool(true);
  return accelerator ? *device : *host;
}

}  // namespace tessera::detail
