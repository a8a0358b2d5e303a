// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sorting along one dimension by unsigned keys in the order of the values, by digits: on the host.

#include <tessera/aval/complex.hpp>
#include <tessera/aval/dtype.hpp>
#include <tessera/op/index/sorting.hpp>

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace tessera::ops::sorting {

__extension__ using longest_word = unsigned __int128;
template <int Bytes>
using word = std::conditional_t<
    Bytes == 1, std::uint8_t,
    std::conditional_t<
        Bytes == 2, std::uint16_t,
        std::conditional_t<Bytes == 4, std::uint32_t, std::conditional_t<Bytes == 8, std::uint64_t, longest_word>>>>;
template <class T>
using key_of = word<sizeof(T)>;

// Keys are ordered as values are; NaN is the largest. The keys are exact: -0 is less than 0, so that values can be
// restored from keys.
template <bool Exact, class T>
TESSERA_FUNCTION key_of<T> key(T value) {
  using K = key_of<T>;
  constexpr K sign = static_cast<K>(K{1} << (sizeof(T) * 8 - 1));
  K const raw = std::bit_cast<K>(value);
  if constexpr (std::is_same_v<T, bool>) {
    return raw;
  } else if constexpr (is_integer(dtype_of<T>())) {
    return is_unsigned(dtype_of<T>()) ? raw : static_cast<K>(raw ^ sign);
  } else {
    constexpr int mantissa = std::numeric_limits<T>::digits - 1;
    constexpr K infinity = static_cast<K>(static_cast<K>(~sign) >> mantissa << mantissa);
    if (static_cast<K>(raw & ~sign) > infinity) return static_cast<K>(~K{});
    if (!Exact && raw == sign) return sign;
    return static_cast<K>((raw & sign) ? ~raw : raw | sign);
  }
}
// By the real part, then by the imaginary one. -0 and 0 are equal, so that the imaginary part decides.
template <bool, class T>
TESSERA_FUNCTION key_of<complex_number<T>> key(complex_number<T> value) {
  using K = key_of<complex_number<T>>;
  return static_cast<K>(static_cast<K>(key<false>(value.re)) << (sizeof(T) * 8) | key<false>(value.im));
}
template <class T>
TESSERA_FUNCTION T value_of(key_of<T> k) {
  using K = key_of<T>;
  constexpr K sign = static_cast<K>(K{1} << (sizeof(T) * 8 - 1));
  if constexpr (std::is_same_v<T, bool>)
    return k != 0;
  else if constexpr (is_integer(dtype_of<T>()))
    return std::bit_cast<T>(is_unsigned(dtype_of<T>()) ? k : static_cast<K>(k ^ sign));
  else if (k == static_cast<K>(~K{}))
    return std::bit_cast<T>(static_cast<K>(~sign));
  else
    return std::bit_cast<T>(static_cast<K>((k & sign) ? k & ~sign : ~k));
}

// Orders items by the digits of their keys, stable; `spare` has the same size. Returns the one of the two with the
// result.
template <class Count, class Item, class Key>
Item* by_digits_counted(Item* items, Item* spare, std::int64_t count, Key const& key_of_item, int bytes) {
  std::vector<Count> counts(bytes * 256);
  for (std::int64_t i = 0; i < count; ++i) {
    auto k = key_of_item(items[i]);
    for (int b = 0; b < bytes; ++b, k = static_cast<decltype(k)>(k >> (bytes > 1 ? 8 : 0)))
      ++counts[b * 256 + static_cast<int>(k & 255u)];
  }
  for (int b = 0; b < bytes; ++b) {
    Count* const starts = counts.data() + b * 256;
    if (*std::max_element(starts, starts + 256) == static_cast<Count>(count)) continue;  // all are equal
    Count next = 0;
    for (int v = 0; v < 256; ++v) {
      Count const here = starts[v];
      starts[v] = next;
      next += here;
    }
    for (std::int64_t i = 0; i < count; ++i) spare[starts[(key_of_item(items[i]) >> (8 * b)) & 255u]++] = items[i];
    std::swap(items, spare);
  }
  return items;
}
template <class Item, class Key>
Item* by_digits(Item* items, Item* spare, std::int64_t count, Key const& key_of_item, int bytes) {
  return count <= std::numeric_limits<std::uint32_t>::max()
             ? by_digits_counted<std::uint32_t>(items, spare, count, key_of_item, bytes)
             : by_digits_counted<std::uint64_t>(items, spare, count, key_of_item, bytes);
}
// Positions are int32, as in JAX: throws if they do not fit.
inline void require_positions(std::int64_t count) {
  if (count > std::int64_t{std::numeric_limits<std::int32_t>::max()} + 1)
    throw std::length_error("tessera: positions among " + std::to_string(count) +
                            " elements do not fit int32. Fix: search parts of at most 2147483648 elements.");
}

inline constexpr std::int64_t few = 200;  // below, comparing is faster than counting

template <class Item>
Item* memory(std::int64_t count) {
  thread_local std::vector<Item> kept;
  if (kept.size() < static_cast<std::size_t>(count)) kept.resize(count);
  return kept.data();
}

template <class T>
void sort_values(dense_view<T const> x, dense_view<T> y, bool descending) {
  std::int64_t const n = x.extent(0);
  if constexpr (tessera::detail::is_complex_type<T>) {
    std::int64_t const extents[]{n}, steps[]{1};
    dense_view<std::int32_t> const at{memory<std::int32_t>(n), extents, steps, 1};
    sort_positions(x, at, descending);
    for (std::int64_t i = 0; i < n; ++i) y(i) = x(at(i));
  } else {
    using K = key_of<T>;
    K* keys = memory<K>(2 * n);
    K const flip = descending ? static_cast<K>(~K{}) : K{};
    for (std::int64_t i = 0; i < n; ++i) keys[i] = static_cast<K>(key<true>(x(i)) ^ flip);
    if (n < few)
      std::sort(keys, keys + n);
    else
      keys = by_digits(
          keys, keys + n, n, [](K k) { return k; }, sizeof(K));
    for (std::int64_t i = 0; i < n; ++i) y(i) = value_of<T>(static_cast<K>(keys[i] ^ flip));
  }
}

template <class K>
struct keyed {
  K key;
  std::int32_t at;
  bool operator<(keyed const& other) const { return key != other.key ? key < other.key : at < other.at; }
};

// Keys with positions, the smallest first.
template <class T>
keyed<key_of<T>>* keyed_positions(dense_view<T const> x, bool descending) {
  using K = key_of<T>;
  std::int64_t const n = x.extent(0);
  require_positions(n);
  auto* const items = memory<keyed<K>>(2 * n);
  K const flip = descending ? static_cast<K>(~K{}) : K{};
  for (std::int64_t i = 0; i < n; ++i)
    items[i] = {static_cast<K>(key<false>(x(i)) ^ flip), static_cast<std::int32_t>(i)};
  return items;
}

template <class T>
void sort_positions(dense_view<T const> x, dense_view<std::int32_t> y, bool descending) {
  using item = keyed<key_of<T>>;
  std::int64_t const n = x.extent(0);
  item* items = keyed_positions(x, descending);
  if (n < few)
    std::sort(items, items + n);
  else
    items = by_digits(
        items, items + n, n, [](item const& i) { return i.key; }, sizeof(key_of<T>));
  for (std::int64_t i = 0; i < n; ++i) y(i) = items[i].at;
}

// Candidates are elements larger than the last of the largest so far; when there are many, the largest of them are
// kept.
template <class T>
void largest(dense_view<T const> x, dense_view<T> y, dense_view<std::int32_t> at) {
  using K = key_of<T>;
  constexpr std::int64_t block = 64;
  std::int64_t const n = x.extent(0), wanted = y.extent(0), most = 2 * wanted + block;
  if (wanted == 0) return;
  require_positions(n);
  auto* const kept = memory<keyed<K>>(most);
  std::int64_t count = 0;
  K bound{};  // keys below it are among the largest so far: they are inverted
  K keys[block];
  for (std::int64_t i0 = 0; i0 < n; i0 += block) {
    std::int64_t const size = std::min(block, n - i0);
    for (std::int64_t i = 0; i < size; ++i) keys[i] = static_cast<K>(~key<false>(x(i0 + i)));
    bool some = count < wanted;
    for (std::int64_t i = 0; i < size; ++i) some |= keys[i] < bound;
    if (!some) continue;
    bool const few_yet = count < wanted;
    for (std::int64_t i = 0; i < size; ++i)
      if (few_yet || keys[i] < bound) kept[count++] = {keys[i], static_cast<std::int32_t>(i0 + i)};
    if (count >= wanted && (few_yet || count > most - block)) {
      std::nth_element(kept, kept + wanted - 1, kept + count);
      count = wanted;
      bound = kept[wanted - 1].key;
    }
  }
  std::partial_sort(kept, kept + wanted, kept + count);
  for (std::int64_t i = 0; i < wanted; ++i) {
    at(i) = kept[i].at;
    y(i) = x(kept[i].at);
  }
}

}  // namespace tessera::ops::sorting
