// SPDX-License-Identifier: Apache-2.0
#pragma once
// The grid, the blocks or the function of a kernel are not what they must be: one sentence for each fault.
// JAX: ValueError of pallas_call, or blocks out of bounds when it runs.

#include <tessera/error/facts.hpp>
#include <tessera/error/words.hpp>
#include <tessera/rule/grid.hpp>

namespace tessera::error {

// A fault and its place: Operand counts the operands, then the results; -1: none.
template <grid_fault Fault, int Operand = -1, int Dim = -1>
struct in_kernel {};

// Within a derivative's rule, which does not show the fault.
template <class Op, class... Facts>
struct malformed_kernel {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: the grid, the blocks or the function of a kernel are not what "
                                               "they must be, in a rule of a derivative. Fix: call the rule's function "
                                               "by itself, which names the fault.",
                                               Op, Facts...));
  }
};
template <class Op, grid_fault Fault, int Operand, int Dim>
struct malformed_kernel<Op, in_kernel<Fault, Operand, Dim>> {
  static consteval void explain() {
    constexpr auto is_not = [](grid_fault one) { return one != Fault; };
    static_assert(
        is_not(grid_fault::grid_extents),
        "tessera: the grid of a kernel has more than 6 dimensions, or an extent below 1. Fix: join dimensions; "
        "kernel_grid<1> for one instance.");
    static_assert(is_not(grid_fault::grid_order),
                  "tessera: the sequential dimensions of a kernel's grid are its last ones. Fix: write them behind the "
                  "others; their instances run in order, the last dimension fastest.");
    static_assert(is_not(grid_fault::operand_count),
                  "tessera: in_block_specs<...> of a kernel has not one block_spec for each operand. Fix: as many as "
                  "arrays are given.");
    static_assert(is_not(grid_fault::result_count),
                  "tessera: a kernel has no result, or more than 8. Fix: out_block_specs<out_block<...>>.");
    static_assert(is_not(grid_fault::alias),
                  "tessera: alias<operand, result> of a kernel does not name an operand and a result of one shape and "
                  "type, or names a result twice. Fix: positions from 0 on: alias<1, 0> for the second operand and the "
                  "first result.");
    static_assert(is_not(grid_fault::dynamic_extent),
                  "tessera: an operand of a kernel has an extent that is known only when the program runs. Fix: arrays "
                  "of known extents.");
    static_assert(is_not(grid_fault::split_operand),
                  "tessera: an operand of a kernel is split over devices, or a pending sum. Fix: shard_map: the kernel "
                  "works on the block of each device; or reshard<P<>>(x).");
    static_assert(
        is_not(grid_fault::block_rank),
        "tessera: a block_spec<map, extents...> of a kernel has not one extent, or its map not one result, for "
        "each dimension of the array. Fix: as many as the array has dimensions; block_spec<> for the whole "
        "array.");
    static_assert(
        is_not(grid_fault::map_arguments),
        "tessera: an index map of a kernel does not take its arguments. Fix: one for each dimension of the "
        "grid; if it reads tables, behind them one for each scalar_prefetch of in_block_specs. clang 19: a map "
        "within two generic lambdas needs a name, struct at { constexpr auto operator()(auto i) const; }.");
    static_assert(
        is_not(grid_fault::map_form),
        "tessera: an index map of a kernel computes what is not checked while compiling. Fix: sums and "
        "differences of program ids times constants, id / constant, id % constant, and table(id) of one table, which "
        "is an int32 operand with scalar_prefetch in in_block_specs.");
    static_assert(is_not(grid_fault::table_type),
                  "tessera: a table of a kernel, its operand with scalar_prefetch, does not hold int32. Fix: "
                  "astype<std::int32_t>(x); block_spec<> for a whole array that is no table.");
    static_assert(is_not(grid_fault::table_index),
                  "tessera: an index map of a kernel reads outside of a table, or not with one number for each of its "
                  "dimensions. Fix: table(i, j), with program ids below the table's extents.");
    static_assert(is_not(grid_fault::block_extent),
                  "tessera: a block of a kernel has an extent below 1. Fix: block_spec<map, 64, 128>.");
    static_assert(is_not(grid_fault::outside),
                  "tessera: an index map of a kernel names a block outside of the array. Fix: block numbers, not "
                  "elements: an extent of 100 in blocks of 25 has the blocks 0 to 3.");
    static_assert(
        is_not(grid_fault::outside_elements),
        "tessera: a block of a kernel, element<n>, begins before the array or reaches over its end. Fix: first "
        "elements from 0 to the array's extent less n; element<n, before, behind> for zeros around it.");
    static_assert(
        is_not(grid_fault::element_zeros),
        "tessera: element<n, before, behind> of a kernel has fewer than 0 zeros around an array. Fix: numbers "
        "from 0 on; for a block that begins further inside, a larger first element.");
    static_assert(is_not(grid_fault::element_result),
                  "tessera: blocks of a kernel's result, element<n>, may overlap. Fix: an extent that is a number, and "
                  "block numbers from the map; element<n> is for operands.");
    static_assert(is_not(grid_fault::written_twice),
                  "tessera: two instances of a kernel that may run at the same time write the same block of a result. "
                  "Fix: kernel_grid<..., sequential{n}> for the dimension of the grid that its map does not use; "
                  "sum_block for out_block, if the blocks are to be added.");
    static_assert(is_not(grid_fault::sum_of_flags),
                  "tessera: a sum_block of a kernel is an array of numbers; instances do not add blocks of bool. Fix: "
                  "sum_block<spec, std::int32_t, ...>, which counts them.");
    static_assert(
        is_not(grid_fault::not_covered),
        "tessera: no instance of a kernel writes some of the blocks of a result. Fix: a map that reaches each "
        "block, or a smaller result.");
    static_assert(
        is_not(grid_fault::function),
        "tessera: the function of a kernel does not take its blocks. Fix: void operator()(auto const& x, ..., "
        "auto& out, ..., auto& scratch, ...) const: one for each operand, result and scratch, behind "
        "KernelProgram auto const& program if it reads program ids.");
    static_assert(
        is_not(grid_fault::held_result),
        "tessera: the function of a kernel takes a result or scratch memory by value, by const& or by &&, and what it "
        "assigns is lost. Fix: auto& out.");
  }
};

template <>
struct words<reason::malformed_kernel> {
  template <class... Facts>
  using type = malformed_kernel<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const&) {
    text += "the grid, the blocks or the function of the kernel are not what they must be.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "the error of the compiler names the fault";
  }
};

}  // namespace tessera::error
