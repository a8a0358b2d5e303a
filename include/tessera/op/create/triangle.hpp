// SPDX-License-Identifier: Apache-2.0
#pragma once
// triu<K>(x), tril<K>(x): x (..., n, m) with 0 below / above diagonal K of its last two dimensions; the same type.
// eye<4>(), eye<4, 6, -1, int32>(): ones on diagonal K. linspace<5>(start, stop): 5 numbers from start to stop, both
// scalars. Constants like zeros. Moves 0 bytes. Source: JAX 0.10.2 jax.numpy. eye and linspace are float32 by default.

#include <tessera/op/create/iota.hpp>
#include <tessera/op/elementwise/arithmetic.hpp>
#include <tessera/op/elementwise/compare.hpp>

namespace tessera {
namespace ops {

// bool of x's shape and layout: column >= row + diagonal (upper) or column <= row + diagonal.
template <class B>
constexpr term triangle_of(B& b, array_value const& x, std::int64_t diagonal, bool upper) {
  attributes rows, columns;
  for (int d = 0; d < x.rank; ++d) rows.first.push_back(x.extent(d));
  rows.element = dtype::int32;
  rows.has_out = true;
  rows.out = layout_of(x);
  columns = rows;
  rows.integer = x.rank - 2;
  columns.integer = x.rank - 1;
  term row = b.template make<iota>({}, rows), column = b.template make<iota>({}, columns);
  if (diagonal != 0) row = b.template make<add>({row, number(b, static_cast<double>(diagonal), dtype::int32)});
  return upper ? b.template make<greater_equal>({column, row}) : b.template make<less_equal>({column, row});
}

// bool, x's shape and layout: dimension `first`'s index + diagonal is dimension `second`'s.
template <class B>
constexpr term on_the_diagonal(B& b, array_value const x, int first, int second, std::int64_t diagonal) {
  attributes rows, columns;
  for (int d = 0; d < x.rank; ++d) rows.first.push_back(x.extent(d));
  rows.element = dtype::int32;
  rows.has_out = true;
  rows.out = layout_of(x);
  rows.out.unreduced = rows.out.reduced = {};
  columns = rows;
  rows.integer = first;
  columns.integer = second;
  term row = b.template make<iota>({}, rows);
  if (diagonal != 0) row = b.template make<add>({row, number(b, static_cast<double>(diagonal), dtype::int32)});
  return b.template make<equal>({row, b.template make<iota>({}, columns)});
}

// attrs.integer: the diagonal.
template <class Self, bool Upper>
struct triangle {
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    array_value const facts = x[0].facts();
    if (facts.rank < 2) return b.template refuse<Self>(refuse(reason::ranks_disagree, -1, {}, facts.rank, 2), facts);
    if (!facts.unreduced.empty())
      return b.template refuse<Self>(refuse(reason::unreduced_operand, -1, facts.unreduced), facts);
    attributes to;
    to.element = facts.element;
    term const zero = b.template make<cast>({number(b, 0.0, dtype::float32)}, to);
    return b.template make<where>({triangle_of(b, facts, attrs.integer, Upper), x[0], zero});
  }
};
struct triu : triangle<triu, true> {
  static constexpr std::string_view name = "triu";
};
struct tril : triangle<tril, false> {
  static constexpr std::string_view name = "tril";
};

// attrs.first: rows and columns; attrs.integer: the diagonal.
struct eye {
  static constexpr std::string_view name = "eye";
  static constexpr op_class kind = op_class::iota;
  template <class B>
  static constexpr term build(B& b, term const*, int, attributes const& attrs) {
    attributes rows = attrs, to;
    rows.element = dtype::int32;
    rows.integer = 0;
    attributes columns = rows;
    columns.integer = 1;
    to.element = attrs.element;
    term row = b.template make<iota>({}, rows);
    if (attrs.integer != 0 && row)
      row = b.template make<add>({row, number(b, static_cast<double>(attrs.integer), dtype::int32)});
    return b.template make<cast>({b.template make<equal>({row, b.template make<iota>({}, columns)})}, to);
  }
};

// attrs.first[0]: how many.
struct linspace {
  static constexpr std::string_view name = "linspace";
  static constexpr op_class kind = op_class::iota;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    for (int k = 0; k < 2; ++k)
      if (array_value const own = x[k].facts(); own.rank != 0)
        return b.template refuse<linspace>(refuse(reason::ranks_disagree, -1, {}, own.rank, 0), own);
    attributes to;
    to.element = attrs.element;
    term const from = b.template make<cast>({x[0]}, to), till = b.template make<cast>({x[1]}, to);
    auto const count = attrs.first[0];
    term const part = b.template make<divide>(
        {b.template make<iota>({}, attrs), number(b, count > 1 ? static_cast<double>(count - 1) : 1.0, to.element)});
    term const rest = b.template make<subtract>({number(b, 1.0, to.element), part});
    return b.template make<add>({b.template make<multiply>({rest, from}), b.template make<multiply>({part, till})});
  }
};

}  // namespace ops

template <std::int64_t Diagonal>
struct on_diagonal {
  template <Mesh M>
  static constexpr attributes on() {
    attributes attrs;
    attrs.integer = Diagonal;
    return attrs;
  }
};
template <class Element, std::int64_t Rows, std::int64_t Columns, std::int64_t Diagonal>
struct identity_matrix {
  static_assert(
      Rows >= 0 && Columns >= 0,
      "tessera: this array's extents are numbers. Fix: zeros_like(x), ones_like(x), full_like(x, v) take those of x.");
  template <Mesh M>
  static constexpr attributes on() {
    attributes attrs;
    attrs.element = dtype_of<Element>();
    attrs.first = {Rows, Columns};
    attrs.integer = Diagonal;
    return attrs;
  }
};

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
template <std::int64_t Count, class Element = float, class X, class Y>
constexpr auto linspace(X const& start, Y const& stop, site at = std::source_location::current()) {
  return invoke<ops::linspace, counted<Element, 0, Count>>(at, start, stop);
}

}  // namespace tessera
