// SPDX-License-Identifier: Apache-2.0
#pragma once
// Files and folders as a checkpoint needs them: bytes at a place, what is on the disk when a call returns, one step from
// an old folder to a new one. Whatever the system refuses is a checkpoint_error with the path and its reason.

#include <tessera/base/text.hpp>
#include <tessera/checkpoint/checkpoint_error.hpp>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cstdio>

namespace tessera::detail {

[[noreturn]] TESSERA_COLD inline void system_refuses(std::string const& path, std::string_view what) {
  int const error = errno;
  std::string text(what);
  text += ": ";
  text += std::strerror(error);
  char const* fix = "a path that this program may read and write";
  if (error == ENOENT) fix = "a path that exists";
  if (error == ENOSPC || error == EDQUOT) fix = "more room on this disk; what was saved before is whole";
  if (error == EIO) fix = "another disk, this one reports errors";
  refuse_checkpoint(path, text, fix);
}

class checkpoint_file {
public:
  static checkpoint_file create(std::string const& path) {
    return {path, ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), "cannot be created"};
  }
  static checkpoint_file read(std::string const& path) {
    // Not waiting: for who writes to a pipe of this name.
    return {path, ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK), "cannot be opened"};
  }
  checkpoint_file(checkpoint_file&& other) noexcept
      : path_(std::move(other.path_)), handle_(std::exchange(other.handle_, -1)) {}
  checkpoint_file& operator=(checkpoint_file&&) = delete;
  ~checkpoint_file() {
    if (handle_ >= 0) ::close(handle_);
  }

  std::string const& path() const { return path_; }
  std::int64_t size() const {
    struct stat facts {};
    if (::fstat(handle_, &facts) != 0) system_refuses(path_, "cannot be looked at");
    if (!S_ISREG(facts.st_mode))
      refuse_checkpoint(path_, "is no file", "the folder that save was given, or a .safetensors file");
    return facts.st_size;
  }
  void write(void const* data, std::size_t bytes, std::int64_t at) const {
    auto const* from = static_cast<char const*>(data);
    while (bytes > 0) {
      auto const done = ::pwrite(handle_, from, bytes, at);
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) system_refuses(path_, "cannot be written");
      from += done;
      at += done;
      bytes -= static_cast<std::size_t>(done);
    }
  }
  void read(void* data, std::size_t bytes, std::int64_t at) const {
    auto* to = static_cast<char*>(data);
    while (bytes > 0) {
      auto const done = ::pread(handle_, to, bytes, at);
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) system_refuses(path_, "cannot be read");
      if (done == 0) refuse_checkpoint(path_, "became shorter while it was read", "no other program that writes it");
      to += done;
      at += done;
      bytes -= static_cast<std::size_t>(done);
    }
  }
  // The disk begins to write these bytes; nothing waits for it.
  void start_writing([[maybe_unused]] std::int64_t at, [[maybe_unused]] std::size_t bytes) const {
#if defined(__linux__)
    ::sync_file_range(handle_, at, static_cast<off64_t>(bytes), SYNC_FILE_RANGE_WRITE);
#endif
  }
  void will_read([[maybe_unused]] std::int64_t at, [[maybe_unused]] std::size_t bytes) const {
#if defined(__linux__)
    ::posix_fadvise(handle_, at, static_cast<off_t>(bytes), POSIX_FADV_WILLNEED);
#endif
  }
  // Returns when everything is on the disk.
  void sync() const {
    if (::fsync(handle_) != 0) system_refuses(path_, "cannot be written to the disk");
  }
  void close() {
    if (::close(std::exchange(handle_, -1)) != 0) system_refuses(path_, "cannot be written");
  }

private:
  checkpoint_file(std::string path, int handle, std::string_view refused) : path_(std::move(path)), handle_(handle) {
    if (handle_ < 0) system_refuses(path_, refused);
  }
  std::string path_;
  int handle_;
};

enum class path_kind { nothing, file, folder };
inline path_kind kind_of_path(std::string const& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return path_kind::nothing;
    system_refuses(path, "cannot be looked at");
  }
  return S_ISDIR(facts.st_mode) ? path_kind::folder : path_kind::file;
}
// Of "a/b/c" or "a/b/c/": "a/b" and "c".
inline std::string without_end_slashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}
inline std::string folder_of(std::string const& path) {
  auto const slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}
inline std::string name_in_folder(std::string const& path) {
  auto const slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}
inline std::string joined_path(std::string const& folder, std::string_view name) {
  std::string path = folder;
  if (path.empty() || path.back() != '/') path += '/';
  path += name;
  return path;
}

inline bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// The names in a folder, sorted, without "." and "..".
inline std::vector<std::string> names_in(std::string const& folder) {
  DIR* const open = ::opendir(folder.c_str());
  if (!open) system_refuses(folder, "cannot be listed");
  std::vector<std::string> names;
  while (dirent const* const entry = ::readdir(open)) {
    std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(std::move(name));
  }
  ::closedir(open);
  std::sort(names.begin(), names.end());
  return names;
}
// With its parents.
inline void make_folder(std::string const& path) {
  if (::mkdir(path.c_str(), 0777) == 0) return;
  if (errno == ENOENT && folder_of(path) != path && folder_of(path) != ".") {
    make_folder(folder_of(path));
    if (::mkdir(path.c_str(), 0777) == 0) return;
  }
  if (errno != EEXIST || kind_of_path(path) != path_kind::folder) system_refuses(path, "cannot be made a folder");
}
// What one save has left, files only; what is not there any more is no error.
inline void remove_folder(std::string const& path) {
  if (kind_of_path(path) != path_kind::folder) return;
  for (auto const& name : names_in(path)) {
    auto const file = joined_path(path, name);
    if (::unlink(file.c_str()) != 0 && errno != ENOENT) system_refuses(file, "cannot be removed");
  }
  if (::rmdir(path.c_str()) != 0 && errno != ENOENT) system_refuses(path, "cannot be removed");
}
// The names in it are on the disk when this returns.
inline void sync_folder(std::string const& path) {
  int const handle = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (handle < 0) system_refuses(path, "cannot be opened");
  // Some network file systems have no such call; they are on time by themselves.
  bool const refused = ::fsync(handle) != 0 && errno != EINVAL && errno != ENOTSUP && errno != ENOSYS;
  ::close(handle);
  if (refused) system_refuses(path, "cannot be written to the disk");
}
inline void move_path(std::string const& from, std::string const& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) system_refuses(to, "cannot be put in place");
}

// Throws when it has more bytes than `most`.
inline std::string read_text(std::string const& path, std::int64_t most) {
  auto const file = checkpoint_file::read(path);
  auto const bytes = file.size();
  if (bytes > most) {
    std::string what = "has ";
    append_number(what, bytes);
    what += " bytes, at most ";
    append_number(what, most);
    what += " are read";
    refuse_checkpoint(path, what, "a file that save has written");
  }
  std::string text(static_cast<std::size_t>(bytes), '\0');
  file.read(text.data(), text.size(), 0);
  return text;
}
inline void write_text(std::string const& path, std::string const& text) {
  auto file = checkpoint_file::create(path);
  file.write(text.data(), text.size(), 0);
  file.sync();
  file.close();
}

// A folder of this name that another takes the place of is kept under it until that is done (where the system cannot
// exchange two folders in one step).
inline std::string former(std::string const& path) { return path + ".former"; }

// The folder `ready` is at `path` when this returns, and at every moment before either the old one or the new one is, at
// `path` or, between two renames, at former(path).
inline void put_in_place(std::string const& ready, std::string const& path, bool may_exchange = true) {
  sync_folder(ready);
  if (kind_of_path(path) == path_kind::nothing) {
    move_path(ready, path);
    sync_folder(folder_of(path));
    remove_folder(former(path));
    return;
  }
#if defined(__linux__) && defined(RENAME_EXCHANGE)
  if (may_exchange && ::renameat2(AT_FDCWD, ready.c_str(), AT_FDCWD, path.c_str(), RENAME_EXCHANGE) == 0) {
    sync_folder(folder_of(path));
    remove_folder(ready);
    remove_folder(former(path));
    return;
  }
#endif
  static_cast<void>(may_exchange);
  remove_folder(former(path));
  move_path(path, former(path));
  move_path(ready, path);
  sync_folder(folder_of(path));
  remove_folder(former(path));
}

}  // namespace tessera::detail
