// SPDX-License-Identifier: Apache-2.0
#pragma once
// Launches, allocations and copies on the accelerator, for Kokkos' devices and for the stand-in; no other header does
// these. A kernel is a trivially copyable struct whose const call operator is a TESSERA_FUNCTION. It is copied at the
// launch, runs later, in launch order, and holds no address of host memory.

#include <tessera/exec/device/launch_counters.hpp>
#include <tessera/exec/device/space.hpp>
#include <tessera/exec/device/stand_in.hpp>

#include <cstring>
#include <limits>
#include <memory>
#include <stdexcept>
#include <type_traits>

namespace tessera::detail {

// A kernel of at most so many bytes is passed by value: Kokkos keeps a larger one in memory, and the host waits for the
// last launch before it writes the next one there.
inline constexpr std::size_t most_kernel_bytes = 3840;

inline constexpr int most_threads_a_team = 512;  // a thread then has at least 128 registers

// One thread of a team, as a kernel sees it. `scratch` is shared by the threads of the team.
#if defined(TESSERA_STAND_IN)
class team_member {
public:
  explicit team_member(stand_in::team_thread const& thread) : thread_(thread) {}
  int team() const { return thread_.team; }
  int rank() const { return thread_.rank; }
  void barrier() const { thread_.barrier(); }
  void* scratch() const { return thread_.scratch; }

private:
  stand_in::team_thread const& thread_;
};
#else
class team_member {
public:
  using kokkos_member = Kokkos::TeamPolicy<execution_space, Kokkos::LaunchBounds<most_threads_a_team>>::member_type;
  TESSERA_FUNCTION team_member(kokkos_member const& member, int bytes)
      : member_(member), scratch_(member.team_scratch(0).get_shmem_aligned(bytes, 16)) {}
  TESSERA_FUNCTION int team() const { return member_.league_rank(); }
  TESSERA_FUNCTION int rank() const { return member_.team_rank(); }
  TESSERA_FUNCTION void barrier() const { member_.team_barrier(); }
  TESSERA_FUNCTION void* scratch() const { return scratch_; }

private:
  kokkos_member const& member_;
  void* scratch_;
};

template <class Kernel>
struct team_kernel {
  Kernel kernel;
  int bytes;
  TESSERA_FUNCTION void operator()(team_member::kokkos_member const& member) const {
    kernel(team_member(member, bytes));
  }
};
#endif

#if defined(TESSERA_STAND_IN)
// The bytes of a kernel, with the padding cleared where the compiler can. They are searched for host addresses: all of
// them, or the part that `addresses()` returns.
template <class Kernel>
class stand_in_kernel {
public:
  explicit stand_in_kernel(Kernel const& k) : own_(k) {
    static_assert(std::is_trivially_copyable_v<Kernel>, "tessera: a kernel is copied as its bytes.");
#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
    __builtin_clear_padding(std::addressof(own_));
#endif
#endif
  }
  stand_in::kernel_bytes bytes() const {
    std::span<std::byte const> searched = std::as_bytes(std::span(std::addressof(own_), 1));
    if constexpr (requires { own_.addresses(); }) searched = own_.addresses();
    return {std::addressof(own_), sizeof(Kernel), searched};
  }

private:
  Kernel own_;
};
#endif

#if !defined(TESSERA_STAND_IN)
// Without this hint Kokkos passes by value up to 512 bytes only.
template <class Policy>
auto by_value(Policy const& policy) {
  return Kokkos::Experimental::require(policy, Kokkos::Experimental::WorkItemProperty::HintLightWeight);
}
#endif

// Calls kernel(i) for 0 <= i < count, in any order and concurrently.
template <class Kernel>
void launch_elements(std::string const& label, std::int64_t count, Kernel const& kernel) {
  if (count <= 0) return;
  launch_counters.launches.fetch_add(1, std::memory_order_relaxed);
#if defined(TESSERA_STAND_IN)
  stand_in::enqueue(label, stand_in_kernel<Kernel>(kernel).bytes(), count,
                    [](void const* k, std::int64_t i) { (*static_cast<Kernel const*>(k))(i); });
#else
  Kokkos::parallel_for(label, by_value(Kokkos::RangePolicy<execution_space, Kokkos::IndexType<std::int64_t>>(0, count)),
                       kernel);
#endif
}

// Calls kernel(team_member) for each thread of each team of at most 512 threads. Each team has `scratch` bytes, 16-byte aligned.
template <class Kernel>
void launch_teams(std::string const& label, std::int64_t teams, int threads, int scratch, Kernel const& kernel) {
  if (teams <= 0) return;
  if (teams > std::numeric_limits<int>::max())
    throw std::length_error("tessera: " + label + " has " + std::to_string(teams) +
                            " rows, and an accelerator takes at most 2147483647 in one launch.");
  launch_counters.launches.fetch_add(1, std::memory_order_relaxed);
#if defined(TESSERA_STAND_IN)
  stand_in::enqueue_teams(
      label, stand_in_kernel<Kernel>(kernel).bytes(), teams, threads, scratch,
      [](void const* k, stand_in::team_thread const& t) { (*static_cast<Kernel const*>(k))(team_member(t)); });
#else
  Kokkos::TeamPolicy<execution_space, Kokkos::LaunchBounds<most_threads_a_team>> policy(static_cast<int>(teams),
                                                                                        threads);
  policy.set_scratch_size(0, Kokkos::PerTeam(scratch + 16));
  Kokkos::parallel_for(label, by_value(policy), team_kernel<Kernel>{kernel, scratch});
#endif
}

#if defined(__CUDA_ARCH__)
// The value of the thread `apart` places later in the warp.
template <class T>
__device__ T value_of_later_lane(T value, int apart) {
  static_assert(sizeof(T) % 4 == 0);
  unsigned words[sizeof(T) / 4];
  std::memcpy(words, &value, sizeof(T));
  TESSERA_UNROLL
  for (auto& word : words) word = __shfl_down_sync(0xffffffffu, word, apart);
  std::memcpy(&value, words, sizeof(T));
  return value;
}
#endif

// Adds `value` to *at, atomically.
template <class T>
TESSERA_FUNCTION void device_atomic_add(T* at, T value) {
#if defined(TESSERA_STAND_IN)
  *at = static_cast<T>(*at + value);
#else
  Kokkos::atomic_add(at, value);
#endif
}
template <class Word>
TESSERA_FUNCTION Word device_compare_exchange(Word* at, Word expected, Word value) {
#if defined(TESSERA_STAND_IN)
  Word const found = *at;
  if (found == expected) *at = value;
  return found;
#else
  return Kokkos::atomic_compare_exchange(at, expected, value);
#endif
}

// Allocates memory of the accelerator; null when none is left.
inline void* allocate_on_device(std::size_t bytes) {
  try {
#if defined(TESSERA_STAND_IN)
    return stand_in::allocate(bytes);
#else
    return Kokkos::kokkos_malloc<execution_memory>("tessera", bytes);
#endif
  } catch (std::exception const&) {  // Kokkos throws exceptions of several types
    return nullptr;
  }
}
inline void free_on_device(void* data) {
#if defined(TESSERA_STAND_IN)
  stand_in::release(data);
#else
  Kokkos::kokkos_free<execution_memory>(data);
#endif
}

// Copies bytes from the host to the accelerator or back, after the launches so far; the copy is complete on return.
inline void copy_to_device(void* to, void const* from, std::size_t bytes) {
#if defined(TESSERA_STAND_IN)
  stand_in::copy_in(to, from, bytes);
#else
  using there = Kokkos::View<char*, execution_memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using here = Kokkos::View<char const*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  Kokkos::deep_copy(there(static_cast<char*>(to), bytes), here(static_cast<char const*>(from), bytes));
#endif
}
inline void copy_from_device(void* to, void const* from, std::size_t bytes) {
#if defined(TESSERA_STAND_IN)
  stand_in::copy_out(to, from, bytes);
#else
  using there = Kokkos::View<char const*, execution_memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using here = Kokkos::View<char*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  Kokkos::deep_copy(here(static_cast<char*>(to), bytes), there(static_cast<char const*>(from), bytes));
#endif
}
// Copies within the accelerator, asynchronously, in launch order.
inline void move_on_device(void* to, void const* from, std::size_t bytes) {
#if defined(TESSERA_STAND_IN)
  stand_in::move(to, from, bytes);
#else
  using there = Kokkos::View<char*, execution_memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using source = Kokkos::View<char const*, execution_memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  Kokkos::deep_copy(execution_space(), there(static_cast<char*>(to), bytes),
                    source(static_cast<char const*>(from), bytes));
#endif
}
inline void fence_device() {
#if defined(TESSERA_STAND_IN)
  stand_in::fence();
#else
  execution_space().fence("tessera");
#endif
}

}  // namespace tessera::detail
