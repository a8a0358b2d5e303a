// SPDX-License-Identifier: Apache-2.0
#pragma once
// Runs loops and branches: before each iteration, the addresses of its values are put into the frame. Carried values
// alternate between two buffers or stay in place, and slices are read and written within the whole value, so iterations
// copy nothing.

#include <tessera/engine/exec/memory/device_bytes.hpp>
#include <tessera/engine/exec/run/bind_loop.hpp>
#include <tessera/exec/device/launch.hpp>
#include <tessera/graph/monoid.hpp>

#include <algorithm>
#include <array>

namespace tessera::detail {

class loop_runner {
public:
  loop_runner(loop_step const& loop, std::byte** frame) : l_(loop), frame_(frame) {}

  // run_region(r): runs the steps of region r on this frame.
  template <class Run>
  void run(Run const& run_region) {
    switch (l_.shape.kind) {
      case loop_kind::scan: {
        for (std::int64_t turn = 0; turn < l_.shape.length; ++turn) {
          point(turn);
          run_region(0);
        }
        return finish(l_.shape.length);
      }
      case loop_kind::while_: {
        frame_[l_.answer_slot] = l_.answer.of(frame_);
        std::int64_t turns = 0;
        for (;; ++turns) {
          point(turns);
          run_region(0);
          if (!goes_on()) break;
          run_region(1);
        }
        return finish(turns);
      }
      case loop_kind::branch: {
        int const choice = chosen();
        for (auto const& r : l_.results) frame_[r.slots[choice]] = r.at.of(frame_);
        return run_region(choice);
      }
      case loop_kind::grid: return;  // a grid_step
    }
  }

private:
  void point(std::int64_t turn) {
    bool const even = turn % 2 == 0;
    for (auto const& c : l_.carried) {
      std::byte* const in = (even ? c.begin : c.end).of(frame_);
      for (int slot : c.in_slots) frame_[slot] = in;
      frame_[c.out_slot] = (even ? c.end : c.begin).of(frame_);
    }
    for (auto const& h : l_.handed) {
      std::byte **const in = frame_ + h.first_slot, **const out = in + h.source.size();
      for (std::size_t p = 0; p < h.source.size(); ++p) in[p] = turn == 0 ? h.begin.of(frame_) + h.offset[p] : out[p];
      for (std::size_t p = 0; p < h.source.size(); ++p) out[p] = in[h.source[p]];
    }
    std::int64_t const at = l_.shape.reverse ? l_.shape.length - 1 - turn : turn;
    for (auto const& s : l_.slices) frame_[s.slot] = s.all.of(frame_) + at * s.step;
  }
  void finish(std::int64_t turns) {
    for (auto const& h : l_.handed) {
      auto const position_at = [&](int p) {
        return turns == 0 ? h.begin.of(frame_) + h.offset[p]
                          : frame_[h.first_slot + p + static_cast<int>(h.source.size())];
      };
      for (auto const& b : h.blocks)
        move_bytes(h.end.of(frame_) + b.end, position_at(b.position) + b.offset, h.block_bytes);
    }
    if (turns % 2 != 0) return;
    for (auto const& c : l_.carried) move_bytes(c.end.of(frame_), c.begin.of(frame_), c.bytes);
  }
  // All processes run the same number of iterations, since the regions may have messages.
  bool goes_on() const {
    auto any = static_cast<std::uint8_t>(any_goes_on());
    if (l_.others)
      l_.others->all_reduce(&any, &any, 1, dtype::uint8, monoid::max, "the condition of a while_loop").wait();
    return any != 0;
  }
  bool any_goes_on() const {
    std::array<std::byte, 64> said;
    fence();
    for (std::int64_t first = 0; first < l_.answers; first += std::int64_t{said.size()}) {
      auto const count = std::min(l_.answers - first, std::int64_t{said.size()});
      copy_bytes(said.data(), l_.answer.of(frame_) + first, count, false);
      if (std::any_of(said.data(), said.data() + count, [](std::byte b) { return b != std::byte{0}; })) return true;
    }
    return false;
  }
  // The branch to run. As in JAX, a selector out of range gives the nearest branch.
  int chosen() const {
    std::byte const* const at = l_.answer.of(frame_);
    std::int64_t which = 0;
    auto const last = static_cast<std::int64_t>(l_.regions.size()) - 1;
    if (last == 0) return 0;
    with_element(l_.selector, [&]<class T>(std::type_identity<T>) {
      if constexpr (std::is_integral_v<T>) which = static_cast<std::int64_t>(answer_at<T>(at));
    });
    return static_cast<int>(which < 0 ? 0 : which > last ? last : which);
  }

  loop_step const& l_;
  std::byte** frame_;
};

inline void loop_step::run(step_run const& r) const {
  watched_region const watched(r.label);
  loop_runner(*this, r.frame).run([&](int region) {
    steps const& own = regions[region];
    r.regions.run(own.first, own.count, r.frame);
  });
}

}  // namespace tessera::detail
