// SPDX-License-Identifier: Apache-2.0
// examples/digits/options.hpp: what the command line sets, and the text of each error in it.

#define DIGITS_CSV "built_in.csv"
#include "../../examples/digits/options.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace {

digits::options read(std::vector<std::string> words) {
  std::vector<char*> argv{const_cast<char*>("digits")};
  for (std::string& word : words) argv.push_back(word.data());
  return digits::read_options(static_cast<int>(argv.size()), argv.data());
}
std::string error_of(std::vector<std::string> words) {
  try {
    read(std::move(words));
  } catch (std::invalid_argument const& e) {
    return e.what();
  }
  return "no error";
}

TEST(digits_options, without_any) {
  auto const o = read({});
  EXPECT_EQ(o.data, "built_in.csv");
  EXPECT_EQ(o.model, "standard");
  EXPECT_EQ(o.seeds, 1);
  EXPECT_TRUE(o.pictures);
}

TEST(digits_options, all) {
  auto const o = read({"--quiet", "--data", "a.csv", "--model", "wide", "--epochs", "3", "--learning-rate", "1e-2",
                       "--seed", "7", "--seeds", "5"});
  EXPECT_FALSE(o.pictures);
  EXPECT_EQ(o.data, "a.csv");
  EXPECT_EQ(o.model, "wide");
  EXPECT_EQ(o.epochs, 3);
  EXPECT_EQ(o.learning_rate, 1e-2);
  EXPECT_EQ(o.seed, 7);
  EXPECT_EQ(o.seeds, 5);
}

TEST(digits_options, every_option_is_in_the_usage) {
  std::string const usage = digits::usage;
  for (std::string const name : {"--data", "--model", "--epochs", "--learning-rate", "--seed", "--seeds", "--quiet"})
    EXPECT_NE(usage.find("[" + name), std::string::npos) << name;
  EXPECT_EXIT(read({"--epochs", "3", "--help"}), testing::ExitedWithCode(0), "");
}

TEST(digits_options, unknown) {
  EXPECT_EQ(error_of({"--epoch", "3"}), "--epoch: unknown option. --help lists them.");
  EXPECT_EQ(error_of({"digits.csv"}), "digits.csv: unknown option. --help lists them.");
}
TEST(digits_options, value_missing) {
  for (std::string const name : {"--data", "--model", "--epochs", "--learning-rate", "--seed", "--seeds"})
    EXPECT_EQ(error_of({"--quiet", name}), name + ": its value is missing.");
}
TEST(digits_options, unknown_model) {
  EXPECT_EQ(error_of({"--model", "tiny"}), "--model tiny: not one of standard, wide, deep.");
}
TEST(digits_options, not_a_number) {
  for (std::string const name : {"--epochs", "--seed", "--seeds"})
    for (std::string const text : {"", "three", "3x", "1.5", "0", "-3", "+3", "3000000000"})
      EXPECT_EQ(error_of({name, text}), name + " " + text + ": not a whole number from 1 to 2147483647.");
  for (std::string const text : {"", "fast", "0", "-0.1", "nan", "inf", "1e999", "0.1."})
    EXPECT_EQ(error_of({"--learning-rate", text}), "--learning-rate " + text + ": not a positive, finite number.");
}
TEST(digits_options, seeds_beyond_the_largest) {
  EXPECT_EQ(error_of({"--seed", "2147483647"}), "--seed 2147483647 --seeds 1: together they are too large.");
  EXPECT_EQ(read({"--seed", "2147483646"}).seed, 2147483646);
}

}  // namespace
