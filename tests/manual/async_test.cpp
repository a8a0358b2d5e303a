// SPDX-License-Identifier: Apache-2.0
// Collectives in two halves: the same values, types, bytes and gradients as in one; what is refused.

#include <gtest/gtest.h>

#include "support/each_device.hpp"

namespace ts = tessera;

namespace {

struct a : ts::axis {};
struct b : ts::axis {};
using line = ts::mesh<ts::explicit_axis<a, 4>>;
using grid = ts::mesh<ts::explicit_axis<a, 4>, ts::explicit_axis<b, 2>>;
using square = ts::mesh<ts::explicit_axis<a, 2>, ts::explicit_axis<b, 2>>;

template <class M, class F, class G>
void same(F in_halves, G in_one) {
  using spec = typename each_device::all_axes<M>::spec;
  auto const x = each_device::input<M, 4, 3>();
  auto const halves = ts::shard_map<ts::out_specs<spec>>(in_halves);
  auto const one = ts::shard_map<ts::out_specs<spec>>(in_one);
  EXPECT_EQ(halves(x).to_host(), one(x).to_host());
  static_assert(std::is_same_v<decltype(halves(x)), decltype(one(x))>);
  constexpr auto const& cost = ts::comm_of<std::remove_const_t<decltype(halves)>, decltype(x)>;
  constexpr auto const& direct = ts::comm_of<std::remove_const_t<decltype(one)>, decltype(x)>;
  static_assert(cost.count() == direct.count() && cost.bytes() == direct.bytes());
  auto const slope = [&](auto f) {
    return ts::grad([](auto v) {
             auto const y = ts::shard_map<ts::out_specs<spec>>(decltype(f){})(v);
             return ts::sum(y * y);
           })(x)
        .to_host();
  };
  EXPECT_EQ(slope(in_halves), slope(in_one));
}

template <class M>
void all_of_them() {
  same<M>(
      [](auto v) {
        auto const token = ts::psum_start<a>(v);
        auto const other = v * v;
        return other + ts::psum_done(token);
      },
      [](auto v) { return v * v + ts::psum<a>(v); });
  same<M>([](auto v) { return ts::all_gather_done(ts::all_gather_start<a>(v, ts::tiled)); },
          [](auto v) { return ts::all_gather<a>(v, ts::tiled); });
  same<M>([](auto v) { return ts::all_gather_start<a>(v, ts::dim<1>, ts::tiled).done(); },
          [](auto v) { return ts::all_gather<a>(v, ts::dim<1>, ts::tiled); });
  same<M>([](auto v) { return ts::psum_scatter_done(ts::psum_scatter_start<a>(v, ts::tiled)); },
          [](auto v) { return ts::psum_scatter<a>(v, ts::tiled); });
  same<M>(
      [](auto v) {
        return ts::all_to_all_done(ts::all_to_all_start<a>(v, ts::split_dim<0>, ts::concat_dim<1>, ts::tiled));
      },
      [](auto v) { return ts::all_to_all<a>(v, ts::split_dim<0>, ts::concat_dim<1>, ts::tiled); });
  same<M>([](auto v) { return ts::ppermute_done(ts::ppermute_start<a>(v, ts::rotate<1>)); },
          [](auto v) { return ts::ppermute<a>(v, ts::rotate<1>); });
  same<M>(
      [](auto v) {
        auto const sent = ts::psend<a>(v, ts::perm<ts::send<0, 1>>);
        auto const meanwhile = ts::sin(v);
        return meanwhile + ts::precv<a>(sent, ts::perm<ts::send<0, 1>>);
      },
      [](auto v) { return ts::sin(v) + ts::ppermute<a>(v, ts::perm<ts::send<0, 1>>); });
}

TEST(async, on_a_line) { all_of_them<line>(); }
TEST(async, along_one_axis) { all_of_them<grid>(); }
TEST(async, on_a_square) { all_of_them<square>(); }

#ifndef TESSERA_BY_DAY
TEST(async, untiled_ones) {
  using spec = typename each_device::all_axes<line>::spec;
  auto const x = each_device::input<line, 4, 3>();
  auto const f = ts::shard_map<ts::out_specs<spec>>([](auto v) {
    auto const token = ts::all_gather_start<a>(v, ts::dim<1>);
    static_assert(ts::type_text<typename decltype(token)::value_type> == "float64[4,4,3]{V:a}");
    return token.done() +
           ts::all_gather_start<a>(ts::psum_scatter_start<a>(ts::all_gather_start<a>(v).done()).done()).done();
  });
  auto const g = ts::shard_map<ts::out_specs<spec>>([](auto v) {
    return ts::all_gather<a>(v, ts::dim<1>) + ts::all_gather<a>(ts::psum_scatter<a>(ts::all_gather<a>(v)));
  });
  EXPECT_EQ(f(x).to_host(), g(x).to_host());
}

TEST(async, in_a_loop) {
  auto const x = each_device::input<line, 4, 3>();
  auto const f = ts::shard_map<ts::out_specs<ts::P<a>>>([](auto v) {
    return ts::fori_loop(
        0, 3,
        [](auto, auto y) {
          auto const token = ts::ppermute_start<a>(y, ts::rotate<1>);
          return y + ts::ppermute_done(token);
        },
        v);
  });
  auto const g = ts::shard_map<ts::out_specs<ts::P<a>>>([](auto v) {
    auto const turn = [](auto y) { return y + ts::ppermute<a>(y, ts::rotate<1>); };
    return turn(turn(turn(v)));
  });
  EXPECT_EQ(f(x).to_host(), g(x).to_host());
}

// Refused where they began, whatever the result is.
using x_type = ts::array_type<double, ts::shape<16, 3>, ts::P<a>, line>;
template <template <class...> class Error, class T>
inline constexpr bool is_error = false;
template <template <class...> class Error, class... Facts>
inline constexpr bool is_error<Error, Error<Facts...>> = true;

struct forgets {
  constexpr auto operator()(auto x) const {
    return ts::shard_map<ts::out_specs<ts::P<a>>>([](auto v) {
      [[maybe_unused]] auto const token = ts::psum_start<a>(v);
      return v;
    })(x);
  }
};
struct waits_twice {
  constexpr auto operator()(auto x) const {
    return ts::shard_map<ts::out_specs<ts::P<a>>>([](auto v) {
      auto const token = ts::psum_start<a>(v);
      return v + ts::psum_done(token) + ts::psum_done(token);
    })(x);
  }
};
struct waits_in_each_turn {
  constexpr auto operator()(auto x) const {
    return ts::shard_map<ts::out_specs<ts::P<a>>>([](auto v) {
      auto const token = ts::psum_start<a>(v);
      return ts::fori_loop(
          0, 3, [token](auto, auto y) { return y + ts::psum_done(token); }, v);
    })(x);
  }
};
static_assert(is_error<ts::error::left_in_flight, ts::why<forgets, x_type>>);
static_assert(is_error<ts::error::awaited_twice, ts::why<waits_twice, x_type>>);
static_assert(is_error<ts::error::left_in_flight, ts::why<waits_in_each_turn, x_type>>);

TEST(async, refusals_name_the_start) {
  std::string const text = ts::why_text<forgets, x_type>();
  EXPECT_NE(text.find("not waited for where it began"), std::string::npos) << text;
}

// The program is traced again, and its tokens are looked at again.
TEST(async, of_sizes_known_at_run_time) {
  auto const x =
      ts::device_put<ts::P<a>>(ts::host<ts::dynamic>(std::vector<double>(8, 1.0)), ts::make_mesh<line>(ts::devices()));
  auto const good = ts::shard_map<ts::out_specs<ts::P<>>>([](auto v) { return ts::psum_start<a>(v).done(); });
  EXPECT_EQ(good(x).to_host(), (std::vector<double>{4, 4}));
}
#endif

}  // namespace
