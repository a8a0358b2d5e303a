// SPDX-License-Identifier: Apache-2.0
#pragma once
// Compiled fused groups on the host: one loop per pass over a run of elements, with values in machine registers, and
// the traversal of rows that are such runs. engine/exec/fused/run_strip.hpp uses them, and handles all other rows.

#include <tessera/exec/fused/loop_bodies.hpp>
#include <tessera/exec/fused/statement.hpp>

TESSERA_LOOPS_BEGIN
namespace tessera::detail {

// One row of a group: `w` has one segment, and its operands are runs or repeat one value.
struct compiled_row {
  fused_work const& w;
  strip_start const* starts;
  std::int64_t const* shift;
  std::int64_t row;
  TESSERA_INLINE std::byte* address(int operand, std::int64_t element_bytes) const {
    return starts[operand].address + (shift[operand] + row * w.step(operand, w.rank - 2)) * element_bytes;
  }
};
// A value that repeats along a row fills its lanes by so many at a time: a constant, for short rows.
inline constexpr std::int64_t turn_lanes = 16;

// What precedes and follows a loop for instruction I: moves of single values, addresses, and reductions.
template <int I, class Code>
struct around_loop {
  static constexpr instruction it = Code::value;
  static constexpr int operand = it.kind == code_kind::load ? it.a : it.b;
  using element = element_of<it.element>;
  using T = lane_of<it.element>;

  TESSERA_INLINE static void enter(compiled_row const& here, std::byte** at, std::byte* const* lanes,
                                   std::int64_t columns) {
    if constexpr (it.kind == code_kind::reduce) {
      std::fill_n(reinterpret_cast<T*>(at[I]), block_size, identity_of<Code::reduction, T>());
    } else if constexpr (it.row) {
      *reinterpret_cast<T*>(at[I]) =
          static_cast<T>(*reinterpret_cast<element const*>(here.address(operand, sizeof(element))));
    } else {
      at[I] = here.address(operand, sizeof(element));
      if constexpr (it.kind == code_kind::load)
        if (here.w.repeats && here.w.step(operand, here.w.rank - 1) == 0) {  // reads lanes filled with the one value
          auto* const to = reinterpret_cast<element*>(lanes[I]);
          element const value = *reinterpret_cast<element const*>(at[I]);
          for (std::int64_t j = 0, end = std::min(columns, stream_size); j < end; j += turn_lanes)
            std::fill_n(to + j, turn_lanes, value);
          at[I] = lanes[I];
        }
    }
  }
  template <class From>
  TESSERA_INLINE static void put(compiled_row const& here, std::byte* const* at) {
    *reinterpret_cast<element*>(here.address(operand, sizeof(element))) =
        static_cast<element>(*reinterpret_cast<From const*>(at[it.a]));
  }
  TESSERA_INLINE static void end(std::byte* const* at) {
    auto* const lanes = reinterpret_cast<T*>(at[I]);
    fold_lanes<Code::reduction, T>(lanes);
    *lanes = settled<element>(*lanes);
  }
};

template <class Program>
class compiled;
template <class... Instructions>
class compiled<program<Instructions...>> {
  using source = program<Instructions...>;
  using bodies = loop_bodies<source>;
  using list = instruction_list<source::size>;
  static constexpr int size = source::size;
  // The inner loop has a known length and no tail. g++ 12 makes vectors of elements of fewer than 4 bytes, and of their
  // registers, as long as a machine's longest only where it has 32 of them.
  static constexpr bool narrow =
      ((is_move(Instructions::value.kind) && !is_staged(Instructions::value) &&
        bytes_of(Instructions::value.element) < 4 &&
        bytes_of(Instructions::value.element) < register_bytes(Instructions::value.element)) ||
       ...);
  static constexpr int stride = narrow ? 32 : 16;
  static constexpr bool stages = (is_staged(Instructions::value) || ...);
  template <int P>
  static constexpr pass_bodies<size> const& pass = bodies::of[P];
  static constexpr bool needed(int p, int i) { return bodies::passes.needed[p][i]; }

  template <int I>
  using code_at = typename source::template at<I>;
  template <int I>
  using type = lane_of<source::code[I].element>;
  template <int I>
  struct read_type {
    using of = type<I>;
  };
  template <int I>
    requires(I < 0)
  struct read_type<I> {
    using of = void;
  };
  // The register type of what instruction I reads in its place K; void: it reads nothing there.
  template <int I, int K>
  using operand_type = typename read_type<reads(source::code[I]).ids[K]>::of;
  template <int P, int I>
  static constexpr turn turn_of = !needed(P, I)            ? turn::look
                                  : bodies::passes.kept[I] ? turn::keep
                                                           : turn::run;
  template <int P, int I>
  using statement_at =
      statement<I, code_at<I>, turn_of<P, I>, operand_type<I, 0>, operand_type<I, 1>, operand_type<I, 2>>;
  template <int P, int Half, int I>
  using statement_in =
      std::conditional_t<I == pass<P>.cut.kept, handed_over<I, statement_at<P, I>, Half == 1>, statement_at<P, I>>;
  static constexpr unsigned register_types = [] {
    unsigned types = 0;
    ((types |= register_bit<lane_of<Instructions::value.element>>), ...);
    return types;
  }();
  using registers = register_file<size, register_types>;

  // Prefetches what pass 0 will load: the next row in a program of rows (during pass 1, if there is one), else further
  // along the same row.
  static constexpr int ahead_pass = bodies::count > 1 ? 1 : 0;
  template <int I>
  TESSERA_INLINE static void fetch_ahead(fused_work const& w, std::byte* const* at, int j) {
    if constexpr (needed(0, I) && source::code[I].kind == code_kind::load)
      __builtin_prefetch(at[I] + j * bytes_of(source::code[I].element) + w.ahead[source::code[I].a], 0, 2);
  }

  // Between memory and the floats that the statements of one turn have in place of 16-bit elements.
  template <int I, code_kind Kind>
  TESSERA_INLINE static void stage(std::byte* const* given, float* floats, int j0) {
    constexpr instruction it = source::code[I];
    if constexpr (it.kind == Kind && is_staged(it)) {
      auto* const elements = reinterpret_cast<element_of<it.element>*>(given[I]) + j0;
      if constexpr (Kind == code_kind::load)
        widen_lanes<stride>(floats, elements);
      else
        narrow_lanes<stride>(elements, floats);
    }
  }

  // One loop of pass P over elements [from, to) of `count`. Addresses and values are copied, so that the compiler sees
  // that stores do not change them.
  template <int P, int Half, class Between, std::size_t... K, std::size_t... U>
  TESSERA_INLINE static void loop(fused_work const& w, std::byte* const* given, Between* between, int from, int to,
                                  int count, std::index_sequence<K...>, std::index_sequence<U...>) {
    constexpr list const &of = pass<P>.half[Half], &fixed = pass<P>.constant;
    std::byte* at[size];
    ((at[of.at[K]] = given[of.at[K]]), ...);
    registers r;
    ((r.template held<type<fixed.at[U]>>()[fixed.at[U]] =
          *reinterpret_cast<type<fixed.at[U]> const*>(given[fixed.at[U]])),
     ...);
    [[maybe_unused]] alignas(64) float floats[stages ? of.count : 1][stages ? stride : 1];
    if constexpr (stages)
      ((is_staged(source::code[of.at[K]]) ? void(at[of.at[K]] = reinterpret_cast<std::byte*>(floats[K])) : void()),
       ...);
    for (int j0 = from; j0 < to; j0 += stride) {
      if constexpr (P == ahead_pass) (fetch_ahead<of.at[K]>(w, given, j0), ...);
      if constexpr (stages) (stage<of.at[K], code_kind::load>(given, floats[K], j0), ...);
      TESSERA_VECTORIZE
      for (int j = 0; j < stride; ++j) (statement_in<P, Half, of.at[K]>::run(r, at, between, j0, j, count), ...);
      if constexpr (stages) (stage<of.at[K], code_kind::store>(given, floats[K], j0), ...);
    }
  }
  template <int P, int Half, class Between>
  TESSERA_INLINE static void part(fused_work const& w, std::byte* const* at, Between* between, int from, int to,
                                  int count) {
    loop<P, Half>(w, at, between, from, to, count, std::make_index_sequence<pass<P>.half[Half].count>{},
                  std::make_index_sequence<pass<P>.constant.count>{});
  }
  // Pass P over `elements` elements.
  template <int P>
  TESSERA_FLATTEN static void each(fused_work const& w, std::byte* const* at, std::int64_t elements) {
    int const count = static_cast<int>(elements);
    if constexpr (pass<P>.cut.first < 0) {
      part<P, 0>(w, at, static_cast<char*>(nullptr), 0, count, count);
    } else {
      constexpr int most = stream_size;
      alignas(64) type<pass<P>.cut.kept> between[most];
      for (int from = 0; from < count; from += most) {
        int const to = count - from < most ? count : from + most;
        part<P, 0>(w, at, between, from, to, count);
        part<P, 1>(w, at, between, from, to, count);
      }
    }
  }
  template <int I>
  static void evaluate_once_at(std::byte* const* at) {
    evaluate_once<I, code_at<I>, operand_type<I, 0>, operand_type<I, 1>, operand_type<I, 2>>(at);
  }
  template <int P>
  static void once(fused_work const&, std::byte* const* at, std::int64_t) {
    [at]<std::size_t... K>(std::index_sequence<K...>) { (evaluate_once_at<pass<P>.known.at[K]>(at), ...); }
    (std::make_index_sequence<pass<P>.known.count>{});
  }

  // One row: moves and reductions before and after the loop of pass P.
  template <int P, std::size_t... N, std::size_t... S, std::size_t... E>
  TESSERA_INLINE static void pass_over(compiled_row const& here, std::byte** at, std::byte* const* lanes,
                                       std::int64_t columns, std::index_sequence<N...>, std::index_sequence<S...>,
                                       std::index_sequence<E...>) {
    constexpr pass_bodies<size> const& of = pass<P>;
    (around_loop<of.entered.at[N], code_at<of.entered.at[N]>>::enter(here, at, lanes, columns), ...);
    if constexpr (of.known.count > 0) once<P>(here.w, at, 1);
    (around_loop<of.put.at[S], code_at<of.put.at[S]>>::template put<operand_type<of.put.at[S], 0>>(here, at), ...);
    if constexpr (of.looped.count > 0 && of.along.count == 0) {
      each<P>(here.w, at, columns);
    } else if constexpr (of.looped.count > 0) {
      if ((here.w.repeats && columns > stream_size) || (of.stores && here.w.streams))
        by_pieces<P>(here.w, at, lanes, columns, std::make_index_sequence<of.along.count>{});
      else
        each<P>(here.w, at, columns);
    }
    (around_loop<of.ended.at[E], code_at<of.ended.at[E]>>::end(at), ...);
  }
  // Pass P in pieces of stream_size elements: its stores bypass the caches, from lanes, or its loads repeat a value.
  template <int P, std::size_t... K>
  static void by_pieces(fused_work const& w, std::byte** at, std::byte* const* lanes, std::int64_t columns,
                        std::index_sequence<K...>) {
    constexpr list const& moved = pass<P>.along;
    std::byte* const row[]{at[moved.at[K]]...};
    for (std::int64_t done = 0; done < columns; done += stream_size) {
      std::int64_t const now = std::min(stream_size, columns - done);
      ((at[moved.at[K]] = piece(moved.at[K], w.streams, row[K], lanes[moved.at[K]], done)), ...);
      each<P>(w, at, now);
      if (w.streams) (send(moved.at[K], row[K], lanes[moved.at[K]], done, now), ...);
    }
    ((at[moved.at[K]] = row[K]), ...);
  }
  TESSERA_INLINE static std::byte* piece(int i, bool streams, std::byte* row, std::byte* lanes, std::int64_t done) {
    auto const kind = source::code[i].kind;
    bool const in_lanes = kind == code_kind::store ? streams : kind == code_kind::load && row == lanes;
    return in_lanes ? lanes : row + done * lane_bytes(i);
  }
  TESSERA_INLINE static void send(int i, std::byte* row, std::byte const* lanes, std::int64_t done, std::int64_t now) {
    std::int64_t const bytes = lane_bytes(i);
    if (source::code[i].kind == code_kind::store) stream_run(row + done * bytes, lanes, now * bytes);
  }
  // Loads and stores have elements in their lanes, all else has registers.
  static constexpr std::int64_t lane_bytes(int i) {
    auto const& it = source::code[i];
    return is_move(it.kind) ? bytes_of(it.element) : register_bytes(it.element);
  }
  template <std::size_t... P>
  static void rows(fused_work const& w, strip_start const* starts, std::byte** at, std::int64_t count,
                   std::int64_t columns) {
    std::byte* lanes[size];
    std::copy_n(at, size, lanes);
    for (compiled_row here{w, starts, w.shift(0), 0}; here.row < count; ++here.row)
      (pass_over<static_cast<int>(P)>(here, at, lanes, columns,
                                      std::make_index_sequence<pass<static_cast<int>(P)>.entered.count>{},
                                      std::make_index_sequence<pass<static_cast<int>(P)>.put.count>{},
                                      std::make_index_sequence<pass<static_cast<int>(P)>.ended.count>{}),
       ...);
  }
  // Levels that TESSERA_ARCH requests besides the level of the compiler's flags. Complex numbers are not compiled for
  // x86-64-v4.
  static constexpr bool of_complex = (register_types & (register_bit<complex64> | register_bit<complex128>)) != 0;
  template <level L>
  static constexpr level own = of_complex ? without_v4(L) : L;

  template <level L, std::size_t... P>
  static constexpr compiled_strip::rows_function rows_of(std::index_sequence<P...>) {
    for (auto const& i : source::code)
      if (i.kind == code_kind::index) return nullptr;
    return at_level<own<L>, &rows<P...>>;
  }

  template <level L, int P>
  static constexpr compiled_strip::pass pass_of() {
    compiled_strip::pass made;
    if constexpr (pass<P>.looped.count > 0) made.each = at_level<own<L>, &each<P>>;
    if constexpr (pass<P>.known.count > 0) made.once = &once<P>;
    made.needed = bodies::passes.needed[P].data();
    return made;
  }
  template <level L, std::size_t... P>
  static constexpr std::array<compiled_strip::pass, sizeof...(P)> all_passes(std::index_sequence<P...>) {
    return {pass_of<L, static_cast<int>(P)>()...};
  }
  using pass_indices = std::make_index_sequence<bodies::count>;
  template <level L>
  static constexpr auto table = all_passes<L>(pass_indices{});
  template <level L>
  static constexpr compiled_strip strip{rows_of<L>(pass_indices{}), table<L>.data(), bodies::count, stride,
                                        bodies::passes.kept.data()};

public:
  static constexpr compiled_strip value = [] {
    compiled_strip made = strip<level::as_compiled>;
    if constexpr (kernels_for(level::x86_64_v3)) made.for_v3 = &strip<level::x86_64_v3>;
    if constexpr (kernels_for(level::x86_64_v4)) made.for_v4 = &strip<level::x86_64_v4>;
    return made;
  }();
};

}  // namespace tessera::detail
TESSERA_LOOPS_END
