// SPDX-License-Identifier: Apache-2.0
// Blocks in, blocks out: shard_map gives a function the blocks of one device and puts the results together again.

#include <tessera/tessera.hpp>

#include <iostream>

namespace ts = tessera;

namespace {

struct row : ts::axis {};
struct col : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<row, 4>, ts::explicit_axis<col, 2>>;

// Each device multiplies the blocks it has, which gives one of the two terms of its rows; psum adds the terms.
struct product_by_devices {
  constexpr auto operator()(auto a, auto b) const {
    return ts::shard_map<ts::in_specs<ts::P<row, col>, ts::P<col, ts::none>>, ts::out_specs<ts::P<row, ts::none>>>(
        [](auto a_block, auto b_block) {
          static_assert(ts::type_text<decltype(a_block)> == "float32[2,8]{V:(row,col)}");
          static_assert(ts::type_text<decltype(b_block)> == "float32[8,4]{V:col}");
          auto const term = ts::matmul(a_block, b_block);
          static_assert(ts::type_text<decltype(term)> == "float32[2,4]{V:(row,col)}");
          auto const sum = ts::psum<col>(term);
          static_assert(ts::type_text<decltype(sum)> == "float32[2,4]{V:row}");
          return sum;
        })(a, b);
  }
};

// The same written for whole arrays: the result's layout asks for the same sum.
struct product_by_types {
  constexpr auto operator()(auto a, auto b) const { return ts::matmul(a, b, ts::out_sharding<ts::P<row, ts::none>>); }
};

void multiply() {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const a = ts::device_put<ts::P<row, col>>(ts::reshape<8, 16>(ts::arange<float, 8 * 16>()), mesh);
  auto const b = ts::device_put<ts::P<col, ts::none>>(ts::reshape<16, 4>(ts::arange<float, 16 * 4>()), mesh);
  auto const c = ts::jit<product_by_devices>(a, b);
  auto const d = ts::jit<product_by_types>(a, b);
  std::cout << "a matrix product, " << ts::typeof_(a) << " times " << ts::typeof_(b) << ", is " << ts::typeof_(c)
            << '\n'
            << c << '\n'
            << "equal to the one by types: " << (c.to_host() == d.to_host() ? "yes" : "no") << '\n';

  constexpr auto const& sent = ts::comm_of<product_by_devices, decltype(a), decltype(b)>;
  static_assert(sent.count<col>(ts::collective::all_reduce) == 1 && sent.count() == 1);
  static_assert(sent.bytes_over<col>() == 2 * 4 * sizeof(float));
  std::cout << ts::explain(sent) << '\n';
}

struct dp : ts::axis {};
struct mp : ts::axis {};
using data_model = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

constexpr auto sum_of_two =
    ts::shard_map<ts::in_specs<ts::P<dp, mp>, ts::P<dp, mp>>, ts::out_specs<ts::P<dp, mp>>>([](auto x, auto y) {
      static_assert(ts::type_text<decltype(x)> == "float32[2,3]{V:(dp,mp)}");  // of (8, 6), on 4 x 2 devices
      return x + y;
    });
constexpr auto sum_over_dp = ts::shard_map<ts::in_specs<ts::P<dp, mp>>, ts::out_specs<ts::P<ts::none, mp>>>([](auto x) {
  ts::debug_print<"{}">(x);
  return ts::psum<dp>(x);
});

void add() {
  auto const mesh = ts::make_mesh<data_model>(ts::devices());
  auto const x = ts::device_put<ts::P<dp, mp>>(ts::reshape<8, 6>(ts::arange<float, 48>()), mesh);
  auto const y = ts::device_put<ts::P<dp, mp>>(ts::full<8, 6>(100.0f), mesh);
  std::cout << "x + y, block by block\n" << sum_of_two(x, y) << "\n\n";

  auto const z = ts::device_put<ts::P<dp, mp>>(ts::reshape<8, 4>(ts::arange<float, 32>()), mesh);
  auto const sum = sum_over_dp(z);
  std::cout << "the sum over dp of four blocks of two rows\n" << sum << "\n\n";
}

// A dimension whose entry is none is whole in each block. A result that is the same along an axis its spec names is
// repeated along it.
constexpr auto widened = ts::shard_map<ts::in_specs<ts::P<row, ts::none>>, ts::out_specs<ts::P<row, col>>>([](auto x) {
  static_assert(ts::type_text<decltype(x)> == "float32[3,10]{V:row}");
  return x;
});

// What is put together is the out_spec's choice: here the block is [[3]] on all devices.
template <class Spec>
constexpr auto put_together = ts::shard_map<ts::in_specs<ts::P<>>, ts::out_specs<Spec>>([](auto x) {
  static_assert(ts::type_text<decltype(x)> == "float32[1,1]");
  return x;
});

void tile() {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const x = ts::device_put<ts::P<row, ts::none>>(ts::reshape<12, 10>(ts::arange<float, 120>()), mesh);
  auto const wide = widened(x);
  std::cout << ts::typeof_(x) << " has blocks (3, 10); with out_specs P<row, col> it comes out as " << ts::typeof_(wide)
            << '\n'
            << "its first row " << wide.at(0).get() << "\n\n";

  auto const three = ts::device_put<ts::P<>>(ts::full<1, 1>(3.0f), mesh);
  std::cout << "[[3]] with out_specs P<row, col>\n"
            << put_together<ts::P<row, col>>(three) << "\nwith P<row, none>\n"
            << put_together<ts::P<row, ts::none>>(three) << "\nwith P<>\n"
            << put_together<ts::P<>>(three) << '\n';
}

}  // namespace

int main() {
  ts::runtime runtime;
  multiply();
  add();
  tile();
}
