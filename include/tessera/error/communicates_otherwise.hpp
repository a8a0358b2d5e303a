// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a program communicates is not what expect_comm says. JAX has no such check.

#include <tessera/error/facts.hpp>

namespace tessera::error {

// One line of explain(comm_of<F, Args...>): the collective, its axes, bytes a device sends, how often, for which
// operation, and the user's line.
template <auto Collective, class... Facts>
struct sends {};
template <std::int64_t Bytes>
struct bytes {};  // dynamic (-1): known only when the program runs
template <std::int64_t Count>
struct times {};
template <class Op>
struct by {};
template <std::int64_t Bytes>
struct bytes_in_all {};

template <class Op, class... Facts>
struct communicates_otherwise {
  static consteval void explain() {
    static_assert(
        lawful<Op>,
        TESSERA_SENTENCE(
            "tessera: the program does not communicate as expected: sends<...> is each collective of one call, with its axes, bytes per device, and the operation and line it is for. Fix: change the layouts that cause it, or the expectation.",
            Op, Facts...));
  }
};

}  // namespace tessera::error
