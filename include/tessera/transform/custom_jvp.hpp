// SPDX-License-Identifier: Apache-2.0
#pragma once
// custom_jvp(f, rule): f with derivatives of the user's own, forward and backward.
//   rule(std::tuple{x...}, std::tuple{dx...}) -> std::tuple{f(x...), its tangent}
// called in the place of f where the call is differentiated. Trees everywhere. Tangents have the types of their values,
// sharding and varying axes included; float0{} is zero, also for a whole tree, and what integers and static arguments
// have. The tangent is linear in dx..., which is checked: the backward pass is its transpose. What it shares with the
// result is computed once. Works in jit, loops, while_loop, branches, vmap, shard_map. Source: JAX jax.custom_jvp.

#include <tessera/transform/custom_call.hpp>

namespace tessera {
namespace ops {

// The operation that refusals of custom_jvp name.
struct custom_jvp {
  static constexpr std::string_view name = "custom_jvp";
  static constexpr op_class kind = op_class::identity;
};

}  // namespace ops

namespace detail {

// Records what depends on `from` once more, with `to` in their place. moved: all nodes.
constexpr cloner record_dependents(builder& b, int first, growable<int> const& from, growable<int> const& to) {
  int const end = b.size() - static_cast<int>(to.size());
  dependence depends(b, first);
  for (int id : from) depends.mark(id);
  depends.spread();
  growable<bool> wanted;
  wanted.resize(end, false);
  for (int id = end - 1; id >= first; --id) {
    node const& n = b.at(id);
    bool const loop = n.op->kind == op_class::loop;
    wanted[id] = wanted[id] || (loop ? depends.in_loop(id) : depends.on(id));
    if (!wanted[id]) continue;
    for (int r = 0; r < n.region_count; ++r) {
      graph_region const part = b.recorded.regions[n.first_region + r];
      for (int i = 0; i < part.node_count; ++i) wanted[part.first_node + i] = true;
    }
  }
  cloner made(b, true);
  for (std::size_t k = 0; k < from.size(); ++k) made.stand_for(from[k], to[k]);
  for (int id = first; id < end; ++id)
    if (wanted[id] && made.at(id) == id) made.clone(id);
  return made;
}

}  // namespace detail

template <class F, class Rule>
struct custom_jvp_function {
  [[no_unique_address]] F function{};
  [[no_unique_address]] Rule rule{};

  // The result's type is that of f, so that the rule may call this function.
  template <class... X>
  constexpr auto operator()(X const&... x) const -> detail::called_without_rule<F, X...> {
    using result = detail::called_without_rule<F, X...>;
    if constexpr (detail::any_traced<X...> && !(contains_array<X>() || ...) &&
                  std::is_void_v<detail::error_in<result>>) {
      if (builder* const b = detail::builder_among(x...)) {
        growable<int> moving;
        (tree_each(detail::collect_moving{&moving}, x), ...);
        if (int const call = detail::call_of(*b, moving); call > 0) return with_rule<result>(*b, call, x...);
      }
    }
    return detail::without_rule(function, x...);
  }

private:
  template <class Result, class... X>
  constexpr Result with_rule(builder& b, int call, X const&... x) const {
    using M = typename detail::leaf_meshes<std::tuple<signature_of<X>...>>::type;
    detail::enter_value<M, false> const enter{&b};
    auto const given = tree_map(enter, std::tuple<X...>{x...});
    int const number = ++b.rules, first = b.size();
    auto const inside = tree_map(detail::enter_rule_argument{&b, call, number}, given);
    int const entered = b.size();
    detail::recording_rule const recording(b, call);
    growable<int> unknown;
    auto const tangents = tree_map(detail::enter_unknown<M, false>{&b, &unknown}, inside);
    auto const made = detail::call_in(&b, b.here, rule, std::make_tuple(inside, tangents));
    using made_type = std::remove_cvref_t<decltype(made)>;
    if constexpr (detail::rule_gives_two<made_type>) {
      auto const out = tree_map(enter, std::get<0>(made));
      auto const moved = detail::given_for(out, std::get<1>(made));
      using out_type = std::remove_cvref_t<decltype(out)>;
      using moved_type = std::remove_cvref_t<decltype(moved)>;
      if constexpr (!detail::rule_fits<Result, out_type>) {
        detail::refuse_rule<ops::custom_jvp, out_type>(b);
      } else if constexpr (!detail::rule_fits<Result, moved_type>) {
        detail::refuse_rule<ops::custom_jvp, moved_type>(b);
      } else {
        (void)tree_map(detail::check_results<M, ops::custom_jvp>{&b}, Result{}, out);
        growable<int> arguments, inputs, outputs;
        (void)tree_map(detail::enter_given<M, ops::custom_jvp, false>{&b, &outputs}, out, moved);
        tree_each(detail::collect_moving{&arguments}, given);
        detail::refuse_reads_around(b, bare_info<ops::custom_jvp>, recording.kept[call - 1], first, entered);
        int const region = b.size();
        for (int id : unknown) inputs.push_back(b.push(info<ops::argument>, nullptr, 0, {}, b.facts(id)));
        cloner const again = detail::record_dependents(b, entered, unknown, inputs);
        for (int& id : outputs)
          if (id >= 0) id = again.at(id);
        check(b, region, inputs, outputs);
        int const node = detail::push_rule(b, {call, true, 0, number}, region, inputs, outputs, arguments);
        std::int64_t next = 0;
        return tree_map(detail::leave_rule{&b, node, call, number, &next}, Result{}, out);
      }
    } else {
      detail::refuse_rule<ops::custom_jvp, made_type>(b);
    }
    return {};
  }

  static constexpr void check(builder& b, int region, growable<int> const& inputs, growable<int> const& outputs) {
    static_assert(op_register<ops::custom_jvp>::done);
    if (b.refused.what.why != reason::none) return;
    detail::linearity part(b, region, b.size(), inputs, outputs);
    if (!part.holds()) b.refuse(refusal{refuse(reason::not_linear), &bare_info<ops::custom_jvp>, b.here, {}, {}, 0});
  }
};

namespace functions {

template <class F, class Rule>
constexpr auto custom_jvp(F const& f, Rule const& rule) {
  return custom_jvp_function<F, Rule>{f, rule};
}

}  // namespace functions

}  // namespace tessera
