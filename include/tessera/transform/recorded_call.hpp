// SPDX-License-Identifier: Apache-2.0
#pragma once
// A call that will be differentiated: recorded once, with its arguments marked, for jvp, linearize and vjp.

#include <tessera/control/carried.hpp>
#include <tessera/control/carried_error.hpp>
#include <tessera/trace/on_arrays.hpp>
#include <tessera/trace/refused_call.hpp>
#include <tessera/transform/forward.hpp>
#include <tessera/transform/wanted_leaves.hpp>

namespace tessera {
namespace detail {

// A leaf as a value of the program; Marked: as one of its own, whose derivatives are not those of what it copies.
template <Mesh M, bool Marked>
struct enter_value {
  builder* graph;
  template <class X>
  constexpr auto operator()(X const& given) const {
    auto const x = put_on<M>(given);
    using type = std::remove_cvref_t<decltype(x)>;
    if constexpr (is_poisoned<type> || !Operand<type>) {
      return x;
    } else {
      int const id = operand_traits<type>::enter(*graph, x).id;
      return traced<carried_type<type_of_leaf<type>, M>>{graph, Marked ? marked(*graph, id) : id};
    }
  }
};

template <Mesh M, class In, class Out>
struct recorded_call {
  using mesh = M;
  builder* graph;
  int first, end;  // its nodes
  int depth;       // the regions around it
  int number;      // among the differentiated calls around it
  In arguments;    // a std::tuple of trees of values
  Out results;
};

template <Mesh M, class F, class... X>
constexpr auto record_call(builder& b, F const& f, std::tuple<X...> const& x) {
  int const first = b.size();
  auto const arguments = tree_map(enter_value<M, true>{&b}, x);
  differentiated_call const call(&b, first);
  auto const out = tree_map(enter_value<M, false>{&b}, call_in(&b, b.here, f, arguments));
  hand_on_rules(b, b.calls.back(), call.number);
  return recorded_call<M, std::remove_cvref_t<decltype(arguments)>, std::remove_cvref_t<decltype(out)>>{
      &b, first, b.size(), b.depth, call.number, arguments, out};
}

// The program of these values; with constants only there is none.
template <class... X>
constexpr builder& program_of_call(X const&... x) {
  static_assert(
      any_traced<X...>,
      "tessera: vjp, linearize, jacfwd and jacrev take arrays, or values of traced code. Fix: call them in jit "
      "with an argument of the traced function, or with asarray(constant).");
  return *builder_among(x...);
}
// The half of a call's results that is differentiated, if f returns std::tuple{out, aux}.
template <class Call>
constexpr auto without_aux(Call const& call) {
  auto const out = std::get<0>(call.results);
  using out_type = std::remove_cvref_t<decltype(out)>;
  return recorded_call<typename Call::mesh, decltype(Call::arguments), out_type>{
      call.graph, call.first, call.end, call.depth, call.number, call.arguments, out};
}
template <class F>
struct without_aux_function {
  [[no_unique_address]] F function{};
  template <class... X>
  constexpr auto operator()(X const&... x) const {
    return std::get<0>(function(x...));
  }
};
// The call f(x...), recorded in the program of its arguments.
template <class F, class... X>
constexpr auto record_here(F const& f, X const&... x) {
  using M = typename leaf_meshes<std::tuple<signature_of<X>...>>::type;
  return record_call<M>(program_of_call(x...), f, std::tuple<X...>{x...});
}

// What a transformation of arrays returns: Traced, as a function of the arguments and of what it is given later; in each
// call it is traced and run as by jit.
template <class Traced, class... X>
struct called_later {
  std::tuple<X...> arguments;
  template <class G>
  auto operator()(G const& given) const {
    using call = run_traced<Traced, std::tuple<X...>, G>;
    call::refused::explain();
    return call::run(arguments, given);
  }
};
// std::tuple{f(x...), map}; with Aux, where f returns std::tuple{out, aux}, std::tuple{out, map, aux}. OfCall: the map of a
// recorded call; OfArrays: that of f and arrays. The caller explains a refusal of f on arrays.
template <bool Aux, template <class> class OfCall, template <class...> class OfArrays, class F, class... X>
constexpr auto value_and_map(F const& f, X const&... x) {
  if constexpr ((contains_array<X>() || ...)) {
    auto const made = run_traced<F, X...>::run(x...);
    if constexpr (Aux)
      return std::make_tuple(std::get<0>(made), OfArrays<without_aux_function<F>, X...>{{x...}}, std::get<1>(made));
    else
      return std::make_tuple(made, OfArrays<F, X...>{{x...}});
  } else {
    auto const all = record_here(f, x...);
    if constexpr (Aux) {
      auto const call = without_aux(all);
      return std::make_tuple(call.results, OfCall<std::remove_cvref_t<decltype(call)>>{call}, std::get<1>(all.results));
    } else {
      return std::make_tuple(all.results, OfCall<std::remove_cvref_t<decltype(all)>>{all});
    }
  }
}

// Whether gradients and tangents are taken by this leaf.
template <class X>
inline constexpr bool moves = [] {
  if constexpr (is_traced<X>)
    return is_inexact(X::type::value.element);
  else
    return false;
}();
struct collect_moving {
  growable<int>* ids;
  template <class X>
  constexpr void operator()(X const& x) const {
    if constexpr (moves<X>) ids->push_back(x.node);
  }
};

}  // namespace detail
}  // namespace tessera
