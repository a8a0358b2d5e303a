// SPDX-License-Identifier: Apache-2.0
#pragma once
// jacfwd, jacrev, hessian: all derivatives of a function's results by its first argument, by argument I of jacfwd<I>, or
// by several: jacfwd<0, 2>(f), std::tuples of arrays in the place of each result.
//   jacfwd(f)(x)    one forward pass for each element of x, as one batch: for more results than arguments
//   jacrev(f)(x)    one backward pass for each element of f(x): for more arguments than results
//   hessian(f)(x)   jacfwd(jacrev(f))(x)
//   jacfwd(f, has_aux)(x)   f returns std::tuple{out, aux}: std::tuple{Jacobian of out, aux}; so do the others. aux is
//                           computed beside the passes, by a call of its own
// For results R and arguments A, trees: a tree like R whose leaves are trees like A, of arrays with the dimensions of the
// result, then those of the argument. The dimensions of the one that is counted through are not sharded: of jacfwd those
// of the argument, of jacrev those of the result; the others are sharded as there. Their extents must be known. Products
// with a Hessian do not need it: jvp(grad(f), x, v). Bytes: those of the batch of passes. Source: JAX jax.jacfwd,
// jax.jacrev, jax.hessian. Differs: complex arguments are differentiated as by holomorphic=True.

#include <tessera/base/functions_otherwise.hpp>
#include <tessera/op/create/iota.hpp>
#include <tessera/op/elementwise/compare.hpp>
#include <tessera/transform/vjp.hpp>
#include <tessera/transform/vmap.hpp>

namespace tessera {
namespace detail {

// One direction for each element of a value of type A, along dimension 0: the rows of a unit matrix.
template <ArrayType A>
struct unit_directions {
  static constexpr array_value facts = [] {
    array_value one = A::value;
    one.weak = false;
    return with_dim(one, 0, one.size());
  }();
};
template <ArrayType A, Mesh M, class B>
constexpr auto directions(B& b) {
  static_assert(A::value.size() != dynamic && A::rank < max_rank,
                "tessera: a Jacobian has the dimensions of the function's arguments and results: their extents must be "
                "known, and there may be eight. Fix: other shapes; or its products: jvp(f, x, v), vjp(f, x).");
  using unit = unit_directions<A>;
  constexpr array_value facts = unit::facts;
  auto const counted = [&](int dim) {
    array_value plain = facts;
    plain.unreduced = plain.reduced = {};
    return b.template emit<ops::iota>({}, {iota_params{dtype::int32, dim, facts.shape()}, layout_of(plain)});
  };
  term place = number(b, 0.0, dtype::int32);
  std::int64_t stride = 1;
  for (int d = facts.rank - 1; d > 0; --d) {
    term const here = counted(d);
    place = place + here * number(b, static_cast<double>(stride), dtype::int32);
    stride *= facts.extent(d);
  }
  term const first = counted(0);
  term made = make<ops::cast>(b, {make<ops::equal>(b, {first, place})}, cast_params{facts.element});
  if (made && !facts.varying.empty()) made = make<ops::pvary>(b, {made}, collective_params{facts.varying});
  return traced<array_type_of<unit, joined_mesh<M, typename A::mesh>>>{&b, made.id};
}

// Derivatives of a value of type Y by one of type X, which those of a batch become: `facts` from dimensions counted
// through in the place of X's, or with Reverse of Y's.
template <ArrayType Y, ArrayType X, bool Reverse>
struct derivatives {
  static constexpr array_value facts = [] {
    array_value all = Reverse ? cotangent_facts(X::value) : Y::value;
    all.weak = false;
    array_value const& counted = Reverse ? Y::value : X::value;
    for (int d = 0; d < counted.rank; ++d) all = with_dim(all, Reverse ? d : all.rank, counted.extent(d));
    return all;
  }();
};
template <class Y, class X, bool Reverse, Mesh M, class Batch>
constexpr auto unfold(Batch const& batch) {
  constexpr bool fits = Y::type::rank + X::type::rank <= max_rank;
  static_assert(fits,
                "tessera: a Jacobian has the dimensions of the result and those of the argument, at most eight in all. "
                "Fix: reshape them; or its products: jvp(f, x, v), vjp(f, x).");
  if constexpr (is_poisoned<Batch> || !fits) {
    return batch;
  } else {
    using made = derivatives<typename Y::type, typename X::type, Reverse>;
    builder& b = *batch.graph;
    term const all =
        make<ops::reshape>(b, {term{&b, batch.node}}, {reshape_params{made::facts.shape()}, layout_of(made::facts)});
    return traced<array_type_of<made, joined_mesh<M, typename Y::type::mesh>>>{&b, all.id};
  }
}

// A leaf that is itself a tree.
template <class T>
struct held_tree {
  T tree;
};
// The tree like T whose leaf at a path is make(path as an index_sequence, leaf).
template <std::size_t... Path, class Make, class T>
constexpr auto map_with_place(Make const& make, T const& t) {
  if constexpr (Tree<T>) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return typename rebuild<T>::template with<decltype(map_with_place<Path..., I>(make, part<I>(parts_of(t))))...>{
          map_with_place<Path..., I>(make, part<I>(parts_of(t)))...};
    }
    (positions_in<T>{});
  } else {
    return make(std::index_sequence<Path...>{}, t);
  }
}
template <std::size_t... Path, class T>
constexpr auto leaf_of(std::index_sequence<Path...>, T const& tree) {
  return leaf_at<Path...>(tree);
}

// At one place a direction, elsewhere zero.
template <class Place, class X>
struct only_at {
  X const& direction;
  template <class Here, class Leaf>
  constexpr auto operator()(Here, Leaf const&) const {
    if constexpr (std::is_same_v<Here, Place>)
      return direction;
    else
      return float0{};
  }
};
template <class Place, class X, class T>
constexpr auto in_direction(X const& direction, T const& tree) {
  return map_with_place(only_at<Place, X>{direction}, tree);
}

}  // namespace detail

namespace detail {
template <bool Aux, class Error>
constexpr auto refused_derivative() {
  if constexpr (Aux)
    return std::make_tuple(poisoned<Error>{}, poisoned<Error>{});
  else
    return poisoned<Error>{};
}
}  // namespace detail

// The derivatives of F's results by arguments Wanted as a function object. Aux: F returns (out, aux).
template <class F, bool Reverse, bool Aux, std::size_t... Wanted>
struct jacobian {
  [[no_unique_address]] F function;

  template <class... X>
  constexpr auto operator()(X const&... x) const {
    if constexpr (((Wanted >= sizeof...(X)) || ...)) {
      written::argument_beyond<F>::explain();
      return poisoned<explained<>>{};
    } else if constexpr ((contains_array<X>() || ...)) {
      using call = run_traced<jacobian, X...>;
      call::refused::explain();
      return call::run(x...);
    } else if constexpr (detail::has_no_program<X...>) {
      using M = typename detail::leaf_meshes<std::tuple<signature_of<X>...>>::type;
      auto const made = detail::recorded_where_it_reads<M>(function, detail::see_call<X...>(x...), [&](builder& b) {
        return in<M>(b, tree_map(detail::enter_constant<true>{&b}, x)...);
      });
      detail::said_here<decltype(made)>::explain();
      return detail::as_said(made);
    } else {
      return in<typename detail::leaf_meshes<std::tuple<signature_of<X>...>>::type>(*detail::builder_among(x...), x...);
    }
  }

private:
  template <class M, class... X>
  constexpr auto in(builder& b, X const&... x) const {
    using unfit = detail::aux_refused<Aux, F, X...>;
    if constexpr (!std::is_void_v<unfit>) {
      (void)detail::poisoned_in<unfit>(&b, reason::not_callable, site{});
      return detail::refused_derivative<Aux, unfit>();
    } else {
      return of_call<M>(b, x...);
    }
  }
  template <class M, class... X>
  constexpr auto of_call(builder& b, X const&... x) const {
    auto const all = std::tuple<X...>{x...};
    auto const wanted = tree_map(detail::enter_value<M, false>{&b}, chosen(all));
    // The function of the wanted arguments alone.
    auto const f = [&](auto const& at) {
      auto const out = call_with(at, all, std::index_sequence_for<X...>{});
      if constexpr (Aux)
        return std::get<0>(out);
      else
        return out;
    };
    using out_type = std::remove_cvref_t<decltype(tree_map(detail::enter_value<M, false>{&b}, f(wanted)))>;
    using refused = detail::error_in<out_type>;
    auto const made = [&] {
      if constexpr (!std::is_void_v<refused>)
        return tree_map(detail::poison_leaf<refused>{}, f(wanted));
      else if constexpr (Reverse)
        return backward_rows<M>(b, f, wanted, out_type{});
      else
        return forward_columns<M>(b, f, wanted, out_type{});
    }();
    if constexpr (Aux)
      return std::make_tuple(made, std::get<1>(function(x...)));
    else
      return made;
  }

  static constexpr bool several = sizeof...(Wanted) > 1;
  template <class All>
  static constexpr auto chosen(All const& all) {
    if constexpr (several)
      return std::make_tuple(std::get<Wanted>(all)...);
    else
      return (std::get<Wanted>(all), ...);
  }
  // The place of argument I among the wanted ones; their number if it is none.
  static constexpr std::size_t place(std::size_t i) {
    std::size_t at = 0;
    bool found = false;
    ((found = found || Wanted == i, at += !found), ...);
    return at;
  }
  template <class At, class All, std::size_t... I>
  constexpr auto call_with(At const& at, All const& all, std::index_sequence<I...>) const {
    return function([&]() -> decltype(auto) {
      if constexpr (place(I) == sizeof...(Wanted))
        return (std::get<I>(all));
      else if constexpr (several)
        return (std::get<place(I)>(at));
      else
        return (at);
    }()...);
  }

  template <class M, class G, class X, class Y>
  static constexpr auto forward_columns(builder& b, G const& f, X const& wanted, Y const& like) {
    auto const columns = detail::map_with_place(
        [&]<class Place, class Leaf>(Place, Leaf const&) {
          auto const column = [&](auto const& direction) {
            return std::get<1>(
                jvp(f, std::tuple<X>{wanted}, std::make_tuple(detail::in_direction<Place>(direction, wanted))));
          };
          auto const all = vmap<out_axes<-1>>(column)(detail::directions<typename Leaf::type, M>(b));
          return detail::held_tree<std::remove_cvref_t<decltype(all)>>{all};
        },
        wanted);
    return detail::map_with_place(
        [&]<class Place, class Result>(Place place, Result const&) {
          return detail::map_with_place(
              [&]<class Where, class Leaf>(Where where, Leaf const&) {
                return detail::unfold<Result, Leaf, false, M>(
                    detail::leaf_of(place, detail::leaf_of(where, columns).tree));
              },
              wanted);
        },
        like);
  }

  template <class M, class G, class X, class Y>
  static constexpr auto backward_rows(builder& b, G const& f, X const& wanted, Y const& like) {
    return detail::map_with_place(
        [&]<class Place, class Result>(Place, Result const&) {
          auto const row = [&](auto const& direction) {
            auto const [y, pullback] = vjp(f, wanted);
            return std::get<0>(pullback(detail::in_direction<Place>(direction, y)));
          };
          using own = typename Result::type;
          using A = array_type_of<detail::cotangent_of<own>, detail::joined_mesh<M, typename own::mesh>>;
          auto const all = vmap(row)(detail::directions<A, M>(b));
          return tree_map(
              []<class Leaf>(Leaf const&, auto const& batch) { return detail::unfold<Result, Leaf, true, M>(batch); },
              wanted, all);
        },
        like);
  }
};

namespace detail {
template <class F, bool Reverse, bool Aux, std::size_t... Wanted>
constexpr auto jacobian_of(F const& f) {
  if constexpr (sizeof...(Wanted) == 0)
    return jacobian<F, Reverse, Aux, 0>{f};
  else
    return jacobian<F, Reverse, Aux, Wanted...>{f};
}
}  // namespace detail

namespace functions {

template <std::size_t... Wanted, class F>
constexpr auto jacfwd(F const& f) {
  return detail::jacobian_of<F, false, false, Wanted...>(f);
}
template <std::size_t... Wanted, class F>
constexpr auto jacfwd(F const& f, has_aux_t) {
  return detail::jacobian_of<F, false, true, Wanted...>(f);
}
template <std::size_t... Wanted, class F>
constexpr auto jacrev(F const& f) {
  return detail::jacobian_of<F, true, false, Wanted...>(f);
}
template <std::size_t... Wanted, class F>
constexpr auto jacrev(F const& f, has_aux_t) {
  return detail::jacobian_of<F, true, true, Wanted...>(f);
}
template <std::size_t... Wanted, class F>
constexpr auto hessian(F const& f) {
  return jacfwd<Wanted...>(jacrev<Wanted...>(f));
}
template <std::size_t... Wanted, class F>
constexpr auto hessian(F const& f, has_aux_t) {
  return jacfwd<Wanted...>(jacrev<Wanted...>(f, has_aux), has_aux);
}

}  // namespace functions

}  // namespace tessera
