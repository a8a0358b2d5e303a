// SPDX-License-Identifier: Apache-2.0
#pragma once
// Array types, specs and axes as the facts of an error type.

#include <tessera/error/facts.hpp>
#include <tessera/error/words.hpp>
#include <tessera/rule/verdict.hpp>

namespace tessera::error {

namespace detail {

namespace mp = boost::mp11;

// Entries without the trailing `none`s, as users write them.
template <class Entries>
struct trimmed {
  using type = mp::mp_list<>;
};
template <class First, class... Rest>
struct trimmed<mp::mp_list<First, Rest...>> {
  using rest = typename trimmed<mp::mp_list<Rest...>>::type;
  using type = std::conditional_t<std::is_same_v<First, none> && mp::mp_empty<rest>::value, mp::mp_list<>,
                                  mp::mp_push_front<rest, First>>;
};

template <template <class, std::int64_t...> class Side, class A>
struct spelling;
template <template <class, std::int64_t...> class Side, class Element, std::int64_t... Extents, class... Entries,
          class M, class... State>
struct spelling<Side, array_type<Element, shape<Extents...>, tessera::P<Entries...>, M, State...>> {
  template <class... Layout>
  using layout = typename Side<Element, Extents...>::template P<Layout...>;
  using type =
      mp::mp_rename<mp::mp_append<typename trimmed<mp::mp_list<Entries...>>::type, mp::mp_list<State...>>, layout>;
};

template <class Spec>
struct trimmed_spec;
template <class... Entries>
struct trimmed_spec<tessera::P<Entries...>> {
  using type = mp::mp_rename<typename trimmed<mp::mp_list<Entries...>>::type, tessera::P>;
};

template <class M, std::uint32_t Bits, std::size_t... I>
auto spell_axes(std::index_sequence<I...>) {
  constexpr auto found = [] {
    by_dim<int> positions{};
    std::size_t n = 0;
    for (int a = 0; a < M::rank; ++a)
      if (axis_set{Bits}.contains(a)) positions[n++] = a;
    return positions;
  }();
  return over<mp::mp_at_c<typename M::axes, found[I]>...>{};
}

template <class M>
struct not_on {
  template <class A>
  using fn = std::bool_constant<!mp::mp_contains<typename M::axes, A>::value>;
};
template <class E>
struct axes_in {
  using type = mp::mp_list<E>;
};
template <>
struct axes_in<none> {
  using type = mp::mp_list<>;
};
template <>
struct axes_in<unconstrained> {
  using type = mp::mp_list<>;
};
template <template <class...> class Part, class... A>
struct axes_in<Part<A...>> {
  using type = mp::mp_list<A...>;
};
template <class M>
struct on_as_manual {
  template <class A>
  using fn =
      std::bool_constant<not_on<M>::template fn<A>::value || M::value.kind(M::template index<A>) >= axis_kind::manual>;
};
template <class M, class Spec>
struct foreign;
template <class M, class... E>
struct foreign<M, tessera::P<E...>> {
  using all = mp::mp_unique<mp::mp_append<mp::mp_list<>, typename axes_in<E>::type...>>;
  using unknown = mp::mp_copy_if_q<all, not_on<M>>;
  using type = facts<mp::mp_rename<unknown, over>>;
  using not_manual = std::conditional_t<mp::mp_empty<unknown>::value,
                                        facts<mp::mp_rename<mp::mp_remove_if_q<all, on_as_manual<M>>, over>>,
                                        facts<mp::mp_rename<unknown, not_in_mesh>>>;
};

template <class Why, std::size_t... I>
constexpr facts<into<Why::what.result.extents[I]...>> spell_extents(std::index_sequence<I...>) {
  return {};
}

}  // namespace detail

// array_type<float, shape<8, 4>, P<dp, none>, M> as Side<float, 8, 4>::P<dp>.
template <template <class, std::int64_t...> class Side, class A>
using spelled = typename detail::spelling<Side, A>::type;

// The spec of Holder::facts on M.
template <class Holder, class M>
using spelled_spec = typename detail::trimmed_spec<typename array_type_of<Holder, M>::spec>::type;

template <class M, std::uint32_t Bits>
using spelled_axes =
    decltype(detail::spell_axes<M, Bits>(std::make_index_sequence<(axis_set{Bits} & M::value.axes()).size()>{}));

template <class M, class Spec>
using foreign_axes = typename detail::foreign<M, Spec>::type;
// Of those that a collective names: not_in_mesh, else over the ones that are not Manual.
template <class M, class Spec>
using axes_not_manual = typename detail::foreign<M, Spec>::not_manual;
template <class M>
using mesh_has_all = boost::mp11::mp_rename<typename M::axes, mesh_has>;

// The extents of the result that there would be, where the operation asks for them.
template <class Why>
constexpr auto wanted_extents() {
  constexpr reason why = Why::what.why;
  if constexpr (why == reason::ambiguous_reshape || (why == reason::shapes_disagree && Why::what.result.rank > 0))
    return detail::spell_extents<Why>(std::make_index_sequence<Why::what.result.rank>{});
  else
    return facts<>{};
}

}  // namespace tessera::error
