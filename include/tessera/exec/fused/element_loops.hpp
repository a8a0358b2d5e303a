// SPDX-License-Identifier: Apache-2.0
#pragma once
// Copies of elements of one type between memory and registers.

#include <tessera/base/level.hpp>
#include <tessera/exec/fused/half_lanes.hpp>
#include <tessera/graph/monoid.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

TESSERA_LOOPS_BEGIN
namespace tessera::detail {

inline constexpr int block_size = 64;

// Copies between memory, elements `stride` apart, and registers or elements one after the other.
struct element_functions {
  void (*gather)(void* registers, void const* in, std::int64_t stride, std::int64_t count);
  void (*scatter)(void* out, std::int64_t stride, void const* registers, std::int64_t count);
  void (*pack)(void* elements, void const* in, std::int64_t stride, std::int64_t count);
  void (*unpack)(void* out, std::int64_t stride, void const* elements, std::int64_t count);
  void (*count_up)(void* registers, std::int64_t first, std::int64_t step, std::int64_t count);
};

template <class T>
struct element_loops {
  using A = register_of<T>;

  template <class Index>
  static A at(Index i) {
    return settled<T>(static_cast<A>(static_cast<typename real_type<A>::type>(i)));
  }
  template <class To, class From>
  static void convert(To* out, From const* in, std::int64_t count) {
    constexpr std::int64_t turn = 32;
    std::int64_t j = 0;
    if constexpr (has_half_lanes<From> && std::is_same_v<To, float>)
      for (; j + turn <= count; j += turn) widen_lanes<turn>(out + j, in + j);
    if constexpr (has_half_lanes<To> && std::is_same_v<From, float>)
      for (; j + turn <= count; j += turn) narrow_lanes<turn>(out + j, in + j);
    for (; j < count; ++j) out[j] = static_cast<To>(in[j]);
  }
  template <class To>
  static void gather_as(void* to, void const* from, std::int64_t stride, std::int64_t count) {
    auto* const out = static_cast<To*>(to);
    auto const* const in = static_cast<T const*>(from);
    if (stride == 1 && std::is_same_v<T, To>)
      std::memcpy(to, from, count * sizeof(T));
    else if (stride == 1)
      convert(out, in, count);
    else if (stride == 0)
      std::fill_n(out, count, static_cast<To>(*in));
    else
      for (std::int64_t j = 0; j < count; ++j) out[j] = static_cast<To>(in[j * stride]);
  }
  template <class From>
  static void scatter_from(void* to, std::int64_t stride, void const* from, std::int64_t count) {
    auto* const out = static_cast<T*>(to);
    auto const* const in = static_cast<From const*>(from);
    if (stride == 1 && std::is_same_v<T, From>)
      std::memcpy(to, from, count * sizeof(T));
    else if (stride == 1)
      convert(out, in, count);
    else
      for (std::int64_t j = 0; j < count; ++j) out[j * stride] = static_cast<T>(in[j]);
  }
  static void count_up(void* to, std::int64_t first, std::int64_t step, std::int64_t count) {
    auto* const out = static_cast<A*>(to);
    if (step == 0) return static_cast<void>(std::fill_n(out, count, at<std::int64_t>(first)));
    constexpr std::int64_t far = std::int64_t{1} << 30;  // below this, 32 bits are enough
    if (first > -far && first < far && step > -far / count && step < far / count) {
      auto const begin = static_cast<std::int32_t>(first), by = static_cast<std::int32_t>(step);
      TESSERA_VECTORIZE
      for (std::int32_t j = 0; j < static_cast<std::int32_t>(count); ++j) out[j] = at<std::int32_t>(begin + j * by);
    } else {
      for (std::int64_t j = 0; j < count; ++j) out[j] = at<std::int64_t>(first + j * step);
    }
  }
};

template <class T, level L>
inline constexpr element_functions element_table{at_level<L, &element_loops<T>::template gather_as<register_of<T>>>,
                                                 at_level<L, &element_loops<T>::template scatter_from<register_of<T>>>,
                                                 at_level<L, &element_loops<T>::template gather_as<T>>,
                                                 at_level<L, &element_loops<T>::template scatter_from<T>>,
                                                 at_level<L, &element_loops<T>::count_up>};

}  // namespace tessera::detail
TESSERA_LOOPS_END
