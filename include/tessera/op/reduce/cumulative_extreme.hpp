// SPDX-License-Identifier: Apache-2.0
#pragma once
// cummax<-1>(x), cummin(x, reverse) along one dimension (default the first), which must not be sharded. Moves 0 bytes.
// The gradient goes in equal shares to the elements so far that equal the result; JAX halves it at each tie of a tree.
// Source: JAX 0.10.2 lax.cummax, lax.cummin.

#include <tessera/op/base/opaque.hpp>
#include <tessera/op/reduce/cumulative.hpp>
#include <tessera/op/reduce/reduce.hpp>

namespace tessera {
namespace ops {

// (cotangent, x, result) -> each cotangent in equal shares at the elements so far that equal its result; 0 for NaN.
// With Turned its transpose: (t, x, result) -> the mean of t at these elements. The choice of elements is locally
// constant.
template <class Self, class Other, bool Turned>
struct shares_of_choice : opaque<Self, 3, accepts::floats> {
  static constexpr opaque_shape shape(rule_input const& in) {
    return tessera::rule::along_dim(in, in.attrs.as<along_one_params>().dim);
  }
  template <class T>
  TESSERA_FUNCTION static void run(opaque_call const& call, dense_view<T const> g, dense_view<T const> x,
                                   dense_view<T const> y, dense_view<T> out) {
    bool const back = call.attrs.as<along_one_params>().reverse;
    std::int64_t const length = x.extent(0);
    auto const place = [&](std::int64_t k) { return back ? length - 1 - k : k; };
    using A = tessera::detail::compute_type<dtype_of<T>()>;
    for (std::int64_t first = 0, end = 0; first < length; first = end) {
      A const most = static_cast<A>(y(place(first)));
      auto const chosen = [&](std::int64_t k) { return static_cast<A>(x(place(k))) == most; };
      A shares = 0, sum = 0;
      for (end = first; end < length && !(static_cast<A>(y(place(end))) != most && most == most); ++end) {
        shares += static_cast<A>(chosen(end));
        if constexpr (Turned) {
          if (chosen(end)) sum += static_cast<A>(g(place(end)));
          out(place(end)) = static_cast<T>(shares > 0 ? sum / shares : A(0));
        }
      }
      for (std::int64_t k = end - 1; k >= first && !Turned; --k) {
        if (shares > 0) sum += static_cast<A>(g(place(k))) / shares;
        out(place(k)) = static_cast<T>(chosen(k) ? sum : A(0));
        if (chosen(k)) shares -= 1;
      }
    }
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, make<Other>(back, {back.cotangent(), back.operand(1), back.operand(2)}, back.attrs()));
  }
};
struct cumulative_mean_of_choice;
struct cumulative_choice : shares_of_choice<cumulative_choice, cumulative_mean_of_choice, false> {
  static constexpr std::string_view name = "cumulative_choice";
};
struct cumulative_mean_of_choice : shares_of_choice<cumulative_mean_of_choice, cumulative_choice, true> {
  static constexpr std::string_view name = "cumulative_mean_of_choice";
};

template <class Self>
struct cumulative_extreme : cumulative<Self> {
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, make<cumulative_choice>(back, {back.cotangent(), back.operand(0), back.result()}, back.attrs()));
  }
};
struct cummax : cumulative_extreme<cummax> {
  static constexpr std::string_view name = "cummax";
  template <class A>
  TESSERA_FUNCTION static A step(A most, A x) {
    return ((most >= x) | (most != most)) ? most : x;
  }
};
struct cummin : cumulative_extreme<cummin> {
  static constexpr std::string_view name = "cummin";
  template <class A>
  TESSERA_FUNCTION static A step(A least, A x) {
    return ((least <= x) | (least != least)) ? least : x;
  }
};

}  // namespace ops

namespace functions {

template <int Dim = 0, class X>
constexpr auto cummax(X const& x, site at = std::source_location::current()) {
  return invoke<ops::cummax, along_one<Dim, false>>(at, x);
}
template <int Dim = 0, class X>
constexpr auto cummax(X const& x, reverse_t, site at = std::source_location::current()) {
  return invoke<ops::cummax, along_one<Dim, true>>(at, x);
}
template <int Dim = 0, class X>
constexpr auto cummin(X const& x, site at = std::source_location::current()) {
  return invoke<ops::cummin, along_one<Dim, false>>(at, x);
}
template <int Dim = 0, class X>
constexpr auto cummin(X const& x, reverse_t, site at = std::source_location::current()) {
  return invoke<ops::cummin, along_one<Dim, true>>(at, x);
}

}  // namespace functions
}  // namespace tessera
