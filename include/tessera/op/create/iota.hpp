// SPDX-License-Identifier: Apache-2.0
#pragma once
// iota: an array whose elements are their own index along a dimension; and arange. Both are constants, like zeros.
// Moves 0 bytes: a sharded dimension counts from the start of its block.
//   iota<int32, 1, 8, 4>()   arange<8>()   arange<2, 10, 2>()   arange<float, 8>(out_sharding<P<dp>, grid>)
// Source: JAX 0.10.2 lax.broadcasted_iota, jnp.arange. arange of integers is int32.

#include <tessera/op/base/out_sharding.hpp>
#include <tessera/op/elementwise/cast.hpp>

namespace tessera {
namespace ops {

struct iota {
  static constexpr std::string_view name = "iota";
  static constexpr op_class kind = op_class::iota;
  static constexpr verdict rule(rule_input const& in) {
    auto const& asked = in.attrs.as<iota_params>();
    array_value out;
    out.element = asked.element;
    for (auto extent : asked.shape) out.add_dim(extent);
    if (!accepted(accepts::numbers, out.element)) return refuse(reason::element_unsupported);
    if (asked.dim < 0 || asked.dim >= out.rank) return refuse(reason::dim_out_of_range, -1, {}, asked.dim, out.rank);
    return in.attrs.has_out ? rule::with_spec(out, in.attrs.out, in.mesh) : accept(out);
  }
};

// [count]: start + i * step.
struct arange_params {
  dtype element = dtype::int32;
  std::int64_t count = 0, start = 0, step = 1;
  static constexpr void fields(auto& p, auto&& each) { each(p.element, p.count, p.start, p.step); }
};
struct arange {
  static constexpr std::string_view name = "arange";
  static constexpr op_class kind = op_class::iota;

  template <class B>
  static constexpr term build(B& b, term const*, int, attributes const& attrs) {
    auto const [element, count, start, step] = attrs.as<arange_params>();
    attributes places = attrs;
    places.set(iota_params{element, 0, {count}});
    term value = b.template emit<iota>({}, places);
    if (value && step != 1) value = value * number(b, static_cast<double>(step), element);
    if (value && start != 0) value = value + number(b, static_cast<double>(start), element);
    return value;
  }
};

}  // namespace ops

template <class Element, int Dim, std::int64_t... Extents>
struct counted {
  using element_asked = Element;
  static_assert(
      ((Extents >= 0) && ...),
      "tessera: this array's extents are numbers. Fix: zeros_like(x), ones_like(x), full_like(x, v) take those of x.");
  template <Mesh M>
  static constexpr iota_params on() {
    return {dtype_of<Element>(), Dim, extents_list{Extents...}};
  }
};
template <class Element, std::int64_t Start, std::int64_t Stop, std::int64_t Step>
struct ranged {
  using element_asked = Element;
  static_assert(Step != 0, "tessera: arange does not advance. Fix: a step other than 0.");
  static constexpr std::int64_t count = (Stop - Start + Step - (Step > 0 ? 1 : -1)) / Step;
  template <Mesh M>
  static constexpr ops::arange_params on() {
    return {dtype_of<Element>(), count > 0 ? count : 0, Start, Step};
  }
};

namespace functions {

template <class Element, int Dim, std::int64_t... Extents>
constexpr auto iota(site at = std::source_location::current()) {
  return invoke<ops::iota, counted<Element, Dim, Extents...>>(at);
}
template <class Element, int Dim, std::int64_t... Extents, Spec S, Mesh M>
constexpr auto iota(out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::iota, with_out<counted<Element, Dim, Extents...>, S, M>>(at);
}

template <class Element, std::int64_t Stop>
constexpr auto arange(site at = std::source_location::current()) {
  return invoke<ops::arange, ranged<Element, 0, Stop, 1>>(at);
}
template <class Element, std::int64_t Start, std::int64_t Stop, std::int64_t Step = 1>
constexpr auto arange(site at = std::source_location::current()) {
  return invoke<ops::arange, ranged<Element, Start, Stop, Step>>(at);
}
template <std::int64_t Stop>
constexpr auto arange(site at = std::source_location::current()) {
  return invoke<ops::arange, ranged<int32, 0, Stop, 1>>(at);
}
template <std::int64_t Start, std::int64_t Stop, std::int64_t Step = 1>
constexpr auto arange(site at = std::source_location::current()) {
  return invoke<ops::arange, ranged<int32, Start, Stop, Step>>(at);
}
template <class Element, std::int64_t Stop, Spec S, Mesh M>
constexpr auto arange(out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::arange, with_out<ranged<Element, 0, Stop, 1>, S, M>>(at);
}
template <std::int64_t Stop, Spec S, Mesh M>
constexpr auto arange(out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::arange, with_out<ranged<int32, 0, Stop, 1>, S, M>>(at);
}

}  // namespace functions

}  // namespace tessera

#include <tessera/op/base/foundation.hpp>
