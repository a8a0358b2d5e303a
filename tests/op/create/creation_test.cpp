// SPDX-License-Identifier: Apache-2.0
// zeros, ones, full, iota, arange and *_like: in a program, joining arrays of any layout, and by themselves.

#include "support/op_case.hpp"

namespace {

using namespace op_case;
using oracle::tensor;

struct constants {
  static constexpr auto rows =
      std::tuple{row{"zeros", [](auto x) { return ts::zeros<float, 8, 4>() + x; }, [](tensor const& x) { return x; }},
                 row{"ones", [](auto x) { return ts::ones<float, 8, 4>() * x; }, [](tensor const& x) { return x; }},
                 row{"full", [](auto x) { return ts::full<8, 4>(2.5) * x; }, [](tensor const& x) { return x * 2.5; }},
                 row{"full of an element", [](auto x) { return ts::full<float, 8, 4>(3) + x; },
                     [](tensor const& x) { return x + 3; }},
                 row{"full of a computed value", [](auto x) { return ts::full<4, 3>(ts::max(x)); },
                     [](tensor const& x) {
                       return oracle::broadcast_to(oracle::max(x), {4, 3});
                     }},
                 row{"zeros_like", [](auto x) { return ts::zeros_like(x); },
                     [](tensor const&) {
                       return oracle::zeros({8, 4});
                     }},
                 row{"ones_like", [](auto x) { return ts::ones_like<std::int32_t>(x); },
                     [](tensor const&) {
                       return oracle::ones({8, 4});
                     }},
                 row{"full_like", [](auto x) { return ts::full_like(x, 2.5); },
                     [](tensor const&) {
                       return oracle::full({8, 4}, 2.5);
                     }},
                 row{"full_like computed", [](auto x) { return ts::full_like(x, ts::min(x)); },
                     [](tensor const& x) {
                       return oracle::broadcast_to(oracle::min(x), {8, 4});
                     }},
                 row{"iota", [](auto x) { return (ts::iota<float, 1, 8, 4>() + x); },
                     [](tensor const& x) {
                       return oracle::iota({8, 4}, 1) + x;
                     }},
                 row{"arange", [](auto x) { return ts::arange<float, 4>() * x; },
                     [](tensor const& x) { return oracle::arange(4) * x; }},
                 row{"of a constant", [](auto x) { return (ts::full<8, 4>(2.0) + 1.0) * x; },
                     [](tensor const& x) { return x * 3; }}};
};

// Laid out over the mesh, without an operand.
struct counted {
  constexpr auto operator()(auto x) const {
    return std::tuple{ts::iota<std::int32_t, 0, 8, 6>(ts::out_sharding<P<dp, mp>, grid>) + ts::astype<std::int32_t>(x),
                      ts::iota<std::int64_t, 1, 8, 6>(ts::out_sharding<P<axes<mp, dp>>, grid>),
                      ts::arange<float, 16>(ts::out_sharding<P<axes<dp, mp>>, grid>),
                      ts::arange<2, 9, 2>(),
                      ts::arange<9, 2, -2>(),
                      ts::arange<float, -1, 2>(),
                      ts::arange<ts::bfloat16, 4>(),
                      ts::arange<3, 3>(),
                      ts::ones<ts::bfloat16, 8>(ts::out_sharding<P<dp>, grid>),
                      ts::full<float, 8>(ts::sum(x), ts::out_sharding<P<mp>>),
                      ts::full_like(x, ts::max(x) + 2, ts::out_sharding<P<axes<mp, dp>>>),
                      ts::ones_like<std::int32_t>(x, ts::out_sharding<P<mp>>)};
  }
};

TEST(creation, joins_arrays_of_any_layout) {
  dense<float, 8, 4> const x(-1, 1);
  check<constants, on<grid, P<dp, mp>>, jitted>(x);
  check<constants, nowhere, interpreted>(x);
  check<constants, on<cube, P<none, axes<c, a>>>, interpreted>(x);
}

TEST(creation, laid_out) {
  auto const x = place<P<dp, mp>>(ts::make_mesh<grid>(ts::devices()), dense<float, 8, 6>(oracle::zeros({8, 6})));
  auto const expect = [](auto const& made) {
    EXPECT_EQ(tensor_of(std::get<0>(made)), oracle::iota({8, 6}, 0));
    EXPECT_EQ(tensor_of(std::get<1>(made)), oracle::iota({8, 6}, 1));
    EXPECT_EQ(tensor_of(std::get<2>(made)), oracle::arange(16));
    EXPECT_EQ(tensor_of(std::get<3>(made)), tensor({4}, {2, 4, 6, 8}));
    EXPECT_EQ(tensor_of(std::get<4>(made)), tensor({4}, {9, 7, 5, 3}));
    EXPECT_EQ(tensor_of(std::get<5>(made)), tensor({3}, {-1, 0, 1}));
    EXPECT_EQ(tensor_of(std::get<6>(made)), oracle::arange(4));
    EXPECT_EQ(tensor_of(std::get<7>(made)).size(), 0);
    EXPECT_EQ(tensor_of(std::get<8>(made)), oracle::ones({8}));
    EXPECT_EQ(tensor_of(std::get<9>(made)), oracle::zeros({8}));
    EXPECT_EQ(tensor_of(std::get<10>(made)), oracle::full({8, 6}, 2));
    EXPECT_EQ(tensor_of(std::get<11>(made)), oracle::ones({8, 6}));
    static_assert(ts::type_text<std::remove_cvref_t<decltype(std::get<10>(made))>> == "float32[8@(mp,dp),6]");
  };
  expect(jitted::run<counted>(x));
  expect(interpreted::run<counted>(x));
}

}  // namespace
