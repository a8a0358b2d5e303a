// SPDX-License-Identifier: Apache-2.0
// Complex arrays against std::complex<double>: arithmetic, parts, casts, sums, movement, products, over layouts; and in
// and out of the program.

#include "support/complex_case.hpp"
#include "support/op_case.hpp"

#include <complex>
#include <sstream>

namespace {

using namespace op_case;
using namespace complex_case;
using oracle::ints;
using oracle::tensor;

struct functions {
  static constexpr auto rows = std::tuple{
      row{"complex", [](auto x, auto y) { return pair_of(ts::complex(x, y)); },
          [](tensor const& x, tensor const& y) { return each(x, y, [](number z) { return z; }); }},
      row{"multiply",
          [](auto x, auto y) {
            auto const z = ts::complex(x, y);
            return pair_of(ts::multiply(z, z + 1.5));
          },
          [](tensor const& x, tensor const& y) { return each(x, y, [](number z) { return z * (z + 1.5); }); }, 4e-6},
      row{"divide",
          [](auto x, auto y) {
            auto const z = ts::complex(x, y);
            return pair_of(ts::divide(2.0 - z, z) + ts::reciprocal(z));
          },
          [](tensor const& x, tensor const& y) { return each(x, y, [](number z) { return (2.0 - z) / z + 1.0 / z; }); },
          4e-6},
      row{"negative, conj, square",
          [](auto x, auto y) {
            auto const z = ts::complex(x, y);
            return pair_of(ts::square(z) - ts::conj(-z));
          },
          [](tensor const& x, tensor const& y) { return each(x, y, [](number z) { return z * z + std::conj(z); }); },
          4e-6},
      row{"exp", [](auto x, auto y) { return pair_of(ts::exp(ts::complex(x, y))); },
          [](tensor const& x, tensor const& y) { return each(x, y, [](number z) { return std::exp(z); }); }, 4e-6},
      row{"real operand", [](auto x, auto y) { return pair_of(x * ts::complex(x, y) - ts::complex(0.5, y)); },
          [](tensor const& x, tensor const& y) {
            return each(x, y, [](number z) { return z.real() * z - number(0.5, z.imag()); });
          },
          4e-6},
      row{"a complex constant", [](auto x, auto y) { return pair_of(ts::complex(x, y) * ts::complex(0.25, 1.0)); },
          [](tensor const& x, tensor const& y) { return each(x, y, [](number z) { return z * number(0.25, 1); }); },
          4e-6},
      row{"abs", [](auto x, auto y) { return ts::abs(ts::complex(x, y)); },
          [](tensor const& x, tensor const& y) { return oracle::sqrt(x * x + y * y); }, 4e-6},
      row{"angle", [](auto x, auto y) { return ts::angle(ts::complex(x, y)); },
          [](tensor const& x, tensor const& y) {
            return oracle::generate(x.extents, [&](ints const& i) { return std::arg(at(x, y, i)); });
          },
          4e-6},
      row{"equal",
          [](auto x, auto y) {
            auto const z = ts::complex(x, y);
            return ts::logical_and(ts::not_equal(z, ts::complex(ts::abs(x), y)), ts::equal(z, z));
          },
          [](tensor const& x, tensor const&) { return oracle::less(x, 0); }},
      row{"where",
          [](auto x, auto y) {
            auto const z = ts::complex(x, y);
            return pair_of(ts::where(x > y, z, ts::conj(z)));
          },
          [](tensor const& x, tensor const& y) {
            return each(x, y, [](number z) { return z.real() > z.imag() ? z : std::conj(z); });
          }},
      row{"sum of rows", [](auto x, auto y) { return pair_of(ts::sum<1>(ts::complex(x, y))); },
          [](tensor const& x, tensor const& y) {
            tensor const re = oracle::sum(x, {1}), im = oracle::sum(y, {1});
            return pairs(re.extents, [&](ints const& i) { return at(re, im, i); });
          },
          4e-6},
      row{"mean of columns", [](auto x, auto y) { return pair_of(ts::mean<0>(ts::complex(x, y))); },
          [](tensor const& x, tensor const& y) {
            tensor const re = oracle::mean(x, {0}), im = oracle::mean(y, {0});
            return pairs(re.extents, [&](ints const& i) { return at(re, im, i); });
          },
          4e-6},
      row{"transpose, flip", [](auto x, auto y) { return pair_of(ts::transpose(ts::flip<1>(ts::complex(x, y)))); },
          [](tensor const& x, tensor const& y) {
            return pairs({x.extents[1], x.extents[0]}, [&](ints const& i) {
              return at(x, y, {i[1], x.extents[1] - 1 - i[0]});
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
              for (std::int64_t k = 0; k < x.extents[1]; ++k) sum += at(x, y, {i[0], k}) * at(x, y, {i[1], k});
              return sum;
            });
          },
          4e-6},
      row{"astype",
          [](auto x, auto y) { return ts::astype<float>(ts::complex(x, y)) + ts::real(ts::astype<ts::complex64>(y)); },
          [](tensor const& x, tensor const& y) { return x + y; }, 4e-6},
      row{"imag of a real", [](auto x, auto y) { return ts::imag(x) + ts::real(ts::conj(y)); },
          [](tensor const&, tensor const& y) { return y; }}};
};

TEST(complex, over_layouts) {
  dense<float, 8, 4> const x(-2, 2), y(-2, 2, 7);
  check<functions, on<grid, P<dp, mp>, P<dp, mp>>, jitted>(x, y);
  check<functions, on<grid, P<axes<mp, dp>>, P<axes<mp, dp>>>, interpreted>(x, y);
  check<functions, nowhere, eagerly>(x, y);
}

#ifndef TESSERA_BY_DAY
TEST(complex, wide) {
  dense<double, 8, 4> const x(-2, 2), y(-2, 2, 7);
  check<functions, on<cube, P<c, axes<a, b>>, P<c, axes<a, b>>>, interpreted>(x, y);
  check<functions, nowhere, jitted>(x, y);
}

TEST(complex, in_and_out) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  std::vector<std::complex<float>> const values{{1, 2}, {3, -4}, {0.5f, 0}, {-1, -1}};
  auto const z = ts::device_put<P<mp>>(ts::host<2, 2>(values), mesh);
  static_assert(ts::type_text<decltype(z)> == "complex64[2@mp,2]");
  auto const back = (z * z).to_host();
  for (std::size_t i = 0; i < values.size(); ++i) {
    auto const want = values[i] * values[i];
    EXPECT_EQ(back[i], ts::complex64(want));
    EXPECT_EQ(std::complex<float>(back[i].real(), back[i].imag()), want);
  }
  std::ostringstream text;
  text << z;
  EXPECT_EQ(text.str(), "[[ 1. +2.j  3. -4.j]\n [ 0.5+0.j -1. -1.j]]");
}
#endif

}  // namespace
