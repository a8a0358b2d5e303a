// SPDX-License-Identifier: Apache-2.0
#pragma once
// From a refusal (plain data) to its error type: which template, with which facts. Instantiated for refusals only.

#include <tessera/error/all.hpp>
#include <tessera/error/full_text.hpp>
#include <tessera/error/repair.hpp>
#include <tessera/error/spell.hpp>

namespace tessera {
namespace error {

template <reason Why>
struct because {};

// The error type of each reason.
template <class... F>
axis_used_twice<F...> typed(because<reason::axis_used_twice>, facts<F...>);
template <class... F>
axis_not_in_mesh<F...> typed(because<reason::axis_not_in_mesh>, facts<F...>);
template <class... F>
spec_too_long<F...> typed(because<reason::spec_too_long>, facts<F...>);
template <class... F>
not_divisible<F...> typed(because<reason::not_divisible>, facts<F...>);
template <class... F>
auto_axis_named<F...> typed(because<reason::auto_axis_named>, facts<F...>);
template <class... F>
unconstrained_dim<F...> typed(because<reason::unconstrained_dim>, facts<F...>);
template <class... F>
dims_disagree<F...> typed(because<reason::dims_disagree>, facts<F...>);
template <class... F>
shapes_disagree<F...> typed(because<reason::shapes_disagree>, facts<F...>);
template <class... F>
ranks_disagree<F...> typed(because<reason::ranks_disagree>, facts<F...>);
template <class... F>
needs_out_sharding<F...> typed(because<reason::needs_out_sharding>, facts<F...>);
template <class... F>
ambiguous_reshape<F...> typed(because<reason::ambiguous_reshape>, facts<F...>);
template <class... F>
sharded_dim_unsupported<F...> typed(because<reason::sharded_dim_unsupported>, facts<F...>);
template <class... F>
unreduced_operand<F...> typed(because<reason::unreduced_operand>, facts<F...>);
template <class... F>
dim_out_of_range<F...> typed(because<reason::dim_out_of_range>, facts<F...>);
template <class... F>
elements_disagree<F...> typed(because<reason::elements_disagree>, facts<F...>);
template <class... F>
element_unsupported<F...> typed(because<reason::element_unsupported>, facts<F...>);
template <class... F>
meshes_differ<F...> typed(because<reason::meshes_differ>, facts<F...>);
template <class... F>
grad_of_non_scalar<F...> typed(because<reason::grad_of_non_scalar>, facts<F...>);
template <class... F>
not_differentiable<F...> typed(because<reason::not_differentiable>, facts<F...>);
template <class... F>
malformed_einsum<F...> typed(because<reason::malformed_einsum>, facts<F...>);
template <class... F>
index_out_of_range<F...> typed(because<reason::index_out_of_range>, facts<F...>);
template <class... F>
no_elements<F...> typed(because<reason::no_elements>, facts<F...>);
template <class... F>
number_out_of_range<F...> typed(because<reason::number_out_of_range>, facts<F...>);
template <class... F>
manual_axis_changed<F...> typed(because<reason::manual_axis_changed>, facts<F...>);
template <class... F>
shardings_missing<F...> typed(because<reason::shardings_missing>, facts<F...>);
template <class... F>
axis_not_auto<F...> typed(because<reason::axis_not_auto>, facts<F...>);
template <class... F>
constraint_differs<F...> typed(because<reason::constraint_differs>, facts<F...>);
template <class... F>
axis_not_manual<F...> typed(because<reason::axis_not_manual>, facts<F...>);
template <class... F>
in_specs_differ<F...> typed(because<reason::in_specs_differ>, facts<F...>);
template <class... F>
result_varies<F...> typed(because<reason::result_varies>, facts<F...>);
template <class... F>
partly_varying<F...> typed(because<reason::partly_varying>, facts<F...>);
template <class... F>
malformed_cast<F...> typed(because<reason::malformed_cast>, facts<F...>);
template <class... F>
uneven_unsupported<F...> typed(because<reason::uneven_unsupported>, facts<F...>);
template <class... F>
not_mappable<F...> typed(because<reason::not_mappable>, facts<F...>);
template <class... F>
result_mapped<F...> typed(because<reason::result_mapped>, facts<F...>);
template <class... F>
malformed_permutation<F...> typed(because<reason::malformed_permutation>, facts<F...>);
template <class... F>
malformed_groups<F...> typed(because<reason::malformed_groups>, facts<F...>);
template <class... F>
left_in_flight<F...> typed(because<reason::left_in_flight>, facts<F...>);
template <class... F>
awaited_twice<F...> typed(because<reason::awaited_twice>, facts<F...>);
template <class... F>
key_used_twice<F...> typed(because<reason::key_used_twice>, facts<F...>);
template <class... F>
carry_differs<F...> typed(because<reason::carry_differs>, facts<F...>);
template <class... F>
branches_differ<F...> typed(because<reason::branches_differ>, facts<F...>);
template <class... F>
collective_in_branch<F...> typed(because<reason::collective_in_branch>, facts<F...>);
template <class... F>
mask_as_index<F...> typed(because<reason::mask_as_index>, facts<F...>);
template <class... F>
value_as_condition<F...> typed(because<reason::value_as_condition>, facts<F...>);
template <class... F>
assignment_changes_type<F...> typed(because<reason::assignment_changes_type>, facts<F...>);
template <class... F>
not_an_array<F...> typed(because<reason::not_an_array>, facts<F...>);
template <class... F>
captured_array<F...> typed(because<reason::captured_array>, facts<F...>);
template <class... F>
not_one_per_device<F...> typed(because<reason::not_one_per_device>, facts<F...>);
template <class... F>
turns_as_argument<F...> typed(because<reason::turns_as_argument>, facts<F...>);

namespace detail {

// The numbers of a reason, by what verdict::size and verdict::other mean in it.
template <reason Why, std::int64_t Size, std::int64_t Other, bool Repaired, dtype Element>
constexpr auto numbers() {
  if constexpr ((Why == reason::not_divisible && Repaired) || Why == reason::not_one_per_device)
    return facts<size<Size>, parts<Other>>{};
  else if constexpr (Why == reason::not_divisible)
    return facts<size<Size>, parts<Other>, padded_to<(Size + Other - 1) / Other * Other>>{};
  else if constexpr (Why == reason::uneven_unsupported)
    return facts<size<Size>, padded_to<Other>>{};
  else if constexpr (Why == reason::shapes_disagree)
    return facts<extents<Size, Other>>{};
  else if constexpr (Why == reason::ranks_disagree)
    return facts<ranks<Size, Other>>{};
  else if constexpr (Why == reason::spec_too_long)
    return facts<entries<Size>, of_rank<Other>>{};
  else if constexpr (Why == reason::dim_out_of_range)
    return facts<dim<Size>, of_rank<Other>>{};
  else if constexpr (Why == reason::index_out_of_range)
    return facts<index<Size>, size<Other>>{};
  else if constexpr (Why == reason::number_out_of_range)
    return facts<std::conditional_t<Other == 2, unsigned_value<static_cast<std::uint64_t>(Size)>, value<Size>>,
                 meets<element_of<Element>>>{};
  else if constexpr (Why == reason::malformed_permutation || Why == reason::malformed_groups)
    return facts<index<Size>, parts<Other>>{};
  else
    return facts<>{};
}

template <class M, class Why, class Asked>
constexpr auto axes_at_fault() {
  if constexpr (Why::what.why == reason::axis_not_in_mesh && !std::is_void_v<Asked>)
    return foreign_axes<M, Asked>{} + facts<mesh_has_all<M>>{};
  else if constexpr (Why::what.why == reason::axis_not_manual && !std::is_void_v<Asked>)
    return axes_not_manual<M, Asked>{} + facts<mesh_has_all<M>>{};
  else if constexpr (Why::what.why == reason::axis_not_in_mesh || Why::what.why == reason::axis_not_manual)
    return facts<mesh_has_all<M>>{};
  else if constexpr (Why::what.axes.empty())
    return facts<>{};
  else
    return facts<spelled_axes<M, Why::what.axes.bits>>{};
}

template <class Why>
constexpr auto place() {
  if constexpr (Why::what.lhs_dim >= 0 && Why::what.rhs_dim >= 0)
    return facts<at_dim<Why::what.lhs_dim, Why::what.rhs_dim>>{};
  else if constexpr (Why::what.lhs_dim >= 0 && Why::what.why != reason::dim_out_of_range &&
                     Why::what.why != reason::spec_too_long)
    return facts<at_dim<Why::what.lhs_dim>>{};
  else
    return facts<>{};
}

// Of many operands the first and the one at fault.
template <class Operands, int AtFault>
constexpr auto spelled_operands() {
  constexpr int count = boost::mp11::mp_size<Operands>::value;
  if constexpr (count == 0) {
    return facts<>{};
  } else if constexpr (count == 1) {
    return facts<spelled<operand, boost::mp11::mp_first<Operands>>>{};
  } else {
    constexpr int right = AtFault > 0 ? AtFault : 1;
    using sides =
        facts<spelled<lhs, boost::mp11::mp_first<Operands>>, spelled<rhs, boost::mp11::mp_at_c<Operands, right>>>;
    if constexpr (count > 2)
      return sides{} + facts<at_operand<right>>{};
    else
      return sides{};
  }
}

template <class M, class Why, class Asked, class Operands>
struct repaired {
  static constexpr verdict v = Why::what;
  static constexpr int count = boost::mp11::mp_size<Operands>::value;
  static constexpr int right = v.operand > 0 ? v.operand : 1;
  static constexpr repair found = [] {
    if constexpr (count == 0 || (v.why == reason::not_divisible && !std::is_void_v<Asked>))
      return repair{};
    else if constexpr (count == 1)
      return repair_of(v, boost::mp11::mp_first<Operands>::value, nullptr, 1, M::value);
    else
      return repair_of(v, boost::mp11::mp_first<Operands>::value, &boost::mp11::mp_at_c<Operands, right>::value, right,
                       M::value);
  }();
  static constexpr array_value facts = found.layout;
};
template <class R>
struct shared {
  static constexpr array_value facts = R::found.shares;
};
template <class R, class M>
constexpr auto sums() {
  if constexpr (!R::found.whole_sum)
    return facts<>{};
  else if constexpr (!R::found.shared_sum)
    return facts<out_sharding<spelled_spec<R, M>>>{};
  else
    return facts<out_sharding<spelled_spec<R, M>>, or_out_sharding<spelled_spec<shared<R>, M>>>{};
}

template <class R, class M>
constexpr auto fix() {
  using bytes = std::conditional_t<(R::found.bytes > 0), facts<moves_bytes<R::found.bytes>>, facts<>>;
  if constexpr (R::found.which < 0)
    return sums<R, M>() + bytes{};
  else if constexpr (R::count == 1)
    return facts<reshard<spelled_spec<R, M>>>{} + bytes{};
  else if constexpr (R::found.which == 0)
    return facts<reshard_lhs<spelled_spec<R, M>>>{} + bytes{};
  else
    return facts<reshard_rhs<spelled_spec<R, M>>>{} + bytes{};
}

template <class Operands>
constexpr auto meshes() {
  if constexpr (boost::mp11::mp_size<Operands>::value < 2)
    return facts<>{};
  else
    return facts<lhs_on<typename boost::mp11::mp_first<Operands>::mesh>,
                 rhs_on<typename boost::mp11::mp_second<Operands>::mesh>>{};
}

template <class Op, class M, class Why, class Asked, class Operands>
constexpr auto facts_of() {
  using fixed = repaired<M, Why, Asked, Operands>;
  using asked_for = std::conditional_t<std::is_void_v<Asked>, facts<>, facts<asked<Asked>>>;
  auto const seen = facts<Op>{} + spelled_operands<Operands, Why::what.operand>();
  if constexpr (Why::what.why == reason::meshes_differ)
    return seen + meshes<Operands>();
  else
    return seen + place<Why>() + axes_at_fault<M, Why, Asked>() +
           numbers<Why::what.why, Why::what.size, Why::what.other, (fixed::found.which >= 0),
                   Why::what.result.element>() +
           wanted_extents<Why>() + asked_for{} + fix<fixed, M>();
}

template <class E, unsigned Line>
struct with_line {
  using type = E;
};
template <template <class...> class E, class... Facts, unsigned Line>
  requires(Line != 0)
struct with_line<E<Facts...>, Line> {
  using type = E<Facts..., at_line<Line>>;
};

}  // namespace detail

// The error with the user's line among its facts, where it is known.
template <class E, unsigned Line>
using at = typename detail::with_line<E, Line>::type;

// The error type of the refusal Why::what (a static constexpr verdict) of Op on mesh M. Asked: the spec that the user
// wrote, or void. Operands: a list of array types.
template <class Op, Mesh M, class Why, class Asked, class Operands>
using of = decltype(typed(because<Why::what.why>{}, detail::facts_of<Op, M, Why, Asked, Operands>()));

}  // namespace error

namespace detail {
template <class J>
struct why_of_judgment {
  static constexpr verdict what = J::value.refused.what;
};
template <class Params>
struct spec_in {
  using type = void;
};
template <class Params>
  requires requires { typename Params::spec; }
struct spec_in<Params> {
  using type = typename Params::spec;
};
}  // namespace detail

// The error type of a refused judgment of Op: Op<Params> on these array types.
template <class Op, class J>
using error_of = error::of<Op, typename J::mesh, detail::why_of_judgment<J>,
                           typename detail::spec_in<typename J::params>::type, typename J::operands>;

}  // namespace tessera
