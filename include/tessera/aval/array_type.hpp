// SPDX-License-Identifier: Apache-2.0
#pragma once
// array_type<float, shape<8, 4>, P<dp, none>, grid>: all that is known of an array while compiling, and the way from
// plain data back to such a type.

#include <tessera/aval/describe.hpp>
#include <tessera/aval/promote.hpp>

#include <concepts>
#include <utility>

namespace tessera {

template <std::int64_t... Extents>
struct shape {
  static_assert(sizeof...(Extents) <= max_rank, "tessera: an array has at most 8 dimensions.");
  static_assert(((Extents >= 0 || Extents == dynamic) && ...), "tessera: an extent is not negative.");
};

// Facts beyond dtype, shape, spec and mesh; absent when they say nothing.
template <Axis... A>
struct varying {};
struct on_host {};    // in host memory: float32<host>[8]
struct on_device {};  // where arrays are unless told otherwise; never part of a type
template <class Element>
struct weak {};  // the element type of a literal or a C++ scalar

namespace detail {
template <class Element>
struct element_facts {
  static constexpr weak_dtype value{dtype_of<Element>(), false};
};
template <class Element>
struct element_facts<weak<Element>> {
  static constexpr weak_dtype value{dtype_of<Element>(), true};
};
template <class State>
struct state_facts;
template <Axis... A>
struct state_facts<varying<A...>> {
  template <Mesh M>
  static constexpr void set(array_value& v) {
    ((v.varying |= axis_set::of(M::template index<A>)), ...);
  }
};
template <Axis... A>
struct state_facts<unreduced<A...>> {
  template <Mesh M>
  static constexpr void set(array_value& v) {
    ((v.unreduced |= axis_set::of(M::template index<A>)), ...);
  }
};
template <Axis... A>
struct state_facts<reduced<A...>> {
  template <Mesh M>
  static constexpr void set(array_value& v) {
    ((v.reduced |= axis_set::of(M::template index<A>)), ...);
  }
};
template <>
struct state_facts<on_host> {
  template <Mesh M>
  static constexpr void set(array_value& v) {
    v.memory = memory_kind::host;
  }
};
}  // namespace detail

template <class Element, class Shape, Spec S, Mesh M, class... State>
struct array_type;

template <class Element, std::int64_t... Extents, class... Entries, Mesh M, class... State>
struct array_type<Element, shape<Extents...>, P<Entries...>, M, State...> {
  using element = Element;
  using shape_type = shape<Extents...>;
  using spec = P<Entries...>;
  using mesh = M;
  static constexpr int rank = sizeof...(Extents);
  static constexpr array_value value = [] {
    constexpr spec_value spec = spec_value_of<M, P<Entries...>>;
    static_assert(spec.rank <= sizeof...(Extents), "tessera: more spec entries than dimensions.");
    static_assert(
        (!std::is_same_v<Entries, unconstrained> && ...),
        "tessera: an array's type says how each dimension is split: it has no unconstrained ones. Fix: none.");
    array_value v{detail::element_facts<Element>::value.element, detail::element_facts<Element>::value.weak};
    v.rank = rank;
    v.extents = {Extents...};
    v.spec = spec.entries;
    (detail::state_facts<State>::template set<M>(v), ...);
    return v;
  }();
};

template <class T>
concept ArrayType = requires {
  typename T::element;
  typename T::mesh;
  { T::value } -> std::convertible_to<array_value>;
};

namespace detail {

template <class... T>
struct joined_states {};
template <class... L, class... R>
joined_states<L..., R...> operator+(joined_states<L...>, joined_states<R...>);

template <class M, int Axis>
using axis_at = boost::mp11::mp_at_c<typename M::axes, Axis>;

template <class M, std::uint32_t Code, std::size_t... I>
auto decode_entry(std::index_sequence<I...>) {
  if constexpr (sizeof...(I) == 0)
    return none{};
  else if constexpr (sizeof...(I) == 1)
    return axis_at<M, static_cast<int>(Code & 15u) - 1>{};
  else
    return axes<axis_at<M, entry_value{Code}.axis(static_cast<int>(I))>...>{};
}
template <class M, std::uint32_t Code>
using entry_at = decltype(decode_entry<M, Code>(std::make_index_sequence<entry_value{Code}.count()>{}));

template <template <class...> class State, class M, std::uint32_t Bits>
struct state_of {
  template <std::size_t... I>
  static auto pick(std::index_sequence<I...>) {
    constexpr auto positions = [] {
      by_dim<int> found{};
      int n = 0;
      for (int a = 0; a < max_rank; ++a)
        if (axis_set{Bits}.contains(a)) found[n++] = a;
      return found;
    }();
    return joined_states<State<axis_at<M, positions[I]>...>>{};
  }
  using type = decltype(pick(std::make_index_sequence<axis_set{Bits}.size()>{}));
};
template <template <class...> class State, class M>
struct state_of<State, M, 0> {
  using type = joined_states<>;
};

template <bool Host>
struct memory_state {
  using type = joined_states<>;
};
template <>
struct memory_state<true> {
  using type = joined_states<on_host>;
};

template <bool Weak, dtype D>
struct decoded_element {
  using type = element_of<D>;
};
template <dtype D>
struct decoded_element<true, D> {
  using type = weak<element_of<D>>;
};

template <class Element, class Shape, class Spec, class M, class States>
struct with_states;
template <class Element, class Shape, class Spec, class M, class... State>
struct with_states<Element, Shape, Spec, M, joined_states<State...>> {
  using type = array_type<Element, Shape, Spec, M, State...>;
};

template <class Holder, class M, std::size_t... I>
constexpr auto decode(std::index_sequence<I...>) {
  constexpr array_value v = [] {
    array_value shown = Holder::facts;
    shown.varying = shown.varying - M::value.unseen();
    return shown;
  }();
  using element = typename decoded_element<v.weak, v.element>::type;
  using shape_type = shape<v.extents[I]...>;
  using spec = P<entry_at<M, v.spec[I].code>...>;
  if constexpr (v.varying.empty() && v.unreduced.empty() && v.reduced.empty() && v.memory == memory_kind::device) {
    return std::type_identity<array_type<element, shape_type, spec, M>>{};
  } else {
    using states = decltype(typename state_of<varying, M, v.varying.bits>::type{} +
                            typename state_of<unreduced, M, v.unreduced.bits>::type{} +
                            typename state_of<reduced, M, v.reduced.bits>::type{} +
                            typename memory_state<v.memory == memory_kind::host>::type{});
    return std::type_identity<typename with_states<element, shape_type, spec, M, states>::type>{};
  }
}

}  // namespace detail

// The type whose facts are Holder::facts (a static constexpr array_value) on mesh M.
// law: array_type_of<T, T::mesh>::value == T::value, taking Holder::facts = T::value.
template <class Holder, Mesh M>
using array_type_of =
    typename decltype(detail::decode<Holder, M>(std::make_index_sequence<Holder::facts.rank>{}))::type;

}  // namespace tessera
