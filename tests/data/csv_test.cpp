// SPDX-License-Identifier: Apache-2.0
// CSV files: numbers of each dtype, headers, quotes and line ends; each kind of bad file gets its line and column.

#include <tessera/data/csv.hpp>

#include "support/file_of.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace {

namespace ts = tessera;
using ts::testing::file_of;

template <class T>
std::vector<T> values(ts::rows_of<T> const& rows) {
  std::int64_t size = 1;
  ts::region all;
  for (auto extent : rows.extents()) {
    size *= extent;
    all.push_back({0, extent});
  }
  std::vector<T> out(static_cast<std::size_t>(size * rows.count()));
  for (std::int64_t i = 0; i < rows.count(); ++i)
    rows.source().read(i, all, reinterpret_cast<std::byte*>(out.data() + i * size));
  return out;
}
template <class T>
std::vector<T> column(std::string const& text, ts::csv_columns const& wanted = {}, ts::csv_format const& format = {}) {
  file_of const file(text, ".csv");
  return values(ts::csv_file(file.path(), format).column<T>(wanted));
}

// "line:column: what. Fix: fix."
template <class T>
void expect_error(std::string const& text, std::string const& said, ts::csv_columns const& wanted = {},
                  ts::csv_format const& format = {}) {
  file_of const file(text, ".csv");
  auto const error = ts::testing::said_by<ts::file_error>(
      [&] { static_cast<void>(ts::csv_file(file.path(), format).columns<T>(wanted)); });
  EXPECT_EQ(error, file.path() + ":" + said);
}

TEST(csv, the_digits) {
  ts::csv_file const file(TESSERA_SOURCE_DIR "/examples/data/digits.csv");
  EXPECT_EQ(file.rows(), 1797);
  EXPECT_EQ(file.fields(), 65);
  EXPECT_TRUE(file.names().empty());
  auto const pixels = file.columns<float>({.count = 64, .lowest = 0, .highest = 16, .scale = 1.0 / 16});
  auto const labels = file.column<std::int32_t>({.first = 64, .lowest = 0, .highest = 9});
  EXPECT_EQ(pixels.extents(), (ts::extents_list{64}));
  EXPECT_EQ(labels.extents(), ts::extents_list{});
  auto const all = values(pixels);
  ASSERT_EQ(all.size(), 1797u * 64);
  EXPECT_EQ(all[2], 5.0f / 16) << "its first row begins 0,0,5,13";
  EXPECT_EQ(all[64 + 3], 12.0f / 16) << "its second row begins 0,0,0,12";
  auto const digits = values(labels);
  EXPECT_EQ((std::vector<std::int32_t>{digits.begin(), digits.begin() + 3}), (std::vector<std::int32_t>{0, 1, 2}));
  float part[2];
  pixels.source().read(0, {{2, 4}}, reinterpret_cast<std::byte*>(part));
  EXPECT_EQ(part[0], 5.0f / 16);
  EXPECT_EQ(part[1], 13.0f / 16);
}

TEST(csv, a_header_quotes_and_blanks) {
  std::string const text = "\xef\xbb\xbfname, \"the, \"\"value\"\"\"\r\n1,\" 2.5 \"\r\n\r\n 3 ,+4\r\n";
  file_of const file(text, ".csv");
  ts::csv_file const table(file.path(), {.header = true});
  EXPECT_EQ(table.names(), (std::vector<std::string>{"name", "the, \"\"value\"\""}));
  EXPECT_EQ(table.index_of("name"), 0);
  EXPECT_EQ(values(table.column<int>({.first = 0})), (std::vector<int>{1, 3}));
  EXPECT_EQ(column<float>("a;b\n1;2\n3;4", {.first = 1}, {.delimiter = ';', .header = true}),
            (std::vector<float>{2, 4}));
  EXPECT_EQ(column<float>("1 2\n3 4", {.first = 1}, {.delimiter = ' '}), (std::vector<float>{2, 4}));
  EXPECT_EQ(ts::testing::said_by<std::invalid_argument>([&] { table.index_of("label"); }),
            "tessera: " + file.path() + " has no column 'label'. Fix: one of name the, \"\"value\"\"");
}

TEST(csv, each_dtype) {
  EXPECT_EQ(column<std::int8_t>("-128\n127"), (std::vector<std::int8_t>{-128, 127}));
  EXPECT_EQ(column<std::uint16_t>("0\n65535"), (std::vector<std::uint16_t>{0, 65535}));
  EXPECT_EQ(column<std::int64_t>("-9223372036854775808"), (std::vector<std::int64_t>{INT64_MIN}));
  EXPECT_EQ(column<std::uint64_t>("18446744073709551615"), (std::vector<std::uint64_t>{UINT64_MAX}));
  EXPECT_EQ(column<double>("0.1\n-1e300\ninf"), (std::vector<double>{0.1, -1e300, HUGE_VAL}));
  EXPECT_EQ(column<float>("16777217\n0.1"), (std::vector<float>{16777216, 0.1f}));
  EXPECT_EQ(static_cast<float>(column<ts::bfloat16>("1.5")[0]), 1.5f);
  EXPECT_EQ(static_cast<float>(column<ts::float8_e4m3fn>("0.1")[0]), 0.1015625f);
  EXPECT_EQ(static_cast<float>(column<ts::float16>("-0.25")[0]), -0.25f);
  EXPECT_TRUE(std::isnan(column<float>("nan", {.nan = true})[0]));
}

TEST(csv, bad_tables) {
  expect_error<float>("", "1:1: no rows. Fix: one row a line, its numbers separated by delimiters.");
  expect_error<float>("\n\r\n", "1:1: no rows. Fix: one row a line, its numbers separated by delimiters.");
  expect_error<float>("a,b\n", "1:1: no rows. Fix: one row a line, its numbers separated by delimiters.", {},
                      {.header = true});
  expect_error<float>("1,2\n\n3\n", "3:2: the row ends after 1 field. Fix: 2 fields, as the first row has.");
  expect_error<float>("1,2\n3,4,5\n", "2:5: more than 2 fields. Fix: as many as the first row has.");
  expect_error<float>("1,\"2\n3,4\n",
                      "1:3: the quotes of this field do not end with it. Fix: \"...\" on one line, then a delimiter.");
  expect_error<float>("1,\"2\"3\n",
                      "1:6: the quotes of this field do not end with it. Fix: \"...\" on one line, then a delimiter.");
}

TEST(csv, bad_fields) {
  expect_error<float>("1\nsix\n", "2:1: 'six' is not a number. Fix: every field is a number.");
  expect_error<float>("1,\n", "1:3: '' is not a number. Fix: every field is a number.", {.first = 1});
  expect_error<int>("1.5\n", "1:1: '1.5' is not a whole number. Fix: every field is a whole number.");
  expect_error<int>("+-1\n", "1:1: '+-1' is not a whole number. Fix: every field is a whole number.");
  expect_error<float>("nan\n",
                      "1:1: 'nan' is out of range. Fix: every field is a number of float32 from -3.40282e+38 to "
                      "3.40282e+38.");
  expect_error<std::int8_t>("128\n",
                            "1:1: '128' is out of range. Fix: every field is a number of int8 from -128 to 127.");
  expect_error<int>(
      "99999999999\n",
      "1:1: '99999999999' is out of range. Fix: every field is a number of int32 from -2147483648 to 2147483647.");
  expect_error<int>("1,9\n1,10\n", "2:3: '10' is out of range. Fix: every field is a number of int32 from 0 to 9.",
                    {.first = 1, .lowest = 0, .highest = 9});
  expect_error<float>(std::string(500, 'x') + "\x01",
                      "1:1: 'xxxxxxxxxxxxxxxxxxxx...' is not a number. Fix: every field is a number.");
  expect_error<float>(std::string("a\0b", 3), "1:1: 'a?b' is not a number. Fix: every field is a number.");
}

// Up to the last number that an element type holds, and the first one beyond. What rounds to 0 is 0.
template <class T>
void expect_ends(std::string const& ends, std::vector<std::string> const& beyond, std::string const& limits) {
  EXPECT_EQ(column<T>(ends).size(), 2u) << ends;
  for (std::string const& text : beyond)
    expect_error<T>(text, "1:1: '" + text + "' is out of range. Fix: every field is a number of " +
                              std::string(ts::name_of(ts::dtype_of<T>())) + " from " + limits + ".");
}
TEST(csv, ends_of_each_dtype) {
  expect_ends<std::int8_t>("-128\n127", {"-129", "128", "256"}, "-128 to 127");
  expect_ends<std::uint8_t>("0\n255", {"-1", "256"}, "0 to 255");
  expect_ends<std::int16_t>("-32768\n32767", {"-32769", "32768"}, "-32768 to 32767");
  expect_ends<std::uint16_t>("0\n65535", {"-1", "65536"}, "0 to 65535");
  expect_ends<std::int32_t>("-2147483648\n2147483647", {"-2147483649", "2147483648"}, "-2147483648 to 2147483647");
  expect_ends<std::uint32_t>("0\n4294967295", {"-1", "4294967296"}, "0 to 4294967295");
  expect_ends<std::int64_t>("-9223372036854775808\n9223372036854775807",
                            {"-9223372036854775809", "9223372036854775808"},
                            "-9223372036854775808 to 9223372036854775807");
  expect_ends<std::uint64_t>("0\n18446744073709551615", {"18446744073709551616"}, "0 to 18446744073709551615");
  expect_ends<ts::float8_e4m3fn>("-448\n464", {"465", "-1e39", "1e400"}, "-448 to 448");
  expect_ends<ts::float8_e5m2>("-57344\n61439", {"61440", "-1e39", "1e400"}, "-57344 to 57344");
  expect_ends<ts::float16>("-65504\n65519", {"-65520", "70000", "1e39", "1e400"}, "-65504 to 65504");
  expect_ends<ts::bfloat16>("-3.3895e38\n3.39e38", {"3.4e38", "-1e39", "1e400"}, "-3.38953e+38 to 3.38953e+38");
  expect_ends<float>("-3.4028234e38\n3.4028235e38", {"3.4028236e38", "-1e39", "1e400"}, "-3.40282e+38 to 3.40282e+38");
  expect_ends<double>("-1.7976931348623157e308\n1e308", {"1.8e308", "-1e400", "1" + std::string(15, '0') + "e300"},
                      "-1.79769e+308 to 1.79769e+308");
  for (float v : column<float>("1e-50\n1e-400\n-1e-99999999999999999999\n0.000001e-400")) EXPECT_EQ(v, 0);
  EXPECT_EQ(column<double>("1e-400\n5e-324"), (std::vector<double>{0, 5e-324}));
  EXPECT_EQ(static_cast<float>(column<ts::float16>("1e-400")[0]), 0);
  EXPECT_EQ(column<float>("1e-42\ninf"), (std::vector<float>{1e-42f, HUGE_VALF}));
  EXPECT_EQ(static_cast<float>(column<ts::float16>("-inf")[0]), -HUGE_VALF);
  expect_error<double>("1e200",
                       "1:1: '1e200' is out of range. Fix: every field is a number of float64 from "
                       "-1.79769e+308 to 1.79769e+308.",
                       {.scale = 1e200});
  EXPECT_EQ(column<float>("1e39", {.scale = 0.1}), (std::vector<float>{1e38f}));
}

TEST(csv, bad_calls) {
  file_of const file("1,2\n", ".csv");
  ts::csv_file const table(file.path());
  using bad = std::invalid_argument;
  EXPECT_NE(ts::testing::said_by<bad>([&] { table.column<float>({.first = 2}); }).find("Fix: count them from 0"),
            std::string::npos);
  EXPECT_NE(ts::testing::said_by<bad>([&] { table.columns<float>({.first = -1}); }).find("Fix:"), std::string::npos);
  EXPECT_NE(ts::testing::said_by<bad>([&] { table.columns<float>({.count = 3}); }).find("Fix:"), std::string::npos);
  EXPECT_NE(ts::testing::said_by<bad>([&] { table.columns<int>({.scale = 2}); }).find("Fix: columns<float>"),
            std::string::npos);
  EXPECT_NE(ts::testing::said_by<bad>([&] { table.columns<ts::complex64>({}); }).find("Fix:"), std::string::npos);
}

TEST(csv, no_file) {
  auto const open = [](std::string const& path) {
    return ts::testing::said_by<ts::file_error>([&] { ts::csv_file{path}; });
  };
  EXPECT_EQ(open("no/such.csv"), "no/such.csv: cannot be opened: No such file or directory. Fix: the path of a file.");
  EXPECT_EQ(open(TESSERA_SOURCE_DIR "/examples"),
            TESSERA_SOURCE_DIR "/examples: is not a file. Fix: the path of a file.");
  EXPECT_EQ(open("/dev/null"), "/dev/null: is not a file. Fix: the path of a file.");
}

}  // namespace
