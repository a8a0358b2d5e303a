// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads the index of a checkpoint and checks every number in it before its use.

#include <tessera/aval/dtype.hpp>
#include <tessera/base/inplace_list.hpp>
#include <tessera/engine/checkpoint/hash.hpp>
#include <tessera/engine/checkpoint/index.hpp>
#include <tessera/engine/checkpoint/json.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera::detail {

inline std::uint64_t read_hash(json_reader& reader) {
  std::string const digits = reader.string();
  std::uint64_t hash = 0;
  for (char c : digits) {
    auto const digit = std::string_view("0123456789abcdef").find(c);
    if (digit == std::string_view::npos) reader.fail("a hash is hexadecimal");
    hash = hash << 4 | digit;
  }
  if (digits.size() != 16) reader.fail("a hash has 16 digits");
  return hash;
}

inline index_array read_index_array(json_reader& reader, std::string const& name) {
  index_array array;
  array.name = name;
  // Bounds the memory: lists of dimensions have at most max_rank items, and nothing is reserved for sizes that the text
  // claims.
  auto const room = [&](auto const& list) {
    if (list.size() == static_cast<std::size_t>(max_rank)) reader.fail("more than 8 dimensions");
  };
  auto const sizes = [&](std::vector<std::int64_t>& list) {
    reader.array([&] {
      room(list);
      list.push_back(reader.size());
    });
  };
  reader.record([&](std::string const& key) {
    if (key == "dtype") {
      array.dtype = reader.string();
      bool found = false;
      for (int d = 0; d <= static_cast<int>(dtype::complex128) && !found; ++d) {
        array.element = static_cast<dtype>(d);
        found = name_of(array.element) == array.dtype;
      }
      if (!found) reader.fail("an unknown dtype");
    } else if (key == "shape") {
      sizes(array.shape);
    } else if (key == "spec") {
      reader.array([&] {
        room(array.spec);
        array.spec.emplace_back();
        reader.array([&] { array.spec.back().push_back(reader.string()); });
      });
    } else if (key == "pieces") {
      reader.array([&] {
        index_piece piece;
        reader.record([&](std::string const& part) {
          if (part == "file")
            piece.file = static_cast<int>(std::min<std::int64_t>(reader.size(), 1 << 30));
          else if (part == "offset")
            piece.offset = reader.size();
          else if (part == "start")
            sizes(piece.start);
          else if (part == "stop")
            sizes(piece.stop);
          else if (part == "hashes")
            reader.array([&] { piece.hashes.push_back(read_hash(reader)); });
          else
            reader.any();
        });
        if (piece.hashes.empty()) reader.fail("a piece without a hash");
        array.pieces.push_back(std::move(piece));
      });
    } else {
      reader.any();
    }
  });
  if (array.dtype.empty()) reader.fail("an array without a dtype");
  return array;
}

// Reads the whole text of an index.json and checks it without the other files; index_checks.hpp does the rest.
inline checkpoint_index read_index(std::string_view text, std::string const& path) {
  checkpoint_index index;
  index.path = path;
  json_reader reader(text, path);
  // The text ends with the key, 16 digits in quotes, "}" and a newline.
  std::size_t const tail = hash_key.size() + 18 + 2;
  std::string expected(hash_key);
  if (text.size() < tail) reader.fail("no index of a checkpoint");
  auto const body = text.substr(0, text.size() - tail);
  append_hash(expected, hash_of(reinterpret_cast<std::byte const*>(body.data()), body.size()));
  expected += "}\n";
  if (text.substr(body.size()) != expected)
    refuse_checkpoint(path, "the hash at its end is not that of its text: bytes of it have changed, or it was cut off",
                      "another copy of this checkpoint, or an earlier one");
  std::int64_t version = 0, chunk = 0;
  reader.record([&](std::string const& key) {
    if (key == "tessera_checkpoint") {
      version = reader.size();
    } else if (key == "chunk") {
      chunk = reader.size();
    } else if (key == "files") {
      reader.array([&] {
        index_file file;
        reader.record([&](std::string const& part) {
          if (part == "name")
            file.name = reader.string();
          else if (part == "bytes")
            file.bytes = reader.size();
          else if (part == "head")
            file.head = reader.size();
          else if (part == "hash")
            file.head_hash = read_hash(reader);
          else
            reader.any();
        });
        if (file.name.empty()) reader.fail("a file without a name");
        index.files.push_back(std::move(file));
      });
    } else if (key == "arrays") {
      reader.object([&](std::string const& name) { index.arrays.push_back(read_index_array(reader, name)); });
    } else if (key == "values") {
      reader.object([&](std::string const& name) { index.values.push_back({name, std::string(reader.any())}); });
    } else {
      reader.any();
    }
  });
  reader.end();
  if (version != 1 || chunk != chunk_bytes)
    refuse_checkpoint(path, "is an index of another version", "the version of Tessera that wrote it");
  auto const by_name = [](auto const& a, auto const& b) { return a.name < b.name; };
  std::sort(index.arrays.begin(), index.arrays.end(), by_name);
  std::sort(index.values.begin(), index.values.end(), by_name);
  return index;
}

}  // namespace tessera::detail
