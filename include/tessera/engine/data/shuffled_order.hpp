// SPDX-License-Identifier: Apache-2.0
#pragma once
// Pseudorandom permutations of 0 .. n-1.

#include <tessera/data/shuffled_order.hpp>

#include <cmath>
#include <stdexcept>
#include <string>

namespace tessera {
namespace detail {

// The finalizer of splitmix64 (Steele, Lea, Flood 2014): each bit of the result depends on each bit of z.
constexpr std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}
TESSERA_ENGINE std::uint64_t key_of(std::uint64_t key, std::uint64_t number) {
  return mixed(mixed(key + 0x9e3779b97f4a7c15u) ^ (number + 1) * 0xd1342543de82ef95u);
}
// bits * below / 2^64: maps 64 random bits to a number less than `below`, which is at most 2^32.
constexpr std::uint64_t scaled(std::uint64_t bits, std::uint64_t below) {
  return ((bits >> 32) * below + ((bits & 0xffffffffu) * below >> 32)) >> 32;
}

inline constexpr std::int64_t most_stored = 65536;
inline constexpr int feistel_rounds = 12;

}  // namespace detail

TESSERA_ENGINE shuffled_order::shuffled_order(std::int64_t n, std::uint64_t key) : n_(n), key_(detail::key_of(key, 0)) {
  if (n < 0 || n > std::int64_t{1} << 62)
    throw std::invalid_argument("tessera: shuffled_order of " + std::to_string(n) +
                                " numbers. Fix: from 0 to 2^62 of them.");
  if (n <= detail::most_stored) {
    std::vector<std::uint16_t> order(n);
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint16_t>(i);
    for (std::size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[detail::scaled(detail::key_of(key_, i), i)]);
    stored_ = std::make_shared<std::vector<std::uint16_t> const>(std::move(order));
    return;
  }
  auto const count = static_cast<std::uint64_t>(n);
  left_ = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(n)));
  while (left_ * left_ < count) ++left_;
  right_ = (count + left_ - 1) / left_;
}

TESSERA_ENGINE std::int64_t shuffled_order::operator[](std::int64_t i) const {
  if (stored_) return (*stored_)[i];
  auto at = static_cast<std::uint64_t>(i);
  do {
    std::uint64_t left = at / right_, right = at % right_;
    for (int round = 0; round < detail::feistel_rounds; round += 2) {
      auto const number = static_cast<std::uint64_t>(round);
      left += detail::scaled(detail::mixed(key_ + number * 0x9e3779b97f4a7c15u + right * 0xd1342543de82ef95u), left_);
      if (left >= left_) left -= left_;
      right += detail::scaled(detail::mixed(~key_ + number * 0x9e3779b97f4a7c15u + left * 0xd1342543de82ef95u), right_);
      if (right >= right_) right -= right_;
    }
    at = left * right_ + right;
  } while (at >= static_cast<std::uint64_t>(n_));
  return static_cast<std::int64_t>(at);
}

TESSERA_ENGINE std::pair<row_set, row_set> split_rows(std::int64_t rows, std::int64_t held_back, std::uint64_t key) {
  if (held_back < 0 || held_back > rows)
    throw std::invalid_argument("tessera: split_rows: " + std::to_string(held_back) + " of " + std::to_string(rows) +
                                " rows cannot be held back. Fix: from 0 to all of them.");
  return {row_set{rows, 0, rows - held_back, key, true}, row_set{rows, rows - held_back, held_back, key, true}};
}

}  // namespace tessera
