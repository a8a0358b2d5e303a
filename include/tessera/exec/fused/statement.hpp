// SPDX-License-Identifier: Apache-2.0
#pragma once
// One instruction of a compiled group as a type of its own. Its name has what the instruction does and not the group, so
// that the functions of a long group have short names, and equal instructions of several groups are one function.

#include <tessera/exec/fused/evaluate.hpp>
#include <tessera/exec/fused/fused_work.hpp>
#include <tessera/exec/fused/half_lanes.hpp>
#include <tessera/exec/fused/program_type.hpp>

TESSERA_LOOPS_BEGIN
namespace tessera::detail {

// The registers of a program's values of type T, by instruction.
template <class T, int Size>
struct lane_registers {
  T of[Size];
};
template <class T>
struct lane_registers<T, 0> {};

// The register type of an element type as a bit.
template <class T>
inline constexpr unsigned register_bit = std::is_same_v<T, bool>            ? 1
                                         : std::is_same_v<T, std::int32_t>  ? 2
                                         : std::is_same_v<T, std::int64_t>  ? 4
                                         : std::is_same_v<T, std::uint64_t> ? 8
                                         : std::is_same_v<T, float>         ? 16
                                         : std::is_same_v<T, double>        ? 32
                                         : std::is_same_v<T, complex64>     ? 64
                                                                            : 128;
// Registers of the types in Types, Size of each.
template <int Size, unsigned Types>
struct register_file : lane_registers<bool, Types & 1 ? Size : 0>,
                       lane_registers<std::int32_t, Types & 2 ? Size : 0>,
                       lane_registers<std::int64_t, Types & 4 ? Size : 0>,
                       lane_registers<std::uint64_t, Types & 8 ? Size : 0>,
                       lane_registers<float, Types & 16 ? Size : 0>,
                       lane_registers<double, Types & 32 ? Size : 0>,
                       lane_registers<complex64, Types & 64 ? Size : 0>,
                       lane_registers<complex128, Types & 128 ? Size : 0> {
  template <class T>
  TESSERA_INLINE T* held() {
    return static_cast<lane_registers<T, Size>&>(*this).of;
  }
};

constexpr bool is_move(code_kind kind) { return kind == code_kind::load || kind == code_kind::store; }
// Whether a loop moves the elements of this load or store as vectors, before or after its statements, which have floats.
constexpr bool is_staged(instruction const& it) {
  return is_move(it.kind) && !it.row &&
         (it.element == dtype::bfloat16  ? has_half_lanes<bfloat16>
          : it.element == dtype::float16 ? has_half_lanes<float16>
                                         : false);
}

// What a loop does with an instruction: runs it, also keeps its value for later passes, or reads the value that an
// earlier pass kept.
enum class turn : std::uint8_t { run, keep, look };

// Op of the registers A, B, C of types X, Y, Z (void: not read).
template <class Op, dtype D, int A, int B, int C, class X, class Y, class Z, class Registers>
TESSERA_INLINE lane_of<D> evaluate_on(Registers& r) {
  if constexpr (!std::is_void_v<Z>)
    return evaluate_op<Op, D>(r.template held<X>()[A], r.template held<Y>()[B], r.template held<Z>()[C]);
  else if constexpr (!std::is_void_v<Y>)
    return evaluate_op<Op, D>(r.template held<X>()[A], r.template held<Y>()[B]);
  else
    return evaluate_op<Op, D>(r.template held<X>()[A]);
}

// Instruction I of a loop: `Code` is one of namespace code, X, Y, Z are the register types of what it reads, or void.
// run(registers, addresses by instruction, what passes between halves, first element, offset of this one from it,
// elements of the row)
template <int I, class Code, turn Turn, class X, class Y, class Z>
struct statement {
  template <class Registers, class Between>
  TESSERA_INLINE static void run(Registers& r, std::byte* const* at, Between*, int j0, int offset, int count) {
    constexpr instruction it = Code::value;
    using T = lane_of<it.element>;
    using element = element_of<it.element>;
    int const j = j0 + offset;
    if constexpr (Turn == turn::look || it.kind == code_kind::index) {
      r.template held<T>()[I] = reinterpret_cast<T const*>(at[I])[j];
    } else if constexpr (it.kind == code_kind::load && is_staged(it)) {
      r.template held<T>()[I] = reinterpret_cast<T const*>(at[I])[offset];
    } else if constexpr (it.kind == code_kind::store && is_staged(it)) {
      reinterpret_cast<T*>(at[I])[offset] = static_cast<T>(r.template held<X>()[it.a]);
    } else if constexpr (it.kind == code_kind::load) {
      r.template held<T>()[I] = static_cast<T>(reinterpret_cast<element const*>(at[I])[j]);
    } else if constexpr (it.kind == code_kind::store) {
      reinterpret_cast<element*>(at[I])[j] = static_cast<element>(static_cast<T>(r.template held<X>()[it.a]));
    } else if constexpr (it.kind == code_kind::reduce) {
      constexpr monoid how = Code::reduction;
      constexpr T none = identity_of<how, T>();
      constexpr bool once = how == monoid::sum || how == monoid::product;  // lanes past the end repeat the first
      T* const lane = reinterpret_cast<T*>(at[I]) + j0 % block_size + offset;
      *lane = combine<how, T>(*lane, !once || j < count ? static_cast<T>(r.template held<X>()[it.a]) : none);
    } else {
      T const value = evaluate_on<typename Code::op, it.element, it.a, it.b, it.c, X, Y, Z>(r);
      r.template held<T>()[I] = value;
      if constexpr (Turn == turn::keep) reinterpret_cast<T*>(at[I])[j] = value;
    }
  }
};

// `Statement` runs instruction I, whose value the first half of a loop passes to the second through `between`.
template <int I, class Statement, bool Second>
struct handed_over {
  template <class Registers, class T>
  TESSERA_INLINE static void run(Registers& r, std::byte* const* at, T* between, int j0, int offset, int count) {
    if constexpr (Second) {
      r.template held<T>()[I] = between[j0 % stream_size + offset];
    } else {
      Statement::run(r, at, between, j0, offset, count);
      between[j0 % stream_size + offset] = r.template held<T>()[I];
    }
  }
};

// Instruction I, which has one value for a row.
template <int I, class Code, class X, class Y, class Z>
void evaluate_once(std::byte* const* at) {
  constexpr instruction it = Code::value;
  using Op = typename Code::op;
  auto& to = *reinterpret_cast<lane_of<it.element>*>(at[I]);
  if constexpr (!std::is_void_v<Z>)
    to = evaluate_op<Op, it.element>(*reinterpret_cast<X const*>(at[it.a]), *reinterpret_cast<Y const*>(at[it.b]),
                                     *reinterpret_cast<Z const*>(at[it.c]));
  else if constexpr (!std::is_void_v<Y>)
    to = evaluate_op<Op, it.element>(*reinterpret_cast<X const*>(at[it.a]), *reinterpret_cast<Y const*>(at[it.b]));
  else
    to = evaluate_op<Op, it.element>(*reinterpret_cast<X const*>(at[it.a]));
}

}  // namespace tessera::detail
TESSERA_LOOPS_END
