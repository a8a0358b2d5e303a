// SPDX-License-Identifier: Apache-2.0
#pragma once
// How a file is mapped: the definitions of mapped_file.hpp.

#include <tessera/data/mapped_file.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace tessera {
namespace detail {

[[noreturn]] TESSERA_ENGINE void bad_file(std::string_view path, std::int64_t at, std::string_view what,
                                          std::string_view fix) {
  std::string text(path);
  if (at >= 0) {
    text += ": byte ";
    text += std::to_string(at);
  }
  text += ": ";
  text += what;
  text += ". Fix: ";
  text += fix;
  text += '.';
  throw file_error(text);
}

TESSERA_ENGINE std::string shown(std::string_view text) {
  constexpr std::size_t most = 20;
  std::string result;
  for (char c : text.substr(0, most)) result += c >= ' ' && c <= '~' ? c : '?';
  if (text.size() > most) result += "...";
  return result;
}

// Open for as long as the object lives.
class file_descriptor {
public:
  file_descriptor(std::string const& path, int flags) : descriptor_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  file_descriptor(file_descriptor const&) = delete;
  file_descriptor& operator=(file_descriptor const&) = delete;
  ~file_descriptor() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  explicit operator bool() const { return descriptor_ >= 0; }
  int get() const { return descriptor_; }

private:
  int descriptor_;
};

}  // namespace detail

struct mapped_file::mapping {
  std::string path;
  void* mapped = nullptr;
  std::unique_ptr<char[]> copied{};
  std::size_t size = 0;

  explicit mapping(std::string const& name) : path(name) {
    auto const refused = [&](std::string const& what) { detail::bad_file(path, -1, what, "the path of a file"); };
    detail::file_descriptor const file(path, O_RDONLY | O_NONBLOCK);
    if (!file) refused(std::string("cannot be opened: ") + std::strerror(errno));
    struct stat facts {};
    if (::fstat(file.get(), &facts) != 0) refused(std::string("cannot be read: ") + std::strerror(errno));
    if (!S_ISREG(facts.st_mode)) refused("is not a file");
    size = static_cast<std::size_t>(facts.st_size);
    if (size == 0) return;
    void* const at = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.get(), 0);
    if (at == MAP_FAILED) refused(std::string("cannot be mapped: ") + std::strerror(errno));
    mapped = at;
  }
  mapping(std::string const& name, std::string_view bytes)
      : path(name), copied(new char[bytes.size()]), size(bytes.size()) {
    bytes.copy(copied.get(), bytes.size());
  }
  mapping(mapping const&) = delete;
  mapping& operator=(mapping const&) = delete;
  ~mapping() {
    if (mapped) ::munmap(mapped, size);
  }
  void const* data() const { return mapped ? mapped : copied.get(); }
};

TESSERA_ENGINE mapped_file mapped_file::of_bytes(std::string const& name, std::string_view bytes) {
  mapped_file made;
  made.mapping_ = std::make_shared<mapping const>(name, bytes);
  return made;
}
TESSERA_ENGINE mapped_file::mapped_file(std::string const& path) : mapping_(std::make_shared<mapping const>(path)) {}
TESSERA_ENGINE std::string const& mapped_file::path() const { return mapping_->path; }
TESSERA_ENGINE std::byte const* mapped_file::data() const { return static_cast<std::byte const*>(mapping_->data()); }
TESSERA_ENGINE std::int64_t mapped_file::size() const { return static_cast<std::int64_t>(mapping_->size); }

}  // namespace tessera
