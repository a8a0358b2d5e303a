// SPDX-License-Identifier: Apache-2.0
// The index of a checkpoint: whether pieces cover an array, for many of them and as counting elements says; what is refused.

#include <tessera/checkpoint.hpp>
#include <tessera/engine/checkpoint/opened.hpp>

#include "support/throws.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace {

namespace detail = tessera::detail;
using extents = std::vector<std::int64_t>;

detail::index_piece piece(extents start, extents stop) { return {0, 0, std::move(start), std::move(stop), {}}; }

bool counted(extents const& shape, std::vector<detail::index_piece> const& pieces) {
  std::int64_t size = 1;
  for (auto const extent : shape) size *= extent;
  for (std::int64_t i = 0; i < size; ++i) {
    extents at(shape.size());
    std::int64_t rest = i;
    for (std::size_t d = shape.size(); d-- > 0; rest /= shape[d]) at[d] = rest % shape[d];
    int times = 0;
    for (auto const& p : pieces) {
      bool inside = true;
      for (std::size_t d = 0; d < shape.size(); ++d) inside = inside && p.start[d] <= at[d] && at[d] < p.stop[d];
      times += inside;
    }
    if (times != 1) return false;
  }
  return true;
}

TEST(Index, PiecesCoverAnArrayOnce) {
  std::mt19937 random(7);
  auto const below = [&](std::int64_t n) { return std::uniform_int_distribution<std::int64_t>(0, n - 1)(random); };
  int covered = 0;
  for (int turn = 0; turn < 3000; ++turn) {
    extents shape;
    for (auto rank = below(4); rank > 0; --rank) shape.push_back(1 + below(5));
    std::vector<detail::index_piece> pieces{piece(extents(shape.size(), 0), shape)};
    for (auto cuts = below(8); cuts > 0 && !shape.empty(); --cuts) {
      auto& old = pieces[below(static_cast<std::int64_t>(pieces.size()))];
      auto const d = static_cast<std::size_t>(below(static_cast<std::int64_t>(shape.size())));
      if (old.stop[d] - old.start[d] < 2) continue;
      auto other = old;
      old.stop[d] = other.start[d] = old.start[d] + 1 + below(old.stop[d] - old.start[d] - 1);
      pieces.push_back(other);
    }
    // Often one is moved, made larger, left out or there twice.
    auto const which = static_cast<std::size_t>(below(static_cast<std::int64_t>(pieces.size())));
    auto const change = below(6);
    if (change == 0) pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(which));
    if (change == 1) pieces.push_back(pieces[which]);
    if (change == 2 && !shape.empty()) {
      auto const d = static_cast<std::size_t>(below(static_cast<std::int64_t>(shape.size())));
      pieces[which].start[d] = below(shape[d]);
      pieces[which].stop[d] = pieces[which].start[d] + 1 + below(shape[d] - pieces[which].start[d]);
    }
    std::shuffle(pieces.begin(), pieces.end(), random);
    bool const expected = counted(shape, pieces);
    covered += expected;
    ASSERT_EQ(detail::covered_once(shape, pieces), expected) << "turn " << turn;
  }
  EXPECT_GT(covered, 1000);
  EXPECT_LT(covered, 2500);
  EXPECT_TRUE(detail::covered_once({0, 3}, {}));
}

// n^2 steps would be minutes.
TEST(Index, ManyPieces) {
  for (std::int64_t rows : {1, 500}) {
    std::int64_t const columns = 250000 / rows;
    std::vector<detail::index_piece> pieces;
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t c = 0; c < columns; ++c) pieces.push_back(piece({r, 0, c}, {r + 1, 8, c + 1}));
    EXPECT_TRUE(detail::covered_once({rows, 8, columns}, pieces));
    pieces[pieces.size() / 2] = pieces[pieces.size() / 3];
    EXPECT_FALSE(detail::covered_once({rows, 8, columns}, pieces));
  }
}

// `text` with the hash of what is before its last line.
std::string hashed(std::string text) {
  auto const hash = detail::hash_of(reinterpret_cast<std::byte const*>(text.data()), text.size());
  text += detail::hash_key;
  detail::append_hash(text, hash);
  return text + "}\n";
}
TEST(Index, WhatNoSaveWritesIsRefused) {
  auto const read = [](std::string const& text) { static_cast<void>(detail::read_index(hashed(text), "index.json")); };
  std::string const begin = R"({"tessera_checkpoint":1,"chunk":1048576)";
  read(begin);
  EXPECT_THROW_TEXT(read(begin + R"(,"chunk":1048576)"), "a key stands twice");
  EXPECT_THROW_TEXT(read(begin + R"(,"arrays":{},"arrays":{})"), "a key stands twice");
  EXPECT_THROW_TEXT(read(begin + R"(,"files":[{"name":"a","name":"b"}])"), "a key stands twice");
  EXPECT_THROW_TEXT(read(begin + R"(,"arrays":{"a":{"dtype":"bool","dtype":"bool"}})"), "a key stands twice");
  EXPECT_THROW_TEXT(read(begin + R"(,"arrays":{"a":{"pieces":[{"file":0,"file":0}]}})"), "a key stands twice");
  EXPECT_THROW_TEXT(read(begin + R"(,"arrays":{"a":{"pieces":[{}]}})"), "a piece without a hash");
  EXPECT_THROW_TEXT(read(begin + R"(,"arrays":{"a":{}})"), "an array without a dtype");
  EXPECT_THROW_TEXT(read(begin + R"(,"files":[{}])"), "a file without a name");
  EXPECT_THROW_TEXT(read(begin + R"(,"arrays":{"a":{"shape":[1,1,1,1,1,1,1,1,1]}})"), "more than 8 dimensions");
  EXPECT_THROW_TEXT(read(begin + R"(,"arrays":{"a":{"spec":[[],[],[],[],[],[],[],[],[]]}})"), "more than 8 dimensions");
  std::string keys = begin;
  for (int i = 0; i < 64; ++i) keys += ",\"k" + std::to_string(i) + "\":0";
  EXPECT_THROW_TEXT(read(keys), "more than 64 keys");
}

}  // namespace
