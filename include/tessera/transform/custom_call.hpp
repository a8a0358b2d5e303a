// SPDX-License-Identifier: Apache-2.0
#pragma once
// What custom_vjp and custom_jvp have in common: a call records its function, or, within a call that is differentiated by
// one of its arguments, the rule with it. Its results have the function's types in both cases.

#include <tessera/error/rule_differs.hpp>
#include <tessera/op/base/custom_rule.hpp>
#include <tessera/transform/vjp.hpp>

namespace tessera::detail {

// f(x...) as an ordinary call; its results as values of the program of x.
template <class F, class... X>
constexpr auto without_rule(F const& f, X const&... x) {
  if constexpr ((contains_array<X>() || ...)) {
    using call = run_traced<F, X...>;
    call::refused::explain();
    return call::run(x...);
  } else if constexpr (!any_traced<X...>) {
    return f(x...);
  } else {
    using M = typename leaf_meshes<std::tuple<signature_of<X>...>>::type;
    builder* const b = builder_among(x...);
    enter_value<M, false> const enter{b};
    return tree_map(
        enter, call_in(b, b ? b->here : site{}, f, std::tuple<decltype(tree_map(enter, x))...>{tree_map(enter, x)...}));
  }
}
template <class F, class... X>
using called_without_rule = decltype(without_rule(std::declval<F const&>(), std::declval<X const&>()...));

// An argument as the function with a rule sees it: no derivative goes through it.
struct enter_rule_argument {
  builder* graph;
  int call, rule;
  template <class X>
  constexpr auto operator()(X const& x) const {
    if constexpr (moves<X>) {
      if (x.node < 0) return x;
      custom_rule_params const params{call, false, 0, rule};
      return X{graph, graph->push(info<ops::rule_argument>, &x.node, 1, params, graph->facts(x.node))};
    } else {
      return x;
    }
  }
};

// An unknown tangent, or with Turned cotangent, of a value; none of integers. The tangent has a value, zero, because a
// loop of the rule may compute results and tangents in the same turns.
template <ArrayType A, bool Turned>
struct unknown_facts {
  static constexpr array_value facts = [] {
    array_value made = Turned ? cotangent_facts(A::value) : A::value;
    made.weak = false;
    return made;
  }();
};
template <Mesh M, bool Turned>
struct enter_unknown {
  builder* graph;
  growable<int>* made;
  template <class X>
  constexpr auto operator()(X const& x) const {
    if constexpr (moves<X>) {
      array_value facts = x.node < 0 ? array_value{} : graph->facts(x.node);
      facts.weak = false;
      if (Turned) facts = cotangent_facts(facts);
      int const zero = Turned ? -1 : zeros_of(*graph, facts).id;
      made->push_back(Turned ? graph->push(info<ops::argument>, nullptr, 0, {}, facts)
                             : graph->push(info<ops::identity>, &zero, 1, {}, facts));
      return traced<array_type_of<unknown_facts<typename X::type, Turned>, M>>{graph, made->back()};
    } else {
      return float0{};
    }
  }
};

// What a rule gives for the tree x; float0{} stands for any part of it.
struct all_float0 {
  template <class X>
  constexpr float0 operator()(X const&) const {
    return {};
  }
};
template <class X, class G>
constexpr auto given_for(X const& x, G const& given) {
  if constexpr (std::is_same_v<G, float0>) {
    return tree_map(all_float0{}, x);
  } else if constexpr (Tree<X> && Tree<G>) {
    if constexpr (std::is_same_v<positions_in<X>, positions_in<G>>)
      return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return
            typename rebuild<X>::template with<decltype(given_for(part<I>(parts_of(x)), part<I>(parts_of(given))))...>{
                given_for(part<I>(parts_of(x)), part<I>(parts_of(given)))...};
      }
    (positions_in<X>{});
    else return given;
  } else {
    return given;
  }
}
// The ids of what is given for the values that move: for float0 zeros, as a cotangent none (-1).
template <Mesh M, class Op, bool Turned>
struct enter_given {
  builder* graph;
  growable<int>* ids;
  template <class X, class G>
  constexpr bool operator()(X const& x, G const& given) const {
    if constexpr (moves<X>) {
      array_value const facts = x.node < 0 ? array_value{} : graph->facts(x.node);
      if constexpr (!std::is_same_v<G, float0>)
        ids->push_back(
            x.node < 0
                ? -1
                : entered_like<M, Op, reason::rule_differs>(*graph, given, Turned ? cotangent_facts(facts) : facts).id);
      else
        ids->push_back(Turned || x.node < 0 ? -1 : zeros_of(*graph, facts).id);
    }
    return true;
  }
};

// Refuses results that have other types than the function's.
template <Mesh M, class Op>
struct check_results {
  builder* graph;
  template <class Like, class X>
  constexpr bool operator()(Like const&, X const& x) const {
    if constexpr (is_traced<Like>) {
      array_value wanted = Like::type::value;
      array_value const found = x.node < 0 ? wanted : graph->facts(x.node);
      for (int d = 0; d < wanted.rank && d < found.rank; ++d)  // known when the program runs
        if (wanted.extent(d) == dynamic) wanted.extent(d) = found.extent(d);
      (void)entered_like<M, Op, reason::rule_differs>(*graph, x, wanted);
    }
    return true;
  }
};

// Results with the types of `Like`, whose derivatives are those of a rule.
struct leave_rule {
  builder* graph;
  int node, call, rule;
  std::int64_t* next;
  template <class Like, class X>
  constexpr auto operator()(Like const&, X const& x) const {
    if constexpr (moves<Like>) {
      custom_rule_params const params{call, false, (*next)++, rule};
      if (x.node < 0 || node < 0) return Like{graph, -1};
      array_value facts = graph->facts(x.node);
      facts.weak = Like::type::value.weak;
      int const ids[]{x.node, node};
      return Like{graph, graph->push(info<ops::rule_result>, ids, 2, params, facts)};
    } else if constexpr (is_traced<Like>) {
      return Like{graph, x.node};
    } else {
      return x;
    }
  }
};

// Refuses what was recorded since node `entered` in the name of `op`, if it reads a value in front of node `first` that
// depends on the arguments of this call.
constexpr void refuse_reads_around(builder& b, op_info const& op, differentiated const& call, int first, int entered) {
  dependence const depends = dependents(b, call);
  for (int id = entered; id < b.size(); ++id)
    for (int k = 0; k < b.at(id).operand_count; ++k) {
      int const x = b.recorded.operands[b.at(id).first_operand + k];
      if (x >= first || !depends.on(x) || !is_inexact(b.facts(x).element)) continue;
      b.refuse(refusal{refuse(reason::rule_reads_around), &op, b.at(id).at, b.facts(x), {}, 1});
    }
}

// Whether what Op's rule gives has the structure that is needed. A refused value is reported by its program.
template <class Needed, class Given>
inline constexpr bool rule_fits =
    std::is_void_v<error_in<Given>>&& std::is_same_v<structure_of<Needed>, structure_of<Given>>;
// The same for the std::tuple of two that fwd, or the rule of a custom_jvp, returns.
template <class Made>
inline constexpr bool rule_gives_two = std::is_void_v<error_in<Made>>&& is_std_tree<Made>&& parts_in<Made> == 2;
template <class Op, class Given>
constexpr void refuse_rule(builder& b) {
  using refused = error_in<Given>;
  if constexpr (std::is_void_v<refused>)
    b.refuse(refusal{refuse(reason::rule_differs), &bare_info<Op>, b.here, {}, {}, 0});
  else if constexpr (refuses_call<refused>)
    refused::explain();
}

// Adds a rule: a region of the nodes since `first`. (B is builder: a program without rules does not instantiate it.)
template <class B>
constexpr int push_rule(B& b, custom_rule_params const& params, int first, growable<int> const& inputs,
                        growable<int> const& outputs, growable<int> const& arguments) {
  static_assert(op_register<ops::custom_rule>::done && op_register<ops::rule_argument>::done &&
                op_register<ops::rule_result>::done);
  if (b.refused.what.why != reason::none) return -1;
  growable<graph_region> parts;
  parts.push_back(b.close_region(first, inputs, outputs));
  return b.push_loop(info<ops::custom_rule>, parts, arguments, params, {});
}

}  // namespace tessera::detail
