// SPDX-License-Identifier: Apache-2.0
#pragma once
// A list that grows, usable while compiling: what graphs are recorded into before their size is known.
// std::vector does the same at three to four times the constant-evaluation steps (its allocator layers are calls).

#include <cstddef>
#include <string>  // std::allocator, construct_at: <memory> takes a tenth of a second more
#include <utility>

namespace tessera {

template <class T>
class growable {
public:
  constexpr growable() = default;
  constexpr growable(growable const& other) {
    reserve(other.count_);
    for (std::size_t i = 0; i < other.count_; ++i) std::construct_at(items_ + i, other.items_[i]);
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
  constexpr T& operator[](std::size_t i) { return items_[i]; }
  constexpr T const& operator[](std::size_t i) const { return items_[i]; }
  constexpr T const* data() const { return items_; }
  constexpr T* begin() { return items_; }
  constexpr T* end() { return items_ + count_; }
  constexpr T const* begin() const { return items_; }
  constexpr T const* end() const { return items_ + count_; }
  constexpr T& back() { return items_[count_ - 1]; }

  constexpr void reserve(std::size_t capacity) {
    if (capacity <= capacity_) return;
    T* moved = std::allocator<T>().allocate(capacity);
    for (std::size_t i = 0; i < count_; ++i) std::construct_at(moved + i, std::move(items_[i]));
    std::size_t const count = count_;
    release();
    items_ = moved;
    count_ = count;
    capacity_ = capacity;
  }
  constexpr void push_back(T item) {
    if (count_ == capacity_) reserve(capacity_ ? 2 * capacity_ : 16);
    std::construct_at(items_ + count_, std::move(item));
    ++count_;
  }
  constexpr void pop_back() { std::destroy_at(items_ + --count_); }
  constexpr void clear() {
    while (count_) pop_back();
  }
  constexpr void resize(std::size_t count, T const& fill = T{}) {
    while (count_ > count) pop_back();
    reserve(count);
    for (; count_ < count; ++count_) std::construct_at(items_ + count_, fill);
  }

private:
  constexpr void release() {
    for (std::size_t i = 0; i < count_; ++i) std::destroy_at(items_ + i);
    if (items_) std::allocator<T>().deallocate(items_, capacity_);
    items_ = nullptr;
    count_ = capacity_ = 0;
  }

  T* items_ = nullptr;
  std::size_t count_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace tessera
