// SPDX-License-Identifier: Apache-2.0
// Calls as a first program has them that are refused as a whole: functions that do not take what they are given, arguments
// that are no arrays, specs, shapes and functions in the place where Python has them.

#include <tessera/tessera.hpp>

#include <tuple>
#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const mesh = ts::make_mesh<grid>(runtime.devices());
  std::vector<float> const v(32);
  auto const x = ts::device_put<ts::P<dp>>(ts::host<8, 4>(v), mesh);
  auto const rows = ts::zeros<float, 8, 4>();
  auto const row = ts::zeros<float, 4>();
  constexpr auto total = [](auto a) { return ts::sum(a); };
  constexpr auto product = [](auto a, auto b) { return ts::sum(a * b); };
  constexpr auto nothing = [](auto a) { (void)ts::sum(a); };
  constexpr auto pair = [](auto c, auto r) { return std::make_tuple(c + r, r); };
  (void)ts::grad<1>(product)(x, x);
  (void)ts::scan(pair, row, rows);
#if TESSERA_MISUSE == 1
  // expect: what stands here is neither an array nor a number.
  (void)ts::jit(total)(v);
#elif TESSERA_MISUSE == 2
  // expect: the traced function cannot be called with these arguments.
  auto const [value, slope] = ts::value_and_grad(product)(x);
  (void)(value + slope);
#elif TESSERA_MISUSE == 3
  // expect: what stands here is neither an array nor a number.
  (void)ts::grad(nothing)(x);
#elif TESSERA_MISUSE == 4
  // expect: what stands here is neither an array nor a number.
  (void)ts::grad(total)(v);
#elif TESSERA_MISUSE == 5
  // expect: grad needs a function that returns one floating scalar.
  (void)ts::grad([](auto a) { return std::make_tuple(ts::sum(a), a); })(x);
#elif TESSERA_MISUSE == 6
  // expect: the function has no argument of the number that grad names. Fix: grad<0>(f)
  (void)ts::grad<1>(total)(x);
#elif TESSERA_MISUSE == 7
  // expect: a transformation takes the function, and what it gives takes the values. Fix: jit(f)(x)
  (void)ts::jit(total, x);
#elif TESSERA_MISUSE == 8
  // expect: a transformation takes the function, and what it gives takes the values.
  (void)ts::grad(total, x);
#elif TESSERA_MISUSE == 9
  // expect: shard_map needs the specs of results. Fix: shard_map<in_specs<...>, out_specs<...>>(f).
  (void)ts::shard_map<ts::in_specs<ts::P<dp>>>(total)(x);
#elif TESSERA_MISUSE == 10
  // expect: shard_map needs the specs of results.
  (void)ts::shard_map(total, mesh, ts::P<dp>{}, ts::P<>{})(x);
#elif TESSERA_MISUSE == 11
  // expect: what stands here is neither an array nor a number.
  (void)ts::shard_map<ts::out_specs<ts::P<dp>>>(nothing)(x);
#elif TESSERA_MISUSE == 12
  // expect: this is no setting of vmap. Fix: vmap<in_axes<0, unmapped>, out_axes<0>>(f).
  (void)ts::vmap(total, 0)(x);
#elif TESSERA_MISUSE == 13
  // expect: this is no setting of vmap.
  (void)ts::vmap<0>(total)(x);
#elif TESSERA_MISUSE == 14
  // expect: the traced function cannot be called with these arguments.
  (void)ts::vmap(product)(rows);
#elif TESSERA_MISUSE == 15
  // expect: what stands here is neither an array nor a number.
  (void)ts::vmap(nothing)(x);
#elif TESSERA_MISUSE == 16
  // expect: what stands here is neither an array nor a number.
  (void)ts::vmap(total)(v);
#elif TESSERA_MISUSE == 17
  // expect: the traced function cannot be called with these arguments.
  auto const [last, all] = ts::scan(total, row, rows);
  (void)(last + all);
#elif TESSERA_MISUSE == 18
  // expect: the body of a scan returns no pair. Fix: return std::tuple{carry, y}
  (void)ts::scan(product, row, rows);
#elif TESSERA_MISUSE == 19
  // expect: the body of a scan returns no pair.
  (void)ts::jit([](auto a) { return ts::scan([](auto c, auto r) { return c + r; }, ts::zeros<float, 4>(), a); })(x);
#elif TESSERA_MISUSE == 20
  // expect: what stands here is neither an array nor a number.
  (void)ts::scan(pair, 0.0f, v);
#elif TESSERA_MISUSE == 21
  // expect: specs stand in angle brackets, P<...> around their axes. Fix: reshard<P<dp>>(x)
  (void)ts::reshard(x, ts::P<ts::none, dp>{});
#elif TESSERA_MISUSE == 22
  // expect: specs stand in angle brackets, P<...> around their axes.
  (void)ts::jit([](auto a) { return ts::reshard<dp>(a); })(x);
#elif TESSERA_MISUSE == 23
  // expect: specs stand in angle brackets, P<...> around their axes.
  (void)ts::reshard<ts::P<dp>>(x, mesh);
#elif TESSERA_MISUSE == 24
  // expect: specs stand in angle brackets, P<...> around their axes.
  (void)ts::with_sharding_constraint(x, ts::P<dp>{});
#elif TESSERA_MISUSE == 25
  // expect: device_put takes the spec in angle brackets, and the mesh. Fix: device_put<P<dp>>(x, mesh)
  (void)ts::device_put<dp>(ts::host<8, 4>(v), mesh);
#elif TESSERA_MISUSE == 26
  // expect: device_put takes the spec in angle brackets, and the mesh.
  (void)ts::device_put<ts::P<dp>>(mesh, ts::host<8, 4>(v));
#elif TESSERA_MISUSE == 27
  // expect: what stands here is neither an array nor a number.
  // expect-fix: asarray(v)
  (void)ts::device_put<ts::P<dp>>({1.0f, 2.0f}, mesh);
#elif TESSERA_MISUSE == 28
  // expect: the subscripts of einsum stand in angle brackets. Fix: einsum<"ij,jk->ik">(x, w).
  (void)ts::einsum("ij,jk->ik", rows, ts::zeros<float, 4, 4>());
#elif TESSERA_MISUSE == 29
  // expect: mesh axes are types and stand in angle brackets. Fix: struct dp : tessera::axis {}; psum<dp>(x), P<dp>{}.
  (void)ts::jit(ts::shard_map<ts::out_specs<ts::P<>>>([](auto a) { return ts::psum(a, dp{}); }))(x);
#elif TESSERA_MISUSE == 30
  // expect: mesh axes are types and stand in angle brackets.
  (void)ts::jit(ts::shard_map<ts::out_specs<ts::P<dp>>>([](auto a) {
    return ts::ppermute(a, "dp", {{0, 1}, {1, 0}});
  }))(x);
#elif TESSERA_MISUSE == 31
  // expect: the element type stands before the extents. Fix: zeros<float, 8, 4>()
  (void)ts::zeros<8, 4>();
#elif TESSERA_MISUSE == 32
  // expect: the element type stands before the extents.
  (void)ts::random::normal<8, 4>(ts::random::key(0));
#elif TESSERA_MISUSE == 33
  // expect: an array is no range of C++. Fix: x.at(i).get() is a row
  for (auto const& each : x) (void)ts::sum(each);
#elif TESSERA_MISUSE == 34
  // expect: an array is no range of C++.
  (void)ts::jit([](auto a) {
    auto sum = ts::sum(a);
    for (auto each : a) sum = sum + ts::sum(each);
    return sum;
  })(x);
#elif TESSERA_MISUSE == 35
  // expect: the shapes do not fit each other.
  auto const [first, second] = ts::reshape<8, 5>(x);
  (void)(first + second);
#elif TESSERA_MISUSE == 36
  // expect: no axis is named. Fix: the axes stand in angle brackets, psum<dp>(x), axis_index<dp>().
  (void)ts::jit(ts::shard_map<ts::out_specs<ts::P<dp>>>([](auto a) { return ts::psum(a); }))(x);
#elif TESSERA_MISUSE == 37
  // expect: no axis is named.
  (void)ts::shard_map<ts::out_specs<ts::P<dp>>>([](auto a) { return a + ts::axis_index(); })(x);
#elif TESSERA_MISUSE == 38
  // expect: no axis is named.
  (void)ts::jit(ts::shard_map<ts::out_specs<ts::P<dp>>>(
      [](auto a) { return ts::ppermute(a, ts::rotate<1>) + ts::pvary(a) + ts::all_gather(a, ts::tiled); }))(x);
#endif
}
