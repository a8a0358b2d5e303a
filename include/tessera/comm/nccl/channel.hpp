// SPDX-License-Identifier: Apache-2.0
#pragma once
// A channel on an NCCL communicator, and how its ranks find each other.

#include <tessera/comm/channel/channel.hpp>
#include <tessera/comm/diagnosis/wait.hpp>
#include <tessera/comm/nccl/operation.hpp>

namespace tessera::detail {

class nccl_channel_model final : public channel {
public:
  nccl_channel_model(std::shared_ptr<channel> over, ncclUniqueId id, cudaStream_t stream)
      : channel(state_of(*over).job, state_of(*over).label + "/nccl", over->rank(), state_of(*over).ranks),
        over_(std::move(over)),
        comm_(id, rank(), size()),
        stream_(stream) {
    auto const& below = state_of(*over_);
    int version = 0;
    ncclGetVersion(&version);
    state().name = "nccl (";
    append_number(state().name, version / 10000);
    state().name += '.';
    append_number(state().name, version / 100 % 100);
    state().name += '.';
    append_number(state().name, version % 100);
    state().name += ") over ";
    state().name += over_->name();
    state().id = mixed(below.id, mixed(static_cast<std::uint64_t>(below.number), 0x6e63636c));
    state().deadline = below.deadline;
    state().host_memory = false;
  }
  ~nccl_channel_model() override {
    if (!failed()) cudaStreamSynchronize(own_.get());
  }
  // Whether all ranks have joined.
  bool ready() const { return comm_.ready(); }

private:
  std::unique_ptr<operation> make() override {
    return std::make_unique<nccl_operation>(comm_, stream_, own_.get(), rank(), size());
  }
  std::shared_ptr<channel> part(std::string, std::vector<int> const& ranks) override;

  std::shared_ptr<channel> over_;
  nccl_comm comm_;
  cudaStream_t stream_;
  cuda_stream own_;
};

inline std::shared_ptr<channel> nccl_join(std::shared_ptr<channel> over, cudaStream_t stream) {
  ncclUniqueId id{};
  if (over->rank() == 0 && ncclGetUniqueId(&id) != ncclSuccess)
    throw std::runtime_error("tessera: NCCL finds no way to its ranks: NCCL_DEBUG=INFO says more.");
  over->broadcast(&id, sizeof id, 0, "the name of a communicator of NCCL").wait();
  over->barrier("all ranks are about to join NCCL").wait();
  auto made = std::make_shared<nccl_channel_model>(over, id, stream);
  for (double const begin = now(); !made->ready(); std::this_thread::yield())
    if (now() - begin > over->deadline())
      throw comm_error("tessera: NCCL's ranks did not meet within the deadline. NCCL_DEBUG=INFO says more.",
                       message_kind::split, "a communicator of NCCL", 0, {});
  over->barrier("a communicator of NCCL").wait();
  return made;
}

// The ranks of a part meet over a part of the lower channel, which they create alone.
inline std::shared_ptr<channel> nccl_channel_model::part(std::string, std::vector<int> const& ranks) {
  return nccl_join(part_of(*over_, "part", ranks, mixed(state().id, static_cast<std::uint64_t>(state().number))),
                   stream_);
}

}  // namespace tessera::detail
