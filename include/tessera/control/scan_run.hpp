// SPDX-License-Identifier: Apache-2.0
#pragma once
// How a scan is recorded: its body as a region, on the slices of one turn.

#include <tessera/base/functions_otherwise.hpp>
#include <tessera/control/carried_error.hpp>
#include <tessera/control/check_carried.hpp>
#include <tessera/control/recordable.hpp>
#include <tessera/control/scan_slices.hpp>
#include <tessera/trace/refused_call.hpp>

namespace tessera {
namespace detail {

// Whether a body gets the carry alone: there are no slices, and it does not take nothing in their place, as JAX's does.
template <class F, class C, class X>
inline constexpr bool takes_carry_alone =
    std::conjunction_v<std::is_same<X, std::tuple<>>,
                       std::disjunction<std::is_invocable<F const&, C const&>,
                                        std::negation<std::is_invocable<F const&, C const&, X const&>>>>;
template <class F, class C, class X>
constexpr auto call_body(F const& f, C const& carry, X const& x) {
  if constexpr (takes_carry_alone<F, C, X>)
    return f(carry);
  else
    return f(carry, x);
}

// The error of a scan's body that does not depend on its arguments, or void.
template <class F, class... X>
constexpr auto refusal_of_body() {
  using refused = function_refused<F, X...>;
  if constexpr (!std::is_void_v<refused>) {
    return std::type_identity<refused>{};
  } else {
    using result = std::remove_cvref_t<decltype(std::declval<F const&>()(std::declval<X const&>()...))>;
    if constexpr (Refused<result>)
      return std::type_identity<void>{};
    else if constexpr (is_pair<result>)
      return std::type_identity<std::conditional_t<refuses_call<error_in<result>>, error_in<result>, void>>{};
    else
      return std::type_identity<written::no_pair<>>{};
  }
}

template <class F, class C, class X = std::tuple<>>
constexpr auto refusal_of_turn() {
  if constexpr (takes_carry_alone<F, C, X>)
    return refusal_of_body<F, C>();
  else
    return refusal_of_body<F, C, X>();
}

// length: -1 if the arrays `over` have it. Length: the same in types.
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
    deeper const inside(b);
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
      return std::make_tuple(call_body(f, carry, x), carry);
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
    using not_sliced = slices_refused<M, std::remove_cvref_t<decltype(xs)>>;
    using refused_inside = std::conditional_t<std::is_void_v<not_sliced>, error_in<again_type, y_type>, not_sliced>;
    if constexpr (!std::is_void_v<refused_inside>) {
      return std::make_tuple(tree_map(poison_leaf<refused_inside>{}, init), tree_map(poison_leaf<refused_inside>{}, y));
    } else {
      using carry_type = std::remove_cvref_t<decltype(carry)>;
      using other_tree = carried_tree_refused<ops::scan, F, carry_type, again_type>;
      if constexpr (!std::is_void_v<other_tree>) {
        refuse_tree<ops::scan>(b, at);
        return std::make_tuple(tree_map(poison_leaf<other_tree>{}, init), tree_map(poison_leaf<other_tree>{}, y));
      } else if constexpr (any_hardens<carry_type, again_type>) {
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
        using differs =
            error_between<ops::scan, reason::carry_differs, M, "carry", carry_type, again_type, counts_turns<F>>;
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
    return refusal_of_turn<
        F, decltype(tree_map(std::declval<carried_argument<M>>(), tree_map(place_leaf<M>{}, std::declval<C>()))),
        decltype(tree_map(std::declval<slice_argument<M>>(), tree_map(place_leaf<M>{}, std::declval<X>())))>();
  }
  template <class Init>
  constexpr auto again_from(Init const& init) const {
    return scan_run<Length, F, Init, X>(f, init, over, reverse, length, at);
  }
};

}  // namespace detail
}  // namespace tessera
