// SPDX-License-Identifier: Apache-2.0
#pragma once
// Checks one operation on operand types: the type of its result, or the error type. One instantiation per signature.

#include <tessera/error/error.hpp>
#include <tessera/graph/literal.hpp>
#include <tessera/trace/invoke.hpp>

namespace tessera {
namespace detail {

// Whether N is mesh M with further axes, which vmap named.
template <class M, class N>
inline constexpr bool names_more = false;
template <class... S, class... T>
  requires(sizeof...(S) < sizeof...(T))
inline constexpr bool names_more<mesh<S...>, mesh<T...>> =
    std::is_same_v<boost::mp11::mp_take_c<mesh<T...>, sizeof...(S)>, mesh<S...>> &&
    mesh<T...>::value.of_kind(axis_kind::mapped).contains(mesh<T...>::value.axes() - mesh<S...>::value.axes());

// The mesh of several operands: one that is not empty, and the one with more axes named by vmap. meshes_differ if two
// do not agree.
template <class... M>
struct common_mesh {
  using type = no_mesh;
  static constexpr bool agree = true;
};
template <class First, class... Rest>
struct common_mesh<First, Rest...> {
  using rest = common_mesh<Rest...>;
  static constexpr bool first_yields = First::rank == 0 || names_more<First, typename rest::type>;
  using type = std::conditional_t<first_yields, typename rest::type, First>;
  static constexpr bool agree =
      rest::agree && (first_yields || rest::type::rank == 0 || std::is_same_v<First, typename rest::type> ||
                      names_more<typename rest::type, First>);
};

// A mesh that the parameters name: zeros on a mesh.
template <class Params>
struct params_mesh {
  using type = no_mesh;
};
template <class Params>
  requires requires { typename Params::mesh; }
struct params_mesh<Params> {
  using type = typename Params::mesh;
};

struct judgment {
  refusal refused{};
  array_value facts{};
};

// Makes a refusal report Op and its operands, whichever step of its expansion was refused.
template <class Op>
constexpr void speak_of(refusal& refused, array_value const* const* operands, int count) {
  int const right = refused.what.operand > 0 && refused.what.operand < count ? refused.what.operand : 1;
  refused.op = &bare_info<Op>;
  refused.operands = count < 2 ? count : 2;
  if (count > 0) refused.lhs = *operands[0];
  if (count > 1) refused.rhs = *operands[right];
}

template <class Op, Mesh M>
constexpr judgment judge(attributes const& attrs, std::initializer_list<array_value> operands) {
  builder b;
  b.recorded.mesh = M::value;
  term terms[builder::max_operands]{};
  int n = 0;
  array_value const* given[builder::max_operands]{};
  for (auto const& facts : operands) {
    given[n] = &facts;
    terms[n++] = b.argument(info<ops::argument>, facts);
  }
  term const result = b.make<Op>(terms, n, attrs);
  if (!result) {
    speak_of<Op>(b.refused, given, n);
    return {b.refused, {}};
  }
  return {{}, result.facts()};
}

}  // namespace detail

template <class Op, class Params, ArrayType... A>
struct judged {
  using meshes = detail::common_mesh<typename A::mesh..., typename detail::params_mesh<Params>::type>;
  using mesh = typename meshes::type;
  using params = Params;
  using operands = boost::mp11::mp_list<A...>;
  static constexpr detail::judgment value = [] {
    if constexpr (meshes::agree)
      return detail::judge<Op, mesh>(Params::template on<mesh>(), {A::value...});
    else
      return detail::judgment{{refuse(reason::meshes_differ), &bare_info<Op>, {}, {}, {}}, {}};
  }();
  static constexpr array_value facts = value.facts;
  static constexpr bool accepted = value.refused.what.why == reason::none;
};

}  // namespace tessera
