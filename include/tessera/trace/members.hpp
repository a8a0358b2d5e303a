// SPDX-License-Identifier: Apache-2.0
#pragma once
// The members of an array that traced values and constants have, too.

#include <tessera/base/arrays_otherwise.hpp>
#include <tessera/graph/builder.hpp>
#include <tessera/trace/operators.hpp>
#include <tessera/trace/refused.hpp>

#include <cstdint>
#include <type_traits>

namespace tessera {

// What the type tells. size() and nbytes() are `dynamic` if an extent is.
template <class Self>
struct typed_members : operators<Self> {
  static constexpr int ndim() { return Self::type::rank; }
  static constexpr extents_list shape() { return Self::type::value.shape(); }
  template <class Dim>
  static constexpr std::int64_t shape(Dim const&) {  // x.shape(0)
    written::extent_as_call<Self, Dim>::explain();
    return 0;
  }
  static constexpr tessera::dtype dtype() { return Self::type::value.element; }
  static constexpr std::int64_t size() { return Self::type::value.size(); }
  static constexpr std::int64_t nbytes() {
    return size() == dynamic ? dynamic : size() * bytes_of(Self::type::value.element);
  }
};

// A node of the program being traced. It has elements and devices only when the program runs: asking for them is
// refused at the entry of the program.
struct recorded {
  builder* graph = nullptr;
  int node = -1;

  constexpr explicit operator bool() const { return graph->decide(node); }
  template <class T>
    requires(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
  constexpr explicit operator T() const { return on_host(), T{}; }
  constexpr refused_answer to_host() const { return on_host(); }
  constexpr refused_answer sharding() const { return on_host(); }
  constexpr refused_answer devices() const { return on_host(); }
  constexpr refused_answer device() const { return on_host(); }
  constexpr refused_answer committed() const { return on_host(); }
  constexpr refused_answer is_fully_addressable() const { return on_host(); }
  constexpr refused_answer is_fully_replicated() const { return on_host(); }
  constexpr refused_answer addressable_shards() const { return on_host(); }
  constexpr refused_answer release() const { return on_host(); }
  constexpr refused_answer is_released() const { return on_host(); }
  template <class Span>
  constexpr refused_answer copy_to(Span const&) const {
    return on_host();
  }

protected:
  constexpr refused_answer on_host() const {
    graph->refuse_reading(node, reason::value_on_host);
    return {};
  }
};

namespace detail {
template <class Constant>
struct constant_as_array;  // api/asarray.hpp
}  // namespace detail

// A constant has elements and devices as the array that asarray makes of it. Outside of traced code.
template <class Self>
struct constant_members : typed_members<Self> {
  template <class T>
    requires std::is_arithmetic_v<T>
  explicit operator T() const { return static_cast<T>(array()); }
  auto to_host() const { return array().to_host(); }
  auto item() const { return array().item(); }
  auto sharding() const { return array().sharding(); }
  auto devices() const { return array().devices(); }
  auto device() const { return array().device(); }
  auto committed() const { return array().committed(); }
  auto is_fully_addressable() const { return array().is_fully_addressable(); }
  auto is_fully_replicated() const { return array().is_fully_replicated(); }
  auto addressable_shards() const { return array().addressable_shards(); }
  template <class Span>
  void copy_to(Span const& out) const {
    array().copy_to(out);
  }
  auto block_until_ready() const { return array(); }

private:
  auto array() const { return detail::constant_as_array<Self>::of(static_cast<Self const&>(*this)); }
};

}  // namespace tessera
