// SPDX-License-Identifier: Apache-2.0
// NumPy's methods, and what asks for another value than it is given: items of arrays with several elements, types and pictures of
// what is no array, shapes that the data does not have.

#include <tessera/tessera.hpp>

#include <array>
#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 2>>;

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const mesh = ts::make_mesh<grid>(runtime.devices());
  std::vector<float> const v(32);
  auto const x = ts::device_put<ts::P<dp>>(ts::host<8, 4>(v), mesh);
  auto const key = ts::random::key(0);
  constexpr auto ones = ts::ones<float, 4>();
  (void)(ts::sum(x).item() + ts::typeof_(x).ndim() + x.at(0, 0).get().item());
  (void)key;
  (void)ones;
#if TESSERA_MISUSE == 1
  // expect: what NumPy has as methods are functions. Fix: sum(x) for x.sum()
  (void)x.sum();
#elif TESSERA_MISUSE == 2
  // expect: what NumPy has as methods are functions.
  (void)ts::jit([](auto a) { return a.sum(); })(x);
#elif TESSERA_MISUSE == 3
  // expect: what NumPy has as methods are functions.
  (void)ts::jit([](auto a) { return a.mean(0) * 2.f; })(x);
#elif TESSERA_MISUSE == 4
  // expect: what NumPy has as methods are functions.
  (void)x.reshape({4, 8});
#elif TESSERA_MISUSE == 5
  // expect: what NumPy has as methods are functions.
  (void)x.astype<int>();
#elif TESSERA_MISUSE == 6
  // expect: what NumPy has as methods are functions.
  (void)ones.dot(ones);
#elif TESSERA_MISUSE == 7
  // expect: what NumPy has as methods are functions.
  (void)ts::grad([](auto a) { return (a * a).sum(); })(x);
#elif TESSERA_MISUSE == 8
  // expect: item() is the number of an array with one element.
  (void)x.item();
#elif TESSERA_MISUSE == 9
  // expect: types and layouts are those of arrays.
  (void)ts::visualize(v);
#elif TESSERA_MISUSE == 10
  // expect: types and layouts are those of arrays.
  ts::visualize_array_sharding(v);
#elif TESSERA_MISUSE == 11
  // expect: types and layouts are those of arrays.
  (void)ts::typeof_(v);
#elif TESSERA_MISUSE == 12
  // expect: the shape has another number of elements than the data. Fix: host<8, 4>(data) of 32 elements
  (void)ts::host<8, 4>(std::array<float, 3>{1, 2, 3});
#elif TESSERA_MISUSE == 13
  // expect: shapes and numbers of elements are template arguments here.
  (void)ts::random::uniform<float, 4>(key, 1, 2, 3);
#elif TESSERA_MISUSE == 14
  // expect: shapes and numbers of elements are template arguments here.
  (void)ts::random::normal<float>(key, 8, 4);
#elif TESSERA_MISUSE == 15
  // expect: shapes and numbers of elements are template arguments here.
  (void)ts::random::gamma<float>(key, 2.f, 8, 4);
#elif TESSERA_MISUSE == 16
  // expect: shapes and numbers of elements are template arguments here.
  (void)ts::full<float>(8, 4, 1.f);
#endif
}
