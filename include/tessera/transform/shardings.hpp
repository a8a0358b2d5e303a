// SPDX-License-Identifier: Apache-2.0
#pragma once
// in_shardings<P<dp>, unspecified>, out_shardings<P<dp, mp>>: how arguments and results of jit lie.
//   auto step = jit<in_shardings<P<dp>, P<none, mp>>, out_shardings<P<dp>>>(f);
//   auto init = jit<out_shardings<P<dp>>, grid>(f);   what no argument is on a mesh for: on the current mesh of type grid
// One spec for each argument, or each element of the tuple that f returns; one alone is for all; each is for all arrays of a
// tree, or is a tree of specs: layer<P<none, mp>, P<mp>>. Numbers have none. `unspecified` leaves the planner free. As constants they are in comm_of<decltype(step), ...>.
// An argument that lies otherwise is brought there, which the bytes of that call count; JAX throws where it was committed.
// No dimension is `unconstrained`, as in JAX. What has no mesh (constants, host data, keys and what is made of them) is on the
// mesh named, or the arguments', or the other results'. Explicit axes come into the type, Auto axes are the planner's to keep;
// where both split one dimension, the Explicit ones come first. Source: JAX jax.jit.

#include <tessera/op/shape/reshard.hpp>
#include <tessera/trace/record.hpp>

namespace tessera {
namespace ops {
struct jit;  // the place of a refusal
}

struct unspecified {};
template <class... S>
struct in_shardings {};
template <class... S>
struct out_shardings {};

namespace detail {

// An array of a tree of so many parts for which other many specs were given.
template <int Said, int Parts>
struct poisoned_leaf {
  builder* graph;
  site at;
  template <class X>
  constexpr auto operator()(X const&) const {
    return miscounted<ops::with_sharding_constraint, Said, error::tree_parts, Parts>(graph, at);
  }
};
// An array for which jit was given a spec that is refused for that reason.
template <class Error, reason Why, class X>
constexpr auto poisoned_by_spec([[maybe_unused]] X const& x, site at, int dim = -1) {
  refusal const found{refuse(Why, dim), nullptr, at, {}, {}, 0};
  builder* graph = nullptr;
  if constexpr (is_traced<X>) graph = x.graph;
  if (graph) graph->refuse(found);
  return poisoned<Error>{found, graph};
}
template <Spec S>
inline constexpr bool names_no_axis = [] {
  constexpr spec_value spec = spec_value_of<no_mesh, S>;
  for (int d = 0; d < spec.rank; ++d)
    if (!spec[d].empty()) return false;
  return true;
}();
// The axes of spec S on mesh M that are Explicit, or all others; on a value without a mesh it is M's then.
template <Spec S, Mesh M, bool Explicit>
struct part_of_spec {
  using mesh = M;
  using spec = S;
  template <Mesh On>
  static constexpr attributes on() {
    attributes attrs;
    attrs.has_out = true;
    attrs.out = spec_value_of<On, S>;
    axis_set const typed = On::value.of_kind(axis_kind::explicit_);
    for (int d = 0; d < attrs.out.rank; ++d)
      attrs.out.entries.items[d] = without(attrs.out[d], Explicit ? On::value.axes() - typed : typed);
    return attrs;
  }
};
// x of a mesh, or put on M: by a reshard as far as axes are Explicit, by a constraint for the others.
template <Spec S, Mesh M, class X>
constexpr auto placed_as(X const& x, site at) {
  constexpr axis_set typed = M::value.of_kind(axis_kind::explicit_);
  if constexpr (spec_value_of<M, S>.too_long || spec_value_of<M, S>.rank > X::type::rank) {
    return invoke<ops::with_sharding_constraint, with_out<no_params, S, M>>(at, x);  // refused
  } else if constexpr (typed == M::value.axes()) {
    return invoke<ops::reshard, with_out<no_params, S, M>>(at, x);
  } else if constexpr (typed.empty()) {
    return invoke<ops::with_sharding_constraint, with_out<no_params, S, M>>(at, x);
  } else {
    auto const typed_so = invoke<ops::reshard, part_of_spec<S, M, true>>(at, x);
    return invoke<ops::with_sharding_constraint, part_of_spec<S, M, false>>(at, typed_so);
  }
}

// A value that lies as S says: a spec, for all arrays of a tree, or a tree of specs for its parts. What has no mesh is put on
// mesh On, where there is one.
template <class S, Mesh On>
struct constrain {
  site at;
  template <class X>
  constexpr auto operator()(X const& x) const {
    if constexpr (std::is_same_v<S, unspecified>)
      return x;
    else if constexpr (Tree<S>)
      return in_parts(x);
    else if constexpr (Tree<X>)
      return tree_map(*this, x);
    else if constexpr (!is_traced<X> && !is_constant<X>)
      return x;
    else if constexpr (X::type::rank == 0)
      return scalar(x);
    else if constexpr (constexpr int open = spec_value_of<mesh_for<X>, S>.open_dim(); open >= 0)
      return poisoned_by_spec<error::unconstrained_dim<ops::jit, error::at_dim<open>, error::asked<S>>,
                              reason::unconstrained_dim>(x, at, open);
    else if constexpr (mesh_for<X>::rank != 0)
      return placed_as<S, mesh_for<X>>(x, at);
    else if constexpr (names_no_axis<S>)
      return x;
    else
      return poisoned_by_spec<error::axis_not_in_mesh<ops::jit, error::mesh_has<>, error::asked<S>>,
                              reason::axis_not_in_mesh>(x, at);
  }

private:
  template <class X>
  using mesh_for = std::conditional_t<X::type::mesh::rank != 0, typename X::type::mesh, On>;
  // Nothing splits it, but it is on the mesh.
  template <class X>
  constexpr auto scalar(X const& x) const {
    if constexpr (is_traced<X> && X::type::mesh::rank == 0 && On::rank != 0)
      return placed_as<P<>, On>(x, at);
    else
      return x;
  }
  template <class T>
  static constexpr int parts_of_tree() {
    if constexpr (Tree<T>)
      return static_cast<int>(positions_in<T>::size());
    else
      return 1;
  }
  template <class X>
  constexpr auto in_parts(X const& x) const {
    constexpr int said = parts_of_tree<S>(), parts = parts_of_tree<X>();
    if constexpr (parts != said)
      return tree_map(poisoned_leaf<said, parts>{builder_among(x), at}, x);
    else
      return each(positions_in<S>{}, parts_of(S{}), parts_of(x), std::type_identity<X>{});
  }
  template <std::size_t I, class Said, class Parts>
  static constexpr auto one(site at, Said const& said, Parts const& x) {
    return constrain<std::remove_cvref_t<decltype(part<I>(said))>, On>{at}(part<I>(x));
  }
  template <std::size_t... I, class Said, class Parts, class X>
  constexpr auto each(std::index_sequence<I...>, Said const& said, Parts const& x, std::type_identity<X>) const {
    return typename rebuild<X>::template with<decltype(one<I>(at, said, x))...>{one<I>(at, said, x)...};
  }
};

template <class Shardings>
struct shardings_list;
template <template <class...> class Kind, class... S>
struct shardings_list<Kind<S...>> {
  static constexpr std::size_t count = sizeof...(S);
  template <std::size_t I>
  using at = boost::mp11::mp_at_c<boost::mp11::mp_list<S...>, count == 1 ? 0 : I>;
};

struct mesh_leaf {
  template <class X>
  constexpr auto operator()(X const&) const {
    if constexpr (is_traced<X> || is_constant<X>)
      return typename X::type{};
    else
      return array_type<float, shape<>, P<>, no_mesh>{};
  }
};
// The mesh of the values of a tree.
template <class R>
using meshes_among = leaf_meshes<decltype(tree_map(mesh_leaf{}, std::declval<R const&>()))>;

// What jit<in_shardings<...>, out_shardings<...>, M>(f) traces. M: the mesh of what has none, no_mesh where that is left to the
// arguments and results.
template <class F, class In, class Out, Mesh M = no_mesh>
struct with_shardings {
  [[no_unique_address]] F function{};
  using in = shardings_list<In>;
  using out = shardings_list<Out>;

  template <class... X>
  constexpr auto operator()(X const&... x) const {
    if constexpr (in::count > 1 && in::count != sizeof...(X))
      return miscounted<ops::with_sharding_constraint, static_cast<int>(in::count), error::arguments, sizeof...(X)>(
          builder_among(x...), site{});
    else
      return given<mesh_of<X...>>(std::index_sequence_for<X...>{}, x...);
  }

private:
  template <class... X>
  using mesh_of = typename std::conditional_t<M::rank != 0, std::type_identity<M>,
                                              leaf_meshes<std::tuple<signature_of<X>...>>>::type;
  template <Mesh On, std::size_t... I, class... X>
  constexpr auto given(std::index_sequence<I...>, X const&... x) const {
    using result = decltype(function(constrain<typename in::template at<I>, On>{}(x)...));
    if constexpr (std::is_void_v<result>)
      function(constrain<typename in::template at<I>, On>{}(x)...);
    else
      return left<On>(function(constrain<typename in::template at<I>, On>{}(x)...));
  }
  template <Mesh Given, class R>
  constexpr auto left(R const& result) const {
    using On = typename std::conditional_t<Given::rank != 0, std::type_identity<Given>, meshes_among<R>>::type;
    if constexpr (out::count == 1)
      return constrain<typename out::template at<0>, On>{}(result);
    else if constexpr (out::count != parts_in<R>)
      return miscounted<ops::with_sharding_constraint, static_cast<int>(out::count), error::results, parts_in<R>>(
          nullptr, site{});
    else
      return each<On>(std::make_index_sequence<out::count>{}, result);
  }
  template <Mesh On, std::size_t... I, class R>
  static constexpr auto each(std::index_sequence<I...>, R const& result) {
    return std::make_tuple(constrain<typename out::template at<I>, On>{}(std::get<I>(result))...);
  }
};

template <class T>
inline constexpr bool is_shardings = false;
template <class... S>
inline constexpr bool is_shardings<in_shardings<S...>> = true;
template <class... S>
inline constexpr bool is_shardings<out_shardings<S...>> = true;

// What jit<Settings...>(f) was given, each at most once, in any order.
template <class In, class Out, Mesh M, class... Settings>
struct jit_settings {
  template <class F>
  using type = with_shardings<F, In, Out, M>;
};
template <class In, class Out, Mesh M, class... S, class... Rest>
struct jit_settings<In, Out, M, in_shardings<S...>, Rest...> : jit_settings<in_shardings<S...>, Out, M, Rest...> {};
template <class In, class Out, Mesh M, class... S, class... Rest>
struct jit_settings<In, Out, M, out_shardings<S...>, Rest...> : jit_settings<In, out_shardings<S...>, M, Rest...> {};
template <class In, class Out, Mesh M, Mesh On, class... Rest>
struct jit_settings<In, Out, M, On, Rest...> : jit_settings<In, Out, On, Rest...> {};
template <class F, Mesh M, class... Settings>
using with_settings =
    typename jit_settings<in_shardings<unspecified>, out_shardings<unspecified>, M, Settings...>::template type<F>;

}  // namespace detail

// In traced code: x in the layout S, by a reshard as far as the mesh's axes are Explicit, by a constraint for the others. M:
// the mesh of a value that has none. Source: JAX jax.device_put under jit. Differs: over Auto axes JAX does nothing.
template <Spec S, Mesh M = no_mesh, class X>
  requires(detail::traces<X> && !Refused<X>)
constexpr auto device_put(X const& x, site at = std::source_location::current()) {
  if constexpr (X::type::mesh::rank != 0)
    return detail::placed_as<S, typename X::type::mesh>(x, at);
  else
    return detail::placed_as<S, M>(x, at);
}

}  // namespace tessera
