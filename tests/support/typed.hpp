// SPDX-License-Identifier: Apache-2.0
#pragma once
// For static tests of the typed door: handles that belong to no program, asked only for types.

#include <tessera/aval/type_text.hpp>
#include <tessera/trace/apply.hpp>
#include <tessera/trace/poison.hpp>

#include <string_view>

namespace typed {

using namespace tessera;

namespace detail {
template <template <class...> class Error, class X>
inline constexpr bool refused_as = false;
template <template <class...> class Error, class... Facts>
inline constexpr bool refused_as<Error, poisoned<Error<Facts...>>> = true;
}  // namespace detail

// Was the expression of this type refused, and with this error?
template <template <class...> class Error, class X>
inline constexpr bool refused_as = detail::refused_as<Error, X>;

}  // namespace typed

// TYPE_IS(reshape<32>(x), "float32[32@dp]"): the expression is not evaluated.
#define TYPE_IS(expression, text) static_assert(std::string_view(tessera::type_text<decltype(expression)>) == text)
// REFUSED(not_divisible, slice(...))
#define REFUSED(error_type, ...) \
  static_assert(typed::refused_as<tessera::error::error_type, std::remove_cvref_t<decltype(__VA_ARGS__)>>)
