// SPDX-License-Identifier: Apache-2.0
#pragma once
// A mesh axis is an empty tag type of the user's: its name is what type texts and errors print.

#include <tessera/base/type_name.hpp>

#include <cstdint>
#include <string_view>
#include <type_traits>

namespace tessera {

// struct dp : tessera::axis {};
// What a byte costs that is sent along it, beside axes that say nothing, may be said: the planner asks.
//   struct hosts : tessera::axis { static constexpr double byte_price = 8; };
struct axis {};

// That A derives from axis is asked where a mesh is made of it, with a sentence: a concept's failure would be many errors.
template <class A>
concept Axis = std::is_empty_v<A> && !std::is_same_v<A, axis>;

template <Axis A>
inline constexpr std::string_view axis_name = type_name<A>();

namespace detail {
// In sixteenths.
inline constexpr std::int32_t common_price = 16;
template <class A>
constexpr std::int32_t price_of_axis() {
  if constexpr (requires { A::byte_price; })
    return static_cast<std::int32_t>(A::byte_price * common_price);
  else
    return common_price;
}
}  // namespace detail

}  // namespace tessera
