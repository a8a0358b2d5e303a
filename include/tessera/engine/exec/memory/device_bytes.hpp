// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads or moves a few bytes of execution memory while a program runs.

#include <tessera/exec/device/device_launch.hpp>
#include <tessera/exec/device/platform.hpp>
#include <tessera/exec/memory/blocks.hpp>

#include <cstring>

namespace tessera::detail {

// Waits for the device and copies one value from execution memory to the host.
template <class T>
T answer_at(std::byte const* at) {
  fence();
  T value{};
  copy_bytes(reinterpret_cast<std::byte*>(&value), at, sizeof(T), false);
  return value;
}

// Copies bytes within execution memory, after all work launched so far.
inline void move_bytes(std::byte* to, std::byte const* from, std::size_t bytes) {
  if (bytes == 0) return;
  if constexpr (runs_on_host) {
    std::memcpy(to, from, bytes);
  } else {
    move_on_device(to, from, bytes);
  }
}

}  // namespace tessera::detail
