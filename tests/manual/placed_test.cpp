// SPDX-License-Identifier: Apache-2.0
// shard_map of what lies elsewhere, or nowhere yet, and of nothing: on the mesh that the call names.

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <numeric>

#include "support/printed.hpp"
#include "support/throws.hpp"

namespace {

namespace ts = tessera;
struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
using automatic = ts::mesh<ts::auto_axis<dp, 4>, ts::auto_axis<mp, 2>>;
using turned = ts::mesh<ts::explicit_axis<mp, 2>, ts::explicit_axis<dp, 4>>;
using floats = std::vector<float>;

floats counted(std::size_t n) {
  floats v(n);
  std::iota(v.begin(), v.end(), 0.0f);
  return v;
}

using rows_and_columns = ts::in_specs<ts::P<dp, mp>, ts::P<mp>>;
struct product {
  constexpr auto operator()(auto a, auto b) const {
    static_assert(ts::type_text<decltype(a)> == "float32[2,8]{V:(dp,mp)}");
    static_assert(ts::type_text<decltype(b)> == "float32[8,4]{V:mp}");
    return ts::psum<mp>(ts::matmul(a, b));
  }
};
floats const expected = [] {
  floats c(32);
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      for (std::size_t k = 0; k < 16; ++k) c[4 * i + j] += static_cast<float>((16 * i + k) * (4 * k + j));
  return c;
}();

template <class M>
void multiply_what_is_anywhere() {
  auto const mesh = ts::make_mesh<M>(ts::devices());
  auto const a = counted(128), b = counted(64);
  auto const multiply = ts::shard_map<rows_and_columns, ts::out_specs<ts::P<dp>>>(product{}, mesh);
  auto const from_host = multiply(ts::host<8, 16>(a), ts::host<16, 4>(b));
  EXPECT_EQ(from_host.to_host(), expected);
  EXPECT_EQ(from_host.mesh(), mesh);
  auto const from_constants =
      multiply(ts::reshape<8, 16>(ts::arange<float, 128>()), ts::reshape<16, 4>(ts::arange<float, 64>()));
  EXPECT_EQ(from_constants.to_host(), expected);
  auto const alone = ts::asarray(ts::reshape<8, 16>(ts::arange<float, 128>()));
  EXPECT_EQ(multiply(alone, ts::host<16, 4>(b)).to_host(), expected);
  auto const elsewhere = ts::device_put<ts::P<mp>>(ts::host<16, 4>(b), ts::make_mesh<turned>(ts::devices()));
  EXPECT_EQ(multiply(alone, elsewhere).to_host(), expected);
  auto const reversed = ts::make_mesh<M>(ts::devices(), ts::device_order{{7, 6, 5, 4, 3, 2, 1, 0}});
  auto const on_others = ts::device_put<ts::P<mp>>(ts::host<16, 4>(b), reversed);
  EXPECT_EQ(multiply(alone, on_others).to_host(), expected);
  EXPECT_EQ(multiply(alone, on_others).mesh(), mesh);
}
TEST(shard_map_on_a_mesh, arguments_from_anywhere) { multiply_what_is_anywhere<grid>(); }
TEST(shard_map_on_a_mesh, arguments_from_anywhere_over_auto_axes) { multiply_what_is_anywhere<automatic>(); }

constexpr auto by_type = ts::shard_map<rows_and_columns, ts::out_specs<ts::P<dp>>, grid>(product{});
TEST(shard_map_on_a_mesh, the_current_one_by_its_type) {
  auto const a = counted(128), b = counted(64);
  EXPECT_THROW_TEXT(by_type(ts::host<8, 16>(a), ts::host<16, 4>(b)), "no current AbstractMesh('dp': 4, 'mp': 2");
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  ts::use_mesh const current{mesh};
  ts::transfer_log log;
  EXPECT_EQ(by_type(ts::host<8, 16>(a), ts::host<16, 4>(b)).to_host(), expected);
  ASSERT_EQ(log.transfers().size(), 3u);
  EXPECT_EQ(log.transfers()[0].what, "device_put");
  EXPECT_EQ(log.transfers()[0].bytes, 512);
  EXPECT_EQ(log.transfers()[1].bytes, 256) << "each distinct block once";
  auto const x = ts::device_put<ts::P<dp, mp>>(ts::host<8, 16>(a), mesh);
  ts::transfer_log again;
  auto const y = by_type(x, ts::host<16, 4>(b));
  EXPECT_EQ(again.bytes(), 256) << "x is there already";
  EXPECT_EQ(y.to_host(), expected);
}

// A spec holds for all leaves of its argument, wherever each is.
struct sum_of_leaves {
  constexpr auto operator()(auto p, auto x) const { return std::get<0>(p) * x + std::get<1>(p); }
};
TEST(shard_map_on_a_mesh, trees_of_what_is_anywhere) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const f = ts::shard_map<ts::in_specs<ts::P<dp>, ts::P<dp>>, ts::out_specs<ts::P<dp>>>(sum_of_leaves{}, mesh);
  auto const eight = counted(8);
  auto const there = ts::device_put<ts::P<dp>>(ts::host<8>(eight), mesh);
  auto const y = f(std::tuple{ts::host<8>(eight), ts::ones<float, 8>()}, there);
  EXPECT_EQ(printed(ts::typeof_(y)), "float32[8@dp]");
  EXPECT_EQ(y.to_host(), (floats{1, 2, 5, 10, 17, 26, 37, 50}));
}

// In traced code constants are split, too, and what is on no mesh joins it.
struct inside_jit {
  constexpr auto operator()(auto a) const {
    auto const c = by_type(a, ts::reshape<16, 4>(ts::arange<float, 64>()));
    static_assert(ts::type_text<decltype(c)> == "float32[8@dp,4]");
    return c;
  }
};
TEST(shard_map_on_a_mesh, in_traced_code) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const a = counted(128);
  auto const x = ts::device_put<ts::P<dp, mp>>(ts::host<8, 16>(a), mesh);
  EXPECT_EQ(ts::jit<inside_jit>(x).to_host(), expected);
  ts::use_mesh const current{mesh};
  auto const alone = ts::asarray(ts::reshape<8, 16>(ts::arange<float, 128>()));
  EXPECT_EQ(ts::jit<inside_jit>(alone).to_host(), expected);
  constexpr auto const& cost = ts::comm_of<inside_jit, decltype(x)>;
  static_assert(cost.count() == 1 && cost.count(ts::collective::all_reduce) == 1);
}

struct split_constant {
  constexpr auto operator()(auto v) const {
    static_assert(ts::type_text<decltype(v)> == "float32[2]{V:dp}");
    return v * 2;
  }
};
TEST(shard_map_of_constants, are_split_as_arrays_are) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  ts::use_mesh const current{mesh};
  constexpr auto twice = ts::shard_map<ts::in_specs<ts::P<dp>>, ts::out_specs<ts::P<dp>>, grid>(split_constant{});
  auto const doubled = twice(ts::arange<float, 8>());
  EXPECT_EQ(printed(ts::typeof_(doubled)), "float32[8@dp]");
  EXPECT_EQ(printed(doubled), "[ 0.  2.  4.  6.  8. 10. 12. 14.]");
  EXPECT_EQ(ts::asarray(doubled).mesh(), mesh);
}

// Functions without arguments.
template <class Out>
constexpr auto ones = ts::shard_map<ts::in_specs<>, Out, grid>([] { return ts::ones<float, 1, 1>(); });
constexpr auto positions = ts::shard_map<ts::in_specs<>, ts::out_specs<ts::P<dp, mp>>, grid>(
    [] { return ts::reshape<1, 1>(ts::axis_index<dp>() * 10 + ts::axis_index<mp>()); });
struct without_arguments {
  constexpr auto operator()() const {
    return std::tuple{positions() * 2, ts::zeros<float, 8>(ts::out_sharding<ts::P<dp>, grid>)};
  }
};
struct nothing_but_a_constant {
  constexpr auto operator()() const { return ts::arange<float, 4>() + 1; }
};
TEST(without_arguments, shard_map) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const tiled =
      ts::shard_map<ts::in_specs<>, ts::out_specs<ts::P<dp, mp>>>([] { return ts::ones<float, 1, 1>(); }, mesh)();
  EXPECT_EQ(printed(tiled), "[[1. 1.]\n [1. 1.]\n [1. 1.]\n [1. 1.]]");
  EXPECT_EQ(tiled.mesh(), mesh);
  EXPECT_EQ(printed(ts::typeof_(tiled)), "float32[4@dp,2@mp]");
  ts::use_mesh const current{mesh};
  auto const rows = ones<ts::out_specs<ts::P<dp, ts::none>>>();
  EXPECT_EQ(printed(ts::typeof_(rows)), "float32[4@dp,1]");
  EXPECT_EQ(printed(rows), "[[1.]\n [1.]\n [1.]\n [1.]]");
  EXPECT_EQ(printed(ones<ts::out_specs<ts::P<>>>()), "[[1.]]");
  EXPECT_EQ(printed(positions()), "[[ 0  1]\n [10 11]\n [20 21]\n [30 31]]");
}
TEST(without_arguments, jit) {
  EXPECT_EQ(ts::jit<nothing_but_a_constant>().to_host(), (floats{1, 2, 3, 4}));
  EXPECT_EQ(ts::jit([] { return ts::sum(ts::arange<float, 4>()); })().item(), 6);
  EXPECT_THROW_TEXT(ts::jit<without_arguments>(), "no current AbstractMesh('dp': 4, 'mp': 2");
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  ts::use_mesh const current{mesh};
  auto const [where, zeros] = ts::jit<without_arguments>();
  EXPECT_EQ(where.mesh(), mesh);
  EXPECT_EQ(printed(where), "[[ 0  2]\n [20 22]\n [40 42]\n [60 62]]");
  EXPECT_EQ(printed(ts::typeof_(zeros)), "float32[8@dp]");
  EXPECT_EQ(zeros.to_host(), floats(8));
  static_assert(ts::comm_of<without_arguments>.count() == 0);
}

// Two meshes in one call have no common numbers of axes.
struct both {
  constexpr auto operator()(auto x, auto y) const { return std::tuple{x, y}; }
};
constexpr auto of_both = ts::shard_map<ts::in_specs<ts::P<dp>, ts::P<dp>>, ts::out_specs<ts::P<dp>, ts::P<dp>>>(both{});
TEST(shard_map_on_a_mesh, not_on_two) {
  using x = ts::array_type<float, ts::shape<8>, ts::P<dp>, grid>;
  using y = ts::array_type<float, ts::shape<8>, ts::P<dp>, turned>;
  EXPECT_EQ((ts::why_text<decltype(of_both), x, x>()), "");
  EXPECT_NE((ts::why_text<decltype(of_both), x, y>()).find("mesh"), std::string::npos);
}

constexpr auto fibonacci_like = [](int devices) {
  std::array<std::pair<int, int>, 3> list{};
  for (int i = 0; i < 3; ++i) list[i] = {i, devices - 1 - i};
  return list;
};
TEST(ppermute, by_a_constexpr_function) {
  auto const four = ts::device_put<ts::P<dp>>(ts::arange<float, 4>(), ts::make_mesh<grid>(ts::devices()));
  auto const next = ts::shard_map<ts::out_specs<ts::P<dp>>>(
      [](auto v) { return ts::ppermute<dp>(v, ts::perm_by<[](int i, int n) { return (i + 1) % n; }>); })(four);
  EXPECT_EQ(next.to_host(), (floats{3, 0, 1, 2}));
  auto const some = ts::shard_map<ts::out_specs<ts::P<dp>>>([](auto v) {
    return ts::ppermute<dp>(v + 5, ts::perm_by<[](int i, int) { return i == 2 ? -1 : 3 - i; }>);
  })(four);
  EXPECT_EQ(some.to_host(), (floats{8, 0, 6, 5}));
  auto const listed = ts::shard_map<ts::out_specs<ts::P<dp>>>(
      [](auto v) { return ts::ppermute<dp>(v + 5, ts::perm_by<fibonacci_like>); })(four);
  EXPECT_EQ(listed.to_host(), (floats{0, 7, 6, 5}));
}
struct to_the_same {
  constexpr auto operator()(auto v) const {
    return ts::ppermute<dp>(v, ts::perm_by<[](int, int) { return 0; }>);
  }
};
TEST(ppermute, by_a_function_that_is_no_permutation) {
  using x = ts::array_type<float, ts::shape<4>, ts::P<dp>, grid>;
  using mapped = decltype(ts::shard_map<ts::out_specs<ts::P<dp>>>(to_the_same{}));
  EXPECT_NE((ts::why_text<mapped, x>()).find("sends or receives twice"), std::string::npos)
      << ts::why_text<mapped, x>();
}

}  // namespace
