// SPDX-License-Identifier: Apache-2.0
#pragma once
// The instructions of a compiled fused group for a few neighboring elements, on an accelerator.

#include <tessera/exec/device/device_launch.hpp>
#include <tessera/exec/device/element_group.hpp>
#include <tessera/exec/fused/compiled.hpp>
#include <tessera/exec/fused/fused_arguments.hpp>
#include <tessera/exec/fused/phases.hpp>

#include <algorithm>
#include <utility>

namespace tessera {
namespace detail {

// The values of an instruction: one if it is uniform, or the result of a reduction.
template <class Program, int I>
inline constexpr int lanes_at = is_uniform(Program::code[I]) || Program::code[I].kind == code_kind::reduce ? 1
                                                                                                           : group_size;
template <int I, class A, int Lanes>
struct scalar_slot {
  A value[Lanes];
};
template <class Program, class Sequence = std::make_index_sequence<Program::size>>
struct scalar_registers;
template <class Program, std::size_t... I>
struct scalar_registers<Program, std::index_sequence<I...>>
    : scalar_slot<static_cast<int>(I), lane_of<Program::code[I].element>, lanes_at<Program, static_cast<int>(I)>>... {};

// How many operands and literals the code of a program names.
template <class Program>
constexpr int operands_of() {
  int count = 0;
  for (auto const& i : Program::code) {
    if (i.kind == code_kind::load || i.kind == code_kind::index) count = std::max(count, i.a + 1);
    if (i.kind == code_kind::store) count = std::max(count, i.b + 1);
  }
  return count;
}
template <class Program>
constexpr int literals_of() {
  int count = 0;
  for (auto const& i : Program::code)
    if (i.kind == code_kind::literal) count = std::max(count, i.a + 1);
  return count;
}

// The offset of the first element in each operand, without the column of a row.
template <class Program>
struct scalar_places {
  std::int64_t at[operands_of<Program>() + 1];

  template <class Arguments>
  TESSERA_FUNCTION void locate(Arguments const& arguments, int loops, std::int64_t const* index) {
    locate(arguments, loops, index, std::make_integer_sequence<int, operands_of<Program>()>{});
  }

private:
  template <class Arguments, int... K>
  TESSERA_FUNCTION void locate(Arguments const& arguments, int loops, std::int64_t const* index,
                               std::integer_sequence<int, K...>) {
    ((at[K] = arguments.offset(K)), ...);
    for (int i = 0; i < loops; ++i) ((at[K] += index[i] * arguments.step(K, i)), ...);
  }
};

// The instructions of a program for `count` neighbors along the last loop, 1 to group_size: in a row, from `column` on.
template <class Program, class Arguments>
struct scalar_program {
  Arguments const& arguments;
  scalar_places<Program> const& places;
  scalar_registers<Program>& registers;
  int count = group_size;
  std::int64_t column = 0;
  int segment = 0;

  // The value of instruction I for neighbor k.
  template <int I>
  TESSERA_FUNCTION lane_of<Program::code[I].element>& at(int k = 0) const {
    constexpr int lanes = lanes_at<Program, I>;
    return static_cast<scalar_slot<I, lane_of<Program::code[I].element>, lanes>&>(registers).value[lanes == 1 ? 0 : k];
  }
  template <int Operand>
  TESSERA_FUNCTION std::int64_t step() const {
    return arguments.step(Operand, arguments.rank - 1);
  }
  template <int Operand>
  TESSERA_FUNCTION std::int64_t offset() const {
    if constexpr (Program::by_rows)
      return places.at[Operand] + column * step<Operand>() + arguments.shift(segment, Operand);
    else
      return places.at[Operand];
  }
  template <int I>
  TESSERA_FUNCTION void evaluate() const {
    constexpr code_kind kind = Program::code[I].kind;
    constexpr dtype element = Program::code[I].element;
    constexpr int a = Program::code[I].a, b = Program::code[I].b, c = Program::code[I].c;
    constexpr int lanes = lanes_at<Program, I>;
    using T = element_of<element>;
    using A = lane_of<element>;
    if constexpr (kind == code_kind::load) {
      auto const* const from = reinterpret_cast<T const*>(arguments.base(a)) + offset<a>();
      if constexpr (lanes == 1)
        at<I>() = static_cast<A>(*from);
      else
        load_group(from, step<a>(), count, [&](int k, T x) { at<I>(k) = static_cast<A>(x); });
    } else if constexpr (kind == code_kind::store) {
      auto* const to = reinterpret_cast<T*>(arguments.base(b)) + offset<b>();
      if constexpr (lanes == 1)
        *to = static_cast<T>(at<a>());
      else
        store_group(to, step<b>(), count, [&](int k) { return static_cast<T>(at<a>(k)); });
    } else if constexpr (kind == code_kind::index) {
      TESSERA_UNROLL
      for (int k = 0; k < lanes; ++k) at<I>(k) = static_cast<A>(offset<a>() + k * step<a>());
    } else if constexpr (kind == code_kind::literal) {
      at<I>() = literal_as<A>(arguments.literal(a));
    } else if constexpr (kind == code_kind::compute) {
      using Op = typename Program::template op<I>;
      TESSERA_UNROLL
      for (int k = 0; k < lanes; ++k) {
        if constexpr (c >= 0)
          at<I>(k) = evaluate_op<Op, element>(at<a>(k), at<b>(k), at<c>(k));
        else if constexpr (b >= 0)
          at<I>(k) = evaluate_op<Op, element>(at<a>(k), at<b>(k));
        else
          at<I>(k) = evaluate_op<Op, element>(at<a>(k));
      }
    }
  }
};

}  // namespace detail
}  // namespace tessera
