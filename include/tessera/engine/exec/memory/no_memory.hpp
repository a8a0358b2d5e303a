// SPDX-License-Identifier: Apache-2.0
#pragma once
// The error for a failed allocation: its size and purpose, and the memory in use.

#include <tessera/exec/memory/counts.hpp>

#include <cstddef>
#include <new>
#include <string>

namespace tessera::detail {

class no_memory : public std::bad_alloc {
public:
  no_memory(std::size_t bytes, memory_counts const& now, std::string const& what = {}) : bytes_(bytes), now_(now) {
    text_ = "tessera: no memory for " + std::to_string(bytes) + " bytes";
    if (!what.empty()) text_ += ": " + what;
    text_ += ". In use are " + std::to_string(now.live_bytes) + " bytes of " + std::to_string(now.live_buffers) +
             " arrays and temporaries of this process. Fix: smaller arrays, more devices in more processes, or fewer "
             "arrays alive; ts::memory_of tells what a program takes.";
  }
  no_memory(no_memory const& error, std::string const& what) : no_memory(error.bytes_, error.now_, what) {}
  char const* what() const noexcept override { return text_.c_str(); }

private:
  std::size_t bytes_;
  memory_counts now_;
  std::string text_;
};

}  // namespace tessera::detail
