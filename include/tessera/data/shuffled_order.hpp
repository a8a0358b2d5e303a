// SPDX-License-Identifier: Apache-2.0
#pragma once
// shuffled_order(n, key): 0 .. n-1 in an order that depends on the key, each number once; order[i] is computed, not
// stored.
// The same for any number of processes and devices, on every compiler.
// Up to 65,536 numbers it is a shuffle in memory (Fisher and Yates): every order is as likely as any other. Beyond, it
// is a Feistel network of 12 rounds on a x b >= n numbers, a and b near the root of n, walked until the number is below
// n (Black and Rogaway, Ciphers with Arbitrary Finite Domains, 2002): every number is equally likely at every place,
// and tests find no dependence of pairs and neighbors; 2^64 of all n! orders are possible, as for every 64-bit key.

#include <tessera/base/config.hpp>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace tessera {

class shuffled_order {
public:
  // 0 <= n <= 2^62, checked.
  shuffled_order(std::int64_t n, std::uint64_t key);

  std::int64_t size() const { return n_; }
  // Precondition: 0 <= i < size().
  std::int64_t operator[](std::int64_t i) const;

private:
  std::int64_t n_;
  std::uint64_t key_, left_ = 1, right_ = 1;
  std::shared_ptr<std::vector<std::uint16_t> const> stored_;
};

// Some of a data set's rows: `count` of them from `first` on, in their order or in one that a key decides.
struct row_set {
  std::int64_t all = 0, first = 0, count = 0;
  std::uint64_t key = 0;
  bool shuffled = false;
};

// All rows as two disjoint sets: the others, and `held_back` of them that the key chooses.
// Throws std::invalid_argument unless 0 <= held_back <= rows.
std::pair<row_set, row_set> split_rows(std::int64_t rows, std::int64_t held_back, std::uint64_t key);

namespace detail {
// Another key for each number; results with one are independent of those with the next.
std::uint64_t key_of(std::uint64_t key, std::uint64_t number);
}  // namespace detail

}  // namespace tessera
