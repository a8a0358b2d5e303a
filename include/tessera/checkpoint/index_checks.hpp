// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a checkpoint's index says is possible: pieces lie within their files and arrays, and cover each array once.

#include <tessera/checkpoint/index.hpp>
#include <tessera/checkpoint/safetensors.hpp>

#include <vector>

namespace tessera::detail {

class checked_index {
public:
  explicit checked_index(checkpoint_index const& index) : index_(index) {
    for (auto const& file : index.files) {
      bool const plain = !file.name.empty() && file.name.find('/') == std::string::npos &&
                         file.name.find('\0') == std::string::npos && file.name != "..";
      if (!plain) refuse(file.name, "is no name of a file beside the index");
      if (file.head < 8 || file.head > file.bytes) refuse(file.name, "has a head that is longer than the file");
    }
    names_differ(index.arrays);
    names_differ(index.values);
    for (auto const& array : index.arrays) check(array);
  }

private:
  [[noreturn]] void refuse(std::string const& name, std::string_view what) const {
    std::string text;
    append_shown(text, name);
    text += ' ';
    text += what;
    refuse_checkpoint(index_.path, text, "another copy of this checkpoint, or an earlier one");
  }
  template <class Named>
  void names_differ(std::vector<Named> const& sorted) const {
    for (std::size_t i = 1; i < sorted.size(); ++i)
      if (sorted[i].name == sorted[i - 1].name) refuse(sorted[i].name, "stands twice in the index");
  }
  void check(index_array const& array) const {
    auto const rank = array.shape.size();
    if (bytes_of_shape(array.shape, bytes_of(array.element)) < 0) refuse(array.name, "has a shape beyond 63 bits");
    if (array.spec.size() > rank) refuse(array.name, "has more entries in its spec than dimensions");
    std::int64_t covered = 0;
    for (auto const& piece : array.pieces) {
      if (piece.start.size() != rank || piece.stop.size() != rank) refuse(array.name, "has a piece of another rank");
      for (std::size_t d = 0; d < rank; ++d)
        if (piece.start[d] >= piece.stop[d] || piece.stop[d] > array.shape[d])
          refuse(array.name, "has a piece outside of its shape, or an empty one");
      auto const bytes = index_array::bytes_between(piece.start, piece.stop, bytes_of(array.element));
      if (piece.file < 0 || piece.file >= static_cast<int>(index_.files.size()))
        refuse(array.name, "has a piece in a file that the index does not list");
      index_file const& file = index_.files[static_cast<std::size_t>(piece.file)];
      if (piece.offset < file.head || piece.offset > file.bytes || bytes > file.bytes - piece.offset)
        refuse(array.name, "has a piece beyond the end of its file");
      if (static_cast<std::int64_t>(piece.hashes.size()) != (bytes + chunk_bytes - 1) / chunk_bytes)
        refuse(array.name, "has a piece with another number of hashes than chunks");
      covered += bytes;
    }
    if (covered != bytes_of_shape(array.shape, bytes_of(array.element)) || overlap(array.pieces))
      refuse(array.name, "is not covered by its pieces, each element by one");
  }
  // Sorted by the first dimension, a piece meets only those that begin before it ends.
  static bool overlap(std::vector<index_piece> const& pieces) {
    std::vector<index_piece const*> sorted;
    for (auto const& piece : pieces) sorted.push_back(&piece);
    if (sorted.size() > 1 && sorted[0]->start.empty()) return true;
    std::sort(sorted.begin(), sorted.end(), [](auto const* a, auto const* b) { return a->start < b->start; });
    for (std::size_t i = 0; i < sorted.size(); ++i)
      for (std::size_t k = i + 1; k < sorted.size() && sorted[k]->start[0] < sorted[i]->stop[0]; ++k) {
        bool apart = false;
        for (std::size_t d = 0; d < sorted[i]->start.size(); ++d)
          apart = apart || sorted[k]->start[d] >= sorted[i]->stop[d] || sorted[i]->start[d] >= sorted[k]->stop[d];
        if (!apart) return true;
      }
    return false;
  }

  checkpoint_index const& index_;
};

}  // namespace tessera::detail
