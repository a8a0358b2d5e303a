// SPDX-License-Identifier: Apache-2.0
#pragma once
// Opens a checkpoint: a folder that save wrote, a safetensors file, or several with the index that other programs
// write.

#include <tessera/engine/checkpoint/files.hpp>
#include <tessera/engine/checkpoint/index_checks.hpp>
#include <tessera/engine/checkpoint/read_index.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera::detail {

struct opened_checkpoint {
  std::string folder;
  checkpoint_index index;
  bool ours = true;  // written by save, with hashes
};

// Adds the tensors of one safetensors file.
inline void add_safetensors(opened_checkpoint& opened, std::string const& name) {
  auto const path = joined_path(opened.folder, name);
  auto const file = checkpoint_file(path);
  auto const bytes = file.size();
  std::uint64_t head = 0;
  if (bytes < 8) refuse_checkpoint(path, "is too short for a safetensors file", "another copy of it");
  file.read(&head, 8, 0);
  if (head > static_cast<std::uint64_t>(most_head) || static_cast<std::int64_t>(head) > bytes - 8)
    refuse_checkpoint(path, "has a head that is longer than the file, or than 100 MB",
                      "another copy of the file, this one is cut off or no safetensors file");
  std::string json(head, '\0');
  file.read(json.data(), json.size(), 8);
  auto const begin = static_cast<std::int64_t>(head) + 8;
  auto const number = static_cast<int>(opened.index.files.size());
  opened.index.files.push_back({name, bytes, begin, 0});
  for (auto& tensor : read_safetensors_head(json, bytes - begin, path)) {
    index_array array;
    array.name = std::move(tensor.name);
    array.known = dtype_in_safetensors(tensor.dtype, array.element);
    if (array.known)
      array.dtype = name_of(array.element);
    else
      append_shown(array.dtype, tensor.dtype);
    array.shape = tensor.shape;
    if (tensor.end > tensor.begin)
      array.pieces.push_back(
          {number, begin + tensor.begin, std::vector<std::int64_t>(tensor.shape.size(), 0), tensor.shape, {}});
    opened.index.arrays.push_back(std::move(array));
  }
}

// {"metadata": ..., "weight_map": {"name": "file", ...}}: the names of a model's tensors, and the file of each.
inline void add_weight_map(opened_checkpoint& opened, std::string const& path) {
  std::string const text = read_text(checkpoint_file(path), most_head);
  std::vector<index_value> names;  // of tensors; json: the file
  json_reader reader(text, path);
  reader.record([&](std::string const& key) {
    if (key != "weight_map") {
      reader.any();
      return;
    }
    reader.object([&](std::string const& name) {
      names.push_back({name, reader.string()});
      auto const& file = names.back().json;
      if (file.empty() || file.find('/') != std::string::npos || file.find('\0') != std::string::npos)
        reader.fail("a file of the weight_map is not beside it");
    });
  });
  reader.end();
  std::vector<std::string> files;
  for (auto const& name : names) files.push_back(name.json);
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  for (auto const& file : files) add_safetensors(opened, file);
}

inline opened_checkpoint open_checkpoint(std::string path) {
  path = without_end_slashes(std::move(path));
  opened_checkpoint opened;
  auto kind = kind_of_path(path);
  if (kind == path_kind::nothing && kind_of_path(former_name(path)) == path_kind::folder) {
    path = former_name(path);
    kind = path_kind::folder;
  }
  if (kind == path_kind::nothing)
    refuse_checkpoint(path, "is not there", "the folder that save was given, or a .safetensors file");
  opened.folder = kind == path_kind::folder ? path : folder_of(path);
  std::string name = name_in_folder(path);
  if (kind == path_kind::folder) {
    name.clear();
    for (char const* known : {"index.json", "model.safetensors.index.json", "model.safetensors"})
      if (name.empty() && kind_of_path(joined_path(path, known)) == path_kind::file) name = known;
    if (name.empty())
      refuse_checkpoint(path, "is a folder without index.json or model.safetensors", "the folder that save was given");
  }
  auto const file = joined_path(opened.folder, name);
  if (name == index_name) {
    opened.index = read_index(read_text(checkpoint_file(file), most_index), file);
    checked_index const checked(opened.index);
    return opened;
  }
  opened.ours = false;
  opened.index.path = file;
  if (ends_with(name, ".json"))
    add_weight_map(opened, file);
  else
    add_safetensors(opened, name);
  auto& arrays = opened.index.arrays;
  std::sort(arrays.begin(), arrays.end(), [](auto const& a, auto const& b) { return a.name < b.name; });
  for (std::size_t i = 1; i < arrays.size(); ++i)
    if (arrays[i].name == arrays[i - 1].name) {
      std::string what;
      append_shown(what, arrays[i].name);
      refuse_checkpoint(file, what + " stands in two files", "files of one model");
    }
  return opened;
}

}  // namespace tessera::detail
