// SPDX-License-Identifier: Apache-2.0
// Files with changed bytes: read, or refused in a sentence that says the place and the fix; nothing is read outside, and no
// more is allocated than the file has. Three thousand of each kind, 100,000 at night.

#include <tessera/data/csv.hpp>
#include <tessera/data/npy.hpp>
#include <tessera/data/tokens.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace {

namespace ts = tessera;

int rounds() { return std::getenv("TESSERA_NIGHTLY") ? 100000 : 3000; }

class mutator {
public:
  explicit mutator(unsigned seed) : random_(seed) {}
  std::size_t below(std::size_t n) { return n ? random_() % n : 0; }

  std::string changed(std::string text, std::vector<std::string> const& others) {
    static std::vector<std::string> const words{",",
                                                "\"",
                                                "\n",
                                                "\r",
                                                "-",
                                                "+",
                                                ".",
                                                "e999",
                                                "nan",
                                                "inf",
                                                "99999999999999999999",
                                                "(",
                                                ")",
                                                "{",
                                                "}",
                                                "'",
                                                ":",
                                                "0,",
                                                "-1",
                                                "True",
                                                "False",
                                                "'shape'",
                                                "'descr'",
                                                "<f8",
                                                "|b1",
                                                ">i4",
                                                "4294967296",
                                                "288230376151711743",
                                                " ",
                                                std::string(1, '\0'),
                                                "\xff\xff\xff\xff",
                                                "\x7f"};
    for (std::size_t n = 1 + below(4); n > 0; --n) {
      std::size_t const at = below(text.size() + 1), length = std::min(1 + below(8), text.size() - at);
      switch (below(8)) {
        case 0:
          if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
          break;
        case 1:
          if (at < text.size()) text[at] = static_cast<char>(random_());
          break;
        case 2: text.erase(at, length); break;
        case 3: text.insert(at, words[below(words.size())]); break;
        case 4: text.replace(at, length, words[below(words.size())]); break;
        case 5: text.resize(at); break;
        case 6: text.insert(at, text.substr(below(text.size() + 1), 1 + below(40))); break;
        default: {
          std::string const& other = others[below(others.size())];
          std::size_t const from = below(other.size() + 1);
          text = text.substr(0, at) + other.substr(from);
        }
      }
    }
    return text;
  }

private:
  std::mt19937 random_;
};

// Reads it all, or is told why not. How many were read.
template <class Read>
int survive(std::vector<std::string> const& files, Read const& read) {
  mutator change(20261123);
  int whole = 0;
  for (int round = 0; round < rounds(); ++round) {
    std::string const bytes = change.changed(files[change.below(files.size())], files);
    auto const file = ts::mapped_file::of_bytes("x", bytes);
    std::string said;
    try {
      read(file);
      ++whole;
    } catch (ts::file_error const& error) {
      said = error.what();
      EXPECT_EQ(said.rfind("x:", 0), 0u) << said;
    } catch (std::invalid_argument const& error) {
      said = error.what();
      EXPECT_EQ(said.rfind("tessera: ", 0), 0u) << said;
    }
    if (!said.empty()) {
      EXPECT_NE(said.find(". Fix: "), std::string::npos) << said;
      EXPECT_LT(said.size(), 500u) << said;
      for (char c : said) EXPECT_TRUE(c >= ' ' && c <= '~') << said;
    }
    if (testing::Test::HasFailure()) break;
  }
  return whole;
}

template <class T>
void read_rows(ts::rows_of<T> const& rows, std::int64_t most) {
  ts::region all;
  for (auto extent : rows.extents()) all.push_back({0, extent});
  std::int64_t const size = ts::detail::size_of(all);
  ASSERT_LE(size, most);
  std::vector<std::byte> out(static_cast<std::size_t>(size) * sizeof(T));
  for (std::int64_t i = 0; i < std::min<std::int64_t>(rows.count(), 1000); ++i) rows.source().read(i, all, out.data());
}

TEST(mutations, csv) {
  std::vector<std::string> const files{"1,2,3\n4,5,6\n7,8,9\n", "a,\"b c\",d\n0.5,-1e3,\"7\"\r\n1,2,+3\r\n\n3,4,5",
                                       "1\n2\n3\n", "0;1;0\n1;1;1\n"};
  int const whole = survive(files, [](ts::mapped_file const& file) {
    ts::csv_format const format{.delimiter = file.text().find(';') < 8 ? ';' : ',', .header = file.size() % 2 == 0};
    ts::csv_file const table(file, format);
    ASSERT_LE(table.rows() * table.fields(), 2 * file.size());
    read_rows(table.columns<float>({.count = table.fields(), .nan = true}), file.size() + 1);
    read_rows(table.column<std::int16_t>({.first = table.fields() - 1}), 1);
    if (format.header) table.index_of("d");
  });
  EXPECT_GT(whole, rounds() / 100);
}

template <class T>
bool read_as(ts::npy_file const& x, std::int64_t most) {
  if (x.element() != ts::dtype_of<T>()) return false;
  read_rows(x.rows<T>(), most);
  return true;
}
TEST(mutations, npy) {
  std::vector<std::string> files;
  for (std::string const descr : {"<f4", "<i8", "|b1", "<c16", "<V2", "<f8"})
    for (std::string const order : {"False", "True"}) {
      std::string text = "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': (3, 2, 2), }";
      bool const second = files.size() % 3 == 0;
      text = std::string("\x93NUMPY", 6) + static_cast<char>(second ? 2 : 1) + std::string(1, '\0') +
             static_cast<char>(text.size()) + std::string(second ? 3 : 1, '\0') + text;
      int const bytes = descr == "|b1" ? 1 : descr == "<V2" ? 2 : descr == "<f4" ? 4 : descr == "<c16" ? 16 : 8;
      for (int i = 0; i < 12 * bytes; ++i) text += static_cast<char>(i);
      files.push_back(text);
    }
  for (std::string const& file : files) EXPECT_NO_THROW(ts::npy_file{ts::mapped_file::of_bytes("x", file)});
  int const whole = survive(files, [](ts::mapped_file const& file) {
    ts::npy_file const x(file);
    bool any = false;
    ts::region all;
    for (auto extent : x.extents()) all.push_back({0, extent});
    std::int64_t const size = ts::detail::size_of(all) * ts::bytes_of(x.element());
    ASSERT_LE(size, file.size());
    std::vector<std::byte> out(static_cast<std::size_t>(size));
    x.read(all, out.data());
    any = read_as<float>(x, file.size()) || read_as<std::int64_t>(x, file.size()) || read_as<bool>(x, file.size()) ||
          read_as<double>(x, file.size()) || read_as<ts::bfloat16>(x, file.size());
    if (!any) x.rows<std::uint8_t>();
  });
  EXPECT_GT(whole, rounds() / 100);
}

TEST(mutations, tokens) {
  std::string bytes;
  for (int i = 0; i < 60; ++i) (bytes += static_cast<char>(i)) += '\0';
  int const whole = survive({bytes, std::string(64, '\0')}, [](ts::mapped_file const& file) {
    ts::token_file const text(file, file.size() % 4 == 0 ? ts::dtype::uint32 : ts::dtype::uint16);
    read_rows(text.sequences({.length = 5, .apart = 1}), 5);
    read_rows(text.next_tokens<std::uint8_t>({.length = 3, .vocabulary = 70000}), 3);
  });
  EXPECT_GT(whole, 0);
}

}  // namespace
