// SPDX-License-Identifier: Apache-2.0
#pragma once
// predict(work_of<F, Args...>, topology, rates): the time of a call on devices and a network that need not exist, by a
// model: each step takes the longer of its arithmetic and its memory traffic, each message the time that the topology
// says, and nothing overlaps. `overlapped` assumes that all communication overlaps with steps. The model is for
// choosing layouts; it is no measurement.
// Source: Williams, Waterman, Patterson, Roofline (2009).

#include <tessera/plan/cost/network.hpp>
#include <tessera/plan/cost/topology.hpp>
#include <tessera/plan/cost/work.hpp>

namespace tessera {

// Rates of one device. 0: no limit.
struct device_rates {
  double matrix_flops = 0;  // per second, in matrix products
  double vector_flops = 0;  // per second, in other steps
  double memory_bytes = 0;  // per second
};

// Seconds per device and call.
struct prediction {
  double compute = 0;        // all flops at the rates
  double memory = 0;         // all bytes at the rate
  double on_device = 0;      // sum over steps of the longer of both
  double communication = 0;  // all messages, one after the other
  bool exact = true;         // false: some flops or bytes are unknown, or loops and branches of unknown
                             // count are counted as one iteration

  constexpr double total() const { return on_device + communication; }
  constexpr double overlapped() const { return on_device > communication ? on_device : communication; }
};

template <Mesh M, std::size_t Messages>
constexpr prediction predict(communication<M, Messages> const& cost, topology<M> const& network) {
  prediction made;
  for (message const& m : cost.messages()) {
    made.exact = made.exact && !m.is_bound() && m.times != dynamic && m.block != dynamic;
    made.communication += static_cast<double>(m.times == dynamic ? 1 : m.times) * network.seconds(m);
  }
  return made;
}

template <Mesh M, std::size_t Steps, std::size_t Messages>
constexpr prediction predict(program_work<M, Steps, Messages> const& work, topology<M> const& network,
                             device_rates const& rates) {
  auto const over = [](std::int64_t amount, double rate) { return rate > 0 ? static_cast<double>(amount) / rate : 0; };
  prediction made = predict(work.communicates(), network);
  for (step_work const& s : work.steps()) {
    made.exact = made.exact && s.counted && s.times != dynamic;
    auto const times = static_cast<double>(s.times == dynamic ? 1 : s.times);
    bool const multiplies = s.kind == step_kind::dot || s.kind == step_kind::convolution;
    double const compute = over(s.flops, multiplies ? rates.matrix_flops : rates.vector_flops);
    double const memory = over(s.bytes, rates.memory_bytes);
    made.compute += times * compute;
    made.memory += times * memory;
    made.on_device += times * (compute > memory ? compute : memory);
  }
  return made;
}
// Of a refused program: its error has been reported.
template <Mesh M>
constexpr prediction predict(refused_work const&, topology<M> const&, device_rates const&) {
  return {};
}

}  // namespace tessera
