// SPDX-License-Identifier: Apache-2.0
#pragma once
// A kernel of the user's as an operation: local_kernel<Kernel>(x, y) calls it once for each device's block, in shard_map, or
// once where arrays are whole. It gets an execution space instance, a Kokkos::View for each operand and one for each result:
//   struct doubled {
//     void operator()(auto const& space, auto x, auto y) const {
//       Kokkos::parallel_for("doubled", Kokkos::RangePolicy(space, 0, x.extent(0)), KOKKOS_LAMBDA(int i) { y(i) = 2 * x(i); });
//     }
//   };
//   local_kernel<doubled>(x)                                     one result, as operand 0
//   local_kernel<edges, block_type<float, 2, 8>>(x)              results as they are written here: std::tuple of several
// Views are row-major, those of operands const. The call is a step of the program, in order with those that it depends on: a
// kernel that works on `space` need not wait for it; on another instance it does. Kernels have no members. They may have
//   name              what errors and Kokkos Tools show
//   execution_space   where they run, if not where programs do; its memory must be the same: Kokkos::Serial
//   vjp               a kernel (space, x..., cotangent of the result, cotangents of x...): the gradient, of one result
// Working dimensions are all that an operand has when it is written; inside vmap the kernel is called for each element.
// Up to 5 operands and 3 results. Moves 0 bytes.

#include <tessera/base/type_name.hpp>
#include <tessera/exec/memory/blocks.hpp>
#include <tessera/interop/block_type.hpp>
#include <tessera/interop/row_major_block.hpp>
#include <tessera/interop/view_types.hpp>
#include <tessera/op/base/opaque.hpp>
#include <tessera/op/base/opaque_types.hpp>

namespace tessera {

namespace detail {

template <class Kernel>
constexpr std::string_view name_of_kernel() {
  if constexpr (std::is_void_v<Kernel>)
    return "local_kernel";
  else if constexpr (requires { Kernel::name; })
    return Kernel::name;
  else
    return type_name<Kernel>();
}
template <class Kernel>
struct space_of_kernel : std::type_identity<execution_space> {};
template <class Kernel>
  requires requires { typename Kernel::execution_space; }
struct space_of_kernel<Kernel> : std::type_identity<typename Kernel::execution_space> {};

template <class Kernel, class... Block>
void call_kernel(Block const&... block) {
  using space = typename space_of_kernel<Kernel>::type;
  space const here{};
  Kernel{}(here, block.view()...);
  if constexpr (!std::is_same_v<space, execution_space>) here.fence("tessera: local_kernel");
  (block.finish(), ...);
}

// What a kernel must be, said where it is called.
template <class Kernel>
inline constexpr bool is_stateless = std::is_empty_v<Kernel>&& std::is_default_constructible_v<Kernel>;
template <class Kernel>
inline constexpr bool reaches_arrays =
    Kokkos::SpaceAccessibility<typename space_of_kernel<Kernel>::type, execution_memory>::accessible;
template <class Kernel, class Operands, class Results>
inline constexpr bool takes_blocks = false;
template <class Kernel, class... X, class... Y>
inline constexpr bool takes_blocks<Kernel, opaque_types<X...>, opaque_types<Y...>> =
    std::is_invocable_v<Kernel const&, typename space_of_kernel<Kernel>::type const&,
                        typename row_major_block<typename X::element const, X::rank>::const_view_type...,
                        typename row_major_block<typename Y::element, Y::rank>::view_type...>;

}  // namespace detail

namespace ops {

template <class Kernel, class Operands, class Results>
struct local_kernel;
template <class Kernel, class... X, class... Y>
struct local_kernel<Kernel, opaque_types<X...>, opaque_types<Y...>>
    : tessera::detail::on_blocks<local_kernel<Kernel, opaque_types<X...>, opaque_types<Y...>>, opaque_types<X...>,
                                 opaque_types<Y...>> {
  static constexpr std::string_view name = tessera::detail::name_of_kernel<Kernel>();

  static void run_on_host(opaque_call const&, dense_view<typename X::element const>... x,
                          dense_view<typename Y::element>... y) {
    tessera::detail::call_kernel<Kernel>(tessera::detail::row_major_block<typename X::element const, X::rank>(x)...,
                                         tessera::detail::row_major_block<typename Y::element, Y::rank>(y)...);
  }

  template <int K, class B>
    requires(K == 0 && sizeof...(Y) == 1 && sizeof...(X) <= 3 && requires { typename Kernel::vjp; })
  static constexpr void transpose_of(B& back) { give(back, std::make_index_sequence<sizeof...(X)>{}); }

private:
  template <class B, std::size_t... I>
  static constexpr void give(B& back, std::index_sequence<I...>) {
    using vjp =
        local_kernel<typename Kernel::vjp, opaque_types<X..., Y...>,
                     opaque_types<tessera::detail::block_like<typename X::element, X::rank, static_cast<int>(I)>...>>;
    auto const one = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
      using op = std::conditional_t<J == 0, vjp, part<vjp, static_cast<int>(J)>>;
      if (is_inexact(back.operand(static_cast<int>(J)).facts().element))
        back.give(static_cast<int>(J), make<op>(back, {back.operand(static_cast<int>(I))..., back.cotangent()}));
    };
    (one(std::integral_constant<std::size_t, I>{}), ...);
  }
};

}  // namespace ops

namespace detail {

// The operation that a call is, or what is said of it.
template <class Kernel, class Results, class Positions, class... X>
struct local_call;
template <class Kernel, class... R, std::size_t... I, class... X>
struct local_call<Kernel, opaque_types<R...>, std::index_sequence<I...>, X...> {
  using operands = opaque_types<typename operand_block<X, static_cast<int>(I)>::type...>;
  using results = typename blocks_of_results<operands, R...>::type;
  static constexpr bool usual =
      is_stateless<Kernel> && reaches_arrays<Kernel> && sizeof...(R) <= opaque_shape::most_results;
  static constexpr bool taken = takes_blocks<Kernel, operands, results>;
  static constexpr bool good = usual && taken;
  using op = ops::local_kernel<Kernel, operands, results>;
};
// Not in the class: clang takes one with a failed assertion for invalid, and has errors more.
template <class Kernel, class... R, class Call>
constexpr void refuse_kernel(Call) {
  static_assert(is_stateless<Kernel>,
                "tessera: local_kernel: the kernel has members, and a program knows its type only. Fix: what it needs "
                "comes in as an operand.");
  static_assert(
      reaches_arrays<Kernel>,
      "tessera: local_kernel: this kernel's execution_space does not reach the memory that arrays are in. Fix: "
      "leave it out, and the kernel runs where programs do.");
  static_assert(sizeof...(R) <= opaque_shape::most_results,
                "tessera: local_kernel has at most 3 results. Fix: join some, or call two kernels.");
  static_assert(
      Call::taken || !Call::usual,
      "tessera: local_kernel calls its kernel with an execution space instance, a View for each operand and one "
      "for each result, and it does not take those. Fix: void operator()(auto const& space, auto x, auto y) "
      "const; results of other types are named: local_kernel<kernel, block_type<float, 2, 8>>(x).");
}
// An operand that is none: the operation that is refused.
struct no_local_call {
  static constexpr bool good = true;
  using op = ops::local_kernel<void, opaque_types<>, opaque_types<>>;
};
template <bool Operands, class Kernel, class Results, class... X>
struct local_call_of : local_call<Kernel, Results, std::index_sequence_for<X...>, X...> {};
template <class Kernel, class Results, class... X>
struct local_call_of<false, Kernel, Results, X...> : no_local_call {};

// Each calls invoke itself: a function in between would be a line of every error's text.
template <class Kernel, class... R>
struct local_kernel_door {
  template <class... X>
  using call = local_call_of<(is_kernel_operand<X> && ...), Kernel, opaque_types<R...>, X...>;
  template <class... X>
  static constexpr bool several = call<X...>::good && sizeof...(R) > 1 && (is_kernel_operand<X> && ...);

  template <class A>
  constexpr auto operator()(A const& a, site at = std::source_location::current()) const {
    if constexpr (several<A>)
      return all<typename call<A>::op>(at, a);
    else if constexpr (call<A>::good)
      return invoke<typename call<A>::op, no_params>(at, a);
    else
      refuse_kernel<Kernel, R...>(call<A>{});
  }
  template <class A, class B>
  constexpr auto operator()(A const& a, B const& b, site at = std::source_location::current()) const {
    if constexpr (several<A, B>)
      return all<typename call<A, B>::op>(at, a, b);
    else if constexpr (call<A, B>::good)
      return invoke<typename call<A, B>::op, no_params>(at, a, b);
    else
      refuse_kernel<Kernel, R...>(call<A, B>{});
  }
  template <class A, class B, class C>
  constexpr auto operator()(A const& a, B const& b, C const& c, site at = std::source_location::current()) const {
    if constexpr (several<A, B, C>)
      return all<typename call<A, B, C>::op>(at, a, b, c);
    else if constexpr (call<A, B, C>::good)
      return invoke<typename call<A, B, C>::op, no_params>(at, a, b, c);
    else
      refuse_kernel<Kernel, R...>(call<A, B, C>{});
  }
  template <class A, class B, class C, class D>
  constexpr auto operator()(A const& a, B const& b, C const& c, D const& d,
                            site at = std::source_location::current()) const {
    if constexpr (several<A, B, C, D>)
      return all<typename call<A, B, C, D>::op>(at, a, b, c, d);
    else if constexpr (call<A, B, C, D>::good)
      return invoke<typename call<A, B, C, D>::op, no_params>(at, a, b, c, d);
    else
      refuse_kernel<Kernel, R...>(call<A, B, C, D>{});
  }
  template <class A, class B, class C, class D, class E>
  constexpr auto operator()(A const& a, B const& b, C const& c, D const& d, E const& e,
                            site at = std::source_location::current()) const {
    if constexpr (several<A, B, C, D, E>)
      return all<typename call<A, B, C, D, E>::op>(at, a, b, c, d, e);
    else if constexpr (call<A, B, C, D, E>::good)
      return invoke<typename call<A, B, C, D, E>::op, no_params>(at, a, b, c, d, e);
    else
      refuse_kernel<Kernel, R...>(call<A, B, C, D, E>{});
  }

private:
  template <class Op, class... X>
  static constexpr auto all(site at, X const&... x) {
    return with_other_results<Op, no_params>(invoke<Op, no_params>(at, x...), at, x...);
  }
};

}  // namespace detail

template <class Kernel, class... Results>
inline constexpr detail::local_kernel_door<Kernel, Results...> local_kernel{};

}  // namespace tessera
