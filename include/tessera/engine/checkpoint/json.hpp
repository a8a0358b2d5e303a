// SPDX-License-Identifier: Apache-2.0
#pragma once
// A strict JSON reader (RFC 8259) that reads from front to back and builds no tree, so its memory is bounded by what
// the caller keeps. It refuses, with file and byte: anything outside of the grammar, invalid UTF-8, a lone surrogate,
// nesting deeper than 32.

#include <tessera/base/text.hpp>
#include <tessera/checkpoint/checkpoint_error.hpp>
#include <tessera/engine/base/append_json.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::detail {

// A name from a file, for a message: any bytes, at most 80 of them.
inline void append_shown(std::string& out, std::string_view name) {
  constexpr std::size_t most = 80;
  std::size_t end = name.size();
  if (end > most)
    for (end = most; end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80;) --end;
  append_json(out, name.substr(0, end));
  if (end < name.size()) out += "...";
}

class json_reader {
public:
  static constexpr int deepest = 32;

  json_reader(std::string_view text, std::string_view where) : text_(text), where_(where) {}

  // Calls f(key) for each member; f reads the value.
  template <class F>
  void object(F const& f) {
    open('{');
    if (!take('}')) {
      do {
        std::string const key = string();
        need(':');
        f(key);
      } while (take(','));
      need('}');
    }
    --depth_;
  }
  // An object of the library's own formats: no key twice, at most 64 keys.
  template <class F>
  void record(F const& f) {
    std::vector<std::string> seen;
    object([&](std::string const& key) {
      if (std::find(seen.begin(), seen.end(), key) != seen.end()) fail("a key stands twice");
      if (seen.size() == 64) fail("more than 64 keys");
      seen.push_back(key);
      f(key);
    });
  }
  // Calls f() for each item; f reads it.
  template <class F>
  void array(F const& f) {
    open('[');
    if (!take(']')) {
      do f();
      while (take(','));
      need(']');
    }
    --depth_;
  }
  std::string string() {
    std::string out;
    need('"');
    while (true) {
      if (at_ == text_.size()) fail("a string does not end");
      auto const c = static_cast<unsigned char>(text_[at_]);
      if (c == '"') break;
      if (c < 0x20) fail("a control character in a string");
      if (c == '\\')
        escape(out);
      else if (c < 0x80)
        out += text_[at_++];
      else
        utf8(out);
    }
    ++at_;
    return out;
  }
  // A non-negative integer, such as a size or an offset.
  std::int64_t size() {
    auto const digits = number();
    std::int64_t value = 0;
    for (char c : digits) {
      if (c < '0' || c > '9') fail("a size is a whole number that is not negative");
      if (value > (std::numeric_limits<std::int64_t>::max() - (c - '0')) / 10) fail("a size beyond 63 bits");
      value = value * 10 + (c - '0');
    }
    return value;
  }
  std::string_view number() {
    space();
    std::size_t const from = at_;
    if (at_ < text_.size() && text_[at_] == '-') ++at_;
    if (at_ < text_.size() && text_[at_] == '0')
      ++at_;
    else
      digits();
    if (at_ < text_.size() && text_[at_] == '.') {
      ++at_;
      digits();
    }
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      ++at_;
      if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
      digits();
    }
    return text_.substr(from, at_ - from);
  }
  bool boolean() {
    if (word("true")) return true;
    if (!word("false")) fail("true or false is expected");
    return false;
  }
  // Reads null if it is the next value; false if it is not.
  bool null() { return word("null"); }
  // The first character of the next value; 0 at the end.
  char peek() {
    space();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  // Reads any value and returns its text.
  std::string_view any() {
    space();
    std::size_t const from = at_;
    switch (peek()) {
      case '{': object([&](std::string const&) { any(); }); break;
      case '[': array([&] { any(); }); break;
      case '"': string(); break;
      case 't':
      case 'f': boolean(); break;
      case 'n':
        if (!null()) fail("a value is expected");
        break;
      default: number();
    }
    return text_.substr(from, at_ - from);
  }
  // Throws unless only white space is left.
  void end() {
    space();
    if (at_ != text_.size()) fail("something follows the end");
  }
  [[noreturn]] TESSERA_COLD void fail(std::string_view what) const {
    std::string text(what);
    text += ", at byte ";
    append_number(text, static_cast<std::int64_t>(at_));
    text += " of its JSON";
    refuse_checkpoint(where_, text, "another copy of the file, this one is damaged or no such file");
  }

private:
  void space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t'))
      ++at_;
  }
  bool take(char c) {
    space();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void need(char c) {
    if (take(c)) return;
    std::string what = "'";
    what += c;
    what += "' is expected";
    fail(what);
  }
  void open(char c) {
    need(c);
    if (++depth_ > deepest) fail("nested deeper than 32");
  }
  void digits() {
    std::size_t const from = at_;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
    if (at_ == from) fail("a digit is expected");
  }
  bool word(std::string_view expected) {
    space();
    if (text_.substr(at_, expected.size()) != expected) return false;
    at_ += expected.size();
    return true;
  }
  std::uint32_t hex4() {
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      char const c = at_ < text_.size() ? text_[at_] : '\0';
      if (c >= '0' && c <= '9')
        value = value * 16 + static_cast<std::uint32_t>(c - '0');
      else if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))
        value = value * 16 + static_cast<std::uint32_t>((c | 0x20) - 'a' + 10);
      else
        fail("\\u without four hexadecimal digits");
    }
    return value;
  }
  void escape(std::string& out) {
    ++at_;
    char const c = at_ < text_.size() ? text_[at_++] : '\0';
    switch (c) {
      case '"':
      case '\\':
      case '/': out += c; return;
      case 'b': out += '\b'; return;
      case 'f': out += '\f'; return;
      case 'n': out += '\n'; return;
      case 'r': out += '\r'; return;
      case 't': out += '\t'; return;
      case 'u': break;
      default: fail("an unknown escape");
    }
    std::uint32_t code = hex4();
    if (code >= 0xDC00 && code < 0xE000) fail("half a surrogate pair");
    if (code >= 0xD800 && code < 0xDC00) {
      if (text_.substr(at_, 2) != "\\u") fail("half a surrogate pair");
      at_ += 2;
      std::uint32_t const low = hex4();
      if (low < 0xDC00 || low >= 0xE000) fail("half a surrogate pair");
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    int const more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    constexpr std::uint32_t heads[]{0x00, 0xC0, 0xE0, 0xF0};
    out += static_cast<char>(heads[more] | (code >> (6 * more)));
    for (int i = more - 1; i >= 0; --i) out += static_cast<char>(0x80 | ((code >> (6 * i)) & 0x3F));
  }
  // One character of two bytes or more, in its shortest form.
  void utf8(std::string& out) {
    auto const byte = [&](std::size_t i) -> std::uint32_t {
      return at_ + i < text_.size() ? static_cast<unsigned char>(text_[at_ + i]) : 0u;
    };
    std::uint32_t const head = byte(0);
    std::size_t const more = head >= 0xF0 ? 3 : head >= 0xE0 ? 2 : 1;
    std::uint32_t code = head & (0x3Fu >> more);
    bool good = head >= 0xC2 && head <= 0xF4;
    for (std::size_t i = 1; i <= more; ++i) {
      good = good && (byte(i) & 0xC0) == 0x80;
      code = code << 6 | (byte(i) & 0x3F);
    }
    constexpr std::uint32_t least[]{0, 0x80, 0x800, 0x10000};
    if (!good || code < least[more] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) fail("invalid UTF-8");
    out += text_.substr(at_, more + 1);
    at_ += more + 1;
  }

  std::string_view text_, where_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace tessera::detail
