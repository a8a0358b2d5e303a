// SPDX-License-Identifier: Apache-2.0
#include <tessera/tessera.hpp>

#include <tessera/functions.hpp>

#include <vector>

namespace ts = tessera;

struct smoothed {
  constexpr auto operator()(auto rows, auto window) const {
#ifdef TESSERA_MISUSE
    // expect: tessera: the function takes vectors, arrays of one dimension. Fix: ravel(x); conv for batches and features;
    // expect-fix: vmap for a batch of vectors.
    return ts::convolve(rows, window, ts::same);
#else
    return ts::vmap<ts::in_axes<0, ts::unmapped>>([](auto row, auto w) { return ts::convolve(row, w, ts::same); })(
        rows, window);
#endif
  }
};

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const rows = ts::asarray(ts::host<8, 16>(std::vector<float>(128, 1.0f)));
  (void)ts::jit(smoothed{})(rows, ts::asarray({0.25f, 0.5f, 0.25f}));
}
