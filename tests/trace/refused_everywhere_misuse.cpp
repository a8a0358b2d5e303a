// SPDX-License-Identifier: Apache-2.0
// What is done with a refused value adds no second error: its members, what they give, and every function that is more
// than one operation, of which all take refused values alike.

#include <tessera/tessera.hpp>

#include <tessera/checkpoint.hpp>
#include <tessera/data.hpp>
#include <tessera/dlpack.hpp>
#include <tessera/memory.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

template <class W, class B>
struct layer {
  W w;
  B b;
  static constexpr ts::names<2> names{"w", "b"};
};

TESSERA_TREE(model, layers, scale);
constexpr auto scaled = [](auto m, auto y) {
  return std::make_tuple(ts::tree_map([](auto w) { return w * 2; }, m), ts::sum(y * m.scale));
};

struct loss {
  constexpr auto operator()(auto params, auto x) const {
    return ts::mean(ts::square(ts::matmul(x, params.w) + params.b));
  }
};
struct step {
  constexpr auto operator()(auto params, auto x) const {
    auto [value, slope] = ts::value_and_grad(loss{})(params, x);
    return std::make_tuple(ts::tree_map([](auto p, auto g) { return p - 0.1 * g; }, params, slope), value);
  }
};

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const mesh = ts::make_mesh<grid>(runtime.devices());
  std::vector<float> const v(32);
  auto const x = ts::device_put<ts::P<dp>>(ts::host<8, 4>(v), mesh);
#if TESSERA_MISUSE == 1
  // expect: the shapes do not fit each other.
  auto y = ts::reshape<8, 5>(x);
#else
  auto y = ts::reshape<8, 4>(x);
#endif

  auto const u = ts::reshard<ts::P<>>(y);

  // Members, and theirs.
  static_assert(decltype(y)::rank == 2 && y.ndim() == 2 && y.dtype() == ts::dtype::float32);
  static_assert(ts::type_text<decltype(y)> == "float32[8@dp,4]");
  static_assert(ts::typeof_t<decltype(y)>::shape() == ts::extents_list{8, 4});
  std::int64_t const rows = y.shape()[0], bytes = y.nbytes() + y.size() * 2;
  bool const here = y.is_fully_addressable() && !y.is_fully_replicated() && y.shape() == x.shape();
  std::cout << y << y.shape() << y.dtype() << y.T() << ts::typeof_(y) << rows << bytes << here << '\n';
  std::cout << y.sharding() << y.sharding().spec() << y.sharding().mesh() << y.mesh().shape()["dp"] << '\n';
  std::cout << y.devices().size() << y.devices()[0] << y.sharding().shard_shape(x.shape()) << y.id() << '\n';
  for (auto const& shard : y.addressable_shards()) std::cout << shard.where.id << shard.index[0].start << shard.data[0];
  for (std::int64_t i = 0; i < y.shape()[0]; ++i) std::cout << y.at(i, 0).get();
  std::vector<float> const values = y.to_host();
  auto const host = ts::device_get(y);
  std::cout << host[0] << std::accumulate(host.begin(), host.end(), 0.0f)
            << *std::max_element(host.begin(), host.end());
  std::vector<float> room(32);
  y.copy_to(room);
  float const number = ts::sum(y).item() / 2 + std::sqrt(ts::mean(y).item());
  if (ts::sum(y).item() > 3 || static_cast<float>(ts::sum(y)) > 2 || std::isnan(number)) return 1;
  auto const less = y.at(0).set(1) + y.at(ts::span(1, 3), ts::every).get() * 0;
  y.block_until_ready();

  // Assignment, operators, comparisons.
  auto z = y;
  z = y + 1;
  z += y;
  y = y * 2 - x;
  auto w = x;
  w = y;
  w += y;
  auto const whole = ts::astype<int>(y);
  std::cout << y % 2 << (whole & 1) << (1 | whole) << (whole ^ whole) << ~whole << (whole << 1) << (whole >> whole);
  y %= 2;
  if (ts::array_equal(y, x).item()) return 1;

  // Places.
  auto const placed = ts::device_put<ts::P<ts::none, dp>>(y, mesh);
  auto const again = ts::device_put(x, y.sharding());
  auto const third = ts::device_put<ts::P<dp>>(ts::host<8, 4>(v), y.mesh());
  auto const fourth = ts::device_put(placed, x.sharding());
  std::cout << ts::device_put<ts::P<mp>>(y) << ts::device_put(y, runtime.devices()[0]) << ts::asarray(y);
  std::cout << ts::device_put(ts::device_put(y, ts::on_host{}), ts::on_device{}) << again << third << fourth;
  std::cout << ts::device_put<ts::P<mp>>(y, ts::any_order) << ts::relabeled<ts::P<mp>>(y).elements;
  std::cout << ts::reshard<ts::P<mp>>(y) << ts::reshard(y, x.sharding()) << ts::reshard<ts::P<mp>, grid>(y);
  std::cout << ts::device_put<ts::P<mp>, grid>(y);
  std::cout << ts::process_allgather(y)[0] << less;

  // Programs and trees.
  auto const one = ts::jit([](auto a) { return a * 2; })(y);
  auto const [first, second] = ts::jit([](auto a, auto b) { return std::make_tuple(a + b, b); })(y, x);
  layer params{y, ts::asarray(1.0f)};
  for (int i = 0; i < 3; ++i) {
    auto const [made, value] = ts::jit<step>(layer{ts::asarray(ts::ones<float, 4, 4>()), params.b}, y);
    std::cout << made.w << value.item() << made.b << '\n';
  }
  std::cout << one << first << second << params.w << ts::tree_size(params);
  params = ts::tree_map([](auto p) { return p * 2; }, params);
  ts::tree_each([](auto const& p) { std::cout << p << p.shape(); }, params);
  ts::tree_each_with_path([](std::string const& path, auto const& p) { std::cout << path << p.nbytes(); }, params);
  constexpr auto total = [](auto a) { return ts::sum(ts::square(a)); };
  auto const [value, slope] = ts::value_and_grad(total)(y);
  std::cout << value.item() << slope << ts::grad(total)(y) << ts::vmap([](auto row) { return ts::sum(row); })(y);
  std::cout << ts::jit(ts::shard_map<ts::out_specs<ts::P<dp>>>([](auto a) { return a + 1; }))(y);
  std::cout << ts::checkpoint(total)(y) << ts::auto_axes<ts::out_shardings<ts::P<dp>>>([](auto a) { return a + 1; })(y);
  constexpr auto carry = [](auto c, auto row) { return std::make_tuple(c + row, ts::sum(row)); };
  auto const [last, all] = ts::scan(carry, ts::zeros<float, 4>(), u);
  std::cout << last << all << ts::map([](auto row) { return row * 2; }, u) << ts::optimization_barrier(y);
  std::cout << ts::fori_loop(
      0, 3, [](auto, auto c) { return c + 1; }, y);
  std::cout << ts::while_loop([](auto c) { return ts::sum(c) < 0; }, [](auto c) { return c + 1; }, y);
  constexpr auto same = [](auto a) { return a; };
  std::cout << ts::cond(ts::sum(y) > 0, same, same, x) << ts::cond(true, same, same, y);
  std::cout << ts::associative_scan([](auto a, auto b) { return a + b; }, u);
  constexpr auto const& cost = ts::comm_of<decltype(total), decltype(y)>;
  static_assert(cost.count() <= 1 && 0 <= cost.count() && cost.bytes() + 1 != 0 && cost.bytes() <= 4096 * cost.count());
  std::int64_t const sent = cost.bytes();
  std::cout << sent << cost.bytes() << cost.bytes() / 1024.0 << ts::memory_of<decltype(total), decltype(y)>.peak;
  ts::check<decltype(total), decltype(y)>();

  auto state = model{std::array{x, x}, x};
  auto scalar = ts::sum(x);
  for (int i = 0; i < 3; ++i) std::tie(state, scalar) = ts::jit(scaled)(state, y);
  auto const [twice, weighted] = ts::jit(scaled)(model{std::array{y, y}, y}, x);
  state = twice;
  std::cout << state.layers[0] << scalar << weighted;

  // What gives several values, or takes several.
  auto const [q, r] = ts::qr(ts::matmul(u.T(), u));
  auto const [most, places] = ts::top_k<2>(y);
  auto const [upper, lower] = ts::split<2>(y);
  std::cout << q << r << most << places << upper << lower << ts::concatenate(y, x) << ts::stack(x, y);
  std::cout << ts::median<0>(u);
  auto const key = ts::random::key(ts::astype<int>(ts::sum(y)));
  auto const [k1, k2] = ts::random::split(key);
  std::cout << ts::random::normal<float, 8, 4>(k1) << ts::train::dropout(k2, y, 0.5);

  // Training, pictures, files.
  std::cout << ts::train::global_norm(params) << ts::train::clip_by_global_norm(params, 1.0).w;
  std::cout << ts::visualize(y) << ts::to_svg(ts::visualize(y));
  ts::visualize_array_sharding(y);
  ts::debug_print<"y = {}">(y);
  ts::save("weights", params);
  ts::save_async("weights", params).wait();
  params = ts::restore("weights", params);
  ts::save_npy("y.npy", y);
  ts::to_dlpack(y);
  ts::metrics log{"loss.csv", {"loss"}};
  log.add(1, {ts::mean(y).item()});
}
