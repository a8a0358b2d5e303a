// SPDX-License-Identifier: Apache-2.0
#pragma once
// The body of a loop that counts its turns: what fori_loop makes of a scan or a while_loop.

#include <tessera/control/check_carried.hpp>
#include <tessera/trace/refused_call.hpp>

#include <tuple>

namespace tessera {
namespace detail {

// body(i, value) as the body of a loop that counts.
template <class F>
struct counting {
  [[no_unique_address]] F body;
  template <class C>
  constexpr auto operator()(C const& carry) const {
    auto const& i = std::get<0>(carry);
    return std::make_tuple(i + 1, call_in(nullptr, site{}, body, std::make_tuple(i, std::get<1>(carry))));
  }
};
template <class F>
struct counting_turn {
  counting<F> body{};
  template <class C>
  constexpr auto operator()(C const& carry) const {
    return std::make_tuple(body(carry), std::tuple<>{});
  }
};
template <class F>
inline constexpr bool counts_turns<counting_turn<F>> = true;
struct below_end {
  template <class C>
  constexpr auto operator()(C const& carry) const {
    return std::get<0>(carry) < std::get<2>(carry);
  }
};
template <class F>
struct counting_to_end {
  [[no_unique_address]] F body;
  template <class C>
  constexpr auto operator()(C const& carry) const {
    auto const& i = std::get<0>(carry);
    return std::make_tuple(i + 1, call_in(nullptr, site{}, body, std::make_tuple(i, std::get<1>(carry))),
                           std::get<2>(carry));
  }
};
template <class F>
inline constexpr bool counts_turns<counting_to_end<F>> = true;

}  // namespace detail
}  // namespace tessera
