// SPDX-License-Identifier: Apache-2.0
#pragma once
// EXPECT_THROW_TEXT(expression, "part of what()"): it throws a std::exception whose message holds that text.
// thrown_text<Error>(f): the message of the Error that f() throws, or "". marked_line(__FILE__, "log"): "file.cpp:31", the
// line of this file that ends with the comment `// at log`.

#include <gtest/gtest.h>

#include <exception>
#include <filesystem>
#include <fstream>
#include <string>

namespace tessera::testing {

template <class Function>
::testing::AssertionResult throws_text(Function function, std::string const& text) {
  try {
    function();
  } catch (std::exception const& error) {
    std::string const what = error.what();
    if (what.find(text) != std::string::npos) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << "the message is: " << what;
  }
  return ::testing::AssertionFailure() << "nothing was thrown";
}

template <class Error, class Function>
std::string thrown_text(Function const& function) {
  try {
    function();
  } catch (Error const& error) {
    return error.what();
  }
  return {};
}

inline std::string marked_line(std::filesystem::path const& source, std::string const& name) {
  std::ifstream file(source);
  int number = 0;
  for (std::string line; std::getline(file, line);)
    if (++number; line.ends_with("// at " + name)) return source.filename().string() + ":" + std::to_string(number);
  return "no line has " + name;
}

}  // namespace tessera::testing

#define EXPECT_THROW_TEXT(expression, text) \
  EXPECT_TRUE(::tessera::testing::throws_text([&] { static_cast<void>(expression); }, text))
