// SPDX-License-Identifier: Apache-2.0
#pragma once
// Runs the instances of a kernel.

#include <tessera/engine/exec/run/grid_sums.hpp>
#include <tessera/engine/exec/run/nan_watch.hpp>
#include <tessera/exec/device/launch.hpp>

#include <cstring>
#include <stdexcept>

namespace tessera::detail {

// The instances with one set of parallel program ids, which run in order, on a frame and memory of their own.
class grid_runner {
public:
  // waiting: where blocks that are added are left; null: they are added at once.
  grid_runner(grid_step const& step, step_run const& around, table_values const& tables, std::byte* const* frame,
              std::vector<waiting_block>* waiting = nullptr, std::byte* left = nullptr)
      : s_(step),
        r_(around),
        tables_(tables),
        waiting_(waiting),
        left_(left),
        memory_(buffer_for(static_cast<std::size_t>(step.bytes + around.regions.scratch_bytes()),
                           [&] { return "an instance of " + around.label; })) {
    auto const slots = static_cast<std::size_t>(around.regions.slots());
    if (slots > few_.size()) many_.resize(slots);
    frame_ = many_.empty() ? few_.data() : many_.data();
    std::copy_n(frame, slots, frame_);
    frame_[s_.arena_slot] = memory_.data() - s_.begin;
    frame_[s_.arena_slot + 1] = memory_.data() + s_.bytes;
    outer_ = frame;
    std::size_t parts = 0;
    for (auto const& x : s_.outputs) parts = std::max(parts, x.parts.size());
    held_.resize(s_.outputs.size() * parts);
    parts_ = parts;
  }

  void run(std::int64_t parallel) {
    grid_value const& g = s_.grid;
    g.ids_at(parallel, 0, g.parallel, ids_);
    std::int64_t const turns = g.instances(g.parallel, g.rank);
    for (auto const& x : s_.scratches) clear(x.place, x.bytes);
    for (std::int64_t turn = 0; turn < turns; ++turn) {
      g.ids_at(turn, g.parallel, g.rank, ids_);
      for (std::size_t d = 0; d < s_.id_slots.size(); ++d)
        frame_[s_.id_slots[d]] =
            s_.numbers.data() + grid_step::zero_bytes + ids_[s_.batches() + d] * std::int64_t{sizeof(std::int32_t)};
      for (std::size_t k = 0; k < s_.inputs.size(); ++k) read(s_.inputs[k], g.blocks[k]);
      for (std::size_t k = 0; k < s_.outputs.size(); ++k) point(s_.outputs[k], g.output(static_cast<int>(k)), turn, k);
      for (auto const& x : s_.scratches) take_turns(x, turn);
      r_.regions.run(s_.first, s_.count, frame_);
    }
    for (std::size_t k = 0; k < s_.outputs.size(); ++k)
      for (std::size_t c = 0; c < s_.outputs[k].parts.size(); ++c)
        write(s_.outputs[k], g.output(static_cast<int>(k)), k, c, frame_[s_.outputs[k].out_slot]);
  }

private:
  using numbers = std::array<std::int64_t, max_rank>;  // of a block

  static std::int64_t offset_of(grid_step::blocked_array const& x, block_value const& b, numbers const& at) {
    std::int64_t bytes = x.offset;
    for (int d = 0; d < b.rank; ++d) bytes += at[d] * x.step[d];
    return bytes;
  }
  numbers find(block_value const& b, std::size_t device) const {
    numbers at{};
    grid_step::find_block(b, ids_, b.reads() ? tables_.on(device) : nullptr, at.data());
    return at;
  }
  void read(grid_step::blocked_array const& x, block_value const& b) {
    if (x.copies.works.empty()) {
      frame_[x.in_slot] = outer_[x.slot] + offset_of(x, b, find(b, 0));
      return;
    }
    frame_[x.in_slot] = memory_.data() + x.place;
    bool cleared = false;
    for (std::size_t c = 0; c < x.parts.size(); ++c) {
      numbers const at = find(b, c);
      std::size_t const which = x.copies.which(b, at.data());
      if (which == 0 || cleared) continue;
      clear(x.place, x.bytes);
      cleared = true;
    }
    for (std::size_t c = 0; c < x.parts.size(); ++c) {
      numbers const at = find(b, c);
      std::byte* const own = frame_[x.in_slot] + x.parts[c].block;
      std::byte* const whole = outer_[x.slot] + offset_of(x, b, at) + x.parts[c].whole;
      std::size_t const which = x.copies.which(b, at.data());
      if (block_copy part; which < x.copies.works.size())
        copy(x.copies.works[which], own, whole);
      else if (x.copies.within(b, at.data(), part))
        copy(part.work, own + part.block, whole + part.whole);
    }
  }
  // Sets where the body reads and writes output k. A block that is left is written, and a new one begins as zeros, or
  // as what the result holds there.
  void point(grid_step::blocked_array const& x, block_value const& b, std::int64_t turn, std::size_t k) {
    if (x.copies.works.empty()) {
      frame_[x.out_slot] = outer_[x.slot] + offset_of(x, b, find(b, 0));
      return;
    }
    std::byte* const own = memory_.data() + x.place;
    std::byte* const written = turn > 0 ? frame_[x.out_slot] : nullptr;
    frame_[x.out_slot] = x.added_to && written != own + x.bytes ? own + x.bytes : own;
    if (x.added_to) frame_[x.in_slot] = turn > 0 ? written : own;
    for (std::size_t c = 0; c < x.parts.size(); ++c) {
      numbers& held = held_[k * parts_ + c];
      numbers const at = find(b, c);
      if (turn > 0 && at == held) continue;
      if (turn > 0) write(x, b, k, c, written);
      held = at;
      if (!x.added_to) continue;
      std::byte* const begin = frame_[x.in_slot] + x.parts[c].block;
      std::size_t const which = x.copies.which(b, at.data());
      if (x.parts.size() > 1)
        copy(x.zeros, begin, s_.numbers.data());
      else if (x.begins.empty() || which != 0)
        clear(begin - memory_.data(), x.bytes);
      if (!x.begins.empty()) copy(x.begins[which], begin, outer_[x.slot] + offset_of(x, b, at) + x.parts[c].whole);
    }
  }
  void write(grid_step::blocked_array const& x, block_value const& b, std::size_t k, std::size_t c, std::byte* from) {
    if (x.copies.works.empty()) return;
    numbers const& at = held_[k * parts_ + c];
    if (!x.sums.reads.empty()) return add(x, b, {k, c, at, waiting_ ? left_ : memory_.data() + x.pair}, from);
    copy(x.copies.works[x.copies.which(b, at.data())], outer_[x.slot] + offset_of(x, b, at) + x.parts[c].whole,
         from + x.parts[c].block);
  }
  void add(grid_step::blocked_array const& x, block_value const& b, waiting_block const& block, std::byte* from) {
    move(block.pair + x.bytes, from, x.bytes);
    if (!waiting_) return add_block(r_.label, x, b, block, outer_[x.slot]);
    waiting_->push_back(block);
    left_ += 2 * x.bytes;
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
    if constexpr (runs_on_host)
      std::memset(memory_.data() + place, 0, static_cast<std::size_t>(bytes));
    else
      copy(words(bytes, 0), memory_.data() + place, s_.numbers.data());
  }
  void move(std::byte* to, std::byte* from, std::int64_t bytes) {
    if constexpr (runs_on_host)
      std::memcpy(to, from, static_cast<std::size_t>(bytes));
    else
      copy(words(bytes, 1), to, from);
  }
  static transfer_work words(std::int64_t bytes, std::int64_t step) {
    transfer t;
    t.element = dtype::float32;
    t.keep(bytes / 4, step, 1);
    transfer_work work = prepare(t);
    number_tiles(&work, 1);
    return work;
  }

  grid_step const& s_;
  step_run const& r_;
  table_values const& tables_;
  std::vector<waiting_block>* waiting_;
  std::byte* left_;  // memory of the next block that waits
  buffer memory_;
  std::byte* const* outer_ = nullptr;
  std::array<std::byte*, 128> few_{};
  std::vector<std::byte*> many_;
  std::byte** frame_ = nullptr;
  program_ids ids_{};
  std::vector<numbers> held_;  // by output, then by device: the block that the body writes
  std::size_t parts_ = 1;
};

// A whole result with an operand's values, which a result in the operand's memory has, or zeros.
inline void fill(grid_step const& s, step_run const& r, grid_step::blocked_array const& x) {
  std::byte* const from = x.alias_slot < 0 ? s.numbers.data() : r.frame[x.alias_slot] + x.alias_offset;
  std::byte* const ends[]{r.frame[x.slot] + x.offset, from, nullptr};
  if (ends[0] != from) run_transfers(r.label, {&x.all, 1}, ends);
}

// Compares the numbers that tables hold with the blocks that there are, and who writes them.
class table_check {
public:
  table_check(grid_step const& step, step_run const& around, table_values const& tables)
      : s_(step), r_(around), tables_(tables) {}

  void run() const {
    for (int k = 0; k < s_.grid.inputs + s_.grid.outputs; ++k) {
      if (!s_.grid.blocks[k].reads()) continue;
      bool covered = true;
      for (std::size_t c = 0; c < s_.tables.devices(); ++c) covered = check(k, c) && covered;
      if (!covered && !s_.grid.blocks[k].summed && s_.outputs[k - s_.grid.inputs].alias_slot < 0)
        fill(s_, r_, s_.outputs[k - s_.grid.inputs]);
    }
  }

private:
  // Whether all blocks are written; true for an operand.
  bool check(int k, std::size_t device) const {
    grid_value const& g = s_.grid;
    block_value const& b = g.blocks[k];
    std::vector<std::int64_t> by(k < g.inputs ? std::size_t{0} : static_cast<std::size_t>(block_count(b)), -1);
    std::int64_t const turns = g.instances(g.parallel, g.rank);
    for (std::int64_t i = 0; i < g.instances(); ++i) {
      program_ids ids{};
      std::int64_t at[max_rank]{}, block = 0;
      g.ids_at(i, 0, g.rank, ids);
      grid_step::find_block(b, ids, tables_.on(device), at);
      for (int d = 0; d < b.rank; ++d) {
        if (at[d] < 0 || at[d] >= b.blocks(d)) throw std::out_of_range(outside(k, d, at[d], ids));
        block = block * b.blocks(d) + at[d];
      }
      if (k < g.inputs) continue;
      std::int64_t& writer = by[block];
      if (writer >= 0 && writer != i / turns && !b.summed) throw std::invalid_argument(twice(k, at, writer, i / turns));
      writer = i / turns;
    }
    return std::find(by.begin(), by.end(), -1) == by.end();
  }
  static std::string listed(std::int64_t const* all, int count) {
    std::string text = "(";
    for (int d = 0; d < count; ++d) text += (d ? ", " : "") + std::to_string(all[d]);
    return text + ")";
  }
  // Program ids up to dimension `end` of the grid, and which element of the batches they are for.
  std::string instance(std::int64_t const* ids, int end) const {
    auto const batches = static_cast<int>(s_.batches());
    std::string const own = listed(ids + batches, end - batches);
    return batches == 0 ? own : own + " of element " + listed(ids, batches) + " of the batch";
  }
  std::string name(int k) const {
    bool const read = k < s_.grid.inputs;
    return (read ? "operand " : "result ") + std::to_string(read ? k : k - s_.grid.inputs);
  }
  TESSERA_COLD std::string outside(int k, int d, std::int64_t at, std::int64_t const* ids) const {
    std::string const what = s_.grid.blocks[k].by_element[d] ? "element" : "block";
    return "tessera: " + r_.label + ": by a table, the map of " + name(k) + " names " + what + " " +
           std::to_string(at) + " along dimension " + std::to_string(d) + ", where blocks " +
           (s_.grid.blocks[k].by_element[d] ? "begin at 0 to " : "are 0 to ") +
           std::to_string(s_.grid.blocks[k].blocks(d) - 1) + "; program ids " + instance(ids, s_.grid.rank) +
           ". Fix: numbers within the array, also for instances that do nothing.";
  }
  TESSERA_COLD std::string twice(int k, std::int64_t const* at, std::int64_t one, std::int64_t other) const {
    program_ids ids[2]{};
    s_.grid.ids_at(one, 0, s_.grid.parallel, ids[0]);
    s_.grid.ids_at(other, 0, s_.grid.parallel, ids[1]);
    return "tessera: " + r_.label + ": by a table, the instances " + instance(ids[0], s_.grid.parallel) + " and " +
           instance(ids[1], s_.grid.parallel) + ", which may run at the same time, both write block " +
           listed(at, s_.grid.blocks[k].rank) + " of " + name(k) +
           ". Fix: sequential{n} for that dimension of the grid, or a table without repeated numbers.";
  }

  grid_step const& s_;
  step_run const& r_;
  table_values const& tables_;
};

struct grid_work {
  grid_step const& step;
  step_run const& around;
  table_values const& tables;
  waiting_blocks* waiting = nullptr;
  std::int64_t first = 0;  // instance of the first tile
  static void tile(void const* work, std::byte* const* frame, std::int64_t tile) {
    auto const& w = *static_cast<grid_work const*>(work);
    if (w.waiting)
      grid_runner(w.step, w.around, w.tables, frame, &w.waiting->of(tile), w.waiting->memory_of(tile))
          .run(w.first + tile);
    else
      grid_runner(w.step, w.around, w.tables, frame).run(tile);
  }
};

inline void grid_step::run(step_run const& r) const {
  std::int64_t const parallel = grid.instances(0, grid.parallel);
  table_values const held = tables.read(r);
  if (!tables.empty()) table_check(*this, r, held).run();
  for (auto const& x : outputs)
    if (x.alias_slot >= 0 || !x.sums.reads.empty()) fill(*this, r, x);
  waiting_blocks waiting(*this, r);
  std::int64_t const at_once = waiting.any() ? std::min(waiting.instances(), parallel) : parallel;
  grid_work work{*this, r, held};
  bool const by_threads = runs_on_host && !in_order && at_once >= host_threads() && !nan_watch::current() &&
                          !Kokkos::Profiling::profileLibraryLoaded();
  if (by_threads && !waiting.any()) return launch_tiles(r.label, {&grid_work::tile, &work, r.frame}, parallel, touched);
  if (by_threads) {
    waiting.reserve(at_once);
    work.waiting = &waiting;
    for (; work.first < parallel; work.first += at_once) {
      launch_tiles(r.label, {&grid_work::tile, &work, r.frame}, std::min(at_once, parallel - work.first), touched);
      waiting.add();
    }
    return;
  }
  watched_region const watched(r.label);  // one after the other, each step on all threads
  for (std::int64_t i = 0; i < parallel; ++i) grid_work::tile(&work, r.frame, i);
}

}  // namespace tessera::detail
