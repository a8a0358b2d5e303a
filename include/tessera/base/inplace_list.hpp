// SPDX-License-Identifier: Apache-2.0
#pragma once
// A short list with a fixed capacity, a plain value: dimension lists, extents, permutations.

#include <tessera/base/config.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>

namespace tessera {

namespace detail {
// Not constexpr: what reaches it while compiling does not compile.
[[noreturn]] TESSERA_COLD inline void list_is_full(int capacity) {
  throw std::length_error("tessera: a list of at most " + std::to_string(capacity) +
                          " items is full. Fix: fewer dimensions or axes; report it where there are at most 8.");
}
}  // namespace detail

// Members are plain arrays: in constant evaluation each call costs, and std::array's [] is two of them.
template <class T, int Capacity>
struct inplace_list {
  T items[Capacity]{};
  int count = 0;

  constexpr inplace_list() = default;
  // g++ 12: not into a member of a const aggregate that is a local variable of a constexpr function.
  constexpr inplace_list(std::initializer_list<T> list) {
    if (list.size() > static_cast<std::size_t>(Capacity)) detail::list_is_full(Capacity);
    for (T const& item : list) items[count++] = item;
  }

  static constexpr int capacity() { return Capacity; }
  constexpr int size() const { return count; }
  constexpr bool empty() const { return count == 0; }
  // Beyond the capacity: not a constant expression, and at run time std::length_error.
  constexpr void push_back(T item) {
    if (count >= Capacity) detail::list_is_full(Capacity);
    items[count++] = item;
  }
  constexpr T& operator[](int i) { return items[i]; }
  constexpr T const& operator[](int i) const { return items[i]; }
  constexpr T const* begin() const { return items; }
  constexpr T const* end() const { return items + count; }
  constexpr bool contains(T item) const { return find(item) >= 0; }
  // The first position of `item`, or -1.
  constexpr int find(T item) const {
    for (int i = 0; i < count; ++i)
      if (items[i] == item) return i;
    return -1;
  }
  constexpr bool operator==(inplace_list const& other) const {
    if (count != other.count) return false;
    for (int i = 0; i < count; ++i)
      if (!(items[i] == other.items[i])) return false;
    return true;
  }
};

inline constexpr int max_rank = 8;  // dimensions of an array, axes of a mesh

// One T for each dimension of an array or axis of a mesh.
template <class T>
struct by_dim {
  T items[max_rank]{};

  static constexpr int size() { return max_rank; }
  constexpr T& operator[](std::ptrdiff_t d) { return items[d]; }
  constexpr T const& operator[](std::ptrdiff_t d) const { return items[d]; }
  constexpr T const* data() const { return items; }
  constexpr T* begin() { return items; }
  constexpr T* end() { return items + max_rank; }
  constexpr T const* begin() const { return items; }
  constexpr T const* end() const { return items + max_rank; }
  constexpr bool operator==(by_dim const&) const = default;
};

using extents_list = inplace_list<std::int64_t, max_rank>;

inline constexpr std::int64_t dynamic = -1;  // a size known only when the program runs

}  // namespace tessera
