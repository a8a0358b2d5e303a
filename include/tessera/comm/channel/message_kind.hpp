// SPDX-License-Identifier: Apache-2.0
#pragma once
// The kinds of messages between ranks, their parts, and the error of a message that cannot complete.

#include <tessera/aval/dtype.hpp>
#include <tessera/graph/op_info.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera {

enum class message_kind : std::uint8_t {
  all_reduce,
  reduce_scatter,
  all_gather,
  all_to_all,
  exchange,
  broadcast,
  barrier,
  split
};
inline constexpr int message_kinds = 8;

constexpr std::string_view name_of(message_kind kind) {
  constexpr std::string_view names[message_kinds]{"all_reduce", "reduce_scatter", "all_gather", "all_to_all",
                                                  "exchange",   "broadcast",      "barrier",    "split"};
  return names[static_cast<int>(kind)];
}

// The order in which the ranks' elements are combined.
//   fastest  chosen by the library; the same in every run with the same ranks, and on every rank
//   by_rank  (((rank 0 . rank 1) . rank 2) ...) in registers, rounded once, like a loop over the ranks in one process
enum class combine_order : std::uint8_t { fastest, by_rank };

// The bytes of a buffer that an exchange sends to, or receives from, one rank; `offset` counts from the start of the
// buffer.
struct message_part {
  std::int64_t offset = 0;
  std::int64_t bytes = 0;
};

// A message that cannot complete: a rank is missing, or the library below failed. what() has all details.
class comm_error : public std::runtime_error {
public:
  comm_error(std::string const& text, message_kind kind, std::string label, std::int64_t number,
             std::vector<int> missing)
      : std::runtime_error(text),
        kind_(kind),
        label_(std::move(label)),
        number_(number),
        missing_(std::move(missing)) {}

  message_kind kind() const { return kind_; }
  std::string const& label() const { return label_; }  // of the rank that threw this
  std::int64_t number() const { return number_; }      // among the messages of its channel, from 1
  // Ranks of the channel that have not started the message, or have ended; empty if not known.
  std::vector<int> const& missing() const { return missing_; }

private:
  message_kind kind_;
  std::string label_;
  std::int64_t number_;
  std::vector<int> missing_;
};

namespace detail {

// A message as a channel's implementation gets it. If nothing is combined, `element` is uint8 and `count` is in bytes.
//   all_reduce      count elements in, count out
//   reduce_scatter  size() x count in, count out
//   all_gather      count in, size() x count out
//   all_to_all      size() x count in, size() x count out
//   exchange        `sent` and `received` have a part for each rank
//   broadcast       count in `out`; `in` is not used
struct asked_message {
  message_kind kind{};
  dtype element = dtype::uint8;
  monoid combine = monoid::none;
  combine_order order = combine_order::fastest;
  std::byte* out = nullptr;
  std::byte const* in = nullptr;
  std::int64_t count = 0;
  int root = 0;
  std::span<message_part const> sent{}, received{};

  std::int64_t bytes() const { return count * bytes_of(element); }
};

struct channel_state;

// A message in flight. When it is complete, the channel reuses the object for a later message.
class operation {
public:
  virtual ~operation() = default;
  // Starts the message `asked`. Throws std::runtime_error if the library failed; so does advance.
  virtual void start() = 0;
  // Makes progress without waiting; returns whether the message is complete.
  virtual bool advance() = 0;

  channel_state* of = nullptr;
  asked_message asked{};
  bool complete = false;
  std::int64_t number = 0;                   // among its channel's messages, from 1
  std::int64_t begun = 0;                    // start time, if a timeline is recorded
  std::string label;                         // the caller's
  std::vector<message_part> sent, received;  // the parts that the spans of `asked` refer to
};

}  // namespace detail
}  // namespace tessera
