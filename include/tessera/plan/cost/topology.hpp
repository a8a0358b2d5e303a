// SPDX-License-Identifier: Apache-2.0
#pragma once
// The network along each axis of a mesh, and the time of a message on it: a latency per hop, and bytes over a
// bandwidth. It is a value and needs no devices.
//   ring      neighbors, one direction: data for other devices passes through the devices between
//   torus     neighbors, both directions; a collective over several such axes uses them all at once
//   switched  any device reaches any other
// Times for n devices with blocks of B bytes at W bytes/s:
//             all_gather            reduce_scatter          all_reduce     all_to_all       hops
//   ring      (n-1) B / W           (n-1)/n B / W           twice that     (n-1)/2 B / W    n-1
//   torus     the same              the same                twice that     n/4 B / W        (n-1)/2, rounded up
//   switched  the same              the same                twice that     (n-1)/n B / W    log2 n, rounded up
// A torus of odd n: all_to_all takes (n-1/n)/4 B / W. Switched: all_to_all has n-1 hops.
// Source: Hockney's model; Thakur, Rabenseifner, Gropp, Optimization of Collective Communication Operations in MPICH
// (2005); How to Scale Your Model (2025), sharded matmuls.

#include <tessera/mesh/mesh.hpp>
#include <tessera/plan/base/message.hpp>
#include <tessera/plan/cost/network.hpp>

#include <array>

namespace tessera {

template <Mesh M>
class topology {
public:
  using mesh = M;

  // This topology with network `along` on axis A. Messages along axes without a network take no time.
  template <Axis A>
  constexpr topology with(axis_network const& along) const {
    static_assert(M::template index<A> < M::rank, "tessera: the mesh of the topology has no such axis.");
    topology made = *this;
    made.axes_[M::template index<A>] = along;
    return made;
  }
  // The time of sending this message once.
  constexpr double seconds(message const& m) const {
    inplace_list<detail::network_stage, 2 * max_rank> stages;
    if (m.group > 0) {
      stages.push_back({m.group, slowest(m.axes)});
    } else {
      bool together = true;
      for (int a = 0; a < M::rank; ++a)
        if (m.axes.contains(a)) together = together && is_torus(a);
      if (together && m.axes.size() > 1)
        stages.push_back(joined(m.axes));
      else
        for (int a = M::rank - 1; a >= 0; --a)
          if (m.axes.contains(a)) push(stages, a);
    }
    return detail::seconds_over(stages, m.kind, static_cast<double>(m.block));
  }

  // The price of a byte along each axis, relative to the cheapest axis, for the planner: mesh_value::prices.
  constexpr by_dim<std::int32_t> byte_prices() const {
    constexpr double one = detail::common_price, most = 1 << 20;
    double seconds[max_rank]{}, least = 0;
    for (int a = 0; a < M::rank; ++a) {
      seconds[a] = seconds_for_a_byte(a);
      if (seconds[a] > 0 && (least == 0 || seconds[a] < least)) least = seconds[a];
    }
    by_dim<std::int32_t> prices{};
    for (int a = 0; a < M::rank && least > 0; ++a) {
      double const price = one * seconds[a] / least + 0.5;
      prices.items[a] = static_cast<std::int32_t>(price < 1 ? 1 : price < most ? price : most);
    }
    return prices;
  }
  // The bytes per second of the fastest axis; 0: no limit.
  constexpr double fastest() const {
    double most = 0;
    for (int a = 0; a < M::rank; ++a)
      if (double const own = seconds_for_a_byte(a); own > 0 && 1 / own > most) most = 1 / own;
    return most;
  }

private:
  // Seconds per byte of an all_gather along axis a, so large that latency does not matter.
  constexpr double seconds_for_a_byte(int a) const {
    std::int64_t const devices = M::value.size(a);
    if (devices < 2) return 0;
    message large;
    large.kind = collective::all_gather;
    large.axes = axis_set::of(a);
    large.block = std::int64_t{1} << 50;
    return seconds(large) / (static_cast<double>(devices - 1) * static_cast<double>(large.block));
  }
  constexpr axis_network const& along(int a) const { return axes_[a]; }
  constexpr bool leaves_host(int a) const { return along(a).per_host > 0 && along(a).per_host < M::value.size(a); }
  constexpr bool is_torus(int a) const { return along(a).within.shape == network::torus && !leaves_host(a); }
  constexpr void push(inplace_list<detail::network_stage, 2 * max_rank>& stages, int a) const {
    std::int64_t const all = M::value.size(a), near = leaves_host(a) ? along(a).per_host : all;
    if (near > 1) insert(stages, detail::network_stage{near, along(a).within});
    if (near < all) insert(stages, detail::network_stage{(all + near - 1) / near, along(a).between});
  }
  static constexpr void insert(inplace_list<detail::network_stage, 2 * max_rank>& stages,
                               detail::network_stage const& made) {
    auto const faster = [](fabric const& x, fabric const& y) {
      return y.bandwidth > 0 && (x.bandwidth == 0 || x.bandwidth > y.bandwidth);
    };
    stages.push_back(made);
    for (int i = stages.size() - 1; i > 0 && faster(stages[i].on, stages[i - 1].on); --i) {
      stages[i] = stages[i - 1];
      stages[i - 1] = made;
    }
  }
  // Several axes of a torus, used at once: their bandwidths are added, and their hops.
  constexpr detail::network_stage joined(axis_set axes) const {
    detail::network_stage made{1, {network::torus, 0, 0}};
    bool limited = true;
    double time = 0;
    for (int a = 0; a < M::rank; ++a) {
      if (!axes.contains(a)) continue;
      detail::network_stage const own{M::value.size(a), along(a).within};
      made.devices *= own.devices;
      limited = limited && own.on.bandwidth > 0;
      made.on.bandwidth += own.on.bandwidth;
      time += own.on.latency * static_cast<double>(detail::hops(own, collective::all_gather));
    }
    if (!limited) made.on.bandwidth = 0;
    auto const hops = detail::hops(made, collective::all_gather);
    made.on.latency = hops > 0 ? time / static_cast<double>(hops) : 0;
    return made;
  }
  constexpr fabric slowest(axis_set axes) const {
    fabric found;
    for (int a = 0; a < M::rank; ++a) {
      if (!axes.contains(a)) continue;
      fabric const& own = leaves_host(a) ? along(a).between : along(a).within;
      if (found.bandwidth == 0 || (own.bandwidth > 0 && own.bandwidth < found.bandwidth)) found = own;
    }
    return found;
  }

  std::array<axis_network, M::rank> axes_{};
};

}  // namespace tessera
