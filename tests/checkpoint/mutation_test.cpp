// SPDX-License-Identifier: Apache-2.0
// Damaged and hostile files: bits flipped, bytes cut off, put in, doubled, numbers made large. Each is refused with a
// sentence or gives what was saved; nothing is read outside, and no more is allocated than the files are long. 2000 of
// each kind, at night 100,000.

#include <tessera/checkpoint.hpp>
#include <tessera/engine/checkpoint/hash.hpp>
#include <tessera/engine/checkpoint/index.hpp>

#include "support/on_grid.hpp"
#include "support/own_folder.hpp"
#include "support/throws.hpp"

#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace {

using namespace on_grid;
using ts::none;
using ts::P;
using ts::testing::bytes_of_file;
using ts::testing::own_folder;
using ts::testing::write_file;

int rounds() { return std::getenv("TESSERA_NIGHTLY") ? 100000 : 2000; }

template <class M, class Element, class Shape, class S>
using on = ts::array<ts::array_type<Element, Shape, S, M>>;
using loose = ts::mesh<ts::auto_axis<dp, 4>, ts::auto_axis<mp, 2>>;
struct saved {
  on<loose, float, ts::shape<ts::dynamic, 4>, P<none, none>> w;
  on<loose, std::int16_t, ts::shape<ts::dynamic>, P<none>> b;
  on<loose, bool, ts::shape<8>, P<none>> mask;
  std::int64_t step = 0;
  std::string note;
  std::vector<int> order;
  static constexpr ts::names<6> names{"w", "b", "mask", "step", "note", "order"};
};
ts::device_mesh<loose> mesh() { return ts::make_mesh<loose>(ts::devices()); }
saved made() {
  std::vector<float> w(32);
  for (std::size_t i = 0; i < w.size(); ++i) w[i] = static_cast<float>(i) / 7;
  bool const mask[]{true, false, true, true, false, true, true, false};
  saved s;
  s.w = ts::device_put<P<dp, mp>>(ts::host<ts::dynamic, 4>(w), mesh());
  s.b = ts::device_put<P<mp>>(ts::host<ts::dynamic>(std::vector<std::int16_t>{1, 2, 3, 4, 5, 6}), mesh());
  s.mask = ts::device_put<P<dp>>(ts::host<8>(mask), mesh());
  s.step = 17;
  s.note = "epoch \"3\"";
  s.order = {3, 1, 2};
  return s;
}
bool equal(saved const& l, saved const& r) {
  return l.w.shape() == r.w.shape() && l.b.shape() == r.b.shape() && l.w.to_host() == r.w.to_host() &&
         l.b.to_host() == r.b.to_host() && l.mask.to_host() == r.mask.to_host() && l.step == r.step &&
         l.note == r.note && l.order == r.order;
}

std::string mutated(std::string text, std::mt19937& random) {
  auto const below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  static std::vector<std::string> const tokens{"0",
                                               "1",
                                               "-1",
                                               "4",
                                               "9223372036854775807",
                                               "9223372036854775808",
                                               "18446744073709551616",
                                               "1e400",
                                               "1.5",
                                               "{",
                                               "}",
                                               "[",
                                               "]",
                                               "\"",
                                               ":",
                                               ",",
                                               "null",
                                               "true",
                                               "\\u0000",
                                               "\xff",
                                               "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
                                               "\"dtype\"",
                                               "\"shape\"",
                                               "\"start\"",
                                               "\"pieces\":[]",
                                               "F64",
                                               "BOOL",
                                               "float64",
                                               "complex128",
                                               "1000000000000"};
  for (std::size_t turn = 0, turns = 1 + below(3); turn < turns; ++turn) {
    if (text.empty()) return text;
    auto const at = below(text.size());
    auto const some = std::min<std::size_t>(1 + below(16), text.size() - at);
    switch (below(8)) {
      case 0:
      case 1: text[at] = static_cast<char>(text[at] ^ (1 << below(8))); break;
      case 2: text.resize(at); break;
      case 3: text.erase(at, some); break;
      case 4: text.insert(below(text.size()), text.substr(at, some)); break;
      case 5: text.insert(at, tokens[below(tokens.size())]); break;
      case 6: {  // a number
        auto const from = text.find_first_of("0123456789", at);
        if (from == std::string::npos) break;
        auto end = from;
        while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
        text.replace(from, end - from, tokens[below(9)]);
        break;
      }
      default: text[at] = static_cast<char>(below(256));
    }
  }
  return text;
}

// What is read where this does not throw. Only a checkpoint_error may come.
std::vector<saved> read(std::string const& path, ts::restore_options const& options = {}) {
  try {
    static_cast<void>(ts::describe_checkpoint(path));
    return {ts::restore<saved>(path, mesh(), options)};
  } catch (ts::checkpoint_error const& error) {
    std::string const text = error.what();
    EXPECT_EQ(text.rfind("tessera: ", 0), 0u) << text;
    EXPECT_NE(text.find("Fix: "), std::string::npos) << text;
    return {};
  }
}

// f(damaged bytes) for each; `head`: how many of the first bytes are changed, most of the time.
void each_mutation(std::string const& bytes, std::size_t head, std::function<void(std::string const&)> const& f) {
  std::mt19937 random(7);
  for (int i = 0; i < rounds(); ++i) {
    bool const whole = i % 4 == 0;
    auto const n = whole ? bytes.size() : std::min(head, bytes.size());
    f(mutated(bytes.substr(0, n), random) + bytes.substr(n));
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(Mutations, OfFilesWithHashes) {
  own_folder const folder;
  auto const tree = made();
  ts::save(folder / "x", tree);
  auto const file = folder / "x/arrays-00000-of-00001.safetensors";
  auto const bytes = bytes_of_file(file);
  int refused = 0;
  each_mutation(bytes, 600, [&](std::string const& damaged) {
    write_file(file, damaged);
    auto const got = read(folder / "x");
    refused += got.empty();
    ASSERT_TRUE(damaged == bytes || got.empty()) << "a damaged file was read";
  });
  EXPECT_GT(refused, rounds() / 2);
}
TEST(Mutations, OfIndexes) {
  own_folder const folder;
  auto const tree = made();
  ts::save(folder / "x", tree);
  auto const file = folder / "x/index.json";
  auto const text = bytes_of_file(file);
  each_mutation(text, text.size(), [&](std::string const& damaged) {
    write_file(file, damaged);
    for (auto const& got : read(folder / "x")) ASSERT_TRUE(equal(got, tree)) << damaged;
  });
}
// Someone has written the right hash beneath.
TEST(Mutations, OfIndexesWithTheirHash) {
  own_folder const folder;
  ts::save(folder / "x", made());
  auto const file = folder / "x/index.json";
  auto const text = bytes_of_file(file);
  auto const tail = ts::detail::hash_key.size() + 20;
  int read_some = 0;
  each_mutation(text.substr(0, text.size() - tail), text.size(), [&](std::string damaged) {
    auto const hash = ts::detail::hash_of(reinterpret_cast<std::byte const*>(damaged.data()), damaged.size());
    damaged += ts::detail::hash_key;
    ts::detail::append_hash(damaged, hash);
    write_file(file, damaged + "}\n");
    read_some += !read(folder / "x").empty();
  });
  EXPECT_GT(read_some, 0);
}
TEST(Mutations, OfFilesOfOthers) {
  own_folder const folder;
  ts::save(folder / "x", made());
  auto const bytes = bytes_of_file(folder / "x/arrays-00000-of-00001.safetensors");
  auto const file = folder / "model.safetensors";
  write_file(file, bytes);
  ts::restore_options const values{.may_be_missing = {"step", "note", "order"}};
  EXPECT_EQ(read(file, values).size(), 1u);
  int read_some = 0;
  each_mutation(bytes, 400, [&](std::string const& damaged) {
    write_file(file, damaged);
    read_some += !read(file, values).empty();
  });
  EXPECT_GT(read_some, 0);
}
TEST(Mutations, OfWeightMaps) {
  own_folder const folder;
  ts::save(folder / "x", made());
  write_file(folder / "a.safetensors", bytes_of_file(folder / "x/arrays-00000-of-00001.safetensors"));
  auto const file = folder / "model.safetensors.index.json";
  std::string const text =
      R"({"metadata":{"total_size":148},"weight_map":{"w":"a.safetensors","b":"a.safetensors","mask":"a.safetensors"}})";
  write_file(file, text);
  ts::restore_options const values{.may_be_missing = {"step", "note", "order"}};
  EXPECT_EQ(read(file, values).size(), 1u);
  each_mutation(text, text.size(), [&](std::string const& damaged) {
    write_file(file, damaged);
    static_cast<void>(read(file, values));
  });
}

// What a user sees.
TEST(Mutations, Sentences) {
  own_folder const folder;
  ts::save(folder / "x", made());
  auto const file = folder / "x/arrays-00000-of-00001.safetensors", index = folder / "x/index.json";
  auto const bytes = bytes_of_file(file), text = bytes_of_file(index);
  auto const says = [&](std::string const& what) {
    EXPECT_THROW_TEXT(ts::restore<saved>(folder / "x", mesh()), what);
    write_file(file, bytes);
    write_file(index, text);
  };
  auto damaged = bytes;
  damaged[4096 + 5] = static_cast<char>(damaged[4096 + 5] ^ 4);
  write_file(file, damaged);
  says(
      "arrays-00000-of-00001.safetensors: w: the MiB from byte 4096 on does not have the hash that was written with it");
  write_file(file, bytes.substr(0, bytes.size() - 1));
  says(" bytes instead of ");
  damaged = bytes;
  damaged[20] = '!';
  write_file(file, damaged);
  says("does not have the head that was written");
  std::filesystem::remove(file);
  says("arrays-00000-of-00001.safetensors: cannot be opened: No such file or directory. Fix: a path that exists");
  write_file(index, text.substr(0, text.size() / 2));
  says("index.json: the hash at its end is not that of its text: bytes of it have changed, or it was cut off");
}

}  // namespace
