// SPDX-License-Identifier: Apache-2.0
#pragma once
// cumsum, cumprod along one dimension: x -> the same type; bool counts as int32. Without a dimension: of all elements in
// row-major order, (n, m, ...) -> (n m ...).
//   cumsum<1>(x)   cumprod<-1>(x, reverse)   from the end
// The dimension must not be sharded; others keep their layout. Moves 0 bytes. Source: JAX 0.10.2 jnp.cumsum, jnp.cumprod.

#include <tessera/op/base/opaque.hpp>
#include <tessera/op/base/opaque_types.hpp>
#include <tessera/op/base/reverse.hpp>
#include <tessera/op/reduce/reduce.hpp>
#include <tessera/op/shape/pad.hpp>
#include <tessera/op/shape/reshape.hpp>

namespace tessera {
namespace ops {

// Views: neighbors of the batch, then the dimension.
template <class Self, accepts Domain = accepts::numbers>
struct cumulative : opaque<Self, 1, Domain> {
  static constexpr opaque_shape shape(rule_input const& in) {
    opaque_shape shape = tessera::rule::along_dim(in, in.attrs.as<along_one_params>().dim);
    shape.panel = 64;
    return shape;
  }
  template <class T>
  using accumulator = tessera::detail::compute_type<dtype_of<T>()>;

  template <class T>
  TESSERA_FUNCTION static void run(opaque_call const& call, dense_view<T const> x, dense_view<T> y) {
    using A = accumulator<T>;
    constexpr std::int64_t most = 64;
    std::int64_t const count = x.extent(0), length = x.extent(1);
    bool const back = call.attrs.as<along_one_params>().reverse;
    std::int64_t const from = back ? length - 1 : 0, sx = back ? -x.step(1) : x.step(1),
                       sy = back ? -y.step(1) : y.step(1);
    if (length == 0) return;
    if (count == 1 || x.step(1) == 1) {
      for (std::int64_t p = 0; p < count; ++p) {
        T const* in = &x(p, from);
        T* out = &y(p, from);
        A sum = static_cast<A>(*in);
        *out = static_cast<T>(sum);
        for (std::int64_t i = 1; i < length; ++i) {
          sum = Self::template step<A>(sum, static_cast<A>(in[i * sx]));
          out[i * sy] = static_cast<T>(sum);
        }
      }
      return;
    }
    for (std::int64_t p0 = 0; p0 < count; p0 += most) {
      std::int64_t const n = count - p0 < most ? count - p0 : most;
      A sums[most];
      for (std::int64_t i = 0; i < length; ++i) {
        T const* in = &x(p0, from) + i * sx;
        T* out = &y(p0, from) + i * sy;
        for (std::int64_t p = 0; p < n; ++p) {
          A const value = static_cast<A>(in[p * x.step(0)]);
          sums[p] = i == 0 ? value : Self::template step<A>(sums[p], value);
          out[p * y.step(0)] = static_cast<T>(sums[p]);
        }
      }
    }
  }

  // The same for one line, by a team of an accelerator: 4 neighbors a thread are added, then the threads' sums, then those
  // of all elements before. `sums` has room for two values per thread.
  template <class T, class Team>
  TESSERA_FUNCTION static void run_by_team(Team const& team, int threads, opaque_call const& call,
                                           dense_view<T const> x, dense_view<T> y) {
    using A = accumulator<T>;
    constexpr int group = 4;
    std::int64_t const length = x.extent(1);
    bool const back = call.attrs.as<along_one_params>().reverse;
    std::int64_t const sx = back ? -x.step(1) : x.step(1), sy = back ? -y.step(1) : y.step(1);
    T const* const in = x.elements + (back ? (length - 1) * x.step(1) : 0);
    T* const out = y.elements + (back ? (length - 1) * y.step(1) : 0);
    auto* sums = static_cast<A*>(team.scratch());
    auto* others = sums + threads;
    int const rank = team.rank();
    A before{};
    for (std::int64_t first = 0; first < length; first += threads * group) {
      std::int64_t const at = first + rank * group;
      int const count = at >= length ? 0 : length - at < group ? static_cast<int>(length - at) : group;
      A own[group]{};
      TESSERA_UNROLL
      for (int k = 0; k < group; ++k)
        if (k < count) own[k] = static_cast<A>(in[(at + k) * sx]);
      TESSERA_UNROLL
      for (int k = 1; k < group; ++k) own[k] = k < count ? Self::template step<A>(own[k - 1], own[k]) : own[k - 1];
      // All threads but the last have all of their elements, so that no empty thread is before one with elements.
      sums[rank] = own[group - 1];
      for (int apart = 1; apart < threads; apart *= 2) {
        team.barrier();
        others[rank] = rank >= apart ? Self::template step<A>(sums[rank - apart], sums[rank]) : sums[rank];
        A* const next = others;
        others = sums;
        sums = next;
      }
      team.barrier();
      std::int64_t const filled = (length - first + group - 1) / group;
      int const last = filled < threads ? static_cast<int>(filled) - 1 : threads - 1;
      A const whole = sums[last];
      TESSERA_UNROLL
      for (int k = 0; k < group; ++k) {
        if (k >= count) continue;
        A sum = own[k];
        if (rank > 0) sum = Self::template step<A>(sums[rank - 1], sum);
        if (first > 0) sum = Self::template step<A>(before, sum);
        out[(at + k) * sy] = static_cast<T>(sum);
      }
      before = first > 0 ? Self::template step<A>(before, whole) : whole;
      team.barrier();
    }
  }
};

template <class B>
constexpr attributes other_way(B& back) {
  along_one_params along = back.attrs().template as<along_one_params>();
  along.reverse = !along.reverse;
  return along;
}

template <class Self>
struct cumulative_of_bool : cumulative<Self> {
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    auto const counted = x[0].facts().element == dtype::boolean ? cast_to<dtype::int32>(b, x[0]) : x[0];
    return counted ? tessera::detail::widened<Self, Self, 0>(b, &counted, 1, attrs) : counted;
  }
};

struct cumsum : cumulative_of_bool<cumsum> {
  static constexpr std::string_view name = "cumsum";
  static constexpr bool of_complex = true;
  template <class A>
  TESSERA_FUNCTION static A step(A sum, A x) {
    return static_cast<A>(wrapping(sum) + wrapping(x));
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, make<cumsum>(back, {back.cotangent()}, other_way(back)));
  }
};
// (a, b) -> y of y_0 = b_0, y_k = b_k + a_{k-1} y_{k-1}.
struct linear_recurrence : opaque<linear_recurrence, 2, accepts::floats> {
  static constexpr std::string_view name = "linear_recurrence";
  static constexpr bool of_complex = true;
  static constexpr opaque_shape shape(rule_input const& in) {
    return tessera::rule::along_dim(in, in.attrs.as<along_one_params>().dim);
  }
  template <class T>
  TESSERA_FUNCTION static void run(opaque_call const& call, dense_view<T const> a, dense_view<T const> b,
                                   dense_view<T> y) {
    using A = tessera::detail::compute_type<dtype_of<T>()>;
    bool const back = call.attrs.as<along_one_params>().reverse;
    std::int64_t const length = b.extent(0);
    A before = 0;
    for (std::int64_t k = 0; k < length; ++k) {
      std::int64_t const i = back ? length - 1 - k : k, last = back ? i + 1 : i - 1;
      before = static_cast<A>(b(i)) + (k == 0 ? A(0) : static_cast<A>(a(last)) * before);
      y(i) = static_cast<T>(before);
    }
  }
  // s of s_k = y'_k + a_k s_{k+1}: of b; y_k s_{k+1}: of a.
  template <class B>
  static constexpr void transpose(B& back, int) {
    attributes const otherwise = other_way(back);
    auto const along = otherwise.as<along_one_params>();
    along_one_params const forward{along.dim, !along.reverse};
    auto const shifted = one_later(back, back.operand(0), forward, 0.0);
    auto const s = make<linear_recurrence>(back, {shifted, back.cotangent()}, otherwise);
    back.give(1, s);
    if (back.wants(0)) back.give(0, back.result() * one_later(back, s, along, 0.0));
  }
};

struct cumprod : cumulative_of_bool<cumprod> {
  static constexpr std::string_view name = "cumprod";
  static constexpr bool of_complex = true;
  template <class A>
  TESSERA_FUNCTION static A step(A product, A x) {
    return static_cast<A>(wrapping(product) * wrapping(x));
  }
  // The product of the elements before, times s of s_k = ct_k + x_{k+1} s_{k+1}: without a quotient, so also for zeros.
  template <class B>
  static constexpr void transpose(B& back, int) {
    auto const along = back.attrs().template as<along_one_params>();
    auto const before = one_later(back, back.result(), along, 1.0);
    auto const behind = make<linear_recurrence>(back, {back.operand(0), back.cotangent()}, other_way(back));
    back.give(0, before * behind);
  }
};

// Op along the only dimension of x's elements in row-major order.
template <class Op>
struct of_flattened {
  static constexpr std::string_view name = Op::name;
  static constexpr op_class kind = Op::kind;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    return make<Op>(b, {flattened(b, x[0])}, attrs);
  }
};

template <class Op, int... Dim>
using along_or_flattened = std::conditional_t<sizeof...(Dim) == 0, of_flattened<Op>, Op>;

}  // namespace ops

template <int Dim, bool Reverse>
struct along_one {
  template <Mesh M>
  static constexpr ops::along_one_params on() {
    return {Dim, Reverse};
  }
};

namespace functions {

template <int... Dim, class X>
  requires(sizeof...(Dim) < 2)
constexpr auto cumsum(X const& x, site at = std::source_location::current()) {
  return invoke<ops::along_or_flattened<ops::cumsum, Dim...>, along_one<(0 + ... + Dim), false>>(at, x);
}
template <int... Dim, class X>
  requires(sizeof...(Dim) < 2)
constexpr auto cumsum(X const& x, reverse_t, site at = std::source_location::current()) {
  return invoke<ops::along_or_flattened<ops::cumsum, Dim...>, along_one<(0 + ... + Dim), true>>(at, x);
}
template <int... Dim, class X>
  requires(sizeof...(Dim) < 2)
constexpr auto cumprod(X const& x, site at = std::source_location::current()) {
  return invoke<ops::along_or_flattened<ops::cumprod, Dim...>, along_one<(0 + ... + Dim), false>>(at, x);
}
template <int... Dim, class X>
  requires(sizeof...(Dim) < 2)
constexpr auto cumprod(X const& x, reverse_t, site at = std::source_location::current()) {
  return invoke<ops::along_or_flattened<ops::cumprod, Dim...>, along_one<(0 + ... + Dim), true>>(at, x);
}

}  // namespace functions

}  // namespace tessera
