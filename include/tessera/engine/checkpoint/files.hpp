// SPDX-License-Identifier: Apache-2.0
#pragma once
// The folders of checkpoints: which names in them are the library's, how one is removed, and how a new folder replaces
// an old one. If a system call fails, checkpoint_error has the path and the system's reason.

#include <tessera/checkpoint/checkpoint_error.hpp>
#include <tessera/engine/base/folder.hpp>
#include <tessera/engine/base/saving_name.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tessera::detail {

inline constexpr std::string_view index_name = "index.json";

inline open_file checkpoint_file(std::string const& path) { return open_file::read(path, &refuse_checkpoint); }
inline path_kind kind_of_path(std::string const& path) { return kind_of_path(path, &refuse_checkpoint); }

// Writes a new file; when this returns, it is on the disk.
inline void write_text(open_folder const& in, std::string const& name, std::string const& text) {
  auto made = in.create(name);
  made.write(text.data(), text.size(), 0);
  made.sync();
  made.close();
}

// Removes a number of at least `digits` digits from the beginning of `text`; false if there is none.
inline bool take_number(std::string_view& text, std::size_t digits) {
  auto const end = std::min(text.find_first_not_of("0123456789"), text.size());
  if (end < digits) return false;
  text.remove_prefix(end);
  return true;
}
inline bool take_text(std::string_view& text, std::string_view begin) {
  if (text.substr(0, begin.size()) != begin) return false;
  text.remove_prefix(begin.size());
  return true;
}
// The names are index.json and those like arrays-00000-of-00002.safetensors.
inline bool is_of_checkpoint(std::string_view name) {
  if (name == index_name) return true;
  return take_text(name, "arrays-") && take_number(name, 5) && take_text(name, "-of-") && take_number(name, 5) &&
         name == ".safetensors";
}
// Files of a save in progress: also the messages of processes to each other.
inline bool is_of_save(std::string_view name) {
  if (is_of_checkpoint(name)) return true;
  if (!take_text(name, "part-") && !take_text(name, "failed-")) return false;
  return take_number(name, 1) && (name == ".json" || name == ".json.early");
}
// The first name that is not a file of the library; empty if there is none.
template <class Ours>
std::string foreign_name(open_folder const& in, Ours const& ours) {
  for (auto const& name : in.names())
    if (!ours(name) || in.kind(name) != path_kind::file) return name;
  return {};
}
inline void require_only_checkpoint(open_folder const& checkpoint) {
  if (auto const name = foreign_name(checkpoint, is_of_checkpoint); !name.empty())
    refuse_checkpoint(checkpoint.path(), "is there and is no checkpoint, or has other files: " + name,
                      "a path of its own for the checkpoint, a folder that save makes");
}

// Removes the folder if all its files were made by a save; else, or if the system refuses, it stays, and the next save
// tries again.
inline void remove_saved(open_folder const& in, std::string const& name) noexcept try {
  auto const saved = in.inside(name);
  if (!saved || !foreign_name(*saved, is_of_save).empty()) return;
  bool gone = true;
  for (auto const& each : saved->names()) gone = saved->try_remove(each) && gone;
  if (gone) static_cast<void>(in.try_remove(name, true));
} catch (...) {
}

// Renames the folder aside.path() to `name`. At every moment the old or the new folder exists, under `name` or, between
// two renames, the old one under former_name(name). `placed`: set as soon as `name` is the new folder.
inline void put_in_place(open_folder const& in, open_folder const& aside, std::string const& name, bool may_exchange,
                         bool& placed) {
  auto const ready = name_in_folder(aside.path()), former = former_name(name);
  aside.sync();
  if (!in.leads_to(ready, aside))
    refuse_checkpoint(aside.path(), "has been removed or replaced while it was written",
                      "nobody else who writes there");
  require_no_link(in, name);
  if (auto const old = in.inside(name)) {
    require_only_checkpoint(*old);
    placed = may_exchange && in.exchange(ready, name);
    if (!placed) {
      remove_saved(in, former);
      in.move(name, former);
      try {
        in.move(ready, name);
      } catch (...) {
        static_cast<void>(::renameat(in.handle(), former.c_str(), in.handle(), name.c_str()));
        throw;
      }
      placed = true;
    }
  } else {
    in.move(ready, name);
    placed = true;
  }
  in.sync();
  remove_saved(in, ready);
  remove_saved(in, former);
}

}  // namespace tessera::detail
