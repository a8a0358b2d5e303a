// SPDX-License-Identifier: Apache-2.0
#pragma once
// From a refusal (plain data) to its error type: which template, with which facts. Instantiated for refusals only.

#include <tessera/error/all.hpp>
#include <tessera/error/full_text.hpp>
#include <tessera/error/repair.hpp>
#include <tessera/error/spell.hpp>

namespace tessera {
namespace error {

// The error type of a reason, with these facts.
template <reason Why, class... Facts>
using typed = typename words<Why>::template type<Facts...>;
template <reason Why, class Facts>
struct typed_by;
template <reason Why, class... F>
struct typed_by<Why, facts<F...>> {
  using type = typed<Why, F...>;
};

namespace detail {

template <reason Why, std::int64_t Size, std::int64_t Other, bool Repaired, dtype Element>
constexpr auto numbers() {
  if constexpr (requires { words<Why>::template numbers<Size, Other, Repaired, Element>(); })
    return words<Why>::template numbers<Size, Other, Repaired, Element>();
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
// The meshes of both, if they are what differs.
template <class Operands>
constexpr auto meshes_apart() {
  if constexpr (boost::mp11::mp_size<Operands>::value < 2) {
    return facts<>{};
  } else {
    using M = typename boost::mp11::mp_first<Operands>::mesh;
    if constexpr (std::is_same_v<M, typename boost::mp11::mp_second<Operands>::mesh>)
      return facts<>{};
    else
      return meshes<Operands>();
  }
}

template <class Op, class M, class Why, class Asked, class Operands>
constexpr auto facts_of() {
  using fixed = repaired<M, Why, Asked, Operands>;
  using asked_for = std::conditional_t<std::is_void_v<Asked>, facts<>, facts<asked<Asked>>>;
  auto const seen = facts<Op>{} + spelled_operands<Operands, Why::what.operand>();
  if constexpr (Why::what.why == reason::meshes_differ)
    return seen + meshes<Operands>();
  else if constexpr (Why::what.why == reason::assignment_changes_type)
    return seen + meshes_apart<Operands>();
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
using of = typename typed_by<Why::what.why, decltype(detail::facts_of<Op, M, Why, Asked, Operands>())>::type;

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
