// SPDX-License-Identifier: Apache-2.0
#pragma once
// EXPECT_THROW_TEXT(expression, "part of what()"): it throws a std::exception whose message holds that text.

#include <gtest/gtest.h>

#include <exception>
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

}  // namespace tessera::testing

#define EXPECT_THROW_TEXT(expression, text) \
  EXPECT_TRUE(::tessera::testing::throws_text([&] { static_cast<void>(expression); }, text))
