// SPDX-License-Identifier: Apache-2.0
// A refused value in functions composed of operations: nothing more is said of it.

#include <tessera/tessera.hpp>

#include <tessera/functions.hpp>

namespace ts = tessera;
using ts::none;
using ts::P;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
using rows = ts::array_type<float, ts::shape<8, 4>, P<dp>, grid>;
using columns = ts::array_type<float, ts::shape<8, 4>, P<none, dp>, grid>;

template <class F>
struct of_sum {
  constexpr auto operator()(auto x, auto y) const { return F{}(x + y); }
};
template <class F>
constexpr void of_both(F) {
  ts::check<of_sum<F>, rows, columns>();
}

int main() {
#if TESSERA_MISUSE == 1
  // expect: one mesh axis would split two dimensions of the same array.
  of_both([](auto z) { return ts::polymul(ts::ravel(z), ts::ravel(z)); });
#elif TESSERA_MISUSE == 2
  // expect: one mesh axis would split two dimensions of the same array.
  of_both([](auto z) { return ts::unwrap(ts::nanmedian<0>(z)); });
#elif TESSERA_MISUSE == 3
  // expect: one mesh axis would split two dimensions of the same array.
  of_both([](auto z) { return ts::ragged_dot(z, z, z); });
#elif TESSERA_MISUSE == 4
  // expect: one mesh axis would split two dimensions of the same array.
  of_both([](auto z) { return ts::expm(ts::toeplitz(z)); });
#elif TESSERA_MISUSE == 5
  // expect: one mesh axis would split two dimensions of the same array.
  of_both([](auto z) { return ts::image::resize<4, 4>(z, ts::image::linear); });
#elif TESSERA_MISUSE == 6
  // expect: one mesh axis would split two dimensions of the same array.
  of_both([](auto z) {
    return ts::apply_along_axis<1>([](auto r) { return r - ts::mean(r); }, ts::put_along_axis<1>(z, z, 1.0f));
  });
#elif TESSERA_MISUSE == 7
  // expect: one mesh axis would split two dimensions of the same array.
  of_both([](auto z) { return ts::nonzero<4>(z); });
#elif TESSERA_MISUSE == 8
  // expect: one mesh axis would split two dimensions of the same array.
  of_both([](auto z) { return ts::conv_transpose(z, z); });
#elif TESSERA_MISUSE == 9
  // expect: one mesh axis would split two dimensions of the same array.
  of_both([](auto z) { return ts::block_diag(z, ts::companion(z)); });
#elif TESSERA_MISUSE == 10
  // expect: one mesh axis would split two dimensions of the same array.
  of_both([](auto z) { return ts::gammainc(z, ts::i0(z)); });
#elif TESSERA_MISUSE == 11
  // expect: one mesh axis would split two dimensions of the same array.
  of_both([](auto z) { return ts::tensorsolve(z, z); });
#elif TESSERA_MISUSE == 12
  // expect: one mesh axis would split two dimensions of the same array.
  of_both([](auto z) { return ts::flash_attention(z, ts::glu(z), ts::packbits(z)); });
#elif TESSERA_MISUSE == 13
  // expect: one mesh axis would split two dimensions of the same array.
  of_both([](auto z) { return ts::cho_solve(ts::cho_factor(z), ts::polyfit<2>(z, z)); });
#elif TESSERA_MISUSE == 14
  // expect: one mesh axis would split two dimensions of the same array.
  of_both([](auto z) { return ts::hyp1f1(z, ts::wofz(z), ts::loggamma(ts::sph_harm_y<2>(z, z, z, z))); });
#elif TESSERA_MISUSE == 15
  // expect: one mesh axis would split two dimensions of the same array.
  of_both([](auto z) { return ts::funm(std::get<0>(ts::hessenberg(z)), [](auto x) { return ts::sin(x); }); });
#elif TESSERA_MISUSE == 16
  // expect: one mesh axis would split two dimensions of the same array.
  of_both([](auto z) { return ts::pure_callback([](auto v) { return v; }, z); });
#endif
}
