// SPDX-License-Identifier: Apache-2.0
// examples/digits: the split holds each row once and bad files are refused with line and column.

#include "../../examples/digits/dataset.hpp"

#include <tessera/data.hpp>

#include "support/file_of.hpp"

#include <set>

namespace {

using tessera::testing::file_of;

TEST(digits_dataset, the_split_holds_each_row_once) {
  digits::data_set const data(TESSERA_SOURCE_DIR "/examples/data/digits.csv");
  auto const [train, test] = data.split(3);
  EXPECT_EQ(train.count + test.count, 1797);
  EXPECT_EQ(test.count, 449);
  tessera::shuffled_order const order(train.all, train.key);
  std::set<std::int64_t> seen;
  for (auto const& set : {train, test})
    for (std::int64_t i = 0; i < set.count; ++i) seen.insert(order[set.first + i]);
  EXPECT_EQ(seen.size(), 1797u);
  EXPECT_NE(data.split(4).first.key, train.key);
}

TEST(digits_dataset, bad_files) {
  std::string row = "7";
  for (int k = 1; k < 65; ++k) row += ",7";
  auto const error_of = [](std::string const& text) {
    file_of const file(text, ".csv");
    std::string const said =
        tessera::testing::said_by<tessera::file_error>([&] { digits::data_set const data(file.path()); });
    return said.substr(file.path().size());
  };
  EXPECT_EQ(error_of(row + "\n17" + row.substr(1)),
            ":2:1: '17' is out of range. Fix: every field is a number of float32 from 0 to 16.");
  EXPECT_EQ(error_of(row + "0\n"), ":1:129: '70' is out of range. Fix: every field is a number of int32 from 0 to 9.");
}

}  // namespace
