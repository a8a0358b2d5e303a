// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reductions: sum, prod, max, min, mean, any, all over some dimensions (all when none is named).
//   sum(x)   sum<0>(x)   max<-1>(x)   mean<0, 1>(x, keepdims)
// (..., n, ...){..., a, ...} -> the dimension removed (or kept with extent 1); its axes leave the type. A sharded
// dimension costs an all_reduce over its axes: ceil(2(n-1)/n B) bytes a device, B the result's block. max and min of an
// empty array are refused. sum of bool is int32; mean of int64 is float64, of other integers float32.
// Source: JAX 0.10.2 jax.numpy.

#include <tessera/op/base/relayout.hpp>
#include <tessera/op/elementwise/arithmetic.hpp>
#include <tessera/op/reduce/along_one.hpp>
#include <tessera/op/reduce/reduce_sum.hpp>
#include <tessera/op/shape/expand_dims.hpp>

namespace tessera {
namespace ops {

// The position of the result in the operand's shape: the broadcast that undoes a reduction.
template <class B>
constexpr term spread_back(B& b, term reduced, array_value like, extents_list const& dims) {
  broadcast_params to{{}, like.shape()};
  for (int d = 0; d < like.rank; ++d)
    if (!dims.contains(d)) to.dims.push_back(d);
  return make<broadcast_to>(b, {reduced}, {to, layout_of(like)});
}

struct cumprod;

template <class Op, monoid Monoid>
struct primitive_reduction {
  static constexpr op_class kind = op_class::reduce;
  static constexpr monoid reduction = Monoid;
  static constexpr verdict rule(rule_input const& in) {
    if (!in[0].unreduced.empty()) return refuse(reason::unreduced_operand, -1, in[0].unreduced);
    constexpr bool of_complex = Monoid == monoid::sum || Monoid == monoid::product;
    if (!of_complex && is_complex(in[0].element)) return refuse(reason::element_unsupported);
    return rule::reduce(in);
  }
};

// The gradient goes to the elements that equal the result, in equal shares.
template <class Op, monoid Monoid>
struct extreme : primitive_reduction<Op, Monoid> {
  template <class B>
  static constexpr void transpose(B& back, int) {
    array_value const x = back.operand(0).facts();
    extents_list const dims = back.attrs().template as<reduce_params>().dims;
    auto const result = spread_back(back, back.result(), x, dims);
    cast_params const to{x.element};
    reduce_params const sum{dims};
    auto const chosen = make<cast>(back, {make<equal>(back, {back.operand(0), result})}, to);
    auto const count = make<reduce_sum>(back, {chosen}, sum);
    auto const share = spread_back(back, back.cotangent() / count, x, dims);
    back.give(0, chosen * share);
  }
};

struct reduce_max : extreme<reduce_max, monoid::max> {
  static constexpr std::string_view name = "max";
};
struct reduce_min : extreme<reduce_min, monoid::min> {
  static constexpr std::string_view name = "min";
};
struct reduce_prod : primitive_reduction<reduce_prod, monoid::product> {
  static constexpr std::string_view name = "prod";
  // For one dimension: each element gets the product of those before it and of those behind it. Sharded dimensions are
  // gathered.
  template <class B>
  static constexpr void transpose(B& back, int) {
    array_value const x = back.operand(0).facts();
    extents_list const dims = back.attrs().template as<reduce_params>().dims;
    axis_set reduced;
    for (auto d : dims) reduced |= axis_set::of(static_cast<int>(d));
    term part[max_rank + 1]{
        tessera::detail::with_whole_dims(back.graph(), back.operand(0), reduced)};  // from the last dimension
    extents_list order;
    for (int d = x.rank - 1; d >= 0; --d) {
      if (!reduced.contains(d)) continue;
      int const k = order.size();
      order.push_back(d);
      if (order.size() < dims.size()) part[k + 1] = make<reduce_prod>(back, {part[k]}, reduce_params{{d}});
    }
    term share = back.cotangent();
    for (int k = order.size() - 1; k >= 0 && share; --k) {
      array_value const facts = part[k].facts();
      auto const others = product_of_others(back, part[k], order[k]);
      share = others * spread_back(back, share, facts, extents_list{order[k]});
    }
    back.give(0, tessera::detail::laid_out_as(back.graph(), share, x));
  }

private:
  template <class B>
  static constexpr term product_of_others(B& back, term x, std::int64_t dim) {
    term side[2];
    for (bool behind : {false, true}) {
      along_one_params const along{static_cast<int>(dim), behind};
      side[behind] = one_later(back, make<cumprod>(back, {x}, along), along, 1.0);
    }
    return side[0] * side[1];
  }
};
struct reduce_and : primitive_reduction<reduce_and, monoid::logical_and> {
  static constexpr std::string_view name = "all";
};
struct reduce_or : primitive_reduction<reduce_or, monoid::logical_or> {
  static constexpr std::string_view name = "any";
};

// numpy's arguments: negative dimensions count from the end, all dimensions if there are none.
// False and refused in the name of Op if a dimension is out of range or named twice.
template <class Op, class B>
constexpr bool normal_dims(B& b, term x, extents_list const& given, extents_list& dims) {
  array_value const facts = x.facts();
  axis_set seen;
  for (auto d : given) {
    auto const at = d < 0 ? d + facts.rank : d;
    if (at < 0 || at >= facts.rank || seen.contains(static_cast<int>(at))) {
      b.template refuse<Op>(refuse(reason::dim_out_of_range, static_cast<int>(d), {}, d, facts.rank), facts);
      return false;
    }
    seen |= axis_set::of(static_cast<int>(at));
  }
  for (int d = 0; d < facts.rank; ++d)
    if (given.empty() || seen.contains(d)) dims.push_back(d);
  return true;
}

template <class B>
constexpr term keep_dims(B& b, term reduced, extents_list const& dims) {
  return reduced ? make<expand_dims>(b, {reduced}, expand_dims_params{dims}) : reduced;
}

// The result is one of the elements along these dimensions: there must be at least one.
constexpr verdict not_of_nothing(array_value const& x, extents_list const& dims) {
  for (auto d : dims)
    if (x.extent(static_cast<int>(d)) == 0) return refuse(reason::no_elements, static_cast<int>(d));
  return {};
}

// Over<Primitive>: numpy's arguments around a primitive, with numpy's conversions of dtypes.
template <class Self, class Primitive>
struct reduction_of {
  static constexpr op_class kind = op_class::reduce;
  static constexpr bool picks_one = false;
  template <class B>
  static constexpr term build(B& b, term const* operand, int, attributes const& attrs) {
    reduce_params const asked = attrs.as<reduce_params>();
    term x = operand[0];
    extents_list dims;
    if (!normal_dims<Self>(b, x, asked.dims, dims)) return {&b, -1};
    x = Self::prepared(b, x);
    if (!x) return x;
    array_value const facts = x.facts();
    if constexpr (Self::picks_one)
      if (verdict const v = not_of_nothing(facts, dims); !v) return b.template refuse<Self>(v, facts);
    term result = dims.empty() ? x : make<Primitive>(b, {x}, reduce_params{dims});
    if (!result) return result;
    result = Self::finished(b, result, facts, dims);
    return asked.keep ? keep_dims(b, result, dims) : result;
  }
  template <class B>
  static constexpr term prepared(B&, term x) {
    return x;
  }
  template <class B>
  static constexpr term finished(B&, term result, array_value const&, extents_list const&) {
    return result;
  }
};

template <dtype To, class B>
constexpr term cast_to(B& b, term x) {
  if (x.facts().element == To) return x;
  return make<cast>(b, {x}, cast_params{To});
}

template <class B>
constexpr term floating_of(B& b, term x) {
  return tessera::detail::as_dtype(b, x, {inexact(x.facts().element), false});
}

// bool and integers of less than 32 bits are summed in 32 bits, unsigned ones in uint32, as in jax.numpy.
template <class B>
constexpr term counting(B& b, term x) {
  dtype const element = x.facts().element;
  if (element != dtype::boolean && (!is_integer(element) || bytes_of(element) >= 4))
    return tessera::detail::as_strong(b, x);
  return make<cast>(b, {x}, cast_params{is_unsigned(element) ? dtype::uint32 : dtype::int32});
}

struct sum : reduction_of<sum, reduce_sum> {
  static constexpr std::string_view name = "sum";
  template <class B>
  static constexpr term prepared(B& b, term x) {
    return counting(b, x);
  }
};
struct prod : reduction_of<prod, reduce_prod> {
  static constexpr std::string_view name = "prod";
  template <class B>
  static constexpr term prepared(B& b, term x) {
    return counting(b, x);
  }
};
struct max : reduction_of<max, reduce_max> {
  static constexpr std::string_view name = "max";
  static constexpr bool picks_one = true;
  template <class B>
  static constexpr term prepared(B& b, term x) {
    return tessera::detail::as_strong(b, x);
  }
};
struct min : reduction_of<min, reduce_min> {
  static constexpr std::string_view name = "min";
  static constexpr bool picks_one = true;
  template <class B>
  static constexpr term prepared(B& b, term x) {
    return tessera::detail::as_strong(b, x);
  }
};
struct all : reduction_of<all, reduce_and> {
  static constexpr std::string_view name = "all";
  template <class B>
  static constexpr term prepared(B& b, term x) {
    return cast_to<dtype::boolean>(b, x);
  }
};
struct any : reduction_of<any, reduce_or> {
  static constexpr std::string_view name = "any";
  template <class B>
  static constexpr term prepared(B& b, term x) {
    return cast_to<dtype::boolean>(b, x);
  }
};
struct mean : reduction_of<mean, reduce_sum> {
  static constexpr std::string_view name = "mean";
  template <class B>
  static constexpr term prepared(B& b, term x) {
    return floating_of(b, x);
  }
  template <class B>
  static constexpr term finished(B& b, term total, array_value x, extents_list const& dims) {
    double count = 1;
    for (auto d : dims) count *= static_cast<double>(x.extent(static_cast<int>(d)));
    return total / number(b, count, x.element);
  }
};

}  // namespace ops

struct keepdims_t {};
inline constexpr keepdims_t keepdims{};

template <bool Keep, int... Dims>
struct over_dims {
  template <Mesh M>
  static constexpr reduce_params on() {
    return {extents_list{static_cast<std::int64_t>(Dims)...}, Keep};
  }
};

namespace functions {

// op<Dims...>(x) and op<Dims...>(x, keepdims), over all dimensions if none is named. They are not made by a macro,
// which would put three more lines into every error.
template <int... Dims, class X>
constexpr auto sum(X const& x, site at = std::source_location::current()) {
  return invoke<ops::sum, over_dims<false, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto sum(X const& x, keepdims_t, site at = std::source_location::current()) {
  return invoke<ops::sum, over_dims<true, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto prod(X const& x, site at = std::source_location::current()) {
  return invoke<ops::prod, over_dims<false, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto prod(X const& x, keepdims_t, site at = std::source_location::current()) {
  return invoke<ops::prod, over_dims<true, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto max(X const& x, site at = std::source_location::current()) {
  return invoke<ops::max, over_dims<false, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto max(X const& x, keepdims_t, site at = std::source_location::current()) {
  return invoke<ops::max, over_dims<true, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto min(X const& x, site at = std::source_location::current()) {
  return invoke<ops::min, over_dims<false, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto min(X const& x, keepdims_t, site at = std::source_location::current()) {
  return invoke<ops::min, over_dims<true, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto mean(X const& x, site at = std::source_location::current()) {
  return invoke<ops::mean, over_dims<false, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto mean(X const& x, keepdims_t, site at = std::source_location::current()) {
  return invoke<ops::mean, over_dims<true, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto any(X const& x, site at = std::source_location::current()) {
  return invoke<ops::any, over_dims<false, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto any(X const& x, keepdims_t, site at = std::source_location::current()) {
  return invoke<ops::any, over_dims<true, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto all(X const& x, site at = std::source_location::current()) {
  return invoke<ops::all, over_dims<false, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto all(X const& x, keepdims_t, site at = std::source_location::current()) {
  return invoke<ops::all, over_dims<true, Dims...>>(at, x);
}

}  // namespace functions

}  // namespace tessera

#include <tessera/op/reduce/cumulative.hpp>
