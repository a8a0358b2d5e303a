// SPDX-License-Identifier: Apache-2.0
#pragma once
// The folders of checkpoints: which names in them are ours, how one goes, and one step from an old folder to a new one.
// Whatever the system refuses is a checkpoint_error with the path and its reason.

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

// The file, on the disk.
inline void write_text(open_folder const& in, std::string const& name, std::string const& text) {
  auto made = in.create(name);
  made.write(text.data(), text.size(), 0);
  made.sync();
  made.close();
}

// What is left of `text` behind a number of at least `digits` digits, where it begins with one; else false.
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
// index.json and arrays-00000-of-00002.safetensors.
inline bool is_of_checkpoint(std::string_view name) {
  if (name == index_name) return true;
  return take_text(name, "arrays-") && take_number(name, 5) && take_text(name, "-of-") && take_number(name, 5) &&
         name == ".safetensors";
}
// While it is written: what processes tell each other, too.
inline bool is_of_save(std::string_view name) {
  if (is_of_checkpoint(name)) return true;
  if (!take_text(name, "part-") && !take_text(name, "failed-")) return false;
  return take_number(name, 1) && (name == ".json" || name == ".json.early");
}
// The first name in it that is not a file of ours; empty: there is none.
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

// The folder goes if one save has made all that is in it; else, or where the system refuses, it stays for the next save to
// look at.
inline void remove_saved(open_folder const& in, std::string const& name) noexcept try {
  auto const saved = in.inside(name);
  if (!saved || !foreign_name(*saved, is_of_save).empty()) return;
  bool gone = true;
  for (auto const& each : saved->names()) gone = saved->try_remove(each) && gone;
  if (gone) static_cast<void>(in.try_remove(name, true));
} catch (...) {
}

// The folder `ready`, aside.path(), is called `name` when this returns, and at every moment before either the old one or the
// new one is, by this name or, between two renames, by former_name(name). `placed`: true as soon as it is the new one.
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
