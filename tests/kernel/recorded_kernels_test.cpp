// SPDX-License-Identifier: Apache-2.0
// The kernels of record_kernels.py against what JAX's Pallas gave: maps, squeezed dimensions, program ids, sums over a
// dimension of the grid, scratch memory, loops in a body.
// stand-in at night

#include "support/kernel_case.hpp"

#include "recorded/kernels.hpp"

#include <tuple>
#include <vector>

namespace {

namespace ts = tessera;
using kernel_case::matrix;

template <class X>
void expect(X const& got, std::vector<double> const& want) {
  kernel_case::expect(got, want, 2e-5);
}

TEST(recorded_kernels, blocks) {
  using rows = ts::block_spec<[](auto i) { return std::tuple{i, 0}; }, 4, 8>;
  constexpr auto f = ts::kernel<ts::kernel_grid<4>, ts::in_block_specs<rows, rows>,
                                ts::out_block_specs<ts::out_block<rows, float, 16, 8>>>(
      [](auto const& x, auto const& y, auto& out) { out = x + 2 * y; });
  expect(f(matrix<16, 8>(), matrix<16, 8>(1)), recorded_kernels::add);
}

TEST(recorded_kernels, sums_over_the_grid) {
  using x_block = ts::block_spec<[](auto i, auto, auto k) { return std::tuple{i, k}; }, 4, 8>;
  using y_block = ts::block_spec<[](auto, auto j, auto k) { return std::tuple{k, j}; }, 8, 4>;
  using z_block = ts::block_spec<[](auto i, auto j, auto) { return std::tuple{i, j}; }, 4, 4>;
  constexpr auto f = ts::kernel<ts::kernel_grid<3, 2, ts::sequential{4}>, ts::in_block_specs<x_block, y_block>,
                                ts::out_block_specs<ts::out_block<z_block, float, 12, 8>>>(
      [](ts::KernelProgram auto const& program, auto const& x, auto const& y, auto& out) {
        ts::when(
            ts::program_id<2>(program) == 0, [](auto& sum) { sum = ts::zeros_like(sum); }, out);
        out += ts::matmul(x, y);
      });
  expect(f(matrix<12, 32>(), matrix<32, 8>(1)), recorded_kernels::product);
}

TEST(recorded_kernels, squeezed_dimensions_and_program_ids) {
  using in = ts::block_spec<[](auto i, auto j) { return std::tuple{i, j, 0}; }, ts::squeezed, 2, 3>;
  using to = ts::block_spec<[](auto i, auto j) { return std::tuple{0, i, j}; }, 3, ts::squeezed, 2>;
  constexpr auto f =
      ts::kernel<ts::kernel_grid<5, 2>, ts::in_block_specs<in>, ts::out_block_specs<ts::out_block<to, float, 3, 5, 4>>>(
          [](ts::KernelProgram auto const& program, auto const& x, auto& out) {
            out = ts::transpose(x) + ts::astype<float>(ts::program_id<0>(program) * 10 + ts::program_id<1>(program)) +
                  100 * ts::num_programs<1>(program);
          });
  expect(f(matrix<5, 4, 3>()), recorded_kernels::turned);
}

TEST(recorded_kernels, a_block_for_several_ids) {
  using q_block = ts::block_spec<[](auto h, auto i) { return std::tuple{h, i, 0}; }, ts::squeezed, 2, 4>;
  using k_block = ts::block_spec<[](auto h, auto) { return std::tuple{h / 2, 0, 0}; }, ts::squeezed, 5, 4>;
  using to = ts::block_spec<[](auto h, auto i) { return std::tuple{h, i, 0}; }, ts::squeezed, 2, 5>;
  constexpr auto f = ts::kernel<ts::kernel_grid<4, 3>, ts::in_block_specs<q_block, k_block>,
                                ts::out_block_specs<ts::out_block<to, float, 4, 6, 5>>>(
      [](auto const& q, auto const& k, auto& out) { out = ts::matmul(q, ts::transpose(k)); });
  expect(f(matrix<4, 6, 4>(), matrix<2, 5, 4>(1)), recorded_kernels::grouped);
}

TEST(recorded_kernels, scratch) {
  using block = ts::block_spec<[](auto i, auto k) { return std::tuple{k, i}; }, 1, 4>;
  constexpr auto f = ts::kernel<ts::kernel_grid<2, ts::sequential{6}>, ts::in_block_specs<block>,
                                ts::out_block_specs<ts::out_block<block, float, 6, 8>>, ts::scratch<float, 1, 4>>(
      [](ts::KernelProgram auto const& program, auto const& x, auto& out, auto& sum) {
        sum += x;
        out = sum * ts::astype<float>(ts::program_id<1>(program));
      });
  expect(f(matrix<6, 8>()), recorded_kernels::running);
}

TEST(recorded_kernels, a_loop_in_the_body) {
  using in = ts::block_spec<[](auto i) { return std::tuple{0, i}; }, 8, 4>;
  using to = ts::block_spec<[](auto i) { return std::tuple{0, i}; }, 2, 4>;
  constexpr auto f =
      ts::kernel<ts::kernel_grid<3>, ts::in_block_specs<in>, ts::out_block_specs<ts::out_block<to, float, 2, 12>>>(
          [](auto const& x, auto& out) {
            out = ts::fori_loop(
                0, 4,
                [&](auto i, auto sum) { return sum + ts::astype<float>(i) * ts::dynamic_slice_in_dim<0, 2>(x, i * 2); },
                ts::zeros<float, 2, 4>());
          });
  expect(f(matrix<8, 12>()), recorded_kernels::looped);
}

TEST(recorded_kernels, maps_with_remainders) {
  using in = ts::block_spec<[](auto i) { return std::tuple{i % 4, i / 4}; }, 2, 2>;
  using to = ts::block_spec<[](auto i) { return std::tuple{i / 2, i % 2}; }, 1, 1>;
  constexpr auto f =
      ts::kernel<ts::kernel_grid<8>, ts::in_block_specs<in>, ts::out_block_specs<ts::out_block<to, float, 4, 2>>>(
          [](ts::KernelProgram auto const& program, auto const& x, auto& out) {
            out = ts::sum<0, 1>(x, ts::keepdims) + ts::astype<float>(ts::program_id<0>(program));
          });
  expect(f(matrix<8, 4>()), recorded_kernels::remainder);
}

TEST(recorded_kernels, pages_by_a_table) {
  using in = ts::block_spec<[](auto b, auto p, auto table) {
    return std::tuple{table(b, p), 0, 0};
  },
                            ts::squeezed, 2, 4>;
  using to = ts::block_spec<[](auto b, auto) { return std::tuple{b, 0, 0}; }, ts::squeezed, 2, 4>;
  constexpr auto f = ts::kernel<ts::kernel_grid<2, ts::sequential{3}>, ts::in_block_specs<ts::scalar_prefetch, in>,
                                ts::out_block_specs<ts::out_block<to, float, 2, 2, 4>>>(
      [](ts::KernelProgram auto const& program, auto const& table, auto const& x, auto& out) {
        auto const of_b = ts::dynamic_index_in_dim<0, false>(table, ts::program_id<0>(program));
        out += x * ts::astype<float>(1 + ts::dynamic_index_in_dim<0, false>(of_b, ts::program_id<1>(program)));
      });
  expect(f(ts::asarray(ts::host<2, 3>(std::vector<std::int32_t>{4, 0, 2, 1, 1, 3})), matrix<5, 2, 4>()),
         recorded_kernels::paged);
}

TEST(recorded_kernels, results_ordered_by_a_table) {
  using in = ts::block_spec<[](auto i, auto order) { return std::tuple{i, order(i) / 2}; }, 2, 4>;
  using to = ts::block_spec<[](auto i, auto order) { return std::tuple{3 - order(i), 0}; }, 2, 4>;
  constexpr auto f = ts::kernel<ts::kernel_grid<4>, ts::in_block_specs<ts::scalar_prefetch, in>,
                                ts::out_block_specs<ts::out_block<to, float, 8, 4>>>(
      [](ts::KernelProgram auto const& program, auto const& order, auto const& x, auto& out) {
        out = x + ts::astype<float>(ts::dynamic_index_in_dim<0, false>(order, ts::program_id<0>(program)));
      });
  expect(f(ts::asarray(ts::host<4>(std::vector<std::int32_t>{2, 0, 3, 1})), matrix<8, 8>()), recorded_kernels::ordered);
}

struct first_row_at {
  constexpr auto operator()(auto i, auto j) const { return std::tuple{4 * i, j}; }
};
struct tile_at {
  constexpr auto operator()(auto i, auto j) const { return std::tuple{i, j}; }
};
template <auto Rows>
constexpr auto weighted_rows = [](auto const& x) {
  using in = ts::block_spec<first_row_at{}, Rows, 4>;
  using to = ts::block_spec<tile_at{}, 4, 4>;
  return ts::kernel<ts::kernel_grid<3, 2>, ts::in_block_specs<in>,
                    ts::out_block_specs<ts::out_block<to, float, 12, 8>>>([](auto const& rows, auto& out) {
    out = ts::slice_in_dim<0, 0, 4>(rows) + 2 * ts::slice_in_dim<0, 1, 5>(rows) + 3 * ts::slice_in_dim<0, 2, 6>(rows);
  })(x);
};
TEST(recorded_kernels, blocks_by_element) {
  expect(weighted_rows<ts::element<6>>(matrix<14, 8>()), recorded_kernels::stencil);
  expect(weighted_rows<ts::element<6, 1, 1>>(matrix<12, 8>()), recorded_kernels::padded);
}

TEST(recorded_kernels, a_result_that_begins_with_an_operand) {
  using in = ts::block_spec<[](auto i) { return std::tuple{i, 0}; }, 2, 4>;
  using to = ts::block_spec<[](auto i, auto order) { return std::tuple{order(i), 0}; }, 2, 4>;
  constexpr auto f = ts::kernel<ts::kernel_grid<2>, ts::in_block_specs<ts::scalar_prefetch, in, ts::block_spec<>>,
                                ts::out_block_specs<ts::out_block<to, float, 8, 4>>, ts::alias<2, 0>>(
      [](auto const&, auto const& x, auto const&, auto& out) { out += 2 * x; });
  expect(f(ts::asarray(ts::host<2>(std::vector<std::int32_t>{3, 0})), matrix<4, 4>(), matrix<8, 4>(1)),
         recorded_kernels::aliased);
}

}  // namespace
