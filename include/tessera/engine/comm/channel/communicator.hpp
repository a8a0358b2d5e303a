// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a program asks of whatever joins its devices. S are the exchange's axes, n the devices over them; every
// operation works in all groups of devices that differ over S only, at once.
//   all_reduce      out = the monoid over the n blocks of a group
//   all_gather      out = the blocks of a group side by side along `dim`
//   reduce_scatter  out = this device's part along `dim` of the monoid over the group's blocks
//   all_to_all      out = side by side along `other_dim`, the parts along `dim` that the others hold for this device
//   permute         out = the block of the device that `source`, or `from` and `to`, name; zeros where none is named
// With `groups`, each of them does it by itself, and n is its size; results differ over all of S.
// `prepare` may allocate and is called once; `run` does not and is called every step, with the frame of an executable
// (slot 0: out, slot 1: in unless prepared for other slots). Calls are ordered as launches on the execution space are.

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
