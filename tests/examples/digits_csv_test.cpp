// SPDX-License-Identifier: Apache-2.0
// examples/digits/csv.hpp: the real file is read whole, and each kind of bad file gets its file, line and column.

#include "../../examples/digits/csv.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <numeric>

namespace {

using digits::pixels;

// A file of this text for as long as the object lives.
class file_of {
public:
  explicit file_of(std::string const& text) {
    auto const* test = testing::UnitTest::GetInstance()->current_test_info();
    path_ = testing::TempDir() + "digits_" + test->name() + ".csv";
    std::ofstream(path_, std::ios::binary) << text;
  }
  file_of(file_of const&) = delete;
  file_of& operator=(file_of const&) = delete;
  ~file_of() { std::filesystem::remove(path_); }
  std::string const& path() const { return path_; }

private:
  std::string path_;
};

// A row of one-character pixels, so that field k begins in column 2 k + 1.
std::string row(std::size_t fields = pixels + 1) {
  std::string text = "7";
  for (std::size_t k = 1; k < fields; ++k) text += ",7";
  return text;
}
std::string with_field(std::size_t k, std::string const& cell) { return row().replace(2 * k, 1, cell); }

std::string error_of(std::string const& path) {
  try {
    static_cast<void>(digits::read_csv(path));
  } catch (digits::csv_error const& e) {
    return e.what();
  }
  return "no error";
}

void expect_error(std::string const& text, std::string const& where_and_what, std::string const& fix) {
  file_of const file(text);
  EXPECT_EQ(error_of(file.path()), file.path() + ":" + where_and_what + ". Fix: " + fix + ".");
}

std::string const fields_fix = "64 pixels and a label, separated by commas";

TEST(digits_csv, the_real_file) {
  auto const all = digits::read_csv(TESSERA_SOURCE_DIR "/examples/data/digits.csv");
  ASSERT_EQ(all.rows(), 1797u);
  ASSERT_EQ(all.images.size(), 1797u * pixels);
  EXPECT_EQ(all.images[2], 5.0f / 16.0f) << "its first row begins 0,0,5,13";
  EXPECT_EQ(all.images[pixels + 3], 12.0f / 16.0f) << "its second row begins 0,0,0,12";
  EXPECT_EQ((std::vector<std::int32_t>{all.labels.begin(), all.labels.begin() + 3}),
            (std::vector<std::int32_t>{0, 1, 2}));
  for (float pixel : all.images) ASSERT_TRUE(pixel >= 0 && pixel <= 1);
}

TEST(digits_csv, missing_file) {
  EXPECT_EQ(error_of("no/such/digits.csv"),
            "no/such/digits.csv: cannot be opened. Fix: give the path of digits.csv: --data FILE.");
}
TEST(digits_csv, folder_instead_of_a_file) {
  std::string const folder = TESSERA_SOURCE_DIR "/examples";
  EXPECT_EQ(error_of(folder), folder + ": cannot be read. Fix: give the path of digits.csv: --data FILE.");
}
TEST(digits_csv, empty_file) { expect_error("", "1:1: no rows", "one image a line: 64 pixels and a label"); }
TEST(digits_csv, only_blank_lines) {
  expect_error("\n\r\n", "1:1: no rows", "one image a line: 64 pixels and a label");
}

TEST(digits_csv, short_row) {
  expect_error(row() + "\n" + row(40) + "\n", "2:80: the row ends after 40 fields", fields_fix);
}
TEST(digits_csv, row_without_label) {
  expect_error(row(pixels) + "\n", "1:128: the row ends after 64 fields", fields_fix);
}
TEST(digits_csv, long_row) {
  expect_error(row() + "\n" + row() + "\n" + row(pixels + 2) + "\n", "3:130: more than 65 fields", fields_fix);
}
TEST(digits_csv, text_where_a_number_belongs) {
  expect_error(with_field(3, "six") + "\n", "1:7: 'six' is not a whole number", "every field is a whole number");
}
TEST(digits_csv, header_line) {
  expect_error("pixel_0,pixel_1\n" + row(), "1:1: 'pixel_0' is not a whole number", "every field is a whole number");
}
TEST(digits_csv, long_text_is_cut) {
  expect_error(std::string(500, 'x'), "1:1: 'xxxxxxxxxxxxxxxxxxxx...' is not a whole number",
               "every field is a whole number");
}
TEST(digits_csv, empty_field) {
  expect_error(with_field(5, ""), "1:11: '' is not a whole number", "every field is a whole number");
}
TEST(digits_csv, fraction) {
  expect_error(with_field(1, "1.5"), "1:3: '1.5' is not a whole number", "every field is a whole number");
}
TEST(digits_csv, text_as_label) {
  expect_error(with_field(pixels, "7x"), "1:129: '7x' is not a whole number", "every field is a whole number");
}
TEST(digits_csv, pixel_out_of_range) {
  expect_error(row() + "\n" + with_field(63, "17"), "2:127: pixel 17 is out of range", "pixels are 0 to 16");
}
TEST(digits_csv, pixel_below_range) {
  expect_error(with_field(0, "-1"), "1:1: pixel -1 is out of range", "pixels are 0 to 16");
}
TEST(digits_csv, pixel_beyond_all_integers) {
  expect_error(with_field(9, "99999999999"), "1:19: pixel 99999999999 is out of range", "pixels are 0 to 16");
}
TEST(digits_csv, label_out_of_range) {
  expect_error(with_field(pixels, "10"), "1:129: label 10 is out of range", "labels are 0 to 9");
}
TEST(digits_csv, blank_lines_count) {
  expect_error(row() + "\n\n" + with_field(pixels, "-2") + "\n", "3:129: label -2 is out of range",
               "labels are 0 to 9");
}

TEST(digits_csv, other_line_ends_and_a_blank_last_line) {
  for (std::string const end : {"\n", "\r\n"})
    for (std::string const last : {"", "\n", "\r\n", "\n\n"}) {
      file_of const file(with_field(0, "16") + end + with_field(pixels, "0") + last);
      auto const read = digits::read_csv(file.path());
      ASSERT_EQ(read.rows(), 2u);
      EXPECT_EQ(read.images.size(), 2 * pixels);
      EXPECT_EQ(read.images.front(), 1.0f);
      EXPECT_EQ(read.labels, (std::vector<std::int32_t>{7, 0}));
    }
  expect_error(row() + "\r\n" + row(2) + "\r\n", "2:4: the row ends after 2 fields", fields_fix);
}

}  // namespace
