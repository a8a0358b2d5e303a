// SPDX-License-Identifier: Apache-2.0
#pragma once
// Runs the instances of a kernel.

#include <tessera/engine/exec/run/grid_step.hpp>
#include <tessera/engine/exec/run/nan_watch.hpp>
#include <tessera/exec/device/launch.hpp>

#include <cstring>

namespace tessera::detail {

// The instances with one set of parallel program ids, which run in order, on a frame and memory of their own.
class grid_runner {
public:
  grid_runner(grid_step const& step, step_run const& around, std::byte* const* frame)
      : s_(step),
        r_(around),
        memory_(buffer_for(static_cast<std::size_t>(step.bytes + zeros + around.regions.scratch_bytes()),
                           [&] { return "an instance of " + around.label; })) {
    auto const slots = static_cast<std::size_t>(around.regions.slots());
    if (slots > few_.size()) many_.resize(slots);
    frame_ = many_.empty() ? few_.data() : many_.data();
    std::copy_n(frame, slots, frame_);
    frame_[s_.arena_slot] = memory_.data() - s_.begin;
    frame_[s_.arena_slot + 1] = memory_.data() + s_.bytes + zeros;
    outer_ = frame;
    if constexpr (!runs_on_host) {
      std::byte const nothing[zeros]{};
      copy_bytes(memory_.data() + s_.bytes, nothing, zeros, true);
    }
  }

  void run(std::int64_t parallel) {
    grid_value const& g = s_.grid;
    g.ids_at(parallel, 0, g.parallel, ids_);
    std::int64_t const turns = g.instances(g.parallel, g.rank);
    for (auto const& x : s_.scratches) clear(x.place, x.bytes);
    for (std::int64_t turn = 0; turn < turns; ++turn) {
      g.ids_at(turn, g.parallel, g.rank, ids_);
      for (int d = 0; d < g.rank; ++d)
        frame_[s_.id_slots[d]] = s_.numbers.data() + ids_[d] * std::int64_t{sizeof(std::int32_t)};
      for (std::size_t k = 0; k < s_.inputs.size(); ++k) read(s_.inputs[k], g.blocks[k]);
      for (std::size_t k = 0; k < s_.outputs.size(); ++k) point(s_.outputs[k], g.output(static_cast<int>(k)), turn, k);
      for (auto const& x : s_.scratches) take_turns(x, turn);
      r_.regions.run(s_.first, s_.count, frame_);
    }
    for (std::size_t k = 0; k < s_.outputs.size(); ++k) write(s_.outputs[k], g.output(static_cast<int>(k)), k);
  }

private:
  static constexpr std::int64_t zeros = 64;  // bytes of zeros behind the values

  static std::int64_t offset_of(grid_step::blocked_array const& x, block_value const& b, std::int64_t const* at) {
    std::int64_t bytes = x.offset;
    for (int d = 0; d < b.rank; ++d) bytes += at[d] * x.step[d];
    return bytes;
  }
  void read(grid_step::blocked_array const& x, block_value const& b) {
    std::int64_t at[max_rank]{};
    grid_step::find_block(b, ids_, at);
    std::byte* const from = outer_[x.slot] + offset_of(x, b, at);
    if (x.copies.works.empty()) {
      frame_[x.in_slot] = from;
      return;
    }
    frame_[x.in_slot] = memory_.data() + x.place;
    std::size_t const which = x.copies.which(b, at);
    if (which != 0) clear(x.place, x.bytes);
    copy(x.copies.works[which], frame_[x.in_slot], from);
  }
  // Sets where the body reads and writes output k. A block that is left is written, and a new one begins as zeros.
  void point(grid_step::blocked_array const& x, block_value const& b, std::int64_t turn, std::size_t k) {
    std::int64_t at[max_rank]{};
    grid_step::find_block(b, ids_, at);
    if (x.copies.works.empty()) {
      frame_[x.out_slot] = outer_[x.slot] + offset_of(x, b, at);
      return;
    }
    bool const same = turn > 0 && std::equal(at, at + b.rank, held_[k]);
    if (turn > 0 && !same) write(x, b, k);
    std::copy_n(at, max_rank, held_[k]);
    std::byte* const own = memory_.data() + x.place;
    if (!x.added_to) {
      frame_[x.out_slot] = own;
      return;
    }
    if (!same) {
      clear(x.place, x.bytes);
      frame_[x.in_slot] = own;
      frame_[x.out_slot] = own + x.bytes;
    } else {
      std::swap(frame_[x.in_slot], frame_[x.out_slot]);
    }
  }
  void write(grid_step::blocked_array const& x, block_value const& b, std::size_t k) {
    if (x.copies.works.empty()) return;
    copy(x.copies.works[x.copies.which(b, held_[k])], outer_[x.slot] + offset_of(x, b, held_[k]), frame_[x.out_slot]);
  }
  void take_turns(grid_step::scratch_block const& x, std::int64_t turn) {
    std::byte* const own = memory_.data() + x.place;
    frame_[x.in_slot] = turn % 2 == 0 ? own : own + x.bytes;
    frame_[x.out_slot] = turn % 2 == 0 ? own + x.bytes : own;
  }
  void copy(transfer_work const& work, std::byte* to, std::byte* from) const {
    std::byte* const ends[]{to, from, nullptr};
    run_transfers(r_.label, {&work, 1}, ends);
  }
  void clear(std::int64_t place, std::int64_t bytes) {
    if constexpr (runs_on_host) {
      std::memset(memory_.data() + place, 0, static_cast<std::size_t>(bytes));
    } else {
      transfer t;
      t.element = dtype::float32;
      t.keep(bytes / 4, 0, 1);
      transfer_work work = prepare(t);
      number_tiles(&work, 1);
      copy(work, memory_.data() + place, memory_.data() + s_.bytes);
    }
  }

  grid_step const& s_;
  step_run const& r_;
  buffer memory_;
  std::byte* const* outer_ = nullptr;
  std::array<std::byte*, 128> few_{};
  std::vector<std::byte*> many_;
  std::byte** frame_ = nullptr;
  program_ids ids_{};
  std::int64_t held_[max_outputs][max_rank]{};  // by output: the block that the body writes
};

struct grid_work {
  grid_step const& step;
  step_run const& around;
  static void tile(void const* work, std::byte* const* frame, std::int64_t parallel) {
    auto const& w = *static_cast<grid_work const*>(work);
    grid_runner(w.step, w.around, frame).run(parallel);
  }
};

inline void grid_step::run(step_run const& r) const {
  std::int64_t const parallel = grid.instances(0, grid.parallel);
  grid_work const work{*this, r};
  bool const by_threads =
      runs_on_host && parallel >= host_threads() && !nan_watch::current() && !Kokkos::Profiling::profileLibraryLoaded();
  if (by_threads) return launch_tiles(r.label, {&grid_work::tile, &work, r.frame}, parallel, touched);
  watched_region const watched(r.label);  // one after the other, each step on all threads
  for (std::int64_t i = 0; i < parallel; ++i) grid_work::tile(&work, r.frame, i);
}

}  // namespace tessera::detail
