// SPDX-License-Identifier: Apache-2.0
#pragma once
// What joins ranks: numbered messages that are started, go on while the caller computes, and are waited for with a deadline.
//
//   auto sum = channel.all_reduce(out, in, count, dtype::float32, monoid::sum, "psum over dp, model.cpp:31");
//   ...                                  // neither is touched: `in` not written, `out` not read
//   sum.wait();
//
// A rank is a process, or a thread that stands for one (comm/threads/threads.hpp). The ranks of a channel start the same messages
// in the same order; they may wait for them in any. Calls of a channel, and of those split from it, come from one thread
// at a time. Buffers are the caller's and live until the message is complete.

#include <tessera/comm/channel/message_kind.hpp>

#include <array>
#include <memory>

namespace tessera {

class channel;

namespace detail {
class job;
struct channel_state;
}  // namespace detail

// A message under way, of which there is one handle. What is still under way when it ends is waited for.
class request {
public:
  request() = default;  // of no message: complete
  request(request&& other) noexcept
      : channel_(std::exchange(other.channel_, nullptr)), operation_(std::exchange(other.operation_, nullptr)) {}
  request& operator=(request&& other) noexcept {
    request old(std::move(*this));
    channel_ = std::exchange(other.channel_, nullptr);
    operation_ = std::exchange(other.operation_, nullptr);
    return *this;
  }
  ~request();

  // Until it is complete. comm_error when it is not by the channel's deadline, when a rank that it needs has ended, and
  // when the model below failed.
  void wait();
  // Whether it is complete, without waiting; takes all messages of this rank further. Throws where the model below failed;
  // deadlines are those of waits.
  bool test();

private:
  friend class channel;
  request(channel* of, detail::operation* what) : channel_(of), operation_(what) {}
  channel* channel_ = nullptr;
  detail::operation* operation_ = nullptr;
};

// Counts are of elements, or bytes where no dtype is given, and may exceed 2^31. `label` says who asks, in errors.
// Every rank passes the same count, dtype, monoid, order and root.
class channel {
public:
  channel(channel const&) = delete;
  channel& operator=(channel const&) = delete;
  virtual ~channel();

  int rank() const;
  int size() const;
  // The model and what it stands on: "mpi (MPICH 5.0.2)", "threads", "alone".
  std::string const& name() const;
  // Whether buffers are memory that the host reads and writes; else they are a device's.
  bool host_memory() const;
  // Where a rank runs: ranks of equal numbers share memory.
  int host(int rank) const;
  std::string const& host_name(int rank) const;

  // A channel of the ranks that pass the same color, ordered by key, then by rank; null for a negative color. All call it.
  std::shared_ptr<channel> split(int color, int key, std::string_view label);
  // A channel of these ranks, in this order, which they alone make, all of them; this one is among them.
  std::shared_ptr<channel> among(std::vector<int> const& ranks, std::string_view label);

  // out[i] = the monoid over every rank's in[i]. out may be in.
  request all_reduce(void* out, void const* in, std::int64_t count, dtype element, monoid combine,
                     std::string_view label, combine_order order = combine_order::fastest);
  // `in` has size() parts of `count` elements; out = the monoid over every rank's part number rank().
  request reduce_scatter(void* out, void const* in, std::int64_t count, dtype element, monoid combine,
                         std::string_view label, combine_order order = combine_order::fastest);
  // out = every rank's `bytes` bytes, in order of ranks. `in` may be this rank's part of out.
  request all_gather(void* out, void const* in, std::int64_t bytes, std::string_view label);
  // Part r of `in` goes to rank r; part r of out came from rank r; `bytes` bytes each.
  request all_to_all(void* out, void const* in, std::int64_t bytes, std::string_view label);
  // sent[r] of `in` goes to rank r, received[r] of out comes from there; nothing is sent for parts of 0 bytes. What a rank
  // sends to another is what that one receives. The spans are copied.
  request exchange(void* out, std::span<message_part const> received, void const* in,
                   std::span<message_part const> sent, std::string_view label);
  // data = that of rank `root`.
  request broadcast(void* data, std::int64_t bytes, int root, std::string_view label);
  request barrier(std::string_view label);

  void wait_all(std::span<request> requests);
  // Takes all messages of this rank as far as they go without waiting. Between computations, so that they go on meanwhile.
  void progress();

  // Seconds that a message may take from the begin of a wait on: TESSERA_DEADLINE, 300 if that is not set. Those that are
  // split from here begin with it.
  double deadline() const;
  void deadline(double seconds);

  // Messages started so far, and the bytes of `in` that this rank gave to them.
  std::int64_t calls(message_kind kind) const;
  std::int64_t bytes(message_kind kind) const;

  // Whether a message of this job failed in this process: its ranks do not agree any more on what comes next, and every
  // further message throws.
  bool failed() const;
  // What it was; empty if nothing failed.
  std::string const& failure() const;
  // Says why on the error stream and to the other ranks, then ends the process, and with it the job. Never returns.
  [[noreturn]] void abort(std::string_view why);

protected:
  // `ranks`: for each rank of this channel its rank in the job.
  channel(std::shared_ptr<detail::job> job, std::string label, int rank, std::vector<int> ranks);

  // What a model implements: an operation, used again and again for one message after the other,
  virtual std::unique_ptr<detail::operation> make() = 0;
  // and the channel of those of this one's ranks that `ranks` lists in their new order. All of them call it at once.
  virtual std::shared_ptr<channel> part(std::string label, std::vector<int> const& ranks) = 0;

  detail::channel_state& state() const { return *state_; }
  // For a model on top of another channel: the state of that one, and a part of it, made by the part's ranks alone.
  // `name` is the same on all of them and was given to no other part.
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
