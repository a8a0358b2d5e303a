// SPDX-License-Identifier: Apache-2.0
#pragma once
// A list that grows, usable while compiling: what graphs are recorded into before their size is known.
// In constant evaluation each call costs about the same, however little it does; std::vector makes three to four times as
// many, and this one makes none for items that need neither construction nor destruction. It asks the compiler what T is:
// each question to <type_traits> instantiates a dozen classes.

#include <cstddef>
#include <string>  // std::allocator, construct_at: <memory> takes a tenth of a second more
#include <type_traits>
#include <utility>

namespace tessera {

namespace detail {
// With the address sanitizer every new item moves the others, so that it finds each reference that is kept too long.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool always_moves = true;
#elif defined(__has_feature)
inline constexpr bool always_moves = __has_feature(address_sanitizer);
#else
inline constexpr bool always_moves = false;
#endif
}  // namespace detail

template <class T>
class growable {
  // Of bare numbers and pointers: `new T[n]` starts them all.
  static constexpr bool bare = !__is_class(T) && !__is_union(T);

public:
  constexpr growable() = default;
  constexpr growable(growable const& other) {
    reserve(other.count_);
    for (std::size_t i = 0; i < other.count_; ++i) put(i, other.items_[i]);
    count_ = other.count_;
  }
  constexpr growable(growable&& other) noexcept
      : items_(std::exchange(other.items_, nullptr)),
        count_(std::exchange(other.count_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  constexpr growable& operator=(growable other) noexcept {
    std::swap(items_, other.items_);
    std::swap(count_, other.count_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  constexpr ~growable() { release(); }

  constexpr std::size_t size() const { return count_; }
  constexpr bool empty() const { return count_ == 0; }
  constexpr T& operator[](std::ptrdiff_t i) { return items_[i]; }
  constexpr T const& operator[](std::ptrdiff_t i) const { return items_[i]; }
  constexpr T* data() { return items_; }
  constexpr T const* data() const { return items_; }
  constexpr T* begin() { return items_; }
  constexpr T* end() { return items_ + count_; }
  constexpr T const* begin() const { return items_; }
  constexpr T const* end() const { return items_ + count_; }
  constexpr T& back() { return items_[count_ - 1]; }
  constexpr T const& back() const { return items_[count_ - 1]; }

  constexpr void reserve(std::size_t capacity) {
    if (capacity <= capacity_) return;
    T* moved = nullptr;
    if constexpr (bare) {
      moved = new T[capacity];
      for (std::size_t i = 0; i < count_; ++i) moved[i] = items_[i];
    } else {
      moved = std::allocator<T>().allocate(capacity);
      for (std::size_t i = 0; i < count_; ++i) std::construct_at(moved + i, static_cast<T&&>(items_[i]));
    }
    std::size_t const count = count_;
    release();
    items_ = moved;
    count_ = count;
    capacity_ = capacity;
  }
  constexpr void push_back(T const& item) {
    if (count_ < capacity_) {
      put(count_++, item);
    } else {
      T const kept = item;  // it may be one of ours
      grow();
      put(count_++, kept);
    }
  }
  constexpr void push_back(T&& item) requires(!bare) {
    if (count_ == capacity_) {
      T kept = static_cast<T&&>(item);
      grow();
      put(count_++, static_cast<T&&>(kept));
    } else {
      put(count_++, static_cast<T&&>(item));
    }
  }
  constexpr void pop_back() {
    --count_;
    if constexpr (!__is_trivially_copyable(T)) std::destroy_at(items_ + count_);
  }
  constexpr void clear() {
    while (count_) pop_back();
  }
  constexpr void resize(std::size_t count, T const& fill = T{}) {
    while (count_ > count) pop_back();
    reserve(count);
    if constexpr (bare)
      while (count_ < count) items_[count_++] = fill;
    else
      while (count_ < count) put(count_++, fill);
  }

private:
  // Moving to more room costs more than room while compiling.
  static constexpr std::size_t first_capacity() { return std::is_constant_evaluated() ? 256 : 16; }
  constexpr void grow() {
    if (detail::always_moves && !std::is_constant_evaluated()) return reserve(capacity_ + 1);
    reserve(capacity_ ? 2 * capacity_ : first_capacity());
  }
  template <class Item>
  constexpr void put(std::size_t i, Item&& item) {
    if constexpr (bare)
      items_[i] = item;
    else
      std::construct_at(items_ + i, static_cast<Item&&>(item));
  }
  constexpr void release() {
    if constexpr (bare) {
      delete[] items_;
    } else {
      if constexpr (!__is_trivially_copyable(T))
        for (std::size_t i = 0; i < count_; ++i) std::destroy_at(items_ + i);
      if (items_) std::allocator<T>().deallocate(items_, capacity_);
    }
    items_ = nullptr;
    count_ = capacity_ = 0;
  }

  T* items_ = nullptr;
  std::size_t count_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace tessera
