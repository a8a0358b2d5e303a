// SPDX-License-Identifier: Apache-2.0
#pragma once
// Products of vectors, and what is summed along one:
//   matvec(a, x): (..., n, m), (..., m) -> (..., n)   vecmat(x, a): (..., n), (..., n, m) -> (..., m), x conjugated
//   batch_matmul(a, b): matmul   multi_dot(a, b, c, ...): matrices, in the order that needs fewest products (einsum)
//   convolve(x, k), correlate(x, k): vectors; convolve(x, k, same), convolve(x, k, valid). By default convolve gives all
//     n + m - 1 places and correlate the n - m + 1 where both overlap wholly; correlate(x, k, full_overlap)
//   central_differences<Dim = -1>(y, dx = 1): slopes by central differences, at the ends by the difference of two elements
//   trapezoid<Dim = -1>(y, dx = 1), trapezoid<Dim>(y, x): integrals   corrcoef(x): (variables, observations)
//   digitize(x, bins): in which bin, int32; bins ascend or descend   histogram_bin_edges<N>(x): N + 1 edges
//   histogram<N>(x, low, high): std::tuple(float32 counts, edges) of the elements from low to high; without them from the
//     smallest to the largest   histogram(x, edges): of bins between ascending edges   behind these, weights of x's shape: their
//     sums in the bins, which have a gradient
//   histogram2d<N, M>(x, y): std::tuple(int32 counts (N, M), edges of x, edges of y) of pairs
//   hfft<Dim = -1, N = 2 (n - 1)>(x): the transform of a signal whose negative half is conj(x), real   ihfft<Dim>(x): the reverse
// Layouts and bytes are those of matmul, conv, sums and bincount. Source: JAX 0.10.2 jax.numpy.

#include <tessera/functions/arranging.hpp>
#include <tessera/op/create/fill.hpp>
#include <tessera/op/index/searchsorted.hpp>
#include <tessera/op/index/segment.hpp>
#include <tessera/op/linalg/fft.hpp>
#include <tessera/op/product/einsum.hpp>
#include <tessera/op/product/matmul.hpp>
#include <tessera/op/reduce/summary.hpp>
#include <tessera/op/shape/expand_dims.hpp>
#include <tessera/op/window/convolution.hpp>

namespace tessera {

struct full_overlap_t {};
inline constexpr full_overlap_t full_overlap{};  // of correlate and convolve: each place where any elements overlap

namespace detail {
template <class T>
concept Overlap = std::is_same_v<T, full_overlap_t> || std::is_same_v<T, same_t> || std::is_same_v<T, valid_t>;
}

namespace detail::bodies {

struct matvec {
  constexpr auto operator()(auto const& a, auto const& x) const { return squeeze<-1>(matmul(a, expand_dims<-1>(x))); }
};
struct vecmat {
  constexpr auto operator()(auto const& x, auto const& a) const {
    return squeeze<-2>(matmul(expand_dims<-2>(conj(x)), a));
  }
};

// The sums of products of k and of as many elements of x, at each place of x with zeros around it.
template <class X, class K>
constexpr auto slid(X const& x, K const& k, auto padding) {
  constexpr std::int64_t n = extents_of<X>[0], m = extents_of<K>[0];
  return ravel(conv(reshape<1, 1, n>(x), reshape<1, 1, m>(k), padding));
}
// How far k of m elements reaches beyond x's first and last.
template <class Overlap, std::int64_t M>
constexpr auto pads_of() {
  if constexpr (std::is_same_v<Overlap, full_overlap_t>)
    return pads<M - 1, M - 1>;
  else if constexpr (std::is_same_v<Overlap, same_t>)
    return pads<M / 2, M - 1 - M / 2>;
  else
    return pads<0, 0>;
}
template <class Overlap>
struct correlate {
  template <class X, class K>
  constexpr auto operator()(X const& x, K const& k) const {
    if constexpr (extents_of<X>.size() != 1 || extents_of<K>.size() != 1)
      return refused_call<call_fault::no_vectors>(x, k);
    else if constexpr (extents_of<X>[0] < extents_of<K>[0])  // in the other order, from the end
      return flip<0>(correlate{}(conj(k), conj(x)));
    else
      return slid(x, conj(k), pads_of<Overlap, extents_of<K>[0]>());
  }
};
template <class Overlap>
struct convolve {
  template <class X, class K>
  constexpr auto operator()(X const& x, K const& k) const {
    if constexpr (extents_of<X>.size() != 1 || extents_of<K>.size() != 1)
      return refused_call<call_fault::no_vectors>(x, k);
    else if constexpr (extents_of<X>[0] < extents_of<K>[0])
      return convolve{}(k, x);
    else
      return slid(x, flip<0>(k), pads_of<Overlap, extents_of<K>[0]>());
  }
};

template <int Dim>
struct central_differences {
  template <class Y>
  constexpr auto operator()(Y const& y, auto const& dx) const {
    constexpr std::int64_t n = static_extent<Dim, Y>();
    if constexpr (n < 2) {
      return refused_call<call_fault::one_element>(y);
    } else {
      auto const steps = diff<1, Dim>(y);
      auto const first = slice_in_dim<Dim, 0, 1>(steps);
      auto const last = slice_in_dim<Dim, n - 2, n - 1>(steps);
      if constexpr (n == 2)
        return concatenate<Dim>(first, last) / dx;
      else
        return concatenate<Dim>(first, 0.5 * (slice_in_dim<Dim, 1, n - 1>(steps) + slice_in_dim<Dim, 0, n - 2>(steps)),
                                last) /
               dx;
    }
  }
};
template <int Dim>
struct trapezoid {
  template <class Y>
  constexpr auto operator()(Y const& y, auto const& dx) const {
    constexpr std::int64_t n = static_extent<Dim, Y>();
    return 0.5 * sum<Dim>(dx * (slice_in_dim<Dim, 1, n>(y) + slice_in_dim<Dim, 0, n - 1>(y)));
  }
};
template <int Dim>
struct trapezoid_at {
  constexpr auto operator()(auto const& y, auto const& x) const { return trapezoid<Dim>{}(y, diff<1, Dim>(x)); }
};
struct corrcoef {
  constexpr auto operator()(auto const& x) const {
    auto const c = cov(x);
    auto const size = sqrt(real(diagonal(c)));
    return clip(c / expand_dims<1>(size) / size, -1.0, 1.0);
  }
};

struct digitize {
  template <class X, class B>
  constexpr auto operator()(X const& x, B const& bins) const {
    constexpr auto n = static_cast<std::int32_t>(extents_of<B>[0]);
    auto const ascends = squeeze<0>(slice_in_dim<0, n - 1, n>(bins) >= slice_in_dim<0, 0, 1>(bins));
    return where(ascends, searchsorted(bins, x, after_equals), n - searchsorted(flip<0>(bins), x, after_equals));
  }
};
// In which of N bins between edges each x is; the last edge is in the last bin.
template <std::int64_t N>
constexpr auto bin_of(auto const& edges, auto const& x) {
  return clip(searchsorted(edges, x, after_equals) - 1, 0, static_cast<std::int32_t>(N - 1));
}
// How many elements, or which weight of them, are in each of N bins between edges.
template <std::int64_t N>
constexpr auto in_bins(auto const& edges, auto const& x, auto const& low, auto const& high, auto const&... weights) {
  auto const flat = ravel(x);
  auto const inside = logical_and(flat >= low, flat <= high);
  auto const bin = where(inside, bin_of<N>(edges, flat), static_cast<std::int32_t>(N));
  if constexpr (sizeof...(weights) == 0)
    return astype<float>(bincount<N>(bin));
  else
    return segment_sum<N>(ravel(weights)..., bin);
}
template <std::int64_t N>
struct histogram {
  constexpr auto operator()(auto const& x, auto const& low, auto const& high, auto const&... weights) const {
    auto const edges = linspace<N + 1, float>(low, high);
    return std::tuple{in_bins<N>(edges, x, low, high, weights...), edges};
  }
  constexpr auto operator()(auto const& x) const { return (*this)(x, min(x), max(x)); }
};
struct histogram_by_edges {
  template <class E>
  constexpr auto operator()(auto const& x, E const& edges, auto const&... weights) const {
    constexpr std::int64_t n = extents_of<E>.size() == 1 ? extents_of<E>[0] : 0;
    if constexpr (n < 2)
      return refused_call<call_fault::one_element>(edges);
    else
      return std::tuple{in_bins<n - 1>(edges, x, squeeze<0>(slice_in_dim<0, 0, 1>(edges)),
                                       squeeze<0>(slice_in_dim<0, n - 1, n>(edges)), weights...),
                        edges};
  }
};
template <std::int64_t N, std::int64_t M>
struct histogram2d {
  constexpr auto operator()(auto const& x, auto const& y) const {
    auto const rows = linspace<N + 1, float>(min(x), max(x));
    auto const columns = linspace<M + 1, float>(min(y), max(y));
    auto const bin = bin_of<N>(rows, ravel(x)) * static_cast<std::int32_t>(M) + bin_of<M>(columns, ravel(y));
    return std::tuple{reshape<N, M>(bincount<N * M>(bin)), rows, columns};
  }
};
template <int Dim, std::int64_t N>
struct hfft {
  template <class X>
  constexpr auto operator()(X const& x) const {
    constexpr std::int64_t n = N < 0 ? 2 * (static_extent<Dim, X>() - 1) : N;
    return irfft<Dim, n>(conj(x)) * static_cast<double>(n);
  }
};
template <int Dim, std::int64_t N>
struct ihfft {
  template <class X>
  constexpr auto operator()(X const& x) const {
    constexpr std::int64_t n = N < 0 ? static_extent<Dim, X>() : N;
    return conj(rfft<Dim, n>(x)) / static_cast<double>(n);
  }
};
template <std::int64_t N>
struct histogram_bin_edges {
  constexpr auto operator()(auto const& x) const { return linspace<N + 1, float>(min(x), max(x)); }
};

}  // namespace detail::bodies

inline constexpr detail::composed_door<detail::bodies::matvec> matvec;
inline constexpr detail::composed_door<detail::bodies::vecmat> vecmat;
inline constexpr detail::composed_door<detail::bodies::corrcoef> corrcoef;
inline constexpr detail::composed_door<detail::bodies::digitize> digitize;

namespace functions {

template <class A, class B>
constexpr auto batch_matmul(A const& a, B const& b, site at = std::source_location::current()) {
  return matmul(a, b, at);
}
template <class A, class B>
constexpr auto multi_dot(A const& a, B const& b, site at = std::source_location::current()) {
  return matmul(a, b, at);
}
template <class A, class B, class C>
constexpr auto multi_dot(A const& a, B const& b, C const& c, site at = std::source_location::current()) {
  return einsum<"ab,bc,cd->ad">(a, b, c, at);
}
template <class A, class B, class C, class D>
constexpr auto multi_dot(A const& a, B const& b, C const& c, D const& d, site at = std::source_location::current()) {
  return einsum<"ab,bc,cd,de->ae">(std::tuple{a, b, c, d}, at);
}
template <class X, class K, detail::Overlap O = full_overlap_t>
constexpr auto convolve(X const& x, K const& k, O = {}, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::convolve<O>>(at, x, k);
}
template <class X, class K, detail::Overlap O = valid_t>
constexpr auto correlate(X const& x, K const& k, O = {}, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::correlate<O>>(at, x, k);
}
template <int Dim = -1, class Y>
constexpr auto central_differences(Y const& y, double dx = 1, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::central_differences<Dim>>(at, y, dx);
}
template <int Dim = -1, class Y>
constexpr auto trapezoid(Y const& y, double dx = 1, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::trapezoid<Dim>>(at, y, dx);
}
template <int Dim = -1, class Y, class X>
  requires(!std::is_arithmetic_v<X>)
constexpr auto trapezoid(Y const& y, X const& x, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::trapezoid_at<Dim>>(at, y, x);
}
template <std::int64_t N, class X>
constexpr auto histogram(X const& x, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::histogram<N>>(at, x);
}
template <std::int64_t N, class X, class L, class H>
constexpr auto histogram(X const& x, L const& low, H const& high, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::histogram<N>>(at, x, low, high);
}
template <std::int64_t N, class X, class L, class H, class W>
constexpr auto histogram(X const& x, L const& low, H const& high, W const& weights,
                         site at = std::source_location::current()) {
  return detail::composed<detail::bodies::histogram<N>>(at, x, low, high, weights);
}
template <class X, class E>
constexpr auto histogram(X const& x, E const& edges, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::histogram_by_edges>(at, x, edges);
}
template <class X, class E, class W>
constexpr auto histogram(X const& x, E const& edges, W const& weights, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::histogram_by_edges>(at, x, edges, weights);
}
template <std::int64_t N, std::int64_t M = N, class X, class Y>
constexpr auto histogram2d(X const& x, Y const& y, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::histogram2d<N, M>>(at, x, y);
}
template <int Dim = -1, std::int64_t N = -1, class X>
constexpr auto hfft(X const& x, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::hfft<Dim, N>>(at, x);
}
template <int Dim = -1, std::int64_t N = -1, class X>
constexpr auto ihfft(X const& x, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::ihfft<Dim, N>>(at, x);
}
template <std::int64_t N, class X>
constexpr auto histogram_bin_edges(X const& x, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::histogram_bin_edges<N>>(at, x);
}

}  // namespace functions
}  // namespace tessera
