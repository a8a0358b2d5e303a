// SPDX-License-Identifier: Apache-2.0
// A .npy file of floats of 8 bits: NumPy would not read it back.

#include <tessera/data.hpp>
#include <tessera/tessera.hpp>

#include <vector>

namespace ts = tessera;

int main() {
  auto const x = ts::astype<ts::float8_e4m3fn>(ts::asarray({1.5f, 2.0f}));
  std::vector<ts::float8_e5m2> const v(2);
  ts::save_npy("x.npy", ts::bitcast<ts::uint8>(x));
#if TESSERA_MISUSE == 1
  // expect: .npy files have no floats of 8 bits. Fix: bitcast<uint8>(x), astype<float>(x), or save.
  ts::save_npy("x.npy", x);
#elif TESSERA_MISUSE == 2
  // expect: .npy files have no floats of 8 bits.
  ts::save_npy("x.npy", ts::host<2>(v));
#endif
}
