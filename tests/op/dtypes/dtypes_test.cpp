// SPDX-License-Identifier: Apache-2.0
// nightly
// The dtype of the result of each op of one operand, for each dtype, against JAX. dtypes_of_pairs_test.cpp: of several.

#include "support/recorded_dtypes.hpp"

namespace {

using namespace dtypes;

template <std::int64_t... E, class Op, bool Slope, class... T>
void of_each(recorded& file, std::string const& table, row<Op, Slope> const& r, types<T...>) {
  file.compare(table, std::string(r.name) + " value", {name_of_type<T>()...},
               {dtype_of_result<Op, operand<T, E...>>(r.op)...});
}
template <class Table, std::int64_t... E>
void check_one(recorded& file, std::string const& table) {
  std::apply([&](auto const&... r) { (of_each<E...>(file, table, r, each_dtype{}), ...); }, Table::rows);
}
struct of_vectors {
  static constexpr auto rows =
      std::tuple{row{"invert", [](auto x) { return ts::bitwise_not(x); }},
                 OF(logical_not),
                 row{"cos_of_sum", [](auto x) { return ts::cos(ts::sum(x)); }},
                 row{"astype_float16", [](auto x) { return ts::astype<ts::float16>(x); }},
                 row{"plus_1", [](auto x) { return x + 1; }},
                 row{"plus_half", [](auto x) { return x + 0.5; }},
                 row{"half_minus", [](auto x) { return 0.5 - x; }},
                 row{"over_2", [](auto x) { return x / 2; }},
                 row{"power_2_whole", [](auto x) { return ts::power(x, 2); }},
                 row{"above_0", [](auto x) { return x > 0; }},
                 row{"set_1", [](auto x) { return x.at(0).set(1); }},
                 row{"add_half", [](auto x) { return x.at(0).add(0.5); }},
                 row{"pad", [](auto x) { return ts::pad(x, x.at(0).get(), ts::low<1>, ts::high<1>); }},
                 OF(gelu),
                 row{"einsum", [](auto x) { return ts::einsum<"i,i->">(x, x); }},
                 row{"outer", [](auto x) { return ts::outer(x, x); }},
                 row{"vdot", [](auto x) { return ts::vdot(x, x); }},
                 row{"bincount", [](auto x) { return ts::bincount<4>(x); }},
                 row{"linspace", [](auto x) { return ts::linspace<4>(x.at(0).get(), x.at(1).get()); }},
                 OF(fft),
                 OF(rfft),
                 OF(irfft),
                 OF(zeros_like),
                 row{"full_like", [](auto x) { return ts::full_like(x, 2); }},
                 row{"take", [](auto x) { return ts::take(x, ts::arange<2>()); }},
                 row{"roll", [](auto x) { return ts::roll<1>(x); }}};
};
struct of_squares {
  static constexpr auto rows =
      std::tuple{OF(cov),         OF(det),
                 OF(inv),         row{"slogdet", [](auto x) { return std::get<0>(ts::slogdet(x)); }},
                 OF(cholesky),    row{"eigenvalues", [](auto x) { return std::get<0>(ts::eigh(x)); }},
                 OF(svdvals),     row{"qr", [](auto x) { return std::get<0>(ts::qr(x)); }},
                 OF(pinv),        row{"matrix_power", [](auto x) { return ts::matrix_power<3>(x); }},
                 OF(matrix_rank), OF(condition_number),
                 OF(norm),        OF(matrix_norm),
                 OF(tril),        OF(trace)};
};
TEST(dtypes, of_functions) {
  recorded file("unary");
  check_one<functions, 4>(file, "unary");
  check_one<shapes, 4>(file, "unary");
  check_one<composites, 4>(file, "unary");
  file.expect_all_met("unary");
}
TEST(dtypes, of_rows) {
  recorded file("rows");
  check_one<reductions, 4, 4>(file, "rows");
  check_one<orders, 4, 4>(file, "rows");
  check_one<cumulative, 4, 4>(file, "rows");
  file.expect_all_met("rows");
}
TEST(dtypes, of_other_functions) {
  recorded file("of_one");
  check_one<of_vectors, 4>(file, "of_one");
  check_one<of_squares, 4, 4>(file, "of_one");
  file.expect_all_met("of_one");
}
}  // namespace
