// SPDX-License-Identifier: Apache-2.0
#pragma once
// split<3>(x) along dimension 0, split<2, 1>(x): a std::array of equal parts, each a slice.
// Source: JAX 0.10.2 jnp.split.

#include <tessera/op/index/slice.hpp>
#include <tessera/rule/slicing.hpp>

#include <array>

namespace tessera {
namespace ops {

// A part of a dimension: one of `count` equal parts, or, without their number, one element (unstack).
struct part_params {
  std::int64_t dim = 0, part = 0, parts = 0;
  static constexpr void fields(auto& p, auto&& each) { each(p.dim, p.part, p.parts); }
};
struct split_part {
  static constexpr std::string_view name = "split";
  static constexpr op_class kind = op_class::slice;

  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    array_value const operand = x[0].facts();
    auto const [dim, part, parts] = attrs.as<part_params>();
    auto const d = static_cast<int>(dim < 0 ? dim + operand.rank : dim);
    if (d < 0 || d >= operand.rank)
      return b.template refuse<split_part>(refuse(reason::dim_out_of_range, -1, {}, dim, operand.rank), operand);
    auto const n = operand.extent(d);
    if (n != dynamic && n % parts != 0)
      return b.template refuse<split_part>(refuse(reason::shapes_disagree, d, {}, n, parts), operand);
    slice_in_dim_params to{d, dynamic, dynamic};
    if (n != dynamic) to.start = part * (n / parts), to.limit = to.start + n / parts;
    return make<slice>(b, {x[0]}, to);
  }
};

}  // namespace ops

template <std::int64_t Part, std::int64_t Parts, int Dim>
struct part_of {
  static_assert(Parts > 0, "tessera: split needs a positive number of parts.");
  template <Mesh M>
  static constexpr ops::part_params on() {
    return {Dim, Part, Parts};
  }
};

namespace functions {

template <std::int64_t Parts, int Dim = 0, class X>
constexpr auto split(X const& x, site at = std::source_location::current()) {
  return [&]<std::int64_t... I>(std::integer_sequence<std::int64_t, I...>) {
    return std::array{invoke<ops::split_part, part_of<I, Parts, Dim>>(at, x)...};
  }
  (std::make_integer_sequence<std::int64_t, Parts>{});
}

}  // namespace functions
}  // namespace tessera
