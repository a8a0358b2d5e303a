// SPDX-License-Identifier: Apache-2.0
#pragma once
// Open files: reads and writes at an offset, synchronizes with the disk, and locks that other programs see. If a system
// call fails, the error has the path and the system's reason.

#include <tessera/base/config.hpp>
#include <tessera/base/text.hpp>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tessera::detail {

// Throws the error type of the caller: where, what is wrong there, and the fix.
using file_refusal = void (*)(std::string_view where, std::string_view what, std::string_view fix);

// Throws with the reason that errno has.
[[noreturn]] TESSERA_COLD inline void system_refuses(file_refusal refuse, std::string const& path,
                                                     std::string_view what) {
  int const error = errno;
  std::string text(what);
  text += ": ";
  text += std::strerror(error);
  char const* fix = "a path that this program may read and write";
  if (error == ENOENT) fix = "a path that exists";
  if (error == ENOSPC || error == EDQUOT) fix = "more room on this disk; what was saved before is whole";
  if (error == EIO) fix = "another disk, this one reports errors";
  if (error == EMFILE || error == ENFILE) fix = "fewer files that are open at once, or a higher limit (ulimit -n)";
  refuse(path, text, fix);
  std::terminate();
}

// The parts of "a/b/c" or "a/b/c/" are "a/b" and "c".
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
  std::string path = folder == "." ? "" : folder;
  if (!path.empty() && path.back() != '/') path += '/';
  path += name;
  return path;
}
inline bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// Owns a file descriptor; the destructor closes it.
class open_handle {
public:
  open_handle(open_handle&& other) noexcept
      : path_(std::move(other.path_)), refuse_(other.refuse_), handle_(std::exchange(other.handle_, -1)) {}
  open_handle& operator=(open_handle&&) = delete;
  ~open_handle() {
    if (handle_ >= 0) ::close(handle_);
  }

  std::string const& path() const { return path_; }
  file_refusal refuse() const { return refuse_; }
  int handle() const { return handle_; }
  // False if another open description of the file has the lock. The system releases a lock with its description, also
  // when the program is killed. True if the file system has no locks.
  bool lock() const { return ::flock(handle_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK; }
  // Releases the lock even if a child process has inherited the descriptor.
  void unlock() const { static_cast<void>(::flock(handle_, LOCK_UN)); }
  struct stat facts() const {
    struct stat found {};
    if (::fstat(handle_, &found) != 0) fail("cannot be looked at");
    return found;
  }
  [[noreturn]] void fail(std::string_view what) const { system_refuses(refuse_, path_, what); }

protected:
  open_handle(std::string path, file_refusal refuse, int handle, std::string_view refused)
      : path_(std::move(path)), refuse_(refuse), handle_(handle) {
    if (handle_ < 0) fail(refused);
  }
  std::string path_;
  file_refusal refuse_;
  int handle_;
};

class open_file : public open_handle {
public:
  open_file(std::string path, file_refusal refuse, int handle, std::string_view refused)
      : open_handle(std::move(path), refuse, handle, refused) {}
  // Follows `path` if it is a link. Does not wait for a writer if `path` is a pipe.
  static open_file read(std::string const& path, file_refusal refuse) {
    return {path, refuse, ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK), "cannot be opened"};
  }

  std::int64_t size() const {
    auto const found = facts();
    if (!S_ISREG(found.st_mode)) refuse_(path_, "is not a file", "the path of a file");
    return found.st_size;
  }
  void write(void const* data, std::size_t bytes, std::int64_t at) const {
    auto const* from = static_cast<char const*>(data);
    while (bytes > 0) {
      auto const done = ::pwrite(handle_, from, bytes, at);
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) fail("cannot be written");
      from += done;
      at += done;
      bytes -= done;
    }
  }
  void read(void* data, std::size_t bytes, std::int64_t at) const {
    auto* to = static_cast<char*>(data);
    while (bytes > 0) {
      auto const done = ::pread(handle_, to, bytes, at);
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) fail("cannot be read");
      if (done == 0) shorter();
      to += done;
      at += done;
      bytes -= done;
    }
  }
  [[noreturn]] void shorter() const {
    refuse_(path_, "became shorter while it was read", "no other program that writes it");
    std::terminate();
  }
  // Makes the file this long and reserves disk space for all of it.
  void take_space(std::size_t bytes) const {
    int error = 0;
    do error = ::posix_fallocate(handle_, 0, static_cast<off_t>(bytes));
    while (error == EINTR);
    errno = error;
    if (error != 0) fail("cannot be as long as it must");
  }
  // Starts to write these bytes to the disk, without waiting.
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
  // Returns when all data is on the disk.
  void sync() const {
    if (::fsync(handle_) != 0) fail("cannot be written to the disk");
  }
  void close() {
    if (::close(std::exchange(handle_, -1)) != 0) fail("cannot be written");
  }
};

// Throws if the file has more bytes than `most`.
inline std::string read_text(open_file const& from, std::int64_t most) {
  auto const bytes = from.size();
  if (bytes > most) {
    std::string what = "has ";
    append_number(what, bytes);
    what += " bytes, at most ";
    append_number(what, most);
    what += " are read";
    from.refuse()(from.path(), what, "a file that this library has written");
  }
  std::string text(bytes, '\0');
  from.read(text.data(), text.size(), 0);
  return text;
}

}  // namespace tessera::detail
