// SPDX-License-Identifier: Apache-2.0
#pragma once
// Transfers on an accelerator: a thread per result, or a team per reduced row. Consecutive copies are one launch, as
// many as fit in its arguments.

#include <tessera/engine/exec/move/device_reduction.hpp>
#include <tessera/engine/exec/move/device_transfer.hpp>
#include <tessera/engine/exec/move/device_transpose.hpp>
#include <tessera/engine/exec/move/transfer.hpp>
#include <tessera/exec/device/device_launch.hpp>

#include <string>

namespace tessera::detail {

template <class Word>
void launch_device_copy(std::string const& label, transfer_work const& w, std::byte* const* frame) {
  auto* const to = reinterpret_cast<Word*>(frame[w.what.out_slot]) + w.what.out_offset;
  auto const* const from = reinterpret_cast<Word const*>(frame[w.what.in_slot]) + w.what.in_offset;
  device_transfer const t = flat_transfer(w);
  if (is_one_run(t)) return move_on_device(to, from, static_cast<std::size_t>(w.outputs()) * sizeof(Word));
  if (auto const squares = device_transpose<Word>::find(t); squares.takes()) return squares.launch(label, to, from);
  launch_elements(label, w.outputs(), device_copy<Word>{t, to, from});
}

// Reduces in an order that the extents alone determine (engine/exec/move/transfer.hpp, exec/fused/team_sum.hpp). Teams reduce rows; a thread reduces each column, since neighboring threads read neighboring elements. Few
// results of many inputs are split into pieces.
template <class T>
void launch_device_reduction(std::string const& label, transfer_work const& w, std::byte* const* frame) {
  using A = register_of<T>;
  device_transfer const t = flat_transfer(w);
  auto* const to = reinterpret_cast<T*>(frame[w.what.out_slot]) + w.what.out_offset;
  auto const* const from = reinterpret_cast<T const*>(frame[w.what.in_slot]) + w.what.in_offset;
  auto* const parts = w.splits > 1 ? reinterpret_cast<A*>(frame[w.what.scratch_slot]) : nullptr;
  std::int64_t const outputs = w.outputs();
  device_piece const piece{w.splits, w.split_dim};
  if (w.by_rows) {
    int const threads = threads_for_row(t.reduce_extent[t.reduced - 1]);
    launch_teams(label, outputs * w.splits, threads, threads * static_cast<int>(sizeof(A)),
                 device_row_reduction<T>{t, to, from, outputs, piece, parts, threads});
  } else
    launch_elements(label, outputs * w.splits, device_reduction<T>{t, to, from, outputs, piece, parts});
  if (!parts) return;
  if (w.splits > block_size) {
    constexpr int threads = 4 * block_size;
    launch_teams(label, outputs, threads, threads * static_cast<int>(sizeof(A)),
                 device_team_join<T>{t, to, parts, outputs, w.splits, threads});
  } else {
    launch_elements(label, outputs, device_join<T>{t, to, parts, outputs, w.splits});
  }
}

inline void launch_transfer(std::string const& label, transfer_work const& w, std::byte* const* frame) {
  if (w.lanes)
    with_element(w.what.element, [&]<class T>(std::type_identity<T>) { launch_device_reduction<T>(label, w, frame); });
  else
    with_word(bytes_of(w.what.element),
              [&]<class Word>(std::type_identity<Word>) { launch_device_copy<Word>(label, w, frame); });
}

// Launches works that do not read or write each other's results. A template, so that host builds do not instantiate it.
template <bool OnHost = runs_on_host>
void launch_transfers(std::string const& label, transfer_work const* works, int count, std::byte* const* frame) {
  if constexpr (!OnHost) {
    for (int k = 0; k < count;) {
      if (works[k].outputs() == 0) {
        ++k;
        continue;
      }
      dtype const element = works[k].what.element;
      bool together = false;
      with_word(bytes_of(element), [&]<class Word>(std::type_identity<Word>) {
        device_copies<Word> copies;
        auto const fits = [&](transfer_work const& w) {
          return copies.count < copies.most && bytes_of(w.what.element) == bytes_of(element) && copies.takes(w);
        };
        together = k + 1 < count && fits(works[k]) && fits(works[k + 1]);
        if (!together) return;
        for (; k < count && fits(works[k]); ++k)
          if (works[k].outputs() > 0) copies.add(works[k], frame);
        launch_elements(label, copies.first[copies.count], copies);
      });
      if (!together) launch_transfer(label, works[k++], frame);
    }
  }
}

}  // namespace tessera::detail
