// SPDX-License-Identifier: Apache-2.0
#pragma once
// in_shardings<P<dp>, unspecified>, out_shardings<P<dp, mp>>: over Auto axes, how arguments and results of jit lie.
//   auto step = jit<in_shardings<P<dp>, P<none, mp>>, out_shardings<P<dp>>>(f);
// One spec for each argument, or each element of the tuple that f returns; one alone is for all; each is for all arrays of a
// tree, numbers have none. `unspecified` leaves the planner free. As constants they are in comm_of<decltype(step), ...>.
// An argument that lies otherwise is brought there, which the bytes of that call count; JAX throws where it was committed.
// Over Explicit axes types say layouts: with_sharding_constraint's rule holds. Source: JAX jax.jit.

#include <tessera/op/shape/reshard.hpp>
#include <tessera/trace/record.hpp>

namespace tessera {

struct unspecified {};
template <class... S>
struct in_shardings {};
template <class... S>
struct out_shardings {};

namespace detail {

template <class S>
struct constrain_leaf {
  site at;
  template <class X>
  constexpr auto operator()(X const& x) const {
    if constexpr (!is_traced<X> || std::is_same_v<S, unspecified>)
      return x;
    else if constexpr (X::type::rank == 0)
      return x;
    else
      return with_sharding_constraint<S>(x, at);
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
    using result = decltype(function(tree_map(constrain_leaf<typename in::template at<I>>{}, x)...));
    if constexpr (std::is_void_v<result>)
      function(tree_map(constrain_leaf<typename in::template at<I>>{}, x)...);
    else
      return left(function(tree_map(constrain_leaf<typename in::template at<I>>{}, x)...));
  }
  template <class R>
  constexpr auto left(R const& result) const {
    if constexpr (out::count == 1)
      return tree_map(constrain_leaf<typename out::template at<0>>{}, result);
    else if constexpr (out::count != parts_in<R>)
      return miscounted<ops::with_sharding_constraint, static_cast<int>(out::count), error::results, parts_in<R>>(
          nullptr, site{});
    else
      return each(std::make_index_sequence<out::count>{}, result);
  }
  template <std::size_t... I, class R>
  static constexpr auto each(std::index_sequence<I...>, R const& result) {
    return std::make_tuple(tree_map(constrain_leaf<typename out::template at<I>>{}, std::get<I>(result))...);
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
