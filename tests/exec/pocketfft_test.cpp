// SPDX-License-Identifier: Apache-2.0
// The same transforms by pocketfft, where the build has found it.

#include <tessera/exec/pocketfft.hpp>

#include "support/fft_rows.hpp"

namespace {

using namespace fft_rows;

struct even {
  static constexpr auto rows = all<16>;
};
struct odd {
  static constexpr auto rows = all<15>;
};
struct planes {
  static constexpr auto rows = several<6, 8>;
};

TEST(pocketfft, gives_the_sums) {
  if (!TESSERA_HAS_POCKETFFT) GTEST_SKIP() << "pocketfft_hdronly.h is not here";
  ASSERT_NE(ts::ops::fourier::library<float>, nullptr);
  ASSERT_NE(ts::ops::fourier::library<double>, nullptr);
  check_all<even, on<grid, P<dp, mp>, P<dp, mp>>, interpreted, float, 8, 6, 16>(1e-6);
  check_all<odd, on<grid, P<mp>, P<mp>>, interpreted, double, 4, 3, 15>(1e-14);
  check_all<planes, on<grid, P<axes<dp, mp>>, P<axes<dp, mp>>>, interpreted, double, 8, 6, 8>(1e-14);
}

}  // namespace
