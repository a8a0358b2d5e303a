// SPDX-License-Identifier: Apache-2.0
// The strict reader of JSON, numbers there and back, and the hash.

#include <tessera/checkpoint/json_text.hpp>
#include <tessera/engine/checkpoint/hash.hpp>
#include <tessera/engine/checkpoint/json.hpp>

#include "support/throws.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace {

namespace ts = tessera;
using ts::detail::json_of;
using ts::detail::json_reader;

// The whole text is one value.
std::string any(std::string const& text) {
  json_reader reader(text, "here");
  std::string const value(reader.any());
  reader.end();
  return value;
}

TEST(Json, WhatTheGrammarHas) {
  for (std::string const text :
       {"null", "true", "false", "0", "-0", "10", "-1.5e+3", "1E9", "0.25", "\"\"", "[]", "{}", "[1,[2,{}],\"x\"]",
        "{\"a\":1,\"b\":[true,null]}", "\"\\u00e4\\ud83d\\ude00\\n\\/\"", "\"\xc3\xa4\xf0\x9f\x98\x80\xef\xbf\xbf\""})
    EXPECT_EQ(any(text), text);
  EXPECT_EQ(any(" [ 1 , 2 ] \n"), "[ 1 , 2 ]");
}
TEST(Json, WhatTheGrammarHasNot) {
  for (std::string const text : {"",
                                 " ",
                                 "nul",
                                 "True",
                                 "01",
                                 "+1",
                                 ".5",
                                 "1.",
                                 "1e",
                                 "- 1",
                                 "--1",
                                 "0x1",
                                 "NaN",
                                 "Infinity",
                                 "'a'",
                                 "\"a",
                                 "\"\\x\"",
                                 "\"\\u12\"",
                                 "\"\t\"",
                                 "[1,]",
                                 "[,1]",
                                 "[1 2]",
                                 "{\"a\"}",
                                 "{\"a\":}",
                                 "{a:1}",
                                 "{\"a\":1,}",
                                 "[",
                                 "{",
                                 "]",
                                 "1 2",
                                 "// c\n1",
                                 "\"\\ud800\"",
                                 "\"\\udc00\"",
                                 "\"\\ud800\\u0041\"",
                                 "\"\xc0\xaf\"",
                                 "\"\xff\"",
                                 "\"\xc3\"",
                                 "\"\xe0\x80\xaf\"",
                                 "\"\xed\xa0\x80\"",
                                 "\"\xf4\x90\x80\x80\"",
                                 "\"\xf0\x80\x80\xaf\""})
    EXPECT_THROW_TEXT(any(text), "tessera: here: ") << text;
  EXPECT_THROW_TEXT(any("[1, x]"), "a digit is expected, at byte 4 of its JSON. Fix: ");
  EXPECT_THROW_TEXT(any(std::string(33, '[') + std::string(33, ']')), "nested deeper than 32");
  EXPECT_EQ(any(std::string(32, '[') + std::string(32, ']')).size(), 64u);
}
TEST(Json, Strings) {
  for (std::string const text : {"", "a", "\"\\/\b\f\n\r\t\x01\x1f", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"}) {
    std::string back;
    ts::detail::read_json(json_of(std::string_view(text)), back, "here");
    EXPECT_EQ(back, text);
  }
  std::string back;
  ts::detail::read_json("\"\\u00e4\\u20ac\\ud83d\\ude00\"", back, "here");
  EXPECT_EQ(back, "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
  EXPECT_THROW_TEXT(json_of(std::string_view("\xff")), "invalid UTF-8");
}
TEST(Json, NumbersKeepTheirBits) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    auto const x = std::bit_cast<double>(random());
    double back = 0;
    ts::detail::read_json(json_of(x), back, "here");
    if (std::isnan(x))
      EXPECT_TRUE(std::isnan(back));
    else
      EXPECT_EQ(std::bit_cast<std::uint64_t>(x), std::bit_cast<std::uint64_t>(back));
  }
  for (auto const x :
       {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max(), std::int64_t{0}}) {
    std::int64_t back = 1;
    ts::detail::read_json(json_of(x), back, "here");
    EXPECT_EQ(back, x);
  }
  std::uint64_t most = 0;
  ts::detail::read_json("18446744073709551615", most, "here");
  EXPECT_EQ(most, std::numeric_limits<std::uint64_t>::max());
  EXPECT_THROW_TEXT(ts::detail::read_json("18446744073709551616", most, "here"),
                    "is not one of the numbers of its type");
  EXPECT_THROW_TEXT(ts::detail::read_json("-1", most, "here"), "is not one of the numbers of its type");
  bool flag = false;
  EXPECT_THROW_TEXT(ts::detail::read_json("1", flag, "step"), "step: true or false is expected");
  EXPECT_EQ(ts::detail::read_json_list("[1, [2], \"a\"]", "here"), (std::vector<std::string>{"1", "[2]", "\"a\""}));
  EXPECT_EQ(ts::detail::json_list({"1", "\"a\""}), "[1,\"a\"]");
}

// Values of the reference implementation (xxHash 0.8).
TEST(Hash, IsXxh64) {
  std::vector<std::pair<std::size_t, std::uint64_t>> const known{
      {0, 0xef46db3751d8e999u},   {1, 0x1f25c8d0bc1f4bb6u},   {3, 0x31d2363f52e564c9u},  {4, 0x9bb64b7d66ee9fdau},
      {7, 0x9a7b149959ce60d8u},   {8, 0xdab99d95c6f90092u},   {15, 0x1b47cb8243cc8e32u}, {31, 0xa2aa5f33cc4a6119u},
      {32, 0x23c3c17ef790fd97u},  {33, 0x50a7cfc7ba588784u},  {63, 0x5e3e54b431c7493cu}, {64, 0x0eb64b3ef6eeb01fu},
      {100, 0xa61f8d4c170fe531u}, {1000, 0x5f235fa033f1a3fbu}};
  std::vector<std::byte> bytes(1000);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>((i * 7 + 3) & 255);
  for (auto const& [size, hash] : known) EXPECT_EQ(ts::detail::hash_of(bytes.data(), size), hash) << size;
}

}  // namespace
