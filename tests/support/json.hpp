// SPDX-License-Identifier: Apache-2.0
#pragma once
// A small JSON reader for test data: what conformance files hold, no more (no \u escapes beyond Latin).

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace json {

struct value {
  enum class kind { null, boolean, number, text, list, object } is = kind::null;
  bool flag = false;
  bool whole = false;  // written without fraction or exponent
  double number = 0;
  std::string text;
  std::vector<value> items;
  std::map<std::string, value> fields;

  bool null() const { return is == kind::null; }
  bool has(std::string const& name) const { return fields.count(name) != 0; }
  value const& operator[](std::string const& name) const {
    static value const nothing;
    auto const found = fields.find(name);
    return found == fields.end() ? nothing : found->second;
  }
  value const& operator[](std::size_t i) const { return items.at(i); }
  std::size_t size() const { return items.size(); }
  long long integer() const { return static_cast<long long>(number); }
};

class reader {
public:
  explicit reader(std::string_view source) : rest_(source) {}
  value read() {
    space();
    if (rest_.empty()) throw std::runtime_error("json: text ends early");
    value v;
    switch (rest_.front()) {
      case '{':
        v.is = value::kind::object;
        for (bool more = open('}'); more; more = next('}')) {
          std::string name = string();
          expect(':');
          v.fields[name] = read();
        }
        return v;
      case '[':
        v.is = value::kind::list;
        for (bool more = open(']'); more; more = next(']')) v.items.push_back(read());
        return v;
      case '"':
        v.is = value::kind::text;
        v.text = string();
        return v;
      default: return word();
    }
  }

private:
  void space() {
    while (!rest_.empty() && std::string_view(" \t\r\n").find(rest_.front()) != std::string_view::npos)
      rest_.remove_prefix(1);
  }
  void expect(char c) {
    space();
    if (rest_.empty() || rest_.front() != c) throw std::runtime_error(std::string("json: expected ") + c);
    rest_.remove_prefix(1);
    space();
  }
  bool open(char close) {
    rest_.remove_prefix(1);
    space();
    if (rest_.empty() || rest_.front() != close) return true;
    rest_.remove_prefix(1);
    return false;
  }
  bool next(char close) {
    space();
    if (!rest_.empty() && rest_.front() == close) {
      rest_.remove_prefix(1);
      return false;
    }
    expect(',');
    return true;
  }
  std::string string() {
    expect('"');
    std::string out;
    while (!rest_.empty() && rest_.front() != '"') {
      char c = rest_.front();
      rest_.remove_prefix(1);
      if (c == '\\' && !rest_.empty()) {
        c = rest_.front();
        rest_.remove_prefix(1);
        if (c == 'n') c = '\n';
        if (c == 't') c = '\t';
        if (c == 'u') {
          out += static_cast<char>(std::stoi(std::string(rest_.substr(0, 4)), nullptr, 16));
          rest_.remove_prefix(4);
          continue;
        }
      }
      out += c;
    }
    if (rest_.empty()) throw std::runtime_error("json: a string does not end");
    rest_.remove_prefix(1);
    return out;
  }
  value word() {
    auto const end = rest_.find_first_of(",]} \t\r\n");
    std::string const text(rest_.substr(0, end));
    rest_.remove_prefix(text.size());
    value v;
    if (text == "null") return v;
    if (text == "true" || text == "false") {
      v.is = value::kind::boolean;
      v.flag = text == "true";
      return v;
    }
    v.is = value::kind::number;
    v.number = text == "NaN" ? 0 : std::stod(text);
    v.whole = text.find_first_of(".eEN") == std::string::npos;
    return v;
  }
  std::string_view rest_;
};

inline value parse(std::string_view text) { return reader(text).read(); }

}  // namespace json
