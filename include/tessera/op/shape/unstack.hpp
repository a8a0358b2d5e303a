// SPDX-License-Identifier: Apache-2.0
#pragma once
// unstack<1>(x): a std::array of the parts of x along a dimension, which is removed; it must not be sharded.
// split_at<0, 2, 5>(x): the parts of dimension 0 before 2, from 2 to 5, and from 5 on, as a std::tuple.
// Moves 0 bytes (split_at of a sharded dimension: as slice). Source: JAX 0.10.2 jnp.unstack, jnp.split.

#include <tessera/op/index/slice.hpp>
#include <tessera/op/index/split.hpp>
#include <tessera/op/shape/expand_dims.hpp>

#include <array>
#include <tuple>

namespace tessera {
namespace ops {

// One element of a dimension, which is removed.
struct unstacked_part {
  static constexpr std::string_view name = "unstack";
  static constexpr op_class kind = op_class::slice;

  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    array_value const operand = x[0].facts();
    auto const asked = attrs.as<part_params>();
    auto const d = static_cast<int>(asked.dim < 0 ? asked.dim + operand.rank : asked.dim);
    if (d < 0 || d >= operand.rank)
      return b.template refuse<unstacked_part>(refuse(reason::dim_out_of_range, -1, {}, asked.dim, operand.rank),
                                               operand);
    if (!operand.entry(d).empty())
      return b.template refuse<unstacked_part>(refuse(reason::sharded_dim_unsupported, d, operand.entry(d).axes()),
                                               operand);
    auto const part = make<slice>(b, {x[0]}, slice_in_dim_params{d, asked.part, asked.part + 1});
    return part ? make<squeeze>(b, {part}, squeeze_params{{d}}) : part;
  }
};

}  // namespace ops

template <std::int64_t Part, int Dim>
struct unstacked_at {
  template <Mesh M>
  static constexpr ops::part_params on() {
    return {Dim, Part};
  }
};

namespace detail {
// The extent of dimension Dim of X's type; 1 if X is refused.
template <int Dim, class X>
constexpr std::int64_t static_extent() {
  if constexpr (!Operand<X>)
    return 1;
  else if constexpr (is_poisoned<X>)
    return 1;
  else {
    constexpr array_value facts = operand_traits<X>::type::value;
    constexpr int d = Dim < 0 ? Dim + facts.rank : Dim;
    if constexpr (d < 0 || d >= facts.rank)
      return 1;
    else
      return facts.extent(d);
  }
}
}  // namespace detail

namespace functions {

template <int Dim = 0, class X>
constexpr auto unstack(X const& x, site at = std::source_location::current()) {
  constexpr std::int64_t count = detail::static_extent<Dim, X>();
  static_assert(count != dynamic, "tessera: unstack needs a dimension whose extent the type knows. Fix: split it.");
  return [&]<std::int64_t... I>(std::integer_sequence<std::int64_t, I...>) {
    return std::array{invoke<ops::unstacked_part, unstacked_at<I, Dim>>(at, x)...};
  }
  (std::make_integer_sequence<std::int64_t, count>{});
}

}  // namespace functions

namespace detail {
template <std::int64_t... Cut>
inline constexpr std::int64_t cut_points[]{0, Cut..., to_end};
}  // namespace detail

namespace functions {

template <int Dim, std::int64_t... Cut, class X>
constexpr auto split_at(X const& x, site at = std::source_location::current()) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::make_tuple(
        slice_in_dim<Dim, detail::cut_points<Cut...>[I], detail::cut_points<Cut...>[I + 1]>(x, at)...);
  }
  (std::make_index_sequence<sizeof...(Cut) + 1>{});
}

}  // namespace functions

}  // namespace tessera
