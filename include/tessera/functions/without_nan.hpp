// SPDX-License-Identifier: Apache-2.0
#pragma once
// Statistics and running sums that leave NaN out. All NaN: nanvar and similar functions are NaN, nanargmax and nanargmin -1.
//   nanvar(x) nanstd<0>(x) nanvar<1>(x, keepdims): as var and stddev    nanvar<0>(x, ddof<1>)
//   nanmedian<0>(x)   nanquantile<0>(x, q)   nanpercentile(x, q), q in percent: of one dimension, or of all elements
//   (of a row q of k numbers: k quantiles in a first dimension)
//   nanargmax<0>(x)   nanargmin(x)   nancumsum<0>(x)   nancumprod(x)
//   percentile<0>(x, q): quantile<0>(x, q / 100), where a NaN counts
// Types and bytes are those of the functions without nan; the quantiles sort, so their dimension must not be split.
// Source: JAX 0.10.2 jax.numpy.

#include <tessera/functions/numbers.hpp>
#include <tessera/op/index/sort.hpp>
#include <tessera/op/index/take.hpp>
#include <tessera/op/reduce/argmax.hpp>
#include <tessera/op/reduce/cumulative.hpp>
#include <tessera/op/reduce/nan_reductions.hpp>
#include <tessera/op/reduce/statistics.hpp>
#include <tessera/op/reduce/summary.hpp>
#include <tessera/op/shape/expand_dims.hpp>
#include <tessera/op/shape/reshape.hpp>
#include <tessera/trace/composed.hpp>

namespace tessera {
namespace detail::bodies {

template <int Ddof, bool Keep, int... Dims>
struct nanvar {
  constexpr auto operator()(auto const& x) const {
    auto const missing = isnan(x);
    auto const off = where(missing, 0.0, x - nanmean<Dims...>(x, keepdims));
    auto const squares = real(off * conj(off));
    auto const there = astype<element_in<std::remove_const_t<decltype(squares)>>>(logical_not(missing));
    if constexpr (Keep)
      return quotient(sum<Dims...>(squares, keepdims), sum<Dims...>(there, keepdims) - Ddof);
    else
      return quotient(sum<Dims...>(squares), sum<Dims...>(there) - Ddof);
  }

private:
  static constexpr auto quotient(auto const& sum, auto const& count) {
    return where(count > 0, sum / where(count > 0, count, 1.0), std::numeric_limits<double>::quiet_NaN());
  }
};
template <int Ddof, bool Keep, int... Dims>
struct nanstd {
  constexpr auto operator()(auto const& x) const { return sqrt(nanvar<Ddof, Keep, Dims...>{}(x)); }
};

// Of x's elements in one dimension if none is named.
template <int... Dim>
constexpr auto along_one(auto const& x) {
  if constexpr (sizeof...(Dim) == 0)
    return ravel(x);
  else
    return x;
}
template <int... Dim>
inline constexpr int one_dim = 0;
template <int Dim>
inline constexpr int one_dim<Dim> = Dim;

template <class Q>
inline constexpr bool is_row = false;
template <class Q>
  requires requires { typename Q::type; }
inline constexpr bool is_row<Q> = facts_in_body<Q>.rank == 1;

// NaN are last when sorted. Neighbors of the place q (n - 1), n the number of others.
template <int... Dim>
struct nanquantile {
  constexpr auto operator()(auto const& given, auto const& q) const {
    constexpr int d = one_dim<Dim...>;
    auto const x = along_one<Dim...>(1.0 * given);
    if constexpr (is_row<std::remove_cvref_t<decltype(q)>>)
      return moveaxis<-1, 0>(between<-1>(moveaxis<d, -1>(x), q));
    else
      return squeeze<d>(between<d>(x, q));
  }

private:
  template <int D>
  static constexpr auto between(auto const& x, auto const& q) {
    auto const sorted = sort<D>(x);
    auto const count = sum<D>(astype<element_in<std::remove_cvref_t<decltype(x)>>>(logical_not(isnan(x))), keepdims);
    auto const place = q * maximum(count - 1, 0.0);
    auto const low = floor(place);
    auto const first = take_along_axis<D>(sorted, astype<std::int32_t>(low));
    auto const second = take_along_axis<D>(sorted, astype<std::int32_t>(ceil(place)));
    auto const share = place - low;
    return where(share == 0, first, first * (1.0 - share) + second * share);
  }
};
template <int... Dim>
struct nanmedian {
  constexpr auto operator()(auto const& x) const { return nanquantile<Dim...>{}(x, 0.5); }
};
template <int... Dim>
struct nanpercentile {
  constexpr auto operator()(auto const& x, auto const& q) const { return nanquantile<Dim...>{}(x, q / 100.0); }
};
template <int... Dim>
struct percentile {
  constexpr auto operator()(auto const& x, auto const& q) const { return quantile<Dim...>(x, q / 100.0); }
};

template <int... Dim>
struct nanargmax {
  constexpr auto operator()(auto const& x) const {
    auto const place = argmax<Dim...>(where(isnan(x), -std::numeric_limits<double>::infinity(), x));
    return where(all<Dim...>(isnan(x)), -1, place);
  }
};
template <int... Dim>
struct nanargmin {
  constexpr auto operator()(auto const& x) const {
    auto const place = argmin<Dim...>(where(isnan(x), std::numeric_limits<double>::infinity(), x));
    return where(all<Dim...>(isnan(x)), -1, place);
  }
};
template <int... Dim>
struct nancumsum {
  constexpr auto operator()(auto const& x) const { return cumsum<Dim...>(where(isnan(x), 0, x)); }
};
template <int... Dim>
struct nancumprod {
  constexpr auto operator()(auto const& x) const { return cumprod<Dim...>(where(isnan(x), 1, x)); }
};

}  // namespace detail::bodies

namespace functions {

template <int... Dims, class X>
constexpr auto nanvar(X const& x, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::nanvar<0, false, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto nanvar(X const& x, keepdims_t, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::nanvar<0, true, Dims...>>(at, x);
}
template <int... Dims, class X, int Ddof>
constexpr auto nanvar(X const& x, ddof_t<Ddof>, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::nanvar<Ddof, false, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto nanstd(X const& x, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::nanstd<0, false, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto nanstd(X const& x, keepdims_t, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::nanstd<0, true, Dims...>>(at, x);
}
template <int... Dims, class X, int Ddof>
constexpr auto nanstd(X const& x, ddof_t<Ddof>, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::nanstd<Ddof, false, Dims...>>(at, x);
}
template <int... Dim, class X>
constexpr auto nanmedian(X const& x, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::nanmedian<Dim...>>(at, x);
}
template <int... Dim, class X, class Q>
constexpr auto nanquantile(X const& x, Q const& q, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::nanquantile<Dim...>>(at, x, q);
}
template <int... Dim, class X, class Q>
constexpr auto nanpercentile(X const& x, Q const& q, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::nanpercentile<Dim...>>(at, x, q);
}
template <int... Dim, class X, class Q>
constexpr auto percentile(X const& x, Q const& q, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::percentile<Dim...>>(at, x, q);
}
template <int... Dim, class X>
constexpr auto nanargmax(X const& x, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::nanargmax<Dim...>>(at, x);
}
template <int... Dim, class X>
constexpr auto nanargmin(X const& x, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::nanargmin<Dim...>>(at, x);
}
template <int... Dim, class X>
constexpr auto nancumsum(X const& x, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::nancumsum<Dim...>>(at, x);
}
template <int... Dim, class X>
constexpr auto nancumprod(X const& x, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::nancumprod<Dim...>>(at, x);
}

}  // namespace functions
}  // namespace tessera
