// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reference-counted bytes from the pool: what arrays and temporaries live in. Untyped; 64-byte aligned at least.

#include <tessera/aval/value.hpp>
#include <tessera/exec/memory/pool.hpp>

#include <utility>

namespace tessera {

class buffer {
public:
  buffer() = default;
  explicit buffer(std::size_t bytes, memory_kind where = memory_kind::device)
      : block_(detail::pool_of(where == memory_kind::device && !runs_on_host).take(bytes)), bytes_(bytes) {}
  buffer(buffer const& other) : block_(other.block_), bytes_(other.bytes_) {
    if (block_) block_->references.fetch_add(1, std::memory_order_relaxed);
  }
  buffer(buffer&& other) noexcept
      : block_(std::exchange(other.block_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  buffer& operator=(buffer other) noexcept {
    std::swap(block_, other.block_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~buffer() {
    if (block_ && block_->references.fetch_sub(1, std::memory_order_acq_rel) == 1) block_->home->give_back(block_);
  }

  std::byte* data() const { return block_ ? block_->data : nullptr; }
  std::size_t size() const { return bytes_; }
  explicit operator bool() const { return block_ != nullptr; }
  // No other handle shares these bytes: they may be overwritten in place.
  bool unique() const { return block_ && block_->references.load(std::memory_order_acquire) == 1; }
  bool shares_with(buffer const& other) const { return block_ && block_ == other.block_; }

private:
  detail::memory_block* block_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace tessera
