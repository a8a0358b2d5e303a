// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where a NaN comes from: while debug_nans is on, each program whose results have a NaN runs once more, one operation a
// step, and throws invalid_value, which names the first operation whose result has one, its line, the device, the place
// and what its operands were. debug_infs: the same for infinities.
//   ts::debug_nans const watched;        until the end of the scope, in all threads; or TESSERA_DEBUG_NANS=1
// Arguments of a program are not reused as memory of its results meanwhile. Costs a look at all results of each program;
// sends nothing unless the mesh is on several processes, which then agree on whether one has found something.
// Source: jax.debug_nans, jax_debug_nans, jax_debug_infs. Differs: the operations of a jit function are named, too, with
// the user's line.

#include <atomic>
#include <stdexcept>

namespace tessera {

class invalid_value : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

namespace detail {
enum class watched_value : int { nan, inf };
// The number of objects that ask for it, one more if the environment does.
std::atomic<int>& watchers_of(watched_value which);

template <watched_value Which>
class watches_values {
public:
  watches_values() { ++watchers_of(Which); }
  watches_values(watches_values const&) = delete;
  watches_values& operator=(watches_values const&) = delete;
  ~watches_values() { --watchers_of(Which); }
};
}  // namespace detail

class [[nodiscard]] debug_nans : detail::watches_values<detail::watched_value::nan> {};
class [[nodiscard]] debug_infs : detail::watches_values<detail::watched_value::inf> {};

}  // namespace tessera
