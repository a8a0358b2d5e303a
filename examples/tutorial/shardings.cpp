// SPDX-License-Identifier: Apache-2.0
// Shardings: which device holds which part of an array, as an object and as a part of the array's type.

#include <tessera/tessera.hpp>

#include <iostream>
#include <numeric>
#include <vector>

namespace ts = tessera;

namespace {

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
using automatic = ts::mesh<ts::auto_axis<dp, 4>, ts::auto_axis<mp, 2>>;

auto const& explicit_mesh() {
  static auto const mesh = ts::make_mesh<grid>(ts::devices());
  return mesh;
}
auto const& auto_mesh() {
  static auto const mesh = ts::make_mesh<automatic>(ts::devices());
  return mesh;
}
std::vector<float> counted(std::size_t n) {
  std::vector<float> v(n);
  std::iota(v.begin(), v.end(), 0.0f);
  return v;
}

void meshes() {
  auto const say = [](auto const& mesh) {
    std::cout << mesh << "\n  shape " << mesh.shape() << ", names " << mesh.axis_names() << ", types "
              << mesh.axis_types() << ", " << mesh.size() << " devices\n";
  };
  say(explicit_mesh());
  say(auto_mesh());
  std::cout << explicit_mesh().device_ids() << "\nthe size of dp: " << explicit_mesh().shape()["dp"] << "\n\n";
}

// A spec says what happens to each dimension.
void specs() {
  std::cout << "whole                     " << ts::P<ts::none, ts::none>{} << '\n'
            << "rows over dp              " << ts::P<dp, ts::none>{} << '\n'
            << "columns over mp           " << ts::P<ts::none, mp>{} << '\n'
            << "both                      " << ts::P<dp, mp>{} << '\n'
            << "one dimension over dp     " << ts::P<dp>{} << '\n'
            << "one dimension over all    " << ts::P<ts::axes<dp, mp>>{} << '\n'
            << "weights of a convolution  " << ts::P<mp, dp, ts::none, ts::none>{} << "\n\n";
}

// With a mesh it is a sharding, and device_put does what it says.
void placing() {
  auto const data = counted(32);
  ts::named_sharding const sharding{explicit_mesh(), ts::P<dp, mp>{}};
  auto const x = ts::device_put(ts::host<8, 4>(data), sharding);
  std::cout << "over Explicit axes\n  " << x.sharding() << "\n  mesh " << x.sharding().mesh().axis_names() << ", spec "
            << x.sharding().spec() << ", as asked: " << (x.sharding() == sharding ? "yes" : "no")
            << "\n  the type says it, too: " << ts::typeof_(x) << ", " << ts::typeof_(x).sharding().spec() << "\n  on "
            << x.devices().size() << " devices\n";
  auto const y = ts::device_put(ts::host<8, 4>(data), ts::named_sharding{auto_mesh(), ts::P<dp, mp>{}});
  std::cout << "over Auto axes\n  " << y.sharding() << "\n  the type does not: " << ts::typeof_(y) << ", "
            << ts::typeof_(y).sharding().spec() << '\n';
  auto const z =
      ts::device_put(ts::arange<float, 32>(), ts::named_sharding{explicit_mesh(), ts::P<ts::axes<dp, mp>>{}});
  auto const like_x = ts::device_put(ts::ones<float, 8, 4>(), x.sharding());
  std::cout << "of constants: " << ts::typeof_(z) << ", and where x lies: " << ts::typeof_(like_x) << '\n';

  ts::use_mesh const current{explicit_mesh()};
  std::cout << "onto the current mesh: " << ts::typeof_(ts::reshard<ts::P<dp, mp>, grid>(ts::host<8, 4>(data)))
            << "\n\nx\n"
            << ts::visualize(x) << "replicated\n"
            << ts::visualize(ts::device_put<ts::P<>>(x)) << '\n';
}

// Types go through a program; a program that does not fit them does not compile.
struct propagation {
  constexpr auto operator()(auto a, auto b, auto c) const {
    ts::debug_print<"a {:type}\nb {:type}\nc {:type}">(a, b, c);
    auto const sine = ts::sin(a);
    auto const zeros = ts::zeros_like(a);
    auto const product = ts::matmul(a, b, ts::out_sharding<ts::P<dp>>);  // over mp, which both split: a sum, asked for
    ts::debug_print<"sin(a) {:type}\nc + c {:type}\nzeros_like(a) {:type}\na b {:type}">(sine, c + c, zeros, product);
    static_assert(ts::typeof_(product).text() == "float32[8@dp,5]");
    return std::tuple{sine, c + product, zeros};
  }
};
struct merge_dimensions {
  constexpr auto operator()(auto x) const {
    auto const merged = ts::reshape<4, 6>(x);
    auto const turned = ts::reshard<ts::P<mp>>(ts::reshape<8, 3>(x, ts::out_sharding<ts::P<dp>>));
    ts::debug_print<"{:type} as 4 x 6: {:type}; as 8 x 3: {:type}">(x, merged, turned);
    return merged;
  }
};
void inside_programs() {
  auto const put = [](auto data, auto spec) { return ts::device_put(data, ts::named_sharding{explicit_mesh(), spec}); };
  auto const a = put(ts::reshape<8, 4>(ts::arange<float, 32>()), ts::P<dp, mp>{});
  auto const b = put(ts::reshape<4, 5>(ts::arange<float, 20>()), ts::P<mp, ts::none>{});
  auto const c = put(ts::reshape<8, 5>(ts::arange<float, 40>()), ts::P<dp, ts::none>{});
  (void)ts::jit<propagation>(a, b, c);
  std::cout << "its communication\n"
            << ts::explain(ts::comm_of<propagation, decltype(a), decltype(b), decltype(c)>) << '\n';
  (void)ts::jit<merge_dimensions>(put(ts::reshape<4, 2, 3>(ts::arange<float, 24>()), ts::P<dp, mp>{}));
  std::cout << '\n';
}

constexpr auto block_sum = ts::shard_map<ts::in_specs<ts::P<dp>>, ts::out_specs<ts::P<>>>([](auto block) {
  ts::debug_print<"  a block: {:type}">(block);
  auto const sum = ts::psum<dp>(block);
  ts::debug_print<"  and their sum: {:type}">(sum);
  return sum;
});
constexpr auto block_plus_block =
    ts::shard_map<ts::in_specs<ts::P<dp, mp>, ts::P<dp, mp>>, ts::out_specs<ts::P<dp, mp>>>([](auto x, auto y) {
      static_assert(x.shape() == ts::extents_list{2, 3} && y.ndim() == 2);
      return x + y;
    });
void by_blocks() {
  auto const x = ts::device_put<ts::P<dp, mp>>(ts::reshape<8, 6>(ts::arange<float, 48>()), explicit_mesh());
  auto const y = ts::device_put<ts::P<dp, mp>>(ts::full<8, 6>(2.0f), explicit_mesh());
  auto const both = block_plus_block(x, y);
  std::cout << "x + y in shard_map is " << ts::typeof_(both) << ", spec " << both.sharding().spec() << '\n';
  auto const rows = ts::device_put<ts::P<dp>>(ts::reshape<8, 4>(ts::arange<float, 32>()), explicit_mesh());
  auto const sum = block_sum(rows);
  std::cout << "  which is " << ts::typeof_(sum) << ", spec " << sum.sharding().spec() << '\n' << sum << "\n\n";
}

// What is, and what the type says of it.
void compare(auto const& x) {
  std::cout << "with " << x.mesh() << "\n  the array lies as " << x.sharding().spec() << ", its type says "
            << ts::typeof_(x).sharding().spec() << '\n';
}
void is_and_says() {
  ts::use_mesh const current{explicit_mesh()};
  auto const x = ts::sin(ts::reshard<ts::P<dp>, grid>(ts::arange<float, 8>()));
  std::cout << x << '\n';
  compare(x);
  compare(ts::device_put(x, ts::named_sharding{auto_mesh(), ts::P<dp>{}}));
}

}  // namespace

int main(int argc, char** argv) {
  ts::runtime runtime{argc, argv, 8};
  meshes();
  specs();
  placing();
  inside_programs();
  by_blocks();
  is_and_says();
}
