// SPDX-License-Identifier: Apache-2.0
#pragma once
// var, stddev (JAX's std, which is a namespace here), ptp over some dimensions (all if none is named); reduce_sum,
// reduce_max, reduce_min, reduce_prod as in lax.
//   var(x)   stddev<0>(x, keepdims)   var<1>(x, ddof<1>)   ptp<-1>(x)   reduce_sum<0>(x, out_sharding<P<mp, unreduced<dp>>>)
// Types and bytes are those of their reductions: two, one after the other. reduce_sum with out_sharding may
// leave its sum pending, moving 0 bytes, or reduce_scatter it. Integers are converted to floats by var and stddev.
// Source: JAX 0.10.2 jax.numpy, lax.reduce_sum.

#include <tessera/op/base/out_sharding.hpp>
#include <tessera/op/elementwise/powers.hpp>
#include <tessera/op/reduce/reduce.hpp>

namespace tessera {
namespace ops {

// The parameters of a reduction, and the number that is subtracted from the count: JAX's ddof.
struct var_params {
  extents_list dims{};
  bool keep = false;
  double ddof = 0;
  static constexpr void fields(auto& p, auto&& each) { each(p.dims, p.keep, p.ddof); }
};
struct var {
  static constexpr std::string_view name = "var";
  static constexpr op_class kind = op_class::reduce;
  template <class B>
  static constexpr term build(B& b, term const* operand, int, attributes const& attrs) {
    auto const asked = attrs.as<var_params>();
    extents_list dims;
    if (!normal_dims<var>(b, operand[0], asked.dims, dims)) return {&b, -1};
    auto const x = floating_of(b, operand[0]);
    array_value const facts = x.facts();
    reduce_params const over{dims};
    double count = 1;
    for (auto d : dims) count *= static_cast<double>(facts.extent(static_cast<int>(d)));
    term off = x;
    if (!dims.empty()) {
      auto const center = make<mean>(b, {x}, over);
      off = x - spread_back(b, center, facts, dims);
    } else {
      off = x - x;
    }
    term result = squared_size(b, off);
    if (!dims.empty()) result = make<reduce_sum>(b, {result}, over);
    double const left = count - asked.ddof;
    result = result / number(b, left > 0 ? left : 0.0, real_of(facts.element));
    return asked.keep ? keep_dims(b, result, dims) : result;
  }
};
struct stddev {
  static constexpr std::string_view name = "std";
  static constexpr op_class kind = op_class::reduce;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    return make<sqrt>(b, {make<var>(b, {x[0]}, attrs)});
  }
};
struct ptp {
  static constexpr std::string_view name = "ptp";
  static constexpr op_class kind = op_class::reduce;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    return make<subtract>(b, {make<max>(b, {x[0]}, attrs), make<min>(b, {x[0]}, attrs)});
  }
};

}  // namespace ops

template <int N>
struct ddof_t {};
template <int N>
inline constexpr ddof_t<N> ddof{};

template <bool Keep, int Ddof, int... Dims>
struct spread_over {
  template <Mesh M>
  static constexpr ops::var_params on() {
    return {extents_list{static_cast<std::int64_t>(Dims)...}, Keep, Ddof};
  }
};

namespace functions {

template <int... Dims, class X>
constexpr auto var(X const& x, site at = std::source_location::current()) {
  return invoke<ops::var, spread_over<false, 0, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto var(X const& x, keepdims_t, site at = std::source_location::current()) {
  return invoke<ops::var, spread_over<true, 0, Dims...>>(at, x);
}
template <int... Dims, int N, class X>
constexpr auto var(X const& x, ddof_t<N>, site at = std::source_location::current()) {
  return invoke<ops::var, spread_over<false, N, Dims...>>(at, x);
}
template <int... Dims, int N, class X>
constexpr auto var(X const& x, ddof_t<N>, keepdims_t, site at = std::source_location::current()) {
  return invoke<ops::var, spread_over<true, N, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto stddev(X const& x, site at = std::source_location::current()) {
  return invoke<ops::stddev, spread_over<false, 0, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto stddev(X const& x, keepdims_t, site at = std::source_location::current()) {
  return invoke<ops::stddev, spread_over<true, 0, Dims...>>(at, x);
}
template <int... Dims, int N, class X>
constexpr auto stddev(X const& x, ddof_t<N>, site at = std::source_location::current()) {
  return invoke<ops::stddev, spread_over<false, N, Dims...>>(at, x);
}
template <int... Dims, int N, class X>
constexpr auto stddev(X const& x, ddof_t<N>, keepdims_t, site at = std::source_location::current()) {
  return invoke<ops::stddev, spread_over<true, N, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto ptp(X const& x, site at = std::source_location::current()) {
  return invoke<ops::ptp, over_dims<false, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto ptp(X const& x, keepdims_t, site at = std::source_location::current()) {
  return invoke<ops::ptp, over_dims<true, Dims...>>(at, x);
}

// The functions of lax: Dims are named, from 0.
template <int... Dims, class X>
constexpr auto reduce_sum(X const& x, site at = std::source_location::current()) {
  return invoke<ops::reduce_sum, over_dims<false, Dims...>>(at, x);
}
template <int... Dims, class X, Spec S, Mesh M>
constexpr auto reduce_sum(X const& x, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::reduce_sum, with_out<over_dims<false, Dims...>, S, M>>(at, x);
}
template <int... Dims, class X>
constexpr auto reduce_max(X const& x, site at = std::source_location::current()) {
  return invoke<ops::reduce_max, over_dims<false, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto reduce_min(X const& x, site at = std::source_location::current()) {
  return invoke<ops::reduce_min, over_dims<false, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto reduce_prod(X const& x, site at = std::source_location::current()) {
  return invoke<ops::reduce_prod, over_dims<false, Dims...>>(at, x);
}

}  // namespace functions

}  // namespace tessera
