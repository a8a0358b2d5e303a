// SPDX-License-Identifier: Apache-2.0
#pragma once
// A call that will be differentiated: recorded once, with its arguments marked, for jvp, linearize and vjp.

#include <tessera/base/functions_otherwise.hpp>
#include <tessera/base/unpack.hpp>
#include <tessera/control/carried.hpp>
#include <tessera/control/carried_error.hpp>
#include <tessera/trace/look.hpp>
#include <tessera/trace/on_arrays.hpp>
#include <tessera/trace/own_program.hpp>
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
  using results = std::remove_cvref_t<decltype(out)>;
  using both = joined_mesh<M, typename leaf_meshes<signature_of<results>>::type>;  // f may name a mesh
  return recorded_call<both, std::remove_cvref_t<decltype(arguments)>, results>{
      &b, first, b.size(), b.depth, call.number, arguments, out};
}

// Whether a call has constants and numbers only, so that no program of its arguments could keep it.
template <class... X>
inline constexpr bool has_no_program = !any_traced<X...> && !(contains_array<X>() || ...);

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
  [[no_unique_address]] F function;
  template <class... X>
  constexpr auto operator()(X const&... x) const {
    return std::get<0>(function(x...));
  }
};
// The call f(x...), recorded in the program of its arguments.
template <class F, class... X>
constexpr auto record_here(F const& f, X const&... x) {
  using M = typename leaf_meshes<std::tuple<signature_of<X>...>>::type;
  return record_call<M>(*builder_among(x...), f, std::tuple<X...>{x...});
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
// The same of constants. Map::in<M>(builder&, f, x...) records the call in the program of what it is given, or in one of
// its own.
template <class Map, class Traced, class F, class... X>
struct called_with_constants {
  [[no_unique_address]] F function;
  std::tuple<X...> arguments;
  template <class... G>
  constexpr auto operator()(G const&... given) const {
    if constexpr ((contains_array<G>() || ...)) {
      error_or_silence<std::conditional_t<std::is_empty_v<F>, void, error::function_with_state<F>>>::explain();
      return Traced{arguments}(given...);
    } else if constexpr (any_traced<G...>) {
      return with(*builder_among(given...), given...);
    } else {
      auto const made = in_own_program<typename leaf_meshes<std::tuple<signature_of<X>..., signature_of<G>...>>::type>(
          [&](builder& own) { return with(own, tree_map(enter_constant<true>{&own}, given)...); });
      said_here<decltype(made)>::explain();
      return as_said(made);
    }
  }

private:
  template <class... G>
  constexpr auto with(builder& b, G const&... given) const {
    using M = typename leaf_meshes<std::tuple<signature_of<X>..., signature_of<G>...>>::type;
    return unpack([&](auto const&... x) { return Map::template in<M>(b, function, x...)(given...); }, arguments);
  }
};

template <bool Aux, class Error>
constexpr auto refused_map() {
  if constexpr (Aux)
    return std::make_tuple(poisoned<Error>{}, takes_anything{}, poisoned<Error>{});
  else
    return std::make_tuple(poisoned<Error>{}, takes_anything{});
}
// The map of a recorded call; with Aux, f returns std::tuple{out, aux}.
template <bool Aux, template <class> class OfCall>
struct map_of_call {
  template <class Call>
  static constexpr auto of(Call const& all) {
    if constexpr (Aux) {
      auto const call = without_aux(all);
      return OfCall<std::remove_cvref_t<decltype(call)>>{call};
    } else {
      return OfCall<Call>{all};
    }
  }
  template <class M, class F, class... X>
  static constexpr auto in(builder& b, F const& f, X const&... x) {
    return of(record_call<M>(b, f, std::tuple<X...>{x...}));
  }
};
// std::tuple{f(x...), map}; with Aux, std::tuple{out, map, aux}.
template <bool Aux, class Results, class Map>
constexpr auto with_map(Results const& results, Map const& map) {
  if constexpr (Aux)
    return std::make_tuple(std::get<0>(results), map, std::get<1>(results));
  else
    return std::make_tuple(results, map);
}
// The same of a recorded call.
template <bool Aux, template <class> class OfCall, class Call>
constexpr auto results_and_map(Call const& all) {
  using made_type = std::remove_cvref_t<decltype(all.results)>;
  if constexpr (Aux && Refused<made_type>) {
    return refused_map<Aux, error_in<made_type>>();
  } else if constexpr (Aux && !is_pair<made_type>) {
    (void)poisoned_in<written::no_aux<>>(all.graph, reason::not_callable, site{});
    return refused_map<Aux, written::no_aux<>>();
  } else {
    return with_map<Aux>(all.results, map_of_call<Aux, OfCall>::of(all));
  }
}
// OfCall: the map of a recorded call; OfArrays: that of f and arrays. The caller explains a refusal of f on arrays.
template <bool Aux, template <class> class OfCall, template <class...> class OfArrays, class F, class... X>
constexpr auto value_and_map(F const& f, X const&... x) {
  using of_call = map_of_call<Aux, OfCall>;
  using of_arrays = std::conditional_t<Aux, OfArrays<without_aux_function<F>, X...>, OfArrays<F, X...>>;
  using M = typename leaf_meshes<std::tuple<signature_of<X>...>>::type;
  if constexpr (has_no_program<X...>) {
    auto const seen = seen_by<M>(f, see_call<X...>(x...));
    using seen_type = std::remove_cvref_t<decltype(seen)>;
    if constexpr (!std::is_void_v<error_in<seen_type>>) {
      return refused_map<Aux, error_in<seen_type>>();
    } else if constexpr (any_traced<seen_type>) {
      return results_and_map<Aux, OfCall>(record_call<M>(*builder_among(seen), f, std::tuple<X...>{x...}));
    } else {
      auto const made =
          in_own_program<M>([&](builder& b) { return record_call<M>(b, f, std::tuple<X...>{x...}).results; });
      using made_type = std::remove_cvref_t<decltype(made)>;
      said_here<made_type>::explain();
      if constexpr (Aux && !is_pair<made_type> && !Refused<made_type>) written::no_aux<F>::explain();
      if constexpr (!std::is_void_v<error_in<made_type>> || (Aux && !is_pair<made_type>))
        return refused_map<Aux, explained<>>();
      else
        return with_map<Aux>(made, called_with_constants<of_call, of_arrays, F, X...>{f, {x...}});
    }
  } else if constexpr ((contains_array<X>() || ...)) {
    auto const made = run_traced<F, X...>::run(x...);
    using made_type = std::remove_cvref_t<decltype(made)>;
    if constexpr (Aux && !is_pair<made_type> && !Refused<made_type>) written::no_aux<F>::explain();
    if constexpr (Aux && !is_pair<made_type>)
      return refused_map<Aux, explained<>>();
    else
      return with_map<Aux>(made, of_arrays{{x...}});
  } else {
    return results_and_map<Aux, OfCall>(record_here(f, x...));
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
