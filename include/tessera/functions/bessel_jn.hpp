// SPDX-License-Identifier: Apache-2.0
#pragma once
// Bessel functions of the first kind and of whole orders:
//   bessel_jn<V>(z) -> [V + 1, shape of z...]: J_0(z) ... J_V(z); float32 or float64, integers become floats
//   bessel_jn<V, Terms>(z): from order Terms downwards, 50 if it is not given, above V + 2
// The ratios J_k / J_{k-1} go from order Terms down to 1, as a continued fraction; J_0 + 2 J_2 + 2 J_4 ... = 1 gives J_0.
// With 50 terms the error is below 1e-14 for |z| up to 20, 1e-8 at 30 and 1e-3 at 40; more terms reach farther. Gradient:
// J_0' = -J_1, J_k' = (J_{k-1} - J_{k+1}) / 2. Elementwise on the dimensions of z: moves 0 bytes. Source: JAX 0.10.2
// jax.scipy.special.bessel_jn, whose n_iter is Terms; DLMF 3.6, 10.6, 10.12. Differs: right at 0 and where high orders
// pass the range of a float on the way; JAX gives NaN.

#include <tessera/control/scan.hpp>
#include <tessera/functions/special.hpp>
#include <tessera/op/create/iota.hpp>
#include <tessera/op/index/slice.hpp>
#include <tessera/op/shape/concatenate.hpp>

#include <tuple>
#include <utility>

namespace tessera {
namespace detail::bodies {

// With r_k = J_k / J_{k-1} and t_k = (the sum from order k on) / J_k: those of order k from those of k + 1.
template <class Z>
struct order_below {
  Z z;
  template <class R, class T, class K>
  constexpr auto operator()(R const& r, T const& t, K const& k) const {
    auto const below = 2.0 * k - z * r;
    auto const weight = where(remainder(k, 2) == 0, 2.0, 0.0);
    return std::pair{z / where(below == 0, 1e-30, below), weight + r * t};
  }
};

template <std::int64_t V, std::int64_t Terms>
struct values_of_orders {
  constexpr auto operator()(auto const& x) const {
    if constexpr (Refused<std::remove_const_t<decltype(x)>>) {
      return x;
    } else {
      auto const at_zero = x == 0;
      auto const z = where(at_zero, 1.0, x);
      auto const step = [&](auto const& carry, auto const& k) {
        auto const [r, t] = order_below{z}(std::get<0>(carry), std::get<1>(carry), k);
        return std::pair{std::tuple{r, t}, std::tuple<>{}};
      };
      auto const orders = Terms - arange<float, Terms - V>();  // Terms ... V + 1
      auto const begin = std::tuple{0.0 * z, 0.0 * z + (Terms % 2 == 0 ? 2.0 : 0.0)};
      auto const high = std::get<0>(functions::scan(step, begin, orders));
      return stack(from_order<V>(at_zero, z, std::get<0>(high), std::get<1>(high)));
    }
  }

private:
  // With the ratio and the sum of order K + 1: the values of all orders, once it has come to order 0. Behind them the
  // ratios of orders K + 1 ... V.
  template <std::int64_t K, class M, class Z, class R, class T, class... Above>
  static constexpr auto from_order(M const& at_zero, Z const& z, R const& r, T const& t, Above const&... above) {
    if constexpr (K > 0) {
      auto const [ratio, sum] = order_below{z}(r, t, static_cast<double>(K));
      return from_order<K - 1>(at_zero, z, ratio, sum, ratio, above...);
    } else {
      auto const first = 1.0 / (1.0 + r * t);
      return std::tuple_cat(std::tuple{where(at_zero, 1.0, first)}, multiplied(at_zero, first, above...));
    }
  }
  template <class M, class J>
  static constexpr std::tuple<> multiplied(M const&, J const&) {
    return {};
  }
  template <class M, class J, class R, class... Above>
  static constexpr auto multiplied(M const& at_zero, J const& below, R const& ratio, Above const&... above) {
    auto const value = below * ratio;
    return std::tuple_cat(std::tuple{where(at_zero, 0.0, value)}, multiplied(at_zero, value, above...));
  }
};

template <std::int64_t V, std::int64_t Terms>
struct all_orders;

// J_0' = -J_1, J_k' = (J_{k-1} - J_{k+1}) / 2, of the last order J_{V-1} - V J_V / z.
template <std::int64_t V, std::int64_t Terms>
struct slopes_of_orders {
  constexpr auto operator()(auto const& z) const -> decltype(values_of_orders<V, Terms>{}(z)) {
    auto const j = all_orders<V, Terms>{}(z);
    auto const first = slice_in_dim<0, 1, 2>(j);
    auto const last = slice_in_dim<0, V, V + 1>(j);
    auto const at_zero = z == 0;
    auto const over_z = where(at_zero, 0.0, last / where(at_zero, 1.0, z));
    auto const between = 0.5 * (slice_in_dim<0, 0, V - 1>(j) - slice_in_dim<0, 2, V + 1>(j));
    return concatenate<0>(-first, between, slice_in_dim<0, V - 1, V>(j) - static_cast<double>(V) * over_z);
  }
};
template <std::int64_t V, std::int64_t Terms>
struct all_orders : with_slope<values_of_orders<V, Terms>, slopes_of_orders<V, Terms>> {};

// With two orders more, whose derivatives are not as exact at 0.
template <std::int64_t V, std::int64_t Terms>
struct bessel_jn {
  static_assert(V >= 0 && Terms > V + 2, "tessera: bessel_jn<V, Terms> has orders V >= 0, and Terms above V + 2.");
  constexpr auto operator()(auto const& z) const {
    auto const j = all_orders<V + 2, Terms>{}(z);
    if constexpr (Refused<std::remove_const_t<decltype(j)>>)
      return j;
    else
      return slice_in_dim<0, 0, V + 1>(j);
  }
};

}  // namespace detail::bodies

namespace functions {

template <std::int64_t V, std::int64_t Terms = 50, class Z>
constexpr auto bessel_jn(Z const& z, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::bessel_jn<V, Terms>>(at, z);
}

}  // namespace functions
}  // namespace tessera
