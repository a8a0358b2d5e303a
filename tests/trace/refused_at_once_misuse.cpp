// SPDX-License-Identifier: Apache-2.0
// Outside of traced code a refused operation does not compile where it stands, whatever its operands are.

#include <tessera/tessera.hpp>

#include <iostream>
#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
struct other {};

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const mesh = ts::make_mesh<grid>(runtime.devices());
  std::vector<float> const v{1, 2, 3, 4};
  auto const x = ts::device_put<ts::P<dp>>(ts::host<4>(v), mesh);
  auto const three = ts::zeros<float, 3, 4>();
  (void)ts::sin(ts::host<4>(v));
  (void)(x + ts::host<4>(v));
  (void)(ts::host<4>(v) * x);
  (void)ts::device_put<ts::P<dp>>(v, mesh);
#if TESSERA_MISUSE == 1
  // expect: the shapes do not fit each other.
  (void)(ts::arange<float, 8>() + ts::arange<float, 4>());
#elif TESSERA_MISUSE == 2
  // expect: the shapes do not fit each other.
  (void)ts::reshape<5>(ts::arange<float, 4>());
#elif TESSERA_MISUSE == 3
  // expect: the shapes do not fit each other.
  (void)ts::matmul(three, ts::zeros<float, 5, 6>());
#elif TESSERA_MISUSE == 4
  // expect: the operation names a dimension that the array does not have
  (void)ts::sum<3>(three);
#elif TESSERA_MISUSE == 5
  // expect: the numbers of dimensions do not fit each other.
  (void)ts::concatenate(three, ts::zeros<float, 5>());
#elif TESSERA_MISUSE == 6
  // expect: what stands here is neither an array nor a number.
  // expect-fix: asarray(v)
  (void)ts::sin(v);
#elif TESSERA_MISUSE == 7
  // expect: what stands here is neither an array nor a number.
  (void)(x + v);
#elif TESSERA_MISUSE == 8
  // expect: the spec names a mesh axis, and the array is on no mesh.
  // expect-fix: device_put<P<...>>(x, mesh)
  (void)ts::reshard<ts::P<dp>>(ts::host<4>(v));
#elif TESSERA_MISUSE == 9
  // expect: the spec names a mesh axis, and the array is on no mesh.
  (void)ts::reshard<ts::P<dp>>(ts::arange<float, 4>());
#elif TESSERA_MISUSE == 10
  // expect: the spec names a mesh axis, and the array is on no mesh.
  (void)ts::device_put<ts::P<dp>>(ts::asarray(v));
#elif TESSERA_MISUSE == 11
  // expect: the operation names a dimension that the array does not have
  (void)ts::visualize(ts::sum<3>(x));
#elif TESSERA_MISUSE == 12
  // expect: the shapes do not fit each other.
  (void)(x + ts::host<3>(std::vector<float>(3)));
#elif TESSERA_MISUSE == 13
  // expect: what stands here is neither an array nor a number.
  (void)ts::device_put<ts::P<dp>>(other{}, mesh);
#elif TESSERA_MISUSE == 14
  // expect: the operation names a dimension that the array does not have
  (void)ts::vmap([](auto row) { return ts::sum<1>(row); })(three);
#elif TESSERA_MISUSE == 15
  // expect: grad needs a function that returns one floating scalar.
  (void)ts::grad([](auto z) { return z * 2; })(three);
#elif TESSERA_MISUSE == 16
  // expect: the einsum subscripts do not fit the operands.
  (void)ts::einsum<"ij,jk->il">(three, three);
#elif TESSERA_MISUSE == 17
  // expect: the shapes do not fit each other.
  (void)ts::jit([](auto z) { return z + ts::arange<float, 8>(); })(three);
#elif TESSERA_MISUSE == 18
  // expect: an axis is named that is not Manual here.
  std::cout << ts::axis_index<dp>() + 1;
#elif TESSERA_MISUSE == 19
  // expect: an index or a slice reaches beyond its dimension.
  auto const [values, places] = ts::top_k<9>(x);
#elif TESSERA_MISUSE == 20
  // expect: the operation is not defined for this element type.
  auto const [largest, places] = ts::top_k<2>(ts::zeros<ts::complex64, 4>());
#endif
}
