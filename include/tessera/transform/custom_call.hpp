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

// f(x...), or within a call that is differentiated by one of x with(type of the result, builder, number of that call). The
// result's type is that of f, so that a rule may call the function that has it.
template <class F, class With, class... X>
constexpr called_without_rule<F, X...> called_with_rule(F const& f, With const& with, X const&... x) {
  using result = called_without_rule<F, X...>;
  if constexpr (any_traced<X...> && !(contains_array<X>() || ...) && std::is_void_v<error_in<result>>) {
    if (builder* const b = builder_among(x...)) {
      growable<int> moving;
      (tree_each(collect_moving{&moving}, x), ...);
      if (int const call = call_of(*b, moving); call > 0) return with(std::type_identity<result>{}, *b, call);
    }
  }
  return without_rule(f, x...);
}

// An argument as the function with a rule sees it: no derivative goes through it.
struct enter_rule_argument {
  builder* graph;
  custom_rule_params params;
  template <class X>
  constexpr auto operator()(X const& x) const {
    if constexpr (moves<X>) {
      if (x.node < 0) return x;
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
      wanted.varying |= found.varying & M::value.unseen();  // along an axis that a vmap names
      (void)entered_like<M, Op, reason::rule_differs>(*graph, x, wanted);
    }
    return true;
  }
};

// Results with the types of `Like`, whose derivatives are those of a rule.
struct leave_rule {
  builder* graph;
  int node;
  custom_rule_params* params;  // of the next result
  template <class Like, class X>
  constexpr auto operator()(Like const&, X const& x) const {
    if constexpr (moves<Like>) {
      custom_rule_params const result = *params;
      ++params->which;
      if (x.node < 0 || node < 0) return Like{graph, -1};
      array_value facts = graph->facts(x.node);
      facts.weak = Like::type::value.weak;
      int const ids[]{x.node, node};
      return Like{graph, graph->push(info<ops::rule_result>, ids, 2, result, facts)};
    } else if constexpr (is_traced<Like>) {
      return Like{graph, x.node};
    } else {
      return x;
    }
  }
};

// Whether what Op's rule gives has the structure that is needed. A refused value is reported by its program.
template <class Needed, class Given>
inline constexpr bool rule_fits =
    std::is_void_v<error_in<Given>>&& std::is_same_v<structure_of<Needed>, structure_of<Given>>;
// The same for the std::tuple of two that fwd, or the rule of a custom_jvp, returns.
template <class Made>
inline constexpr bool rule_gives_two = std::is_void_v<error_in<Made>>&& is_std_tree<Made>&& parts_in<Made> == 2;

// A call of a function with a rule while it is recorded: the arguments enter, the rule is called with `inside`, its
// results are checked, and leave with its derivative. Op: custom_vjp or custom_jvp, which refusals name.
template <Mesh M, class Op, class Result, class Given>
class rule_record {
public:
  constexpr rule_record(builder& b, int call, Given const& arguments)
      : b_(b),
        call_(b.calls[call - 1]),
        params_{call, Op::forward, 0, ++b.rules},
        first_(b.size()),
        inside_(tree_map(enter_rule_argument{&b, params_}, arguments)),
        entered_(b.size()),
        recording_(b, call) {
    static_assert(op_register<Op>::done && op_register<ops::custom_rule>::done &&
                  op_register<ops::rule_argument>::done && op_register<ops::rule_result>::done);
  }
  // The arguments as the rule sees them, and the first node behind them.
  constexpr Given const& inside() const { return inside_; }
  constexpr int entered() const { return entered_; }

  // The rule takes other arguments, or what it gives has another structure than it must. A refused value is reported by
  // its program.
  template <class Made>
  constexpr void refuse() const {
    using refused = error_in<Made>;
    if constexpr (std::is_void_v<refused> || refuses_call<refused>)
      b_.refuse(refusal{tessera::refuse(reason::rule_differs), &bare_info<Op>, b_.here, {}, {}, 0});
  }
  // Results have the function's types.
  template <class Out>
  constexpr void check_types(Out const& out) const {
    (void)tree_map(check_results<M, Op>{&b_}, Result{}, out);
  }
  // What was recorded reads no value in front of it that depends on the arguments of the differentiated call.
  constexpr void check_reads() const {
    auto const depends = [&](int x) { return x >= call_.first && (b_.dependent[x] >> (params_.call - 1) & 1); };
    for (int id = entered_; id < b_.size(); ++id)
      for (int k = 0; k < b_.at(id).operand_count; ++k) {
        int const x = b_.recorded.operands[b_.at(id).first_operand + k];
        if (x >= first_ || !depends(x) || !is_inexact(b_.facts(x).element)) continue;
        b_.refuse(
            refusal{tessera::refuse(reason::rule_reads_around), &bare_info<Op>, b_.at(id).at, b_.facts(x), {}, 1});
      }
  }
  // The results; their derivative is the region of the nodes since `region`, of these inputs and outputs.
  template <class Out>
  constexpr Result leave(Out const& out, int region, growable<int> const& inputs, growable<int> const& outputs,
                         growable<int> const& arguments) {
    int node = -1;
    if (b_.refused.what.why == reason::none) {
      growable<graph_region> parts;
      parts.push_back(b_.close_region(region, inputs, outputs));
      node = b_.push_loop(info<ops::custom_rule>, parts, arguments, params_, {});
    }
    return tree_map(leave_rule{&b_, node, &params_}, Result{}, out);
  }

private:
  builder& b_;
  differentiated call_;
  custom_rule_params params_;
  int first_;
  Given inside_;
  int entered_;
  recording_rule recording_;
};

}  // namespace tessera::detail
