// SPDX-License-Identifier: Apache-2.0
#include <tessera/op/ops.hpp>

#include "support/typed.hpp"

#include <complex>

namespace complex_cases {
using namespace tessera;

struct dp : axis {};
struct mp : axis {};
using grid = mesh<explicit_axis<dp, 4>, explicit_axis<mp, 2>>;
template <class Shape, class Spec, class Element = float>
constexpr traced<array_type<Element, Shape, Spec, grid>> of{};
constexpr auto& x = of<shape<8, 4>, P<dp>>;
constexpr auto& z = of<shape<8, 4>, P<none, mp>, complex64>;
constexpr auto& wide = of<shape<8, 4>, P<>, complex128>;

static_assert(dtype_of<std::complex<float>>() == dtype::complex64);
static_assert(dtype_of<std::complex<double>>() == dtype::complex128);

TYPE_IS(z, "complex64[8,4@mp]");
TYPE_IS((complex(x, x)), "complex64[8@dp,4]");
TYPE_IS((complex(x, of<shape<4>, P<mp>, double>)), "complex128[8@dp,4@mp]");
TYPE_IS((complex(0.0, x)), "complex64[8@dp,4]");
TYPE_IS((real(z)), "float32[8,4@mp]");
TYPE_IS((imag(wide)), "float64[8,4]");
TYPE_IS((imag(of<shape<8>, P<dp>, int32>)), "int32[8@dp]");
TYPE_IS((conj(z)), "complex64[8,4@mp]");
TYPE_IS((tessera::abs(z)), "float32[8,4@mp]");
TYPE_IS((angle(wide)), "float64[8,4]");
TYPE_IS((z * x), "complex64[8@dp,4@mp]");
TYPE_IS((z * 2), "complex64[8,4@mp]");
TYPE_IS((of<shape<8>, P<>, double> * of<shape<8>, P<>, complex64>), "complex128[8]");
TYPE_IS((z == z), "bool[8,4@mp]");
TYPE_IS((tessera::exp(z) + wide), "complex128[8,4@mp]");
TYPE_IS((tessera::sin(z)), "complex64[8,4@mp]");
TYPE_IS((power(z, 2)), "complex64[8,4@mp]");
TYPE_IS((isnan(z)), "bool[8,4@mp]");
TYPE_IS((sum<1>(z)), "complex64[8]");
TYPE_IS((prod<1>(z)), "complex64[8]");
TYPE_IS((mean(z)), "complex64[]");
TYPE_IS((astype<complex128>(x)), "complex128[8@dp,4]");
TYPE_IS((astype<float>(z)), "float32[8,4@mp]");
TYPE_IS((zeros_like(z)), "complex64[8,4@mp]");
TYPE_IS((sort<0>(z)), "complex64[8,4@mp]");
TYPE_IS((logsumexp<0>(z)), "complex64[4@mp]");
REFUSED(element_unsupported, z < z);
REFUSED(element_unsupported, max(z));
REFUSED(element_unsupported, maximum(z, z));
REFUSED(element_unsupported, argmax<0>(z));
REFUSED(element_unsupported, tessera::cbrt(z));
REFUSED(element_unsupported, complex(z, z));
REFUSED(element_unsupported, clamp(0.0, z, 1.0));

}  // namespace complex_cases
