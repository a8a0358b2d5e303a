// SPDX-License-Identifier: Apache-2.0
#pragma once
// Results of a kernel to which instances add blocks. Instances that run at the same time leave their blocks, which are
// added when all of them have ended: those of one block of the result in the order of the instances, different ones on
// different threads. So an element is the same sum, in the same order, as if the instances ran one after the other.

#include <tessera/engine/exec/memory/buffer_for.hpp>
#include <tessera/engine/exec/run/grid_step.hpp>
#include <tessera/exec/device/launch.hpp>
#include <tessera/rule/grid_traffic.hpp>

#include <algorithm>
#include <vector>

namespace tessera::detail {

// A block behind memory for another one, `block` bytes in both; and where it is added.
struct waiting_block {
  std::size_t output = 0, part = 0;
  std::array<std::int64_t, max_rank> at{};
  std::byte* pair = nullptr;
};

// Reads the block that is there to `pair`, and writes the sum of both.
inline void add_block(std::string const& label, grid_step::blocked_array const& x, block_value const& b,
                      waiting_block const& waiting, std::byte* whole) {
  std::size_t const which = x.copies.which(b, waiting.at.data());
  whole += x.offset + x.parts[waiting.part].whole;
  for (int d = 0; d < b.rank; ++d) whole += waiting.at[d] * x.step[d];
  std::byte* const pair = waiting.pair + x.parts[waiting.part].block;
  std::byte* const read[]{pair, whole, nullptr};
  run_transfers(label, {&x.sums.reads[which], 1}, read);
  std::byte* const sum[]{whole, pair, nullptr};
  run_transfers(label, {&x.sums.sums[which], 1}, sum);
}

// The blocks that some instances leave, in memory for the most of them.
class waiting_blocks {
public:
  waiting_blocks(grid_step const& step, step_run const& around) : s_(step), r_(around) {
    for (std::size_t k = 0; k < step.outputs.size(); ++k) {
      auto const& x = step.outputs[k];
      if (x.sums.reads.empty()) continue;
      std::int64_t const blocks = traffic_of(step.grid, step.grid.output(static_cast<int>(k))).count;
      most_ +=
          blocks / step.grid.instances(0, step.grid.parallel) * static_cast<std::int64_t>(x.parts.size()) * 2 * x.bytes;
    }
  }
  bool any() const { return most_ > 0; }
  // How many instances may leave their blocks before these are added.
  std::int64_t instances() const { return std::max<std::int64_t>(most_bytes / std::max<std::int64_t>(most_, 1), 1); }
  void reserve(std::int64_t instances) {
    memory_ = buffer_for(static_cast<std::size_t>(instances * most_),
                         [&] { return "the blocks that instances of " + r_.label + " add"; });
    left_.resize(static_cast<std::size_t>(instances));
  }
  std::vector<waiting_block>& of(std::int64_t instance) { return left_[instance]; }
  std::byte* memory_of(std::int64_t instance) const { return memory_.data() + instance * most_; }

  // Adds all blocks.
  void add() {
    order_.clear();
    std::int64_t bytes = 0;
    for (auto& all : left_) {
      for (waiting_block const& one : all) {
        order_.push_back(one);
        bytes += 3 * s_.outputs[one.output].bytes;
      }
      all.clear();
    }
    auto const key = [](waiting_block const& x) { return std::tie(x.output, x.part, x.at); };
    std::sort(order_.begin(), order_.end(), [&](auto const& x, auto const& y) {
      return key(x) == key(y) ? x.pair < y.pair : key(x) < key(y);  // those of one block in the order of instances
    });
    first_.clear();
    for (std::size_t i = 0; i < order_.size(); ++i)
      if (i == 0 || key(order_[i - 1]) != key(order_[i])) first_.push_back(i);
    auto const groups = static_cast<std::int64_t>(first_.size());
    first_.push_back(order_.size());
    launch_tiles(r_.label, {&waiting_blocks::tile, this, r_.frame}, groups, bytes);
  }

private:
  static constexpr std::int64_t most_bytes = std::int64_t{32} << 20;

  static void tile(void const* work, std::byte* const* frame, std::int64_t group) {
    auto const& w = *static_cast<waiting_blocks const*>(work);
    auto const g = static_cast<std::size_t>(group);
    for (std::size_t i = w.first_[g]; i < w.first_[g + 1]; ++i) {
      waiting_block const& one = w.order_[i];
      auto const& x = w.s_.outputs[one.output];
      add_block(w.r_.label, x, w.s_.grid.output(static_cast<int>(one.output)), one, frame[x.slot]);
    }
  }

  grid_step const& s_;
  step_run const& r_;
  std::int64_t most_ = 0;  // bytes that one instance leaves
  buffer memory_;
  std::vector<std::vector<waiting_block>> left_;  // by instance
  std::vector<waiting_block> order_;              // by block, then by instance
  std::vector<std::size_t> first_;                // in order_: where the next block begins
};

}  // namespace tessera::detail
