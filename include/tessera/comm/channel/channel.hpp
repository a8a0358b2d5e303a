// SPDX-License-Identifier: Apache-2.0
#pragma once
// A channel joins ranks. Its messages are numbered and asynchronous, and each wait has a deadline.
//
//   auto sum = channel.all_reduce(out, in, count, dtype::float32, monoid::sum, "psum over dp, model.cpp:31");
// `in` is not written and `out` is not read here
//   sum.wait();
//
// A rank is a process, or a thread that acts as one (comm/threads/threads.hpp). The ranks of a channel start the same
// messages in the same order; they may wait for them in any order. Calls to a channel, and to the channels split from
// it, come from one thread at a time. Buffers are owned by the caller and must live until the message is complete.

#include <tessera/comm/channel/message_kind.hpp>

#include <array>
#include <memory>

namespace tessera {

class channel;

namespace detail {
class job;
struct channel_state;
}  // namespace detail

// The only handle of a message in flight. Its destructor waits for the message.
class request {
public:
  request() = default;  // without a message: complete
  request(request&& other) noexcept
      : channel_(std::exchange(other.channel_, nullptr)), operation_(std::exchange(other.operation_, nullptr)) {}
  request& operator=(request&& other) noexcept {
    request old(std::move(*this));
    channel_ = std::exchange(other.channel_, nullptr);
    operation_ = std::exchange(other.operation_, nullptr);
    return *this;
  }
  ~request();

  // Waits until the message is complete. Throws comm_error if that takes longer than the channel's deadline, if a rank
  // that it needs has ended, or if the library below failed.
  void wait();
  // Whether the message is complete, without waiting. Makes progress on all messages of this rank. Throws if the
  // library below failed; deadlines apply to waits only.
  bool test();

private:
  friend class channel;
  request(channel* of, detail::operation* what) : channel_(of), operation_(what) {}
  channel* channel_ = nullptr;
  detail::operation* operation_ = nullptr;
};

// Counts are in elements, or in bytes where no dtype is given, and may exceed 2^31. Errors show `label`. Every rank
// passes the same count, dtype, monoid, order and root.
class channel {
public:
  channel(channel const&) = delete;
  channel& operator=(channel const&) = delete;
  virtual ~channel();

  int rank() const;
  int size() const;
  // The library of the channel: "mpi (MPICH 5.0.2)", "threads", "alone".
  std::string const& name() const;
  // Whether buffers are in host memory; else they are in device memory.
  bool host_memory() const;
  // The number of a rank's host: ranks on one host share memory.
  int host(int rank) const;
  std::string const& host_name(int rank) const;

  // A channel of the ranks that pass the same color, ordered by key, then by rank; null for a negative color. All ranks
  // call it.
  std::shared_ptr<channel> split(int color, int key, std::string_view label);
  // A channel of these ranks, in this order; this rank is one of them. Only they call it, all of them.
  std::shared_ptr<channel> among(std::vector<int> const& ranks, std::string_view label);

  // out[i] = the monoid over every rank's in[i]. `out` may be `in`.
  request all_reduce(void* out, void const* in, std::int64_t count, dtype element, monoid combine,
                     std::string_view label, combine_order order = combine_order::fastest);
  // `in` has size() parts of `count` elements; out = the monoid over every rank's part number rank().
  request reduce_scatter(void* out, void const* in, std::int64_t count, dtype element, monoid combine,
                         std::string_view label, combine_order order = combine_order::fastest);
  // out = every rank's `bytes` bytes, in order of ranks. `in` may be this rank's part of `out`.
  request all_gather(void* out, void const* in, std::int64_t bytes, std::string_view label);
  // Part r of `in` goes to rank r; part r of `out` comes from rank r; `bytes` bytes each.
  request all_to_all(void* out, void const* in, std::int64_t bytes, std::string_view label);
  // sent[r] of `in` goes to rank r, received[r] of `out` comes from rank r; parts of 0 bytes are not sent. The sent
  // part of one rank and the received part of the other have the same size. The spans are copied.
  request exchange(void* out, std::span<message_part const> received, void const* in,
                   std::span<message_part const> sent, std::string_view label);
  // data = the data of rank `root`.
  request broadcast(void* data, std::int64_t bytes, int root, std::string_view label);
  request barrier(std::string_view label);

  void wait_all(std::span<request> requests);
  // Makes progress on all messages of this rank without waiting. Called between computations.
  void progress();

  // Seconds that a wait for a message may take: TESSERA_DEADLINE, or 300. Channels split from this one start with its
  // value.
  double deadline() const;
  void deadline(double seconds);

  // The messages started so far, and the bytes of `in` that this rank passed to them.
  std::int64_t calls(message_kind kind) const;
  std::int64_t bytes(message_kind kind) const;

  // Whether a message of this job failed in this process. The ranks then no longer agree on the next message, and every
  // further message throws.
  bool failed() const;
  // The error text; empty if nothing failed.
  std::string const& failure() const;
  // Reports `why` on stderr and to the other ranks, then ends the process and with it the job. Never returns.
  [[noreturn]] void abort(std::string_view why);

protected:
  // `ranks`: for each rank of this channel its rank in the job.
  channel(std::shared_ptr<detail::job> job, std::string label, int rank, std::vector<int> ranks);

  // Derived classes implement two functions. make() returns an operation that is reused for one message after another.
  virtual std::unique_ptr<detail::operation> make() = 0;
  // part() returns a channel of some ranks of this one, listed in their new order. All of these ranks call it together.
  virtual std::shared_ptr<channel> part(std::string label, std::vector<int> const& ranks) = 0;

  detail::channel_state& state() const { return *state_; }
  // For a channel on top of another one: the state of the lower channel, and a part of it, created by the ranks of the
  // part alone. `name` is the same on all of them and is used for no other part.
  static detail::channel_state& state_of(channel const& other) { return *other.state_; }
  static std::shared_ptr<channel> part_of(channel& other, std::string_view label, std::vector<int> const& ranks,
                                          std::uint64_t name);

private:
  friend class request;
  request begin(detail::asked_message const& what, std::string_view label);
  bool advance(detail::operation*& what);
  void await(detail::operation*& what);
  void release(detail::operation*& what);
  std::unique_ptr<detail::channel_state> state_;
};

}  // namespace tessera
