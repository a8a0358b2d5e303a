// SPDX-License-Identifier: Apache-2.0
// What is no matrix, or no system of equations, has no singular values.

#include <tessera/types.hpp>

using namespace tessera;

struct dp : tessera::axis {};
using grid = mesh<explicit_axis<dp, 4>>;

int main() {
  (void)svd(zeros<float, 6, 4>());
  (void)lstsq(zeros<float, 6, 4>(), zeros<float, 6>());
#if TESSERA_MISUSE == 1
  // expect: the numbers of dimensions do not fit each other.
  (void)svd(zeros<float, 6>());
#elif TESSERA_MISUSE == 2
  // expect: the shapes do not fit each other.
  (void)lstsq(zeros<float, 6, 4>(), zeros<float, 4>());
#elif TESSERA_MISUSE == 3
  // expect: the operation needs this dimension whole on every device.
  (void)pinv(zeros<float, 8, 8>(out_sharding<P<dp>, grid>));
#elif TESSERA_MISUSE == 4
  // expect: the shapes do not fit each other.
  (void)condition_number(zeros<float, 6, 4>(), fro);
#elif TESSERA_MISUSE == 5
  // expect: the operation needs this dimension whole on every device.
  (void)svdvals(zeros<complex64, 8, 8>(out_sharding<P<dp>, grid>));
#endif
}
