// SPDX-License-Identifier: Apache-2.0
#pragma once
// Definitions of buffer: a counted reference to a block of the pool, or to memory of another owner.

#include <tessera/engine/exec/memory/pool.hpp>
#include <tessera/exec/memory/buffer.hpp>

namespace tessera {

TESSERA_ENGINE buffer::buffer(std::size_t bytes, memory_kind where)
    : block_(detail::pool_of(where == memory_kind::device && !runs_on_host).take(bytes)),
      data_(block_->data),
      bytes_(bytes) {}
TESSERA_ENGINE buffer::buffer(std::byte const* lent, std::size_t bytes, std::shared_ptr<void const> keeper)
    : data_(const_cast<std::byte*>(lent)), bytes_(bytes) {
  auto block = std::make_unique<detail::lent_block>();
  block->data = data_;
  block->references.store(1, std::memory_order_relaxed);
  block->keeper = std::move(keeper);
  block_ = block.release();
}
TESSERA_ENGINE buffer::buffer(buffer const& other) : block_(other.block_), data_(other.data_), bytes_(other.bytes_) {
  if (block_) block_->references.fetch_add(1, std::memory_order_relaxed);
}
TESSERA_ENGINE bool buffer::unique() const {
  return block_ && block_->home && block_->references.load(std::memory_order_acquire) == 1;
}
TESSERA_ENGINE void buffer::drop() {
  if (block_->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  if (block_->home)
    block_->home->give_back(block_);
  else
    delete static_cast<detail::lent_block*>(block_);
}

TESSERA_ENGINE memory_counts memory_in_use() { return detail::pool_of(!runs_on_host).counts(); }

TESSERA_ENGINE void release_unused_memory() {
  detail::pool_of(false).release_unused();
  if (!runs_on_host) detail::pool_of(true).release_unused();
}

}  // namespace tessera
