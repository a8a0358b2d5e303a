// SPDX-License-Identifier: Apache-2.0
#pragma once
// in_shardings<P<dp>, unspecified>, out_shardings<P<dp, mp>>: over Auto axes, how arguments and results of jit lie.
//   auto step = jit<in_shardings<P<dp>, P<none, mp>>, out_shardings<P<dp>>>(f);
// One spec for each argument, or each element of the tuple that f returns; one alone is for all; each is for all arrays of a
// tree, or is a tree of specs: layer<P<none, mp>, P<mp>>. Numbers have none. `unspecified` leaves the planner free. As constants they are in comm_of<decltype(step), ...>.
// An argument that lies otherwise is brought there, which the bytes of that call count; JAX throws where it was committed.
// No dimension is `unconstrained`, as in JAX.
// Over Explicit axes types say layouts: with_sharding_constraint's rule holds. Source: JAX jax.jit.

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
// An array for which jit was given spec S, which leaves a dimension unconstrained.
template <Spec S, class X>
constexpr auto poisoned_by_open_dim(X const& x, site at) {
  constexpr int dim = spec_value_of<typename X::type::mesh, S>.open_dim();
  refusal const found{refuse(reason::unconstrained_dim, dim), nullptr, at, {}, {}, 0};
  if (x.graph) x.graph->refuse(found);
  return poisoned<error::unconstrained_dim<ops::jit, error::at_dim<dim>, error::asked<S>>>{found, x.graph};
}
// A value that lies as S says: a spec, for all arrays of a tree, or a tree of specs for its parts.
template <class S>
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
    else if constexpr (!is_traced<X>)
      return x;
    else if constexpr (X::type::rank == 0)
      return x;
    else if constexpr (spec_value_of<typename X::type::mesh, S>.open_dim() >= 0)
      return poisoned_by_open_dim<S>(x, at);
    else
      return with_sharding_constraint<S>(x, at);
  }

private:
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
    return constrain<std::remove_cvref_t<decltype(part<I>(said))>>{at}(part<I>(x));
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

// What jit<in_shardings<...>, out_shardings<...>>(f) traces.
template <class F, class In, class Out>
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
      return given(std::index_sequence_for<X...>{}, x...);
  }

private:
  template <std::size_t... I, class... X>
  constexpr auto given(std::index_sequence<I...>, X const&... x) const {
    using result = decltype(function(constrain<typename in::template at<I>>{}(x)...));
    if constexpr (std::is_void_v<result>)
      function(constrain<typename in::template at<I>>{}(x)...);
    else
      return left(function(constrain<typename in::template at<I>>{}(x)...));
  }
  template <class R>
  constexpr auto left(R const& result) const {
    if constexpr (out::count == 1)
      return constrain<typename out::template at<0>>{}(result);
    else if constexpr (out::count != parts_in<R>)
      return miscounted<ops::with_sharding_constraint, static_cast<int>(out::count), error::results, parts_in<R>>(
          nullptr, site{});
    else
      return each(std::make_index_sequence<out::count>{}, result);
  }
  template <std::size_t... I, class R>
  static constexpr auto each(std::index_sequence<I...>, R const& result) {
    return std::make_tuple(constrain<typename out::template at<I>>{}(std::get<I>(result))...);
  }
};

template <class T>
inline constexpr bool is_shardings = false;
template <class... S>
inline constexpr bool is_shardings<in_shardings<S...>> = true;
template <class... S>
inline constexpr bool is_shardings<out_shardings<S...>> = true;
template <class T>
inline constexpr bool is_in_shardings = false;
template <class... S>
inline constexpr bool is_in_shardings<in_shardings<S...>> = true;

}  // namespace detail
}  // namespace tessera
