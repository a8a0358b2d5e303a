// SPDX-License-Identifier: Apache-2.0
#pragma once
// A network along a mesh axis, and the time of a collective over its stages, one after the other.

#include <tessera/mesh/mesh.hpp>
#include <tessera/plan/base/message.hpp>

namespace tessera {

enum class network : std::uint8_t { ring, torus, switched };

struct fabric {
  network shape = network::switched;
  double latency = 0;    // seconds per hop
  double bandwidth = 0;  // bytes/s that a device sends along the axis, in all directions together; 0: no limit
};

// The network along an axis: within a host, and between hosts if only `per_host` devices along it share a host.
struct axis_network {
  fabric within{};
  std::int64_t per_host = 0;  // 0: all
  fabric between{};
};

namespace detail {

// n devices on one fabric: one stage of a message.
struct network_stage {
  std::int64_t devices = 1;
  fabric on{};
};

constexpr double seconds_for(double bytes, fabric const& on) { return on.bandwidth > 0 ? bytes / on.bandwidth : 0; }
constexpr std::int64_t hops(network_stage const& s, collective kind) {
  if (kind == collective::permute) return 1;
  if (s.on.shape == network::ring) return s.devices - 1;
  if (s.on.shape == network::torus) return s.devices / 2;
  if (kind == collective::all_to_all || kind == collective::ragged_all_to_all) return s.devices - 1;
  std::int64_t steps = 0;
  while ((std::int64_t{1} << steps) < s.devices) ++steps;
  return steps;
}
// Bytes over the links of the busiest device in an all_to_all of `block` bytes.
constexpr double exchanged_bytes(network_stage const& s, double block) {
  auto const n = static_cast<double>(s.devices);
  if (s.on.shape == network::ring) return (n - 1) / 2 * block;
  if (s.on.shape == network::torus) return (s.devices % 2 == 0 ? n : n - 1 / n) / 4 * block;
  return (n - 1) / n * block;
}

// The time of one collective over stages, the fastest first: a reduce_scatter leaves fewer bytes to the slower stages;
// an all_gather is its reverse.
template <class Stages>
constexpr double seconds_over(Stages const& stages, collective kind, double block) {
  double time = 0, all = block;
  for (network_stage const& s : stages) all *= static_cast<double>(s.devices);
  if (kind == collective::all_gather) return seconds_over(stages, collective::reduce_scatter, all);
  if (kind == collective::all_reduce) return 2 * seconds_over(stages, collective::reduce_scatter, block);
  for (network_stage const& s : stages) {
    auto const n = static_cast<double>(s.devices);
    double own = 0;
    switch (kind) {
      case collective::reduce_scatter:
        own = seconds_for((n - 1) / n * block, s.on);
        block /= n;
        break;
      case collective::permute: {
        double const here = s.on.latency + seconds_for(block, s.on);
        if (here > time) time = here;
        continue;
      }
      case collective::ragged_all_to_all:
      case collective::all_to_all: own = seconds_for(exchanged_bytes(s, block), s.on); break;
      default: continue;
    }
    time += own + static_cast<double>(hops(s, kind)) * s.on.latency;
  }
  return time;
}

}  // namespace detail
}  // namespace tessera
