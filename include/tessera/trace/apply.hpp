// SPDX-License-Identifier: Apache-2.0
#pragma once
// Defines invoke (declared in invoke.hpp): it records an operation, keeps it as a constant, runs it, or returns a
// poisoned value.

#include <tessera/trace/assign.hpp>
#include <tessera/trace/assign_tree.hpp>
#include <tessera/trace/judged.hpp>
#include <tessera/trace/keep_constant.hpp>
#include <tessera/trace/number_update.hpp>
#include <tessera/trace/on_arrays.hpp>
#include <tessera/trace/operand.hpp>
#include <tessera/trace/poison.hpp>
#include <tessera/trace/std_functions.hpp>
#include <tessera/trace/tree.hpp>
#include <tessera/trace/unplaced.hpp>

namespace tessera {

namespace detail {

template <class X>
using no_operand = std::bool_constant<!Operand<X>>;
template <class X>
using stored = std::bool_constant<operand_traits<X>::kind == operand_kind::array>;
template <template <class> class Test, class... X>
using first_where = boost::mp11::mp_front<boost::mp11::mp_copy_if<boost::mp11::mp_list<X...>, Test>>;

// Operations that say where a value is or how it is treated, and collectives, take a tree as JAX's do: each leaf alone.
template <class Op, class... X>
inline constexpr bool on_leaves = false;
template <class Op, class X>
  requires(Op::kind == op_class::identity || Op::kind == op_class::reshard || Op::kind == op_class::collective)
&&Tree<X> inline constexpr bool on_leaves<Op, X> = true;
template <class Op, class Params>
struct on_leaf {
  site at;
  template <class X>
  constexpr auto operator()(X const& x) const {
    return invoke<Op, Params>(at, x);
  }
};

// Whether a layout is among the operands.
template <bool Operands, class... X>
inline constexpr bool takes_layout = false;
template <class... X>
inline constexpr bool takes_layout<false, X...> = (std::is_base_of_v<asked_layout, X> || ...);

// Whether Params name a type as an element type, zeros<std::string, 3>(), that is none.
template <class Params>
inline constexpr bool names_no_element = false;
template <class Params>
  requires requires { typename Params::element_asked; }
inline constexpr bool names_no_element<Params> = !ElementType<typename Params::element_asked>;

}  // namespace detail

template <class Op, class Params, class... X>
constexpr auto invoke(site at, X const&... x) {
  if constexpr (detail::names_no_element<Params>) {
    if constexpr ((detail::traces<X> || ...)) {
      return detail::refused_as<written::not_an_element>(detail::first_traced(x...), at);
    } else {
      written::not_an_element<typename Params::element_asked>::explain();
      return poisoned<explained<>>{};
    }
  } else if constexpr (detail::asks_for_place<Params, X...>()) {
    return detail::invoke_placed<Op, Params>(at, x...);
  } else if constexpr (detail::on_leaves<Op, X...>) {
    return tree_map(detail::on_leaf<Op, Params>{at}, x...);
  } else if constexpr (!(Operand<X> && ...) && (std::is_same_v<X, refused_answer> || ...)) {  // reported already
    if constexpr ((is_traced<X> || ...))
      return detail::first_traced(x...);
    else
      return detail::absorbed(x...);
  } else if constexpr (detail::takes_layout<(Operand<X> && ...), X...>) {
    return detail::refused_as<written::takes_no_layout>(detail::first_traced(x...), at);
  } else if constexpr (!(Operand<X> && ...) && !(detail::traces<X> || ...) &&
                       !detail::any_traced<X...>) {  // no program would report it later
    using refused = detail::plain_error<Op, reason::not_an_array, detail::first_where<detail::no_operand, X...>>;
    refused::explain();
    return poisoned<explained<refused>>{at};
  } else if constexpr (!(Operand<X> && ...)) {
    return detail::poison<Op, reason::not_an_array, detail::first_where<detail::no_operand, X...>>(at, x...);
  } else if constexpr ((is_poisoned<X> || ...)) {
    return detail::first_refused(x...);
  } else {
    constexpr bool any_array = (detail::is_stored_array<X> || ...);
    if constexpr (any_array && (is_traced<X> || ...)) {
      return detail::poison<Op, reason::captured_array, typename detail::first_where<detail::stored, X...>::type>(at,
                                                                                                                  x...);
    } else if constexpr (any_array) {
      using J = judged<Op, Params, typename operand_traits<X>::type...>;
      if constexpr (J::accepted) {
        using refused = typename eager<Op, Params>::template refused<X...>;  // the error if nothing can run, or void
        if constexpr (std::is_void_v<refused>) {
          return eager<Op, Params>::run(at, x...);
        } else {
          refused::explain();
          return poisoned<explained<refused>>{at};
        }
      } else {
        error_of<Op, J>::explain();
        return poisoned<explained<error_of<Op, J>>>{at};
      }
    } else {
      using J = judged<Op, Params, typename operand_traits<X>::type...>;
      if constexpr (!J::accepted && !(is_traced<X> || ...) && !detail::is_placed<Params>) {
        error_of<Op, J>::explain();
        return poisoned<explained<error_of<Op, J>>>{at};
      } else if constexpr (!J::accepted) {
        refusal found = J::value.refused;
        builder* const b = detail::builder_of(x...);
        found.at = b ? b->line_of(at) : at;
        if (b) b->refuse(found);
        return poisoned<error_of<Op, J>>{found, b};
      } else if constexpr ((is_traced<X> || ...)) {
        using handle = traced<array_type_of<J, typename J::mesh>>;
        builder* const b = detail::builder_of(x...);
        if (!b) return handle{};  // all operands were refused
        return handle{b, detail::record_into<Op, Params, typename J::mesh>(*b, at, x...).id};
      } else {
        return detail::keep_constant<Op, Params, J>(at, x...);
      }
    }
  }
}

}  // namespace tessera
