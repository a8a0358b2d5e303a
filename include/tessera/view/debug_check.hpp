// SPDX-License-Identifier: Apache-2.0
#pragma once
// debug_check<"{} is no probability">(p >= 0, p): throws check_failed if an element of its first operand, bools, is false
// when the program runs; the text is the format with the other operands, as debug_print writes them, and the line. It is
// checked in program order; in each turn of a loop; in shard_map by each device, which is named. The program's results
// are lost, and arguments that were donated, too. If the mesh is on several processes, all of them throw.
// debug_callback(f, x, ...): calls f, a function object without state, on the host with a callback_value of each operand:
// a std::span of its elements with its shape(). It has up to eight operands. Order and places are those of debug_print; outside of shard_map each
// process calls it once, with whole values. What f throws leaves the call of jit.
// Source: JAX 0.10.2 jax.experimental.checkify.check, jax.debug.callback. Differs: a check needs no transformation of the
// function, and throws at once; callbacks are always in order.

#include <tessera/op/effect/debug_check.hpp>
#include <tessera/view/debug_print.hpp>

namespace tessera {
namespace detail {

// The format of a check, of the operands after the condition.
template <fixed_string Format, class... X>
struct check_format : print_format<Format, X...> {
  using base = print_format<Format, X...>;
  template <Mesh M>
  static constexpr effect_params on() {
    effect_params what = base::template on<M>();
    what.axes = axes_of_effects<M>;
    what.checks = true;
    return what;
  }
};

template <fixed_string Format>
struct checks : with_line<checks<Format>> {
  static constexpr bool is_variable_template = true;
  template <class Pred, class... X>
  constexpr auto at_line(site at, Pred const& pred, X const&... x) const {
    constexpr bool fits = is_format(Format.view(), sizeof...(X));
    constexpr bool in_program = contains_program_value<Pred> || (contains_program_value<X> || ...);
    if constexpr (!in_program)
      written::check_of_no_program<Pred, X...>::explain();
    else if constexpr (!fits && !any_traced<Pred, X...>)
      written::check_format<Pred, X...>::explain();
    else if constexpr (!fits)
      (void)refused_as<written::check_format>(first_traced(pred, x...), at);
    else if constexpr (!(Operand<X> && ...))
      (void)invoke<ops::debug_check, no_params>(at, pred, x...);
    else
      show<check_format<Format, X...>>(at, pred, std::index_sequence_for<X...>{}, std::tie(x...));
  }

private:
  template <class Format_, std::size_t... I, class Pred, class Operands>
  static constexpr void show(site at, Pred const& pred, std::index_sequence<I...>, Operands const& operands) {
    auto const chosen = std::tuple_cat(prints<Format>::template pick<Format_, I>(std::get<I>(operands))...);
    std::apply([&](auto const&... x) { (void)invoke<ops::debug_check, Format_>(at, pred, x...); }, chosen);
  }
};

struct where_callbacks_run {
  template <Mesh M>
  static constexpr effect_params on() {
    effect_params what;
    what.axes = axes_of_effects<M>;
    return what;
  }
};

struct calls_back : with_line<calls_back> {
  template <class F, class... X>
  constexpr auto at_line(site at, F const&, X const&... x) const {
    if constexpr (!std::is_empty_v<F> && !any_traced<X...>)
      written::callback_with_state<F>::explain();
    else if constexpr (!std::is_empty_v<F>)
      (void)refused_as<written::callback_with_state>(first_traced(x...), at);
    else if constexpr (!(Operand<X> && ...))
      (void)invoke<ops::debug_print, no_params>(at, x...);
    else
      (void)invoke<ops::debug_callback<F, element_of<operand_traits<X>::type::value.element>...>, where_callbacks_run>(
          at, x...);
  }
};

}  // namespace detail

template <fixed_string Format>
inline constexpr detail::checks<Format> debug_check{};
inline constexpr detail::calls_back debug_callback{};

}  // namespace tessera
