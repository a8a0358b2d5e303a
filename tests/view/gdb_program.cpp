// SPDX-License-Identifier: Apache-2.0
// A program for gdb: stops in `look` with arrays of several kinds. tests/view/gdb_printers.py

#include "support/on_grid.hpp"

#include <complex>

using namespace on_grid;

template <class... X>
[[gnu::noinline]] void look(X const&... x) {
  (static_cast<void>(x), ...);
  asm volatile("" ::: "memory");
}

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  std::vector<float> numbers(32);
  for (std::size_t i = 0; i < 32; ++i) numbers[i] = 0.5f * static_cast<float>(i);
  auto const split = ts::device_put<ts::P<dp, mp>>(ts::host<8, 4>(numbers), ts::make_mesh<grid>(ts::devices()));
  auto const flags = ts::asarray({true, false, true});
  auto const waves = ts::asarray({std::complex<float>(1, -2), std::complex<float>(0, 3)});
  auto const halves = ts::astype<ts::bfloat16>(ts::asarray({1.5f, -2.0f}));
  auto const small = ts::astype<ts::float8_e4m3fn>(ts::asarray({1.5f, -448.0f, 0x1p-9f, 500.0f}));
  auto const other = ts::astype<ts::float8_e5m2>(ts::asarray({1.5f, -57344.0f}));
  auto const whole = ts::asarray({1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  ts::array<std::remove_const_t<decltype(flags)>::type> const none{};
  auto const extents = split.shape();
  look(split, flags, waves, halves, small, other, whole, none, extents);
}
