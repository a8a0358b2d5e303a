// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a kernel is written with: its grid, the blocks of its operands and results, its scratch memory.
//   kernel_grid<4, 8>                    4 x 8 instances of the body, which may run at the same time
//   kernel_grid<4, sequential{8}>        4 at the same time, each the 8 of the second dimension in order
//   block_spec<map, 64, 128>             blocks of 64 x 128 elements; map(i, j), with the program ids as arguments, returns
//                                        the block's number along each dimension: std::tuple{i, 0}; one number for rank 1
//   block_spec<map, squeezed, 128>       blocks of 1 x 128 elements, which the body sees as arrays of 128
//   block_spec<map, element<66>, 128>    blocks of 66 x 128 elements of an operand, which may overlap: the map returns the
//                                        first element along that dimension
//   block_spec<map, element<66, 1, 1>, 128>   the same in the array with one row of zeros before and one behind it
//   block_spec<>                         the whole array, in each instance
//   scalar_prefetch                      a table of block numbers: an int32 array, also given whole to each instance. Maps
//                                        may read it, behind the program ids: [](auto i, auto j, auto table) {
//                                        return std::tuple{table(i, j), 0}; }
//   out_block<block_spec<...>, float, 256, 512>   a result of 256 x 512 floats
//   out_like<block_spec<...>, X>         a result with the element type and the extents of an array or value of type X
//   sum_block<block_spec<...>, float, 256, 512>   the same, to which instances add: the block of an instance begins as
//                                        zeros, and is added to the result when the instance goes on to another block
//                                        or ends. Instances that may run at the same time may add to one block: the
//                                        sums are made in the order of the instances, for any number of threads
//   sum_like<block_spec<...>, X>         the same as an array or value of type X
//   alias<1, 0>                          result 0 begins with the values of operand 1, not as zeros
//   scratch<float, 64, 128>              memory of an instance, which is kept over the sequential dimensions
//   cdiv(n, 64)                          how many blocks of 64 cover n elements
// A map computes with + - * / % of program ids and constants: h / 4, i % 2, 4 * i + j. Extents that blocks do not divide: the
// last block has zeros behind the end of an operand, and what is written there is dropped.
// Source: JAX 0.10.2 pallas.BlockSpec, Element, grid, cdiv, dimension_semantics; triton.atomic_add, whose sums are made in
// any order. In JAX elements around an array are undefined.

#include <tessera/aval/dtype.hpp>
#include <tessera/aval/type_text.hpp>
#include <tessera/aval/value.hpp>
#include <tessera/base/growable.hpp>
#include <tessera/rule/grid.hpp>

#include <array>
#include <tuple>
#include <type_traits>

namespace tessera {

struct sequential {
  std::int64_t extent;
};
struct scalar_prefetch {};
struct squeezed_t {};
inline constexpr squeezed_t squeezed{};
struct element_t {
  std::int64_t extent = 0, before = 0, behind = 0;
};
template <std::int64_t Extent, std::int64_t Before = 0, std::int64_t Behind = 0>
inline constexpr element_t element{Extent, Before, Behind};

template <auto... Extents>
struct kernel_grid {
  static constexpr int rank = static_cast<int>(sizeof...(Extents));

private:
  static constexpr std::int64_t extent_of(sequential s) { return s.extent; }
  template <std::integral I>
  static constexpr std::int64_t extent_of(I extent) {
    return extent;
  }
  template <class T>
  static constexpr bool in_order = std::is_same_v<T, sequential>;

public:
  static constexpr grid_fault fault = rank > max_grid || ((extent_of(Extents) < 1) || ...) ? grid_fault::grid_extents
                                                                                           : grid_fault::none;
  static constexpr grid_value value = [] {
    grid_value g;
    if (fault != grid_fault::none) return g;
    bool first = true;
    ((g.extent[g.rank++] = extent_of(Extents)), ...);
    ((first = first && !in_order<std::remove_const_t<decltype(Extents)>>, g.parallel += first), ...);
    return g;
  }();
  static constexpr bool ordered = value.parallel == (0 + ... + !in_order<std::remove_const_t<decltype(Extents)>>);
};

template <auto... What>
struct block_spec;

namespace detail {

struct no_numbers {};
template <class T>
inline constexpr bool is_several = requires {
  std::tuple_size<T>::value;
};
// What an index map makes of program ids, and of tables if it takes them.
template <class Tables, class Map, class... Id>
constexpr auto mapped(Map const& map, Id const&... ids) {
  if constexpr (std::is_invocable_v<Map const&, Id const&...>)
    return map(ids...);
  else
    return std::apply(
        [&](auto const&... table) {
          if constexpr (std::is_invocable_v<Map const&, Id const&..., decltype(table)...>)
            return map(ids..., table...);
          else
            return no_numbers{};
        },
        Tables::all);
}
template <class Tables, class Map, std::size_t... I>
constexpr void map_blocks(block_value& b, Map const& map, std::index_sequence<I...>) {
  auto const at = mapped<Tables>(map, grid_index::of(static_cast<int>(I))...);
  if constexpr (std::is_same_v<decltype(at), no_numbers const>) {
    b.refused = true;
    b.takes_ids = false;
  } else if constexpr (is_several<std::remove_const_t<decltype(at)>>) {
    b.refused = std::tuple_size_v<std::remove_const_t<decltype(at)>> != static_cast<std::size_t>(b.rank);
    if (b.refused) return;
    int d = 0;
    std::apply([&](auto const&... one) { ((b.at[d++] = grid_index(one)), ...); }, at);
  } else {
    b.refused = b.rank != 1;
    b.at[0] = grid_index(at);
  }
}
constexpr void cut_along(block_value& b, int d, squeezed_t) {
  b.extent[d] = 1;
  b.squeezed[d] = true;
}
constexpr void cut_along(block_value& b, int d, element_t e) {
  b.extent[d] = e.extent;
  b.before[d] = e.before;
  b.behind[d] = e.behind;
  b.by_element[d] = true;
}
template <std::integral I>
constexpr void cut_along(block_value& b, int d, I extent) {
  b.extent[d] = extent;
}

template <class Spec>
struct cut_in_blocks;
template <>
struct cut_in_blocks<block_spec<>> {
  template <class Grid, class Tables>
  static constexpr void into(block_value& b) {
    b.extent = b.whole;
    for (int d = 0; d < b.rank; ++d)
      if (b.extent[d] == 0) b.extent[d] = 1;
  }
};
template <>
struct cut_in_blocks<scalar_prefetch> : cut_in_blocks<block_spec<>> {};
template <auto Map, auto... Extents>
struct cut_in_blocks<block_spec<Map, Extents...>> {
  template <class Grid, class Tables>
  static constexpr void into(block_value& b) {
    b.refused = sizeof...(Extents) != static_cast<std::size_t>(b.rank);
    if (b.refused) return;
    int d = 0;
    (cut_along(b, d++, Extents), ...);
    map_blocks<Tables>(b, Map, std::make_index_sequence<static_cast<std::size_t>(Grid::rank)>{});
  }
};
// The blocks of an array with these extents, for maps that may read tables.
template <class Spec, class Grid, class Tables>
constexpr block_value blocks_in(extents_list const& shape) {
  block_value b;
  b.rank = shape.size();
  for (int d = 0; d < b.rank; ++d) b.whole[d] = shape[d];
  cut_in_blocks<Spec>::template into<Grid, Tables>(b);
  return b;
}
// The facts of a block of an array with these facts. Where devices have tables of their own, it differs between them.
constexpr array_value block_facts(block_value const& blocks, array_value const& whole, axis_set tables_vary) {
  array_value made = whole;
  if (blocks.reads()) made.varying |= tables_vary;
  made.weak = false;
  made.spec = {};
  made.extents = {};
  made.rank = 0;
  if (!blocks.refused)
    for (int d = 0; d < blocks.rank; ++d)
      if (!blocks.squeezed[d]) made.extents[made.rank++] = blocks.extent[d];
  return made;
}

}  // namespace detail

template <class Spec, class T, std::int64_t... Extents>
struct out_block {
  using spec = Spec;
  using element = T;
  static constexpr extents_list shape{Extents...};
  static constexpr int alias = -1;
  static constexpr bool summed = false;
};
template <class Spec, class T, std::int64_t... Extents>
struct sum_block : out_block<Spec, T, Extents...> {
  static constexpr bool summed = true;
};
namespace detail {
// Block<Spec, ...> with the element type and the extents of an X.
template <template <class, class, std::int64_t...> class Block, class Spec, class X>
struct shaped_like {
  struct type {};  // no block: kernel refuses it
};
template <template <class, class, std::int64_t...> class Block, class Spec, class X>
  requires requires { typename X::error; }
struct shaped_like<Block, Spec, X> {
  using type = Block<Spec, float>;  // of a refused value, whose error is said elsewhere
};
template <template <class, class, std::int64_t...> class Block, class Spec, class X>
  requires ArrayType<X> || ArrayType<typename array_type_found_in<X>::type>
struct shaped_like<Block, Spec, X> {
  using A = typename array_type_found_in<X>::type;
  template <std::size_t... D>
  static auto of(std::index_sequence<D...>)
      -> Block<Spec, element_of<A::value.element>, A::value.extent(static_cast<int>(D))...>;
  using type = decltype(of(std::make_index_sequence<static_cast<std::size_t>(A::rank)>{}));
};
}  // namespace detail

template <class Spec, class X>
using out_like = typename detail::shaped_like<out_block, Spec, std::remove_cvref_t<X>>::type;
template <class Spec, class X>
using sum_like = typename detail::shaped_like<sum_block, Spec, std::remove_cvref_t<X>>::type;

// a / b, rounded up. a at least 0, b above 0.
constexpr std::int64_t cdiv(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

template <int Operand, int Result>
struct alias {};
template <class T, std::int64_t... Extents>
struct scratch {
  using element = T;
  static constexpr extents_list shape{Extents...};
};

// The first argument of a kernel's function that asks for a KernelProgram: the program ids.
template <class... Id>
struct kernel_program {
  std::tuple<Id...> ids;
  std::array<std::int64_t, sizeof...(Id)> count;
};
template <class T>
inline constexpr bool is_kernel_program = false;
template <class... Id>
inline constexpr bool is_kernel_program<kernel_program<Id...>> = true;
template <class T>
concept KernelProgram = is_kernel_program<T>;

template <class... Spec>
struct in_block_specs {};
template <class... Out>
struct out_block_specs {};

}  // namespace tessera
