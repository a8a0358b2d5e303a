// SPDX-License-Identifier: Apache-2.0
#pragma once
// Numbers and strings as JSON, and back: leaves of a tree that are not arrays, in a checkpoint's index.

#include <tessera/base/config.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::detail {

// Numbers that are not finite are "nan", "inf" or "-inf"; every other number is read back exactly.
std::string json_of(bool value);
std::string json_of(std::int64_t value);
std::string json_of(std::uint64_t value);
std::string json_of(double value);
std::string json_of(std::string_view value);
std::string json_list(std::vector<std::string> const& items);

// Throw checkpoint_error if the JSON text has another type, or a number out of range; `where` begins the message.
void read_json(std::string_view json, bool& value, std::string_view where);
void read_json(std::string_view json, std::int64_t& value, std::string_view where);
void read_json(std::string_view json, std::uint64_t& value, std::string_view where);
void read_json(std::string_view json, double& value, std::string_view where);
void read_json(std::string_view json, std::string& value, std::string_view where);
std::vector<std::string> read_json_list(std::string_view json, std::string_view where);
[[noreturn]] void number_outside(std::string_view json, std::string_view where);

}  // namespace tessera::detail
