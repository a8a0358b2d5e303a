// SPDX-License-Identifier: Apache-2.0
// Kernels whose blocks, maps or functions are not what they must be.

#include <tessera/tessera.hpp>

#include <tuple>
#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

struct copied {
  constexpr void operator()(auto const& x, auto& out) const { out = x; }
};
struct of_two {
  constexpr void operator()(auto const& x, auto const& y, auto& out) const { out = x + y; }
};
struct into_a_copy {
  constexpr void operator()(auto const& x, auto out) const { out = x; }
};
struct summed {
  constexpr void operator()(auto const& x, auto& out) const { out = ts::sum(x); }
};
using rows = ts::block_spec<[](auto i) { return std::tuple{i, 0}; }, 4, 8>;
template <class In, class Out = rows, class Grid = ts::kernel_grid<4>, class F = copied>
constexpr auto with =
    ts::kernel<Grid, ts::in_block_specs<In>, ts::out_block_specs<ts::out_block<Out, float, 16, 8>>>(F{});

struct copied_by_table {
  constexpr void operator()(auto const&, auto const& x, auto& out) const { out = x; }
};
template <class In, class Out = rows>
constexpr auto by_table = ts::kernel<ts::kernel_grid<4>, ts::in_block_specs<ts::scalar_prefetch, In>,
                                     ts::out_block_specs<ts::out_block<Out, float, 16, 8>>>(copied_by_table{});

template <class... More>
constexpr auto aliased = ts::kernel<ts::kernel_grid<4>, ts::in_block_specs<rows>,
                                    ts::out_block_specs<ts::out_block<rows, float, 16, 8>>, More...>(copied{});

template <class T, std::int64_t Rows>
constexpr auto added = ts::kernel<ts::kernel_grid<4>, ts::in_block_specs<rows>,
                                  ts::out_block_specs<ts::sum_block<rows, T, Rows, 8>>>(copied{});

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const mesh = ts::make_mesh<line>(runtime.devices());
  auto const split = ts::device_put<ts::P<ts::none, dp>>(ts::host<16, 8>(std::vector<float>(128)), mesh);
  auto const x = ts::asarray(ts::host<16, 8>(std::vector<float>(128)));
  auto const table = ts::asarray(ts::host<4>(std::vector<std::int32_t>{3, 1, 0, 2}));
  auto const split_table = ts::device_put<ts::P<>>(ts::host<4>(std::vector<std::int32_t>{3, 1, 0, 2}), mesh);
  auto const split_rows = ts::device_put<ts::P<dp>>(ts::host<16, 8>(std::vector<float>(128)), mesh);
  (void)with<rows>(x);
  (void)by_table<rows>(table, x);
  (void)aliased<ts::alias<0, 0>>(x);
  (void)with<ts::block_spec<[](auto i) { return std::tuple{4 * i, 0}; }, ts::element<4>, 8>>(x);
  (void)by_table<rows>(split_table, split_rows);
  (void)added<float, 16>(x);
#if TESSERA_MISUSE == 1
  // expect: an index map of a kernel names a block outside of the array.
  // expect-fix: block numbers, not elements
  (void)with<ts::block_spec<[](auto i) { return std::tuple{4 * i, 0}; }, 4, 8>>(x);
#elif TESSERA_MISUSE == 2
  // expect: two instances of a kernel that may run at the same time write the same block of a result.
  // expect-fix: sequential{n}
  (void)with<rows, ts::block_spec<[](auto) { return std::tuple{0, 0}; }, 16, 8>>(x);
#elif TESSERA_MISUSE == 3
  // expect: no instance of a kernel writes some of the blocks of a result.
  (void)with<rows, ts::block_spec<[](auto i) { return std::tuple{i, 0}; }, 2, 8>>(x);
#elif TESSERA_MISUSE == 4
  // expect: has not one extent, or its map not one result, for each dimension of the array.
  (void)with<ts::block_spec<[](auto i) { return i; }, 4>>(x);
#elif TESSERA_MISUSE == 5
  // expect: an index map of a kernel computes what is not checked while compiling.
  (void)with<ts::block_spec<[](auto i) { return std::tuple{i * i, 0}; }, 4, 8>>(x);
#elif TESSERA_MISUSE == 6
  // expect: the function of a kernel does not take its blocks.
  // expect-fix: one for each operand, result and scratch
  (void)with<rows, rows, ts::kernel_grid<4>, of_two>(x);
#elif TESSERA_MISUSE == 7
  // expect: in_block_specs<...> of a kernel has not one block_spec for each operand.
  (void)with<rows>(x, x);
#elif TESSERA_MISUSE == 8
  // expect: an operand of a kernel is split over devices, or a pending sum.
  // expect-fix: shard_map
  (void)with<rows>(split);
#elif TESSERA_MISUSE == 9
  // expect: the sequential dimensions of a kernel's grid are its last ones.
  (void)with<ts::block_spec<>, rows, ts::kernel_grid<ts::sequential{2}, 4>>(x);
#elif TESSERA_MISUSE == 10
  // expect: a gradient would pass through an operation that has none.
  (void)ts::grad([](auto w) { return ts::sum(with<rows>(w)); })(x);
#elif TESSERA_MISUSE == 11
  // expect: a variable keeps its type (lhs)
  (void)with<rows, rows, ts::kernel_grid<4>, summed>(x);
#elif TESSERA_MISUSE == 12
  // expect: a block of a kernel has an extent below 1.
  (void)with<ts::block_spec<[](auto i) { return std::tuple{i, 0}; }, 0, 8>>(x);
#elif TESSERA_MISUSE == 13
  // expect: a table of a kernel, its operand with scalar_prefetch, does not hold int32.
  // expect-fix: astype<std::int32_t>(x)
  (void)by_table<rows>(x, x);
#elif TESSERA_MISUSE == 14
  // expect: an index map of a kernel reads outside of a table
  // expect-fix: table(i, j), with program ids below the table's extents.
  (void)by_table<ts::block_spec<[](auto i, auto t) { return std::tuple{t(i + 1), 0}; }, 4, 8>>(table, x);
#elif TESSERA_MISUSE == 15
  // expect: or not with one number for each of its dimensions.
  (void)by_table<ts::block_spec<[](auto i, auto t) { return std::tuple{t(i, 0), 0}; }, 4, 8>>(table, x);
#elif TESSERA_MISUSE == 16
  // expect: an index map of a kernel computes what is not checked while compiling.
  // expect-fix: table(id) of one table
  (void)by_table<ts::block_spec<[](auto i, auto t) { return std::tuple{t(t(i)), 0}; }, 4, 8>>(table, x);
#elif TESSERA_MISUSE == 17
  // expect: an index map of a kernel does not take its arguments.
  // expect-fix: one for each scalar_prefetch of in_block_specs
  (void)with<ts::block_spec<[](auto i, auto t) { return std::tuple{t(i), 0}; }, 4, 8>>(x);
#elif TESSERA_MISUSE == 18
  // expect: two instances of a kernel that may run at the same time write the same block of a result.
  (void)by_table<rows, ts::block_spec<[](auto, auto t) { return std::tuple{t(0), 0}; }, 4, 8>>(table, x);
#elif TESSERA_MISUSE == 19
  // expect: an operand of a kernel is split over devices, or a pending sum.
  (void)by_table<ts::block_spec<[](auto i, auto t) { return std::tuple{t(i), 0}; }, 4, 8>>(split_table, split_rows);
#elif TESSERA_MISUSE == 20
  // expect: a block of a kernel, element<n>, begins before the array or reaches over its end.
  // expect-fix: element<n, before, behind> for zeros around it.
  (void)with<ts::block_spec<[](auto i) { return std::tuple{4 * i, 0}; }, ts::element<5>, 8>>(x);
#elif TESSERA_MISUSE == 21
  // expect: blocks of a kernel's result, element<n>, may overlap.
  // expect-fix: element<n> is for operands.
  (void)with<rows, ts::block_spec<[](auto i) { return std::tuple{4 * i, 0}; }, ts::element<4>, 8>>(x);
#elif TESSERA_MISUSE == 22
  // expect: element<n, before, behind> of a kernel has fewer than 0 zeros around an array.
  (void)with<ts::block_spec<[](auto i) { return std::tuple{4 * i, 0}; }, ts::element<4, -1>, 8>>(x);
#elif TESSERA_MISUSE == 23
  // expect: alias<operand, result> of a kernel does not name an operand and a result of one shape and type
  // expect-fix: alias<1, 0> for the second operand and the first result.
  (void)aliased<ts::alias<0, 1>>(x);
#elif TESSERA_MISUSE == 24
  // expect: or names a result twice.
  (void)aliased<ts::alias<0, 0>, ts::alias<0, 0>>(x);
#elif TESSERA_MISUSE == 25
  // expect: does not name an operand and a result of one shape and type
  (void)aliased<ts::alias<0, 0>>(ts::astype<std::int32_t>(x));
#elif TESSERA_MISUSE == 26
  // expect: a sum_block of a kernel is an array of numbers; instances do not add blocks of bool.
  // expect-fix: sum_block<spec, std::int32_t, ...>
  (void)added<bool, 16>(x);
#elif TESSERA_MISUSE == 27
  // expect: an index map of a kernel names a block outside of the array.
  (void)added<float, 8>(x);
#elif TESSERA_MISUSE == 28
  // expect: the function of a kernel takes a result or scratch memory by value
  // expect-fix: auto& out
  (void)with<rows, rows, ts::kernel_grid<4>, into_a_copy>(x);
#elif TESSERA_MISUSE == 29
  // expect: the function of a kernel takes a result or scratch memory by value
  (void)ts::kernel<ts::kernel_grid<4>, ts::in_block_specs<rows>, ts::out_block_specs<ts::out_like<rows, decltype(x)>>,
                   ts::scratch<float, 4, 8>>(
      [](ts::KernelProgram auto const&, auto const& y, auto& out, auto sum) { out = sum += y; })(x);
#elif TESSERA_MISUSE == 30
  // expect: the third argument of kernel<...> is not out_block_specs<...> of out_block and sum_block.
  // expect-fix: out_like<block_spec<...>, decltype(x)>
  (void)ts::kernel<ts::kernel_grid<4>, ts::in_block_specs<rows>, ts::out_block_specs<rows>>(copied{})(x);
#elif TESSERA_MISUSE == 31
  // expect: the third argument of kernel<...> is not out_block_specs<...> of out_block and sum_block.
  (void)ts::kernel<ts::kernel_grid<4>, ts::in_block_specs<rows>, ts::out_like<rows, decltype(x)>>(copied{})(x);
#elif TESSERA_MISUSE == 32
  // expect: the third argument of kernel<...> is not out_block_specs<...> of out_block and sum_block.
  (void)ts::kernel<ts::kernel_grid<4>, ts::in_block_specs<rows>,
                   ts::out_block_specs<ts::out_like<rows, std::vector<float>>>>(copied{})(x);
#elif TESSERA_MISUSE == 33
  // expect: the shapes do not fit each other.
  (void)ts::jit([](auto y) {
    auto const z = ts::matmul(y, y);
    return ts::kernel<ts::kernel_grid<4>, ts::in_block_specs<rows>,
                      ts::out_block_specs<ts::out_like<rows, decltype(z)>>>(copied{})(z);
  })(x);
#endif
}
