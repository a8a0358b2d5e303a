// SPDX-License-Identifier: Apache-2.0
// A refused result that is taken apart with std::get, or stored in a tuple or in a user's tree, adds no second error; one value
// that is taken apart as a tuple is one sentence.

#include <tessera/tessera.hpp>

#include <tuple>
#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

template <class W, class B>
struct layer {
  W w;
  B b;
  static constexpr ts::names<2> names{"w", "b"};
};

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  std::vector<float> const v(32);
  auto const x = ts::device_put<ts::P<dp>>(ts::host<8, 4>(v), ts::make_mesh<line>(ts::devices()));
  [[maybe_unused]] layer<decltype(ts::asarray(x)), decltype(ts::asarray(x))> params{x, x};
  [[maybe_unused]] std::tuple both{x, x};
#if TESSERA_MISUSE == 1
  // expect: the shapes do not fit each other.
  (void)std::get<1>(ts::matmul(x, x));
#elif TESSERA_MISUSE == 2
  // expect: the shapes do not fit each other.
  (void)ts::scan([](auto c, auto) { return ts::matmul(c, c); }, x, ts::asarray(v));
#elif TESSERA_MISUSE == 3
  // expect: the shapes do not fit each other.
  params = ts::jit([](auto p) { return ts::matmul(p.w, p.w); })(params);
#elif TESSERA_MISUSE == 4
  // expect: the shapes do not fit each other.
  both = ts::matmul(x, x);
#elif TESSERA_MISUSE == 5
  // expect: the shapes do not fit each other.
  std::tie(params, std::ignore) = ts::jit([](auto p) { return std::tuple{ts::matmul(p.w, p.w), p.b}; })(params);
#elif TESSERA_MISUSE == 6
  // expect: this is one value and no tuple. Fix: x.at(0).get() is its first row, unstack(x) a tuple of its rows
  (void)std::get<0>(x);
#elif TESSERA_MISUSE == 7
  // expect: this is one value and no tuple.
  (void)ts::jit([](auto a) { return std::get<1>(a) + 1; })(x);
#elif TESSERA_MISUSE == 8
  // expect: a function or a value is missing.
  (void)ts::map([](auto a) { return a; })(x);
#endif
}
