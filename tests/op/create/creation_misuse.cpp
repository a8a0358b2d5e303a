// SPDX-License-Identifier: Apache-2.0
// Constants that cannot be: their own statement says so.

#include <tessera/types.hpp>

using namespace tessera;

struct dp : tessera::axis {};
using grid = mesh<explicit_axis<dp, 4>>;

int main() {
  (void)zeros<float, 8>(out_sharding<P<dp>, grid>);
#if TESSERA_MISUSE == 1
  // expect: a dimension does not divide by the mesh axes that split it.
  (void)zeros<float, 6>(out_sharding<P<dp>, grid>);
#elif TESSERA_MISUSE == 2
  // expect: one mesh axis would split two dimensions of the same array.
  (void)zeros<float, 8, 8>(out_sharding<P<dp, dp>, grid>);
#elif TESSERA_MISUSE == 3
  // expect: the spec has more entries than the array has dimensions.
  (void)zeros<float>(out_sharding<P<dp>, grid>);
#elif TESSERA_MISUSE == 4
  // expect: the operation names a dimension that the array does not have, or one twice.
  (void)iota<int32, 2, 8, 4>();
#elif TESSERA_MISUSE == 5
  // expect: the operation is not defined for this element type.
  (void)iota<bool, 0, 8>();
#endif
}
