// SPDX-License-Identifier: Apache-2.0
#pragma once
// Maps a file into memory.

#include <tessera/data/mapped_file.hpp>
#include <tessera/engine/base/file.hpp>

#include <fcntl.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <optional>

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

}  // namespace detail

struct mapped_file::mapping {
  std::string path;
  std::optional<detail::open_file> file{};
  void* mapped = nullptr;
  std::unique_ptr<char[]> copied{};
  std::size_t size = 0;

  explicit mapping(std::string const& name) : path(name) {
    auto const refused = [&](std::string const& what) { detail::bad_file(path, -1, what, "the path of a file"); };
    int const opened = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (opened < 0) refused(std::string("cannot be opened: ") + std::strerror(errno));
    file.emplace(path, &detail::refuse_file, opened, "");
    size = file->size();
    if (size == 0) return;
    void* const at = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, opened, 0);
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
TESSERA_ENGINE void mapped_file::read(std::int64_t at, std::size_t bytes, void* out) const {
  if (bytes == 0) return;  // `out` may be null
  if (mapping_->file)
    mapping_->file->read(out, bytes, at);
  else
    std::memcpy(out, data() + at, bytes);
}
TESSERA_ENGINE void mapped_file::require_whole() const {
  if (mapping_->file && mapping_->file->size() < size()) mapping_->file->shorter();
}
TESSERA_ENGINE std::string const& mapped_file::path() const { return mapping_->path; }
TESSERA_ENGINE std::byte const* mapped_file::data() const { return static_cast<std::byte const*>(mapping_->data()); }
TESSERA_ENGINE std::int64_t mapped_file::size() const { return static_cast<std::int64_t>(mapping_->size); }

}  // namespace tessera
