// SPDX-License-Identifier: Apache-2.0
#pragma once
// A dense array on no device: extents and row-major doubles. What the library computes is compared with these.
// The oracle is slow and plain on purpose, and shares no code with the library.

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace oracle {

using ints = std::vector<std::int64_t>;  // an index, extents, or a list of dims

inline std::int64_t product(ints const& extents) {
  std::int64_t count = 1;
  for (auto e : extents) count *= e;
  return count;
}

inline void require(bool holds, std::string const& what) {
  if (!holds) throw std::invalid_argument("oracle: " + what);
}

// A dim counted from the front; -1 is the last.
inline std::int64_t dim_from_front(std::int64_t dim, std::int64_t rank) {
  require(-rank <= dim && dim < rank, "no dim " + std::to_string(dim) + " in rank " + std::to_string(rank));
  return dim < 0 ? dim + rank : dim;
}

struct tensor {
  ints extents;              // none: a scalar
  std::vector<double> data;  // row-major

  tensor(double value = 0) : data{value} {}
  tensor(ints e, std::vector<double> values) : extents(std::move(e)), data(std::move(values)) {
    require(product(extents) == static_cast<std::int64_t>(data.size()), "as many values as the extents say");
  }

  std::int64_t rank() const { return static_cast<std::int64_t>(extents.size()); }
  std::int64_t size() const { return static_cast<std::int64_t>(data.size()); }

  std::int64_t offset(ints const& at) const {
    std::int64_t o = 0;
    for (std::size_t d = 0; d < extents.size(); ++d) o = o * extents[d] + at[d];
    return o;
  }
  double& operator[](ints const& at) { return data.at(offset(at)); }
  double operator[](ints const& at) const { return data.at(offset(at)); }
  double item() const {
    require(size() == 1, "item() wants one value");
    return data[0];
  }

  friend bool operator==(tensor const&, tensor const&) = default;
};

// f(index) for each index of an array of these extents, in row-major order.
template <class F>
void for_each_index(ints const& extents, F f) {
  ints at(extents.size(), 0);
  for (auto left = product(extents); left > 0; --left) {
    f(std::as_const(at));
    for (std::size_t d = extents.size(); d-- > 0;) {
      if (++at[d] < extents[d]) break;
      at[d] = 0;
    }
  }
}

// The array whose value at each index is f(index): most operations are one of these.
template <class F>
tensor generate(ints const& extents, F f) {
  tensor out(extents, std::vector<double>(product(extents)));
  std::size_t n = 0;
  for_each_index(extents, [&](ints const& at) { out.data[n++] = f(at); });
  return out;
}

inline tensor full(ints const& extents, double value) {
  return {extents, std::vector<double>(product(extents), value)};
}
inline tensor zeros(ints const& extents) { return full(extents, 0); }
inline tensor ones(ints const& extents) { return full(extents, 1); }

// 0, 1, 2, ... along one dim, the same along the others.
inline tensor iota(ints const& extents, std::int64_t dim = 0) {
  auto const d = dim_from_front(dim, static_cast<std::int64_t>(extents.size()));
  return generate(extents, [&](ints const& at) { return static_cast<double>(at[d]); });
}

inline tensor arange(std::int64_t count) { return iota({count}); }

// Values without pattern in low .. high, the same on every run: for test inputs.
inline tensor scattered(ints const& extents, double low = -1, double high = 1, std::uint64_t seed = 1) {
  std::uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
  return generate(extents, [&](ints const&) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * static_cast<double>(state >> 33) / 2147483648.0;
  });
}

template <class T>
tensor from(ints const& extents, std::vector<T> const& values) {
  return {extents, std::vector<double>(values.begin(), values.end())};
}

}  // namespace oracle
