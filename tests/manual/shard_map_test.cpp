// SPDX-License-Identifier: Apache-2.0
// shard_map and its collectives on the values of JAX's tutorial, on 8 and on 4 devices.

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace ts = tessera;

namespace {

struct row : ts::axis {};
struct col : ts::axis {};
struct dp : ts::axis {};
struct mp : ts::axis {};
struct i : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<row, 4>, ts::explicit_axis<col, 2>>;
using data_model = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
using square = ts::mesh<ts::explicit_axis<row, 2>, ts::explicit_axis<col, 2>>;
using line = ts::mesh<ts::explicit_axis<i, 4>>;

template <class T = float>
std::vector<T> counted(std::size_t n, T start = {}) {
  std::vector<T> v(n);
  std::iota(v.begin(), v.end(), start);
  return v;
}
template <class M, class S, std::int64_t... E>
auto put() {
  return ts::device_put<S>(ts::host<E...>(counted(static_cast<std::size_t>((E * ...)))),
                           ts::make_mesh<M>(ts::devices()));
}
using floats = std::vector<float>;

// Rows of a times columns of b, each device its part of the sum.
constexpr auto partial_product = [](auto a, auto b) {
  static_assert(ts::type_text<decltype(a)> == "float32[2,8]{V:(row,col)}");
  static_assert(ts::type_text<decltype(b)> == "float32[8,4]{V:col}");
  auto const part = ts::matmul(a, b);
  static_assert(ts::type_text<decltype(part)> == "float32[2,4]{V:(row,col)}");
  auto const whole = ts::psum<col>(part);
  static_assert(ts::type_text<decltype(whole)> == "float32[2,4]{V:row}");
  return whole;
};
constexpr auto by_devices =
    ts::shard_map<ts::in_specs<ts::P<row, col>, ts::P<col>>, ts::out_specs<ts::P<row>>>(partial_product);
constexpr auto by_types = [](auto a, auto b) { return ts::matmul(a, b, ts::out_sharding<ts::P<row>>); };

TEST(shard_map, a_product_of_blocks) {
  auto const a = put<grid, ts::P<row, col>, 8, 16>();
  auto const b = put<grid, ts::P<col>, 16, 4>();
  auto const c = by_devices(a, b);
  static_assert(ts::type_text<decltype(c)> == "float32[8@row,4]");
  auto const got = c.to_host();
  floats const first(got.begin(), got.begin() + 8);
  EXPECT_EQ(first, (floats{4960, 5080, 5200, 5320, 12640, 13016, 13392, 13768}));
  EXPECT_EQ(got, ts::jit(by_types)(a, b).to_host());
  using cost =
      std::remove_cvref_t<decltype(ts::comm_of<std::remove_const_t<decltype(by_devices)>, decltype(a), decltype(b)>)>;
  static_assert(sizeof(cost) > 0);
  constexpr auto const& sent = ts::comm_of<std::remove_const_t<decltype(by_devices)>, decltype(a), decltype(b)>;
  static_assert(sent.count(ts::collective::all_reduce) == 1);
  static_assert(sent.template bytes_over<col>() == 2 * 4 * 4);
}

TEST(shard_map, shapes_inside_and_out) {
  auto const x = put<data_model, ts::P<dp, mp>, 8, 6>();
  auto const doubled =
      ts::shard_map<ts::in_specs<ts::P<dp, mp>, ts::P<dp, mp>>, ts::out_specs<ts::P<dp, mp>>>([](auto l, auto r) {
        static_assert(ts::type_text<decltype(l)> == "float32[2,3]{V:(dp,mp)}");
        return l + r;
      })(x, x);
  EXPECT_EQ(doubled.to_host(), ts::jit([](auto v) { return v + v; })(x).to_host());

  auto const y = put<data_model, ts::P<dp, mp>, 8, 4>();
  auto const summed = ts::shard_map<ts::out_specs<ts::P<ts::none, mp>>>([](auto v) { return ts::psum<dp>(v); })(y);
  EXPECT_EQ(summed.to_host(), (floats{48, 52, 56, 60, 64, 68, 72, 76}));

  auto const z = put<grid, ts::P<row>, 12, 10>();
  auto const repeated = ts::shard_map<ts::in_specs<ts::P<row>>, ts::out_specs<ts::P<row, col>>>([](auto v) {
    static_assert(ts::type_text<decltype(v)> == "float32[3,10]{V:row}");
    return v;
  })(z);
  static_assert(ts::type_text<decltype(repeated)> == "float32[12@row,20@col]");
  EXPECT_EQ(repeated.at(5, 13).get().item(), 53.0f);
  EXPECT_EQ(repeated.at(5, 3).get().item(), 53.0f);
}

TEST(shard_map, sums_over_one_axis_and_over_both) {
  auto const x = put<square, ts::P<row, col>, 2, 2>();  // 0 1 / 2 3
  auto const over = [&](auto f) { return f(x).to_host(); };
  EXPECT_EQ(over(ts::shard_map<ts::out_specs<ts::P<ts::none, col>>>([](auto v) { return ts::psum<row>(v); })),
            (floats{2, 4}));
  EXPECT_EQ(over(ts::shard_map<ts::out_specs<ts::P<row>>>([](auto v) { return ts::psum<col>(v); })), (floats{1, 5}));
  EXPECT_EQ(over(ts::shard_map<ts::out_specs<ts::P<>>>([](auto v) { return ts::psum<row, col>(v); })), (floats{6}));
  EXPECT_EQ(over(ts::shard_map<ts::out_specs<ts::P<>>>([](auto v) { return ts::pmean<row, col>(v); })), (floats{1.5f}));
  EXPECT_EQ(over(ts::shard_map<ts::out_specs<ts::P<ts::none, col>>>([](auto v) { return ts::pmax<row>(v); })),
            (floats{2, 3}));
  EXPECT_EQ(over(ts::shard_map<ts::out_specs<ts::P<row>>>([](auto v) { return ts::pmin<col>(v); })), (floats{0, 2}));
}

TEST(shard_map, gathers) {
  auto const x = put<line, ts::P<i>, 4>();
  auto const repeated = ts::shard_map<ts::out_specs<ts::P<i>>>([](auto v) {
    auto const all = ts::all_gather<i>(v, ts::tiled);
    static_assert(ts::type_text<decltype(all)> == "float32[4]{V:i}");
    return all;
  })(x);
  EXPECT_EQ(repeated.to_host(), (floats{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3}));
  auto const once = ts::shard_map<ts::out_specs<ts::P<>>>([](auto v) {
    auto const all = ts::all_gather_invariant<i>(v, ts::dim<0>, ts::tiled);
    static_assert(ts::type_text<decltype(all)> == "float32[4]");
    return all;
  })(x);
  EXPECT_EQ(once.to_host(), counted(4));
  auto const stacked = ts::shard_map<ts::out_specs<ts::P<ts::none, i>>>([](auto v) { return ts::all_gather<i>(v); })(x);
  static_assert(ts::type_text<decltype(stacked)> == "float32[4,4@i]");
  EXPECT_EQ(stacked.at(2, 0).get().item(), 2.0f);
}

TEST(shard_map, scatters_permutes_and_exchanges) {
  auto const x = put<line, ts::P<ts::none, i>, 4, 4>();
  auto const rows = ts::shard_map<ts::out_specs<ts::P<i>>>([](auto v) { return ts::psum_scatter<i>(v, ts::tiled); })(
      ts::device_put<ts::P<i>>(ts::host<16, 1>(counted(16)), x.mesh()));
  EXPECT_EQ(rows.to_host(), (floats{24, 28, 32, 36}));
  auto const four = put<line, ts::P<i>, 4>();
  auto const turned =
      ts::shard_map<ts::out_specs<ts::P<i>>>([](auto v) { return ts::ppermute<i>(v, ts::rotate<1>); })(four);
  EXPECT_EQ(turned.to_host(), (floats{3, 0, 1, 2}));
  auto const some = ts::shard_map<ts::out_specs<ts::P<i>>>(
      [](auto v) { return ts::ppermute<i>(v + 5, ts::perm<ts::send<0, 2>, ts::send<3, 1>>); })(four);
  EXPECT_EQ(some.to_host(), (floats{0, 8, 5, 0}));
  auto const shuffled =
      ts::shard_map<ts::out_specs<ts::P<i>>>([](auto v) { return ts::pshuffle<i>(v, ts::order<2, 0, 3, 1>); })(four);
  EXPECT_EQ(shuffled.to_host(), (floats{2, 0, 3, 1}));
  auto const sixteen = put<line, ts::P<i>, 16>();
  auto const sent = ts::shard_map<ts::out_specs<ts::P<i>>>(
      [](auto v) { return ts::all_to_all<i>(v, ts::split_dim<0>, ts::concat_dim<0>, ts::tiled); })(sixteen);
  EXPECT_EQ(sent.to_host(), (floats{0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15}));
}

TEST(shard_map, a_device_knows_where_it_is) {
  auto const x = put<data_model, ts::P<ts::axes<dp, mp>>, 8>();
  auto const where = ts::shard_map<ts::out_specs<ts::P<ts::axes<dp, mp>>>>([](auto v) {
    static_assert(ts::axis_size<dp>(v) == 4 && ts::axis_size<dp, mp>(v) == 8);
    auto const p = ts::axis_index<mp, dp>(v);
    static_assert(ts::type_text<decltype(p)> == "int32[]{V:(dp,mp)}");
    return v * 0 + p;
  })(x);
  EXPECT_EQ(where.to_host(), (floats{0, 4, 1, 5, 2, 6, 3, 7}));
}

// Without a value beside them they wait for one: in an operation, or at the region's end.
struct position_outside {
  constexpr auto operator()(auto x) const { return x + ts::axis_index<dp>(); }
};
struct position_of_nothing {
  constexpr auto operator()(auto) const { return ts::axis_index<dp>() + 1; }
};
TEST(shard_map, positions_and_sizes_without_a_value) {
  auto const x = put<data_model, ts::P<ts::axes<dp, mp>>, 8>();
  using x_type = ts::array_type<float, ts::shape<8>, ts::P<ts::axes<dp, mp>>, data_model>;
  auto const each = [&](auto f) { return ts::shard_map<ts::out_specs<ts::P<ts::axes<dp, mp>>>>(f)(x).to_host(); };
  EXPECT_EQ(each([](auto v) {
              auto const r = v * 0 + (2 * ts::axis_index<mp, dp>() + 1);
              static_assert(ts::type_text<decltype(r)> == "float32[1]{V:(dp,mp)}");
              return r;
            }),
            (floats{1, 9, 3, 11, 5, 13, 7, 15}));
  EXPECT_EQ(each([](auto v) { return v / ts::axis_size<dp>() * ts::psum<mp>(2); }), (floats{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(each([](auto v) { return ts::astype<float>(ts::axis_index<dp>()) + ts::zeros_like(v); }),
            (floats{0, 0, 1, 1, 2, 2, 3, 3}));
  auto const whole = [&](auto f) { return ts::shard_map<ts::out_specs<ts::P<>>>(f)(x); };
  auto const count = whole([](auto) { return ts::psum<dp>(2) + ts::axis_size<dp, mp>(); });
  static_assert(ts::type_text<decltype(count)> == "~int32[]");
  EXPECT_EQ(count.item(), 16);
  EXPECT_EQ(whole([](auto) { return ts::pmax<dp, mp>(ts::axis_index<dp, mp>()); }).item(), 7);
  static_assert(!std::is_void_v<ts::why<position_outside, x_type>>);
  static_assert(!std::is_void_v<ts::why<position_of_nothing, x_type>>);
}

struct from_nowhere {
  constexpr auto operator()(auto v) const {
    return ts::shard_map<ts::out_specs<ts::P<i>>>([](auto b) { return ts::pbroadcast<i>(b, ts::source<4>); })(v);
  }
};
TEST(shard_map, one_device_tells_all_and_devices_change_places) {
  auto const x = put<line, ts::P<i>, 16>();
  auto const told = ts::shard_map<ts::out_specs<ts::P<i>>>([](auto v) {
    auto const got = ts::pbroadcast<i>(v, ts::source<2>);
    static_assert(ts::type_text<decltype(got)> == "float32[4]{V:i}");
    return got;
  })(x);
  EXPECT_EQ(told.to_host(), (floats{8, 9, 10, 11, 8, 9, 10, 11, 8, 9, 10, 11, 8, 9, 10, 11}));
  auto const turned = ts::shard_map<ts::out_specs<ts::P<i>>>([](auto v) { return ts::pswapaxes<i>(v, ts::dim<0>); })(x);
  EXPECT_EQ(turned.to_host(), (floats{0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15}));
  using refused = ts::why<from_nowhere, ts::array_type<float, ts::shape<16>, ts::P<i>, line>>;
  static_assert(!std::is_void_v<refused>);
}

TEST(shard_map, a_sum_is_a_scatter_and_a_gather) {
  auto const x = put<line, ts::P<ts::none, i>, 8, 4>();
  auto const direct = ts::shard_map<ts::out_specs<ts::P<>>>([](auto v) { return ts::psum<i>(v); })(x);
  auto const in_two = ts::shard_map<ts::out_specs<ts::P<>>>(
      [](auto v) { return ts::all_gather_invariant<i>(ts::psum_scatter<i>(v, ts::tiled), ts::dim<0>, ts::tiled); })(x);
  EXPECT_EQ(direct.to_host(), in_two.to_host());
}

// Over Auto axes, and over one axis of two.
TEST(shard_map, other_meshes) {
  using loose = ts::mesh<ts::auto_axis<row, 4>, ts::auto_axis<col, 2>>;
  auto const a = put<loose, ts::P<row, col>, 8, 16>();
  auto const b = put<loose, ts::P<>, 16, 4>();
  auto const c = by_devices(a, b);
  static_assert(ts::type_text<decltype(c)> == "float32[8,4]");
  EXPECT_EQ(c.at(0, 0).get().item(), 4960.0f);
  EXPECT_EQ(c.at(1, 3).get().item(), 13768.0f);

  auto const x = put<grid, ts::P<row, col>, 8, 4>();
  auto const one = ts::shard_map<ts::out_specs<ts::P<row>>, ts::axis_names<row>>([](auto v) {
    static_assert(ts::type_text<decltype(v)> == "float32[2,4@col]{V:row}");
    return v - ts::pmean<row>(v) + ts::sum<1>(v, ts::keepdims);
  })(x);
  static_assert(ts::type_text<decltype(one)> == "float32[8@row,4@col]");
  auto const want = ts::jit([](auto v) {
    auto const parts = ts::reshape<4, 2, 4>(v);
    auto const mean = ts::mean<0>(parts, ts::keepdims);
    return ts::reshape<8, 4>(parts - mean) + ts::sum<1>(v, ts::keepdims);
  })(x);
  EXPECT_EQ(one.to_host(), want.to_host());
  auto const moved = ts::shard_map<ts::out_specs<ts::P<row>>, ts::axis_names<row>>([](auto v) {
    auto const ones = ts::ones<float, 2, 4>(ts::out_sharding<ts::P<ts::none, col>, grid>);
    auto const sum = v + ones;
    static_assert(ts::type_text<decltype(sum)> == "float32[2,4@col]{V:row}");
    return sum;
  })(x);
  EXPECT_EQ(moved.to_host(), ts::jit([](auto v) { return v + 1; })(x).to_host());
}

// Dimensions of a block count from its end, too.
TEST(shard_map, collectives_count_dimensions_from_either_end) {
  auto const x = put<grid, ts::P<row, col>, 8, 16>();
  auto const same = [&](auto one, auto other) {
    return ts::shard_map<ts::out_specs<ts::P<row, col>>>(one)(x).to_host() ==
           ts::shard_map<ts::out_specs<ts::P<row, col>>>(other)(x).to_host();
  };
  EXPECT_TRUE(same([](auto b) { return ts::all_gather<col>(b, ts::dim<-1>, ts::tiled); },
                   [](auto b) { return ts::all_gather<col>(b, ts::dim<1>, ts::tiled); }));
  EXPECT_TRUE(same([](auto b) { return ts::psum_scatter<col>(b, ts::dim<-1>, ts::tiled); },
                   [](auto b) { return ts::psum_scatter<col>(b, ts::dim<1>, ts::tiled); }));
  EXPECT_TRUE(same([](auto b) { return ts::psum_scatter<col>(b, ts::dim<-2>, ts::tiled); },
                   [](auto b) { return ts::psum_scatter<col>(b, ts::dim<0>, ts::tiled); }));
  EXPECT_TRUE(same([](auto b) { return ts::all_to_all<col>(b, ts::split_dim<-2>, ts::concat_dim<-1>, ts::tiled); },
                   [](auto b) { return ts::all_to_all<col>(b, ts::split_dim<0>, ts::concat_dim<1>, ts::tiled); }));
}

// Where other axes stay, arguments are brought to their in_specs: rows are gathered over col and repeated along it.
struct one_more {
  constexpr auto operator()(auto block) const {
    static_assert(ts::type_text<decltype(block)> == "float32[8@row,4]");
    return block + 1;
  }
};
TEST(shard_map, over_some_axes_arguments_are_brought) {
  auto const x = put<grid, ts::P<row, col>, 8, 4>();
  constexpr auto f =
      ts::shard_map<ts::in_specs<ts::P<>>, ts::out_specs<ts::P<ts::none, col>>, ts::axis_names<col>>(one_more{});
  auto const y = f(x);
  static_assert(ts::type_text<decltype(y)> == "float32[8@row,8@col]");
  constexpr auto const& cost = ts::comm_of<std::remove_const_t<decltype(f)>, decltype(x)>;
  static_assert(cost.count(ts::collective::all_gather) == 1 && cost.count() == 1);
  auto const got = y.to_host(), values = x.to_host();
  for (std::size_t r = 0; r < 8; ++r)
    for (std::size_t c = 0; c < 8; ++c) EXPECT_EQ(got[r * 8 + c], values[r * 4 + c % 4] + 1);
}

// Captures of the surrounding program's values, numbers and constants; a region between two operations.
TEST(shard_map, inside_jit) {
  auto const x = put<line, ts::P<i>, 8>();
  auto const f = [](auto v, auto rate) {
    auto const scaled = v * 2;
    auto const normal = ts::shard_map<ts::out_specs<ts::P<i>>>(
        [](auto block) { return block / ts::psum<i>(ts::sum(block)) + ts::ones<float, 2>(); })(scaled);
    return ts::sum(normal) * rate;
  };
  EXPECT_FLOAT_EQ(ts::jit(f)(x, 0.5f).item(), 4.5f);
}

}  // namespace
