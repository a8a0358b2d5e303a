// SPDX-License-Identifier: Apache-2.0
#pragma once
// A file that replaces another when it is complete: until then `path` keeps its content. A program that is killed
// leaves path.saving-part, which the next program that writes `path` removes.

#include <tessera/engine/base/folder.hpp>
#include <tessera/engine/base/saving_name.hpp>

#include <optional>
#include <string>
#include <utility>

namespace tessera::detail {

class new_file {
public:
  // Throws if `path` is a link or no file, or if another program is writing it.
  new_file(std::string const& path, file_refusal refuse)
      : folder_((require_free_name(path, refuse), folder_of(path)), refuse),
        name_(name_in_folder(path)),
        part_(part_of_name(name_)),
        file_(fresh_part()) {}
  new_file(new_file const&) = delete;
  new_file& operator=(new_file const&) = delete;
  ~new_file() {
    if (file_ && !placed_) static_cast<void>(folder_.try_remove(part_));
  }

  open_file const& made() const { return *file_; }
  // When this returns, all data is on the disk and `path` is this file.
  void put_in_place() {
    file_->sync();
    if (!folder_.leads_to(part_, *file_)) busy();
    folder_.move(part_, name_);
    placed_ = true;
    folder_.sync();
  }
  // Returns the file, which stays open to be written.
  open_file keep() && { return std::move(*std::exchange(file_, std::nullopt)); }

  // Opens the part file that another process has begun.
  static open_file begun(std::string const& path, file_refusal refuse) {
    return open_folder(folder_of(path), refuse).open(part_of_name(name_in_folder(path)), true);
  }
  // The file at `path`, locked; empty if there is no file. Throws if another program has the lock.
  static std::optional<open_file> locked(std::string const& path, file_refusal refuse) {
    open_folder const in(folder_of(path), refuse);
    auto const name = name_in_folder(path);
    require_no_link(in, name);
    if (in.kind(name) != path_kind::file) return std::nullopt;
    auto there = in.open_if_there(name, false);
    if (there && !there->lock()) refuse_busy(path, refuse);
    return there;
  }

private:
  [[noreturn]] void busy() const {
    refuse_busy(folder_.path_of(name_), folder_.refuse());
    std::terminate();
  }
  static void refuse_busy(std::string const& path, file_refusal refuse) {
    refuse(path, "cannot be written: another program is writing it", "a path of its own for each program that writes");
  }
  std::optional<open_file> fresh_part() {
    require_no_link(folder_, name_);
    mode_t mode = 0;
    if (auto const kind = folder_.kind(name_); kind == path_kind::file) {
      if (auto const there = folder_.open_if_there(name_, false)) mode = there->facts().st_mode & 0777;
    } else if (kind != path_kind::nothing) {
      folder_.refuse()(folder_.path_of(name_), "cannot be written: it is there and is not a file",
                       "the path of a file");
    }
    for (int turn = 0; turn < 100; ++turn) {
      if (auto const kind = folder_.kind(part_); kind != path_kind::nothing) {
        if (kind != path_kind::file)
          folder_.refuse()(folder_.path_of(part_), "cannot be written: it is there and is not a file", "remove it");
        // The part file of a killed program has no lock.
        auto const left = folder_.open_if_there(part_, true);
        if (left && !left->lock()) busy();
        if (left && folder_.leads_to(part_, *left)) folder_.remove(part_);
      }
      std::optional<open_file> made;
      int const handle =
          ::openat(folder_.handle(), part_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
      if (handle < 0 && errno == EEXIST) continue;
      made.emplace(folder_.path_of(part_), folder_.refuse(), handle, "cannot be created");
      // Before it was locked, another program may have removed this file as one that a killed program left.
      if (!made->lock() || !folder_.leads_to(part_, *made)) continue;
      if (mode != 0) static_cast<void>(::fchmod(made->handle(), mode));
      return made;
    }
    busy();
  }

  open_folder folder_;
  std::string name_, part_;
  bool placed_ = false;
  std::optional<open_file> file_;
};

// Writes a whole file: a new one, or a replacement.
inline void replace_file(std::string const& path, std::string const& text, file_refusal refuse) {
  new_file writing(path, refuse);
  writing.made().write(text.data(), text.size(), 0);
  writing.put_in_place();
}

}  // namespace tessera::detail
