// SPDX-License-Identifier: Apache-2.0
#pragma once
// How a checkpoint comes into place: the definitions of save.hpp. Everything is written into a folder beside the path,
// then the folder takes the path's place.

#include <tessera/checkpoint/json_text_run.hpp>
#include <tessera/checkpoint/meet.hpp>
#include <tessera/checkpoint/numbered.hpp>
#include <tessera/checkpoint/save.hpp>
#include <tessera/checkpoint/write_part.hpp>

#include <atomic>
#include <chrono>
#include <mutex>
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

// Folders that saves of this program are writing: what others have left is removed, these are not.
class written_folders {
public:
  static void add(std::string const& path) {
    std::lock_guard const lock(guard());
    list().push_back(path);
  }
  static void remove(std::string const& path) {
    std::lock_guard const lock(guard());
    std::erase(list(), path);
  }
  static bool has(std::string const& path) {
    std::lock_guard const lock(guard());
    return std::find(list().begin(), list().end(), path) != list().end();
  }

private:
  static std::mutex& guard() {
    static std::mutex one;
    return one;
  }
  static std::vector<std::string>& list() {
    static std::vector<std::string> paths;
    return paths;
  }
};

class running_save {
public:
  running_save(saved_leaves leaves, save_request request) : request_(std::move(request)) {
    request_.path = without_end_slashes(request_.path);
    for (auto const& array : leaves.arrays)
      if (array.mesh.value().processes) all_ = world();
    if (all_) {
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
    aside_ = aside_folder(number);
    agree_or_give_up(failure);
    written_folders::add(aside_);
    held_ = true;
  }
  running_save(running_save const&) = delete;
  running_save& operator=(running_save const&) = delete;
  ~running_save() {
    if (thread_.joinable()) thread_.join();
    if (held_) written_folders::remove(aside_);
  }

  void begin(bool on_a_thread) {
    if (on_a_thread) {
      thread_ = std::thread([this] {
        failure_ = failure_of([&] { write_beside_others(); });
        written_.store(true, std::memory_order_release);
      });
      return;
    }
    failure_ = failure_of([&] { write(); });
    if (all_) agree_or_give_up(failure_);
    if (rank_ == 0 && failure_.empty()) failure_ = failure_of([&] { complete(); });
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
    for (auto const& name : names) static_cast<void>(json_of(std::string_view(name)));  // UTF-8, or it is refused
    std::sort(names.begin(), names.end());
    auto const twice = std::adjacent_find(names.begin(), names.end());
    if (twice != names.end())
      refuse_checkpoint(*twice, "is the name of two leaves of the tree", "names of its structs that differ");
  }
  std::string aside_folder(std::uint64_t number) const {
    std::string path = request_.path + std::string(aside_mark);
    for (int shift = 60; shift >= 0; shift -= 4) path += "0123456789abcdef"[(number >> shift) & 15];
    return path;
  }
  // Process 0, before others begin: the folder beside the path, and nothing that killed saves have left.
  std::uint64_t prepare() {
    std::string const &path = request_.path, folder = folder_of(path);
    auto const there = kind_of_path(path);
    if (path.empty() || there == path_kind::file)
      refuse_checkpoint(path, "is no folder", "a path of its own for the checkpoint, a folder that save makes");
    // It goes when the new one is in place: nothing else may be in it.
    if (there == path_kind::folder)
      for (auto const& name : names_in(path))
        if (name != index_name && (name.rfind("arrays-", 0) != 0 || !ends_with(name, ".safetensors")))
          refuse_checkpoint(path, "is there and is no checkpoint, or has other files: " + name,
                            "a path of its own for the checkpoint, a folder that save makes");
    make_folder(folder);
    if (auto const steps = steps_in(request_.folder); !steps.empty() && steps.back() > request_.step)
      refuse_checkpoint(request_.folder, "has a checkpoint of a later step, " + std::to_string(steps.back()),
                        "go on from that one, or remove_after(step) first");
    std::string const begin = request_.folder.empty() ? name_in_folder(path) + std::string(aside_mark) : "";
    for (auto const& name : names_in(folder))
      if (name.find(begin) == 0 && name.find(aside_mark) != std::string::npos &&
          !written_folders::has(joined_path(folder, name)) && !written_folders::has(beside(path, name)))
        remove_folder(joined_path(folder, name));
    static std::atomic<std::uint64_t> turn{0};
    std::uint64_t const seeds[]{static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count()),
                                static_cast<std::uint64_t>(::getpid()), turn.fetch_add(1)};
    auto const number = hash_of(reinterpret_cast<std::byte const*>(seeds), sizeof seeds);
    make_folder(aside_folder(number));
    return number;
  }
  static std::string beside(std::string const& path, std::string const& name) {
    return path.find('/') == std::string::npos ? name : joined_path(folder_of(path), name);
  }

  // This process' file, and what is in it.
  void write() {
    auto index = write_part(aside_, part_name(rank_, ranks_), rank_, arrays_);
    arrays_.clear();
    if (rank_ == 0) index.values = values_;
    if (ranks_ == 1)
      index_ = std::move(index);
    else
      say(said_name(rank_, false), index_text(index));
  }
  void say(std::string const& name, std::string const& text) const {
    auto const path = joined_path(aside_, name), early = path + ".early";
    write_text(early, text);
    move_path(early, path);
  }
  void write_beside_others() {
    std::string const failure = failure_of([&] { write(); });
    if (!failure.empty()) {
      if (ranks_ > 1) static_cast<void>(failure_of([&] { say(said_name(rank_, true), failure); }));
      throw checkpoint_error(failure);
    }
    if (rank_ == 0) complete();
  }
  // Process 0: waits for what the others say, then puts all in place.
  void complete() {
    if (ranks_ > 1) collect();
    auto const text = index_text(index_);
    if (static_cast<std::int64_t>(text.size()) > most_index)
      refuse_checkpoint(request_.path, "would have an index of more than 1 GiB", "large data in arrays, not in texts");
    write_text(joined_path(aside_, index_name), text);
    put_in_place(aside_, request_.path, request_.may_exchange);
    if (request_.keep > 0) remove_early_steps(request_.folder, request_.keep);
  }
  void collect() {
    using clock = std::chrono::steady_clock;
    auto const deadline = clock::now() + std::chrono::duration<double>(all_->deadline());
    for (int r = 0; r < ranks_; ++r) {
      auto const path = joined_path(aside_, said_name(r, false)), failed = joined_path(aside_, said_name(r, true));
      while (kind_of_path(path) == path_kind::nothing) {
        std::string process = "process ";
        process += std::to_string(r);
        if (kind_of_path(failed) != path_kind::nothing)
          refuse_checkpoint(process, "could not write its part: " + read_text(failed, 1 << 20), "what it says");
        if (clock::now() > deadline)
          refuse_checkpoint(process, "has not written its part of " + request_.path,
                            "see what it does; TESSERA_DEADLINE=<seconds> waits longer");
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
      auto part = read_index(read_text(path, most_index), path);
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
    for (int r = 0; r < ranks_; ++r)
      if (::unlink(joined_path(aside_, said_name(r, false)).c_str()) != 0)
        system_refuses(aside_, "cannot be tidied up");
  }
  void agree_or_give_up(std::string const& failure) const {
    try {
      agree(all_.get(), failure, "save");
    } catch (...) {
      if (rank_ == 0) static_cast<void>(failure_of([&] { remove_folder(aside_); }));
      throw;
    }
  }

  save_request request_;
  std::string aside_;
  std::shared_ptr<channel> all_;
  int rank_ = 0, ranks_ = 1;
  std::vector<planned_array> arrays_;
  std::vector<index_value> values_;
  checkpoint_index index_;
  std::thread thread_;
  std::atomic<bool> written_{false};
  std::string failure_;  // read when written_, or when the thread was joined
  bool ended_ = false, held_ = false;
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
