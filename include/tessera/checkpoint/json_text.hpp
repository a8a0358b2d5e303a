// SPDX-License-Identifier: Apache-2.0
#pragma once
// Numbers and texts as JSON, and back: what a checkpoint's index has of a tree's leaves that are no arrays.

#include <tessera/base/config.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::detail {

// What is not finite is "nan", "inf" or "-inf"; every other number is read back to the bit.
std::string json_of(bool value);
std::string json_of(std::int64_t value);
std::string json_of(std::uint64_t value);
std::string json_of(double value);
std::string json_of(std::string_view value);
std::string json_list(std::vector<std::string> const& items);

// Throw checkpoint_error when the JSON text is of something else, or of a number outside; `where` begins the message.
void read_json(std::string_view json, bool& value, std::string_view where);
void read_json(std::string_view json, std::int64_t& value, std::string_view where);
void read_json(std::string_view json, std::uint64_t& value, std::string_view where);
void read_json(std::string_view json, double& value, std::string_view where);
void read_json(std::string_view json, std::string& value, std::string_view where);
std::vector<std::string> read_json_list(std::string_view json, std::string_view where);
[[noreturn]] void number_outside(std::string_view json, std::string_view where);

}  // namespace tessera::detail
