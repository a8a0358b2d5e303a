// SPDX-License-Identifier: Apache-2.0
// reduce_dtype between processes: what is rounded to 16 bits at each of them is not with it.

#include <tessera/api/processes.hpp>

#include "support/summed_gradients.hpp"

namespace {

using namespace summed_gradients;

TEST(reduce_dtype, sums_of_16_bits_are_nearer_in_32) {
  if (ts::device_count() != 8) GTEST_SKIP() << "the mesh has eight devices";
  double const to = ts::process_count() == 1 ? 1 : 0.8;
  fall<ts::bfloat16>(to);
  fall<ts::float16>(to);
}

}  // namespace
