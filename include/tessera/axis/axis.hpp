// SPDX-License-Identifier: Apache-2.0
#pragma once
// A mesh axis is an empty tag type of the user's: its name is what type texts and errors print.

#include <tessera/base/type_name.hpp>

#include <string_view>
#include <type_traits>

namespace tessera {

// struct dp : tessera::axis {};
struct axis {};

// That A derives from axis is asked where a mesh is made of it, with a sentence: a concept's failure would be many errors.
template <class A>
concept Axis = std::is_empty_v<A> && !std::is_same_v<A, axis>;

template <Axis A>
inline constexpr std::string_view axis_name = type_name<A>();

}  // namespace tessera
