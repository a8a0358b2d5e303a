// SPDX-License-Identifier: Apache-2.0
// shard_map from the first call to the collectives, on values that lie nowhere yet: each call puts them where it wants them.

#include <tessera/tessera.hpp>

#include <iostream>

namespace ts = tessera;

namespace {

struct row : ts::axis {};
struct col : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<row, 4>, ts::explicit_axis<col, 2>>;
using auto_grid = ts::mesh<ts::auto_axis<row, 4>, ts::auto_axis<col, 2>>;

struct i : ts::axis {};
using line = ts::mesh<ts::auto_axis<i, 4>>;
using pair = ts::mesh<ts::auto_axis<i, 2>>;

template <std::int64_t... E>
constexpr auto counted = ts::reshape<E...>(ts::arange<float, (E * ...)>());

// One product, by devices and by types.
struct block_product {
  constexpr auto operator()(auto a, auto b) const {
    ts::debug_print<"blocks {:type} and {:type}">(a, b);
    return ts::psum<col>(ts::matmul(a, b));  // each device its part of the contracted dimension
  }
};
struct typed_product {
  constexpr auto operator()(auto a, auto b) const { return ts::matmul(a, b, ts::out_sharding<ts::P<row>>); }
};
void product() {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  std::cout << mesh << ", " << mesh.size() << " devices, " << mesh.axis_names() << ", " << mesh.shape()["row"] << " by "
            << mesh.shape()["col"] << '\n';
  auto const a = counted<8, 16>;
  auto const b = counted<16, 4>;
  using split = ts::in_specs<ts::P<row, col>, ts::P<col>>;
  using rows = ts::out_specs<ts::P<row>>;
  auto const c = ts::shard_map<split, rows>(block_product{}, mesh)(a, b);
  std::cout << ts::typeof_(a) << " times " << ts::typeof_(b) << " is " << ts::typeof_(c) << ", its first rows\n"
            << c.at(ts::span(0, 2)).get() << "\nas one device computes it: "
            << (c.to_host() == ts::asarray(ts::matmul(a, b)).to_host() ? "yes" : "no") << '\n'
            << ts::visualize(c);
  auto const unsaid = ts::shard_map<split, rows>(block_product{}, ts::make_mesh<auto_grid>(ts::devices()))(a, b);
  std::cout << "over Auto axes its type says less: " << ts::typeof_(unsaid) << '\n';

  auto const put_a = ts::device_put(a, ts::named_sharding{mesh, ts::P<row, col>{}});
  auto const put_b = ts::device_put(b, ts::named_sharding{mesh, ts::P<col>{}});
  auto const by_types = ts::jit<typed_product>(put_a, put_b);
  auto const two = by_types.at(ts::span<0, 2>()).get(ts::out_sharding<ts::P<>>);  // which do not divide by four
  std::cout << "by types: " << ts::typeof_(put_a) << " times " << ts::typeof_(put_b) << " is " << ts::typeof_(by_types)
            << ", its first rows " << ts::typeof_(two) << '\n'
            << two << "\n\n";
}

// vmap takes a dimension away, shard_map divides it.
constexpr auto row_sums = [](auto x) { return ts::sum<-1>(x); };
void ranks() {
  auto const one_by_one = ts::jit(ts::vmap([](auto matrix) {
    ts::debug_print<"vmap's function gets {:type}">(matrix);
    return row_sums(matrix);
  }))(ts::asarray(counted<4, 2, 3>));
  std::cout << "of 4 matrices " << ts::typeof_(one_by_one) << '\n';
  auto const block_by_block = ts::shard_map<ts::in_specs<ts::P<i>>, ts::out_specs<ts::P<i>>>(
      [](auto block) {
        ts::debug_print<"shard_map's function gets {:type}">(block);
        return row_sums(block);
      },
      ts::make_mesh<pair>(ts::devices()))(counted<8, 4>);
  std::cout << "of 8 rows " << block_by_block << ", " << block_by_block.shape() << "\n\n";
}

// What is the same along an axis comes out once, or once for each device, as out_specs say.
template <class Out>
auto everywhere() {
  return ts::shard_map<ts::in_specs<>, Out>([] { return ts::ones<float, 1, 1>(); },
                                            ts::make_mesh<grid>(ts::devices()))();
}
void specs() {
  auto const wide = ts::shard_map<ts::in_specs<ts::P<row>>, ts::out_specs<ts::P<row, col>>>(
      [](auto block) { return block; }, ts::make_mesh<grid>(ts::devices()))(counted<12, 10>);
  std::cout << "(12, 10) by rows, out by rows and columns: " << wide.shape() << "\na function without arguments\n"
            << everywhere<ts::out_specs<ts::P<row, col>>>() << '\n'
            << everywhere<ts::out_specs<ts::P<row, ts::none>>>() << '\n'
            << everywhere<ts::out_specs<ts::P<ts::none, ts::none>>>() << "\n\n";
}

// Over which axes a value varies is in its type. A result that varies where out_specs say it does not, and carries of a
// loop that change in that, do not compile: pvary gives a value that is the same a type that varies.
void varying() {
  auto const mesh = ts::make_mesh<pair>(ts::devices());
  auto const sum = ts::shard_map<ts::in_specs<ts::P<i>>, ts::out_specs<ts::P<>>>(
      [](auto x) {
        auto const y = ts::psum<i>(x);
        static_assert(ts::typeof_(x).vma().size() == 1 && ts::typeof_(y).vma().empty());
        ts::debug_print<"{:type} varies, its sum {:type} does not">(x, y);
        return y;
      },
      mesh)(ts::arange<float, 6>());
  std::cout << sum << '\n';
  auto const repeated = ts::shard_map<ts::in_specs<ts::P<>>, ts::out_specs<ts::P<i>>>(
      [](auto x) {
        auto const y = ts::pvary<i>(x);
        ts::debug_print<"pvary of {:type} is {:type}">(x, y);
        return y;
      },
      mesh)(ts::arange<float, 3>());
  std::cout << repeated << '\n';
  auto const [x, y] =
      ts::shard_map<ts::in_specs<ts::P<i>, ts::P<>>, ts::out_specs<ts::P<i>, ts::P<i>>>(
          [](auto a, auto b) {
            return ts::fori_loop(
                0, 2,
                [](auto, auto both) {
                  return std::tuple{std::get<1>(both), std::get<0>(both)};
                },
                std::tuple{a, ts::pvary<i>(b)});
          },
          mesh)(ts::arange<float, 6>(), ts::arange<float, 3>() + 10);
  std::cout << "swapped twice in a loop: " << x << ' ' << y << "\n\n";
}

// The collectives, with what each device has.
template <class In, class Out>
auto on_four(auto f) {
  return ts::shard_map<ts::in_specs<In>, ts::out_specs<Out>>(f, ts::make_mesh<line>(ts::devices()));
}
using split = ts::P<i>;
using whole = ts::P<>;
void collectives() {
  std::cout << "psum " << on_four<split, whole>([](auto x) { return ts::psum<i>(x); })(counted<4, 2>) << '\n';
  auto const gathered = on_four<split, split>([](auto x) {
    auto const all = ts::all_gather<i>(x, ts::tiled);
    ts::debug_print<"all_gather, tiled: {} from {}">(all, x);
    return all;
  })(counted<4>);
  std::cout << gathered << ", " << gathered.shape() << '\n'
            << "once " << on_four<split, whole>([](auto x) {
                 return ts::all_gather_invariant<i>(x, ts::dim<0>, ts::tiled);
               })(counted<4>)
            << ", stacked\n"
            << on_four<split, whole>([](auto x) { return ts::all_gather_invariant<i>(x); })(counted<4>) << '\n';
  std::cout << "psum_scatter "
            << on_four<split, split>([](auto x) { return ts::psum_scatter<i>(x, ts::dim<1>); })(counted<4, 4>) << '\n';
  auto const shifted = on_four<split, split>([](auto x) {
    auto const y = ts::ppermute<i>(x, ts::perm_by<[](int device, int devices) { return (device + 1) % devices; }>);
    ts::debug_print<"ppermute: had {}, has {}">(x, y);
    return y;
  })(counted<4>);
  std::cout << shifted << '\n';
  auto const exchanged = on_four<split, split>([](auto x) {
    auto const y = ts::all_to_all<i>(x, ts::split_dim<0>, ts::concat_dim<0>, ts::tiled);
    ts::debug_print<"all_to_all: had {}\n has {}">(x, y);
    return y;
  })(counted<16>);
  std::cout << exchanged << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  ts::runtime runtime{argc, argv, 8};
  product();
  ranks();
  specs();
  varying();
  collectives();
}
