// SPDX-License-Identifier: Apache-2.0
#pragma once
// Layers: named trees of their parameters that are called as functions. Declared as parameters are:
//   nn::linear<W>()            x (..., in) -> x w + b; W: the array type of w, (in, out); b has the layout of its outputs
//   nn::linear<W>(init), nn::linear<W>(init, nn::no_bias)
//   nn::layer_norm<G>()        x (..., n) -> normalized, times gain, plus offset; G: the type of both, (n)
//   nn::rms_norm<G>()          x (..., n) -> x / root of its mean square, times gain
//   nn::embedding<T>()         numbers (...) -> rows of a table (n, width), normal of variance 1 / width
//   nn::through(f, layers, x)  f(layer, x) for one layer after the other: a std::array of them, or one whose arrays have a
//                              first dimension of layers (nn::stacked), which runs as a scan
// A call takes an out_sharding where the product or the look-up needs one: p.down(h, out_sharding<P<dp, none>>). Bytes
// are those of matmul, take and the reductions. Lines in errors and tables are those of the calls. Source: Flax
// nnx.Linear, LayerNorm, RMSNorm, Embed.

#include <tessera/base/square_root.hpp>
#include <tessera/control/control.hpp>
#include <tessera/nn/parameter.hpp>
#include <tessera/op/elementwise/arithmetic.hpp>
#include <tessera/op/index/take.hpp>
#include <tessera/op/product/matmul.hpp>
#include <tessera/op/reduce/softmax.hpp>
#include <tessera/trace/tree_struct.hpp>

namespace tessera::nn {

namespace detail {
template <class Y, class B>
constexpr auto plus_offset(Y const& y, B const& b, site at) {
  if constexpr (is_no_leaf<B>)
    return y;
  else
    return add(y, b, at);
}
}  // namespace detail

template <class W, class B>
struct linear_layer {
  W w;
  B b;
  static constexpr tessera::names<2> names{"w", "b"};
  template <class X>
  constexpr auto operator()(X const& x, site at = std::source_location::current()) const {
    return detail::plus_offset(matmul(x, w, at), b, at);
  }
  template <class X, class Out>
  constexpr auto operator()(X const& x, Out const& out, site at = std::source_location::current()) const {
    return detail::plus_offset(matmul(x, w, out, at), b, at);
  }
};
template <class Gain, class Offset>
struct layer_norm_layer {
  Gain gain;
  Offset offset;
  static constexpr tessera::names<2> names{"gain", "offset"};
  template <class X>
  constexpr auto operator()(X const& x, double epsilon = 1e-5, site at = std::source_location::current()) const {
    return add(multiply(tessera::layer_norm(x, epsilon, at), gain, at), offset, at);
  }
};
template <class Gain>
struct rms_norm_layer {
  Gain gain;
  static constexpr tessera::names<1> names{"gain"};
  template <class X>
  constexpr auto operator()(X const& x, double epsilon = 1e-5, site at = std::source_location::current()) const {
    return multiply(tessera::rms_norm(x, epsilon, at), gain, at);
  }
};
template <class Table>
struct embedding_layer {
  Table table;
  static constexpr tessera::names<1> names{"table"};
  template <class X>
  constexpr auto operator()(X const& numbers, site at = std::source_location::current()) const {
    return take<0>(table, numbers, at);
  }
  template <class X, class Out>
  constexpr auto operator()(X const& numbers, Out const& out, site at = std::source_location::current()) const {
    return take<0>(table, numbers, out, at);
  }
};

// Says that a linear layer has no offset.
struct no_bias_t {};
inline constexpr no_bias_t no_bias{};

namespace detail {
template <class W>
struct outputs_of;
template <class Element, std::int64_t In, std::int64_t Out, class First, class Last, Mesh M>
struct outputs_of<array_type<Element, shape<In, Out>, P<First, Last>, M>> {
  using type = array_type<Element, shape<Out>, P<Last>, M>;
};
template <class Element, std::int64_t In, std::int64_t Out, class First, Mesh M>
struct outputs_of<array_type<Element, shape<In, Out>, P<First>, M>> {
  using type = array_type<Element, shape<Out>, P<none>, M>;
};
template <class Element, std::int64_t In, std::int64_t Out, Mesh M>
struct outputs_of<array_type<Element, shape<In, Out>, P<>, M>> {
  using type = array_type<Element, shape<Out>, P<none>, M>;
};
template <class W>
using bias_of = typename outputs_of<W>::type;

template <template <class...> class Layer, class... Field>
constexpr Layer<Field...> layer_of(Field const&... field) {
  return {field...};
}
}  // namespace detail

template <ArrayType W, class Initializer>
constexpr auto linear(Initializer const& initializer) {
  return detail::layer_of<linear_layer>(parameter<W>(initializer), parameter<detail::bias_of<W>>());
}
template <ArrayType W>
constexpr auto linear() {
  return linear<W>(initializers::lecun_normal);
}
template <ArrayType W, class Initializer>
constexpr auto linear(Initializer const& initializer, no_bias_t) {
  return detail::layer_of<linear_layer>(parameter<W>(initializer), no_leaf{});
}
template <ArrayType W>
constexpr auto linear(no_bias_t) {
  return linear<W>(initializers::lecun_normal, no_bias);
}
template <ArrayType G>
constexpr auto layer_norm() {
  return detail::layer_of<layer_norm_layer>(parameter<G>(initializers::ones), parameter<G>());
}
template <ArrayType G>
constexpr auto rms_norm() {
  return detail::layer_of<rms_norm_layer>(parameter<G>(initializers::ones));
}
template <ArrayType T, class Initializer>
constexpr auto embedding(Initializer const& initializer) {
  return detail::layer_of<embedding_layer>(parameter<T>(initializer));
}
template <ArrayType T>
constexpr auto embedding() {
  auto const width = static_cast<double>(T::value.extent(1));
  return embedding<T>(initializers::normal(1 / tessera::detail::square_root(width)));
}

template <class F, class L, std::size_t N, class X>
constexpr auto through(F const& f, std::array<L, N> const& layers, X x) {
  for (L const& layer : layers) x = f(layer, x);
  return x;
}
template <class F, class Stacked, class X>
constexpr auto through(F const& f, Stacked const& stacked, X const& x, site at = std::source_location::current()) {
  auto const one = [&f](auto const& carried, auto const& layer) { return std::tuple{f(layer, carried), std::tuple{}}; };
  return std::get<0>(scan(one, x, stacked, at));
}

}  // namespace tessera::nn
