// SPDX-License-Identifier: Apache-2.0
#pragma once
// A table in which each rank of a job writes its state, for others to read without its help. It is in memory that the
// ranks of a host share, or in the memory of a process whose threads are ranks. A row has one writer. Readers may see
// an older state, never a wrong one.

#include <tessera/comm/channel/message_kind.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace tessera::detail {

// Text that another process may read while it is written; the reader then retries.
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
      // If the writer was killed while writing, the text is returned as it is.
      if ((version % 2 == 0 && version == version_.load(std::memory_order_acquire)) || attempt == 1000)
        return {chars.data(), bytes};
    }
  }

private:
  std::atomic<std::uint32_t> version_, bytes_;
  std::array<std::atomic<std::uint64_t>, Words> words_;
};

// The state of a rank in one channel.
struct board_slot {
  static constexpr int remembered = 16;

  std::atomic<std::uint64_t> channel;  // its id; 0: none
  std::atomic<std::int64_t> started;   // the number of its last message
  std::atomic<std::int64_t> awaited;   // number of the message that it waits for; 0: none
  // Signatures of the last messages, on which all ranks must agree.
  std::array<std::atomic<std::uint64_t>, remembered> signatures;
  std::atomic<message_kind> kind;  // of the last message
  shared_text<20> label;
};

enum class rank_state : std::uint32_t { absent, running, left, failed };

struct alignas(4096) board_row {
  static constexpr int slots = 48;  // channels of a rank that other ranks can see

  std::atomic<std::int64_t> process, process_begin;
  std::atomic<std::uint64_t> process_space;  // the PID namespace of the process
  std::atomic<rank_state> state;
  std::atomic<std::uint32_t> latest;  // index of the slot with its last message
  shared_text<60> reason;             // why it failed
  std::array<board_slot, slots> in;
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "tessera: processes share no locks.");

// The rows of a job, in zeroed memory that outlives this object; `memory` is aligned to alignof(board_row).
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

// The slot of a channel in a row; null if there is none.
inline board_slot const* find_slot(board_row const& row, std::uint64_t channel) {
  for (auto const& slot : row.in)
    if (slot.channel.load(std::memory_order_acquire) == channel) return &slot;
  return nullptr;
}

}  // namespace tessera::detail
