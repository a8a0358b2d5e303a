// SPDX-License-Identifier: Apache-2.0
#pragma once
// slice: x -> the elements from attrs.first up to attrs.second in steps of attrs.third; and flip, its mirrored form.
//   slice(x, starts<0, 2>, limits<8, 4>)   slice(x, starts<0, 2>, limits<8, to_end>, steps<1, 2>)
//   slice_in_dim<1, 2, 4>(x)   flip<0>(x)   split<3>(x) along dimension 0, split<2, 1>(x): a std::array of parts
// Sharded dimensions stay sharded and their new extent must divide. Bytes: a dimension that is cut and sharded over
// more than one device is gathered first, (n-1) local blocks; others move nothing.
// Source: JAX 0.10.2 lax.slice, lax.slice_in_dim, jnp.flip, jnp.split.

#include <tessera/graph/backward.hpp>
#include <tessera/op/base/door.hpp>
#include <tessera/op/base/relayout.hpp>
#include <tessera/rule/slicing.hpp>

#include <array>
#include <limits>

namespace tessera {

inline constexpr std::int64_t to_end = std::numeric_limits<std::int64_t>::max();  // a limit: all that is there

namespace ops {

struct pad;

struct slice {
  static constexpr std::string_view name = "slice";
  static constexpr op_class kind = op_class::slice;
  static constexpr verdict rule(rule_input const& in) { return rule::slice(in); }

  // attrs.integer other than 0: the parameters are about one dimension, counted from 1 or from the end (-1).
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    array_value const operand = x[0].facts();
    auto const only = static_cast<int>(attrs.integer < 0 ? attrs.integer + operand.rank : attrs.integer - 1);
    if (attrs.integer != 0 && (only < 0 || only >= operand.rank))
      return b.template refuse<slice>(refuse(reason::dim_out_of_range, -1, {}, only, operand.rank), operand);
    if (attrs.integer == 0 && (attrs.first.size() != operand.rank || attrs.second.size() != operand.rank))
      return b.template refuse<slice>(refuse(reason::ranks_disagree, -1, {}, operand.rank, attrs.first.size()),
                                      operand);
    attributes whole;
    axis_set cut;
    for (int d = 0; d < operand.rank; ++d) {
      bool const given = attrs.integer == 0 || d == only;
      int const at = attrs.integer == 0 ? d : 0;
      auto const n = operand.extent(d);
      auto const start = given ? attrs.first[at] : 0;
      auto const limit = given && attrs.second[at] != to_end ? attrs.second[at] : n;
      auto const stride = given ? rule::detail::at_or(attrs.third, at, 1) : 1;
      whole.first.push_back(start);
      whole.second.push_back(limit);
      whole.third.push_back(stride);
      if (start != 0 || limit != n || stride != 1) cut |= axis_set::of(d);
    }
    if (cut.empty()) return x[0];
    return detail::emit_on_whole_dims<slice>(b, x, 1, whole, cut);
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    array_value const x = back.operand(0).facts();
    attributes const forward = back.attrs();
    attributes to;
    for (int d = 0; d < x.rank; ++d) {
      auto const n = x.extent(d), taken = back.result().facts().extent(d);
      auto const start = forward.first[d], stride = forward.third[d];
      to.first.push_back(start);
      to.third.push_back(stride - 1);
      to.second.push_back(n == dynamic ? 0 : n - rule::padded_extent(taken, start, 0, stride - 1));
    }
    term const zero = number(back.graph(), 0.0, back.cotangent().facts().element);
    back.give(0, back.template make<pad>({back.cotangent(), zero}, to));
  }
};

// The dimensions attrs.first reversed. A node holds start, limit and stride (-1) as a slice does.
struct flip {
  static constexpr std::string_view name = "flip";
  static constexpr op_class kind = op_class::slice;
  static constexpr verdict rule(rule_input const& in) { return rule::slice(in); }

  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    array_value const operand = x[0].facts();
    axis_set turned = attrs.first.empty() ? axis_set::first(operand.rank) : axis_set{};
    for (auto dim : attrs.first) {
      auto const d = static_cast<int>(dim < 0 ? dim + operand.rank : dim);
      if (d < 0 || d >= operand.rank)
        return b.template refuse<flip>(refuse(reason::dim_out_of_range, -1, {}, dim, operand.rank), operand);
      turned |= axis_set::of(d);
    }
    if (turned.empty()) return x[0];
    attributes whole;
    for (int d = 0; d < operand.rank; ++d) {
      bool const here = turned.contains(d);
      auto const n = operand.extent(d);
      whole.first.push_back(!here ? 0 : n == dynamic ? dynamic : n - 1);
      whole.second.push_back(here ? -1 : n);
      whole.third.push_back(here ? -1 : 1);
    }
    return detail::emit_on_whole_dims<flip>(b, x, 1, whole, turned);
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    attributes const forward = back.attrs();
    attributes to;
    for (int d = 0; d < forward.third.size(); ++d)
      if (forward.third[d] == -1) to.first.push_back(d);
    back.give(0, back.template make<flip>({back.cotangent()}, to));
  }
};

// Part attrs.first[0] of attrs.first[1] equal ones along dimension attrs.integer.
struct split_part {
  static constexpr std::string_view name = "split";
  static constexpr op_class kind = op_class::slice;

  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    array_value const operand = x[0].facts();
    auto const d = static_cast<int>(attrs.integer < 0 ? attrs.integer + operand.rank : attrs.integer);
    if (d < 0 || d >= operand.rank)
      return b.template refuse<split_part>(refuse(reason::dim_out_of_range, -1, {}, attrs.integer, operand.rank),
                                           operand);
    auto const n = operand.extent(d), parts = attrs.first[1];
    if (n != dynamic && n % parts != 0)
      return b.template refuse<split_part>(refuse(reason::shapes_disagree, d, {}, n, parts), operand);
    attributes to;
    to.integer = d + 1;
    to.first = {n == dynamic ? dynamic : attrs.first[0] * (n / parts)};
    to.second = {n == dynamic ? dynamic : (attrs.first[0] + 1) * (n / parts)};
    return b.template make<slice>({x[0]}, to);
  }
};

}  // namespace ops

template <std::int64_t... Start>
struct starts_t {};
template <std::int64_t... Limit>
struct limits_t {};
template <std::int64_t... Stride>
struct steps_t {};
template <std::int64_t... Start>
inline constexpr starts_t<Start...> starts{};
template <std::int64_t... Limit>
inline constexpr limits_t<Limit...> limits{};
template <std::int64_t... Stride>
inline constexpr steps_t<Stride...> steps{};

template <class Starts, class Limits, class Steps, int Dim = 0>
struct slice_at;
template <std::int64_t... Start, std::int64_t... Limit, std::int64_t... Stride, int Dim>
struct slice_at<starts_t<Start...>, limits_t<Limit...>, steps_t<Stride...>, Dim> {
  static_assert(((Stride > 0) && ...), "tessera: a stride is positive. Fix: flip<...>(x) to walk backwards.");
  template <Mesh M>
  static constexpr attributes on() {
    attributes attrs;
    attrs.first = {Start...};
    attrs.second = {Limit...};
    attrs.third = {Stride...};
    attrs.integer = Dim;
    return attrs;
  }
};
template <int... Dims>
struct flipped_dims {
  template <Mesh M>
  static constexpr attributes on() {
    attributes attrs;
    attrs.first = {Dims...};
    return attrs;
  }
};
template <std::int64_t Part, std::int64_t Parts, int Dim>
struct part_of {
  static_assert(Parts > 0, "tessera: split needs a positive number of parts.");
  template <Mesh M>
  static constexpr attributes on() {
    attributes attrs;
    attrs.first = {Part, Parts};
    attrs.integer = Dim;
    return attrs;
  }
};

template <class X, std::int64_t... Start, std::int64_t... Limit>
constexpr auto slice(X const& x, starts_t<Start...>, limits_t<Limit...>, site at = std::source_location::current()) {
  return invoke<ops::slice, slice_at<starts_t<Start...>, limits_t<Limit...>, steps_t<>>>(at, x);
}
template <class X, std::int64_t... Start, std::int64_t... Limit, std::int64_t... Stride>
constexpr auto slice(X const& x, starts_t<Start...>, limits_t<Limit...>, steps_t<Stride...>,
                     site at = std::source_location::current()) {
  return invoke<ops::slice, slice_at<starts_t<Start...>, limits_t<Limit...>, steps_t<Stride...>>>(at, x);
}
template <int Dim, std::int64_t Start, std::int64_t Limit, std::int64_t Stride = 1, class X>
constexpr auto slice_in_dim(X const& x, site at = std::source_location::current()) {
  return invoke < ops::slice,
         slice_at<starts_t<Start>, limits_t<Limit>, steps_t<Stride>, Dim<0 ? Dim : Dim + 1>>(at, x);
}
template <int... Dims, class X>
constexpr auto flip(X const& x, site at = std::source_location::current()) {
  return invoke<ops::flip, flipped_dims<Dims...>>(at, x);
}
template <std::int64_t Parts, int Dim = 0, class X>
constexpr auto split(X const& x, site at = std::source_location::current()) {
  return [&]<std::int64_t... I>(std::integer_sequence<std::int64_t, I...>) {
    return std::array{invoke<ops::split_part, part_of<I, Parts, Dim>>(at, x)...};
  }
  (std::make_integer_sequence<std::int64_t, Parts>{});
}

}  // namespace tessera

#include <tessera/op/base/foundation.hpp>
#include <tessera/op/shape/pad.hpp>
