// SPDX-License-Identifier: Apache-2.0
#pragma once
// A file's bytes, read-only, as memory and by read(). Copies share the file, which is open as long as the last of them.
// Its contents are not trusted. If another program truncates the file, the system ends a program that reads memory
// behind the new end; read() throws, and sources use it.

#include <tessera/base/config.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tessera {

// The error in a file, its position, and its fix.
struct file_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class mapped_file {
public:
  mapped_file() = default;
  // Throws file_error if there is no such file, or if it is not a regular one.
  explicit mapped_file(std::string const& path);
  // Bytes in memory, copied, with a name for errors.
  static mapped_file of_bytes(std::string const& name, std::string_view bytes);

  // Bytes [at, at + bytes) to `out`. Throws file_error if the file has become shorter, or the system cannot read it.
  void read(std::int64_t at, std::size_t bytes, void* out) const;
  // Throws file_error if the file has become shorter.
  void require_whole() const;

  std::string const& path() const;
  std::byte const* data() const;
  std::int64_t size() const;
  std::string_view text() const { return {reinterpret_cast<char const*>(data()), static_cast<std::size_t>(size())}; }

private:
  struct mapping;
  std::shared_ptr<mapping const> mapping_;
};

namespace detail {
// "path: byte 12: what. Fix: fix." `at` below 0: no byte in particular.
[[noreturn]] void bad_file(std::string_view path, std::int64_t at, std::string_view what, std::string_view fix);
// The same, with the arguments of engine/base/file.hpp.
[[noreturn]] inline void refuse_file(std::string_view where, std::string_view what, std::string_view fix) {
  bad_file(where, -1, what, fix);
}
// A few characters of a file for an error: nonprinting characters become '?'.
std::string shown(std::string_view text);
}  // namespace detail

}  // namespace tessera
