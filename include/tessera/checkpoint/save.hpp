// SPDX-License-Identifier: Apache-2.0
#pragma once
// save: a tree of arrays, numbers and texts -> a folder, whole or not at all.
//   save("run/last", std::tuple{parameters, moments, step});
//   auto saving = save_async("run/last", parameters);  ...steps...  saving.wait();
// Each process writes the blocks of its devices, a block that several have once, and all processes call it where arrays
// are on devices of several. Until the last moment `path` has what it had: a process that is killed takes nothing with it.
// Source: what orbax.checkpoint does for JAX. Differs: files are safetensors. docs/checkpoints.md.

#include <tessera/checkpoint/checkpoint_error.hpp>
#include <tessera/checkpoint/leaves.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace tessera {

namespace detail {
class running_save;
struct save_request {
  std::string path;
  std::string folder{};      // of numbered checkpoints, of which the last `keep` stay
  int keep = 0;              // 0: all
  std::int64_t step = -1;    // of a numbered one
  bool may_exchange = true;  // tests: false as on systems that cannot exchange two folders
};
// With a thread, returns when the arrays are held; without, when they are on the disk.
std::shared_ptr<running_save> begin_save(saved_leaves leaves, save_request const& request, bool on_a_thread);
bool has_written(running_save const& save);
void end_save(running_save& save);
}  // namespace detail

// A save that goes on beside the program. Its arrays keep their memory until it has ended: a step that is given one of
// them as std::move(x) does not write to it.
class [[nodiscard]] pending_save {
public:
  pending_save() = default;
  explicit pending_save(std::shared_ptr<detail::running_save> save) : save_(std::move(save)) {}
  // Returns when the checkpoint is in place; throws checkpoint_error when it could not be written. All processes call it
  // that called save_async. Without it the end is waited for when the last handle goes, and nobody is told of an error.
  void wait() {
    if (save_) detail::end_save(*save_);
  }
  // Whether this process has written its part; wait() then takes no longer than the others need.
  bool written() const { return !save_ || detail::has_written(*save_); }

private:
  std::shared_ptr<detail::running_save> save_{};
};

namespace functions {

// Returns when `path`, a folder, holds the tree: one that was there before is replaced in one step. Throws checkpoint_error:
// the disk is full or refuses, a folder with other files or a symbolic link is there, another program is saving to the path, two
// leaves have one name. A save of this program to the path is waited for.
template <class T>
void save(std::string const& path, T const& tree) {
  if constexpr (detail::can_be_saved<T>())
    detail::end_save(*detail::begin_save(detail::leaves_of(tree), {.path = path}, false));
}
// The same on a thread: returns at once. The order of the calls that all processes make stays free: until wait() nothing is sent.
template <class T>
pending_save save_async(std::string const& path, T const& tree) {
  if constexpr (detail::can_be_saved<T>())
    return pending_save(detail::begin_save(detail::leaves_of(tree), {.path = path}, true));
  else
    return {};
}

}  // namespace functions

}  // namespace tessera
