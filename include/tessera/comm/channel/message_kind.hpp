// SPDX-License-Identifier: Apache-2.0
#pragma once
// What ranks say to each other: the kinds of messages, their parts, and the error when one does not come to its end.

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

// In which order the ranks' elements are combined.
//   fastest  as the model likes; the same on every run with the same ranks, on every rank
//   by_rank  (((rank 0 . rank 1) . rank 2) ...) in registers, rounded once: what a loop over the ranks in one process gives
enum class combine_order : std::uint8_t { fastest, by_rank };

// What goes to, or comes from, one rank in an exchange: bytes from the buffer's begin on.
struct message_part {
  std::int64_t offset = 0;
  std::int64_t bytes = 0;
};

// A message that did not come to its end: a rank is missing, or the model below failed. what() says all of it.
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
  std::string const& label() const { return label_; }  // given by the rank that started it
  std::int64_t number() const { return number_; }      // of the messages of its channel, from 1
  // Ranks of the channel that have not come as far, or have ended; empty when that is not known.
  std::vector<int> const& missing() const { return missing_; }

private:
  message_kind kind_;
  std::string label_;
  std::int64_t number_;
  std::vector<int> missing_;
};

namespace detail {

// A message as a model gets it. Of those that only move, `element` is uint8 and `count` are bytes.
//   all_reduce      count elements in, count out
//   reduce_scatter  size() x count in, count out
//   all_gather      count in, size() x count out
//   all_to_all      size() x count in, size() x count out
//   exchange        `sent` and `received` say where, a part for each rank
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

// A message under way. The channel keeps it when it is complete, for the next message.
class operation {
public:
  virtual ~operation() = default;
  // Begins with `asked`. Throws std::runtime_error if the model failed, as advance does.
  virtual void start() = 0;
  // Takes it as far as it goes without waiting; whether it is complete.
  virtual bool advance() = 0;

  channel_state* of = nullptr;
  asked_message asked{};
  bool complete = false;
  std::int64_t number = 0;                   // of its channel's messages, from 1
  std::int64_t begun = 0;                    // when, where a timeline is recorded
  std::string label;                         // as its caller said
  std::vector<message_part> sent, received;  // what the spans of `asked` refer to
};

}  // namespace detail
}  // namespace tessera
