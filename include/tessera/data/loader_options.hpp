// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a loader is asked for, and where it is: a few numbers, to be saved and compared.

#include <tessera/data/shuffled_order.hpp>
#include <tessera/trace/tree_parts.hpp>

#include <optional>

namespace tessera {

// What becomes of the rows after the last whole batch.
enum class last_batch {
  dropped,  // they wait for another epoch's order
  padded    // a batch is filled up with rows of zeros, whose mask is 0
};

struct loader_options {
  std::uint64_t key = 0;  // decides the order of each epoch
  bool shuffle = true;
  last_batch last = last_batch::dropped;
  std::int64_t batch = 0;            // rows of a batch, where the types leave it open
  std::optional<row_set> rows = {};  // which rows; all of them unless said
  int ahead = 2;                     // batches that wait when they are asked for; 0: no thread
};

// Where a loader is: a few numbers, to be saved and compared. A batch counts as soon as it has been handed out. The size of
// batches may change on the way, the key and the rows may not. After an epoch's last batch it is the next epoch's row 0.
struct loader_position {
  std::uint64_t key = 0;
  std::int64_t rows = 0;   // of an epoch
  std::int64_t epoch = 0;  // from 0
  std::int64_t row = 0;    // of the epoch, the next batch's first
  // Rows that have gone by since the first epoch began, with those that were dropped: grows with every batch.
  constexpr std::int64_t rows_seen() const { return epoch * rows + row; }
  static constexpr tessera::names<4> names{"key", "rows", "epoch", "row"};
  constexpr bool operator==(loader_position const&) const = default;
};

}  // namespace tessera
