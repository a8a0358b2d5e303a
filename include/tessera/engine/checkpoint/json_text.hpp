// SPDX-License-Identifier: Apache-2.0
#pragma once
// Definitions of checkpoint/json_text.hpp.

#include <tessera/checkpoint/json_text.hpp>
#include <tessera/engine/checkpoint/json.hpp>

#include <charconv>
#include <cmath>
#include <system_error>

namespace tessera::detail {

template <class Number>
std::string number_as_json(Number value) {
  char text[40];
  auto const end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}
TESSERA_ENGINE std::string json_of(bool value) { return value ? "true" : "false"; }
TESSERA_ENGINE std::string json_of(std::int64_t value) { return number_as_json(value); }
TESSERA_ENGINE std::string json_of(std::uint64_t value) { return number_as_json(value); }
TESSERA_ENGINE std::string json_of(double value) {
  if (std::isnan(value)) return "\"nan\"";
  if (std::isinf(value)) return value > 0 ? "\"inf\"" : "\"-inf\"";
  return number_as_json(value);
}
TESSERA_ENGINE std::string json_of(std::string_view value) {
  std::string text;
  append_json(text, value);
  json_reader(text, "a text").string();  // refuses invalid UTF-8 on saving, not on reading
  return text;
}
TESSERA_ENGINE std::string json_list(std::vector<std::string> const& items) {
  std::string text = "[";
  for (auto const& item : items) {
    if (text.size() > 1) text += ",";
    text += item;
  }
  text += "]";
  return text;
}

[[noreturn]] TESSERA_ENGINE void number_outside(std::string_view json, std::string_view where) {
  std::string what(json.substr(0, 40));
  what += " is not one of the numbers of its type in the program";
  refuse_checkpoint(where, what, "the type that it was saved with");
}

template <class Number>
void read_whole_number(std::string_view json, Number& value, std::string_view where) {
  json_reader reader(json, where);
  auto const text = reader.number();
  reader.end();
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) number_outside(json, where);
}
TESSERA_ENGINE void read_json(std::string_view json, std::int64_t& value, std::string_view where) {
  read_whole_number(json, value, where);
}
TESSERA_ENGINE void read_json(std::string_view json, std::uint64_t& value, std::string_view where) {
  read_whole_number(json, value, where);
}
TESSERA_ENGINE void read_json(std::string_view json, double& value, std::string_view where) {
  if (json == "\"nan\"")
    value = std::numeric_limits<double>::quiet_NaN();
  else if (json == "\"inf\"" || json == "\"-inf\"")
    value = json == "\"inf\"" ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
  else
    read_whole_number(json, value, where);
}
TESSERA_ENGINE void read_json(std::string_view json, bool& value, std::string_view where) {
  json_reader reader(json, where);
  value = reader.boolean();
  reader.end();
}
TESSERA_ENGINE void read_json(std::string_view json, std::string& value, std::string_view where) {
  json_reader reader(json, where);
  value = reader.string();
  reader.end();
}
TESSERA_ENGINE std::vector<std::string> read_json_list(std::string_view json, std::string_view where) {
  std::vector<std::string> items;
  json_reader reader(json, where);
  reader.array([&] { items.emplace_back(reader.any()); });
  reader.end();
  return items;
}

}  // namespace tessera::detail
