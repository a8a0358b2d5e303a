// SPDX-License-Identifier: Apache-2.0
#pragma once
// A host that stands in for a GPU, so that device code can be tested without one: docs/decisions/031-stand-in.md.
// It differs from a host where a GPU does:
//   memory     is in pages that only copies and launches may access: host access ends the program with a message. It is
//              bounded and begins as bytes of 0xff; the address of freed memory is never used again.
//   launches   are queued until a fence or a copy. A kernel is stored as its bytes; one that holds a host address ends
//              the program. One launch runs its elements forward, the next one backward.
//   teams      have at most 1,024 threads and 48 KiB of scratch, which begins as bytes of 0xff. All threads reach the
//              next barrier, in forward or backward order, before any passes it.
// All files of a program are compiled with TESSERA_STAND_IN defined.

#include <tessera/base/config.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <string>

namespace tessera::detail::stand_in {

inline constexpr int most_threads = 1024;
inline constexpr std::size_t most_scratch = 48 * 1024;

struct out_of_memory : std::bad_alloc {
  char const* what() const noexcept override { return "the stand-in card's memory is full"; }
};

// Allocates `bytes` of device memory, 256-byte aligned; throws out_of_memory. Does not wait for launches.
void* allocate(std::size_t bytes);
// Frees memory, after the launches so far.
void release(void* data);
// Copies from the host to the device and back, after the launches so far; logic_error if an address is on the wrong
// side.
void copy_in(void* to, void const* from, std::size_t bytes);
void copy_out(void* to, void const* from, std::size_t bytes);
// Copies within the device, in launch order.
void move(void* to, void const* from, std::size_t bytes);
void fence();
// Whether `address` is in device memory.
bool owns(void const* address);
// Sets the size of device memory in bytes and returns the former size: 4 GiB at first.
std::size_t limit(std::size_t bytes);

// A thread of a team while it runs.
class team_thread {
public:
  int team = 0, rank = 0;
  std::byte* scratch = nullptr;
  void barrier() const;
};

// A kernel in the queue, as its bytes.
struct kernel_bytes {
  void const* data;
  std::size_t size;
  std::span<std::byte const> searched;  // the part that must not hold a host address
};
using element_function = void (*)(void const* kernel, std::int64_t element);
using team_function = void (*)(void const* kernel, team_thread const& thread);
void enqueue(std::string const& label, kernel_bytes const& kernel, std::int64_t count, element_function run);
void enqueue_teams(std::string const& label, kernel_bytes const& kernel, std::int64_t teams, int threads,
                   std::size_t scratch, team_function run);

}  // namespace tessera::detail::stand_in
