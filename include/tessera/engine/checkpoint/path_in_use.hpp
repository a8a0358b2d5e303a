// SPDX-License-Identifier: Apache-2.0
#pragma once
// The paths that this program is saving to: a second save of one waits for the first.

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace tessera::detail {

class path_in_use {
public:
  explicit path_in_use(std::string path) : path_(std::move(path)) {
    std::unique_lock lock(guard());
    changed().wait(lock, [&] { return std::find(list().begin(), list().end(), path_) == list().end(); });
    list().push_back(path_);
  }
  path_in_use(path_in_use const&) = delete;
  path_in_use& operator=(path_in_use const&) = delete;
  ~path_in_use() {
    {
      std::lock_guard const lock(guard());
      std::erase(list(), path_);
    }
    changed().notify_all();
  }

private:
  static std::mutex& guard() {
    static std::mutex one;
    return one;
  }
  static std::condition_variable& changed() {
    static std::condition_variable one;
    return one;
  }
  static std::vector<std::string>& list() {
    static std::vector<std::string> paths;
    return paths;
  }
  std::string path_;
};

}  // namespace tessera::detail
