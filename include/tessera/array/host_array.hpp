// SPDX-License-Identifier: Apache-2.0
#pragma once
// host_array<T>: the values of a whole array on the host, row-major and read-only: the result of device_get. Copies
// share the memory. It comes from the pool of arrays, so that a warm device_get touches no new page; or it is the
// array's own memory, if that is one row-major block. Converts to std::vector<T> by copying.
// Source: the read-only numpy.ndarray of JAX jax.device_get.

#include <tessera/aval/value.hpp>
#include <tessera/exec/memory/buffer.hpp>

#include <algorithm>
#include <concepts>
#include <span>
#include <vector>

namespace tessera {

template <class T>
class host_array {
public:
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using const_reference = T const&;
  using reference = const_reference;
  using const_iterator = T const*;
  using iterator = const_iterator;

  host_array() = default;
  // `memory` holds the product of `shape` values.
  host_array(buffer memory, extents_list const& shape) : memory_(std::move(memory)), shape_(shape), size_(1) {
    for (std::int64_t extent : shape) size_ *= extent;
  }

  T const* data() const { return reinterpret_cast<T const*>(memory_.data()); }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T const* begin() const { return data(); }
  T const* end() const { return data() + size_; }
  T const& operator[](std::size_t i) const { return data()[i]; }
  T const& front() const { return data()[0]; }
  T const& back() const { return data()[size_ - 1]; }
  extents_list const& shape() const { return shape_; }

  operator std::vector<T>() const { return {begin(), end()}; }

  // Compares values, not shapes: std::vectors have none.
  friend bool operator==(host_array const& l, host_array const& r) { return l == r.values(); }
  template <class R>
    requires std::convertible_to<R const&, std::span<T const>>
  friend bool operator==(host_array const& l, R const& r) {
    std::span<T const> const other = r;
    return std::equal(l.begin(), l.end(), other.begin(), other.end());
  }

private:
  std::span<T const> values() const { return {data(), size_}; }

  buffer memory_;
  extents_list shape_;
  std::size_t size_ = 0;
};

}  // namespace tessera
