// SPDX-License-Identifier: Apache-2.0
// Values that do not fit the part of an array that they are written to, as types say.

#include <tessera/tessera.hpp>

#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

int main() {
  auto const x = ts::device_put<ts::P<dp>>(ts::host<8, 4>(std::vector<float>(32)), ts::make_mesh<line>());
  auto const three = ts::asarray({1.f, 2.f, 3.f});
#if TESSERA_MISUSE == 1
  // expect: the shapes do not fit each other.
  (void)x.at(0).set(three);
#elif TESSERA_MISUSE == 2
  // expect: the numbers of dimensions do not fit each other.
  (void)x.at(0, 1).add(three);
#elif TESSERA_MISUSE == 3
  // expect: the shapes do not fit each other.
  (void)x.at(0).max(ts::zeros<float, 3>());
#elif TESSERA_MISUSE == 4
  // expect: arrays do not change, x.at(i) = v writes nowhere.
  x.at(0) = 5.f;
#elif TESSERA_MISUSE == 5
  // expect: arrays do not change, x.at(i) = v writes nowhere.
  x.at(0, 1) += 5;
#else
  (void)x.at(0).set(ts::zeros<float, 4>());
  (void)x.at(0).set(1.f);
  (void)x.at(ts::span(1, 3)).set(ts::zeros<float, 2, 4>());
#endif
}
