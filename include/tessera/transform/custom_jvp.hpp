// SPDX-License-Identifier: Apache-2.0
#pragma once
// custom_jvp(f, rule): f with derivatives of the user's own, forward and backward.
//   rule(std::tuple{x...}, std::tuple{dx...}) -> std::tuple{f(x...), its tangent}
// called in the place of f where the call is differentiated. Trees everywhere. Tangents have the types of their values,
// sharding and varying axes included; float0{} is zero, also for a whole tree, and what integers and static arguments
// have. The tangent is linear in dx..., which is checked: the backward pass is its transpose. What it shares with the
// result is computed once, but for a loop that computes both. Works in jit, loops, while_loop, branches, vmap, shard_map.
// Bytes: those of the rule, or of its transpose. Source: JAX jax.custom_jvp.

#include <tessera/transform/custom_call.hpp>

namespace tessera {
namespace detail {

// Records what depends on `from` once more, with `to` in their place. moved: all nodes.
constexpr cloner record_dependents(builder& b, int first, growable<int> const& from, growable<int> const& to) {
  int const end = b.size() - static_cast<int>(to.size());
  dependence depends(b, first);
  for (int id : from) depends.mark(id);
  depends.spread();
  growable<bool> wanted;  // of node first + i
  wanted.resize(end - first, false);
  for (int id = end - 1; id >= first; --id) {
    node const& n = b.at(id);
    bool const loop = n.op->kind == op_class::loop;
    wanted[id - first] = wanted[id - first] || (loop ? depends.in_loop(id) : depends.on(id));
    if (!wanted[id - first]) continue;
    b.in_regions(id, [&](int inside) { wanted[inside - first] = true; });
  }
  cloner made(b, first, true);
  for (std::size_t k = 0; k < from.size(); ++k) made.stand_for(from[k], to[k]);
  for (int id = first; id < end; ++id)
    if (wanted[id - first] && made.at(id) == id) made.clone(id);
  return made;
}

}  // namespace detail

template <class F, class Rule>
struct custom_jvp_function {
  [[no_unique_address]] F function;
  [[no_unique_address]] Rule rule;

  template <class... X>
  constexpr auto operator()(X const&... x) const -> detail::called_without_rule<F, X...> {
    auto const with = [&]<class Result>(std::type_identity<Result>, builder& b, int call) {
      return with_rule<Result>(b, call, x...);
    };
    return detail::called_with_rule(function, with, x...);
  }

private:
  template <class Result, class... X>
  constexpr Result with_rule(builder& b, int call, X const&... x) const {
    using M = typename detail::leaf_meshes<std::tuple<signature_of<X>...>>::type;
    detail::enter_value<M, false> const enter{&b};
    auto const given = tree_map(enter, std::tuple<X...>{x...});
    detail::rule_record<M, ops::custom_jvp, Result, std::remove_cvref_t<decltype(given)>> record(b, call, given);
    growable<int> unknown;
    auto const tangents = tree_map(detail::enter_unknown<M, false>{&b, &unknown}, record.inside());
    auto const made = detail::call_in(nullptr, b.here, rule, std::make_tuple(record.inside(), tangents));
    using made_type = std::remove_cvref_t<decltype(made)>;
    if constexpr (detail::rule_gives_two<made_type>) {
      auto const out = tree_map(enter, std::get<0>(made));
      auto const moved = detail::given_for(out, std::get<1>(made));
      using out_type = std::remove_cvref_t<decltype(out)>;
      using moved_type = std::remove_cvref_t<decltype(moved)>;
      if constexpr (!detail::rule_fits<Result, out_type>) {
        record.template refuse<out_type>();
      } else if constexpr (!detail::rule_fits<Result, moved_type>) {
        record.template refuse<moved_type>();
      } else {
        record.check_types(out);
        growable<int> arguments, inputs, outputs;
        (void)tree_map(detail::enter_given<M, ops::custom_jvp, false>{&b, &outputs}, out, moved);
        tree_each(detail::collect_moving{&arguments}, given);
        record.check_reads();
        int const region = b.size();
        for (int id : unknown) inputs.push_back(b.push(info<ops::argument>, nullptr, 0, {}, b.facts(id)));
        cloner const again = detail::record_dependents(b, record.entered(), unknown, inputs);
        for (int& id : outputs)
          if (id >= 0) id = again.at(id);
        check_linear(b, region, inputs, outputs);
        return record.leave(out, region, inputs, outputs, arguments);
      }
    } else {
      record.template refuse<made_type>();
    }
    return {};
  }

  static constexpr void check_linear(builder& b, int region, growable<int> const& inputs,
                                     growable<int> const& outputs) {
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
