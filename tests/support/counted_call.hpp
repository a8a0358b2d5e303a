// SPDX-License-Identifier: Apache-2.0
#pragma once
// counted_call(f, x...): the result of jit(f)(x...), which sends what comm_of says. MayVary: if comm_of knows it.

#include <tessera/engine/exec/move/in_process.hpp>
#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

namespace support {

template <bool MayVary = false, class F, class... X>
auto counted_call(F const& f, X const&... x) {
  constexpr auto const& cost = tessera::comm_of<F, X...>;
  auto& counted = tessera::local_communicator().counted();
  counted.reset();
  auto const result = tessera::jit(f)(x...);
  if (!MayVary || cost.bytes() != tessera::dynamic) {
    EXPECT_EQ(counted.bytes(), cost.bytes());
    EXPECT_EQ(counted.calls(), cost.count());
  }
  return result;
}

}  // namespace support
