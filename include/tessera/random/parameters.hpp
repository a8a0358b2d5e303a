// SPDX-License-Identifier: Apache-2.0
#pragma once
// The base of distributions with parameters. They are drawn in the requested shape, to which parameters broadcast, or
// without one in the parameters' common shape and layout. A parameter is a number, a traced value or an array.

#include <tessera/random/normal.hpp>

namespace tessera {
namespace ops {

// The source of a distribution's numbers: draws of a key's parts in the shape, layout and element type of the result.
template <class B>
struct drawing {
  B& b;
  key_words key{};
  random_params asked{};
  attributes attrs{};

  template <class Op>
  constexpr term make(std::initializer_list<term> x, attributes const& given = no_attributes) const {
    return tessera::make<Op>(b, x, given);
  }
  constexpr term real(double value) const { return number(b, value, asked.element); }
  // The same for part `which` of the key, as of split.
  constexpr drawing part(std::int64_t which) const {
    return {b, tessera::detail::split_words(b, key, which), asked, attrs};
  }
  constexpr term unit() const { return tessera::detail::random_unit(b, key, asked.element, asked.shape, attrs); }
  constexpr term normal() const { return random_normal::of(b, unit(), asked.element); }
  constexpr term exponential() const { return random_exponential::of(b, unit(), asked.element); }
  // -1 or 1
  constexpr term sign() const {
    drawing single{b, key, {dtype::float32, asked.shape}, attrs};
    single.attrs.set(single.asked);
    return make<where>({make<less>({single.unit(), single.real(0.5)}), real(1), real(-1)});
  }
  // Draw is gamma_draw or log_gamma_draw, with a key for each element. 16-bit types: float32's numbers, rounded.
  template <class Draw>
  constexpr term gamma(term a) const {
    dtype const element = wide_float(asked.element);
    auto const keys = tessera::detail::random_pairs(b, key, asked.shape, attrs);
    a = widened(tessera::detail::cast_to_element(b, a, element));
    if (!keys || !a) return {&b, -1};
    return tessera::detail::cast_to_element(b, b.template emit<Draw>({keys, a}), asked.element);
  }

private:
  // A parameter that is an array, in the result's shape.
  constexpr term widened(term x) const {
    if (!x || x.facts().rank == 0 || x.facts().shape() == asked.shape) return x;
    attributes wide = attrs;
    wide.set(broadcast_params{{}, asked.shape});
    return make<broadcast_to>({x}, wide);
  }
};

// (key, parameters...): the numbers are Self::of(drawing, parameters), each parameter in the result's element type.
template <class Self, int Parameters>
struct drawn_by_parameters {
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    drawing<B> from{b, {}, attrs.as<random_params>(), attrs};
    if (!is_floating(from.asked.element))
      return b.template refuse<Self>(refuse(reason::element_unsupported), x[0].facts());
    from.key = tessera::detail::words_of_key<Self>(b, x[0]);
    if (!from.key) return {&b, -1};
    term given[Parameters]{};
    for (int k = 0; k < Parameters; ++k) {
      if (is_complex(x[k + 1].facts().element))
        return b.template refuse<Self>(refuse(reason::element_unsupported), x[k + 1].facts());
      given[k] = tessera::detail::cast_to_element(b, x[k + 1], from.asked.element);
      if (!given[k]) return given[k];
    }
    if (from.asked.shape.empty()) {
      if (!tessera::detail::unify(b, info<Self>, given, Parameters)) return {&b, -1};
      for (term const& p : given) {
        if (p.facts().rank == 0) continue;
        from.asked.shape = p.facts().shape();
        from.attrs.set(from.asked);
        if (!from.attrs.has_out) from.attrs = attributes(from.asked, layout_of(p.facts()));
        break;
      }
    }
    return Self::of(from, given);
  }
};

}  // namespace ops
}  // namespace tessera
