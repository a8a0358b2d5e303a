// SPDX-License-Identifier: Apache-2.0
#pragma once
// while_loop(cond, body, init): value = init; while (cond(value)) value = body(value). cond returns a bool scalar, body
// values of exactly the types of init. Both may read any value around them.
// fori_loop(lower, upper, body, init): for i in lower..upper-1: value = body(i, value), i an int32. With C++ numbers as
// bounds the number of turns is known: it has a gradient. With traced bounds, or on arrays, it is a while_loop.
// Inside shard_map, a condition that varies stops each device separately; then neither function may communicate over
// the axes that it varies over. Bytes: those of cond and body times an unknown number of turns: comm_of has dynamic
// counts. while_loop has no gradient, as in JAX. Source: JAX 0.10.2 lax.while_loop, lax.fori_loop.

#include <tessera/control/branch_run.hpp>
#include <tessera/control/choice.hpp>
#include <tessera/control/cond.hpp>
#include <tessera/control/counting.hpp>
#include <tessera/control/scan.hpp>

namespace tessera {
namespace detail {

// A leaf of the body's result on devices that continue, its previous value on devices that have stopped.
template <Mesh M>
struct keep_if_stopped {
  builder* graph;
  int going;
  template <class X, class Y>
  constexpr auto operator()(X const& before, Y const& after) const {
    term const made = make<ops::where>(*graph, {term{graph, going}, operand_traits<Y>::enter(*graph, after),
                                                operand_traits<X>::enter(*graph, before)});
    return traced<carried_type<type_of_leaf<X>, M>>{graph, made.id};
  }
};

template <class G, class F, class C>
struct while_run : recordable<while_run<G, F, C>> {
  G goes_on;
  F body;
  C given;
  site at;
  constexpr while_run(G const& condition, F const& turn, C const& init, site where)
      : goes_on(condition), body(turn), given(init), at(where) {}

  template <class M>
  constexpr auto in(builder& b) const {
    static_assert(op_register<ops::while_loop>::done);
    deeper const inside(b);
    auto const init = tree_map(place_leaf<M>{}, given);
    b.here = at;
    growable<int> begins, asked, inputs, answers, outputs;
    tree_each(enter_leaves{&b, &begins}, init);
    differ_unseen<M>(b, begins, [&] {
      growable<int> tried;
      return tree_map(place_leaf<M>{}, turn(b, tree_map(carried_argument<M>{&b, &begins, &tried}, init)));
    });
    graph_size const before = b.recorded.size();
    growable<graph_region> regions;
    int first = b.size();
    auto const seen = tree_map(carried_argument<M>{&b, &begins, &asked}, init);
    auto const answer =
        as_choice<ops::while_loop, M, false>(b, at, put_on<M>(call_in(&b, at, goes_on, std::make_tuple(seen))));
    using answer_type = std::remove_cvref_t<decltype(answer)>;
    using refused = error_in<answer_type>;
    if constexpr (!std::is_void_v<refused>) {
      return tree_map(poison_leaf<refused>{}, init);
    } else {
      constexpr array_value said = type_of_leaf<answer_type>::value;
      constexpr bool same_for_all = said.varying.empty();
      b.here = at;
      term const going = operand_traits<answer_type>::enter(b, answer);
      if constexpr (!same_for_all) check_no_messages(b, first, said, at);
      answers.push_back(going.id);
      regions.push_back(b.close_region(first, asked, answers));
      first = b.size();
      auto const carry = tree_map(carried_argument<M>{&b, &begins, &inputs}, init);
      auto const out = tree_map(place_leaf<M>{}, turn(b, carry));
      using out_type = std::remove_cvref_t<decltype(out)>;
      using refused_body = error_in<out_type>;
      if constexpr (!std::is_void_v<refused_body>) {
        return tree_map(poison_leaf<refused_body>{}, init);
      } else {
        using carry_type = std::remove_cvref_t<decltype(carry)>;
        using other_tree = carried_tree_refused<ops::while_loop, F, carry_type, out_type>;
        if constexpr (!std::is_void_v<other_tree>) {
          refuse_tree<ops::while_loop>(b, at);
          return tree_map(poison_leaf<other_tree>{}, init);
        } else if constexpr (any_hardens<carry_type, out_type>) {
          b.take_back(before);
          return again_from(tree_map(harden_leaf<M>{&b}, init, out)).template in<M>(b);
        } else {
          b.here = at;
          auto const returned = [&] {
            if constexpr (same_for_all) {
              return out;
            } else {
              check_no_messages(b, first, said, at);
              auto const again = put_on<M>(goes_on(carry));
              return tree_map(keep_if_stopped<M>{&b, operand_traits<answer_type>::enter(b, again).id}, carry, out);
            }
          }();
          using returned_type = std::remove_cvref_t<decltype(returned)>;
          check_all_carried<ops::while_loop>(b, at, reason::carry_differs, inputs, outputs, returned, counts_turns<F>);
          regions.push_back(b.close_region(first, inputs, outputs));
          using differs = error_between<ops::while_loop, reason::carry_differs, M, "carry", carry_type, returned_type,
                                        counts_turns<F>>;
          if constexpr (!std::is_void_v<differs>) {
            return tree_map(poison_leaf<differs>{}, init);
          } else {
            loop_shape shape;
            shape.kind = loop_kind::while_;
            shape.carried = static_cast<int>(begins.size());
            int const loop = push_loop<ops::while_loop>(b, regions, begins, shape);
            int k = 0;
            return tree_map(carried_value<M>{&b, loop, &k, &inputs}, carry, out);
          }
        }
      }
    }
  }

  template <class Probed>
  static constexpr auto like(Probed const& probed) {
    return std::get<0>(probed);
  }

private:
  template <class Carry>
  constexpr auto turn(builder& b, Carry const& carry) const {
    return call_in(&b, at, body, std::make_tuple(carry));
  }
  template <class Init>
  constexpr auto again_from(Init const& init) const {
    return while_run<G, F, Init>(goes_on, body, init, at);
  }
};

template <class G, class F>
struct looping {
  [[no_unique_address]] G goes_on;
  [[no_unique_address]] F body;
  template <class C>
  constexpr auto operator()(C const& init) const {
    return at_line(site{}, init);
  }
  template <class C>
  constexpr auto at_line(site at, C const& init) const {
    if constexpr (contains_array<C>()) {
      using call = run_traced<looping, C>;
      call::refused::explain();
      return call::run(init);
    } else {
      auto const probed = probe(
          [&](auto const& given) {
            auto const first = std::make_tuple(tree_map(seen_leaf{}, given));
            return std::make_tuple(call_in(nullptr, at, goes_on, first), call_in(nullptr, at, body, first));
          },
          init);
      using refused = error_in<std::remove_cvref_t<decltype(probed)>>;
      if constexpr (std::is_void_v<refused>) {
        auto const results = while_run<G, F, C>(goes_on, body, init, at).recorded(probed);
        said_here<decltype(results)>::explain();
        return as_said(results);
      } else {
        error_at_once<refused, decltype(probed)>::explain();
        return tree_map(poison_leaf<later_error<refused, decltype(probed)>>{refusal_in(probed)}, init);
      }
    }
  }
};

}  // namespace detail

namespace functions {

template <class G, class F, class C>
constexpr auto while_loop(G const& cond, F const& body, C const& init, site at = std::source_location::current()) {
  return detail::looping<G, F>{cond, body}.at_line(at, init);
}

template <class L, class U, class F, class C>
constexpr auto fori_loop(L const& lower, U const& upper, F const& body, C const& init,
                         site at = std::source_location::current()) {
  if constexpr (std::is_integral_v<L> && std::is_integral_v<U> && !contains_array<C>()) {
    // The counter is an int32, which must hold the last number, too.
    number_value const last = number_value_of(upper);
    std::int64_t const begin =
        upper > lower && !fits(last, dtype::int32) ? last.whole : static_cast<std::int64_t>(lower);
    auto const out =
        detail::scan_over<0>(detail::counting_turn<F>{{body}}, std::make_tuple(begin, init), std::tuple<>{}, false,
                             upper > lower ? static_cast<std::int64_t>(upper) - lower : 0, at);
    detail::said_here<decltype(out)>::explain();
    return detail::half_of<1>(detail::half_of<0>(detail::as_said(out)));
  } else {
    return detail::half_of<1>(detail::looping<detail::below_end, detail::counting_to_end<F>>{{}, {body}}.at_line(
        at, std::make_tuple(lower, init, upper)));
  }
}

}  // namespace functions

}  // namespace tessera
