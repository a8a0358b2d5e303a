// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reference-counted, untyped bytes for arrays and temporaries. Memory of the pool is at least 64-byte aligned. Memory
// of another owner is aligned as its element type, and ends with its last element.

#include <tessera/aval/value.hpp>
#include <tessera/base/config.hpp>
#include <tessera/exec/memory/counts.hpp>

#include <cstddef>
#include <memory>
#include <utility>

namespace tessera {

namespace detail {
struct memory_block;  // engine/exec/memory/pool.hpp
}

class buffer {
public:
  buffer() = default;
  explicit buffer(std::size_t bytes, memory_kind where = memory_kind::device);
  // Bytes of another owner: read, never written. `keeper` lives as long as any handle shares them.
  buffer(std::byte const* lent, std::size_t bytes, std::shared_ptr<void const> keeper);
  buffer(buffer const& other);
  buffer(buffer&& other) noexcept
      : block_(std::exchange(other.block_, nullptr)),
        data_(std::exchange(other.data_, nullptr)),
        bytes_(std::exchange(other.bytes_, 0)) {}
  buffer& operator=(buffer other) noexcept {
    std::swap(block_, other.block_);
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~buffer() {
    if (block_) drop();
  }

  std::byte* data() const { return data_; }
  std::size_t size() const { return bytes_; }
  explicit operator bool() const { return block_ != nullptr; }
  // True if the bytes are the pool's and no other handle shares them, so that they may be overwritten in place.
  bool unique() const;
  bool shares_with(buffer const& other) const { return block_ && block_ == other.block_; }

private:
  void drop();

  detail::memory_block* block_ = nullptr;
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

// Counts for the memory that programs run in.
memory_counts memory_in_use();

void release_unused_memory();

}  // namespace tessera
