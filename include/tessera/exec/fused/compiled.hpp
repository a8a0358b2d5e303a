// SPDX-License-Identifier: Apache-2.0
#pragma once
// Compiled fused groups on the host: the whole program is one loop over a run of elements, whose values are registers of
// the machine. What is not a run in memory is gathered into 64 lanes first, or scattered from them. Each pass of a row
// program is such a loop; what a later pass needs of an earlier one is kept for the row, not computed again.

#include <tessera/exec/fused/evaluate.hpp>
#include <tessera/exec/fused/lane_slots.hpp>
#include <tessera/exec/fused/program_type.hpp>
#include <tessera/exec/fused/strip.hpp>

namespace tessera {

namespace detail {

// The operands of one iteration: copies, so that the compiler sees that stores do not change them.
template <int I, class T>
struct loop_operand {
  T here;  // a pointer or a value
};
template <int I, class T>
struct loop_value {
  T result;
};
template <class... Parts>
struct loop_parts : Parts... {};

template <class Program>
class compiled;
template <class... Instructions>
class compiled<program<Instructions...>> {
  using source = program<Instructions...>;
  static constexpr int size = source::size;
  static constexpr row_passes<source, true> passes{};
  static constexpr int stride = 16;  // the inner loop has a known length and no tail

public:
  // A strip_function.
  static void strip(fused_work const& w, strip_start const* at, std::int64_t rows, std::int64_t columns) {
    bool const one_block = !source::by_rows && rows * columns <= block_size;
    compiled self(w, at, one_block ? rows : 1);
    for (std::int64_t const last = one_block ? 1 : rows; self.row_ < last; ++self.row_)
      self.run(columns, std::make_integer_sequence<int, size>{}, std::make_integer_sequence<int, passes.passes>{});
  }

private:
  compiled(fused_work const& w, strip_start const* starts, std::int64_t rows)
      : w_(w), starts_(starts), shift_(w.shift(0)), rows_(rows) {}

  static constexpr instruction at(int i) { return source::code[i]; }
  static constexpr bool needed(int p, int i) {
    return passes.needed[static_cast<std::size_t>(p)][static_cast<std::size_t>(i)];
  }
  static constexpr bool stores(int p, int i) { return needed(p, i) && kind_of_slot(i) == slot_kind::delivered; }
  static constexpr bool kept(int i) { return passes.kept[static_cast<std::size_t>(i)]; }
  static constexpr slot_kind kind_of_slot(int i) {
    instruction const it = at(i);
    if (it.kind == code_kind::reduce) return slot_kind::reduction;
    if (it.kind == code_kind::store) return it.row ? slot_kind::none : slot_kind::delivered;
    if (is_uniform(it)) return slot_kind::value;
    if (it.kind == code_kind::load) return slot_kind::gathered;
    if (it.kind == code_kind::index) return slot_kind::lanes;
    return kept(i) ? slot_kind::kept : slot_kind::none;
  }
  template <int I>
  using register_at = lane_of<source::code[I].element>;
  template <int I>
  using slot_of = lane_slot<I, source::code[I].element, kind_of_slot(I)>;
  template <int I>
  using op_of = typename source::template op<I>;
  template <class Sequence>
  struct slots_of;
  template <int... I>
  struct slots_of<std::integer_sequence<int, I...>> {
    using type = lane_slots<slot_of<I>...>;
  };
  template <int I>
  slot_of<I>& slot() {
    return slots_;
  }
  strip_shape shape(int operand) const {
    return {rows_, w_.step(operand, w_.rank - 2), columns_, w_.step(operand, w_.rank - 1)};
  }
  template <class T>
  T* address(int operand) const {
    return reinterpret_cast<T*>(starts_[operand].address) + offset(operand);
  }
  std::int64_t offset(int operand) const {
    return shift_[operand] + row_ * w_.step(operand, w_.rank - 2) + column_ * w_.step(operand, w_.rank - 1);
  }

  template <int... I, int... P>
  void run(std::int64_t columns, std::integer_sequence<int, I...> all, std::integer_sequence<int, P...>) {
    if constexpr ((kept(I) || ...)) {
      segment_lanes_ = (columns + block_size - 1) / block_size * block_size;
      std::int64_t const lanes = segment_lanes_ * w_.segments;
      constexpr std::int64_t few = 256, row_bytes = (0 + ... + (kept(I) ? std::int64_t{sizeof(register_at<I>)} : 0));
      alignas(64) std::byte small[static_cast<std::size_t>(few * row_bytes)];
      std::byte* next = lanes <= few ? small : row_memory(static_cast<std::size_t>(lanes * row_bytes));
      (keep<I>(next, lanes), ...);
      (pass<P>(columns, all), ...);
    } else {
      (pass<P>(columns, all), ...);
    }
  }
  template <int I>
  void keep(std::byte*& next, std::int64_t lanes) {
    if constexpr (kept(I)) {
      slot<I>().row = reinterpret_cast<register_at<I>*>(next);
      next += lanes * static_cast<std::int64_t>(sizeof(register_at<I>));
    }
  }

  template <int P, int... I>
  void pass(std::int64_t columns, std::integer_sequence<int, I...> all) {
    column_ = 0;
    columns_ = 1;
    (evaluate_value<I, passes.phase[static_cast<std::size_t>(I)] == P>(), ...);
    if constexpr ((needed(P, I) || ...)) {
      for (segment_ = 0; segment_ < w_.segments; ++segment_) {
        shift_ = w_.shift(segment_);
        segment<P>(columns, all);
      }
      shift_ = w_.shift(0);
      (end_reduction<P, I>(), ...);
    }
  }
  template <int P, int... I>
  void segment(std::int64_t columns, std::integer_sequence<int, I...> all) {
    (start_reduction<P, I>(), ...);
    bool const streams = w_.streams && (stores(P, I) || ...);
    for (column_ = 0; column_ < columns; column_ += columns_) {
      std::int64_t const left = columns - column_;
      bool const run = w_.runs && rows_ == 1 && (left >= block_size || left % stride == 0);
      if (run) {  // everything in one go but the last elements
        columns_ = left < block_size ? left : left / block_size * block_size;
        if (streams) columns_ = std::min(columns_, stream_size);
        (point<P, I>(streams), ...);
      } else {
        columns_ = std::min<std::int64_t>(block_size, left);
        (fetch<P, I>(), ...);
      }
      evaluate<P>(all);
      if (!run || streams) (deliver<P, I>(run), ...);
    }
    (add_segment<P, I>(), ...);
  }

  template <int P, int I>
  void start_reduction() {
    if constexpr (needed(P, I) && at(I).kind == code_kind::reduce)
      std::fill_n(slot<I>().lanes, block_size, identity_of<source::monoids[I], register_at<I>>());
  }
  template <int P, int I>
  void add_segment() {
    if constexpr (needed(P, I) && at(I).kind == code_kind::reduce) {
      auto& own = slot<I>();
      fold_lanes<source::monoids[I], register_at<I>>(own.lanes);
      own.total = segment_ == 0 ? own.lanes[0] : combine<source::monoids[I], register_at<I>>(own.total, own.lanes[0]);
    }
  }
  template <int P, int I>
  void end_reduction() {
    if constexpr (needed(P, I) && at(I).kind == code_kind::reduce)
      slot<I>().lanes[0] = settled<element_of<at(I).element>>(slot<I>().total);
  }

  // One value for the row, or for everything.
  template <int I, bool Now>
  void evaluate_value() {
    constexpr instruction it = at(I);
    if constexpr (Now && is_uniform(it) && it.kind != code_kind::reduce) {
      using T = element_of<it.element>;
      if constexpr (it.kind == code_kind::literal)
        slot<I>().value = literal_as<register_at<I>>(w_.literals[static_cast<std::size_t>(it.a)]);
      else if constexpr (it.kind == code_kind::load)
        slot<I>().value = static_cast<register_at<I>>(*address<T const>(it.a));
      else if constexpr (it.kind == code_kind::store)
        *address<T>(it.b) = static_cast<T>(uniform<it.a>());
      else if constexpr (it.c >= 0)
        slot<I>().value = evaluate_op<op_of<I>, it.element>(uniform<it.a>(), uniform<it.b>(), uniform<it.c>());
      else if constexpr (it.b >= 0)
        slot<I>().value = evaluate_op<op_of<I>, it.element>(uniform<it.a>(), uniform<it.b>());
      else
        slot<I>().value = evaluate_op<op_of<I>, it.element>(uniform<it.a>());
    }
  }
  template <int I>
  auto uniform() {
    if constexpr (at(I).kind == code_kind::reduce)
      return slot<I>().lanes[0];
    else
      return slot<I>().value;
  }

  template <int P, int I>
  void point(bool streams) {
    if constexpr (stores(P, I))
      slot<I>().at = streams ? slot<I>().lanes : address<register_at<I>>(at(I).b);
    else if constexpr (needed(P, I) && kind_of_slot(I) == slot_kind::gathered)
      slot<I>().at = address<register_at<I>>(at(I).a);
  }
  // Before a block: where each load reads, where each store writes. Lanes past the end repeat the first.
  template <int P, int I>
  void fetch() {
    constexpr instruction it = at(I);
    constexpr slot_kind kind = kind_of_slot(I);
    if constexpr (needed(P, I) && (kind == slot_kind::gathered || kind == slot_kind::delivered)) {
      using T = element_of<it.element>;
      constexpr bool loads = it.kind == code_kind::load;
      constexpr int operand = loads ? it.a : it.b;
      strip_shape const s = shape(operand);
      auto& own = slot<I>();
      own.at = own.lanes;
      if constexpr (std::is_same_v<T, register_of<T>>)
        if (s.count() % block_size == 0 && s.flat() && s.column_step == 1) {
          own.at = address<T>(operand);
          return;
        }
      if constexpr (loads) {
        load_strip(element_table<T>, sizeof(T), own.lanes, address<T const>(operand), sizeof(register_of<T>), s);
        fill_tail(own.lanes);
      }
    } else if constexpr (needed(P, I) && it.kind == code_kind::index) {
      using T = element_of<it.element>;
      index_strip(element_table<T>, slot<I>().lanes, starts_[it.a].index + offset(it.a), sizeof(register_at<I>),
                  shape(it.a));
      fill_tail(slot<I>().lanes);
    }
  }
  template <class A>
  void fill_tail(A* lanes) const {
    if (rows_ * columns_ != block_size) fill_lanes(lanes, sizeof(A), rows_ * columns_);
  }
  // After a block: stores that are not a run in memory, or one that goes past the caches.
  template <int P, int I>
  void deliver(bool run) {
    constexpr instruction it = at(I);
    if constexpr (stores(P, I)) {
      using T = element_of<it.element>;
      auto const& own = slot<I>();
      if (run)
        stream_run(reinterpret_cast<std::byte*>(address<T>(it.b)), reinterpret_cast<std::byte const*>(own.lanes),
                   static_cast<std::size_t>(columns_) * sizeof(T));
      else if (own.at == own.lanes)
        store_strip(element_table<T>, sizeof(T), address<T>(it.b), own.lanes, sizeof(register_of<T>), shape(it.b));
    }
  }

  // What an iteration of pass P reads or writes of instruction I: its value when uniform, a pointer to lanes, or
  // nothing when it is computed there and then.
  template <int P, int I>
  auto loop_operand_of() {
    constexpr slot_kind kind = kind_of_slot(I);
    if constexpr (!needed(P, I) && !used_by(P, I))
      return loop_operand<I, char>{};
    else if constexpr (is_uniform(at(I)) && !needed(P, I))
      return loop_operand<I, register_at<I>>{uniform<I>()};
    else if constexpr (kind == slot_kind::gathered || kind == slot_kind::delivered)
      return loop_operand<I, register_at<I>*>{slot<I>().at};
    else if constexpr (kind == slot_kind::lanes || kind == slot_kind::reduction)
      return loop_operand<I, register_at<I>*>{slot<I>().lanes};
    else if constexpr (kind == slot_kind::kept)
      return loop_operand<I, register_at<I>*>{slot<I>().row + segment_ * segment_lanes_ + column_};
    else
      return loop_operand<I, char>{};
  }

  template <int P, int... I>
  void evaluate(std::integer_sequence<int, I...>) {
    using operands = loop_parts<decltype(loop_operand_of<P, I>())...>;
    operands const in{loop_operand_of<P, I>()...};
    int const count = static_cast<int>(rows_ * columns_);
    for (int j0 = 0; j0 < count; j0 += stride) {
      if constexpr (P == ahead_pass) (fetch_ahead<I>(in, j0), ...);
      TESSERA_VECTORIZE
      for (int j = 0; j < stride; ++j) {
        loop_parts<loop_value<I, register_at<I>>...> values;
        (iterate<P, I>(values, in, j0, j, count), ...);
      }
    }
  }

  // While a row is computed, what the first pass will load of the next one comes closer.
  static constexpr int ahead_pass = passes.passes > 1 ? 1 : -1;
  template <int I, class In>
  TESSERA_INLINE void fetch_ahead(In const& in, int j) const {
    if constexpr (needed(0, I) && needed(ahead_pass, I) && kind_of_slot(I) == slot_kind::gathered) {
      auto const* const here = reinterpret_cast<std::byte const*>(operand<I>(in) + j);
      __builtin_prefetch(here + w_.ahead[static_cast<std::size_t>(at(I).a)], 0, 2);
    }
  }

  // Instruction I of one iteration.
  template <int P, int I, class Values, class In>
  TESSERA_INLINE static void iterate(Values& values, In const& in, int j0, int offset, int count) {
    constexpr instruction it = at(I);
    [[maybe_unused]] int const j = j0 + offset;
    if constexpr (!needed(P, I)) {
      if constexpr (kind_of_slot(I) == slot_kind::kept && used_by(P, I)) part<I>(values) = operand<I>(in)[j];
    } else if constexpr (it.kind == code_kind::load || it.kind == code_kind::index) {
      part<I>(values) = operand<I>(in)[j];
    } else if constexpr (it.kind == code_kind::store) {
      operand<I>(in)[j] = value<it.a>(values, in);
    } else if constexpr (it.kind == code_kind::reduce) {
      constexpr monoid how = source::monoids[I];
      constexpr register_at<I> none = identity_of<how, register_at<I>>();
      constexpr bool once = how == monoid::sum || how == monoid::product;  // lanes past the end repeat the first
      auto* const lane = operand<I>(in) + j0 % block_size + offset;
      *lane = combine<how, register_at<I>>(*lane, !once || j < count ? value<it.a>(values, in) : none);
    } else {
      if constexpr (it.c >= 0)
        part<I>(values) = evaluate_op<op_of<I>, it.element>(value<it.a>(values, in), value<it.b>(values, in),
                                                            value<it.c>(values, in));
      else if constexpr (it.b >= 0)
        part<I>(values) = evaluate_op<op_of<I>, it.element>(value<it.a>(values, in), value<it.b>(values, in));
      else
        part<I>(values) = evaluate_op<op_of<I>, it.element>(value<it.a>(values, in));
      if constexpr (kept(I)) operand<I>(in)[j] = part<I>(values);
    }
  }
  static constexpr bool used_by(int p, int i) {
    for (int k = i + 1; k < size; ++k) {
      if (!needed(p, k)) continue;
      read_registers const read = reads(at(k));
      for (int r : read.ids)
        if (r == i) return true;
    }
    return false;
  }
  template <int I, class T>
  static T& part_of(loop_value<I, T>& v) {
    return v.result;
  }
  template <int I, class Values>
  TESSERA_INLINE static auto& part(Values& values) {
    return part_of<I>(values);
  }
  template <int I, class T>
  static T operand_of(loop_operand<I, T> const& o) {
    return o.here;
  }
  template <int I, class In>
  TESSERA_INLINE static auto operand(In const& in) {
    return operand_of<I>(in);
  }
  template <int I, class Values, class In>
  TESSERA_INLINE static register_at<I> value(Values& values, In const& in) {
    if constexpr (is_uniform(at(I)))
      return operand<I>(in);
    else
      return part<I>(values);
  }

  fused_work const& w_;
  strip_start const* starts_;
  std::int64_t const* shift_;
  std::int64_t rows_, row_ = 0, column_ = 0, columns_ = 1, segment_lanes_ = 0;
  int segment_ = 0;
  typename slots_of<std::make_integer_sequence<int, size>>::type slots_;
};

}  // namespace detail

}  // namespace tessera
