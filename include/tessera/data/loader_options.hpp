// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a loader is asked for, and where it is: a few numbers, to be saved and compared.

#include <tessera/data/shuffled_order.hpp>
#include <tessera/trace/tree_parts.hpp>

#include <optional>

namespace tessera {

// What happens to the rows after the last whole batch.
enum class last_batch {
  dropped,  // they are dropped, and may come in another epoch
  padded    // the batch is filled up with rows of zeros, whose mask is 0
};

struct loader_options {
  std::uint64_t key = 0;  // decides the order of each epoch
  bool shuffle = true;
  last_batch last = last_batch::dropped;
  std::int64_t batch = 0;            // rows of a batch, where the types leave it open
  std::optional<row_set> rows = {};  // the rows; all by default
  int ahead = 2;                     // batches prepared in advance; 0: no thread
};

// The position of a loader: a few numbers, to be saved and compared. A batch counts as soon as it has been returned.
// The size of batches may change between runs; the key and the rows may not. After an epoch's last batch it is the next
// epoch's row 0.
struct loader_position {
  std::uint64_t key = 0;
  std::int64_t rows = 0;   // of an epoch
  std::int64_t epoch = 0;  // from 0
  std::int64_t row = 0;    // of the epoch, the next batch's first
  // Rows that have passed since the first epoch began, including dropped ones: grows with every batch.
  constexpr std::int64_t rows_seen() const { return epoch * rows + row; }
  static constexpr tessera::names<4> names{"key", "rows", "epoch", "row"};
  constexpr bool operator==(loader_position const&) const = default;
};

}  // namespace tessera
