// SPDX-License-Identifier: Apache-2.0
// Kernels: blocks, accumulation, scratch, program ids, edges, transforms and split operands against plain loops over whole
// arrays.
// stand-in

#include "support/kernel_case.hpp"

#include <cmath>
#include <tuple>
#include <vector>

namespace {

using namespace kernel_case;

struct add_blocks {
  constexpr void operator()(auto const& x, auto const& y, auto& out) const { out = x + y; }
};
using rows = ts::block_spec<[](auto i) { return std::tuple{i, 0}; }, 4, 8>;
constexpr auto added = ts::kernel<ts::kernel_grid<4>, ts::in_block_specs<rows, rows>,
                                  ts::out_block_specs<ts::out_block<rows, float, 16, 8>>>(add_blocks{});

TEST(kernel, adds_blocks) {
  auto const x = matrix<16, 8>(), y = matrix<16, 8>(1);
  auto const a = wave(128), b = wave(128, 1);
  auto const z = ts::device_get(ts::jit([](auto p, auto q) { return added(p, q); })(x, y));
  auto const eager = ts::device_get(added(x, y));
  for (std::size_t i = 0; i < 128; ++i) EXPECT_EQ(z.data()[i], a[i] + b[i]) << i;
  for (std::size_t i = 0; i < 128; ++i) EXPECT_EQ(eager.data()[i], a[i] + b[i]) << i;
}

// A product in blocks, summed over the last dimension of the grid.
struct multiply {
  constexpr void operator()(auto const& x, auto const& y, auto& out) const { out += ts::matmul(x, y); }
};
TEST(kernel, products_are_added_up_in_order) {
  constexpr auto f = [](auto x, auto y) {
    using x_block = ts::block_spec<[](auto i, auto, auto k) { return std::tuple{i, k}; }, 4, 8>;
    using y_block = ts::block_spec<[](auto, auto j, auto k) { return std::tuple{k, j}; }, 8, 4>;
    using z_block = ts::block_spec<[](auto i, auto j, auto) { return std::tuple{i, j}; }, 4, 4>;
    return ts::kernel<ts::kernel_grid<3, 2, ts::sequential{4}>, ts::in_block_specs<x_block, y_block>,
                      ts::out_block_specs<ts::out_block<z_block, float, 12, 8>>>(multiply{})(x, y);
  };
  auto const z = ts::device_get(ts::jit(f)(matrix<12, 32>(), matrix<32, 8>(1)));
  auto const a = wave(12 * 32), b = wave(32 * 8, 1);
  for (std::size_t i = 0; i < 12; ++i)
    for (std::size_t j = 0; j < 8; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < 32; ++k) sum += static_cast<double>(a[i * 32 + k]) * b[k * 8 + j];
      EXPECT_NEAR(z.data()[i * 8 + j], sum, 1e-5) << i << ' ' << j;
    }
}

struct softmax_rows {
  constexpr void operator()(auto const& x, auto& out) const {
    auto const e = ts::exp(x - ts::max<1>(x, ts::keepdims));
    out = e / ts::sum<1>(e, ts::keepdims);
  }
};
// 10 rows in blocks of 4: the last block has two rows of zeros.
TEST(kernel, blocks_that_do_not_divide) {
  constexpr auto f = [](auto x) {
    using block = ts::block_spec<[](auto i) { return std::tuple{i, 0}; }, 4, 16>;
    return ts::kernel<ts::kernel_grid<3>, ts::in_block_specs<block>,
                      ts::out_block_specs<ts::out_block<block, float, 10, 16>>>(softmax_rows{})(x);
  };
  auto const z = ts::device_get(ts::jit(f)(matrix<10, 16>()));
  auto const a = wave(160);
  for (std::size_t r = 0; r < 10; ++r) {
    double sum = 0;
    for (std::size_t c = 0; c < 16; ++c) sum += std::exp(a[r * 16 + c]);
    for (std::size_t c = 0; c < 16; ++c) EXPECT_NEAR(z.data()[r * 16 + c], std::exp(a[r * 16 + c]) / sum, 1e-6) << r;
  }
}

// Transposed blocks, of dimensions that are squeezed; two results; program ids.
struct turned {
  constexpr void operator()(ts::KernelProgram auto const& program, auto const& x, auto& out, auto& where) const {
    out = ts::transpose(x);
    where = ts::program_id<0>(program) * 10 + ts::program_id<1>(program) + 100 * ts::num_programs<1>(program) +
            ts::zeros_like(where);
  }
};
TEST(kernel, squeezed_dimensions_program_ids_and_two_results) {
  constexpr auto f = [](auto x) {
    using in = ts::block_spec<[](auto i, auto j) { return std::tuple{i, j, 0}; }, ts::squeezed, 2, 3>;
    using out = ts::block_spec<[](auto i, auto j) { return std::tuple{0, i, j}; }, 3, ts::squeezed, 2>;
    using numbers = ts::block_spec<[](auto i, auto j) { return i * 2 + j; }, 4>;
    return ts::kernel<
        ts::kernel_grid<5, 2>, ts::in_block_specs<in>,
        ts::out_block_specs<ts::out_block<out, float, 3, 5, 4>, ts::out_block<numbers, std::int32_t, 40>>>(turned{})(x);
  };
  auto const [z, where] = ts::jit(f)(matrix<5, 4, 3>());
  auto const got = ts::device_get(z);
  auto const ids = ts::device_get(where);
  auto const a = wave(60);
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(got.data()[(c * 5 + i) * 4 + j], a[(i * 4 + j) * 3 + c]);
  for (std::size_t n = 0; n < 40; ++n) EXPECT_EQ(ids.data()[n], static_cast<int>(200 + n / 8 * 10 + n / 4 % 2)) << n;
}

// Running sums along the sequential dimension, in scratch memory.
struct running {
  constexpr void operator()(auto const& x, auto& out, auto& sum) const {
    sum += x;
    out = sum;
  }
};
TEST(kernel, scratch_is_kept_over_sequential_dimensions) {
  constexpr auto f = [](auto x) {
    using block = ts::block_spec<[](auto i, auto k) { return std::tuple{k, i}; }, 1, 4>;
    return ts::kernel<ts::kernel_grid<2, ts::sequential{6}>, ts::in_block_specs<block>,
                      ts::out_block_specs<ts::out_block<block, float, 6, 8>>, ts::scratch<float, 1, 4>>(running{})(x);
  };
  auto const z = ts::device_get(ts::jit(f)(matrix<6, 8>()));
  auto const a = wave(48);
  for (std::size_t c = 0; c < 8; ++c) {
    float sum = 0;
    for (std::size_t r = 0; r < 6; ++r) EXPECT_EQ(z.data()[r * 8 + c], sum += a[r * 8 + c]);
  }
}

TEST(kernel, vmapped) {
  auto const x = matrix<3, 16, 8>();
  auto const y = matrix<16, 8>(1);
  auto const a = wave(384), b = wave(128, 1);
  auto const z = ts::device_get(ts::jit([](auto p, auto q) {
    return ts::vmap<ts::in_axes<0, ts::unmapped>>([](auto s, auto t) { return added(s, t); })(p, q);
  })(x, y));
  for (std::size_t i = 0; i < 384; ++i) EXPECT_EQ(z.data()[i], a[i] + b[i % 128]) << i;
}
TEST(kernel, in_a_scan) {
  auto const x = matrix<3, 16, 8>();
  auto const z = ts::device_get(ts::jit([](auto p) {
    return std::get<0>(ts::scan(
        [](auto c, auto s) {
          return std::tuple{added(c, s), c};
        },
        ts::zeros<float, 16, 8>(), p));
  })(x));
  auto const a = wave(384);
  for (std::size_t i = 0; i < 128; ++i) EXPECT_NEAR(z.data()[i], a[i] + a[i + 128] + a[i + 256], 1e-6) << i;
}
struct last_only {
  constexpr void operator()(ts::KernelProgram auto const& program, auto const& x, auto& out, auto& sum) const {
    sum += x;
    ts::when(
        ts::program_id<0>(program) == 5, [](auto& to, auto& from) { to = 2 * from; }, out, sum);
  }
};
TEST(kernel, when) {
  constexpr auto f = [](auto x) {
    using block = ts::block_spec<[](auto k) { return std::tuple{k, 0}; }, 1, 8>;
    using all = ts::block_spec<[](auto) { return std::tuple{0, 0}; }, 1, 8>;
    return ts::kernel<ts::kernel_grid<ts::sequential{6}>, ts::in_block_specs<block>,
                      ts::out_block_specs<ts::out_block<all, float, 1, 8>>, ts::scratch<float, 1, 8>>(last_only{})(x);
  };
  auto const z = ts::device_get(ts::jit(f)(matrix<6, 8>()));
  auto const a = wave(48);
  for (std::size_t c = 0; c < 8; ++c) {
    float sum = 0;
    for (std::size_t r = 0; r < 6; ++r) sum += a[r * 8 + c];
    EXPECT_EQ(z.data()[c], 2 * sum);
  }
}

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
struct scaled {
  constexpr void operator()(ts::KernelProgram auto const& p, auto const& x, auto const& w, auto& out) const {
    out = x * w + (ts::program_id<0>(p) + 100 * ts::num_programs<0>(p));
  }
};
TEST(kernel, split_over_explicit_axes) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const x = ts::device_put<ts::P<ts::axes<dp, mp>>>(ts::host<16, 8>(wave(128)), mesh);
  auto const w = ts::device_put<ts::P<>>(ts::host<1, 8>(wave(8, 2)), mesh);
  constexpr auto f = [](auto a, auto b) {
    using row = ts::block_spec<[](auto i) { return std::tuple{i, 0}; }, 1, 8>;
    return ts::kernel<ts::kernel_grid<16>, ts::in_block_specs<row, ts::block_spec<>>,
                      ts::out_block_specs<ts::out_block<row, float, 16, 8>>>(scaled{})(a, b);
  };
  auto const z = ts::jit(f)(x, w);
  static_assert(std::is_same_v<decltype(z)::type, decltype(x)::type>);
  auto const got = ts::device_get(z);
  auto const a = wave(128), b = wave(8, 2);
  for (std::size_t i = 0; i < 128; ++i)
    EXPECT_NEAR(got.data()[i], a[i] * b[i % 8] + static_cast<float>(i / 8) + 1600, 1e-3) << i;
}
TEST(kernel, in_shard_map) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const x = ts::device_put<ts::P<dp>>(ts::host<64, 8>(wave(512)), mesh);
  auto const z =
      ts::shard_map<ts::in_specs<ts::P<dp>>, ts::out_specs<ts::P<dp>>>([](auto y) { return added(y, y); })(x);
  auto const got = ts::device_get(z);
  auto const a = wave(512);
  for (std::size_t i = 0; i < 512; ++i) EXPECT_EQ(got.data()[i], 2 * a[i]) << i;
}
using autos = ts::mesh<ts::auto_axis<dp, 4>, ts::auto_axis<mp, 2>>;
TEST(kernel, over_auto_axes) {
  auto const mesh = ts::make_mesh<autos>(ts::devices());
  auto const x = ts::device_put<ts::P<dp>>(ts::host<16, 8>(wave(128)), mesh);
  auto const z = ts::jit([](auto y) { return 3 * added(2 * y, y); })(x);
  auto const got = ts::device_get(z);
  auto const a = wave(128);
  for (std::size_t i = 0; i < 128; ++i) EXPECT_NEAR(got.data()[i], 9 * a[i], 1e-5) << i;
}
// 128 tiles of 64 x 64, of which each thread runs some: copied results, scratch, program ids.
struct turned_and_counted {
  constexpr void operator()(ts::KernelProgram auto const& program, auto const& x, auto& out, auto& seen,
                            auto& count) const {
    count += 1;
    out = ts::transpose(x);
    seen = count + ts::program_id<0>(program) * 100;
  }
};
TEST(kernel, instances_on_threads) {
  constexpr auto f = [](auto x) {
    using in = ts::block_spec<[](auto i, auto j) { return std::tuple{i, j}; }, 64, 64>;
    using out = ts::block_spec<[](auto i, auto j) { return std::tuple{j, i}; }, 64, 64>;
    using one = ts::block_spec<[](auto i, auto j) { return std::tuple{i, j}; }, 1, 1>;
    return ts::kernel<
        ts::kernel_grid<16, ts::sequential{8}>, ts::in_block_specs<in>,
        ts::out_block_specs<ts::out_block<out, float, 512, 1024>, ts::out_block<one, std::int32_t, 16, 8>>,
        ts::scratch<std::int32_t, 1, 1>>(turned_and_counted{})(x);
  };
  auto const given = wave(1024 * 512);
  auto const x = ts::asarray(ts::host<1024, 512>(given));
  for (int again = 0; again < 5; ++again) {
    auto const [turned, seen] = ts::jit(f)(x);
    auto const z = turned.to_host();
    auto const counts = seen.to_host();
    for (std::size_t i = 0; i < 1024; ++i)
      for (std::size_t j = 0; j < 512; ++j) ASSERT_EQ(z[j * 1024 + i], given[i * 512 + j]) << i << ' ' << j;
    for (std::size_t n = 0; n < 128; ++n) EXPECT_EQ(counts[n], static_cast<int>(n / 8 * 100 + n % 8 + 1));
  }
}

}  // namespace
