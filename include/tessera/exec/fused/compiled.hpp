// SPDX-License-Identifier: Apache-2.0
#pragma once
// Compiled fused groups on the host: one loop per pass over a run of elements, with values in machine registers, and
// the traversal of rows that are such runs. engine/exec/fused/run_strip.hpp uses them, and handles all other rows.

#include <tessera/exec/fused/cut.hpp>
#include <tessera/exec/fused/evaluate.hpp>
#include <tessera/exec/fused/fused_work.hpp>
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

template <class Program>
class compiled;
template <class... Instructions>
class compiled<program<Instructions...>> {
  using source = program<Instructions...>;
  static constexpr int size = source::size;
  static constexpr row_passes<source, true> passes{};
  static constexpr int stride = 16;  // the inner loop has a known length and no tail

  static constexpr bool needed(int p, int i) { return passes.needed[p][i]; }
  static constexpr bool kept(int i) { return passes.kept[i]; }
  static constexpr bool reads_any(int p, int i) {
    for (int k = i + 1; k < size; ++k)
      if (needed(p, k))
        for (int r : reads(source::code[k]).ids)
          if (r == i) return true;
    return false;
  }
  struct list {
    int count = 0, at[size]{};
    constexpr void add(int i) { at[count++] = i; }
  };
  // The instructions that pass P computes in its loop, and the values kept by earlier passes that it reads there.
  template <int P>
  static constexpr list looped = [] {
    list l;
    for (int i = 0; i < size; ++i)
      if (needed(P, i) || (kept(i) && reads_any(P, i))) l.add(i);
    return l;
  }();
  // The uniform values that the loop of pass P reads.
  template <int P>
  static constexpr list constant = [] {
    list l;
    for (int i = 0; i < size; ++i)
      if (is_uniform(source::code[i]) && !needed(P, i) && reads_any(P, i)) l.add(i);
    return l;
  }();
  // The uniform values that become available before the loop of pass P.
  template <int P>
  static constexpr list known = [] {
    list l;
    for (int i = 0; i < size; ++i)
      if (source::code[i].row && source::code[i].kind == code_kind::compute && passes.phase[i] == P) l.add(i);
    return l;
  }();

  template <int I>
  using type = lane_of<source::code[I].element>;
  static constexpr int count_of(dtype element) {
    for (auto const& i : source::code) {
      dtype const held = wide_integer(wide_float(i.element));
      if (held == element) return size;
    }
    return 0;
  }
  struct registers : lane_registers<bool, count_of(dtype::boolean)>,
                     lane_registers<std::int32_t, count_of(dtype::int32)>,
                     lane_registers<std::int64_t, count_of(dtype::int64)>,
                     lane_registers<std::uint64_t, count_of(dtype::uint64)>,
                     lane_registers<float, count_of(dtype::float32)>,
                     lane_registers<double, count_of(dtype::float64)>,
                     lane_registers<complex64, count_of(dtype::complex64)>,
                     lane_registers<complex128, count_of(dtype::complex128)> {
    template <class T>
    TESSERA_INLINE T* held() {
      return static_cast<lane_registers<T, size>&>(*this).of;
    }
  };

  // Evaluates instruction I on registers.
  template <int I>
  TESSERA_INLINE static void compute(registers& r) {
    constexpr instruction it = source::code[I];
    using op = typename source::template op<I>;
    if constexpr (it.c >= 0)
      r.template held<type<I>>()[I] =
          evaluate_op<op, it.element>(r.template held<type<it.a>>()[it.a], r.template held<type<it.b>>()[it.b],
                                      r.template held<type<it.c>>()[it.c]);
    else if constexpr (it.b >= 0)
      r.template held<type<I>>()[I] =
          evaluate_op<op, it.element>(r.template held<type<it.a>>()[it.a], r.template held<type<it.b>>()[it.b]);
    else
      r.template held<type<I>>()[I] = evaluate_op<op, it.element>(r.template held<type<it.a>>()[it.a]);
  }
  // Runs instruction I for one iteration. Look: its value was kept by an earlier pass.
  template <int I, bool Look>
  TESSERA_INLINE static void iterate(registers& r, std::byte* const* at, int j0, int offset, int count) {
    constexpr instruction it = source::code[I];
    using T = type<I>;
    int const j = j0 + offset;
    if constexpr (Look || it.kind == code_kind::load || it.kind == code_kind::index) {
      r.template held<T>()[I] = reinterpret_cast<T const*>(at[I])[j];
    } else if constexpr (it.kind == code_kind::store) {
      reinterpret_cast<T*>(at[I])[j] = static_cast<T>(r.template held<type<it.a>>()[it.a]);
    } else if constexpr (it.kind == code_kind::reduce) {
      constexpr monoid how = source::monoids[I];
      constexpr T none = identity_of<how, T>();
      constexpr bool once = how == monoid::sum || how == monoid::product;  // lanes past the end repeat the first
      T* const lane = reinterpret_cast<T*>(at[I]) + j0 % block_size + offset;
      *lane = combine<how, T>(*lane, !once || j < count ? static_cast<T>(r.template held<type<it.a>>()[it.a]) : none);
    } else {
      compute<I>(r);
      if constexpr (kept(I)) reinterpret_cast<T*>(at[I])[j] = r.template held<T>()[I];
    }
  }
  // Prefetches what pass 0 will load: the next row in a program of rows (during pass 1, if there is one), else further
  // along the same row.
  static constexpr int ahead_pass = passes.passes > 1 ? 1 : 0;
  template <int I>
  TESSERA_INLINE static void fetch_ahead(fused_work const& w, std::byte* const* at, int j) {
    if constexpr (needed(0, I) && needed(ahead_pass, I) && source::code[I].kind == code_kind::load)
      __builtin_prefetch(at[I] + j * static_cast<int>(sizeof(type<I>)) + w.ahead[source::code[I].a], 0, 2);
  }

  // Where the loop of pass P is split in two, if it is.
  template <int P>
  static constexpr loop_cut cut = cut_of<source>(passes.needed[P].data());
  // The instructions of loop `Half` of pass P, and the loads that they need.
  template <int P, int Half>
  static constexpr list body = [] {
    constexpr int last = cut<P>.first;
    auto const computed = [](int i) {
      bool const first = source::code[i].kind == code_kind::compute && i <= last;
      return needed(P, i) && reads(source::code[i]).ids[0] >= 0 && (last < 0 || first == (Half == 0));
    };
    list l;
    for (int k = 0; k < looped<P>.count; ++k) {
      int const i = looped<P>.at[k];
      bool wanted = last < 0 || computed(i);
      for (int reader = i + 1; reader < size && !wanted; ++reader)
        if (computed(reader))
          for (int r : reads(source::code[reader]).ids) wanted = wanted || r == i;
      if (wanted) l.add(i);
    }
    return l;
  }();
  template <int P, int Half, int I, class Between>
  TESSERA_INLINE static void iterate_part(registers& r, std::byte* const* at, Between* between, int j0, int offset,
                                          int count) {
    if constexpr (Half == 1 && I == cut<P>.kept) {
      r.template held<type<I>>()[I] = between[j0 % stream_size + offset];
    } else {
      iterate<I, !needed(P, I)>(r, at, j0, offset, count);
      if constexpr (Half == 0 && I == cut<P>.kept) between[j0 % stream_size + offset] = r.template held<type<I>>()[I];
    }
  }
  // One loop of pass P over elements [from, to) of `count`. Addresses and values are copied, so that the compiler sees
  // that stores do not change them.
  template <int P, int Half, class Between, std::size_t... K, std::size_t... U>
  TESSERA_INLINE static void loop(fused_work const& w, std::byte* const* given, Between* between, int from, int to,
                                  int count, std::index_sequence<K...>, std::index_sequence<U...>) {
    constexpr list const &of = body<P, Half>, &fixed = constant<P>;
    std::byte* at[size];
    ((at[of.at[K]] = given[of.at[K]]), ...);
    registers r;
    ((r.template held<type<fixed.at[U]>>()[fixed.at[U]] =
          *reinterpret_cast<type<fixed.at[U]> const*>(given[fixed.at[U]])),
     ...);
    for (int j0 = from; j0 < to; j0 += stride) {
      if constexpr (P == ahead_pass) (fetch_ahead<of.at[K]>(w, at, j0), ...);
      TESSERA_VECTORIZE
      for (int j = 0; j < stride; ++j) (iterate_part<P, Half, of.at[K]>(r, at, between, j0, j, count), ...);
    }
  }
  template <int P, int Half, class Between>
  TESSERA_INLINE static void part(fused_work const& w, std::byte* const* at, Between* between, int from, int to,
                                  int count) {
    loop<P, Half>(w, at, between, from, to, count, std::make_index_sequence<body<P, Half>.count>{},
                  std::make_index_sequence<constant<P>.count>{});
  }
  // Pass P over `elements` elements.
  template <int P>
  static void each(fused_work const& w, std::byte* const* at, std::int64_t elements) {
    int const count = static_cast<int>(elements);
    if constexpr (cut<P>.first < 0) {
      part<P, 0>(w, at, static_cast<char*>(nullptr), 0, count, count);
    } else {
      constexpr int most = stream_size;
      alignas(64) type<cut<P>.kept> between[most];
      for (int from = 0; from < count; from += most) {
        int const to = count - from < most ? count : from + most;
        part<P, 0>(w, at, between, from, to, count);
        part<P, 1>(w, at, between, from, to, count);
      }
    }
  }

  template <int I>
  static void evaluate_value(std::byte* const* at) {
    registers r;
    constexpr read_registers read = reads(source::code[I]);
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      ((r.template held<type<read.ids[K]>>()[read.ids[K]] =
            *reinterpret_cast<type<read.ids[K]> const*>(at[read.ids[K]])),
       ...);
    }
    (std::make_index_sequence<(read.ids[1] < 0 ? 1 : read.ids[2] < 0 ? 2 : 3)>{});
    compute<I>(r);
    *reinterpret_cast<type<I>*>(at[I]) = r.template held<type<I>>()[I];
  }
  template <int P>
  static void once(fused_work const&, std::byte* const* at, std::int64_t) {
    [at]<std::size_t... K>(std::index_sequence<K...>) { (evaluate_value<known<P>.at[K]>(at), ...); }
    (std::make_index_sequence<known<P>.count>{});
  }

  // One row: moves and reductions before and after the loops of pass P. `w` has one segment, and its operands are runs
  // or repeat one value.
  struct row_at {
    fused_work const& w;
    strip_start const* starts;
    std::int64_t const* shift;
    std::int64_t row;
    template <int I>
    TESSERA_INLINE std::byte* address() const {
      constexpr int k = source::code[I].kind == code_kind::load ? source::code[I].a : source::code[I].b;
      constexpr std::int64_t bytes = sizeof(element_of<source::code[I].element>);
      return starts[k].address + (shift[k] + row * w.step(k, w.rank - 2)) * bytes;
    }
  };
  template <int P, int I>
  TESSERA_INLINE static void enter(row_at const& here, std::byte** at, std::byte* const* lanes, std::int64_t columns) {
    constexpr instruction it = source::code[I];
    using T = type<I>;
    if constexpr (it.kind == code_kind::reduce) {
      if constexpr (needed(P, I))
        std::fill_n(reinterpret_cast<T*>(at[I]), block_size, identity_of<source::monoids[I], T>());
    } else if constexpr (it.kind == code_kind::load || it.kind == code_kind::store) {
      using element = element_of<it.element>;
      if constexpr (!it.row && needed(P, I)) {
        at[I] = here.template address<I>();
        if constexpr (it.kind == code_kind::load)
          if (here.w.repeats) repeat<I>(here.w, at[I], lanes[I], std::min(columns, stream_size));
      } else if constexpr (it.kind == code_kind::load && it.row && passes.phase[I] == P)
        *reinterpret_cast<T*>(at[I]) = static_cast<T>(*reinterpret_cast<element const*>(here.template address<I>()));
    }
  }
  template <int P, int I>
  TESSERA_INLINE static void put_value(row_at const& here, std::byte* const* at) {
    constexpr instruction it = source::code[I];
    if constexpr (it.kind == code_kind::store && it.row && passes.phase[I] == P)
      *reinterpret_cast<element_of<it.element>*>(here.template address<I>()) =
          static_cast<element_of<it.element>>(*reinterpret_cast<type<it.a> const*>(at[it.a]));
  }
  template <int P, int I>
  TESSERA_INLINE static void end(std::byte* const* at) {
    constexpr instruction it = source::code[I];
    if constexpr (it.kind == code_kind::reduce && needed(P, I)) {
      auto* const lanes = reinterpret_cast<type<I>*>(at[I]);
      fold_lanes<source::monoids[I], type<I>>(lanes);
      *lanes = settled<element_of<it.element>>(*lanes);
    }
  }
  template <int P, std::size_t... I>
  TESSERA_INLINE static void pass_over(row_at const& here, std::byte** at, std::byte* const* lanes,
                                       std::int64_t columns, std::index_sequence<I...>) {
    (enter<P, static_cast<int>(I)>(here, at, lanes, columns), ...);
    if constexpr (known<P>.count > 0) once<P>(here.w, at, 1);
    (put_value<P, static_cast<int>(I)>(here, at), ...);
    if constexpr (looped<P>.count > 0 && along<P>.count == 0) {
      each<P>(here.w, at, columns);
    } else if constexpr (looped<P>.count > 0) {
      if ((here.w.repeats && columns > stream_size) || (stores(P) && here.w.streams))
        by_pieces<P>(here.w, at, lanes, columns, std::make_index_sequence<along<P>.count>{});
      else
        each<P>(here.w, at, columns);
    }
    (end<P, static_cast<int>(I)>(at), ...);
  }
  // The instructions of pass P with one element per column: loads, stores and kept values.
  template <int P>
  static constexpr list along = [] {
    list l;
    for (int i = 0; i < size; ++i) {
      auto const kind = source::code[i].kind;
      if (kept(i) || (needed(P, i) && (kind == code_kind::load || kind == code_kind::store))) l.add(i);
    }
    return l;
  }();
  static constexpr bool stores(int p) {
    for (int i = 0; i < size; ++i)
      if (source::code[i].kind == code_kind::store && needed(p, i)) return true;
    return false;
  }
  // Pass P in pieces of stream_size elements: its stores bypass the caches, from lanes, or its loads repeat a value.
  template <int P, std::size_t... K>
  static void by_pieces(fused_work const& w, std::byte** at, std::byte* const* lanes, std::int64_t columns,
                        std::index_sequence<K...>) {
    constexpr list const& moved = along<P>;
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
    return in_lanes ? lanes : row + done * register_bytes(source::code[i].element);
  }
  TESSERA_INLINE static void send(int i, std::byte* row, std::byte const* lanes, std::int64_t done, std::int64_t now) {
    std::int64_t const bytes = register_bytes(source::code[i].element);
    if (source::code[i].kind == code_kind::store) stream_run(row + done * bytes, lanes, now * bytes);
  }
  // A load of one value for the row: reads lanes that are filled with it.
  template <int I>
  TESSERA_INLINE static void repeat(fused_work const& w, std::byte*& at, std::byte* lanes, std::int64_t count) {
    if (w.step(source::code[I].a, w.rank - 1) != 0) return;
    std::fill_n(reinterpret_cast<type<I>*>(lanes), count, *reinterpret_cast<type<I> const*>(at));
    at = lanes;
  }
  template <std::size_t... P>
  static void rows(fused_work const& w, strip_start const* starts, std::byte** at, std::int64_t count,
                   std::int64_t columns) {
    std::byte* lanes[size];
    std::copy_n(at, size, lanes);
    for (row_at here{w, starts, w.shift(0), 0}; here.row < count; ++here.row)
      (pass_over<static_cast<int>(P)>(here, at, lanes, columns, std::make_index_sequence<size>{}), ...);
  }
  // Levels that TESSERA_ARCH requests besides the level of the compiler's flags. Complex numbers are not compiled for
  // x86-64-v4.
  static constexpr bool of_complex = sizeof(lane_registers<complex64, count_of(dtype::complex64)>) > 1 ||
                                     sizeof(lane_registers<complex128, count_of(dtype::complex128)>) > 1;
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
    if constexpr (looped<P>.count > 0) made.each = at_level<own<L>, &each<P>>;
    if constexpr (known<P>.count > 0) made.once = &once<P>;
    made.needed = passes.needed[P].data();
    return made;
  }
  template <level L, std::size_t... P>
  static constexpr std::array<compiled_strip::pass, sizeof...(P)> all_passes(std::index_sequence<P...>) {
    return {pass_of<L, static_cast<int>(P)>()...};
  }
  using pass_indices = std::make_index_sequence<passes.passes>;
  template <level L>
  static constexpr auto table = all_passes<L>(pass_indices{});
  template <level L>
  static constexpr compiled_strip strip{rows_of<L>(pass_indices{}), table<L>.data(), passes.passes, passes.kept.data()};

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
