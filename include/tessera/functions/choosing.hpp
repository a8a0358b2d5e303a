// SPDX-License-Identifier: Apache-2.0
#pragma once
// Values chosen by conditions and numbers, and functions of vectors along a dimension:
//   choose(i, std::tuple{a, b, c}): of a, b, c the one with the number i, element by element, broadcast; below 0 the first, above
//     the last   piecewise(x, std::tuple{conditions...}, functions...): in x's dtype, for each element the function or number of
//     the last condition that holds; one function more: where none holds, otherwise 0
//   apply_along_axis<Dim>(f, x): f of each vector along a dimension; its result takes the dimension's place
//   put_along_axis<Dim>(x, i, v): x with the elements at the places that take_along_axis<Dim>(x, i) reads set to v
// choose and piecewise compute all choices, and move 0 bytes. Along a dimension: as vmap over all others.
// Source: JAX 0.10.2 jax.numpy. Differs: choose has JAX's mode='clip' only, put_along_axis gives a new array.

#include <tessera/functions/arranging.hpp>
#include <tessera/op/index/at.hpp>
#include <tessera/transform/vmap.hpp>

namespace tessera {
namespace detail::bodies {

struct choose {
  template <class I, class... C>
  constexpr auto operator()(I const& i, std::tuple<C...> const& choices) const {
    if constexpr (sizeof...(C) == 0) {
      return refused_call<call_fault::no_choices>(i);
    } else {
      auto const first = std::get<0>(choices);
      return chosen<1>(i, choices, where(i < 1, first, first));
    }
  }

private:
  template <std::size_t Next, class I, class... C>
  static constexpr auto chosen(I const& i, std::tuple<C...> const& choices, auto const& now) {
    if constexpr (Next == sizeof...(C))
      return now;
    else
      return chosen<Next + 1>(i, choices, where(i >= static_cast<std::int32_t>(Next), std::get<Next>(choices), now));
  }
};

// F is a function without state, or the type of a number, whose value is `number`.
template <class F, class X, class Number>
constexpr auto piece_of(X const& x, Number const& number) {
  using element = element_of<facts_in_body<X>.element>;
  if constexpr (std::is_invocable_v<F const&, X const&>)
    return astype<element>(F{}(x));
  else
    return astype<element>(number);
}
template <class... F>
struct piecewise {
  template <class X, class... C, class... N>
  constexpr auto operator()(X const& x, std::tuple<C...> const& conditions, std::tuple<N...> const& numbers) const {
    constexpr std::size_t n = sizeof...(C);
    if constexpr (sizeof...(F) == n + 1)
      return pieces<0>(x, conditions, numbers, piece_of<piece<n>>(x, std::get<n>(numbers)));
    else if constexpr (sizeof...(F) == n)
      return pieces<0>(x, conditions, numbers, zeros_like(x));
    else
      return refused_call<call_fault::pieces_miscounted>(x);
  }

private:
  template <std::size_t I>
  using piece = std::tuple_element_t<I, std::tuple<F...>>;
  template <std::size_t Next, class X, class... C, class... N>
  static constexpr auto pieces(X const& x, std::tuple<C...> const& conditions, std::tuple<N...> const& numbers,
                               auto const& now) {
    if constexpr (Next == sizeof...(C))
      return now;
    else
      return pieces<Next + 1>(
          x, conditions, numbers,
          where(std::get<Next>(conditions), piece_of<piece<Next>>(x, std::get<Next>(numbers)), now));
  }
};
// A number, or nothing for a function.
template <class F>
constexpr auto number_or_none(F const& f) {
  if constexpr (std::is_empty_v<F>)
    return std::tuple{};
  else
    return f;
}

// f of the vectors along the last dimension.
template <class F>
struct along_last {
  template <class... X>
  constexpr auto operator()(X const&... x) const {
    if constexpr (((extents_of<X>.size() == 1) && ...))
      return F{}(x...);
    else if constexpr ((Refused<X> || ...))
      return first_refused(x...);
    else
      return vmap(along_last{})(x...);
  }
};
// Moves the last dimensions of x to Dim and what follows.
template <int Dim, int Count, class X>
constexpr auto last_moved_to(X const& x) {
  if constexpr (Count == 0)
    return x;
  else
    return last_moved_to<Dim + 1, Count - 1>(moveaxis<extents_of<X>.size() - Count, Dim>(x));
}
template <int Dim, class F>
struct apply_along_axis {
  template <class X>
  constexpr auto operator()(X const& x) const {
    constexpr int rank = extents_of<X>.size(), dim = Dim < 0 ? Dim + rank : Dim;
    auto const made = along_last<F>{}(moveaxis<dim, -1>(x));
    return last_moved_to<dim, extents_of<std::remove_const_t<decltype(made)>>.size() - (rank - 1)>(made);
  }
};
struct put_in_vector {
  constexpr auto operator()(auto const& x, auto const& i, auto const& v) const { return x.at(i).set(v); }
};
template <int Dim>
struct put_along_axis {
  template <class X, class I>
  constexpr auto operator()(X const& x, I const& i, auto const& v) const {
    if constexpr (extents_of<I>.size() != extents_of<X>.size()) {
      return refused_call<call_fault::places_of_other_rank>(x);
    } else {
      auto const values = where(i == i, v, v);  // in the shape and layout of i
      auto const put =
          along_last<put_in_vector>{}(moveaxis<Dim, -1>(x), moveaxis<Dim, -1>(i), moveaxis<Dim, -1>(values));
      return moveaxis<-1, Dim>(put);
    }
  }
};

}  // namespace detail::bodies

inline constexpr detail::composed_door<detail::bodies::choose> choose;

namespace functions {

template <class X, class... C, class... F>
constexpr auto piecewise(X const& x, std::tuple<C...> const& conditions, F const&... f) {
  return detail::composed<detail::bodies::piecewise<F...>>(site{}, x, conditions,
                                                           std::tuple{detail::bodies::number_or_none(f)...});
}
template <int Dim, class F, class X>
constexpr auto apply_along_axis(F const&, X const& x, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::apply_along_axis<Dim, F>>(at, x);
}
template <int Dim, class X, class I, class V>
constexpr auto put_along_axis(X const& x, I const& i, V const& v, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::put_along_axis<Dim>>(at, x, i, v);
}

}  // namespace functions
}  // namespace tessera
