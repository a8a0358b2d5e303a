// SPDX-License-Identifier: Apache-2.0
#pragma once
// Compiled fused groups on the host: 64 elements at a time, instruction after instruction, every value in L1.
// A loop is one function per operation and types, shared by all programs; a program is the sequence of its calls.

#include <tessera/exec/program.hpp>
#include <tessera/exec/strip.hpp>

namespace tessera {

namespace detail {

template <dtype D>
using lane_of = register_of<element_of<D>>;

template <class Op, class R, class... X>
concept Converts = requires(X... x) {
  Op::template convert<R>(x...);
};

// One element: what host loops and device kernels evaluate. A cast to a 16-bit type rounds.
template <class Op, dtype D, class... X>
TESSERA_FUNCTION inline lane_of<D> evaluate_op(X... x) {
  using R = lane_of<D>;
  if constexpr (Converts<Op, R, X...>) {  // a requires-expression on x... itself is false for nvcc
    R const converted = Op::template convert<R>(x...);
    if constexpr (std::is_same_v<R, element_of<D>>)
      return converted;
    else
      return static_cast<R>(element_of<D>(converted));
  } else {
    return static_cast<R>(Op::eval(x...));
  }
}

// An operand of a loop: its lanes, or one value for all of them.
template <class A, bool Uniform>
struct lane_source {
  A const* at;
  A operator[](int j) const { return Uniform ? *at : at[j]; }
};

template <class Op, dtype D, class... Source>
TESSERA_NOINLINE void run_lanes(lane_of<D>* out, int lanes, Source... in) {
  constexpr int stride = 16;  // rows may be short; the inner loop has a known length and no tail
  for (int j0 = 0; j0 < lanes; j0 += stride) {
    TESSERA_VECTORIZE
    for (int j = 0; j < stride; ++j) out[j0 + j] = evaluate_op<Op, D>(in[j0 + j]...);
  }
}

// The register of instruction I: one value, 64 lanes, or, of a load, a place in memory that holds whole lanes.
enum class slot_kind { none, value, lanes, loaded, reduction };
constexpr slot_kind slot_kind_of(instruction const& i) {
  if (i.kind == code_kind::store) return slot_kind::none;
  if (i.kind == code_kind::reduce) return slot_kind::reduction;
  if (is_uniform(i)) return slot_kind::value;
  return i.kind == code_kind::load ? slot_kind::loaded : slot_kind::lanes;
}
template <int I, dtype D, slot_kind Kind>
struct lane_slot {};
template <int I, dtype D>
struct lane_slot<I, D, slot_kind::value> {
  lane_of<D> value;
  lane_source<lane_of<D>, true> read() const { return {&value}; }
};
template <int I, dtype D>
struct lane_slot<I, D, slot_kind::lanes> {
  alignas(64) lane_of<D> lanes[block_size];
  lane_source<lane_of<D>, false> read() const { return {lanes}; }
};
template <int I, dtype D>
struct lane_slot<I, D, slot_kind::loaded> {
  alignas(64) lane_of<D> lanes[block_size];
  lane_of<D> const* from;
  lane_source<lane_of<D>, false> read() const { return {from}; }
};
template <int I, dtype D>
struct lane_slot<I, D, slot_kind::reduction> {
  alignas(64) lane_of<D> block[block_size];
  lane_source<lane_of<D>, true> read() const { return {block}; }
};

template <class Program, class Sequence = std::make_index_sequence<static_cast<std::size_t>(Program::size)>>
struct lane_registers;
template <class Program, std::size_t... I>
struct lane_registers<Program, std::index_sequence<I...>>
    : lane_slot<static_cast<int>(I), Program::code[I].element, slot_kind_of(Program::code[I])>... {};

template <class Program>
struct row_passes {
  static constexpr int size = Program::size;
  std::array<int, static_cast<std::size_t>(size)> phase{};
  int passes = 1;
  constexpr row_passes() {
    for (int i = 0; i < size; ++i) {
      phase[static_cast<std::size_t>(i)] = phase_of(Program::code, phase.data(), i);
      passes = std::max(passes, phase[static_cast<std::size_t>(i)] + 1);
    }
  }
  constexpr std::array<bool, static_cast<std::size_t>(size)> needed(int pass) const {
    std::array<bool, static_cast<std::size_t>(size)> result{};
    mark_needed(Program::code, phase.data(), size, pass, result.data());
    return result;
  }
  // Computed by some pass before this one.
  constexpr std::array<bool, static_cast<std::size_t>(size)> done_before(int pass) const {
    std::array<bool, static_cast<std::size_t>(size)> result{};
    for (int p = 0; p < pass; ++p) {
      auto const now = needed(p);
      for (std::size_t i = 0; i < now.size(); ++i) result[i] = result[i] || now[i];
    }
    return result;
  }
};

template <class Program>
class compiled;
template <class... Instructions>
class compiled<program<Instructions...>> {
  using source = program<Instructions...>;
  static constexpr int size = source::size;
  static constexpr row_passes<source> passes{};
  using all = std::make_index_sequence<static_cast<std::size_t>(size)>;

public:
  // A strip_function.
  static void strip(fused_work const& w, strip_start const* at, std::int64_t rows, std::int64_t columns) {
    compiled self(w, at, rows);
    if constexpr (source::by_rows)
      self.row(columns, std::make_index_sequence<static_cast<std::size_t>(passes.passes)>{});
    else
      self.elements(columns, all{});
  }

private:
  compiled(fused_work const& w, strip_start const* starts, std::int64_t rows) : w_(w), starts_(starts), rows_(rows) {}

  static constexpr instruction at(int i) { return source::code[i]; }
  template <int I>
  using slot_of = lane_slot<I, source::code[I].element, slot_kind_of(source::code[I])>;
  template <int I>
  using op_of = typename source::template op<I>;
  template <int I>
  slot_of<I>& slot() {
    return registers_;
  }
  strip_shape shape(int operand) const {
    return {rows_, w_.step(operand, w_.rank - 2), columns_, w_.step(operand, w_.rank - 1)};
  }
  template <class T>
  T* address(int operand) const {
    return reinterpret_cast<T*>(starts_[operand].address) + column_ * w_.step(operand, w_.rank - 1);
  }

  template <std::size_t... I>
  void elements(std::int64_t columns, std::index_sequence<I...>) {
    (evaluate_value<static_cast<int>(I)>(), ...);
    for (column_ = 0; column_ < columns; column_ += block_size) {
      next_block(columns);
      (evaluate_lanes<static_cast<int>(I)>(), ...);
    }
  }

  template <std::size_t... P>
  void row(std::int64_t columns, std::index_sequence<P...>) {
    (pass<static_cast<int>(P)>(columns, all{}), ...);
  }
  template <int P, std::size_t... I>
  void pass(std::int64_t columns, std::index_sequence<I...>) {
    constexpr auto needed = passes.needed(P), done = passes.done_before(P);
    column_ = 0;
    columns_ = 1;
    (evaluate_value<static_cast<int>(I), passes.phase[I] == P>(), ...);
    if constexpr ((needed[I] || ...)) {
      (start_reduction<static_cast<int>(I), needed[I]>(), ...);
      bool const kept = columns <= block_size;  // the elements of earlier passes are still in their registers
      for (column_ = 0; column_ < columns; column_ += block_size) {
        next_block(columns);
        (evaluate_in_row<static_cast<int>(I), needed[I], done[I]>(kept), ...);
      }
      (end_reduction<static_cast<int>(I), needed[I]>(), ...);
    }
  }
  void next_block(std::int64_t columns) {
    columns_ = std::min<std::int64_t>(block_size, columns - column_);
    lanes_ = static_cast<int>((rows_ * columns_ + 15) / 16 * 16);
  }

  template <int I, bool Needed>
  void start_reduction() {
    if constexpr (Needed && at(I).kind == code_kind::reduce) loops<I>.start(slot<I>().block, block_size);
  }
  template <int I, bool Needed>
  void end_reduction() {
    if constexpr (Needed && at(I).kind == code_kind::reduce) loops<I>.fold(slot<I>().block);
  }
  template <int I, bool Needed, bool Done>
  void evaluate_in_row(bool kept) {
    if constexpr (Needed && at(I).kind == code_kind::reduce) {
      auto const in = slot<at(I).a>().read();
      if constexpr (is_uniform(at(at(I).a))) {
        lane_of<at(I).element> all_lanes[block_size];
        std::fill_n(all_lanes, block_size, in[0]);
        merge_lanes<source::monoids[I], lane_of<source::code[I].element>>(slot<I>().block, all_lanes, columns_);
      } else {
        merge_lanes<source::monoids[I], lane_of<source::code[I].element>>(slot<I>().block, in.at, columns_);
      }
    } else if constexpr (Needed) {
      if (!Done || !kept) evaluate_lanes<I>();
    }
  }
  template <int I>
  static constexpr lane_functions const& loops = lane_table<element_of<source::code[I].element>, source::monoids[I]>;

  // One value for the row, or for everything.
  template <int I, bool Now = true>
  void evaluate_value() {
    if constexpr (Now && is_uniform(at(I)) && at(I).kind != code_kind::reduce) {
      constexpr instruction it = at(I);
      using T = element_of<it.element>;
      if constexpr (it.kind == code_kind::literal)
        std::memcpy(&slot<I>().value, &w_.literals[static_cast<std::size_t>(it.a)], sizeof(lane_of<it.element>));
      else if constexpr (it.kind == code_kind::load)
        slot<I>().value = static_cast<lane_of<it.element>>(*address<T const>(it.a));
      else if constexpr (it.kind == code_kind::store)
        *address<T>(it.b) = static_cast<T>(slot<it.a>().read()[0]);
      else if constexpr (it.c >= 0)
        slot<I>().value =
            evaluate_op<op_of<I>, it.element>(slot<it.a>().read()[0], slot<it.b>().read()[0], slot<it.c>().read()[0]);
      else if constexpr (it.b >= 0)
        slot<I>().value = evaluate_op<op_of<I>, it.element>(slot<it.a>().read()[0], slot<it.b>().read()[0]);
      else
        slot<I>().value = evaluate_op<op_of<I>, it.element>(slot<it.a>().read()[0]);
    }
  }

  template <int I>
  void evaluate_lanes() {
    constexpr instruction it = at(I);
    using T = element_of<it.element>;
    if constexpr (is_uniform(it) || it.kind == code_kind::reduce) {
    } else if constexpr (it.kind == code_kind::load) {
      load<I, T>();
    } else if constexpr (it.kind == code_kind::index) {
      index_strip(element_table<T>, slot<I>().lanes, starts_[it.a].index + column_ * w_.step(it.a, w_.rank - 1),
                  sizeof(lane_of<it.element>), shape(it.a));
      fill_tail(slot<I>().lanes);
    } else if constexpr (it.kind == code_kind::store) {
      store<I, T>();
    } else if constexpr (it.c >= 0) {
      run_lanes<op_of<I>, it.element>(slot<I>().lanes, lanes_, slot<it.a>().read(), slot<it.b>().read(),
                                      slot<it.c>().read());
    } else if constexpr (it.b >= 0) {
      run_lanes<op_of<I>, it.element>(slot<I>().lanes, lanes_, slot<it.a>().read(), slot<it.b>().read());
    } else {
      run_lanes<op_of<I>, it.element>(slot<I>().lanes, lanes_, slot<it.a>().read());
    }
  }
  template <int I, class T>
  void load() {
    constexpr int operand = at(I).a;
    strip_shape const s = shape(operand);
    auto& own = slot<I>();
    own.from = own.lanes;
    if constexpr (std::is_same_v<T, register_of<T>>)
      if (s.count() == block_size && s.flat() && s.column_step == 1) {
        own.from = address<T const>(operand);
        return;
      }
    load_strip(element_table<T>, sizeof(T), own.lanes, address<T const>(operand), sizeof(register_of<T>), s);
    fill_tail(own.lanes);
  }
  template <class A>
  void fill_tail(A* lanes) const {
    if (rows_ * columns_ != block_size) fill_lanes(lanes, sizeof(A), rows_ * columns_);
  }
  template <int I, class T>
  void store() {
    constexpr int operand = at(I).b;
    if constexpr (is_uniform(at(at(I).a))) {
      lane_of<at(I).element> all_lanes[block_size];
      std::fill_n(all_lanes, block_size, slot<at(I).a>().read()[0]);
      store_strip(element_table<T>, sizeof(T), address<T>(operand), all_lanes, sizeof(register_of<T>), shape(operand));
    } else {
      store_strip(element_table<T>, sizeof(T), address<T>(operand), slot<at(I).a>().read().at, sizeof(register_of<T>),
                  shape(operand));
    }
  }

  fused_work const& w_;
  strip_start const* starts_;
  std::int64_t rows_, column_ = 0, columns_ = 1;
  int lanes_ = block_size;
  lane_registers<source> registers_;
};

}  // namespace detail

}  // namespace tessera
