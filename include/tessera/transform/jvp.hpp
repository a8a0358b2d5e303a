// SPDX-License-Identifier: Apache-2.0
#pragma once
// jvp: a function's value, and its derivative along given directions, by forward-mode differentiation.
//   jvp(f, std::tuple{x, y}, std::tuple{dx, dy})  -> std::tuple{f(x, y), its tangent}, which is a tree like the value
//   jvp(f, x, dx)                                 for one argument that is no std::tuple
//   jvp(f, primals, tangents, has_aux)            f returns std::tuple{out, aux}: std::tuple{out, tangent, aux}
//   linearize(f, x, y)                            -> std::tuple{f(x, y), g}, where g(dx, dy) is the tangent of f(x, y)
//   linearize(f, has_aux, x, y)                   -> std::tuple{out, g, aux}
// A tangent has the type of its value, sharding included. float0{} is a tangent that is zero; values of integers and
// bools have no other, and results of integers have zeros of their type. Loops, while_loop too, carry their tangents.
// Bytes: those of f, and those of its linear part once more. With arrays it runs as by jit; each call of the linearize
// of arrays computes f again. Source: JAX jax.jvp, jax.linearize. Differs: JAX's float0 has a shape, and is the tangent
// of integers only.

#include <tessera/base/functions_otherwise.hpp>
#include <tessera/base/unpack.hpp>
#include <tessera/error/tangents_differ.hpp>
#include <tessera/transform/grad.hpp>
#include <tessera/transform/recorded_call.hpp>

namespace tessera {

// A tangent that is zero.
struct float0 {};

namespace ops {

// The operation that refusals of jvp name.
struct jvp {
  static constexpr std::string_view name = "jvp";
  static constexpr op_class kind = op_class::identity;
};

}  // namespace ops

namespace detail {

// A tangent as its type is compared with that of its argument: a number has the argument's dtype, and the tangents of
// integers have none.
template <Mesh M>
struct tangent_type {
  template <class X, class T>
  constexpr auto operator()(X const& x, T const& given) const {
    auto const t = put_on<M>(given);
    using type = std::remove_cvref_t<decltype(t)>;
    if constexpr (!moves<X> || std::is_same_v<type, float0>) {
      return x;
    } else if constexpr (is_poisoned<type> || !Operand<type>) {
      return t;
    } else if constexpr (type_of_leaf<type>::value.weak) {
      using strong = array_type_of<hard_facts<type_of_leaf<type>, X::type::value.element>, M>;
      return traced<strong>{};
    } else {
      return t;
    }
  }
};
// A given tangent or cotangent as a value with these facts, refused in the name of Op if it has others.
template <Mesh M, class Op, reason Why = reason::tangents_differ, class T>
constexpr term entered_like(builder& b, T const& given, array_value wanted) {
  auto const t = put_on<M>(given);
  using type = std::remove_cvref_t<decltype(t)>;
  if constexpr (is_poisoned<type> || !Operand<type>) {
    return {&b, -1};
  } else {
    term made = operand_traits<type>::enter(b, t);
    if (!made) return made;
    if (type_of_leaf<type>::value.weak && made.facts().element != wanted.element)
      made = make<ops::cast>(b, {made}, cast_params{wanted.element});
    array_value found = made.facts();
    wanted.weak = found.weak = false;
    if (!(wanted == found)) return b.refuse(refusal{refuse(Why), &bare_info<Op>, b.here, wanted, found, 2});
    return made;
  }
}
template <Mesh M, class Pass>
struct enter_tangent {
  builder* graph;
  Pass* pass;
  template <class X, class T>
  constexpr bool operator()(X const& x, T const& given) const {
    if constexpr (moves<X> && !std::is_same_v<T, float0>) {
      if (x.node < 0) return false;
      term tangent = entered_like<M, ops::jvp>(*graph, given, graph->facts(x.node));
      if (tangent) tangent = moved_into(*graph, tangent, memory_kind::device);
      int const wanted = wanted_node(*graph, x.node);
      if (tangent && wanted != x.node)
        tangent = make<ops::cast>(*graph, {tangent}, cast_params{graph->facts(wanted).element});
      pass->enter(wanted, tangent.id);
    }
    return true;
  }
};

struct collect_results {
  growable<int>* ids;
  template <class X>
  constexpr void operator()(X const& x) const {
    if constexpr (is_traced<X>) ids->push_back(x.node);
  }
};
template <class Pass>
struct read_primal {
  Pass const* pass;
  template <class X>
  constexpr auto operator()(X const& x) const {
    if constexpr (is_traced<X>)
      return X{x.graph, pass->primal(x.node)};
    else
      return x;
  }
};
template <class Pass>
struct read_tangent {
  Pass const* pass;
  template <class X>
  constexpr auto operator()(X const& x) const {
    if constexpr (!is_traced<X>) {
      return x;
    } else {
      if (x.node < 0 || x.graph->refused.what.why != reason::none) return X{x.graph, -1};
      builder& b = *x.graph;
      array_value const facts = b.facts(x.node);
      int id = moves<X> ? pass->tangent(x.node) : -1;
      if (id < 0) id = zeros_of(b, facts).id;
      if (id >= 0) id = moved_into(b, term{&b, id}, facts.memory).id;
      if (id >= 0 && b.facts(id).weak != facts.weak) id = b.push(info<ops::identity>, &id, 1, {}, facts);
      return X{&b, id};
    }
  }
};

// The error of tangents T for a recorded call, or void.
template <class Call, class T>
using tangents_refused =
    error_between<ops::jvp, reason::tangents_differ, typename Call::mesh, "tangents", decltype(Call::arguments),
                  decltype(tree_map(tangent_type<typename Call::mesh>{}, std::declval<Call const&>().arguments,
                                    std::declval<T const&>()))>;

// The tangents of the results of a recorded call.
template <class Call, class T, class B = builder>
constexpr forward<B> push_tangents(Call const& call, T const& tangents, bool instead = false) {
  using pass_type = forward<B>;
  walk_of const walk(*call.graph, call.number);
  pass_type pass(*call.graph, instead);
  (void)tree_map(enter_tangent<typename Call::mesh, pass_type>{call.graph, &pass}, call.arguments, tangents);
  growable<int> results;
  tree_each(collect_results{&results}, call.results);
  if (call.graph->refused.what) pass.run(call.first, call.end, results);
  return pass;
}

template <class P>
constexpr std::tuple<P> as_arguments(P const& p) {
  return {p};
}
template <class... P>
constexpr std::tuple<P...> as_arguments(std::tuple<P...> const& p) {
  return p;
}

}  // namespace detail

// F's jvp as a function object of primals and tangents, two std::tuples.
template <class F, bool Aux>
struct pushforward {
  [[no_unique_address]] F function;

  template <class P, class T>
  constexpr auto operator()(P const& primals, T const& tangents) const {
    return at_line(site{}, primals, tangents);
  }
  template <class P, class T>
  constexpr auto at_line(site at, P const& primals, T const& tangents) const {
    if constexpr (contains_array<P>() || contains_array<T>()) {
      using call = run_traced<pushforward, P, T>;
      call::refused::explain();
      return call::run(primals, tangents);
    } else if constexpr (detail::any_traced<P, T>) {
      return push<mesh_of<P, T>>(*detail::builder_among(primals, tangents), at, primals, tangents);
    } else {
      using M = mesh_of<P, T>;
      auto const made = detail::recorded_where_it_reads<M>(
          function, [&](auto const& f, builder&) { return detail::unpack(f, tree_map(detail::seen_leaf{}, primals)); },
          [&](builder& b) { return push<M>(b, at, primals, tangents); });
      detail::said_here<decltype(made)>::explain();
      return detail::as_said(made);
    }
  }

private:
  template <class P, class T>
  using mesh_of = typename detail::leaf_meshes<std::tuple<signature_of<P>, signature_of<T>>>::type;

  template <class M, class P, class T>
  constexpr auto push(builder& b, site at, P const& primals, T const& tangents) const {
    static_assert(op_register<ops::jvp>::done);
    b.here = at;
    auto const call = detail::record_call<M>(b, function, primals);
    b.here = at;
    using refused = detail::error_in<std::remove_cvref_t<decltype(call.results)>>;
    using other_tree = detail::trees_refused<ops::jvp, P, T>;
    if constexpr (!std::is_void_v<refused>) {
      return poisoned_results(detail::poison_leaf<refused>{}, call.results);
    } else if constexpr (Aux && !detail::is_pair<std::remove_cvref_t<decltype(call.results)>>) {
      (void)detail::poisoned_in<written::no_aux<>>(&b, reason::not_callable, at);
      return poisoned_results(detail::poison_leaf<written::no_aux<>>{}, call.results);
    } else if constexpr (!std::is_void_v<other_tree>) {
      detail::refuse_tree<ops::jvp>(b, at);
      return poisoned_results(detail::poison_leaf<other_tree>{}, call.results);
    } else {
      using differs = detail::tangents_refused<std::remove_cvref_t<decltype(call)>, T>;
      if constexpr (!std::is_void_v<differs>) {
        (void)detail::push_tangents(call, tangents);
        return poisoned_results(detail::poison_leaf<differs>{}, call.results);
      } else {
        auto const pass = detail::push_tangents(call, tangents, true);
        using pass_type = std::remove_cvref_t<decltype(pass)>;
        auto const values = tree_map(detail::read_primal<pass_type>{&pass}, call.results);
        if constexpr (Aux) {
          auto const tangent = tree_map(detail::read_tangent<pass_type>{&pass}, std::get<0>(call.results));
          return std::make_tuple(std::get<0>(values), tangent, std::get<1>(values));
        } else {
          return std::make_tuple(values, tree_map(detail::read_tangent<pass_type>{&pass}, call.results));
        }
      }
    }
  }
  template <class Poison, class Out>
  static constexpr auto poisoned_results(Poison const& poison, Out const& out) {
    if constexpr (Aux)
      return std::make_tuple(tree_map(poison, out), tree_map(poison, out), tree_map(poison, out));
    else
      return std::make_tuple(tree_map(poison, out), tree_map(poison, out));
  }
};

namespace detail {

// The tangents of a recorded call, for linearize.
template <class Call>
struct linear_map {
  Call call;
  template <class... T>
  constexpr auto operator()(T const&... tangents) const {
    using given = std::tuple<T...>;
    using refused = error_in<decltype(Call::results)>;
    using other_tree = trees_refused<ops::jvp, decltype(Call::arguments), given>;
    if constexpr (!std::is_void_v<refused>) {
      return tree_map(poison_leaf<refused>{}, call.results);
    } else if constexpr (!std::is_void_v<other_tree>) {
      refuse_tree<ops::jvp>(*call.graph, call.graph->here);
      return tree_map(poison_leaf<other_tree>{}, call.results);
    } else {
      using differs = tangents_refused<Call, given>;
      auto const pass = push_tangents(call, given{tangents...});
      if constexpr (std::is_void_v<differs>)
        return tree_map(read_tangent<std::remove_cvref_t<decltype(pass)>>{&pass}, call.results);
      else
        return tree_map(poison_leaf<differs>{}, call.results);
    }
  }
};
// The same of arrays.
template <class F, class... X>
struct linear_map_at {
  std::tuple<X...> primals;
  template <class... T>
  constexpr auto operator()(T const&... tangents) const {
    return std::get<1>(pushforward<F, false>{}.at_line(site{}, primals, std::tuple<T...>{tangents...}));
  }
};

}  // namespace detail

namespace functions {

template <class F, class P, class T>
constexpr auto jvp(F const& f, P const& primals, T const& tangents, site at = std::source_location::current()) {
  return pushforward<F, false>{f}.at_line(at, detail::as_arguments(primals), detail::as_arguments(tangents));
}
template <class F, class P, class T>
constexpr auto jvp(F const& f, P const& primals, T const& tangents, has_aux_t,
                   site at = std::source_location::current()) {
  return pushforward<F, true>{f}.at_line(at, detail::as_arguments(primals), detail::as_arguments(tangents));
}

template <class F, class... X>
constexpr auto linearize(F const& f, X const&... x) {
  if constexpr ((contains_array<X>() || ...)) run_traced<F, X...>::refused::explain();
  return detail::value_and_map<false, detail::linear_map, detail::linear_map_at>(f, x...);
}
template <class F, class... X>
constexpr auto linearize(F const& f, has_aux_t, X const&... x) {
  if constexpr ((contains_array<X>() || ...)) run_traced<F, X...>::refused::explain();
  return detail::value_and_map<true, detail::linear_map, detail::linear_map_at>(f, x...);
}

}  // namespace functions

}  // namespace tessera
