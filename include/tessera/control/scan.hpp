// SPDX-License-Identifier: Apache-2.0
#pragma once
// scan(f, init, xs): f over the slices of xs along dimension 0, with values carried from one to the next:
//   auto [last, ys] = scan([&](auto carry, auto x) { return std::tuple{carry + x, carry * x}; }, init, xs);
// f(carry, x) -> {carry of exactly the same types, y}; ys are the y of all turns along a new dimension 0. Without ys:
// std::tuple{carry, std::tuple{}}. init and xs are arrays, constants, numbers or trees of them, xs the keys of
// random::split, too; f may read any value around it. With constants only, the results are constants.
//   scan(f, init, xs, reversed)   from the last slice to the first; each y is stacked at the position of its x
//   scan<10>(f, init)             f(carry), or f(carry, nothing) with std::tuple<>, ten times
// The body is planned once and run for each turn, on slices in place; dimension 0 of xs is not sharded. Bytes: those of
// the body times the number of turns. Gradient: a scan in reverse; the forward one stacks the values that it needs.
// Source: JAX 0.10.2 lax.scan.

#include <tessera/control/recordable.hpp>
#include <tessera/control/scan_run.hpp>
#include <tessera/control/scan_slices.hpp>
#include <tessera/op/base/reverse.hpp>
#include <tessera/trace/mapped_as.hpp>
#include <tessera/trace/refused_call.hpp>

namespace tessera {
namespace detail {

template <class F, class C, class... X>
constexpr auto refusal_of_scan() {
  if constexpr ((no_argument<C>::value || ... || no_argument<X>::value))
    return std::type_identity<argument_refused<ops::scan, C, X...>>{};
  else if constexpr (any_traced<C, X...>)
    return std::type_identity<void>{};  // scan_run checks the values that the body receives
  else
    return refusal_of_turn<F, decltype(tree_map(seen_leaf{}, std::declval<C const&>())),
                           decltype(tree_map(seen_slice{}, std::declval<X const&>()))...>();
}

template <std::int64_t Length, class F, class C, class X>
constexpr auto scan_over(F const& f, C const& init, X const& xs, bool reverse, std::int64_t length, site at) {
  auto const probed =
      probe([&](auto const& first,
                auto const& all) { return call_body(f, tree_map(seen_leaf{}, first), tree_map(seen_slice{}, all)); },
            init, xs);
  using refused = error_in<std::remove_cvref_t<decltype(probed)>>;
  if constexpr (!std::is_void_v<refused> && !any_traced<C, X>) {
    error_at_once<refused, decltype(probed)>::explain();
    using poison = poison_leaf<later_error<refused, decltype(probed)>>;
    return std::make_tuple(tree_map(poison{refusal_in(probed)}, init),
                           tree_map(poison{refusal_in(probed)}, half_of<1>(std::get<2>(probed))));
  } else {
    return scan_run<Length, F, C, X>(f, init, xs, reverse, length, at).recorded(probed);
  }
}

// The result of scan(f, init, 10), which is a mistake: one refusal, for the carried and for the stacked values.
template <class... X>
using turns_refused = error::typed<reason::turns_as_argument, ops::scan, error::given<X>...>;
template <class error, class C>
constexpr auto refuse_turns(site at, C const& init) {
  refusal const found{refuse(reason::turns_as_argument), &bare_info<ops::scan>, at, {}, {}, 0};
  if (builder* const graph = builder_among(init)) graph->refuse(found);
  return std::make_tuple(poisoned<error>{found}, poisoned<error>{found});
}

template <class Body, std::int64_t Length, bool Reverse>
struct scanned {
  [[no_unique_address]] Body body;
  template <class C, class... X>
  constexpr auto operator()(C const& init, X const&... xs) const {
    return scan_at(site{}, init, xs...);
  }
  template <class C, class... X>
  constexpr auto scan_at(site at, C const& init, X const&... xs) const {
    if constexpr ((maps_otherwise<X> || ...)) {
      return scan_at(at, init, as_mapped{at}(xs)...);
    } else if constexpr ((ElementNumber<X> || ...)) {
      using refused = turns_refused<X...>;
      if constexpr (contains_array<C>()) {
        refused::explain();
        return refuse_turns<explained<refused>>(at, init);
      } else {
        return refuse_turns<refused>(at, init);
      }
    } else if constexpr (contains_array<C>() || (contains_array<X>() || ...)) {
      using call = run_traced<scanned, C, X...>;
      call::refused::explain();
      return call::run(init, xs...);
    } else {
      using refused = typename decltype(refusal_of_scan<Body, C, X...>())::type;
      if constexpr (!std::is_void_v<refused> && any_traced<C, X...>) {
        return poisoned_in<refused>(builder_among(init, xs...), reason::not_callable, at);
      } else if constexpr (!std::is_void_v<refused>) {  // no later program would report it
        refused::explain();
        return poisoned<explained<refused>>{at};
      } else if constexpr (sizeof...(X) == 0) {
        auto const results = scan_over<Length>(body, init, std::tuple<>{}, Reverse, Length, at);
        said_here<decltype(results)>::explain();
        return as_said(results);
      } else {
        auto const results = (scan_over<extent_along<0, X>>(body, init, xs, Reverse, -1, at), ...);
        said_here<decltype(results)>::explain();
        return as_said(results);
      }
    }
  }
};

}  // namespace detail

namespace functions {

template <class F, class C, class X>
constexpr auto scan(F const& f, C const& init, X const& xs, site at = std::source_location::current()) {
  return detail::scanned<F, 0, false>{f}.scan_at(at, init, xs);
}
template <class F, class C, class X>
constexpr auto scan(F const& f, C const& init, X const& xs, reversed_t, site at = std::source_location::current()) {
  return detail::scanned<F, 0, true>{f}.scan_at(at, init, xs);
}
template <std::int64_t Length, class F, class C>
constexpr auto scan(F const& f, C const& init, site at = std::source_location::current()) {
  static_assert(Length >= 0, "tessera: a scan turns a number of times. Fix: scan<10>(f, init).");
  return detail::scanned<F, Length, false>{f}.scan_at(at, init);
}

}  // namespace functions

}  // namespace tessera
