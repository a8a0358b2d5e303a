// SPDX-License-Identifier: Apache-2.0
#pragma once
// triu<K>(x), tril<K>(x): x (..., n, m) with 0 below / above diagonal K of its last two dimensions; the same type.
// eye<4>(), eye<4, 6, -1, int32>(): ones on diagonal K. linspace<5>(start, stop): 5 numbers from start to stop, both
// scalars; the element type may stand first, eye<int32, 4>(), as in zeros. Constants like zeros. By default eye is
// float32, and linspace has the floating dtype of start and stop. Moves 0 bytes. Source: JAX 0.10.2 jax.numpy.

#include <tessera/op/create/iota.hpp>
#include <tessera/op/elementwise/arithmetic.hpp>
#include <tessera/op/elementwise/compare.hpp>

namespace tessera {
namespace ops {

// bool of x's shape and layout: column >= row + diagonal (upper) or column <= row + diagonal.
template <class B>
constexpr term triangle_of(B& b, array_value x, std::int64_t diagonal, bool upper) {
  extents_list const shape = x.shape();
  term row = make<iota>(b, {}, {iota_params{dtype::int32, x.rank - 2, shape}, layout_of(x)}),
       column = make<iota>(b, {}, {iota_params{dtype::int32, x.rank - 1, shape}, layout_of(x)});
  if (diagonal != 0) row = row + number(b, static_cast<double>(diagonal), dtype::int32);
  return upper ? make<greater_equal>(b, {column, row}) : make<less_equal>(b, {column, row});
}

// bool, x's shape and layout: dimension `first`'s index + diagonal is dimension `second`'s.
template <class B>
constexpr term on_the_diagonal(B& b, array_value const x, int first, int second, std::int64_t diagonal) {
  extents_list const shape = x.shape();
  spec_value whole = layout_of(x);
  whole.unreduced = whole.reduced = {};
  term row = make<iota>(b, {}, {iota_params{dtype::int32, first, shape}, whole});
  if (diagonal != 0) row = row + number(b, static_cast<double>(diagonal), dtype::int32);
  return make<equal>(b, {row, make<iota>(b, {}, {iota_params{dtype::int32, second, shape}, whole})});
}

struct diagonal_params {
  std::int64_t diagonal = 0;
  bool sum = false;  // of the diagonal: only that
  static constexpr void fields(auto& p, auto&& each) { each(p.diagonal, p.sum); }
};

template <class Self, bool Upper>
struct triangle {
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    array_value const facts = x[0].facts();
    if (facts.rank < 2) return b.template refuse<Self>(refuse(reason::ranks_disagree, -1, {}, facts.rank, 2), facts);
    if (!facts.unreduced.empty())
      return b.template refuse<Self>(refuse(reason::unreduced_operand, -1, facts.unreduced), facts);
    auto const zero = make<cast>(b, {number(b, 0.0)}, cast_params{facts.element, facts.weak});
    return make<where>(b, {triangle_of(b, facts, attrs.as<diagonal_params>().diagonal, Upper), x[0], zero});
  }
};
struct triu : triangle<triu, true> {
  static constexpr std::string_view name = "triu";
};
struct tril : triangle<tril, false> {
  static constexpr std::string_view name = "tril";
};

struct eye_params {
  dtype element = dtype::float32;
  std::int64_t rows = 0, columns = 0, diagonal = 0;
  static constexpr void fields(auto& p, auto&& each) { each(p.element, p.rows, p.columns, p.diagonal); }
};
struct eye {
  static constexpr std::string_view name = "eye";
  static constexpr op_class kind = op_class::iota;
  template <class B>
  static constexpr term build(B& b, term const*, int, attributes const& attrs) {
    auto const asked = attrs.as<eye_params>();
    attributes rows = attrs, columns = attrs;
    rows.set(iota_params{dtype::int32, 0, {asked.rows, asked.columns}});
    columns.set(iota_params{dtype::int32, 1, {asked.rows, asked.columns}});
    term row = make<iota>(b, {}, rows);
    if (asked.diagonal != 0 && row) row = row + number(b, static_cast<double>(asked.diagonal), dtype::int32);
    return make<cast>(b, {make<equal>(b, {row, make<iota>(b, {}, columns)})}, cast_params{asked.element});
  }
};

// Asked: of the dtype of the parameters; otherwise of the floating dtype that start and stop have in common.
template <bool Asked>
struct linspace {
  static constexpr std::string_view name = "linspace";
  static constexpr op_class kind = op_class::iota;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    for (int k = 0; k < 2; ++k)
      if (array_value const own = x[k].facts(); own.rank != 0)
        return b.template refuse<linspace>(refuse(reason::ranks_disagree, -1, {}, own.rank, 0), own);
    attributes laid = attrs;
    iota_params steps = attrs.as<iota_params>();
    if (!Asked) steps.element = tessera::detail::as_inexact(tessera::detail::joint_dtype(x, 2)).element;
    for (int k = 0; k < 2; ++k)
      if (array_value const own = x[k].facts(); is_complex(own.element))
        return b.template refuse<linspace>(refuse(reason::element_unsupported), own);
    laid.set(steps);
    cast_params const to{steps.element};
    auto const from = make<cast>(b, {x[0]}, to), till = make<cast>(b, {x[1]}, to);
    auto const count = steps.shape[0];
    auto const part = make<divide>(
        b, {make<iota>(b, {}, laid), number(b, count > 1 ? static_cast<double>(count - 1) : 1.0, to.element)});
    auto const rest = number(b, 1.0, to.element) - part;
    return make<add>(b, {rest * from, part * till});
  }
};

}  // namespace ops

template <std::int64_t Diagonal>
struct on_diagonal {
  template <Mesh M>
  static constexpr ops::diagonal_params on() {
    return {Diagonal};
  }
};
template <class Element, std::int64_t Rows, std::int64_t Columns, std::int64_t Diagonal>
struct identity_matrix {
  using element_asked = Element;
  static_assert(
      Rows >= 0 && Columns >= 0,
      "tessera: this array's extents are numbers. Fix: zeros_like(x), ones_like(x), full_like(x, v) take those of x.");
  template <Mesh M>
  static constexpr ops::eye_params on() {
    return {dtype_of<Element>(), Rows, Columns, Diagonal};
  }
};

namespace functions {

template <std::int64_t Diagonal = 0, class X>
constexpr auto triu(X const& x, site at = std::source_location::current()) {
  return invoke<ops::triu, on_diagonal<Diagonal>>(at, x);
}
template <std::int64_t Diagonal = 0, class X>
constexpr auto tril(X const& x, site at = std::source_location::current()) {
  return invoke<ops::tril, on_diagonal<Diagonal>>(at, x);
}
template <std::int64_t Rows, std::int64_t Columns = Rows, std::int64_t Diagonal = 0, class Element = float>
constexpr auto eye(site at = std::source_location::current()) {
  return invoke<ops::eye, identity_matrix<Element, Rows, Columns, Diagonal>>(at);
}
template <std::int64_t Rows, std::int64_t Columns = Rows, std::int64_t Diagonal = 0, class Element = float, Spec S,
          Mesh M>
constexpr auto eye(out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::eye, with_out<identity_matrix<Element, Rows, Columns, Diagonal>, S, M>>(at);
}
// The element type first, as in zeros.
template <class Element, std::int64_t Rows, std::int64_t Columns = Rows, std::int64_t Diagonal = 0>
constexpr auto eye(site at = std::source_location::current()) {
  return invoke<ops::eye, identity_matrix<Element, Rows, Columns, Diagonal>>(at);
}
template <class Element, std::int64_t Rows, std::int64_t Columns = Rows, std::int64_t Diagonal = 0, Spec S, Mesh M>
constexpr auto eye(out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::eye, with_out<identity_matrix<Element, Rows, Columns, Diagonal>, S, M>>(at);
}
template <std::int64_t Count, class Element = void, class X, class Y>
constexpr auto linspace(X const& start, Y const& stop, site at = std::source_location::current()) {
  constexpr bool asked = !std::is_void_v<Element>;
  return invoke<ops::linspace<asked>, counted<std::conditional_t<asked, Element, float>, 0, Count>>(at, start, stop);
}
template <class Element, std::int64_t Count, class X, class Y>
constexpr auto linspace(X const& start, Y const& stop, site at = std::source_location::current()) {
  return invoke<ops::linspace<true>, counted<Element, 0, Count>>(at, start, stop);
}

}  // namespace functions

}  // namespace tessera
