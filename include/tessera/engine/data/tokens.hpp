// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads files of tokens.

#include <tessera/data/tokens.hpp>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace tessera {
namespace detail {

class token_rows final : public row_source {
public:
  token_rows(mapped_file file, dtype stored, dtype wanted, token_runs const& runs, std::int64_t shift)
      : file_(std::move(file)), stored_(stored), wanted_(wanted), runs_(runs), shift_(shift) {
    if (runs_.apart == 0) runs_.apart = runs_.length;
    std::int64_t const tokens = file_.size() / bytes_of(stored);
    count_ = tokens > runs_.length ? (tokens - 1 - runs_.length) / runs_.apart + 1 : 0;
    auto const highest = static_cast<std::uint64_t>(wanted == dtype::uint64 ? INT64_MAX : highest_integer(wanted));
    below_ = runs_.vocabulary > 0 ? std::min(static_cast<std::uint64_t>(runs_.vocabulary), highest + 1) : highest + 1;
  }
  std::int64_t count() const override { return count_; }
  dtype element() const override { return wanted_; }
  extents_list extents() const override {
    extents_list one;
    one.push_back(runs_.length);
    return one;
  }
  void read(std::int64_t row, region const& part, std::byte* out) const override {
    std::int64_t const first = row * runs_.apart + shift_ + part[0].start;
    stored_ == dtype::uint16 ? convert<std::uint16_t>(first, part[0].size(), out)
                             : convert<std::uint32_t>(first, part[0].size(), out);
  }

private:
  template <class Stored>
  void convert(std::int64_t first, std::int64_t n, std::byte* out) const {
    switch (bytes_of(wanted_)) {
      case 1: return convert_to<Stored, std::uint8_t>(first, n, out);
      case 2: return convert_to<Stored, std::uint16_t>(first, n, out);
      case 4: return convert_to<Stored, std::uint32_t>(first, n, out);
      default: return convert_to<Stored, std::uint64_t>(first, n, out);
    }
  }
  template <class Stored, class Wanted>
  void convert_to(std::int64_t first, std::int64_t n, std::byte* out) const {
    std::vector<Stored> tokens(n);
    file_.read(first * static_cast<std::int64_t>(sizeof(Stored)), tokens.size() * sizeof(Stored), tokens.data());
    std::uint64_t highest = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      Stored const token = tokens[i];
      auto const value = static_cast<Wanted>(token);
      std::memcpy(out + i * static_cast<std::int64_t>(sizeof value), &value, sizeof value);
      highest = std::max<std::uint64_t>(highest, token);
    }
    if (highest >= below_) refuse(first, tokens);
  }
  template <class Stored>
  [[noreturn]] void refuse(std::int64_t first, std::vector<Stored> const& tokens) const {
    auto const found = std::find_if(tokens.begin(), tokens.end(), [&](Stored token) { return token >= below_; });
    Stored const token = *found;
    std::int64_t const at = (first + (found - tokens.begin())) * static_cast<std::int64_t>(sizeof(Stored));
    bad_file(file_.path(), at, "token " + std::to_string(token) + " is not below " + std::to_string(below_),
             runs_.vocabulary > 0 ? "a file of this vocabulary, or uint16 and uint32 told apart"
                                  : "a wider type: sequences<std::int32_t> or <std::uint32_t>");
  }

  mapped_file file_;
  dtype stored_, wanted_;
  token_runs runs_;
  std::int64_t shift_, count_ = 0;
  std::uint64_t below_ = 0;
};

}  // namespace detail

TESSERA_ENGINE token_file::token_file(mapped_file const& file, dtype stored) : file_(file), stored_(stored) {
  if (stored != dtype::uint16 && stored != dtype::uint32)
    throw std::invalid_argument("tessera: token_file: tokens are stored as uint16 or uint32, not as " +
                                std::string(name_of(stored)) + ". Fix: dtype::uint16 or dtype::uint32.");
  int const bytes = bytes_of(stored);
  if (file_.size() == 0) detail::bad_file(file.path(), 0, "the file is empty", "a file of tokens");
  if (auto const over = file_.size() % bytes; over != 0)
    detail::bad_file(file.path(), file_.size() - over,
                     "the file ends within a token of " + std::to_string(bytes) + " bytes",
                     "the whole file, or the type that its tokens have");
}

TESSERA_ENGINE std::shared_ptr<row_source const> token_file::rows(token_runs const& runs, std::int64_t shift,
                                                                  dtype wanted) const {
  if (!is_integer(wanted))
    throw std::invalid_argument("tessera: token_file: tokens are whole numbers. Fix: sequences<std::int32_t>().");
  if (runs.length < 1 || runs.apart < 0 || runs.vocabulary < 0)
    throw std::invalid_argument(
        "tessera: token_file: runs have a length of 1 or more, and neither their distance nor the vocabulary is negative. "
        "Fix: sequences({.length = 1024}).");
  if (count() <= runs.length)
    detail::bad_file(file_.path(), file_.size(),
                     "the file ends after " + std::to_string(count()) + " tokens, and a run has " +
                         std::to_string(runs.length) + " and a next one",
                     "a shorter run or a longer file");
  return std::make_shared<detail::token_rows>(file_, stored_, wanted, runs, shift);
}

}  // namespace tessera
