// SPDX-License-Identifier: Apache-2.0
#pragma once
// The ops whose special values are recorded, in the tables of special_values.txt: what the special_*_test.cpp run in one
// dtype each.

#include "support/special_answers.hpp"

namespace special {

#define OF(op)                            \
  row {                                   \
#op, [](auto x) { return ts::op(x); } \
  }
#define FLAT(op)                          \
  flat {                                  \
#op, [](auto x) { return ts::op(x); } \
  }
#define BOTH(op)                                     \
  row {                                              \
#op, [](auto x, auto y) { return ts::op(x, y); } \
  }
#define FLAT_BOTH(op)                                \
  flat {                                             \
#op, [](auto x, auto y) { return ts::op(x, y); } \
  }
#define ALONG(op)                             \
  row {                                       \
#op, [](auto x) { return ts::op<-1>(x); } \
  }
#define FLAT_ALONG(op)                        \
  flat {                                      \
#op, [](auto x) { return ts::op<-1>(x); } \
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
  static constexpr auto rows =
      std::tuple{row{"power_2", [](auto x) { return ts::power(x, 2.0); }},
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
                 row{"clamped", [](auto x) { return ts::clamp(-1.0, x, 2.0); }}};
};
struct pairs {
  static constexpr auto rows =
      std::tuple{BOTH(add),
                 BOTH(subtract),
                 BOTH(multiply),
                 BOTH(divide),
                 BOTH(maximum),
                 BOTH(minimum),
                 BOTH(power),
                 BOTH(fmod),
                 BOTH(remainder),
                 BOTH(floor_divide),
                 BOTH(arctan2),
                 BOTH(hypot),
                 BOTH(copysign),
                 BOTH(logaddexp),
                 FLAT_BOTH(equal),
                 FLAT_BOTH(not_equal),
                 FLAT_BOTH(less),
                 FLAT_BOTH(less_equal),
                 FLAT_BOTH(greater),
                 FLAT_BOTH(greater_equal),
                 FLAT_BOTH(isclose),
                 FLAT_BOTH(allclose),
                 FLAT_BOTH(array_equal),
                 row{"where", [](auto x, auto y) { return ts::where(x > y, x, y); }},
                 row{"guarded_divide", [](auto x, auto y) { return ts::where(y == 0, 0.0, x / y); }}};
};
struct as_complex {
  static constexpr auto rows =
      std::tuple{row{"complex", [](auto x, auto y) { return ts::abs(ts::complex(x, y)); }},
                 row{"complex_exp", [](auto x, auto y) { return ts::real(ts::exp(ts::complex(x, y))); }},
                 row{"complex_square", [](auto x, auto y) { return ts::imag(ts::complex(x, y) * ts::complex(x, y)); }}};
};
struct triples {
  static constexpr auto rows =
      std::tuple{row{"clamp", [](auto x, auto y, auto z) { return ts::clamp(x, y, z); }},
                 row{"clip", [](auto x, auto y, auto z) { return ts::clip(x, y, z); }},
                 row{"where", [](auto x, auto y, auto z) { return ts::where(x > 0, y, z); }},
                 row{"select", [](auto x, auto y, auto z) { return ts::select(x > 0, y, z); }},
                 row{"select_n", [](auto x, auto y, auto z) { return ts::select_n(x > 0, z, y); }},
                 row{"product", [](auto x, auto y, auto z) { return x * y + z; }}};
};
struct reductions {
  static constexpr auto rows = std::tuple{ALONG(sum),
                                          ALONG(prod),
                                          ALONG(max),
                                          ALONG(min),
                                          ALONG(mean),
                                          FLAT_ALONG(any),
                                          FLAT_ALONG(all),
                                          FLAT_ALONG(argmax),
                                          FLAT_ALONG(argmin),
                                          ALONG(var),
                                          row{"var_of_3", [](auto x) { return ts::var<-1>(x, ts::ddof<1>); }},
                                          ALONG(stddev),
                                          ALONG(ptp),
                                          row{"reduce_sum", [](auto x) { return ts::reduce_sum<1>(x); }},
                                          row{"reduce_max", [](auto x) { return ts::reduce_max<1>(x); }},
                                          row{"reduce_min", [](auto x) { return ts::reduce_min<1>(x); }},
                                          row{"reduce_prod", [](auto x) { return ts::reduce_prod<1>(x); }},
                                          ALONG(logsumexp),
                                          ALONG(softmax),
                                          ALONG(log_softmax),
                                          row{"layer_norm", [](auto x) { return ts::layer_norm(x); }},
                                          row{"rms_norm", [](auto x) { return ts::rms_norm(x); }},
                                          ALONG(nansum),
                                          ALONG(nanprod),
                                          ALONG(nanmax),
                                          ALONG(nanmin),
                                          ALONG(nanmean),
                                          FLAT_ALONG(count_nonzero)};
};
struct orders {
  static constexpr auto rows =
      std::tuple{ALONG(median),
                 row{"quantile_0", [](auto x) { return ts::quantile<-1>(x, 0.0); }},
                 row{"quantile_quarter", [](auto x) { return ts::quantile<-1>(x, 0.25); }},
                 row{"quantile_third", [](auto x) { return ts::quantile<-1>(x, 1.0 / 3); }},
                 row{"quantile_1", [](auto x) { return ts::quantile<-1>(x, 1.0); }},
                 row{"average", [](auto x) { return ts::average<-1>(x, ts::abs(x) + 1); }},
                 ALONG(sort),
                 row{"sort_descending", [](auto x) { return ts::sort(x, ts::descending); }},
                 FLAT_ALONG(argsort),
                 flat{"argsort_descending", [](auto x) { return ts::argsort(x, ts::descending); }},
                 row{"diff", [](auto x) { return ts::diff<1, -1>(x); }},
                 row{"matmul", [](auto x) { return ts::matmul(x, ts::transpose(x)); }},
                 row{"vecdot", [](auto x) { return ts::vecdot(x, x); }},
                 row{"reduce_window_max", [](auto x) { return ts::reduce_window_max(x, ts::window<1, 2>); }},
                 row{"reduce_window_min", [](auto x) { return ts::reduce_window_min(x, ts::window<1, 2>); }},
                 row{"reduce_window_sum", [](auto x) { return ts::reduce_window_sum(x, ts::window<1, 2>); }},
                 flat{"top_k", [](auto x) { return std::get<0>(ts::top_k<3>(x)); }},
                 flat{"top_k_places", [](auto x) { return std::get<1>(ts::top_k<3>(x)); }}};
};
struct cumulative {
  static constexpr auto rows =
      std::tuple{ALONG(cumsum),
                 ALONG(cumprod),
                 ALONG(cummax),
                 ALONG(cummin),
                 ALONG(cumlogsumexp),
                 row{"cumsum_reverse", [](auto x) { return ts::cumsum<-1>(x, ts::reverse); }},
                 row{"cumprod_reverse", [](auto x) { return ts::cumprod<-1>(x, ts::reverse); }},
                 row{"cummax_reverse", [](auto x) { return ts::cummax<-1>(x, ts::reverse); }},
                 row{"cummin_reverse", [](auto x) { return ts::cummin<-1>(x, ts::reverse); }},
                 row{"cumlogsumexp_reverse", [](auto x) { return ts::cumlogsumexp<-1>(x, ts::reverse); }}};
};

// Ones of (10, 3, 2), of x's dtype.
constexpr auto columns_for(auto x) { return ts::ones<ts::element_of<ts::typeof_t<decltype(x)>::dtype()>, 10, 3, 2>(); }
#define MATRIX(op)                              \
  row {                                         \
#op, [](auto x) { return ts::op(x); }, 1e-5 \
  }
#define EACH(op)                                                                        \
  row {                                                                                 \
#op, [](auto x) { return ts::vmap([](auto one) { return ts::op(one); })(x); }, 1e-5 \
  }
struct factors {
  static constexpr auto rows = std::tuple{
      MATRIX(det),
      row{"slogdet", [](auto x) { return std::get<1>(ts::slogdet(x)); }, 1e-5},
      row{"sign_of_det", [](auto x) { return std::get<0>(ts::slogdet(x)); }},
      MATRIX(inv),
      row{"solve", [](auto x) { return ts::solve(x, columns_for(x)); }, 1e-5},
      MATRIX(cholesky),
      row{"eigenvalues", [](auto x) { return std::get<0>(ts::eigh(x)); }, 1e-5},
      row{"triangular_solve",
          [](auto x) { return ts::triangular_solve(x, columns_for(x), ts::left_side, ts::lower_triangle); }, 1e-5},
      row{"matmul", [](auto x) { return ts::matmul(x, x); }},
      MATRIX(tril),
      MATRIX(triu),
      row{"qr_r", [](auto x) { return ts::abs(std::get<1>(ts::qr(x))); }, 1e-5},
      row{"lu", [](auto x) { return std::get<0>(ts::lu(x)); }, 1e-5},
      EACH(trace),
      EACH(norm),
      EACH(cov),
      row{"matrix_power", [](auto x) { return ts::matrix_power<3>(x); }}};
};
// Ones of (6, 3, 2), of x's dtype.
constexpr auto sides_for(auto x) { return ts::ones<ts::element_of<ts::typeof_t<decltype(x)>::dtype()>, 6, 3, 2>(); }
struct by_singular_values {
  static constexpr auto rows = std::tuple{
      flat{"svd",
           [](auto x) {
             auto const [u, s, vt] = ts::svd(x);
             return ts::matmul(u * ts::expand_dims<-2>(s), vt);
           },
           1e-5},
      flat{"svdvals", [](auto x) { return 1.0f + ts::svdvals(x); }, 1e-5},
      row{"pinv", [](auto x) { return ts::pinv(x); }, 1e-5},
      flat{"lstsq", [](auto x) { return std::get<0>(ts::lstsq(x, sides_for(x))); }, 1e-5},
      flat{"lstsq_rank", [](auto x) { return std::get<2>(ts::lstsq(x, sides_for(x))); }},
      flat{"matrix_rank", [](auto x) { return ts::matrix_rank(x); }},
      flat{"condition_number", [](auto x) { return 1.0f + 1.0f / ts::condition_number(x); }, 1e-5},
      flat{"condition_number_minus_two", [](auto x) { return 1.0f + ts::condition_number(x, ts::ord<-2>); }, 1e-5},
      flat{"matrix_norm_nuc", [](auto x) { return ts::matrix_norm(x, ts::nuc); }, 1e-5},
      row{"matrix_norm_one", [](auto x) { return ts::matrix_norm(x, ts::ord<1>); }}};
};

}  // namespace special
