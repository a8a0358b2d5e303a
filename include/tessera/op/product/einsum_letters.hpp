// SPDX-License-Identifier: Apache-2.0
#pragma once
// The letters of an einsum, read from its text.

#include <tessera/base/text.hpp>
#include <tessera/op/shape/expand_dims.hpp>

namespace tessera {
namespace ops {

// The letters of an einsum: each operand's and the result's. The dimensions of "..." are digits, the last one 9.
struct einsum_letters {
  static constexpr int most = 8, kinds = 62;
  fixed_text<32> operand[most]{};
  fixed_text<32> result{};
  int operands = 0;
  bool well_formed = true;

  static constexpr int index_of(char c) { return c >= 'a' ? c - 'a' : c >= 'A' ? c - 'A' + 26 : c - '0' + 52; }
};

// Letters with at most one "...", which becomes `dims` digits; spaces are ignored.
constexpr bool read_einsum_letters(std::string_view text, int dims, fixed_text<32>& letters) {
  auto const dots = text.find("...");
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i == dots) {
      for (int k = dims; k > 0; --k) letters += static_cast<char>('9' - k + 1);
      i += 2;
    } else if ((text[i] >= 'a' && text[i] <= 'z') || (text[i] >= 'A' && text[i] <= 'Z')) {
      letters += text[i];
    } else if (text[i] != ' ') {
      return false;
    }
    if (letters.view().size() > max_rank) return false;
  }
  return true;
}
constexpr int count_einsum_letters(std::string_view text) {
  int count = 0;
  for (char c : text) count += c != ' ' && c != '.';
  return count;
}
constexpr bool each_letter_once(std::string_view letters) {
  for (std::size_t i = 0; i < letters.size(); ++i)
    if (letters.find(letters[i], i + 1) != std::string_view::npos) return false;
  return true;
}

constexpr einsum_letters parse_einsum(std::string_view text, int const* ranks, int count) {
  einsum_letters e;
  auto const arrow = text.find("->");
  std::string_view in = text.substr(0, arrow == std::string_view::npos ? text.size() : arrow);
  int dots = 0;
  while (e.operands < e.most && e.operands < count) {
    int const k = e.operands++;
    auto const comma = in.find(',');
    std::string_view const own = in.substr(0, comma);
    bool const some = own.find("...") != std::string_view::npos;
    int const left = some ? ranks[k] - count_einsum_letters(own) : 0;
    e.well_formed = e.well_formed && left >= 0 && left <= max_rank && read_einsum_letters(own, left, e.operand[k]);
    if (left > dots) dots = left;
    if (comma == std::string_view::npos) {
      e.well_formed = e.well_formed && e.operands == count;
      in = {};
      break;
    }
    in = in.substr(comma + 1);
    if (e.operands == count) e.well_formed = false;  // more operands in the text than given
  }
  if (!e.well_formed) return e;
  if (arrow != std::string_view::npos) {
    e.well_formed = read_einsum_letters(text.substr(arrow + 2), dots, e.result);
  } else {
    for (int c = '0'; c <= 'z'; ++c) {
      int seen = 0;
      for (int k = 0; k < e.operands; ++k)
        for (char own : e.operand[k].view()) seen += own == c;
      if (seen == 1 || (seen > 0 && c <= '9')) e.result += static_cast<char>(c);
    }
  }
  e.well_formed = e.well_formed && each_letter_once(e.result.view());
  for (char c : e.result.view()) {
    bool known = false;
    for (int k = 0; k < e.operands; ++k) known = known || e.operand[k].view().find(c) != std::string_view::npos;
    e.well_formed = e.well_formed && known;
  }
  return e;
}

}  // namespace ops
}  // namespace tessera
