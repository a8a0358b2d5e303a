// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sets of numbers: ascending, each once, in a size that is part of the type, as under jax.jit. Behind the last one stands the
// fill value, a last argument: unique<Size>(x, fill); without it, for unique and union1d the smallest, for the others 0.
//   unique<Size>(x)   union1d<Size>(x, y)   intersect1d<Size>(x, y)   setdiff1d<Size>(x, y)   setxor1d<Size>(x, y)
//   unique_counts<Size>(x), unique_inverse<Size>(x): std::tuple(values, how often each occurs; where each of x is)
//   unique_values<Size>(x): unique   unique_all<Size>(x): std::tuple(values, the first place of each, where each of x is, how
//     often each occurs)
//   isin(x, y): whether each element of x is one of y's, bool, in x's layout
//   sort_key_val(k, v): both in the order of k (last dimension)   lexsort(std::tuple{least, ..., most}): an order by several keys
//   partition<K>(x), argpartition<K>(x): the K smallest of the last dimension first. All others are sorted, too
// What is sorted must not be split. Source: JAX 0.10.2 jax.numpy, jax.lax.

#include <tessera/functions/numbers.hpp>
#include <tessera/functions/places.hpp>
#include <tessera/op/index/searchsorted.hpp>
#include <tessera/op/index/segment.hpp>

namespace tessera {
namespace detail::bodies {

// Of sorted elements, whether each is the first of its value.
template <class X>
constexpr auto first_of_value(X const& sorted) {
  constexpr std::int64_t n = static_extent<0, X>();
  return concatenate<0>(full<bool, 1>(true), slice_in_dim<0, 1, n>(sorted) != slice_in_dim<0, 0, n - 1>(sorted));
}
// A fill value in x's dtype: one that is given, or else the smallest of sorted x.
template <class X>
constexpr auto fill_of(X const& sorted) {
  return squeeze<0>(slice_in_dim<0, 0, 1>(sorted));
}
template <class X>
constexpr auto fill_of(X const&, auto const& fill) {
  return astype<element_in<X>>(fill);
}
// Of sorted elements: the values, each once, then the fill value; and for each element the number of its value.
template <std::int64_t Size>
constexpr auto distinct(auto const& sorted, auto const&... fill) {
  auto const first = first_of_value(sorted);
  return std::tuple{taken_where<Size>(first, sorted, fill_of(sorted, fill...)),
                    cumsum<0>(astype<std::int32_t>(first)) - 1};
}
struct isin {
  template <class X, class Y>
  constexpr auto operator()(X const& x, Y const& among) const {
    constexpr auto last = static_cast<std::int32_t>(product_of(extents_of<Y>) - 1);
    auto const sorted = sort<0>(ravel(among));
    auto const place = minimum(searchsorted(sorted, x), last);
    return take<0>(sorted, place) == x;
  }
};
template <std::int64_t Size>
struct unique {
  constexpr auto operator()(auto const& x, auto const&... fill) const {
    return std::get<0>(distinct<Size>(sort<0>(ravel(x)), fill...));
  }
};
template <std::int64_t Size>
struct unique_counts {
  constexpr auto operator()(auto const& x, auto const&... fill) const {
    auto const [values, number] = distinct<Size>(sort<0>(ravel(x)), fill...);
    return std::tuple{values, bincount<Size>(number)};
  }
};
template <std::int64_t Size>
struct unique_inverse {
  constexpr auto operator()(auto const& x, auto const&... fill) const {
    auto const sorted = sort<0>(ravel(x));
    auto const [values, number] = distinct<Size>(sorted, fill...);
    return std::tuple{values, take<0>(number, searchsorted(sorted, x))};
  }
};
template <std::int64_t Size>
struct unique_all {
  constexpr auto operator()(auto const& x, auto const&... fill) const {
    auto const flat = ravel(x);
    auto const order = argsort<0>(flat);
    auto const sorted = take<0>(flat, order);
    auto const [values, number] = distinct<Size>(sorted, fill...);
    auto const places = taken_where<Size>(first_of_value(sorted), order, squeeze<0>(slice_in_dim<0, 0, 1>(order)));
    return std::tuple{values, places, take<0>(number, searchsorted(sorted, x)), bincount<Size>(number)};
  }
};
template <std::int64_t Size>
struct union1d {
  constexpr auto operator()(auto const& x, auto const& y, auto const&... fill) const {
    return unique<Size>{}(concatenate<0>(ravel(x), ravel(y)), fill...);
  }
};
template <std::int64_t Size>
struct intersect1d {
  constexpr auto operator()(auto const& x, auto const& y, auto const& fill) const {
    auto const sorted = sort<0>(ravel(x));
    return taken_where<Size>(logical_and(first_of_value(sorted), isin{}(sorted, y)), sorted, fill_of(sorted, fill));
  }
};
template <std::int64_t Size>
struct setdiff1d {
  constexpr auto operator()(auto const& x, auto const& y, auto const& fill) const {
    auto const sorted = sort<0>(ravel(x));
    return taken_where<Size>(logical_and(first_of_value(sorted), logical_not(isin{}(sorted, y))), sorted,
                             fill_of(sorted, fill));
  }
};
template <std::int64_t Size>
struct setxor1d {
  constexpr auto operator()(auto const& x, auto const& y, auto const& fill) const {
    auto const sorted = sort<0>(concatenate<0>(ravel(x), ravel(y)));
    auto const in_both = logical_and(isin{}(sorted, x), isin{}(sorted, y));
    return taken_where<Size>(logical_and(first_of_value(sorted), logical_not(in_both)), sorted, fill_of(sorted, fill));
  }
};
struct sort_key_val {
  constexpr auto operator()(auto const& keys, auto const& values) const {
    auto const order = argsort(keys);
    return std::tuple{take_along_axis<-1>(keys, order), take_along_axis<-1>(values, order)};
  }
};
struct lexsort {
  template <class... K>
  constexpr auto operator()(std::tuple<K...> const& keys) const {
    auto order = argsort(std::get<0>(keys));
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((order = take_along_axis<-1>(order, argsort(take_along_axis<-1>(std::get<I + 1>(keys), order)))), ...);
    }
    (std::make_index_sequence<sizeof...(K) - 1>{});
    return order;
  }
};

}  // namespace detail::bodies

inline constexpr detail::composed_door<detail::bodies::isin> isin;
inline constexpr detail::composed_door<detail::bodies::sort_key_val> sort_key_val;
inline constexpr detail::composed_door<detail::bodies::lexsort> lexsort;

namespace detail {
// The default fill value of unique and union1d.
struct smallest_value {};
template <class Body, class Fill, class... X>
constexpr auto composed_filled(site at, Fill const& fill, X const&... x) {
  if constexpr (std::is_same_v<Fill, smallest_value>)
    return composed<Body>(at, x...);
  else
    return composed<Body>(at, x..., fill);
}
}  // namespace detail

namespace functions {

template <std::int64_t Size, class X, class Fill = detail::smallest_value>
constexpr auto unique(X const& x, Fill const& fill = {}, site at = std::source_location::current()) {
  return detail::composed_filled<detail::bodies::unique<Size>>(at, fill, x);
}
template <std::int64_t Size, class X, class Fill = detail::smallest_value>
constexpr auto unique_counts(X const& x, Fill const& fill = {}, site at = std::source_location::current()) {
  return detail::composed_filled<detail::bodies::unique_counts<Size>>(at, fill, x);
}
template <std::int64_t Size, class X, class Fill = detail::smallest_value>
constexpr auto unique_inverse(X const& x, Fill const& fill = {}, site at = std::source_location::current()) {
  return detail::composed_filled<detail::bodies::unique_inverse<Size>>(at, fill, x);
}
template <std::int64_t Size, class X, class Fill = detail::smallest_value>
constexpr auto unique_values(X const& x, Fill const& fill = {}, site at = std::source_location::current()) {
  return detail::composed_filled<detail::bodies::unique<Size>>(at, fill, x);
}
template <std::int64_t Size, class X, class Fill = detail::smallest_value>
constexpr auto unique_all(X const& x, Fill const& fill = {}, site at = std::source_location::current()) {
  return detail::composed_filled<detail::bodies::unique_all<Size>>(at, fill, x);
}
template <std::int64_t Size, class X, class Y, class Fill = detail::smallest_value>
constexpr auto union1d(X const& x, Y const& y, Fill const& fill = {}, site at = std::source_location::current()) {
  return detail::composed_filled<detail::bodies::union1d<Size>>(at, fill, x, y);
}
template <std::int64_t Size, class X, class Y, class Fill = int>
constexpr auto intersect1d(X const& x, Y const& y, Fill const& fill = 0, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::intersect1d<Size>>(at, x, y, fill);
}
template <std::int64_t Size, class X, class Y, class Fill = int>
constexpr auto setdiff1d(X const& x, Y const& y, Fill const& fill = 0, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::setdiff1d<Size>>(at, x, y, fill);
}
template <std::int64_t Size, class X, class Y, class Fill = int>
constexpr auto setxor1d(X const& x, Y const& y, Fill const& fill = 0, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::setxor1d<Size>>(at, x, y, fill);
}
template <std::int64_t K, class X>
constexpr auto partition(X const& x, site at = std::source_location::current()) {
  return sort(x, at);
}
template <std::int64_t K, class X>
constexpr auto argpartition(X const& x, site at = std::source_location::current()) {
  return argsort(x, at);
}

}  // namespace functions
}  // namespace tessera
