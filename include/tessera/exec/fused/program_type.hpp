// SPDX-License-Identifier: Apache-2.0
#pragma once
// A fused group as a type, from which kernels are instantiated. It has operations, element types and register numbers
// only; sizes, steps and literals are run-time values, so one kernel serves all shapes.

#include <tessera/exec/fused/phases.hpp>
#include <tessera/graph/op_type.hpp>

#include <boost/mp11.hpp>

#include <array>
#include <utility>

namespace tessera {

// The instructions. Instruction i writes register i. Position is the number of a literal, or of an operand of the
// group: inputs, outputs, then indices.
namespace code {

template <dtype D, int Position, bool Row = false>
struct load {
  using op = void;
  static constexpr instruction value{code_kind::load, nullptr, D, Row, Position};
};
template <dtype D, int Position>
struct literal {
  using op = void;
  static constexpr instruction value{code_kind::literal, nullptr, D, true, Position};
};
template <dtype D, int Position>
struct index {
  using op = void;
  static constexpr instruction value{code_kind::index, nullptr, D, false, Position};
};
template <class Op, dtype D, bool Row, int A, int B = -1, int C = -1>
struct run {
  using op = Op;
  static constexpr instruction value{code_kind::compute, nullptr, D, Row, A, B, C};
};
template <monoid M, dtype D, int A>
struct reduce {
  using op = void;
  static constexpr monoid reduction = M;
  static constexpr instruction value{code_kind::reduce, nullptr, D, true, A};
};
template <dtype D, int A, int Position, bool Row = false>
struct store {
  using op = void;
  static constexpr instruction value{code_kind::store, nullptr, D, Row, A, Position};
};

}  // namespace code

namespace detail {
template <class I>
constexpr monoid monoid_of() {
  if constexpr (requires { I::reduction; })
    return I::reduction;
  else
    return monoid::none;
}
// The length of the chain of dependent instructions in operation Op: its `depth`, or one.
template <class Op>
constexpr int depth_of() {
  if constexpr (requires { Op::depth; })
    return Op::depth;
  else
    return 1;
}
template <class Op>
inline constexpr bool is_light_op = requires {
  Op::light;
};
}  // namespace detail

template <class... Instructions>
struct program {
  static constexpr int size = sizeof...(Instructions);
  static constexpr instruction code[sizeof...(Instructions)]{Instructions::value...};
  static constexpr monoid monoids[sizeof...(Instructions)]{detail::monoid_of<Instructions>()...};
  static constexpr bool light[sizeof...(Instructions)]{detail::is_light_op<typename Instructions::op>...};
  static constexpr int depths[sizeof...(Instructions)]{detail::depth_of<typename Instructions::op>()...};
  template <int I>
  using at = boost::mp11::mp_at_c<boost::mp11::mp_list<Instructions...>, I>;
  template <int I>
  using op = typename at<I>::op;
  static constexpr bool by_rows = [] {
    for (auto const& i : code)
      if (i.kind == code_kind::reduce || (i.row && i.kind != code_kind::literal)) return true;
    return false;
  }();
};

namespace detail {

// The instructions of a step with their positions, which bind.hpp assigns in the same way.
template <auto const& Plan, int Step>
struct step_code {
  static constexpr step at = Plan.view().steps[Step];
  static constexpr auto value = [] {
    std::array<instruction, at.code.count> code{};
    instruction const* const from = Plan.view().code + at.code.first;
    int literals = 0, indices = at.loaded() + at.outputs.count;
    for (std::size_t i = 0; i < code.size(); ++i) {
      instruction& it = code[i] = from[i];
      if (it.kind == code_kind::literal) it.a = literals++;
      if (it.kind == code_kind::index) it.a = indices++;
      if (it.kind == code_kind::store) it.b += at.loaded();
      if (it.kind == code_kind::load) it.row = it.row || read_by_rows(from, at.code.count, static_cast<int>(i));
    }
    return code;
  }();
};

template <auto const& Code, std::size_t I>
constexpr auto instruction_type() {
  constexpr instruction it = Code[I];
  if constexpr (it.kind == code_kind::load)
    return code::load<it.element, it.a, it.row>{};
  else if constexpr (it.kind == code_kind::literal)
    return code::literal<it.element, it.a>{};
  else if constexpr (it.kind == code_kind::index)
    return code::index<it.element, it.a>{};
  else if constexpr (it.kind == code_kind::reduce)
    return code::reduce<it.op->reduction, it.element, it.a>{};
  else if constexpr (it.kind == code_kind::store)
    return code::store<it.element, it.a, it.b, it.row>{};
  else
    return code::run<op_at<it.op>, it.element, it.row, it.a, it.b, it.c>{};
}

template <auto const& Code, std::size_t... I>
constexpr auto make_program(std::index_sequence<I...>) {
  return program<decltype(instruction_type<Code, I>())...>{};
}

}  // namespace detail

// The program of a fused step of Plan, a constexpr object with static storage and a `view()`.
template <auto const& Plan, int Step>
using program_of = decltype(detail::make_program<detail::step_code<Plan, Step>::value>(
    std::make_index_sequence<detail::step_code<Plan, Step>::value.size()>{}));

}  // namespace tessera
