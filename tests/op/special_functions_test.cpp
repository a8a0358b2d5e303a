// SPDX-License-Identifier: Apache-2.0
// Functions of one array at special values, and their gradients there, against JAX.

#include "support/special_answers.hpp"

namespace {

using special::differs;
using special::flat;
using special::row;
namespace ts = tessera;

#define OF(op)                            \
  row {                                   \
#op, [](auto x) { return ts::op(x); } \
  }
#define FLAT(op)                          \
  flat {                                  \
#op, [](auto x) { return ts::op(x); } \
  }

struct functions {
  static constexpr auto rows = std::tuple{
      OF(abs),     OF(negative), OF(sign),    OF(square), OF(reciprocal),
      OF(sqrt),    OF(rsqrt),    OF(cbrt),    OF(exp),    row{"exp2", [](auto x) { return ts::exp2(x); }, 1e-5},
      OF(expm1),   OF(log),      OF(log2),    OF(log10),  OF(log1p),
      OF(tanh),    OF(logistic), OF(sigmoid), OF(erf),    OF(erfc),
      OF(erf_inv), OF(sin),      OF(cos),     OF(tan),    OF(arcsin),
      OF(arccos),  OF(arctan),   OF(sinh),    OF(cosh),   OF(arcsinh),
      OF(arccosh), OF(arctanh)};
};
struct shapes {
  static constexpr auto rows =
      std::tuple{OF(relu),
                 row{"gelu", [](auto x) { return ts::gelu(x); }, 2e-5},
                 row{"gelu_exact", [](auto x) { return ts::gelu(x, ts::exact); }},
                 OF(silu),
                 OF(softplus),
                 OF(floor),
                 OF(ceil),
                 OF(trunc),
                 OF(round),
                 OF(rint),
                 OF(nan_to_num),
                 row{"reduce_precision", [](auto x) { return ts::reduce_precision<5, 10>(x); }},
                 row{"integer_pow_2", [](auto x) { return ts::integer_pow<2>(x); }},
                 row{"integer_pow_3", [](auto x) { return ts::integer_pow<3>(x); }},
                 row{"integer_pow_less_2", [](auto x) { return ts::integer_pow<-2>(x); }},
                 row{"integer_pow_0", [](auto x) { return ts::integer_pow<0>(x); }},
                 OF(deg2rad),
                 OF(rad2deg),
                 FLAT(isnan),
                 FLAT(isinf),
                 FLAT(isfinite),
                 FLAT(signbit),
                 OF(real),
                 OF(imag),
                 OF(conj),
                 OF(angle),
                 OF(stop_gradient),
                 OF(copy)};
};
struct composites {
  static constexpr auto rows = std::tuple{
      row{"power_2", [](auto x) { return ts::power(x, 2.0); }},
      row{"power_half", [](auto x) { return ts::power(x, 0.5); }},
      row{"power_0", [](auto x) { return ts::power(x, 0.0); }},
      row{"power_of_0", [](auto x) { return ts::power(0.0, x); }},
      row{"power_of_2", [](auto x) { return ts::power(2.0, x); }},
      row{"power_of_less_1", [](auto x) { return ts::power(-1.0, x); }},
      row{"times_itself", [](auto x) { return x * x; }},
      row{"by_itself", [](auto x) { return x / x; }},
      row{"guarded_sqrt", [](auto x) { return ts::where(x > 0, ts::sqrt(x), 0.0); }},
      row{"guarded_log", [](auto x) { return ts::where(x > 0, ts::log(ts::where(x > 0, x, 1.0)), 0.0); }},
      row{"guarded_quotient", [](auto x) { return ts::where(x == 0, 1.0, ts::sin(x) / x); }},
      row{"norm_of_two", [](auto x) { return ts::hypot(x, x); }},
      row{"most_of_two", [](auto x) { return ts::maximum(x, x); }},
      row{"floor_divided", [](auto x) { return ts::floor_divide(x, 2.0); }},
      row{"remainder_by_2", [](auto x) { return ts::remainder(x, 2.0); }},
      row{"clipped", [](auto x) { return ts::clip(x, -1.0, 2.0); }},
      row{"clamped", [](auto x) { return ts::clamp(-1.0, x, 2.0); }},
      flat{"one_hot", [](auto x) { return ts::one_hot<4>(x); }},
      flat{"searchsorted", [](auto x) { return ts::searchsorted(ts::arange<float, 5>() - 2, x); }},
      row{"interp",
          [](auto x) { return ts::interp(x, ts::arange<float, 3>() - 1, ts::square(ts::arange<float, 3>())); }},
      row{"segment_sum", [](auto x) { return ts::segment_sum<16>(x, ts::remainder(ts::arange<32>(), 15)); }},
      row{"segment_max", [](auto x) { return ts::segment_max<16>(x, ts::remainder(ts::arange<32>(), 15)); }},
      row{"segment_min", [](auto x) { return ts::segment_min<16>(x, ts::remainder(ts::arange<32>(), 15)); }}};
};

template <class Table>
void check(special::differences const& other = {}) {
  auto file = special::read("unary");
  auto const x = special::put<32>(file, "x");
  auto const w = ts::device_put(ts::host<32>(std::vector<float>(32, 1.0f)));
  special::check_values<Table>("unary", file, other, true, x);
  special::check_slopes<Table>("unary", file, other, w, x);
}
TEST(special_functions, functions) { check<functions>({{"arccosh by0", {differs::number}}}); }
TEST(special_functions, shapes) { check<shapes>({{"relu by0", {differs::other}}}); }
TEST(special_functions, composites) {
  check<composites>({{"by_itself by0", {differs::number}},
                     {"guarded_quotient by0", {differs::number}},
                     {"segment_max by0", {differs::lost}},
                     {"segment_min by0", {differs::lost}},
                     {"norm_of_two by0", {differs::other}}});
}

}  // namespace
