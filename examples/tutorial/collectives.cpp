// SPDX-License-Identifier: Apache-2.0
// The collectives on four devices: who has what before, and who has what after.

#include <tessera/tessera.hpp>

#include <iostream>

namespace ts = tessera;

namespace {

struct i : ts::axis {};
using line = ts::mesh<ts::explicit_axis<i, 4>>;

struct row : ts::axis {};
struct col : ts::axis {};
using square = ts::mesh<ts::explicit_axis<row, 2>, ts::explicit_axis<col, 2>>;

// Out specs for the cases below: the same everywhere, blocks side by side.
using once = ts::out_specs<ts::P<>>;
using side_by_side = ts::out_specs<ts::P<i>>;

constexpr auto over_i = ts::shard_map<once>([](auto x) { return ts::psum<i>(x); });
constexpr auto over_row = ts::shard_map<ts::out_specs<ts::P<ts::none, col>>>([](auto x) { return ts::psum<row>(x); });
constexpr auto over_both = ts::shard_map<once>([](auto x) { return ts::psum<row, col>(x); });

void sums() {
  auto const x =
      ts::device_put<ts::P<i>>(ts::reshape<4, 2>(ts::arange<float, 8>()), ts::make_mesh<line>(ts::devices()));
  std::cout << "psum: each device one row of\n" << x << "\ngives all of them\n" << over_i(x) << '\n';

  auto const y =
      ts::device_put<ts::P<row, col>>(ts::reshape<4, 2>(ts::arange<float, 8>()), ts::make_mesh<square>(ts::devices()));
  std::cout << "on two by two devices, over row\n" << over_row(y) << "\nover both\n" << over_both(y) << "\n\n";
}

// A gathered value is the same on all devices, but all_gather's type does not say so: it counts as varying over i, and
// comes out once for each device. all_gather_invariant says it.
constexpr auto gathered = ts::shard_map<side_by_side>([](auto x) {
  auto const all = ts::all_gather<i>(x, ts::tiled);
  static_assert(ts::type_text<decltype(all)> == "float32[4]{V:i}");
  return all;
});
constexpr auto gathered_once = ts::shard_map<once>([](auto x) {
  auto const all = ts::all_gather_invariant<i>(x, ts::dim<0>, ts::tiled);
  static_assert(ts::type_text<decltype(all)> == "float32[4]");
  return all;
});
constexpr auto stacked = ts::shard_map<once>([](auto x) {
  auto const all = ts::all_gather_invariant<i>(x);
  static_assert(ts::type_text<decltype(all)> == "float32[4,1]");
  return all;
});

void gathers(auto const& four) {
  std::cout << "all_gather of " << four << "\ntiled, from each device: " << gathered(four)
            << "\ntiled, once: " << gathered_once(four) << "\nstacked:\n"
            << stacked(four) << "\n\n";
}

constexpr auto scattered = ts::shard_map<side_by_side>([](auto x) { return ts::psum_scatter<i>(x, ts::tiled); });
constexpr auto turned = ts::shard_map<side_by_side>([](auto x) { return ts::ppermute<i>(x, ts::rotate<1>); });
constexpr auto some = ts::shard_map<side_by_side>(
    [](auto x) { return ts::ppermute<i>(x + 5, ts::perm<ts::send<0, 2>, ts::send<3, 1>>); });
constexpr auto exchanged = ts::shard_map<side_by_side>(
    [](auto x) { return ts::all_to_all<i>(x, ts::split_dim<0>, ts::concat_dim<0>, ts::tiled); });

// A sum is a scattered sum, gathered: what a device sends is the same, too.
struct direct {
  constexpr auto operator()(auto x) const { return over_i(x); }
};
struct in_two_parts {
  constexpr auto operator()(auto x) const {
    return ts::shard_map<once>([](auto block) {
      return ts::all_gather_invariant<i>(ts::psum_scatter<i>(block, ts::tiled), ts::dim<0>, ts::tiled);
    })(x);
  }
};

void moves(auto const& four, auto const& sixteen) {
  std::cout << "psum_scatter of " << sixteen << '\n'
            << scattered(sixteen) << "\nppermute of " << four << ", to the next\n"
            << turned(four) << "\nx + 5 of device 0 to 2, of 3 to 1, zeros where nothing arrives\n"
            << some(four) << "\nall_to_all of the sixteen\n"
            << exchanged(sixteen) << '\n';

  constexpr auto const& one = ts::comm_of<direct, decltype(sixteen)>;
  constexpr auto const& two = ts::comm_of<in_two_parts, decltype(sixteen)>;
  static_assert(one.count() == 1 && two.count() == 2 && one.bytes() == two.bytes());
  std::cout << "psum == all_gather(psum_scatter): "
            << (ts::jit<direct>(sixteen).to_host() == ts::jit<in_two_parts>(sixteen).to_host() ? "yes" : "no") << ", "
            << one.bytes() << " bytes sent by each device either way\n";
}

}  // namespace

int main(int argc, char** argv) {
  ts::runtime runtime{argc, argv};
  auto const mesh = ts::make_mesh<line>(ts::devices());
  auto const four = ts::device_put<ts::P<i>>(ts::arange<float, 4>(), mesh);
  auto const sixteen = ts::device_put<ts::P<i>>(ts::arange<float, 16>(), mesh);
  sums();
  gathers(four);
  moves(four, sixteen);
}
