// SPDX-License-Identifier: Apache-2.0
#pragma once
// save: a tree of arrays, numbers and strings -> a folder, completely or not at all.
//   save("run/last", std::tuple{parameters, moments, step});
//   auto saving = save_async("run/last", parameters);  ...steps...  saving.wait();
// Each process writes the blocks of its devices, a block that several have once; if arrays are on devices of several
// processes, all of these call it. `path` is replaced at the end, in one step: a process that is killed destroys
// nothing. Source: orbax.checkpoint of JAX. Differs: files are safetensors. docs/checkpoints.md.

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
  std::string folder{};      // for numbered checkpoints, of which the last `keep` are kept
  int keep = 0;              // 0: all
  std::int64_t step = -1;    // of a numbered checkpoint
  bool may_exchange = true;  // tests: false, as on systems that cannot exchange two folders
};
// With a thread, returns when it has references to the arrays; without, when they are on the disk.
std::shared_ptr<running_save> begin_save(saved_leaves leaves, save_request const& request, bool on_a_thread);
bool has_written(running_save const& save);
void end_save(running_save& save);
}  // namespace detail

// A save that runs while the program continues. Its arrays keep their memory until it has ended: a step that receives
// one of them as std::move(x) does not write to it.
class [[nodiscard]] pending_save {
public:
  pending_save() = default;
  explicit pending_save(std::shared_ptr<detail::running_save> save) : save_(std::move(save)) {}
  // Returns when the checkpoint is in place; throws checkpoint_error if it could not be written. All processes that
  // called save_async call it. Without it the last handle's destructor waits for the end, and errors are lost.
  void wait() {
    if (save_) detail::end_save(*save_);
  }
  // Whether this process has written its part; wait() then only waits for the others.
  bool written() const { return !save_ || detail::has_written(*save_); }

private:
  std::shared_ptr<detail::running_save> save_{};
};

namespace functions {

// Returns when `path`, a folder, has the tree; an existing checkpoint is replaced in one step. Throws checkpoint_error
// if the disk is full or refuses, if `path` is a folder with other files or a symbolic link, if another program is
// saving to it, or if two leaves have one name. Waits for another save of this program to the path.
template <class T>
void save(std::string const& path, T const& tree) {
  if constexpr (detail::can_be_saved<T>())
    detail::end_save(*detail::begin_save(detail::leaves_of(tree), {.path = path}, false));
}
// The same on a thread: returns immediately. It sends nothing until wait(), so it does not affect the order of calls
// that all processes make.
template <class T>
pending_save save_async(std::string const& path, T const& tree) {
  if constexpr (detail::can_be_saved<T>())
    return pending_save(detail::begin_save(detail::leaves_of(tree), {.path = path}, true));
  else
    return {};
}

}  // namespace functions

}  // namespace tessera
