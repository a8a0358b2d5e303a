// SPDX-License-Identifier: Apache-2.0
// nightly
// Gradients through complex arrays against central differences of std::complex functions, and JAX's convention for them.

#include "support/complex_case.hpp"
#include "support/grad_case.hpp"

namespace {

using namespace op_case;
using namespace complex_case;
using oracle::ints;
using oracle::tensor;

struct functions {
  static constexpr auto rows =
      std::tuple{row{"complex, real, imag", [](auto x, auto y) { return pair_of(ts::complex(x, y)); },
                     [](tensor const& x, tensor const& y) { return each(x, y, [](number z) { return z; }); }},
                 row{"multiply, add, subtract",
                     [](auto x, auto y) {
                       auto const z = ts::complex(x, y);
                       return pair_of(z * (z + 1.5) - z * x);
                     },
                     [](tensor const& x, tensor const& y) {
                       return each(x, y, [](number z) { return z * (z + 1.5) - z * z.real(); });
                     }},
                 row{"divide, reciprocal, negative",
                     [](auto x, auto y) {
                       auto const z = ts::complex(x + 2.0, y);
                       return pair_of((2.0 - z) / z + ts::reciprocal(-z));
                     },
                     [](tensor const& x, tensor const& y) {
                       return each(x, y, [](number z) { return (2.0 - (z + 2.0)) / (z + 2.0) - 1.0 / (z + 2.0); });
                     }},
                 row{"conj, square, exp",
                     [](auto x, auto y) {
                       auto const z = ts::complex(x, y);
                       return pair_of(ts::exp(ts::square(z)) * ts::conj(z));
                     },
                     [](tensor const& x, tensor const& y) {
                       return each(x, y, [](number z) { return std::exp(z * z) * std::conj(z); });
                     }},
                 row{"abs", [](auto x, auto y) { return ts::abs(ts::complex(x, y)); },
                     [](tensor const& x, tensor const& y) { return oracle::sqrt(x * x + y * y); }},
                 row{"angle", [](auto x, auto y) { return ts::angle(ts::complex(x + 3.0, y)); },
                     [](tensor const& x, tensor const& y) {
                       return oracle::generate(x.extents, [&](ints const& i) { return std::arg(at(x, y, i) + 3.0); });
                     }},
                 row{"astype, where, sum",
                     [](auto x, auto y) {
                       auto const z = ts::astype<ts::complex128>(x) + ts::complex(0.0, y);
                       return pair_of(ts::sum<0>(ts::where(x > 0.0, z, ts::conj(z) * 2.0)));
                     },
                     [](tensor const& x, tensor const& y) {
                       return pairs({x.extents[1]}, [&](ints const& i) {
                         number sum = 0;
                         for (std::int64_t k = 0; k < x.extents[0]; ++k) {
                           number const z = at(x, y, {k, i[0]});
                           sum += z.real() > 0 ? z : std::conj(z) * 2.0;
                         }
                         return sum;
                       });
                     }},
                 row{"matmul",
                     [](auto x, auto y) {
                       auto const z = ts::complex(ts::reshard<P<>>(x), ts::reshard<P<>>(y));
                       return pair_of(ts::matmul(z, ts::transpose(z)));
                     },
                     [](tensor const& x, tensor const& y) {
                       return pairs({x.extents[0], x.extents[0]}, [&](ints const& i) {
                         number sum = 0;
                         for (std::int64_t k = 0; k < x.extents[1]; ++k)
                           sum += at(x, y, {i[0], k}) * at(x, y, {i[1], k});
                         return sum;
                       });
                     }}};
};

TEST(complex_gradients, over_layouts) {
  dense<double, 8, 4> const x(-1, 1), y(-1, 1, 5);
  check_gradients<functions, on<grid, P<dp, mp>, P<dp, mp>>>(x, y);
  check_gradients<functions, on<grid, P<axes<mp, dp>>, P<axes<mp, dp>>>>(x, y);
  check_gradients<functions, on<cube, P<none, c>, P<none, c>>>(x, y);
}

// Of L = 3 x + 5 y by z = x + i y: 3 - 5 i.
TEST(complex_gradients, is_the_conjugate_of_the_steepest_ascent) {
  std::vector<ts::complex128> const at{{1, 2}, {3, 4}};
  auto const loss = [](auto z) { return ts::sum(3.0 * ts::real(z) + 5.0 * ts::imag(z)); };
  auto const z = ts::device_put(ts::host<2>(at));
  auto const slope = ts::grad(loss)(z).to_host();
  EXPECT_EQ(slope[0], ts::complex128(3, -5));
  EXPECT_EQ(slope[1], ts::complex128(3, -5));
}

}  // namespace
