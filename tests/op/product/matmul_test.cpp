// SPDX-License-Identifier: Apache-2.0
// matmul, dot and dot_general: ranks, batches, layouts of both sides, contracted dimensions that are sharded on one side
// and on both, with out_sharding. einsum: einsum_test.cpp.

#include "support/op_case.hpp"

namespace {

using namespace op_case;
using oracle::tensor;

struct plain {
  static constexpr auto rows = std::tuple{
      row{"matmul", [](auto x, auto y) { return ts::matmul(x, y); },
          [](tensor const& x, tensor const& y) { return oracle::matmul(x, y); }, 1e-5},
      row{"dot", [](auto x, auto y) { return ts::dot(x, y); },
          [](tensor const& x, tensor const& y) { return oracle::matmul(x, y); }, 1e-5},
      row{"dot_general", [](auto x, auto y) { return (ts::dot_general<ts::contract<ts::dims<1>, ts::dims<0>>>(x, y)); },
          [](tensor const& x, tensor const& y) {
            return oracle::dot_general(x, y, {{1}, {0}});
          },
          1e-5},
      row{"of transposed", [](auto x, auto y) { return ts::matmul(y.T(), x.T()); },
          [](tensor const& x, tensor const& y) { return oracle::transpose(oracle::matmul(x, y)); }, 1e-5},
      row{"within", [](auto x, auto y) { return ts::exp(ts::matmul(x * 0.5, y) + 1.0); },
          [](tensor const& x, tensor const& y) { return oracle::exp(oracle::matmul(x * 0.5, y) + 1); }, 1e-5}};
};
struct laid_out {
  static constexpr auto rows = std::tuple{
      row{"to P<>", [](auto x, auto y) { return ts::matmul(x, y, ts::out_sharding<P<>>); },
          [](tensor const& x, tensor const& y) { return oracle::matmul(x, y); }, 1e-5},
      row{"to P<dp>", [](auto x, auto y) { return ts::matmul(x, y, ts::out_sharding<P<dp>>); },
          [](tensor const& x, tensor const& y) { return oracle::matmul(x, y); }, 1e-5},
      row{"to P<none, mp>", [](auto x, auto y) { return ts::matmul(x, y, ts::out_sharding<P<none, mp>>); },
          [](tensor const& x, tensor const& y) { return oracle::matmul(x, y); }, 1e-5},
      row{"to P<dp, mp>", [](auto x, auto y) { return ts::matmul(x, y, ts::out_sharding<P<dp, mp>>); },
          [](tensor const& x, tensor const& y) { return oracle::matmul(x, y); }, 1e-5},
      row{"to P<mp, dp>", [](auto x, auto y) { return ts::matmul(x, y, ts::out_sharding<P<mp, dp>>); },
          [](tensor const& x, tensor const& y) { return oracle::matmul(x, y); }, 1e-5},
      row{"to P<axes<dp, mp>>", [](auto x, auto y) { return ts::matmul(x, y, ts::out_sharding<P<axes<dp, mp>>>); },
          [](tensor const& x, tensor const& y) { return oracle::matmul(x, y); }, 1e-5},
      row{"to P<none, axes<mp, dp>>",
          [](auto x, auto y) { return ts::matmul(x, y, ts::out_sharding<P<none, axes<mp, dp>>>); },
          [](tensor const& x, tensor const& y) { return oracle::matmul(x, y); }, 1e-5},
      row{"dot_general",
          [](auto x, auto y) {
            return (ts::dot_general<ts::contract<ts::dims<1>, ts::dims<0>>>(x, y, ts::out_sharding<P<dp>>));
          },
          [](tensor const& x, tensor const& y) { return oracle::matmul(x, y); }, 1e-5},
      row{"dot", [](auto x, auto y) { return ts::dot(x, y, ts::out_sharding<P<mp>>); },
          [](tensor const& x, tensor const& y) { return oracle::matmul(x, y); }, 1e-5}};
};
struct pending {
  static constexpr auto rows = std::tuple{
      row{"added later",
          [](auto x, auto y) {
            return ts::reshard<P<>>(ts::matmul(x, y, ts::out_sharding<P<none, none, ts::unreduced<mp>>>));
          },
          [](tensor const& x, tensor const& y) { return oracle::matmul(x, y); }, 1e-5},
      row{"scattered later",
          [](auto x, auto y) {
            return ts::reshard<P<none, mp>>(ts::matmul(x, y, ts::out_sharding<P<none, none, ts::unreduced<mp>>>));
          },
          [](tensor const& x, tensor const& y) { return oracle::matmul(x, y); }, 1e-5},
      row{"two added",
          [](auto x, auto y) {
            return (ts::reshard<P<>>(ts::matmul(x, y, ts::out_sharding<P<none, none, ts::unreduced<mp>>>) +
                                     ts::matmul(x * 2.0, y, ts::out_sharding<P<none, none, ts::unreduced<mp>>>)));
          },
          [](tensor const& x, tensor const& y) { return oracle::matmul(x, y) * 3; }, 1e-5}};
};
struct batched {
  static constexpr auto rows = std::tuple{
      row{"matmul", [](auto x, auto y) { return ts::matmul(x, y); },
          [](tensor const& x, tensor const& y) { return oracle::matmul(x, y); }, 1e-5},
      row{"dot_general",
          [](auto x, auto y) {
            return (ts::dot_general<ts::contract<ts::dims<2>, ts::dims<1>>, ts::batch<ts::dims<0>, ts::dims<0>>>(x, y));
          },
          [](tensor const& x, tensor const& y) {
            return oracle::dot_general(x, y, {{2}, {1}, {0}, {0}});
          },
          1e-5},
      row{"swapped",
          [](auto x, auto y) {
            return (ts::dot_general<ts::contract<ts::dims<1>, ts::dims<2>>, ts::batch<ts::dims<0>, ts::dims<0>>>(y, x));
          },
          [](tensor const& x, tensor const& y) {
            return oracle::dot_general(y, x, {{1}, {2}, {0}, {0}});
          },
          1e-5}};
};
struct one_product {
  static constexpr auto rows =
      std::tuple{row{"matmul", [](auto x, auto y) { return ts::matmul(x, y); },
                     [](tensor const& x, tensor const& y) { return oracle::matmul(x, y); }, 1e-5}};
};
struct one_bfloat16 {
  static constexpr auto rows =
      std::tuple{row{"matmul", [](auto x, auto y) { return ts::matmul(x, y); },
                     [](tensor const& x, tensor const& y) { return oracle::matmul(x, y); }, 0.01}};
};
struct two_contracted {
  static constexpr auto rows = std::tuple{
      row{"dot_general",
          [](auto x, auto y) {
            return (ts::dot_general<ts::contract<ts::dims<0, 2>, ts::dims<1, 0>>>(x, y, ts::out_sharding<P<>>));
          },
          [](tensor const& x, tensor const& y) {
            return oracle::dot_general(x, y, {{0, 2}, {1, 0}});
          },
          1e-5},
      row{"outer",
          [](auto x, auto y) {
            return ts::sum<0>(ts::dot_general<ts::contract<ts::dims<>, ts::dims<>>>(x, ts::reshard<P<>>(y)));
          },
          [](tensor const& x, tensor const& y) {
            return oracle::sum(oracle::dot_general(x, y, {{}, {}}), {0});
          },
          1e-5}};
};

TEST(matmul, over_layouts) {
  dense<float, 8, 16> const x(-1, 1);
  dense<float, 16, 4> const y(-1, 1, 7);
  check<plain, nowhere, interpreted>(x, y);
  check<plain, on<grid, P<dp>, P<none, mp>>, jitted>(x, y);
  check<plain, on<grid, P<>, P<>>, interpreted>(x, y);
  check<plain, on<grid, P<dp, mp>, P<>>, interpreted>(x, y);
  check<plain, on<grid, P<>, P<axes<dp, mp>>>, interpreted>(x, y);
  check<plain, on<cube, P<axes<a, c>>, P<none, b>>, interpreted>(x, y);
}

TEST(matmul, with_out_sharding) {
  dense<float, 8, 16> const x(-1, 1);
  dense<float, 16, 8> const y(-1, 1, 7);
  check<laid_out, on<grid, P<dp, mp>, P<mp>>, jitted>(x, y);
  check<laid_out, on<grid, P<none, axes<dp, mp>>, P<axes<dp, mp>>>, interpreted>(x, y);
  check<laid_out, on<grid, P<dp, mp>, P<none, none>>, interpreted>(x, y);
}

// A layout chosen with its mesh, or as that of another value.
TEST(matmul, with_a_mesh_and_as_another_value) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const x = ts::device_put<P<dp>>(ts::ones<float, 8, 4>(), mesh);
  auto const y = ts::device_put<P<none, mp>>(ts::ones<float, 8, 4>(), mesh);
  auto const w = ts::device_put<P<>>(ts::ones<float, 4, 4>(), mesh);
  constexpr auto named = [](auto x, auto w) { return ts::matmul(x, w, ts::out_sharding<P<dp, mp>, grid>); };
  static_assert(ts::type_text<decltype(ts::jit(named)(x, w))> == "float32[8@dp,4@mp]");
  constexpr auto alike = [](auto x, auto w, auto y) {
    return ts::matmul(x, w, ts::typeof_(y).sharding()) + ts::reshard(x, ts::typeof_(y).sharding()) +
           w.at(ts::iota<int, 0, 8>() % 4).get(ts::typeof_(y).sharding());
  };
  auto const z = ts::jit(alike)(x, w, y);
  static_assert(ts::type_text<decltype(z)> == "float32[8,4@mp]");
  EXPECT_EQ(z.to_host()[5], 6);
}

#ifndef TESSERA_BY_DAY
TEST(matmul, partial_sums_wait) {
  dense<float, 8, 16> const x(-1, 1);
  dense<float, 16, 8> const y(-1, 1, 7);
  check<pending, on<grid, P<none, mp>, P<mp>>, jitted>(x, y);
}

TEST(matmul, of_other_ranks) {
  dense<float, 4> const v(-1, 1, 3);
  dense<float, 8, 4> const x(-1, 1);
  check<one_product, nowhere, interpreted>(v, v);
  check<one_product, on<grid, P<dp>, P<>>, interpreted>(x, v);
  check<one_product, on<grid, P<>, P<none, dp>>, interpreted>(v, dense<float, 4, 8>(-1, 1));
  check<one_product, on<grid, P<dp, none>, P<mp>>, interpreted>(x, dense<float, 2, 4, 3>(-1, 1));
  check<one_product, on<grid, P<mp, dp>, P<>>, interpreted>(dense<float, 2, 8, 4>(-1, 1), v);
  check<one_product, on<grid, P<>, P<mp>>, interpreted>(v, dense<float, 2, 4, 3>(-1, 1));
  check<one_product, on<grid, P<dp>, P<none, mp>>, interpreted>(dense<float, 4, 3, 8>(-1, 1),
                                                                dense<float, 8, 2>(-1, 1));
  check<one_product, nowhere, interpreted>(dense<float, 2, 1, 3, 4>(-1, 1), dense<float, 5, 4, 2>(-1, 1));
}

TEST(matmul, batched) {
  dense<float, 4, 6, 8> const x(-1, 1);
  dense<float, 4, 8, 2> const y(-1, 1, 9);
  check<batched, nowhere, interpreted>(x, y);
  check<batched, on<grid, P<dp>, P<dp, none, mp>>, jitted>(x, y);
  check<batched, on<grid, P<axes<dp>, mp>, P<dp>>, interpreted>(x, y);
  check<batched, on<cube, P<axes<a, b>, c>, P<axes<a, b>>>, interpreted>(x, y);
}

TEST(matmul, over_two_dims_and_none) {
  dense<float, 4, 3, 8> const x(-1, 1);
  dense<float, 8, 4, 2> const y(-1, 1, 9);
  check<two_contracted, on<grid, P<dp, none, mp>, P<mp, dp>>, interpreted>(x, y);
  check<two_contracted, on<grid, P<dp>, P<mp>>, interpreted>(x, y);
}

TEST(matmul, in_other_dtypes) {
  check<one_product, on<grid, P<dp>, P<none, mp>>, interpreted>(dense<double, 8, 4>(-1, 1), dense<double, 4, 8>(-1, 1));
  check<one_product, on<grid, P<dp>, P<none, mp>>, interpreted>(dense<std::int32_t, 8, 4>(-9, 9),
                                                                dense<std::int32_t, 4, 8>(-9, 9));
  check<one_product, on<grid, P<dp>, P<none, mp>>, interpreted>(dense<float, 8, 4>(-1, 1),
                                                                dense<std::int32_t, 4, 8>(-9, 9));
  check<one_bfloat16, on<grid, P<dp>, P<none, mp>>, interpreted>(dense<ts::bfloat16, 8, 4>(-1, 1),
                                                                 dense<ts::bfloat16, 4, 8>(-1, 1));
}
#endif

}  // namespace
