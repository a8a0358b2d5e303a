// SPDX-License-Identifier: Apache-2.0
#pragma once
// Numbers of a test in memory that programs run in, where they are given addresses directly: on a host the test's own memory,
// on an accelerator a copy there.

#include <tessera/exec/device/platform.hpp>
#include <tessera/exec/memory/blocks.hpp>
#include <tessera/exec/memory/buffer.hpp>
#include <tessera/exec/run/executable.hpp>

#include <gtest/gtest.h>

#include <vector>

// Leaves out a test of what only a host has: tiles, strips, levels of instructions.
#define ONLY_ON_HOST() \
  if (!tessera::runs_on_host) GTEST_SKIP() << "of the host only"

namespace support {

class near {
public:
  template <class T>
  explicit near(std::vector<T> const& numbers) : near(numbers.data(), numbers.size() * sizeof(T)) {}
  near(void const* data, std::size_t bytes)
      : own_(static_cast<std::byte*>(const_cast<void*>(data))),
        bytes_(bytes),
        there_(tessera::runs_on_host ? 0 : bytes) {
    if (!tessera::runs_on_host) tessera::detail::copy_bytes(there_.data(), own_, bytes_, true);
  }
  std::byte* at() const { return tessera::runs_on_host ? own_ : there_.data(); }
  // What programs wrote there is in the test's memory then.
  void back() const {
    if (!tessera::runs_on_host) tessera::detail::copy_bytes(own_, there_.data(), bytes_, false);
  }

private:
  std::byte* own_;
  std::size_t bytes_;
  tessera::buffer there_;
};

// tessera::run(what, out, in...) on such memory.
template <class What, class... In>
void run_near(What const& what, near const& out, In const&... in) {
  run(what, out.at(), near(in).at()...);
  out.back();
}
inline void call_near(tessera::executable const& program, std::vector<near> const& in, std::vector<near> const& out,
                      tessera::strides const* strides = nullptr) {
  std::vector<std::byte*> arguments, results;
  for (near const& x : in) arguments.push_back(x.at());
  for (near const& y : out) results.push_back(y.at());
  program.run(arguments.data(), strides, results.data());
  for (near const& y : out) y.back();
}

}  // namespace support
