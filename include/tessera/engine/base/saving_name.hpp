// SPDX-License-Identifier: Apache-2.0
#pragma once
// The names used beside a path while it is saved, and which names are therefore refused.

#include <tessera/engine/base/file.hpp>

#include <dirent.h>

namespace tessera::detail {

inline constexpr std::string_view aside_mark = ".saving-";

inline std::string aside_name(std::string const& name, std::uint64_t number) {
  std::string aside = name;
  aside += aside_mark;
  for (int shift = 60; shift >= 0; shift -= 4) aside += "0123456789abcdef"[(number >> shift) & 15];
  return aside;
}
inline std::string former_name(std::string const& name) { return name + ".saving-former"; }
inline std::string part_of_name(std::string const& name) { return name + ".saving-part"; }

// The `name` in aside_name(name, number); empty for other texts.
inline std::string_view saved_beside(std::string_view aside) {
  constexpr std::size_t digits = 16;
  if (aside.size() <= aside_mark.size() + digits) return {};
  auto const name = aside.substr(0, aside.size() - aside_mark.size() - digits);
  auto const number = aside.substr(aside.size() - digits);
  bool const ours = aside.substr(name.size(), aside_mark.size()) == aside_mark &&
                    number.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  return ours ? name : std::string_view();
}
// Throws if nothing can be saved under this path: its last name is reserved for saving, or is missing.
inline void require_free_name(std::string const& path, file_refusal refuse) {
  auto const name = name_in_folder(path);
  if (name.empty() || name == "." || name == "..") refuse(path, "is no name of its own", "a path that ends in a name");
  if (!saved_beside(name).empty() || ends_with(name, former_name("")) || ends_with(name, part_of_name("")))
    refuse(path, "has a name that is kept for what is not saved yet", "a name without .saving- at its end");
}

}  // namespace tessera::detail
