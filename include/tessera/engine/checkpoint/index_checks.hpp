// SPDX-License-Identifier: Apache-2.0
#pragma once
// Checks that a checkpoint's index is valid: pieces lie within their files and arrays, and cover each array once.

#include <tessera/engine/checkpoint/index.hpp>
#include <tessera/engine/checkpoint/safetensors.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace tessera::detail {

// Whether pieces, none of them empty, cover each element of an array once: the sum of the pieces' indicator functions
// must be that of the array. Two such sums are equal if, at each position of the first dimension where a term begins or
// ends, the terms that begin minus those that end are equal as functions of the other dimensions. If the pieces form a
// grid, all but the outermost cancel there, so n pieces take n log n steps.
class cover {
public:
  struct term {
    std::int64_t const *start, *stop;
    int times;
  };
  explicit cover(std::size_t rank) : rank_(rank) {}

  // Whether the sum is 0, as a function of dimension d and the later ones.
  bool is_zero(std::vector<term> terms, std::size_t d) const {
    while (d < rank_ && alike(terms, d)) ++d;
    if (d == rank_ || terms.empty()) {
      std::int64_t sum = 0;
      for (auto const& t : terms) sum += t.times;
      return sum == 0;
    }
    struct edge {
      std::int64_t at;
      term what;
    };
    std::vector<edge> edges;
    edges.reserve(2 * terms.size());
    for (auto const& t : terms) {
      edges.push_back({t.start[d], t});
      edges.push_back({t.stop[d], {t.start, t.stop, -t.times}});
    }
    terms = {};
    std::sort(edges.begin(), edges.end(), [&](edge const& l, edge const& r) {
      return l.at != r.at ? l.at < r.at : compared(l.what, r.what, d + 1) < 0;
    });
    for (std::size_t i = 0; i < edges.size();) {
      auto const at = edges[i].at;
      std::vector<term> there;
      for (; i < edges.size() && edges[i].at == at; ++i) {
        if (there.empty() || compared(there.back(), edges[i].what, d + 1) != 0)
          there.push_back(edges[i].what);
        else if ((there.back().times += edges[i].what.times) == 0)
          there.pop_back();
      }
      if (!is_zero(std::move(there), d + 1)) return false;
    }
    return true;
  }

private:
  int compared(term const& l, term const& r, std::size_t d) const {
    for (; d < rank_; ++d) {
      if (l.start[d] != r.start[d]) return l.start[d] < r.start[d] ? -1 : 1;
      if (l.stop[d] != r.stop[d]) return l.stop[d] < r.stop[d] ? -1 : 1;
    }
    return 0;
  }
  static bool alike(std::vector<term> const& terms, std::size_t d) {
    return std::all_of(terms.begin(), terms.end(), [&](term const& t) {
      return t.start[d] == terms.front().start[d] && t.stop[d] == terms.front().stop[d];
    });
  }
  std::size_t rank_;
};
inline bool covered_once(std::vector<std::int64_t> const& shape, std::vector<index_piece> const& pieces) {
  std::vector<std::int64_t> const origin(shape.size(), 0);
  std::vector<cover::term> terms;
  terms.reserve(pieces.size() + 1);
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return pieces.empty();
  terms.push_back({origin.data(), shape.data(), -1});
  for (auto const& piece : pieces) terms.push_back({piece.start.data(), piece.stop.data(), 1});
  return cover(shape.size()).is_zero(std::move(terms), 0);
}

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
    for (auto const& piece : array.pieces) {
      if (piece.start.size() != rank || piece.stop.size() != rank) refuse(array.name, "has a piece of another rank");
      for (std::size_t d = 0; d < rank; ++d)
        if (piece.start[d] >= piece.stop[d] || piece.stop[d] > array.shape[d])
          refuse(array.name, "has a piece outside of its shape, or an empty one");
      auto const bytes = index_array::bytes_between(piece.start, piece.stop, bytes_of(array.element));
      if (piece.file < 0 || piece.file >= static_cast<int>(index_.files.size()))
        refuse(array.name, "has a piece in a file that the index does not list");
      index_file const& file = index_.files[piece.file];
      if (piece.offset < file.head || piece.offset > file.bytes || bytes > file.bytes - piece.offset)
        refuse(array.name, "has a piece beyond the end of its file");
      if (static_cast<std::int64_t>(piece.hashes.size()) != (bytes + chunk_bytes - 1) / chunk_bytes)
        refuse(array.name, "has a piece with another number of hashes than chunks");
    }
    if (!covered_once(array.shape, array.pieces))
      refuse(array.name, "is not covered by its pieces, each element by one");
  }
  checkpoint_index const& index_;
};

}  // namespace tessera::detail
