// SPDX-License-Identifier: Apache-2.0
#include <tessera/op/linalg/fft.hpp>

#include "support/typed.hpp"

namespace fft_cases {
using namespace tessera;

struct dp : axis {};
struct mp : axis {};
using grid = mesh<explicit_axis<dp, 4>, explicit_axis<mp, 2>>;
template <class Shape, class Spec, class Element = float>
constexpr traced<array_type<Element, Shape, Spec, grid>> of{};
constexpr auto& x = of<shape<8, 4, 10>, P<dp, mp>>;
constexpr auto& z = of<shape<8, 4, 10>, P<dp>, complex128>;

TYPE_IS((fft(x)), "complex64[8@dp,4@mp,10]");
TYPE_IS((ifft(z)), "complex128[8@dp,4,10]");
TYPE_IS((rfft(x)), "complex64[8@dp,4@mp,6]");
TYPE_IS((rfft<-1, 9>(x)), "complex64[8@dp,4@mp,5]");
TYPE_IS((fft<2, 16>(x)), "complex64[8@dp,4@mp,16]");
TYPE_IS((irfft(z)), "float64[8@dp,4,18]");
TYPE_IS((irfft<1, 5>(z, ortho)), "float64[8@dp,5,10]");
TYPE_IS((fft2(z)), "complex128[8@dp,4,10]");
TYPE_IS((rfftn<2, 1>(of<shape<8, 4, 10>, P<dp>>)), "complex64[8@dp,3,10]");
TYPE_IS((irfft2(z)), "float64[8@dp,4,18]");
TYPE_IS((fft(of<shape<8>, P<>, int64>)), "complex128[8]");
TYPE_IS((fft(of<shape<8>, P<>, bfloat16>)), "complex64[8]");
TYPE_IS((rfft(of<shape<8>, P<>, int32>)), "complex64[5]");
TYPE_IS((rfft(of<shape<dynamic, 4>, P<dp>>)), "complex64[?@dp,3]");
TYPE_IS((rfft<0>(of<shape<dynamic, 4>, P<>>)), "complex64[?,4]");
TYPE_IS((fftshift<0>(of<shape<8, 4>, P<>, complex64>)), "complex64[8,4]");
REFUSED(sharded_dim_unsupported, fft<0>(x));
REFUSED(sharded_dim_unsupported, rfft2(x));
REFUSED(sharded_dim_unsupported, irfftn(z));
REFUSED(sharded_dim_unsupported, fft<1, 6>(x));
REFUSED(element_unsupported, rfft(z));
REFUSED(dim_out_of_range, fft<3>(x));
REFUSED(dim_out_of_range, fftn<1, 1>(z));
REFUSED(shapes_disagree, irfft(of<shape<8, 1>, P<>>));
REFUSED(shapes_disagree, fft(of<shape<8, 0>, P<>>));

}  // namespace fft_cases
