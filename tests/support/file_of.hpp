// SPDX-License-Identifier: Apache-2.0
#pragma once
// A file of these bytes for as long as the object lives, and what is said of a bad one.

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

namespace tessera::testing {

class file_of {
public:
  explicit file_of(std::string const& bytes, std::string const& ending = "") : path_(new_path(ending)) { write(bytes); }
  file_of(file_of const&) = delete;
  file_of& operator=(file_of const&) = delete;
  ~file_of() { std::remove(path_.c_str()); }
  std::string const& path() const { return path_; }
  void write(std::string const& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }

  static std::string new_path(std::string const& ending) {
    static int number = 0;
    return ::testing::TempDir() + "tessera_" + std::to_string(::getpid()) + "_" + std::to_string(number++) + ending;
  }

private:
  std::string path_;
};

inline std::string bytes_in(std::string const& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// What f throws says.
template <class Error, class F>
std::string said_by(F const& f) {
  try {
    f();
  } catch (Error const& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace tessera::testing
