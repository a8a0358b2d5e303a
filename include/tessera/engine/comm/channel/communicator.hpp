// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a program requires of the object that connects its devices. S are the exchange's axes, n is the number of
// devices over them. Every operation works in all groups of devices that differ over S only.
//   all_reduce      out = the reduction of the group's n blocks with the monoid
//   all_gather      out = the blocks of a group side by side along `dim`
//   reduce_scatter  out = this device's part along `dim` of the reduction of the group's blocks
//   all_to_all      out = the parts along `dim` that the group holds for this device, side by side along `other_dim`
//   permute         out = the block of the device that `source`, or `from` and `to`, name; zeros where none is named
// With `groups`, each of them communicates by itself, and n is its size; results may differ over all of S. `prepare` is
// called once and may allocate. `run` is called in every step with the frame of an executable (slot 0: out, slot 1: in,
// unless prepared for other slots) and does not allocate. Calls are ordered like launches on the execution space.

#include <tessera/engine/comm/channel/traffic.hpp>

#include <concepts>
#include <cstddef>
#include <string>

namespace tessera {

template <class C>
concept Communicator = requires(C& comm, exchange const& what, typename C::prepared const& ready, int slot,
                                std::string const& label, std::byte* const* frame, std::byte* out,
                                std::byte const* in) {
  { comm.prepare(what, slot, slot, slot) } -> std::same_as<typename C::prepared>;
  comm.run(ready, label, frame);
  comm.all_reduce(what, out, in);
  comm.all_gather(what, out, in);
  comm.reduce_scatter(what, out, in);
  comm.all_to_all(what, out, in);
  comm.permute(what, out, in);
  { comm.counted() } -> std::same_as<traffic&>;
};

}  // namespace tessera
