// SPDX-License-Identifier: Apache-2.0
// What a transformer layer sends under data, fully sharded, tensor, tensor and sequence, and two-dimensional tensor
// parallelism, against the formulas of those who introduced them; plans for thousands of devices; predicted times.
// Sources: Rajbhandari et al., ZeRO (2020): 2 and 3 times the weights; Shoeybi et al., Megatron-LM (2019): two all_reduces of
// the activations forward, two backward; Korthikanti et al. (2022): as many bytes with sequence parallelism, as gathers and
// scatters; Pope et al. (2022): E/X + F/Y for weights in two dimensions.

#include <tessera/tessera.hpp>

#include "support/parallel_layer.hpp"

namespace {

using namespace parallel_layer;
using enum ts::collective;

constexpr sizes small{16, 128, 256, 16, 16, 1024};
constexpr std::int64_t weights = 4 * small.weights(), activations = 4 * small.activations(),
                       tokens = 4 * small.tokens();

template <class Way>
constexpr auto const& forward = ts::comm_of<typename Way::run, typename Way::weights, typename Way::rows>;
template <class Way>
constexpr auto const& whole =
    ts::comm_of<forward_and_backward<typename Way::run>, typename Way::weights, typename Way::rows>;

// (n-1)/n of these bytes: what a reduce_scatter of them sends, or an all_gather to them.
constexpr std::int64_t part(std::int64_t bytes, std::int64_t n) { return bytes / n * (n - 1); }

using eight = ts::mesh<ts::explicit_axis<dp, 8>>;
using ddp = data_parallel<small, eight>;
static_assert(ts::comm_free<ddp::run, ddp::weights, ddp::rows>);
static_assert(whole<ddp>.count() == whole<ddp>.count(all_reduce) && whole<ddp>.count() == 4);
static_assert(whole<ddp>.bytes() == 2 * part(weights, 8));
static_assert(whole<ddp>.bytes(ts::program_pass::forward) == 0);

using fsdp = fully_sharded<small, eight>;
static_assert(forward<fsdp>.bytes() == part(weights, 8) && forward<fsdp>.count(all_gather) == 4);
static_assert(whole<fsdp>.bytes(reduce_scatter) == part(weights, 8) &&
              whole<fsdp>.bytes(all_gather) == part(weights, 8));
static_assert(whole<fsdp>.count() == 8);
// Gathered weights are not kept: gathered once more, those of the last product, which is not done again, for its gradient.
using fsdp_again = fully_sharded<small, eight, again>;
static_assert(whole<fsdp_again>.bytes() == 3 * part(weights, 8));
static_assert(whole<fsdp_again>.bytes(ts::program_pass::recomputed) ==
              part(weights - 4 * small.width * small.hidden, 8));
// Weights and their gradients take an eighth of the memory.
static_assert(ts::memory_of<fsdp::run, fsdp::weights, fsdp::rows>.arguments == weights / 8 + activations / 8);
static_assert(ts::memory_of<ddp::run, ddp::weights, ddp::rows>.arguments == weights + activations / 8);
using backward_again = forward_and_backward<fsdp_again::run>;
using backward_kept = forward_and_backward<fsdp::run>;
static_assert(ts::memory_of<backward_again, fsdp::weights, fsdp::rows>.kept_for_backward <
              ts::memory_of<backward_kept, fsdp::weights, fsdp::rows>.kept_for_backward);

using model = ts::mesh<ts::explicit_axis<dp, 1>, ts::explicit_axis<mp, 8>>;
using megatron = tensor_parallel<small, model>;
static_assert(forward<megatron>.count() == 2 && forward<megatron>.count(all_reduce) == 2);
static_assert(forward<megatron>.bytes() == 2 * 2 * part(activations, 8));
static_assert(whole<megatron>.count() == 4 && whole<megatron>.count(ts::program_pass::backward) == 2);
static_assert(whole<megatron>.bytes() == 4 * 2 * part(activations, 8));

using sequence = sequence_parallel<small, model>;
static_assert(forward<sequence>.count(all_gather) == 2 && forward<sequence>.count(reduce_scatter) == 2);
static_assert(whole<sequence>.count(all_gather) == 4 && whole<sequence>.count(reduce_scatter) == 4);
static_assert(whole<sequence>.count() == 8 && whole<sequence>.bytes() == whole<megatron>.bytes());
// What lies between the products is split over mp as well.
static_assert(ts::memory_of<sequence::run, sequence::weights, sequence::rows>.arguments ==
              weights / 8 + activations / 8);
static_assert(ts::memory_of<forward_and_backward<sequence::run>, sequence::weights, sequence::rows>.kept_for_backward <
              ts::memory_of<forward_and_backward<megatron::run>, megatron::weights, megatron::rows>.kept_for_backward);

// X = 4 blocks of the width, Y = 2 of heads and hidden units: a product with the width contracted sums its result over X,
// one with the other over Y; both norms sum one number a token over X.
using four_by_two = ts::mesh<ts::explicit_axis<dp, 1>, ts::explicit_axis<np, 4>, ts::explicit_axis<mp, 2>>;
using blocks = in_two_dimensions<small, four_by_two>;
static_assert(forward<blocks>.bytes_over<np>() == 2 * part(tokens * 3 * small.inner() / 2, 4) +
                                                      2 * part(tokens * small.hidden / 2, 4) + 2 * 2 * part(tokens, 4));
static_assert(forward<blocks>.bytes_over<mp>() == 2 * 2 * part(activations / 4, 2));

// Few tokens on many devices: blocks of the weights send a third of what Megatron's parts of them do.
constexpr sizes decoding{256, 1, 16384, 256, 64, 65536};
using line = ts::mesh<ts::explicit_axis<dp, 1>, ts::explicit_axis<mp, 256>>;
using sixteen_by_sixteen = ts::mesh<ts::explicit_axis<dp, 1>, ts::explicit_axis<np, 16>, ts::explicit_axis<mp, 16>>;
static_assert(3 * forward<in_two_dimensions<decoding, sixteen_by_sixteen>>.bytes() <
              forward<tensor_parallel<decoding, line>>.bytes());

// 16 x 256 and 64 x 64 x 8 devices: the same formulas.
constexpr sizes large{256, 4096, 16384, 256, 64, 65536};
using pod = ts::mesh<ts::explicit_axis<dp, 16>, ts::explicit_axis<mp, 256>>;
using on_pod = sequence_parallel<large, pod>;
static_assert(whole<on_pod>.bytes_over<mp>() == 4 * 2 * part(4 * large.activations() / 16, 256));
static_assert(whole<on_pod>.bytes_over<dp>() == 2 * part(4 * large.weights() / 256, 16));
using pods = ts::mesh<ts::explicit_axis<dp, 64>, ts::explicit_axis<np, 64>, ts::explicit_axis<mp, 8>>;
using on_pods = in_two_dimensions<large, pods>;
static_assert(forward<on_pods>.bytes_over<dp>() == 0);
static_assert(forward<on_pods>.bytes_over<mp>() == 2 * 2 * part(4 * large.activations() / 64 / 64, 8));

// Forward and backward: six flops for each weight and token, and the products of attention; all of it split evenly.
template <class Way>
constexpr auto const& work =
    ts::work_of<forward_and_backward<typename Way::run>, typename Way::weights, typename Way::rows>;
constexpr std::int64_t attention(sizes n) { return 4 * n.batch * n.length * n.length * n.inner(); }
constexpr std::int64_t products(sizes n) { return 3 * (2 * n.weights() * n.tokens() + attention(n)); }
static_assert(work<ddp>.flops(ts::step_kind::dot) == products(small) / 8);
static_assert(work<fsdp>.flops(ts::step_kind::dot) == products(small) / 8);
static_assert(work<megatron>.flops(ts::step_kind::dot) == products(small) / 8);
static_assert(work<sequence>.flops(ts::step_kind::dot) == products(small) / 8);
static_assert(work<on_pod>.flops(ts::step_kind::dot) == products(large) / (16 * 256));
// The layer's products once more.
static_assert(work<fsdp_again>.flops(ts::step_kind::dot) > work<fsdp>.flops(ts::step_kind::dot));
// Attention is not split over np.
static_assert(work<blocks>.flops(ts::step_kind::dot) ==
              3 * (2 * small.weights() * small.tokens() / 8 + attention(small) / 2));

// Times: as many bytes in half as many messages, so that with a latency one all_reduce takes as long as its two halves.
constexpr ts::fabric chips{ts::network::torus, 1e-6, 1e11};
constexpr ts::device_rates rates{4e14, 4e12, 2e12};
constexpr auto on_eight = ts::topology<model>{}.with<mp>({chips, 0, {}});
constexpr auto of_megatron = ts::predict(work<megatron>, on_eight, rates),
               of_sequence = ts::predict(work<sequence>, on_eight, rates);
static_assert(of_megatron.exact && of_sequence.exact);
constexpr double ratio = of_megatron.communication / of_sequence.communication;
static_assert(ratio > 0.999999 && ratio < 1.000001);
static_assert(of_sequence.memory < of_megatron.memory);  // the norms and sums work on an eighth
// The book's bound: the time of an all_gather is the bytes of the whole over the bandwidth, as far as (n-1)/n is one.
constexpr double by_hand = 8 * 2 * (7.0 / 8 * static_cast<double>(activations) / 1e11 + 4e-6) / 2;
static_assert(of_sequence.communication > 0.999999 * by_hand && of_sequence.communication < 1.000001 * by_hand);
constexpr ts::fabric cables{ts::network::switched, 5e-6, 1e10};
constexpr auto near = ts::topology<pod>{}.with<dp>({cables, 0, {}}).with<mp>({chips, 0, {}});
constexpr auto far = ts::topology<pod>{}.with<dp>({cables, 0, {}}).with<mp>({chips, 8, cables});
static_assert(ts::predict(work<on_pod>, near, rates).communication <
              ts::predict(work<on_pod>, far, rates).communication);

// The table of docs/predicting.md: 256 devices in hosts of 8.
constexpr sizes table{256, 2048, 8192, 64, 128, 32768};
constexpr ts::fabric inside{ts::network::switched, 1e-6, 4e11}, outside{ts::network::switched, 5e-6, 5e10};
constexpr ts::device_rates device{1e15, 6e13, 3e12};
using line_of_256 = ts::mesh<ts::explicit_axis<dp, 256>>;
using hosts_of_8 = ts::mesh<ts::explicit_axis<dp, 32>, ts::explicit_axis<mp, 8>>;
constexpr auto on_line = ts::topology<line_of_256>{}.with<dp>({inside, 8, outside});
constexpr auto on_hosts = ts::topology<hosts_of_8>{}.with<dp>({outside, 0, {}}).with<mp>({inside, 0, {}});
template <class Way, class Network>
constexpr ts::prediction predicted(Network const& network) {
  return ts::predict(work<Way>, network, device);
}
template <class Way>
constexpr auto const& memory =
    ts::memory_of<forward_and_backward<typename Way::run>, typename Way::weights, typename Way::rows>;
// Peak memory in hundredths of a gigabyte.
constexpr std::int64_t hundredths(std::int64_t bytes) { return (bytes + 5'000'000) / 10'000'000; }
static_assert(hundredths(memory<data_parallel<table, line_of_256>>.peak) == 1060);
static_assert(hundredths(memory<fully_sharded<table, line_of_256>>.peak) == 741);
static_assert(hundredths(memory<tensor_parallel<table, hosts_of_8>>.peak) == 805);
static_assert(hundredths(memory<sequence_parallel<table, hosts_of_8>>.peak) == 644);
// On the device and communicating, in tenths of a millisecond.
constexpr bool takes(ts::prediction const& p, std::int64_t on_device, std::int64_t communication) {
  auto const tenths = [](double seconds) { return static_cast<std::int64_t>(seconds * 1e4 + 0.5); };
  return p.exact && tenths(p.on_device) == on_device && tenths(p.communication) == communication;
}
static_assert(takes(predicted<data_parallel<table, line_of_256>>(on_line), 162, 299));
static_assert(takes(predicted<fully_sharded<table, line_of_256>>(on_line), 162, 299));
static_assert(takes(predicted<tensor_parallel<table, hosts_of_8>>(on_hosts), 188, 252));
static_assert(takes(predicted<sequence_parallel<table, hosts_of_8>>(on_hosts), 162, 252));

}  // namespace
