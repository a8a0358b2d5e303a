// SPDX-License-Identifier: Apache-2.0
#pragma once
// A folder that a test has to itself while it runs, and what it needs to damage files in it.

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include <unistd.h>
#include <cstdlib>

namespace tessera::testing {

class own_folder {
public:
  own_folder() {
    std::string name = std::filesystem::temp_directory_path() / "tessera-XXXXXX";
    if (!::mkdtemp(name.data())) throw std::runtime_error("no folder for temporary files");
    path_ = name;
  }
  own_folder(own_folder const&) = delete;
  own_folder& operator=(own_folder const&) = delete;
  ~own_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string operator/(std::string const& name) const { return path_ + "/" + name; }
  std::string const& path() const { return path_; }

private:
  std::string path_;
};

inline std::string bytes_of_file(std::string const& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
inline void write_file(std::string const& path, std::string const& bytes) {
  std::remove(path.c_str());  // ext4 writes a file to the disk at once when it is cut off and written anew
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

}  // namespace tessera::testing
