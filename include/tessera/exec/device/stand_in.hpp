// SPDX-License-Identifier: Apache-2.0
#pragma once
// A host that stands in for a GPU, so that what runs on one can be tested where there is none: docs/decisions/031-stand-in.md.
// Where a card differs from a host, it differs, too:
//   memory     lies in pages that only copies and launches may touch: host code that reads one ends with a sentence. It is
//              bounded, begins as bytes of 0xff, and what was given back is never there again.
//   launches   wait in a queue, until a fence or a copy. A kernel is kept as its bytes; one that holds an address of the host
//              ends the program. Elements run from the first to the last and then from the last to the first.
//   teams      have at most 1,024 threads and 48 KiB of scratch, which begins as bytes of 0xff. All threads go as far as
//              the next barrier, forwards or backwards, before one goes on.
// Files are compiled with TESSERA_STAND_IN defined, all of a program.

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

// So many bytes of the card, at 256; throws out_of_memory. Waits for nothing.
void* allocate(std::size_t bytes);
// After the launches so far.
void release(void* data);
// From the host to the card and back, after the launches so far; logic_error where an address is on the wrong side.
void copy_in(void* to, void const* from, std::size_t bytes);
void copy_out(void* to, void const* from, std::size_t bytes);
// Within the card, as a launch.
void move(void* to, void const* from, std::size_t bytes);
void fence();
// Whether this is an address of the card.
bool owns(void const* address);
// Bytes that it has from here on; returns those that it had: 4 GiB at first.
std::size_t limit(std::size_t bytes);

// A thread of a team while it runs.
class team_thread {
public:
  int team = 0, rank = 0;
  std::byte* scratch = nullptr;
  void barrier() const;
};

// A kernel in the queue: its bytes, and what runs it.
struct kernel_bytes {
  void const* data;
  std::size_t size;
  std::span<std::byte const> searched;  // where an address of the host has no business
};
using element_function = void (*)(void const* kernel, std::int64_t element);
using team_function = void (*)(void const* kernel, team_thread const& thread);
void enqueue(std::string const& label, kernel_bytes const& kernel, std::int64_t count, element_function run);
void enqueue_teams(std::string const& label, kernel_bytes const& kernel, std::int64_t teams, int threads,
                   std::size_t scratch, team_function run);

}  // namespace tessera::detail::stand_in
