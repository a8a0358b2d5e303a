// SPDX-License-Identifier: Apache-2.0
#pragma once
// scan(f, init, xs): f over the slices of xs along dimension 0, with values carried from one to the next:
//   auto [last, ys] = scan([&](auto carry, auto x) { return std::tuple{carry + x, carry * x}; }, init, xs);
// f(carry, x) -> {carry of exactly the same types, y}; ys are the y of all turns along a new dimension 0. Without ys:
// std::tuple{carry, std::tuple{}}. init and xs are arrays, constants, numbers or trees of them; f may read any value around
// it. With constants only, the results are constants.
//   scan(f, init, xs, reversed)   from the last slice to the first; ys lie where their x lies
//   scan<10>(f, init)             f(carry), ten times
// The body is planned once and run for each turn, on slices where they lie; dimension 0 of xs is not sharded. Bytes:
// those of the body, as often as it runs. Gradient: a scan the other way; the forward one stacks what it needs.
// Source: JAX 0.10.2 lax.scan.

#include <tessera/control/carried_error.hpp>
#include <tessera/control/check_carried.hpp>
#include <tessera/control/recordable.hpp>
#include <tessera/control/scan_slices.hpp>
#include <tessera/trace/refused_call.hpp>

namespace tessera {

struct reversed_t {};
inline constexpr reversed_t reversed{};

namespace detail {

// Why the body of a scan is refused whatever it is of: an error, or void.
template <class F, class... X>
constexpr auto refusal_of_body() {
  using refused = function_refused<F, X...>;
  if constexpr (!std::is_void_v<refused>) {
    return std::type_identity<refused>{};
  } else {
    using result = std::remove_cvref_t<decltype(std::declval<F const&>()(std::declval<X const&>()...))>;
    if constexpr (Refused<result> || is_pair<result>)
      return std::type_identity<void>{};
    else
      return std::type_identity<written::no_pair<>>{};
  }
}

// length: -1, then the arrays `over` say it. Length: the same in types.
template <std::int64_t Length, class F, class C, class X>
struct scan_run : recordable<scan_run<Length, F, C, X>> {
  F f;
  C given;
  X over;
  bool reverse;
  std::int64_t length;
  site at;
  constexpr scan_run(F const& body, C const& init, X const& xs, bool back, std::int64_t turns, site where)
      : f(body), given(init), over(xs), reverse(back), length(turns), at(where) {}

  template <class M>
  constexpr auto in(builder& b) const {
    using refused = typename decltype(body_refused<M>())::type;
    if constexpr (std::is_void_v<refused>)
      return record<M>(b);
    else
      return poisoned_in<refused>(&b, reason::not_callable, at);
  }

  template <class M>
  constexpr auto record(builder& b) const {
    auto const init = tree_map(place_leaf<M>{}, given);
    auto const xs = tree_map(place_leaf<M>{}, over);
    b.here = at;
    growable<int> begins, arrays;
    tree_each(enter_leaves{&b, &begins}, init);
    tree_each(enter_leaves{&b, &arrays}, xs);
    loop_shape shape;
    shape.carried = static_cast<int>(begins.size());
    shape.sliced = static_cast<int>(arrays.size());
    shape.reverse = reverse;
    shape.length = length;
    std::size_t next = 0;
    tree_each(check_slices{&b, at, &arrays, &shape.length, &next}, xs);
    growable<int> inputs, slices, outputs;
    auto const turn = [&] {
      inputs.clear();
      slices.clear();
      next = 0;
      auto const carry = tree_map(carried_argument<M>{&b, &begins, &inputs}, init);
      auto const x = tree_map(slice_argument<M>{&b, &arrays, &slices, &next}, xs);
      if constexpr (std::is_same_v<X, std::tuple<>>)
        return std::make_tuple(f(carry), carry);
      else
        return std::make_tuple(f(carry, x), carry);
    };
    differ_unseen<M>(b, begins, [&] { return tree_map(place_leaf<M>{}, half_of<0>(std::get<0>(turn()))); });
    graph_size const before = b.recorded.size();
    int const first = b.size();
    auto const [out, carry] = turn();
    growable<int> const carried = inputs;
    for (int id : slices) inputs.push_back(id);
    auto const again = tree_map(place_leaf<M>{}, std::get<0>(out));
    auto const y = tree_map(place_leaf<M>{}, std::get<1>(out));
    using again_type = std::remove_cvref_t<decltype(again)>;
    using y_type = std::remove_cvref_t<decltype(y)>;
    using refused_inside = error_in<again_type, y_type>;
    if constexpr (!std::is_void_v<refused_inside>) {
      return std::make_tuple(tree_map(poison_leaf<refused_inside>{}, init), tree_map(poison_leaf<refused_inside>{}, y));
    } else {
      static_assert(std::is_same_v<structure_of<decltype(carry)>, structure_of<again_type>>,
                    "tessera: the body of a scan returns another tree than it carries. Fix: return the carry with the "
                    "same structure as init.");
      if constexpr (any_hardens<std::remove_cvref_t<decltype(carry)>, again_type>) {
        b.take_back(before);
        return again_from(tree_map(harden_leaf<M>{&b}, init, again)).template in<M>(b);
      } else {
        b.here = at;
        check_all_carried<ops::scan>(b, at, reason::carry_differs, carried, outputs, again, counts_turns<F>);
        tree_each(enter_leaves{&b, &outputs}, y);
        growable<graph_region> regions;
        regions.push_back(b.close_region(first, inputs, outputs));
        growable<int> operands = begins;
        for (int id : arrays) operands.push_back(id);
        using differs = error_between<ops::scan, reason::carry_differs, M, "carry",
                                      std::remove_cvref_t<decltype(carry)>, again_type, counts_turns<F>>;
        if constexpr (!std::is_void_v<differs>) {
          return std::make_tuple(tree_map(poison_leaf<differs>{}, init), tree_map(poison_leaf<differs>{}, y));
        } else {
          int const loop = push_loop<ops::scan>(b, regions, operands, shape);
          int k = 0;
          auto const last = tree_map(carried_value<M>{&b, loop, &k, &carried}, carry, again);
          next = carried.size();
          return std::make_tuple(last, tree_map(stacked_value<M, Length>{&b, loop, shape.length, &outputs, &next}, y));
        }
      }
    }
  }

  template <class Probed>
  static constexpr auto like(Probed const& probed) {
    return std::get<2>(probed);
  }

private:
  template <class M>
  static constexpr auto body_refused() {
    using carry = decltype(tree_map(std::declval<carried_argument<M>>(), tree_map(place_leaf<M>{}, std::declval<C>())));
    if constexpr (std::is_same_v<X, std::tuple<>>)
      return refusal_of_body<F, carry>();
    else
      return refusal_of_body<F, carry,
                             decltype(tree_map(std::declval<slice_argument<M>>(),
                                               tree_map(place_leaf<M>{}, std::declval<X>())))>();
  }
  template <class Init>
  constexpr auto again_from(Init const& init) const {
    return scan_run<Length, F, Init, X>(f, init, over, reverse, length, at);
  }
};

template <class F, class C, class... X>
constexpr auto refusal_of_scan() {
  if constexpr ((no_argument<C>::value || ... || no_argument<X>::value))
    return std::type_identity<argument_refused<ops::scan, C, X...>>{};
  else if constexpr (any_traced<C, X...>)
    return std::type_identity<void>{};  // scan_run asks, of the values that the body gets
  else
    return refusal_of_body<F, decltype(tree_map(seen_leaf{}, std::declval<C const&>())),
                           decltype(tree_map(seen_slice{}, std::declval<X const&>()))...>();
}

template <std::int64_t Length, class F, class C, class X>
constexpr auto scan_over(F const& f, C const& init, X const& xs, bool reverse, std::int64_t length, site at) {
  auto const probed = probe(
      [&](auto const& first, auto const& all) {
        if constexpr (std::is_same_v<X, std::tuple<>>)
          return f(tree_map(seen_leaf{}, first));
        else
          return f(tree_map(seen_leaf{}, first), tree_map(seen_slice{}, all));
      },
      init, xs);
  using refused = error_in<std::remove_cvref_t<decltype(probed)>>;
  if constexpr (!std::is_void_v<refused> && !any_traced<C, X>)
    return std::make_tuple(tree_map(poison_leaf<refused>{refusal_in(probed)}, init),
                           tree_map(poison_leaf<refused>{refusal_in(probed)}, half_of<1>(std::get<2>(probed))));
  else
    return scan_run<Length, F, C, X>(f, init, xs, reverse, length, at).recorded(probed);
}

// What scan(f, init, 10) gives: one refusal, for what is carried and for what is stacked.
template <class... X>
using turns_refused = error::typed<reason::turns_as_argument, ops::scan, error::given<X>...>;
template <class error, class C>
constexpr auto refuse_turns(site at, C const& init) {
  refusal const found{refuse(reason::turns_as_argument), &info<ops::scan>, at, {}, {}, 0};
  if (builder* const graph = builder_among(init)) graph->refuse(found);
  return std::make_tuple(poisoned<error>{found}, poisoned<error>{found});
}

template <class Body, std::int64_t Length, bool Reverse>
struct scanned {
  [[no_unique_address]] Body body{};
  template <class C, class... X>
  constexpr auto operator()(C const& init, X const&... xs) const {
    return scan_at(site{}, init, xs...);
  }
  template <class C, class... X>
  constexpr auto scan_at(site at, C const& init, X const&... xs) const {
    if constexpr ((std::is_arithmetic_v<X> || ...)) {
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
      } else if constexpr (!std::is_void_v<refused>) {  // no program would speak of it
        refused::explain();
        return poisoned<explained<refused>>{at};
      } else if constexpr (sizeof...(X) == 0) {
        return scan_over<Length>(body, init, std::tuple<>{}, Reverse, Length, at);
      } else {
        return (scan_over<extent_along<0, X>>(body, init, xs, Reverse, -1, at), ...);
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
