// SPDX-License-Identifier: Apache-2.0
#pragma once
// relu, gelu, silu, softplus: x -> the same type. gelu is the tanh approximation unless gelu(x, exact) asks for erf.
// Composites of elementwise ops, with their gradients and fusion. Moves 0 bytes. Source: JAX 0.10.2 jax.nn.

#include <tessera/op/base/identity.hpp>
#include <tessera/op/elementwise/arithmetic.hpp>
#include <tessera/op/elementwise/erf.hpp>
#include <tessera/op/elementwise/exponential.hpp>
#include <tessera/op/elementwise/hyperbolic.hpp>
#include <tessera/op/elementwise/logarithmic.hpp>

namespace tessera {
namespace ops {

struct stop_gradient;

// max(x, 0), NaN for NaN; the gradient at 0 and at NaN is 0, as that of jax.nn.relu.
struct relu {
  static constexpr std::string_view name = "relu";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const&) {
    cast_params const as_x{x[0].facts().element, x[0].facts().weak};
    auto const zero = make<cast>(b, {number(b, 0.0)}, as_x);
    auto const above = make<greater>(b, {x[0], zero});
    if (!above) return above;
    auto const otherwise = make<stop_gradient>(b, {make<maximum>(b, {x[0], zero})});  // 0, or NaN
    return make<where>(b, {above, x[0], otherwise});
  }
};

// x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2, or exact: x (1 + erf(x / sqrt 2)) / 2.
struct gelu_params {
  bool exact = false;
  static constexpr void fields(auto& p, auto&& each) { each(p.exact); }
};
struct gelu {
  static constexpr std::string_view name = "gelu";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* operand, int, attributes const& attrs) {
    array_value const facts = operand[0].facts();
    if (is_complex(facts.element)) return b.template refuse<gelu>(refuse(reason::element_unsupported), facts);
    term x = tessera::detail::as_strong(b, tessera::detail::as_inexact(b, operand[0]));
    if (!x) return x;
    term half;
    if (attrs.as<gelu_params>().exact) {
      auto const inner = make<erf>(b, {x * 0.7071067811865476});
      half = (inner + 1.0) * 0.5;
    } else {  // (1 + tanh(u)) / 2 is the logistic function of 2u = x (2 sqrt(2 / pi) + 0.044715 2 sqrt(2 / pi) x^2)
      auto const cubic = make<square>(b, {x}) * 0.07135481627260025;
      term const factor = cubic + 1.5957691216057308;
      half = make<logistic>(b, {x * factor});
    }
    return x * half;
  }
};

struct silu {
  static constexpr std::string_view name = "silu";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const&) {
    return x[0] * make<logistic>(b, {x[0]});
  }
};

// log(1 + e^x) as logaddexp(x, 0), whose derivatives are smooth at 0.
struct softplus {
  static constexpr std::string_view name = "softplus";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const&) {
    return make<logaddexp>(b, {tessera::detail::as_inexact(b, x[0]), number(b, 0.0)});
  }
};

// x, which grad treats as a constant.
struct stop_gradient {
  static constexpr std::string_view name = "stop_gradient";
  static constexpr op_class kind = op_class::identity;
  static constexpr verdict rule(rule_input const& in) { return accept(in[0]); }
  static constexpr bool locally_constant = true;
};

}  // namespace ops

struct exact_t {};
inline constexpr exact_t exact{};
struct with_erf {
  template <Mesh M>
  static constexpr ops::gelu_params on() {
    return {true};
  }
};

struct gelu_door : unary_door<ops::gelu> {
  using unary_door<ops::gelu>::operator();
  template <class X>
  constexpr auto operator()(X const& x, exact_t, site at = std::source_location::current()) const {
    return invoke<ops::gelu, with_erf>(at, x);
  }
};

inline constexpr unary_door<ops::relu> relu;
inline constexpr gelu_door gelu;
inline constexpr unary_door<ops::silu> silu;
inline constexpr unary_door<ops::softplus> softplus;
inline constexpr unary_door<ops::stop_gradient> stop_gradient;

}  // namespace tessera
