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
// nondiff_argnums, which C++ does not need.

#include <tessera/transform/custom_call.hpp>

namespace tessera {

template <class F, class Fwd, class Bwd>
struct custom_vjp_function {
  [[no_unique_address]] F function{};
  [[no_unique_address]] Fwd fwd{};
  [[no_unique_address]] Bwd bwd{};

  // The result's type is that of f, so that fwd may call this function.
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
    int const rule = ++b.rules, first = b.size();
    auto const inside = tree_map(detail::enter_rule_argument{&b, call, rule}, given);
    int const entered = b.size();
    detail::recording_rule const recording(b, call);
    auto const made = detail::call_in(&b, b.here, fwd, inside);
    using made_type = std::remove_cvref_t<decltype(made)>;
    if constexpr (detail::rule_gives_two<made_type>) {
      auto const out = tree_map(enter, std::get<0>(made));
      int const region = b.size();
      growable<int> inputs;
      auto const bars = [&] {
        detail::deeper const deeper(b);
        auto const unknown = tree_map(detail::enter_unknown<M, true>{&b, &inputs}, out);
        auto const back = detail::call_in(&b, b.here, bwd, std::make_tuple(std::get<1>(made), unknown));
        return detail::given_for(given, one_for_each<sizeof...(X)>(back));
      }();
      using out_type = std::remove_cvref_t<decltype(out)>;
      using bars_type = std::remove_cvref_t<decltype(bars)>;
      if constexpr (!detail::rule_fits<Result, out_type>) {
        detail::refuse_rule<ops::custom_vjp, out_type>(b);
      } else if constexpr (!detail::rule_fits<std::remove_cvref_t<decltype(given)>, bars_type>) {
        detail::refuse_rule<ops::custom_vjp, bars_type>(b);
      } else {
        (void)tree_map(detail::check_results<M, ops::custom_vjp>{&b}, Result{}, out);
        growable<int> moving, cotangents, arguments, outputs;
        (void)tree_map(detail::enter_given<M, ops::custom_vjp, true>{&b, &cotangents}, given, bars);
        tree_each(detail::collect_moving{&moving}, given);
        for (std::size_t k = 0; k < moving.size(); ++k) {
          if (cotangents[k] < 0) continue;
          arguments.push_back(moving[k]);
          outputs.push_back(cotangents[k]);
        }
        static_assert(op_register<ops::custom_vjp>::done);
        detail::refuse_reads_around(b, bare_info<ops::custom_vjp>, recording.kept[call - 1], first, entered);
        int const node = detail::push_rule(b, {call, false, 0, rule}, region, inputs, outputs, arguments);
        std::int64_t next = 0;
        return tree_map(detail::leave_rule{&b, node, call, rule, &next}, Result{}, out);
      }
    } else {
      detail::refuse_rule<ops::custom_vjp, made_type>(b);
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
