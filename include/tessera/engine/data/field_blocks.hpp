// SPDX-License-Identifier: Apache-2.0
#pragma once
// Fills the blocks that this process holds of one field of a batch.

#include <tessera/array/device_put.hpp>
#include <tessera/data/loader.hpp>
#include <tessera/engine/array/own_blocks.hpp>

#include <algorithm>

namespace tessera::detail {

class field_blocks {
public:
  field_blocks(batch_field const& field, concrete_mesh const& mesh) : field_(field), size_(bytes_of(field.element)) {
    array_value plain;
    plain.element = field.element;
    for (auto extent : field.extents) plain.add_dim(extent);
    facts_ = value_in_layout(plain, field.spec, mesh.value());
    block_ = stored_block(facts_, mesh.value());
    bytes_ = storage_bytes(block_, mesh.value());
    blocks_ = own_blocks(facts_, mesh);
    row_ = 1;
    for (int d = 1; d < block_.rank; ++d) row_ *= block_.extent(d);
  }
  array_value const& facts() const { return facts_; }

  // Widens [start, stop) to the rows of a batch that this process needs.
  void widen(index_range& needed) const {
    for (own_block const& own : blocks_) {
      needed.start = std::min(needed.start, own.index[0].start);
      needed.stop = std::max(needed.stop, own.index[0].stop);
    }
  }
  // rows[i - first]: the row of the source that is row i of the batch; negative: none, zeros.
  buffer filled(std::vector<std::int64_t> const& rows, std::int64_t first) const {
    buffer made(bytes_, memory_kind::host);
    for (own_block const& own : blocks_) {
      std::byte* const to = made.data() + own.offset * size_;
      std::int64_t const line = row_ * size_, all = block_.rank > 0 ? block_.extent(0) : 1;
      region part;
      bool whole = true;
      for (int d = 1; d < own.index.size(); ++d) {
        part.push_back(own.index[d]);
        whole = whole && own.index[d].size() == block_.extent(d);
      }
      std::vector<std::byte> narrow(whole ? 0 : size_of(part) * size_);
      for (std::int64_t i = 0; i < all; ++i) {
        std::int64_t const at = own.index[0].start + i;
        std::int64_t const row = at < own.index[0].stop ? rows[at - first] : -1;
        std::byte* const out = to + i * line;
        if (row < 0 || !whole) std::memset(out, 0, line);
        if (row < 0) continue;
        if (!field_.source) {
          std::memcpy(out, field_.one.data(), size_);
        } else if (whole) {
          if (line > 0) field_.source->read(row, part, out);
        } else if (!narrow.empty()) {
          field_.source->read(row, part, narrow.data());
          array_value to_shape, from_shape;
          to_shape.element = from_shape.element = field_.element;
          for (int d = 1; d < block_.rank; ++d) {
            to_shape.add_dim(block_.extent(d));
            from_shape.add_dim(part[d - 1].size());
          }
          copy_corner(out, to_shape, narrow.data(), from_shape);
        }
      }
    }
    return made;
  }

private:
  batch_field field_;
  int size_;
  array_value facts_{}, block_{};
  std::size_t bytes_ = 0;
  std::vector<own_block> blocks_{};
  std::int64_t row_ = 1;  // elements per row of a block
};

}  // namespace tessera::detail
