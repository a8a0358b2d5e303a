// SPDX-License-Identifier: Apache-2.0
#pragma once
// The parts of device kernels: the instructions of a compiled fused group for one element, and sums over a team.

#include <tessera/exec/device/device_launch.hpp>
#include <tessera/exec/fused/compiled.hpp>
#include <tessera/exec/fused/fused_arguments.hpp>

namespace tessera {
namespace detail {

// The sum over the 64 threads of a team, in the order of exec/fused/lanes.hpp. `parts` has room for one value per
// thread.
template <monoid M, class A>
TESSERA_FUNCTION A sum_of_team(team_member const& team, A* parts, A own) {
  int const at = team.rank();
  parts[at] = own;
  for (int half = block_size / 2; half > 0; half /= 2) {
    team.barrier();
    if (at < half) parts[at] = combine<M, A>(parts[at], parts[at + half]);
  }
  team.barrier();
  return parts[0];
}

template <int I, class A>
struct scalar_slot {
  A value;
};
template <class Program, class Sequence = std::make_index_sequence<Program::size>>
struct scalar_registers;
template <class Program, std::size_t... I>
struct scalar_registers<Program, std::index_sequence<I...>>
    : scalar_slot<static_cast<int>(I), lane_of<Program::code[I].element>>... {};

// The instructions of a program for one element; `index` has one value per loop.
template <class Program>
struct scalar_program {
  fused_arguments const& arguments;
  std::int64_t const* index;
  scalar_registers<Program>& registers;
  int segment = 0;

  template <int I>
  TESSERA_FUNCTION lane_of<Program::code[I].element>& at() const {
    return static_cast<scalar_slot<I, lane_of<Program::code[I].element>>&>(registers).value;
  }
  TESSERA_FUNCTION std::int64_t offset(int operand) const {
    auto const& o = arguments.operands[operand];
    std::int64_t result = o.offset;
    for (int i = 0; i < arguments.rank; ++i) result += index[i] * o.step[i];
    return segment == 0 ? result : result + arguments.shifts[segment * arguments.count + operand];
  }
  template <int I>
  TESSERA_FUNCTION void evaluate() const {
    constexpr code_kind kind = Program::code[I].kind;
    constexpr dtype element = Program::code[I].element;
    constexpr int a = Program::code[I].a, b = Program::code[I].b, c = Program::code[I].c;
    using T = element_of<element>;
    using A = lane_of<element>;
    if constexpr (kind == code_kind::load) {
      at<I>() = static_cast<A>(reinterpret_cast<T const*>(arguments.at(a))[offset(a)]);
    } else if constexpr (kind == code_kind::store) {
      reinterpret_cast<T*>(arguments.at(b))[offset(b)] = static_cast<T>(at<a>());
    } else if constexpr (kind == code_kind::index) {
      at<I>() = static_cast<A>(offset(a));
    } else if constexpr (kind == code_kind::literal) {
      at<I>() = literal_as<A>(arguments.literals[a]);
    } else if constexpr (kind == code_kind::compute) {
      using Op = typename Program::template op<I>;
      if constexpr (c >= 0)
        at<I>() = evaluate_op<Op, element>(at<a>(), at<b>(), at<c>());
      else if constexpr (b >= 0)
        at<I>() = evaluate_op<Op, element>(at<a>(), at<b>());
      else
        at<I>() = evaluate_op<Op, element>(at<a>());
    }
  }
};

}  // namespace detail
}  // namespace tessera
