// SPDX-License-Identifier: Apache-2.0
#pragma once
// Operations on positions along axes whose operands have no mesh: axis_index<dp>(), psum<dp>(1), and operations on
// these. They are kept unevaluated until they meet a value with a mesh, and are then constants on that mesh. Constants
// on a mesh that meet code in which some of its axes are Manual become constants on that code's mesh.

#include <tessera/base/unpack.hpp>
#include <tessera/trace/judged.hpp>
#include <tessera/trace/operand.hpp>
#include <tessera/trace/tree.hpp>
#include <tessera/trace/tree_parts.hpp>

#include <tuple>

namespace tessera {

template <class Op, class Params, class... X>
struct unplaced : operators<unplaced<Op, Params, X...>> {
  std::tuple<X...> operands;  // no default of its own: clang would compile it to learn whether there is one
  site at{};
};
// It has no value outside of traced code.
template <class Traits, class Op, class Params, class... X>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, unplaced<Op, Params, X...> const&) {
  error::axis_not_manual<Op, error::mesh_has<>>::explain();
  return out;
}

template <class X>
inline constexpr bool is_unplaced = false;
template <class Op, class Params, class... X>
inline constexpr bool is_unplaced<unplaced<Op, Params, X...>> = true;
template <class Op, class Params, class... X>
inline constexpr bool is_traced<unplaced<Op, Params, X...>> = false;
template <class Op, class Params, class... X>
inline constexpr bool is_poisoned<unplaced<Op, Params, X...>> = false;

// A result of a loop or branch that depends on positions along axes and reads no value with a mesh. Run records it on a
// mesh; Path is the place of the result in the tree. Captures by reference of its functions must still be alive then.
template <class Run, std::size_t... Path>
struct unplaced_result : operators<unplaced_result<Run, Path...>> {
  Run run;
};
template <class Run, std::size_t... Path>
inline constexpr bool is_unplaced<unplaced_result<Run, Path...>> = true;
template <class Run, std::size_t... Path>
inline constexpr bool is_traced<unplaced_result<Run, Path...>> = false;
template <class Run, std::size_t... Path>
inline constexpr bool is_poisoned<unplaced_result<Run, Path...>> = false;

namespace detail {

// Parameters that name axes of any mesh, on mesh M.
template <class Params, class M>
struct params_on : Params {
  using mesh = M;
};
template <class Params, class M>
inline constexpr bool is_placed<params_on<Params, M>> = true;
template <class Params>
concept NamesAxes = Params::names_axes && params_mesh<Params>::type::rank == 0;

template <class X, operand_kind Kind>
constexpr bool is_operand_of() {
  if constexpr (Operand<X>)
    return operand_traits<X>::kind == Kind;
  else
    return false;
}
template <class X>
constexpr auto mesh_of_operand() {
  if constexpr (Operand<X>)
    return std::type_identity<typename operand_traits<X>::type::mesh>{};
  else
    return std::type_identity<no_mesh>{};
}
// The mesh of the traced operands; if there is none, that of any operand.
template <class... X>
constexpr auto place_of() {
  using traced_only = typename common_mesh<
      typename decltype(mesh_of_operand<
                        std::conditional_t<is_operand_of<X, operand_kind::traced>(), X, float>>())::type...>::type;
  if constexpr (traced_only::rank != 0)
    return std::type_identity<traced_only>{};
  else
    return std::type_identity<typename common_mesh<typename decltype(mesh_of_operand<X>())::type...>::type>{};
}

template <class M, class N>
inline constexpr bool same_axes = false;
template <class... S, class... T>
  requires(sizeof...(S) == sizeof...(T))
inline constexpr bool same_axes<mesh<S...>, mesh<T...>> =
    ((std::is_same_v<typename S::tag, typename T::tag> && S::size == T::size) && ...);

// Whether X is a constant of another mesh with the same axes, whose layout uses only axes that are Explicit on M.
template <class M, class X>
inline constexpr bool can_move = false;
template <class M, ConstantValue X>
inline constexpr bool can_move<M, X> = [] {
  using A = typename X::type;
  return A::mesh::rank != 0 && !std::is_same_v<M, typename A::mesh> && same_axes<M, typename A::mesh> &&
         ((A::value.sharded_axes() | A::value.varying) - M::value.of_kind(axis_kind::explicit_)).empty();
}();

template <class A>
struct same_facts {
  static constexpr array_value facts = A::value;
};
template <class M, class X>
constexpr auto put_on(X const& x) {
  return x;
}
template <class M>
constexpr auto put_on(refused_answer const&) {
  return poisoned<explained<>>{};
}
template <class M, ArrayType A, std::size_t N, std::size_t O>
constexpr auto put_on(constant_array<A, N, O> const& x) {
  if constexpr (can_move<M, constant_array<A, N, O>>) {
    constant_array<array_type_of<same_facts<A>, M>, N, O> moved{{}, x.program};
    moved.program.mesh = M::value;
    return moved;
  } else {
    return x;
  }
}
template <class M, ArrayType A>
constexpr auto put_on(grown_constant<A> const& x) {
  if constexpr (can_move<M, grown_constant<A>>) {
    grown_constant<array_type_of<same_facts<A>, M>> moved{{}, x.program};
    moved.program.mesh = M::value;
    return moved;
  } else {
    return x;
  }
}
template <class T>
constexpr T leaf_at(T const& leaf) {
  return leaf;
}
template <std::size_t First, std::size_t... Rest, class T>
constexpr auto leaf_at(T const& tree) {
  if constexpr (Tree<T>)
    return leaf_at<Rest...>(part<First>(parts_of(tree)));
  else
    return tree;  // one error for all
}
template <class M, class Run, std::size_t... Path>
constexpr auto put_on(unplaced_result<Run, Path...> const& x) {
  return leaf_at<Path...>(x.run.template alone<M>());
}
template <class M, class Op, class Params, class... X>
constexpr auto put_on(unplaced<Op, Params, X...> const& x) {
  return unpack(
      [&x](auto const&... operand) {
        if constexpr (NamesAxes<Params>)
          return invoke<Op, params_on<Params, M>>(x.at, put_on<M>(operand)...);
        else
          return invoke<Op, Params>(x.at, put_on<M>(operand)...);
      },
      x.operands);
}

// Whether an operation waits for a mesh, or has operands that did.
template <class Params, class... X>
constexpr bool asks_for_place() {
  if constexpr ((is_unplaced<X> || ...)) {
    return true;
  } else if constexpr (!NamesAxes<Params> && !(is_constant<X> || ...)) {
    return false;
  } else if constexpr ((is_operand_of<X, operand_kind::poisoned>() || ...) || !(Operand<X> && ...)) {
    return false;
  } else {
    using M = typename decltype(place_of<X...>())::type;
    return (NamesAxes<Params> && M::rank == 0) || (can_move<M, X> || ...);
  }
}
template <class Op, class Params, class... X>
constexpr auto invoke_placed(site at, X const&... x) {
  using M = typename decltype(place_of<X...>())::type;
  if constexpr (M::rank == 0)
    return unplaced<Op, Params, X...>{{}, {x...}, at};
  else
    return invoke<Op, Params>(at, put_on<M>(x)...);
}

}  // namespace detail
}  // namespace tessera
