// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where each rank of a job writes what it does, for others to read without its help: in memory that the ranks of a host
// share, or in that of the threads' process. A row has one writer. Readers may be late, never wrong.

#include <tessera/comm/channel/message_kind.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace tessera::detail {

// Text that another process may read while it is written: it is read again then.
template <int Words>
class shared_text {
public:
  void write(std::string_view text) {
    std::uint32_t const version = version_.load(std::memory_order_relaxed);
    version_.store(version + 1, std::memory_order_seq_cst);
    std::size_t const bytes = std::min(text.size(), std::size_t{8 * Words});
    for (std::size_t at = 0; at < bytes; at += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, text.data() + at, std::min(bytes - at, std::size_t{8}));
      words_[at / 8].store(word, std::memory_order_release);
    }
    bytes_.store(static_cast<std::uint32_t>(bytes), std::memory_order_release);
    version_.store(version + 2, std::memory_order_release);
  }
  std::string read() const {
    std::array<char, 8 * Words> chars;
    for (int attempt = 0;; ++attempt) {
      std::uint32_t const version = version_.load(std::memory_order_acquire);
      std::size_t const bytes = bytes_.load(std::memory_order_acquire);
      for (std::size_t at = 0; at < bytes; at += 8) {
        std::uint64_t const word = words_[at / 8].load(std::memory_order_acquire);
        std::memcpy(chars.data() + at, &word, 8);
      }
      // A writer that was killed in the midst of it is read as it stands.
      if ((version % 2 == 0 && version == version_.load(std::memory_order_acquire)) || attempt == 1000)
        return {chars.data(), bytes};
    }
  }

private:
  std::atomic<std::uint32_t> version_, bytes_;
  std::array<std::atomic<std::uint64_t>, Words> words_;
};

// What a rank does in one channel.
struct board_slot {
  static constexpr int remembered = 16;

  std::atomic<std::uint64_t> channel;  // its id; 0: none
  std::atomic<std::int64_t> started;   // the number of its last message
  std::atomic<std::int64_t> awaited;   // of the one that it waits for; 0: none
  // Of the last messages: what all ranks must agree on.
  std::array<std::atomic<std::uint64_t>, remembered> signatures;
  std::atomic<message_kind> kind;  // of the last message
  shared_text<20> label;
};

enum class rank_state : std::uint32_t { absent, running, left, failed };

struct alignas(4096) board_row {
  static constexpr int slots = 48;  // channels of a rank that others can see into

  std::atomic<std::int64_t> process, process_begin;
  std::atomic<std::uint64_t> process_space;  // in which its process has that number
  std::atomic<rank_state> state;
  std::atomic<std::uint32_t> latest;  // the slot of its last message
  shared_text<60> reason;             // why it failed
  std::array<board_slot, slots> in;
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "tessera: processes share no locks.");

// The rows of a job, in zeroed memory that outlives this; `memory` begins at a multiple of alignof(board_row).
class board {
public:
  board(void* memory, int ranks) : rows_(static_cast<board_row*>(memory)), ranks_(ranks) {}
  virtual ~board() = default;
  board(board const&) = delete;
  board& operator=(board const&) = delete;

  int ranks() const { return ranks_; }
  board_row& row(int rank) { return rows_[rank]; }
  board_row const& row(int rank) const { return rows_[rank]; }

  static std::size_t bytes(int ranks) { return sizeof(board_row) * ranks; }

private:
  board_row* rows_;
  int ranks_;
};

// The slot of a channel in a row; null where there is none.
inline board_slot const* find_slot(board_row const& row, std::uint64_t channel) {
  for (auto const& slot : row.in)
    if (slot.channel.load(std::memory_order_acquire) == channel) return &slot;
  return nullptr;
}

}  // namespace tessera::detail
