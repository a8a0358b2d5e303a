// SPDX-License-Identifier: Apache-2.0
#pragma once
// Saves a checkpoint: writes everything into a folder beside the path, then renames this folder to the path.

#include <tessera/checkpoint/save.hpp>
#include <tessera/engine/checkpoint/json_text.hpp>
#include <tessera/engine/checkpoint/meet.hpp>
#include <tessera/engine/checkpoint/numbered.hpp>
#include <tessera/engine/checkpoint/path_in_use.hpp>
#include <tessera/engine/checkpoint/read_index.hpp>
#include <tessera/engine/checkpoint/write_part.hpp>

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <utility>

namespace tessera::detail {

inline std::string part_name(int rank, int ranks) {
  char name[64];
  std::snprintf(name, sizeof name, "arrays-%05d-of-%05d.safetensors", rank, ranks);
  return name;
}
inline std::string said_name(int rank, bool failed) {
  return (failed ? "failed-" : "part-") + std::to_string(rank) + ".json";
}

class running_save {
public:
  running_save(saved_leaves leaves, save_request request) : request_(std::move(request)) {
    request_.path = without_end_slashes(request_.path);
    if ((all_ = channel_of_all(leaves.arrays))) {
      rank_ = all_->rank();
      ranks_ = all_->size();
    }
    std::uint64_t number = 0;
    std::string failure = failure_of([&] {
      require_names_differ(leaves);
      std::int64_t order = 0;
      for (auto const& array : leaves.arrays) arrays_.push_back(planned_save(array, order++, rank_, ranks_));
      for (auto& value : leaves.values) values_.push_back({std::move(value.name), std::move(value.json)});
      if (rank_ == 0) number = prepare();
    });
    if (all_) all_->broadcast(&number, sizeof number, 0, "save").wait();
    agree_or_give_up(failure);
    // All processes must see the folder of process 0, or none continues.
    if (ranks_ > 1) {
      if (rank_ != 0) failure = failure_of([&] { join(number); });
      agree_or_give_up(failure);
    }
  }
  running_save(running_save const&) = delete;
  running_save& operator=(running_save const&) = delete;
  ~running_save() {
    if (thread_.joinable()) thread_.join();
  }

  void begin(bool on_a_thread) {
    if (on_a_thread) {
      thread_ = std::thread([this] {
        failure_ = failure_of([&] { write_beside_others(); });
        if (rank_ == 0) leave();
        written_.store(true, std::memory_order_release);
      });
      return;
    }
    failure_ = failure_of([&] { write(); });
    if (all_) agree_or_give_up(failure_);
    if (rank_ == 0 && failure_.empty()) failure_ = failure_of([&] { complete(); });
    if (rank_ == 0) leave();
    written_.store(true, std::memory_order_release);
  }
  bool written() const { return written_.load(std::memory_order_acquire); }
  void end() {
    if (thread_.joinable()) thread_.join();
    if (std::exchange(ended_, true)) return;
    agree_or_give_up(failure_);
  }

private:
  static void require_names_differ(saved_leaves const& leaves) {
    std::vector<std::string> names;
    for (auto const& array : leaves.arrays) names.push_back(array.name);
    for (auto const& value : leaves.values) names.push_back(value.name);
    for (auto const& name : names) static_cast<void>(json_of(std::string_view(name)));  // throws unless it is UTF-8
    std::sort(names.begin(), names.end());
    auto const twice = std::adjacent_find(names.begin(), names.end());
    if (twice != names.end())
      refuse_checkpoint(*twice, "is the name of two leaves of the tree", "names of its structs that differ");
  }
  // Process 0 makes the folder beside the path before the others begin, and removes those that killed saves have left.
  std::uint64_t prepare() {
    std::string const& path = request_.path;
    require_free_name(path, &refuse_checkpoint);
    name_ = name_in_folder(path);
    in_use_.emplace(path);
    make_folder(folder_of(path), &refuse_checkpoint);
    open_folder const& in = in_.emplace(folder_of(path), &refuse_checkpoint);
    require_no_link(in, name_);
    if (auto const old = in.inside(name_))  // it is removed when the new one is in place
      require_only_checkpoint(*old);
    else if (in.kind(name_) != path_kind::nothing)
      refuse_checkpoint(path, "is no folder", "a path of its own for the checkpoint, a folder that save makes");
    if (auto const steps = steps_in(request_.folder); !steps.empty() && steps.back() > request_.step)
      refuse_checkpoint(request_.folder, "has a checkpoint of a later step, " + std::to_string(steps.back()),
                        "go on from that one, or remove_after(step) first");
    remove_left();
    for (int turn = 0; turn < 100; ++turn) {
      auto const number = fresh_number();
      auto made = in.make(aside_name(name_, number));
      // Before it was locked, another program may have removed this folder as one that a killed program left.
      if (!made.lock() || !in.leads_to(aside_name(name_, number), made)) continue;
      aside_.emplace(std::move(made));
      return number;
    }
    refuse_checkpoint(path, "is being saved by another program", "a path of its own for each program that saves");
  }
  // Removes unlocked folders of former saves: of this checkpoint, and of other steps in the same folder.
  void remove_left() const {
    for (auto const& left : in_->names()) {
      auto const of = saved_beside(left);
      if (of != name_ && (request_.folder.empty() || !step_named(of))) continue;
      auto const saved = in_->inside(left);
      if (!saved) continue;
      if (saved->lock())
        remove_saved(*in_, left);
      else if (of == name_)
        refuse_checkpoint(request_.path, "is being saved by another program, in " + left,
                          "a path of its own for each program that saves");
    }
  }
  // The other processes open the folder that process 0 made.
  void join(std::uint64_t number) {
    auto const& path = request_.path;
    name_ = name_in_folder(path);
    in_.emplace(folder_of(path), &refuse_checkpoint);
    if (auto made = in_->inside(aside_name(name_, number)))
      aside_.emplace(std::move(*made));
    else
      refuse_checkpoint(in_->path_of(aside_name(name_, number)), "is not there: process 0 has made it",
                        "a path on a file system that all processes see");
  }
  // Releases the path and the folder beside it; the folder is removed if the save failed.
  void leave() {
    if (!failure_.empty()) remove_aside();
    if (aside_) aside_->unlock();
    aside_.reset();
    in_use_.reset();
  }
  void remove_aside() {
    if (aside_ && !placed_) remove_saved(*in_, name_in_folder(aside_->path()));
  }

  // Writes this process' file and, if there are others, tells process 0 its index.
  void write() {
    auto index = write_part(*aside_, part_name(rank_, ranks_), rank_, arrays_);
    arrays_.clear();
    if (rank_ == 0) index.values = values_;
    if (ranks_ == 1)
      index_ = std::move(index);
    else
      say(said_name(rank_, false), index_text(index));
  }
  void say(std::string const& name, std::string const& text) const {
    auto const early = name + ".early";
    write_text(*aside_, early, text);
    aside_->move(early, name);
  }
  void write_beside_others() {
    std::string const failure = failure_of([&] { write(); });
    if (!failure.empty()) {
      if (ranks_ > 1) static_cast<void>(failure_of([&] { say(said_name(rank_, true), failure); }));
      throw checkpoint_error(failure);
    }
    if (rank_ == 0) complete();
  }
  // Process 0 waits for the indexes of the others, then renames the folder to the path.
  void complete() {
    if (ranks_ > 1) collect();
    auto const text = index_text(index_);
    if (static_cast<std::int64_t>(text.size()) > most_index)
      refuse_checkpoint(request_.path, "would have an index of more than 1 GiB", "large data in arrays, not in texts");
    write_text(*aside_, std::string(index_name), text);
    put_in_place(*in_, *aside_, name_, request_.may_exchange, placed_);
    if (request_.keep > 0) remove_early_steps(request_.folder, request_.keep);
  }
  void collect() {
    using clock = std::chrono::steady_clock;
    auto const deadline = clock::now() + std::chrono::duration<double>(all_->deadline());
    for (int r = 0; r < ranks_; ++r) {
      auto const said = said_name(r, false), failed = said_name(r, true);
      while (aside_->kind(said) == path_kind::nothing) {
        std::string process = "process ";
        process += std::to_string(r);
        if (aside_->kind(failed) != path_kind::nothing)
          refuse_checkpoint(process, "could not write its part: " + read_text(aside_->open(failed, false), 1 << 20),
                            "what it says");
        if (clock::now() > deadline)
          refuse_checkpoint(process, "has not written its part of " + request_.path,
                            "see what it does; TESSERA_DEADLINE=<seconds> waits longer");
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
      auto part = read_index(read_text(aside_->open(said, false), most_index), aside_->path_of(said));
      index_.files.push_back(part.files.at(0));
      if (r == 0) {
        index_.arrays = std::move(part.arrays);
        index_.values = std::move(part.values);
        continue;
      }
      bool same = part.arrays.size() == index_.arrays.size();
      for (std::size_t a = 0; same && a < part.arrays.size(); ++a) {
        auto& to = index_.arrays[a];
        auto& from = part.arrays[a];
        same = to.name == from.name && to.shape == from.shape && to.element == from.element;
        for (auto& piece : from.pieces) to.pieces.push_back(std::move(piece));
      }
      if (!same) refuse_checkpoint(request_.path, "processes save different trees", "the same call in all of them");
    }
    for (int r = 0; r < ranks_; ++r) aside_->remove(said_name(r, false));
  }
  void agree_or_give_up(std::string const& failure) {
    try {
      agree(all_.get(), failure, "save");
    } catch (...) {
      if (rank_ == 0) remove_aside();
      throw;
    }
  }

  save_request request_;
  std::string name_;
  std::optional<path_in_use> in_use_;      // of process 0
  std::optional<open_folder> in_, aside_;  // the parent folder, and the one beside the path
  bool placed_ = false;
  std::shared_ptr<channel> all_;
  int rank_ = 0, ranks_ = 1;
  std::vector<planned_array> arrays_;
  std::vector<index_value> values_;
  checkpoint_index index_;
  std::thread thread_;
  std::atomic<bool> written_{false};
  std::string failure_;  // read after written_ is set or the thread was joined
  bool ended_ = false;
};

TESSERA_ENGINE std::shared_ptr<running_save> begin_save(saved_leaves leaves, save_request const& request,
                                                        bool on_a_thread) {
  auto save = std::make_shared<running_save>(std::move(leaves), request);
  save->begin(on_a_thread);
  return save;
}
TESSERA_ENGINE bool has_written(running_save const& save) { return save.written(); }
TESSERA_ENGINE void end_save(running_save& save) { save.end(); }

}  // namespace tessera::detail
