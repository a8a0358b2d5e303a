// SPDX-License-Identifier: Apache-2.0
#pragma once
// in_shardings<P<dp>, unspecified>, out_shardings<P<dp, mp>>: the layouts of arguments and results of jit.
//   auto step = jit<in_shardings<P<dp>, P<none, mp>>, out_shardings<P<dp>>>(f);
//   auto init = jit<out_shardings<P<dp>>, grid>(f);   on the current mesh of type grid, if no argument has a mesh
// One spec for each argument, or each element of the tuple that f returns; a single one applies to all; each applies to
// all arrays of a tree, or is a tree of specs: layer<P<none, mp>, P<mp>>. Of a spec for several values those without
// dimensions have none (JAX refuses); one that is theirs alone is refused if it names an axis. `unspecified` lets the
// planner choose. As constants they are in comm_of<decltype(step), ...>. An argument with another layout is resharded,
// and the bytes of that call count it; JAX throws if it was committed. No dimension is `unconstrained`, as in JAX. A
// value without a mesh (constants, host data, keys and values computed from them) is on the named mesh, or that of the
// arguments, or that of the other results. Explicit axes become part of the type, Auto axes are kept by the planner; if
// both split one dimension, the Explicit ones come first. Source: JAX jax.jit.

#include <tessera/op/shape/reshard.hpp>
#include <tessera/trace/device_put_tree.hpp>
#include <tessera/trace/leaf_meshes.hpp>
#include <tessera/trace/record.hpp>
#include <tessera/transform/constrain.hpp>

namespace tessera {

template <class... S>
struct in_shardings {};
template <class... S>
struct out_shardings {};

namespace detail {

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

// The function that jit<in_shardings<...>, out_shardings<...>, M>(f) traces. M: the mesh of values without one; no_mesh
// if arguments and results decide.
template <class F, class In, class Out, Mesh M = no_mesh>
struct with_shardings {
  [[no_unique_address]] F function;
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
    using result = decltype(function(constrain<typename in::template at<I>, On, (in::count < sizeof...(X))>{}(x)...));
    if constexpr (std::is_void_v<result>)
      function(constrain<typename in::template at<I>, On, (in::count < sizeof...(X))>{}(x)...);
    else
      return left<On>(function(constrain<typename in::template at<I>, On, (in::count < sizeof...(X))>{}(x)...));
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

// The settings of jit<Settings...>(f), each at most once, in any order.
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

}  // namespace tessera
