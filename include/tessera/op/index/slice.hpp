// SPDX-License-Identifier: Apache-2.0
#pragma once
// slice: x -> the elements from a start up to a limit in steps; and flip, its mirrored form.
//   slice(x, starts<0, 2>, limits<8, 4>)   slice(x, starts<0, 2>, limits<8, to_end>, steps<1, 2>)
//   slice_in_dim<1, 2, 4>(x)   flip<0>(x)
// Sharded dimensions stay sharded and their axes must divide the new extent. Bytes: a dimension that is cut and sharded
// over n devices is gathered first, (n-1) local blocks; or, if that is less, the elements that each device holds are added
// up. Others move nothing.
// Source: JAX 0.10.2 lax.slice, lax.slice_in_dim, jnp.flip.

#include <tessera/graph/backward.hpp>
#include <tessera/op/base/door.hpp>
#include <tessera/op/base/relayout.hpp>
#include <tessera/rule/slicing.hpp>

#include <limits>

namespace tessera {

inline constexpr std::int64_t to_end = std::numeric_limits<std::int64_t>::max();  // a limit: the end of the dimension

namespace ops {

struct pad;

struct slice {
  static constexpr std::string_view name = "slice";
  static constexpr op_class kind = op_class::slice;
  static constexpr verdict rule(rule_input const& in) { return rule::slice(in); }

  // By starts, limits and strides of all dimensions, or of one.
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    array_value const operand = x[0].facts();
    slice_params whole;
    if (attrs.kind() == params_kind::slice_in_dim) {
      slice_in_dim_params const one = attrs.as<slice_in_dim_params>();
      auto const only = one.dim < 0 ? one.dim + operand.rank : one.dim;
      if (only < 0 || only >= operand.rank)
        return b.template refuse<slice>(refuse(reason::dim_out_of_range, -1, {}, only, operand.rank), operand);
      whole = all_of(operand);
      whole.start[static_cast<int>(only)] = one.start;
      whole.limit[static_cast<int>(only)] = one.limit;
      whole.stride[static_cast<int>(only)] = one.stride;
    } else {
      whole = attrs.as<slice_params>();
      if (whole.start.size() != operand.rank || whole.limit.size() != operand.rank)
        return b.template refuse<slice>(refuse(reason::ranks_disagree, -1, {}, operand.rank, whole.start.size()),
                                        operand);
      while (whole.stride.size() < operand.rank) whole.stride.push_back(1);
      whole.stride.count = operand.rank;
    }
    axis_set cut;
    for (int d = 0; d < operand.rank; ++d) {
      auto const n = operand.extent(d);
      if (whole.limit[d] == to_end) whole.limit[d] = n;
      if (whole.start[d] != 0 || whole.limit[d] != n || whole.stride[d] != 1) cut |= axis_set::of(d);
    }
    if (cut.empty()) return x[0];
    return detail::emit_on_whole_dims<slice>(b, x, 1, whole, cut);
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    array_value const x = back.operand(0).facts();
    slice_params const forward = back.attrs().template as<slice_params>();
    pad_params to;
    for (int d = 0; d < x.rank; ++d) {
      auto const n = x.extent(d), taken = back.result().facts().extent(d);
      auto const start = forward.start[d], stride = forward.stride[d];
      to.low.push_back(start);
      to.interior.push_back(stride - 1);
      to.high.push_back(n == dynamic ? 0 : n - rule::padded_extent(taken, start, 0, stride - 1));
    }
    auto const zero = number(back.graph(), 0.0, back.cotangent().facts().element);
    back.give(0, make<pad>(back, {back.cotangent(), zero}, to));
  }

private:
  static constexpr slice_params all_of(array_value const& x) {
    slice_params whole;
    for (int d = 0; d < x.rank; ++d) {
      whole.start.push_back(0);
      whole.limit.push_back(x.extent(d));
      whole.stride.push_back(1);
    }
    return whole;
  }
};

// The dimensions that are reversed, all if there are none. A node holds start, limit and stride (-1) as a slice does.
struct flip_params {
  extents_list dims{};
  static constexpr void fields(auto& p, auto&& each) { each(p.dims); }
};
struct flip {
  static constexpr std::string_view name = "flip";
  static constexpr op_class kind = op_class::slice;
  static constexpr verdict rule(rule_input const& in) { return rule::slice(in); }

  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    array_value const operand = x[0].facts();
    extents_list const dims = attrs.as<flip_params>().dims;
    axis_set turned = dims.empty() ? axis_set::first(operand.rank) : axis_set{};
    for (auto dim : dims) {
      auto const d = static_cast<int>(dim < 0 ? dim + operand.rank : dim);
      if (d < 0 || d >= operand.rank)
        return b.template refuse<flip>(refuse(reason::dim_out_of_range, -1, {}, dim, operand.rank), operand);
      turned |= axis_set::of(d);
    }
    for (int d = 0; d < operand.rank; ++d)
      if (operand.extent(d) == 0) turned = turned - axis_set::of(d);
    if (turned.empty()) return x[0];
    slice_params whole;
    for (int d = 0; d < operand.rank; ++d) {
      bool const here = turned.contains(d);
      auto const n = operand.extent(d);
      whole.start.push_back(!here ? 0 : n == dynamic ? dynamic : n - 1);
      whole.limit.push_back(here ? -1 : n);
      whole.stride.push_back(here ? -1 : 1);
    }
    return detail::emit_on_whole_dims<flip>(b, x, 1, whole, turned);
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    extents_list const strides = back.attrs().template as<slice_params>().stride;
    flip_params to;
    for (int d = 0; d < strides.size(); ++d)
      if (strides[d] == -1) to.dims.push_back(d);
    back.give(0, make<flip>(back, {back.cotangent()}, to));
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

template <class Starts, class Limits, class Steps>
struct slice_at;
template <std::int64_t... Start, std::int64_t... Limit, std::int64_t... Stride>
struct slice_at<starts_t<Start...>, limits_t<Limit...>, steps_t<Stride...>> {
  static_assert(((Stride > 0) && ...), "tessera: a stride is positive. Fix: flip<...>(x) to walk backwards.");
  template <Mesh M>
  static constexpr slice_params on() {
    return {extents_list{Start...}, extents_list{Limit...}, extents_list{Stride...}};
  }
};
template <int Dim, std::int64_t Start, std::int64_t Limit, std::int64_t Stride>
struct slice_at_dim {
  static_assert(Stride > 0, "tessera: a stride is positive. Fix: flip<...>(x) to walk backwards.");
  template <Mesh M>
  static constexpr slice_in_dim_params on() {
    return {Dim, Start, Limit, Stride};
  }
};
template <int... Dims>
struct flipped_dims {
  template <Mesh M>
  static constexpr ops::flip_params on() {
    return {extents_list{Dims...}};
  }
};

namespace functions {

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
  return invoke<ops::slice, slice_at_dim<Dim, Start, Limit, Stride>>(at, x);
}
template <int... Dims, class X>
constexpr auto flip(X const& x, site at = std::source_location::current()) {
  return invoke<ops::flip, flipped_dims<Dims...>>(at, x);
}

}  // namespace functions

}  // namespace tessera

#include <tessera/op/base/foundation.hpp>
#include <tessera/op/shape/pad.hpp>
