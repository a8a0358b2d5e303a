// SPDX-License-Identifier: Apache-2.0
#pragma once
// MPI's processes as if a network were between them: a message is complete when MPI has brought it and as much time has
// passed as a link of that rate, which sends one after the other, would have taken. Waiting costs no processor.

#include <tessera/comm/mpi.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace slow_network {

namespace ts = tessera;
namespace detail = ts::detail;

struct link {
  double latency, bytes_per_second;
  double free = 0;  // from then on
};

class operation final : public detail::operation {
public:
  operation(MPI_Comm comm, int rank, int ranks, link& over)
      : sent_(comm, detail::mpi_process::get().ops, rank, ranks), link_(over) {}
  void start() override {
    sent_.asked = asked;
    sent_.sent = sent;
    sent_.received = received;
    sent_.number = number;
    came_ = false;
    double bytes = static_cast<double>(asked.bytes());
    for (auto const& part : sent) bytes += static_cast<double>(part.bytes);
    link_.free = std::max(link_.free, detail::now()) + bytes / link_.bytes_per_second;
    there_ = link_.free + link_.latency;
    sent_.start();
  }
  bool advance() override {
    came_ = came_ || sent_.advance();
    return came_ && detail::now() >= there_;
  }

private:
  detail::mpi_operation sent_;
  link& link_;
  double there_ = 0;
  bool came_ = false;
};

class channel final : public ts::channel {
public:
  channel(ts::channel const& over, MPI_Comm comm, link& of)
      : ts::channel(state_of(over).job, "slow", over.rank(), state_of(over).ranks), comm_(comm), link_(of) {
    state().id = detail::mixed(state_of(over).id, 0x736c6f77);
  }

private:
  std::unique_ptr<detail::operation> make() override {
    return std::make_unique<operation>(comm_, rank(), size(), link_);
  }
  // Programs of one mesh axis need no parts.
  std::shared_ptr<ts::channel> part(std::string, std::vector<int> const&) override {
    throw std::logic_error("a slow network has no parts");
  }
  MPI_Comm comm_;
  link& link_;
};

}  // namespace slow_network
