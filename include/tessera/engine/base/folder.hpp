// SPDX-License-Identifier: Apache-2.0
#pragma once
// Open folders. Files in a folder are made, renamed and removed by the folder's handle and a name; if that name is a
// link, it is never followed. Making a file or a folder never replaces an existing one.
//
// While `name` is saved, incomplete data has another name beside it:
//   name.saving-0123456789abcdef   a folder of save: any 16 digits of 0-9a-f
//   name.saving-former             the previous folder, if two folders cannot be exchanged in one step
//   name.saving-part               a file
// Only the library uses names of these forms.

#include <tessera/engine/base/file.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include <dirent.h>
#include <cstdio>

namespace tessera::detail {

enum class path_kind { nothing, file, folder, link, other };
constexpr path_kind kind_of_mode(mode_t mode) {
  return S_ISREG(mode)   ? path_kind::file
         : S_ISDIR(mode) ? path_kind::folder
         : S_ISLNK(mode) ? path_kind::link
                         : path_kind::other;
}
// The kind of what `path` names; a link is followed.
inline path_kind kind_of_path(std::string const& path, file_refusal refuse) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) == 0) return kind_of_mode(facts.st_mode);
  if (errno != ENOENT && errno != ENOTDIR) system_refuses(refuse, path, "cannot be looked at");
  return path_kind::nothing;
}

class open_folder : public open_handle {
public:
  // Follows links in the path, its last part included: the user chooses where files are.
  open_folder(std::string path, file_refusal refuse)
      : open_folder(path, refuse, ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {}

  std::string path_of(std::string_view name) const { return joined_path(path_, name); }
  // The kind of the name itself: a link is a link.
  path_kind kind(std::string const& name) const {
    struct stat facts {};
    if (::fstatat(handle_, name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0) return kind_of_mode(facts.st_mode);
    if (errno != ENOENT && errno != ENOTDIR) refused(name, "cannot be looked at");
    return path_kind::nothing;
  }
  // Whether the name is this open file or folder.
  bool leads_to(std::string const& name, open_handle const& opened) const {
    struct stat here {};
    if (::fstatat(handle_, name.c_str(), &here, AT_SYMLINK_NOFOLLOW) != 0) {
      if (errno != ENOENT && errno != ENOTDIR) refused(name, "cannot be looked at");
      return false;
    }
    auto const there = opened.facts();
    return here.st_dev == there.st_dev && here.st_ino == there.st_ino;
  }
  // All names in the folder, sorted, without "." and "..".
  std::vector<std::string> names() const {
    int const again = ::openat(handle_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    std::unique_ptr<DIR, closing> const open(again < 0 ? nullptr : ::fdopendir(again));
    if (!open) {
      int const error = errno;
      if (again >= 0) ::close(again);
      errno = error;
      fail("cannot be listed");
    }
    std::vector<std::string> names;
    while (dirent const* const entry = (errno = 0, ::readdir(open.get()))) {
      std::string name = entry->d_name;
      if (name != "." && name != "..") names.push_back(std::move(name));
    }
    if (errno != 0) fail("cannot be listed");
    std::sort(names.begin(), names.end());
    return names;
  }
  // Opens a folder in this one; empty if there is none, or if the name is a link.
  std::optional<open_folder> inside(std::string const& name) const {
    int const opened = ::openat(handle_, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (opened < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP)) return std::nullopt;
    return open_folder(path_of(name), refuse_, opened);
  }
  open_folder make(std::string const& name) const {
    if (::mkdirat(handle_, name.c_str(), 0777) != 0) refused(name, "cannot be made a folder");
    auto made = inside(name);
    if (!made) refused(name, "cannot be opened");
    return std::move(*made);
  }
  open_file create(std::string const& name) const {
    return {path_of(name), refuse_,
            ::openat(handle_, name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666),
            "cannot be created"};
  }
  // Opens an existing file.
  open_file open(std::string const& name, bool to_write) const {
    return {path_of(name), refuse_, handle_of(name, to_write), "cannot be opened"};
  }
  // The same; empty if there is no file of this name, or no longer: another program may move or remove it at any time.
  std::optional<open_file> open_if_there(std::string const& name, bool to_write) const {
    int const handle = handle_of(name, to_write);
    if (handle < 0 && errno == ENOENT) return std::nullopt;
    return open_file(path_of(name), refuse_, handle, "cannot be opened");
  }
  void move(std::string const& from, std::string const& to) const {
    if (::renameat(handle_, from.c_str(), handle_, to.c_str()) != 0) refused(to, "cannot be put in place");
  }
  // Exchanges both names in one step; false if the system cannot.
  bool exchange([[maybe_unused]] std::string const& one, [[maybe_unused]] std::string const& other) const {
#if defined(__linux__) && defined(RENAME_EXCHANGE)
    return ::renameat2(handle_, one.c_str(), handle_, other.c_str(), RENAME_EXCHANGE) == 0;
#else
    return false;
#endif
  }
  // Removes a file, a link or an empty folder. A name that does not exist is no error.
  bool try_remove(std::string const& name, bool of_folder = false) const {
    return ::unlinkat(handle_, name.c_str(), of_folder ? AT_REMOVEDIR : 0) == 0 || errno == ENOENT;
  }
  void remove(std::string const& name) const {
    if (!try_remove(name)) refused(name, "cannot be removed");
  }
  // When this returns, the folder's names are on the disk. Some network file systems refuse this call; that is ignored.
  void sync() const {
    if (::fsync(handle_) != 0 && errno != EINVAL && errno != ENOTSUP && errno != ENOSYS)
      fail("cannot be written to the disk");
  }
  // The target of a link, for messages.
  std::string link_text(std::string const& name) const {
    char text[256];
    auto const size = ::readlinkat(handle_, name.c_str(), text, sizeof text);
    return size < 0 ? std::string() : std::string(text, size);
  }
  [[noreturn]] void refused(std::string const& name, std::string_view what) const {
    system_refuses(refuse_, path_of(name), what);
  }

private:
  int handle_of(std::string const& name, bool to_write) const {
    return ::openat(handle_, name.c_str(), (to_write ? O_RDWR : O_RDONLY) | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  }
  struct closing {
    void operator()(DIR* open) const { ::closedir(open); }
  };
  open_folder(std::string path, file_refusal refuse, int handle)
      : open_handle(std::move(path), refuse, handle, "cannot be opened") {}
};

// Makes the folder and its parents; each new name is on the disk.
inline void make_folder(std::string const& path, file_refusal refuse) {
  if (kind_of_path(path, refuse) == path_kind::folder) return;
  auto const above = folder_of(path);
  if (above != path && above != ".") make_folder(above, refuse);
  if (::mkdir(path.c_str(), 0777) != 0) {
    int const error = errno;
    if (error == EEXIST && kind_of_path(path, refuse) == path_kind::folder) return;  // another process has made it
    errno = error;
    system_refuses(refuse, path, "cannot be made a folder");
  }
  open_folder(above, refuse).sync();
}

// Throws if the name is a link.
inline void require_no_link(open_folder const& in, std::string const& name) {
  if (in.kind(name) != path_kind::link) return;
  std::string what = "is a symbolic link, to ";
  what += in.link_text(name);
  in.refuse()(in.path_of(name), what, "the path that it names: what a link leads to is not replaced through it");
}

// A number that no other save uses, up to chance.
inline std::uint64_t fresh_number() {
  static std::atomic<std::uint64_t> turn{0};
  auto number = static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  for (std::uint64_t const more : {static_cast<std::uint64_t>(::getpid()), turn.fetch_add(1)}) {
    // splitmix64: Steele, Lea and Flood, Fast splittable pseudorandom number generators, OOPSLA 2014.
    number += more + 0x9e3779b97f4a7c15u;
    number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9u;
    number = (number ^ number >> 27) * 0x94d049bb133111ebu;
    number ^= number >> 31;
  }
  return number;
}

}  // namespace tessera::detail
