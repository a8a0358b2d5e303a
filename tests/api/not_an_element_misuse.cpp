// SPDX-License-Identifier: Apache-2.0
// Element types that are none, arrays as ranges of C++, and joins of a number of values that the type does not say.

#include <tessera/functions.hpp>
#include <tessera/tessera.hpp>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

namespace ts = tessera;

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const x = ts::asarray({{1.f, 2.f}, {3.f, 4.f}});
  auto const key = ts::random::key(0);
#if TESSERA_MISUSE == 1
  // expect: not an element type. Fix: use bool, int8 to int64
  (void)ts::astype<std::string>(x);
#elif TESSERA_MISUSE == 2
  // expect: not an element type. Fix: use bool, int8 to int64
  (void)ts::zeros<std::string, 3>();
#elif TESSERA_MISUSE == 3
  // expect: not an element type. Fix: use bool, int8 to int64
  (void)ts::full<char*, 3>(1);
#elif TESSERA_MISUSE == 4
  // expect: not an element type. Fix: use bool, int8 to int64
  (void)ts::eye<std::string, 3>();
#elif TESSERA_MISUSE == 5
  // expect: not an element type. Fix: use bool, int8 to int64
  (void)ts::arange<std::string, 3>();
#elif TESSERA_MISUSE == 6
  // expect: not an element type. Fix: use bool, int8 to int64
  (void)ts::iota<long double, 0, 3>();
#elif TESSERA_MISUSE == 7
  // expect: not an element type. Fix: use bool, int8 to int64
  (void)ts::linspace<std::string, 3>(0, 1);
#elif TESSERA_MISUSE == 8
  // expect: not an element type. Fix: use bool, int8 to int64
  (void)ts::zeros_like<std::string>(x);
#elif TESSERA_MISUSE == 9
  // expect: not an element type. Fix: use bool, int8 to int64
  (void)ts::one_hot<std::string, 3>(ts::asarray({0, 1}));
#elif TESSERA_MISUSE == 10
  // expect: not an element type. Fix: use bool, int8 to int64
  (void)ts::host<3>(std::vector<std::string>(3));
#elif TESSERA_MISUSE == 11
  // expect: not an element type. Fix: use bool, int8 to int64
  (void)ts::asarray(std::vector<std::string>(3));
#elif TESSERA_MISUSE == 12
  // expect: not an element type. Fix: use bool, int8 to int64
  (void)ts::asarray({"a", "b"});
#elif TESSERA_MISUSE == 13
  // expect: not an element type. Fix: use bool, int8 to int64
  (void)ts::random::normal<std::string, 3>(key);
#elif TESSERA_MISUSE == 14
  // expect: not an element type. Fix: use bool, int8 to int64
  (void)ts::random::randint<std::string, 3>(key, 0, 10);
#elif TESSERA_MISUSE == 15
  // expect: not an element type. Fix: use bool, int8 to int64
  (void)ts::jit([](auto a) { return ts::astype<std::string>(a); })(x);
#elif TESSERA_MISUSE == 16
  // expect: not an element type. Fix: use bool, int8 to int64
  (void)(x + ts::zeros<std::string, 2>());
#elif TESSERA_MISUSE == 17
  // expect: not an element type. Fix: use bool, int8 to int64
  (void)ts::bitcast<std::string>(x);
#elif TESSERA_MISUSE == 18
  // expect: an array is no range of C++. Fix: x.at(i).get() is a row
  (void)std::accumulate(x.begin(), x.end(), 0.f);
#elif TESSERA_MISUSE == 19
  // expect: an array is no range of C++. Fix: x.at(i).get() is a row
  auto y = x;
  std::sort(y.begin(), y.end());
#elif TESSERA_MISUSE == 20
  // expect: an array is no range of C++. Fix: x.at(i).get() is a row
  (void)std::max_element(x.begin(), x.end());
#elif TESSERA_MISUSE == 21
  // expect: an array is no range of C++. Fix: x.at(i).get() is a row
  (void)ts::jit([](auto a) {
    auto sum = a;
    for (auto row : a) sum = sum + row;
    return sum;
  })(x);
#elif TESSERA_MISUSE == 22
  // expect: how many values are joined is part of the program. Fix: concatenate<0>(x, y), stack(std::array{x, y, z})
  (void)ts::concatenate<0>(std::vector{x, x});
#elif TESSERA_MISUSE == 23
  // expect: how many values are joined is part of the program. Fix: concatenate<0>(x, y), stack(std::array{x, y, z})
  (void)ts::concatenate<0>({x, x});
#elif TESSERA_MISUSE == 24
  // expect: how many values are joined is part of the program. Fix: concatenate<0>(x, y), stack(std::array{x, y, z})
  (void)ts::stack(std::vector{x, x});
#elif TESSERA_MISUSE == 25
  // expect: how many values are joined is part of the program. Fix: concatenate<0>(x, y), stack(std::array{x, y, z})
  (void)ts::stack<1>({x, x});
#elif TESSERA_MISUSE == 26
  // expect: how many values are joined is part of the program. Fix: concatenate<0>(x, y), stack(std::array{x, y, z})
  (void)ts::vstack(std::vector{x, x});
#elif TESSERA_MISUSE == 27
  // expect: how many values are joined is part of the program. Fix: concatenate<0>(x, y), stack(std::array{x, y, z})
  (void)ts::hstack({x, x});
#elif TESSERA_MISUSE == 28
  // expect: how many values are joined is part of the program. Fix: concatenate<0>(x, y), stack(std::array{x, y, z})
  (void)ts::jit([](auto a) { return ts::stack(std::vector{a, a}); })(x);
#endif
  // Arrays and tuples say how many.
  (void)(ts::concatenate<0>(std::array{x, x}) + ts::vstack(std::tuple{x, x}));
}
