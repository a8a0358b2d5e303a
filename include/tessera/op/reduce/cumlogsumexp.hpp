// SPDX-License-Identifier: Apache-2.0
#pragma once
// cumlogsumexp<1>(x), along one dimension (default the first), which must not be sharded: the logarithm of the sums of
// exponentials so far, none of them too large. Moves 0 bytes.
// Source: JAX 0.10.2 lax.cumlogsumexp.

#include <tessera/base/math.hpp>
#include <tessera/op/base/opaque.hpp>
#include <tessera/op/reduce/cumulative.hpp>
#include <tessera/op/reduce/reduce.hpp>

#include <limits>

namespace tessera {
namespace ops {

// (cotangent, x, result) -> the cotangent of x: e^(x - y) s with s the sum of the cotangents from here on, scaled by
// e^(y - y there), which is 1 at most. With Turned its transpose, (t, x, result) -> the sum so far of t e^(x - y here).
template <class Self, class Other, bool Turned>
struct sums_of_softmax : opaque<Self, 3, accepts::floats> {
  static constexpr opaque_shape shape(rule_input const& in) {
    return tessera::rule::along_dim(in, in.attrs.as<along_one_params>().dim);
  }
  template <class T>
  TESSERA_FUNCTION static void run(opaque_call const& call, dense_view<T const> g, dense_view<T const> x,
                                   dense_view<T const> y, dense_view<T> out) {
    using A = tessera::detail::compute_type<dtype_of<T>()>;
    bool const back = call.attrs.as<along_one_params>().reverse;
    std::int64_t const length = x.extent(0);
    constexpr A empty = -std::numeric_limits<A>::infinity();
    A sum = 0, last = 0;
    for (std::int64_t k = 0; k < length; ++k) {
      std::int64_t const i = back == Turned ? length - 1 - k : k;
      A const here = static_cast<A>(y(i));
      A const part = here == empty ? A(0) : math::exp(static_cast<A>(static_cast<A>(x(i)) - here));
      A const apart = static_cast<A>(Turned ? last - here : here - last);
      A const carried = k == 0 || here == empty || (Turned && last == empty) ? A(0) : math::exp(apart) * sum;
      sum = static_cast<A>(g(i)) * (Turned ? part : A(1)) + carried;
      out(i) = static_cast<T>(Turned ? sum : part * sum);
      last = here;
    }
  }
  // Both are linear in the first operand; as functions of x and y they are e^x and e^-y times a factor.
  template <class B>
  static constexpr void transpose(B& back, int) {
    auto const ct = back.cotangent(), other = make<Other>(back, {ct, back.operand(1), back.operand(2)}, back.attrs());
    back.give(0, other);
    auto const by_result = ct * back.result();
    auto const by_operand = back.operand(0) * other;
    back.give(1, Turned ? by_operand : by_result);
    back.give(2, -(Turned ? by_result : by_operand));
  }
};
struct cumlogsumexp_sums;
struct cumlogsumexp_transpose : sums_of_softmax<cumlogsumexp_transpose, cumlogsumexp_sums, false> {
  static constexpr std::string_view name = "cumlogsumexp_transpose";
};
struct cumlogsumexp_sums : sums_of_softmax<cumlogsumexp_sums, cumlogsumexp_transpose, true> {
  static constexpr std::string_view name = "cumlogsumexp_sums";
};

struct cumlogsumexp : cumulative<cumlogsumexp, accepts::floats> {
  static constexpr std::string_view name = "cumlogsumexp";
  template <class A>
  TESSERA_FUNCTION static A step(A sum, A x) {
    A const most = sum > x ? sum : x, apart = sum > x ? x - sum : sum - x;
    return apart != apart ? (sum == x ? sum : sum + x) : most + math::log1p(math::exp(apart));
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, make<cumlogsumexp_transpose>(back, {back.cotangent(), back.operand(0), back.result()}, back.attrs()));
  }
};

}  // namespace ops

namespace functions {

template <int Dim = 0, class X>
constexpr auto cumlogsumexp(X const& x, site at = std::source_location::current()) {
  return invoke<ops::cumlogsumexp, along_one<Dim, false>>(at, x);
}
template <int Dim = 0, class X>
constexpr auto cumlogsumexp(X const& x, reverse_t, site at = std::source_location::current()) {
  return invoke<ops::cumlogsumexp, along_one<Dim, true>>(at, x);
}

}  // namespace functions
}  // namespace tessera
