// SPDX-License-Identifier: Apache-2.0
#pragma once
// A message as nonblocking MPI calls. Up to 8 ranks send their parts directly and fold them in rank order, which is
// then faster than the collectives of MPICH and Open MPI (docs/decisions/024-mpi-and-nccl.md). More ranks use MPI's
// collectives.

#include <tessera/comm/channel/message_kind.hpp>
#include <tessera/comm/mpi/types.hpp>

namespace tessera::detail {

class mpi_operation final : public operation {
public:
  mpi_operation(MPI_Comm comm, mpi_ops& ops, int rank, int ranks)
      : comm_(comm), ops_(ops), rank_(rank), ranks_(ranks) {}

  void start() override {
    pending_.clear();
    complete_ = 0;
    stage_ = 0;
    bool const combines = asked.kind == message_kind::all_reduce || asked.kind == message_kind::reduce_scatter;
    folds_ = combines && (direct() || asked.order == combine_order::by_rank);
    switch (asked.kind) {
      case message_kind::all_reduce: return folds_ ? gather_parts() : all_reduce();
      case message_kind::reduce_scatter: return folds_ ? gather_mine() : reduce_scatter();
      case message_kind::split:
      case message_kind::all_gather: return all_gather(asked.out, asked.in, asked.count);
      case message_kind::all_to_all: return all_to_all(asked.out, asked.in, asked.count);
      case message_kind::exchange: return exchange();
      case message_kind::broadcast: return broadcast();
      case message_kind::barrier: mpi_check("MPI_Ibarrier", MPI_Ibarrier(comm_, next())); return;
    }
  }

  bool advance() override {
    // One by one: errors of MPI_Testall belong to no communicator of this channel, and would end the process.
    for (; complete_ < pending_.size(); ++complete_) {
      int done = 0;
      mpi_check("MPI_Test", MPI_Test(&pending_[complete_], &done, MPI_STATUS_IGNORE));
      if (!done) return false;
    }
    return !folds_ || fold();
  }

private:
  static constexpr std::int64_t most_elements = std::int64_t{1} << 29;  // of one reduction; at most two reals each
  static constexpr std::int64_t most_bytes = std::int64_t{1} << 30;     // of one part
  static constexpr std::int64_t few_bytes = 4096;                       // up to this, each rank gets all blocks
  static constexpr int few_ranks = 8;

  bool direct() const { return ranks_ <= few_ranks; }
  MPI_Request* next() { return &pending_.emplace_back(MPI_REQUEST_NULL); }
  std::byte* part(std::byte* of, std::int64_t bytes, int rank) const { return of + bytes * rank; }

  void all_reduce() {
    MPI_Datatype const type = mpi_type_of(asked.element);
    MPI_Op const op = ops_.of(asked.element, asked.combine);
    int const width = bytes_of(asked.element);
    for (std::int64_t at = 0; at < asked.count || at == 0; at += most_elements) {
      auto const count = static_cast<int>(std::min(most_elements, asked.count - at));
      void const* const in = asked.in == asked.out ? MPI_IN_PLACE : asked.in + at * width;
      mpi_check("MPI_Iallreduce", MPI_Iallreduce(in, asked.out + at * width, count, type, op, comm_, next()));
    }
  }

  void reduce_scatter() {
    MPI_Datatype const type = mpi_type_of(asked.element);
    MPI_Op const op = ops_.of(asked.element, asked.combine);
    if (asked.count <= most_elements) {
      mpi_check("MPI_Ireduce_scatter_block",
                MPI_Ireduce_scatter_block(asked.in, asked.out, static_cast<int>(asked.count), type, op, comm_, next()));
      return;
    }
    int const width = bytes_of(asked.element);
    for (int rank = 0; rank < ranks_; ++rank)
      for (std::int64_t at = 0; at < asked.count; at += most_elements) {
        auto const count = static_cast<int>(std::min(most_elements, asked.count - at));
        mpi_check("MPI_Ireduce", MPI_Ireduce(asked.in + (asked.count * rank + at) * width, asked.out + at * width,
                                             count, type, op, rank, comm_, next()));
      }
  }

  void all_gather(std::byte* out, std::byte const* in, std::int64_t bytes) {
    bool const in_place = in == part(out, bytes, rank_);
    if (!direct()) {
      mpi_bytes const each(bytes);
      void const* const mine = in_place ? MPI_IN_PLACE : in;
      mpi_check("MPI_Iallgather",
                MPI_Iallgather(mine, each.count(), each.type(), out, each.count(), each.type(), comm_, next()));
      return;
    }
    receive_parts(out, bytes, 0);
    for (int step = 1; step < ranks_; ++step) send(in, bytes, after(step), 0);
    if (!in_place) copy(part(out, bytes, rank_), in, bytes);
  }

  void all_to_all(std::byte* out, std::byte const* in, std::int64_t bytes) {
    if (!direct()) {
      mpi_bytes const each(bytes);
      mpi_check("MPI_Ialltoall",
                MPI_Ialltoall(in, each.count(), each.type(), out, each.count(), each.type(), comm_, next()));
      return;
    }
    receive_parts(out, bytes, 0);
    for (int step = 1; step < ranks_; ++step) send(in + bytes * after(step), bytes, after(step), 0);
    if (!folds_) copy(part(out, bytes, rank_), in + bytes * rank_, bytes);
  }

  void broadcast() {
    mpi_bytes const all(asked.count);
    mpi_check("MPI_Ibcast", MPI_Ibcast(asked.out, all.count(), all.type(), asked.root, comm_, next()));
  }

  // Messages between two ranks keep their order. A tag per message number keeps the parts of two collectives apart.
  int tag(int stage) const { return static_cast<int>(number % 8000) * 4 + stage; }

  void receive(std::byte* out, std::int64_t bytes, int from, int stage) {
    for (std::int64_t at = 0; at < bytes; at += most_bytes)
      mpi_check("MPI_Irecv", MPI_Irecv(out + at, static_cast<int>(std::min(most_bytes, bytes - at)), MPI_BYTE, from,
                                       tag(stage), comm_, next()));
  }
  void send(std::byte const* in, std::int64_t bytes, int to, int stage) {
    for (std::int64_t at = 0; at < bytes; at += most_bytes)
      mpi_check("MPI_Isend", MPI_Isend(in + at, static_cast<int>(std::min(most_bytes, bytes - at)), MPI_BYTE, to,
                                       tag(stage), comm_, next()));
  }
  // Receives part r of `out` from each other rank r.
  void receive_parts(std::byte* out, std::int64_t bytes, int stage) {
    for (int step = 1; step < ranks_; ++step)
      receive(part(out, bytes, after(ranks_ - step)), bytes, after(ranks_ - step), stage);
  }
  static void copy(std::byte* to, std::byte const* from, std::int64_t bytes) {
    if (bytes > 0) std::memcpy(to, from, bytes);
  }
  // The rank `step` after this one; so ranks do not all send to the same rank first.
  int after(int step) const { return (rank_ + step) % ranks_; }

  void exchange() {
    for (int step = 1; step < ranks_; ++step) {
      auto const& from = received[after(ranks_ - step)];
      receive(asked.out + from.offset, from.bytes, after(ranks_ - step), 0);
    }
    for (int step = 1; step < ranks_; ++step) {
      auto const& to = sent[after(step)];
      send(asked.in + to.offset, to.bytes, after(step), 0);
    }
    auto const& self = sent[rank_];
    copy(asked.out + received[rank_].offset, asked.in + self.offset, self.bytes);
  }

  // The blocks of all other ranks are collected in `blocks_` and folded with this rank's own. Of large blocks each rank
  // folds a part, which it then sends to all.
  bool few() const { return asked.bytes() <= few_bytes; }
  std::int64_t part_begin(int rank) const { return asked.count * rank / ranks_; }
  std::int64_t part_count(int rank) const { return part_begin(rank + 1) - part_begin(rank); }
  std::byte* room(std::int64_t bytes) {
    std::size_t const all = bytes * ranks_;
    if (blocks_.size() < all) blocks_.resize(all);
    return blocks_.data();
  }

  void gather_parts() {
    if (few()) return all_gather(room(asked.bytes()), asked.in, asked.bytes());
    int const width = bytes_of(asked.element);
    std::int64_t const mine = part_count(rank_) * width;
    receive_parts(room(mine), mine, 1);
    for (int step = 1; step < ranks_; ++step)
      send(asked.in + part_begin(after(step)) * width, part_count(after(step)) * width, after(step), 1);
  }
  void gather_mine() { all_to_all(room(asked.bytes()), asked.in, asked.bytes()); }

  void fold_into(std::byte* out, std::byte const* mine, std::int64_t count) {
    std::int64_t const bytes = count * bytes_of(asked.element);
    from_.clear();
    for (int rank = 0; rank < ranks_; ++rank) from_.push_back(rank == rank_ ? mine : part(blocks_.data(), bytes, rank));
    fold_of(asked.element, asked.combine)(out, from_, count);
  }
  // The next stage, once all pending calls are complete; returns whether the message is complete.
  bool fold() {
    if (stage_++ > 0) return true;
    int const width = bytes_of(asked.element);
    if (asked.kind == message_kind::reduce_scatter) {
      fold_into(asked.out, asked.in + asked.bytes() * rank_, asked.count);
      return true;
    }
    if (few()) {
      fold_into(asked.out, asked.in, asked.count);
      return true;
    }
    std::int64_t const begin = part_begin(rank_) * width;
    fold_into(asked.out + begin, asked.in + begin, part_count(rank_));
    pending_.clear();
    complete_ = 0;
    for (int step = 1; step < ranks_; ++step) {
      int const from = after(ranks_ - step);
      receive(asked.out + part_begin(from) * width, part_count(from) * width, from, 2);
    }
    for (int step = 1; step < ranks_; ++step) send(asked.out + begin, part_count(rank_) * width, after(step), 2);
    return advance();
  }

  MPI_Comm comm_;
  mpi_ops& ops_;
  int rank_, ranks_;
  int stage_ = 0;
  bool folds_ = false;
  std::vector<MPI_Request> pending_;
  std::size_t complete_ = 0;  // how many of pending_ are complete
  std::vector<std::byte> blocks_;
  std::vector<std::byte const*> from_;
};

}  // namespace tessera::detail
