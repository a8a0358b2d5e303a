// SPDX-License-Identifier: Apache-2.0
#pragma once
// Collectives whose settings are numbers, all_gather<dp>(x, 0): one error sentence instead of a list of candidates. Each
// overload is chosen only if no other can be called.

#include <tessera/api/misplaced.hpp>
#include <tessera/manual/manual.hpp>

#include <initializer_list>
#include <source_location>
#include <vector>

namespace tessera::functions {

// What a collective does, as numbers and lists behind the value, all_gather<dp>(x, 0), or in the brackets, as
// ppermute<dp, rotate<1>>(x).
#define TESSERA_COLLECTIVE_BY_NUMBERS(NAME, ...)                                                 \
  template <Axis... A, class X>                                                                  \
    requires(sizeof...(A) > 0)                                                                   \
  constexpr auto NAME(X const& x, detail::misplaced_behind, detail::misplaced_behind = 0,        \
                      detail::misplaced_behind = 0, site at = std::source_location::current()) { \
    return __VA_ARGS__;                                                                          \
  }                                                                                              \
  template <Axis A, auto First, auto... Given, class X>                                          \
  constexpr auto NAME(X const& x, site at = std::source_location::current()) {                   \
    return __VA_ARGS__;                                                                          \
  }
TESSERA_COLLECTIVE_BY_NUMBERS(all_gather, detail::refused_as<written::collective_by_numbers>(x, at))
TESSERA_COLLECTIVE_BY_NUMBERS(all_gather_invariant, detail::refused_as<written::collective_by_numbers>(x, at))
TESSERA_COLLECTIVE_BY_NUMBERS(all_gather_reduced, detail::refused_as<written::collective_by_numbers>(x, at))
TESSERA_COLLECTIVE_BY_NUMBERS(psum_scatter, detail::refused_as<written::collective_by_numbers>(x, at))
TESSERA_COLLECTIVE_BY_NUMBERS(all_to_all, detail::refused_as<written::collective_by_numbers>(x, at))
TESSERA_COLLECTIVE_BY_NUMBERS(ppermute, detail::refused_as<written::collective_by_numbers>(x, at))
TESSERA_COLLECTIVE_BY_NUMBERS(pshuffle, detail::refused_as<written::collective_by_numbers>(x, at))
TESSERA_COLLECTIVE_BY_NUMBERS(pswapaxes, detail::refused_as<written::collective_by_numbers>(x, at))
TESSERA_COLLECTIVE_BY_NUMBERS(psum, detail::refused_as<written::collective_by_numbers>(x, at))
TESSERA_COLLECTIVE_BY_NUMBERS(pmean, detail::refused_as<written::collective_by_numbers>(x, at))
TESSERA_COLLECTIVE_BY_NUMBERS(pmax, detail::refused_as<written::collective_by_numbers>(x, at))
TESSERA_COLLECTIVE_BY_NUMBERS(pmin, detail::refused_as<written::collective_by_numbers>(x, at))
TESSERA_COLLECTIVE_BY_NUMBERS(pbroadcast, detail::refused_as<written::collective_by_numbers>(x, at))
#undef TESSERA_COLLECTIVE_BY_NUMBERS
// ppermute<dp>(x, {{0, 1}, {1, 0}}), or a vector of pairs.
template <Axis... A, class X, class Pair>
constexpr auto ppermute(X const& x, std::vector<Pair> const&, site at = std::source_location::current()) {
  return detail::refused_as<written::collective_by_numbers>(x, at);
}
template <Axis... A, class X>
constexpr auto ppermute(X const& x, std::initializer_list<std::initializer_list<int>>,
                        site at = std::source_location::current()) {
  return detail::refused_as<written::collective_by_numbers>(x, at);
}

}  // namespace tessera::functions
