// SPDX-License-Identifier: Apache-2.0
#pragma once
// The content of a checkpoint, as data and as the text of index.json: files; arrays in pieces, each with its position
// and the hashes of its chunks; and the numbers and texts of the tree.

#include <tessera/aval/dtype.hpp>
#include <tessera/base/inplace_list.hpp>
#include <tessera/engine/checkpoint/files.hpp>
#include <tessera/engine/checkpoint/hash.hpp>
#include <tessera/engine/checkpoint/json.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::detail {

// Bytes per hash; pieces are read in whole chunks.
inline constexpr std::int64_t chunk_bytes = std::int64_t{1} << 20;

inline constexpr std::int64_t most_index = std::int64_t{1} << 30;

struct index_file {
  std::string name;
  std::int64_t bytes = 0, head = 0;  // of the file, and before its tensors
  std::uint64_t head_hash = 0;
};
// A box of an array, [start, stop) in every dimension, row-major in one file.
struct index_piece {
  int file = 0;
  std::int64_t offset = 0;
  std::vector<std::int64_t> start, stop;
  std::vector<std::uint64_t> hashes;  // one per chunk; none if another program wrote the file
};
struct index_array {
  std::string name;
  tessera::dtype element = tessera::dtype::float32;
  std::string dtype;  // its name; may be unknown in files of other programs
  bool known = true;
  std::vector<std::int64_t> shape;
  std::vector<std::vector<std::string>> spec;  // the mesh axes of each dimension
  std::vector<index_piece> pieces;

  std::int64_t elements() const { return bytes_between({}, shape, 1); }
  static std::int64_t bytes_between(std::vector<std::int64_t> const& start, std::vector<std::int64_t> const& stop,
                                    std::int64_t element) {
    std::int64_t product = element;
    for (std::size_t d = 0; d < stop.size(); ++d) product *= stop[d] - (start.empty() ? 0 : start[d]);
    return product;
  }
};
struct index_value {
  std::string name, json;
};
struct checkpoint_index {
  std::string path;  // where the index was read from, for messages
  std::vector<index_file> files;
  std::vector<index_array> arrays;  // sorted by name in an index that was read
  std::vector<index_value> values;
};

template <class Named>
auto find_named(std::vector<Named> const& sorted, std::string_view name) {
  auto const at = std::lower_bound(sorted.begin(), sorted.end(), name,
                                   [](Named const& item, std::string_view wanted) { return item.name < wanted; });
  return at != sorted.end() && at->name == name ? &*at : nullptr;
}

inline void append_hash(std::string& text, std::uint64_t hash) {
  text += '"';
  for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[(hash >> shift) & 15];
  text += '"';
}
template <class Items, class F>
void append_list(std::string& text, Items const& items, F const& f) {
  text += '[';
  bool first = true;
  for (auto const& item : items) {
    if (!first) text += ',';
    first = false;
    f(item);
  }
  text += ']';
}

// The last line is the hash of the text before it.
inline constexpr std::string_view hash_key = ",\n\"hash\":";

inline std::string index_text(checkpoint_index const& index) {
  std::string text = "{\"tessera_checkpoint\":1,\"chunk\":";
  append_number(text, chunk_bytes);
  auto const number = [&](std::int64_t n) { append_number(text, n); };
  text += ",\n\"files\":";
  append_list(text, index.files, [&](index_file const& file) {
    text += "\n{\"name\":";
    append_json(text, file.name);
    text += ",\"bytes\":";
    number(file.bytes);
    text += ",\"head\":";
    number(file.head);
    text += ",\"hash\":";
    append_hash(text, file.head_hash);
    text += '}';
  });
  text += ",\n\"arrays\":{";
  for (auto const& array : index.arrays) {
    text += text.back() == '{' ? "\n" : ",\n";
    append_json(text, array.name);
    text += ":{\"dtype\":\"";
    text += name_of(array.element);
    text += "\",\"shape\":";
    append_list(text, array.shape, number);
    text += ",\"spec\":";
    append_list(text, array.spec, [&](auto const& axes) {
      append_list(text, axes, [&](std::string const& axis) { append_json(text, axis); });
    });
    text += ",\"pieces\":";
    append_list(text, array.pieces, [&](index_piece const& piece) {
      text += "\n{\"file\":";
      number(piece.file);
      text += ",\"offset\":";
      number(piece.offset);
      text += ",\"start\":";
      append_list(text, piece.start, number);
      text += ",\"stop\":";
      append_list(text, piece.stop, number);
      text += ",\"hashes\":";
      append_list(text, piece.hashes, [&](std::uint64_t hash) { append_hash(text, hash); });
      text += '}';
    });
    text += '}';
  }
  text += "},\n\"values\":{";
  for (auto const& value : index.values) {
    text += text.back() == '{' ? "\n" : ",\n";
    append_json(text, value.name);
    text += ':';
    text += value.json;
  }
  text += '}';
  auto const hash = hash_of(reinterpret_cast<std::byte const*>(text.data()), text.size());
  text += hash_key;
  append_hash(text, hash);
  text += "}\n";
  return text;
}

}  // namespace tessera::detail
