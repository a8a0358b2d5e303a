// SPDX-License-Identifier: Apache-2.0
#pragma once
// custom_vjp(f, fwd, bwd): f with a backward pass of the user's own.
//   fwd(x...)              -> std::tuple{f(x...), residuals}, called in the place of f where the call is differentiated
//   bwd(residuals, y_bar)  -> std::tuple{x_bar...}: a cotangent for each argument
// Trees everywhere. Each cotangent has its argument's type, sharding and varying axes included (`reduced` and
// `unreduced` exchanged); float0{} is a zero, also for a whole tree, and what integers and static arguments get. What
// is not differentiated, a function or a size, is a static argument, or a part of the residuals. Works in jit, loops,
// branches, vmap, shard_map; vmap(bwd) is derived. bwd need not be linear; where it is, forward mode works, too. A
// second derivative is that of fwd and bwd. Source: JAX jax.custom_vjp. Differs: JAX refuses forward mode, and has
// nondiff_argnums, which C++ does not need. Bytes: those of fwd and bwd.

#include <tessera/transform/custom_call.hpp>

namespace tessera {

template <class F, class Fwd, class Bwd>
struct custom_vjp_function {
  [[no_unique_address]] F function;
  [[no_unique_address]] Fwd fwd;
  [[no_unique_address]] Bwd bwd;

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
    using given_type = std::remove_cvref_t<decltype(given)>;
    detail::rule_record<M, ops::custom_vjp, Result, given_type> rule(b, call, given);
    auto const made = detail::call_in(nullptr, b.here, fwd, rule.inside());
    using made_type = std::remove_cvref_t<decltype(made)>;
    if constexpr (detail::rule_gives_two<made_type>) {
      auto const out = tree_map(enter, std::get<0>(made));
      int const region = b.size();
      growable<int> inputs;
      auto const bars = [&] {
        detail::deeper const deeper(b);
        auto const unknown = tree_map(detail::enter_unknown<M, true>{&b, &inputs}, out);
        auto const back = detail::call_in(nullptr, b.here, bwd, std::make_tuple(std::get<1>(made), unknown));
        return detail::given_for(given, one_for_each<sizeof...(X)>(back));
      }();
      using out_type = std::remove_cvref_t<decltype(out)>;
      using bars_type = std::remove_cvref_t<decltype(bars)>;
      if constexpr (!detail::rule_fits<Result, out_type>) {
        rule.template refuse<out_type>();
      } else if constexpr (!detail::rule_fits<given_type, bars_type>) {
        rule.template refuse<bars_type>();
      } else {
        rule.check_types(out);
        growable<int> moving, cotangents, arguments, outputs;
        (void)tree_map(detail::enter_given<M, ops::custom_vjp, true>{&b, &cotangents}, given, bars);
        tree_each(detail::collect_moving{&moving}, given);
        for (std::size_t k = 0; k < moving.size(); ++k) {
          if (cotangents[k] < 0) continue;
          arguments.push_back(moving[k]);
          outputs.push_back(cotangents[k]);
        }
        rule.check_reads();
        return rule.leave(out, region, inputs, outputs, arguments);
      }
    } else {
      rule.template refuse<made_type>();
    }
    return {};
  }

  // A single cotangent stands for a tuple of one.
  template <std::size_t Count, class Back>
  static constexpr auto one_for_each(Back const& back) {
    if constexpr (Count == 1)
      return detail::as_arguments(back);
    else
      return back;
  }
};

namespace functions {

template <class F, class Fwd, class Bwd>
constexpr auto custom_vjp(F const& f, Fwd const& fwd, Bwd const& bwd) {
  return custom_vjp_function<F, Fwd, Bwd>{f, fwd, bwd};
}

}  // namespace functions

}  // namespace tessera
