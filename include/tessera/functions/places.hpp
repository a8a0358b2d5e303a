// SPDX-License-Identifier: Apache-2.0
#pragma once
// Places of elements, int32:
//   diag_indices<4>(): (i, i) as two vectors   tril_indices<4>() triu_indices<4, 1, 6>(): rows and columns of a triangle of
//     4 x 6, row by row, on and above the diagonal 1
//   indices<3, 4>(): (2, 3, 4), each element's indices   ix_(i, j, ...): index vectors (n), (m) as (n, 1), (1, m): x.at(...) by
//     them reads a grid   fromfunction<3, 4>(f): f of the indices of each element, as arrays of float32
//   unravel_index<3, 4>(i): row-major places -> a std::tuple of indices; outside, the nearest place
//   ravel_multi_index<3, 4>(i, j): the reverse; ravel_multi_index<3, 4>(i, j, mode::clip) moves indices inside first
//   nonzero<Size>(x): a std::tuple of the indices of the first Size elements that are not 0, in row-major order; places
//     behind the last are 0, or nonzero<Size>(x, fill)   flatnonzero<Size>(x): in ravel(x)   argwhere<Size>(x): as rows
//   compress<Size>(mask, x), extract<Size>(mask, x): the first Size elements of ravel(x) where mask holds, then zeros
// The size is part of the type, as under jax.jit. nonzero and what is made of it look at all elements: a split x is
// refused by its sort. Source: JAX 0.10.2 jax.numpy.

#include <tessera/functions/arranging.hpp>
#include <tessera/op/create/fill.hpp>
#include <tessera/op/index/sort.hpp>
#include <tessera/op/index/take.hpp>
#include <tessera/op/reduce/summary.hpp>
#include <tessera/op/shape/expand_dims.hpp>

namespace tessera {
namespace detail::bodies {

template <std::int64_t... E>
struct unravel_index {
  constexpr auto operator()(auto const& given) const {
    constexpr std::int64_t all = (E * ... * 1);
    constexpr std::array<std::int64_t, sizeof...(E)> extents{E...};
    constexpr auto step = [](std::size_t d, std::array<std::int64_t, sizeof...(E)> const& of) {
      std::int64_t product = 1;
      for (std::size_t i = d + 1; i < of.size(); ++i) product *= of[i];
      return product;
    };
    auto const place = clip(where(given < 0, given + all, given), 0, all - 1);
    return [&]<std::size_t... D>(std::index_sequence<D...>) {
      return std::tuple{remainder(floor_divide(place, step(D, extents)), extents[D])...};
    }
    (std::make_index_sequence<sizeof...(E)>{});
  }
};
template <bool Clip, std::int64_t First, std::int64_t... Rest>
struct ravel_multi_index {
  template <class I, class... J>
  constexpr auto operator()(I const& i, J const&... rest) const {
    auto const inside = [&] {
      if constexpr (Clip)
        return clip(i, 0, First - 1);
      else
        return i;
    }();
    if constexpr (sizeof...(Rest) == 0)
      return inside;
    else
      return inside * (Rest * ... * 1) + ravel_multi_index<Clip, Rest...>{}(rest...);
  }
};

// The first Size places of a mask in one dimension; behind the last, `all`, which is no place.
template <std::int64_t Size>
constexpr auto first_places(auto const& mask) {
  constexpr std::int64_t all = product_of(extents_of<std::remove_cvref_t<decltype(mask)>>);
  auto const order = argsort(logical_not(mask));
  auto const first = [&] {
    if constexpr (Size <= all)
      return slice_in_dim<0, 0, Size>(order);
    else
      return concatenate<0>(order, full<std::int32_t, Size - all>(static_cast<std::int32_t>(all)));
  }();
  return where(arange<std::int32_t, Size>() < count_nonzero(mask), first, static_cast<std::int32_t>(all));
}

template <std::int64_t Size>
struct nonzero {
  template <class X>
  constexpr auto operator()(X const& x, auto fill) const {
    auto const flat = first_places<Size>(ravel(x != 0));
    constexpr extents_list extents = extents_of<X>;
    auto const missing = flat == static_cast<std::int32_t>(product_of(extents));
    return [&]<std::size_t... D>(std::index_sequence<D...>) {
      auto const found = unravel_index<extents[D]...>{}(flat);
      return std::tuple{where(missing, fill, std::get<D>(found))...};
    }
    (std::make_index_sequence<extents.size()>{});
  }
};
template <std::int64_t Size>
struct flatnonzero {
  constexpr auto operator()(auto const& x, auto fill) const { return std::get<0>(nonzero<Size>{}(ravel(x), fill)); }
};
template <std::int64_t Size>
struct argwhere {
  constexpr auto operator()(auto const& x, auto fill) const {
    auto const found = nonzero<Size>{}(x, fill);
    return std::apply([](auto const&... i) { return concatenate<1>(std::tuple{expand_dims<1>(i)...}); }, found);
  }
};
// Of x in one dimension, the first Size elements where mask holds, then `fill`.
template <std::int64_t Size, class X>
constexpr auto taken_where(auto const& mask, X const& x, auto const& fill) {
  auto const flat = first_places<Size>(mask);
  auto const there = flat < static_cast<std::int32_t>(product_of(extents_of<X>));
  return where(there, take<0>(x, where(there, flat, 0)), fill);
}
template <std::int64_t Size>
struct extract {
  constexpr auto operator()(auto const& mask, auto const& x) const {
    return taken_where<Size>(ravel(mask != 0), ravel(x), 0);
  }
};
template <std::int64_t Rows, std::int64_t Columns, std::int64_t K, bool Upper>
struct triangle_indices {
  static constexpr std::int64_t count = [] {
    std::int64_t found = 0;
    for (std::int64_t i = 0; i < Rows; ++i)
      for (std::int64_t j = 0; j < Columns; ++j) found += Upper ? j >= i + K : j <= i + K;
    return found;
  }();
  // zero: makes rows and columns values of a program.
  constexpr auto operator()(auto const& zero) const {
    auto const row = expand_dims<1>(zero + arange<std::int32_t, Rows>());
    auto const column = zero + arange<std::int32_t, Columns>();
    if constexpr (Upper)
      return nonzero<count>{}(column >= row + static_cast<std::int32_t>(K), 0);
    else
      return nonzero<count>{}(column <= row + static_cast<std::int32_t>(K), 0);
  }
};

struct ix_ {
  template <class... I>
  constexpr auto operator()(I const&... i) const {
    if constexpr (((extents_of<I>.size() != 1) || ...)) {
      return refused_call<call_fault::no_vectors>(i...);
    } else {
      return [&]<std::size_t... D>(std::index_sequence<D...>) { return std::tuple{turned<D, sizeof...(I)>(i)...}; }
      (std::index_sequence_for<I...>{});
    }
  }

private:
  // A vector along dimension At of so many.
  template <std::size_t At, std::size_t Rank, class I>
  static constexpr auto turned(I const& i) {
    return [&]<std::size_t... D>(std::index_sequence<D...>) { return reshape<(D == At ? extents_of<I>[0] : 1)...>(i); }
    (std::make_index_sequence<Rank>{});
  }
};

}  // namespace detail::bodies

namespace functions {

template <std::int64_t... E>
constexpr auto indices() {
  return [&]<std::size_t... D>(std::index_sequence<D...>) {
    if constexpr (sizeof...(E) == 1)
      return expand_dims<0>(iota<std::int32_t, 0, E...>());
    else
      return stack<0>(std::tuple{iota<std::int32_t, static_cast<int>(D), E...>()...});
  }
  (std::make_index_sequence<sizeof...(E)>{});
}
template <std::int64_t... E, class F>
constexpr auto fromfunction(F const& f) {
  return [&]<std::size_t... D>(std::index_sequence<D...>) { return f(iota<float, static_cast<int>(D), E...>()...); }
  (std::make_index_sequence<sizeof...(E)>{});
}
template <class I, class J>
constexpr auto ix_(I const& i, J const& j, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::ix_>(at, i, j);
}
template <class I, class J, class K>
constexpr auto ix_(I const& i, J const& j, K const& k, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::ix_>(at, i, j, k);
}

template <std::int64_t N, int Rank = 2>
constexpr auto diag_indices() {
  return [&]<std::size_t... D>(std::index_sequence<D...>) {
    return std::tuple{((void)D, arange<std::int32_t, N>())...};
  }
  (std::make_index_sequence<Rank>{});
}
template <std::int64_t Rows, std::int64_t K = 0, std::int64_t Columns = Rows>
constexpr auto tril_indices(site at = std::source_location::current()) {
  return detail::composed<detail::bodies::triangle_indices<Rows, Columns, K, false>>(at, std::int32_t{0});
}
template <std::int64_t Rows, std::int64_t K = 0, std::int64_t Columns = Rows>
constexpr auto triu_indices(site at = std::source_location::current()) {
  return detail::composed<detail::bodies::triangle_indices<Rows, Columns, K, true>>(at, std::int32_t{0});
}
template <std::int64_t... E, class I>
constexpr auto unravel_index(I const& places, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::unravel_index<E...>>(at, places);
}
template <std::int64_t A, class I>
constexpr auto ravel_multi_index(I const& i, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::ravel_multi_index<false, A>>(at, i);
}
template <std::int64_t A, std::int64_t B, class I, class J>
constexpr auto ravel_multi_index(I const& i, J const& j, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::ravel_multi_index<false, A, B>>(at, i, j);
}
template <std::int64_t A, std::int64_t B, class I, class J>
constexpr auto ravel_multi_index(I const& i, J const& j, std::remove_const_t<decltype(mode::clip)>,
                                 site at = std::source_location::current()) {
  return detail::composed<detail::bodies::ravel_multi_index<true, A, B>>(at, i, j);
}
template <std::int64_t A, std::int64_t B, std::int64_t C, class I, class J, class K>
constexpr auto ravel_multi_index(I const& i, J const& j, K const& k, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::ravel_multi_index<false, A, B, C>>(at, i, j, k);
}
template <std::int64_t A, std::int64_t B, std::int64_t C, class I, class J, class K>
constexpr auto ravel_multi_index(I const& i, J const& j, K const& k, std::remove_const_t<decltype(mode::clip)>,
                                 site at = std::source_location::current()) {
  return detail::composed<detail::bodies::ravel_multi_index<true, A, B, C>>(at, i, j, k);
}
template <std::int64_t Size, class X>
constexpr auto nonzero(X const& x, int fill = 0, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::nonzero<Size>>(at, x, fill);
}
template <std::int64_t Size, class X>
constexpr auto flatnonzero(X const& x, int fill = 0, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::flatnonzero<Size>>(at, x, fill);
}
template <std::int64_t Size, class X>
constexpr auto argwhere(X const& x, int fill = 0, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::argwhere<Size>>(at, x, fill);
}
template <std::int64_t Size, class C, class X>
constexpr auto extract(C const& mask, X const& x, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::extract<Size>>(at, mask, x);
}
template <std::int64_t Size, class C, class X>
constexpr auto compress(C const& mask, X const& x, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::extract<Size>>(at, mask, x);
}

}  // namespace functions
}  // namespace tessera
